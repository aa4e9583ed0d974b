// Memory of the solver: large tables on huge pages, and a stack of rows for each thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "util/pool.hpp"

namespace riverboat::spots {

// Zeroed bytes on huge pages where the system has them.
class Arena {
  public:
    Arena() = default;
    // Throws std::bad_alloc.
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&& other) noexcept;

    template <typename T>
    T* as() const {
        return static_cast<T*>(data_);
    }
    std::size_t size() const { return bytes_; }
    // Touches all pages, with all threads.
    void touch(Pool& pool) const;

  private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// A stack of rows: a walk allocates no memory from the system.
class Stack {
  public:
    Stack() = default;
    explicit Stack(std::size_t bytes) : arena_(bytes) {}

    static constexpr std::size_t kAlign = 64;
    static constexpr std::size_t rounded(std::size_t bytes) {
        return (bytes + kAlign - 1) / kAlign * kAlign;
    }

    // On destruction returns all rows that were taken since its construction.
    class Mark {
      public:
        explicit Mark(Stack& stack) : stack_(stack), used_(stack.used_) {}
        ~Mark() { stack_.used_ = used_; }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;

      private:
        Stack& stack_;
        std::size_t used_;
    };

    template <typename T>
    T* take(std::size_t count) {
        T* rows = reinterpret_cast<T*>(arena_.as<std::byte>() + used_);
        used_ += rounded(count * sizeof(T));
        return rows;
    }
    std::size_t size() const { return arena_.size(); }
    void touch(Pool& pool) const { arena_.touch(pool); }

  private:
    Arena arena_;
    std::size_t used_ = 0;
};

}  // namespace riverboat::spots
