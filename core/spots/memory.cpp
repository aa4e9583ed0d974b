#include "spots/memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#define RIVERBOAT_MMAP 1
#else
#define RIVERBOAT_MMAP 0
#endif

namespace riverboat::spots {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMappedFrom = std::size_t{4} << 20;
constexpr std::size_t kPiece = std::size_t{8} << 20;  // bytes that a thread touches at a time
constexpr std::align_val_t kAligned{Stack::kAlign};

// Rivers must start fast, so each river reuses the memory pages of the previous one.
bool is_mapped(std::size_t bytes) { return RIVERBOAT_MMAP && bytes >= kMappedFrom; }

#if RIVERBOAT_MMAP
void* mapped(std::size_t bytes) {
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    madvise(data, bytes, MADV_HUGEPAGE);  // small pages are used if huge pages are not available
#endif
    return data;
}
#endif

void* zeroed(std::size_t bytes) {
#if RIVERBOAT_MMAP
    if (is_mapped(bytes)) return mapped(bytes);
#endif
    return std::memset(::operator new(bytes, kAligned), 0, bytes);
}

void release(void* data, std::size_t bytes) {
#if RIVERBOAT_MMAP
    if (is_mapped(bytes)) {
        munmap(data, bytes);
        return;
    }
#endif
    static_cast<void>(bytes);
    ::operator delete(data, kAligned);
}

}  // namespace

Arena::Arena(std::size_t bytes) : data_(bytes > 0 ? zeroed(bytes) : nullptr), bytes_(bytes) {}

Arena::~Arena() {
    if (data_ != nullptr) release(data_, bytes_);
}

Arena::Arena(Arena&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

void Arena::touch(Pool& pool) const {
    if (!is_mapped(bytes_)) return;
    const auto pieces = static_cast<int>((bytes_ + kPiece - 1) / kPiece);
    pool.run(pieces, [this](int piece, int) {
        volatile char* bytes = as<char>();
        const std::size_t end = std::min(bytes_, (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; i += kPage) bytes[i] = 0;
    });
}

}  // namespace riverboat::spots
