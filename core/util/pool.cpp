#include "util/pool.hpp"

#include <optional>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace riverboat {
namespace {

void relax() {
#if defined(__SSE2__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

// Waits until the number changes.
void await_change(const std::atomic<std::uint32_t>& number, std::uint32_t old, int spins) {
    for (int i = 0; i < spins; ++i) {
        if (number.load(std::memory_order_acquire) != old) return;
        relax();
    }
    number.wait(old, std::memory_order_acquire);
}

}  // namespace

#if defined(__SSE2__)
FlushToZero::FlushToZero() : before_(_mm_getcsr()) {
    constexpr unsigned kFlushBits = 0x8040;  // results, and what is read
    _mm_setcsr(before_ | kFlushBits);
}
FlushToZero::~FlushToZero() { _mm_setcsr(before_); }
#else
FlushToZero::FlushToZero() = default;
FlushToZero::~FlushToZero() = default;
#endif

Pool::Pool(int threads, const Habits& habits) : habits_(habits) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
}

Pool::~Pool() {
    over_.store(true, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void Pool::take_tasks(int thread) {
    for (;;) {
        const int task = next_task_.fetch_add(1, std::memory_order_relaxed);
        if (task >= job_.tasks) return;
        job_.call(job_.work, task, thread);
    }
}

void Pool::run_job(const Job& job) {
    if (workers_.empty() || job.tasks < 2) {
        for (int task = 0; task < job.tasks; ++task) job.call(job.work, task, 0);
        return;
    }
    job_ = job;
    next_task_.store(0, std::memory_order_relaxed);
    entry_.store(kOpen, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_tasks(0);
    // Joined workers finish their tasks; after a long wait the caller yields the CPU.
    std::uint32_t left = entry_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
    while (left != 0) {
        await_change(entry_, left, habits_.spins);
        left = entry_.load(std::memory_order_acquire);
    }
}

void Pool::join_job(int thread) {
    std::uint32_t entry = entry_.load(std::memory_order_acquire);
    while (entry & kOpen) {
        if (!entry_.compare_exchange_weak(entry, entry + 1, std::memory_order_acq_rel)) continue;
        take_tasks(thread);
        entry_.fetch_sub(1, std::memory_order_release);
        entry_.notify_one();
        return;
    }
}

void Pool::serve(int thread) {
    std::optional<FlushToZero> flush;
    if (habits_.flush_to_zero) flush.emplace();
    for (std::uint32_t seen = 0;;) {
        await_change(round_, seen, habits_.spins);
        seen = round_.load(std::memory_order_acquire);
        if (over_.load(std::memory_order_acquire)) return;
        join_job(thread);
    }
}

}  // namespace riverboat
