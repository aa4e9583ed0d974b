// A thread pool. Idle workers first spin, because the next job often comes within microseconds, and
// then sleep. The calling thread takes a part of the tasks.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace riverboat {

// During its lifetime the thread treats subnormal numbers as 0, because they are slow.
class FlushToZero {
  public:
    FlushToZero();
    ~FlushToZero();
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;

  private:
    unsigned before_ = 0;
};

class Pool {
  public:
    struct Habits {
        int spins;           // before an idle thread sleeps
        bool flush_to_zero;  // in all threads but the caller's
    };
    // Jobs come every few microseconds, or every tenth of a second. In the second case spinning
    // only takes CPU time from other programs and from busy workers.
    static constexpr Habits kRestless{20'000, true}, kPatient{500, false};

    Pool(int threads, const Habits& habits);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

    // work(task, thread) for each task 0 .. tasks - 1, in any order, on threads 0 ..; returns when
    // all are done.
    template <typename Work>
    void run(int tasks, const Work& work) {
        run_job({tasks, &work, [](const void* what, int task, int thread) {
                     (*static_cast<const Work*>(what))(task, thread);
                 }});
    }

  private:
    struct Job {
        int tasks = 0;
        const void* work = nullptr;
        void (*call)(const void* work, int task, int thread) = nullptr;
    };

    void run_job(const Job& job);
    void take_tasks(int thread);
    void join_job(int thread);
    void serve(int thread);

    // The caller does not wait for workers that have not joined when all tasks are taken: on a busy
    // machine that can take long.
    static constexpr std::uint32_t kOpen = std::uint32_t{1} << 31;

    const Habits habits_;
    Job job_;
    std::atomic<int> next_task_{0};
    std::atomic<std::uint32_t> entry_{
        0};  // kOpen while workers may join, plus the number of joined workers
    std::atomic<std::uint32_t> round_{0};  // counts jobs
    std::atomic<bool> over_{false};
    std::vector<std::thread> workers_;
};

}  // namespace riverboat
