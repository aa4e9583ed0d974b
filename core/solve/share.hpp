// Distributes the iterations of a slice over the threads of a pool.
//
// Each free thread takes the next block of iterations, so all threads end a slice at about the same
// time, even if walks differ in length or other programs use the machine.
#pragma once

#include <algorithm>
#include <atomic>

#include "solve/walk.hpp"
#include "util/pool.hpp"

namespace riverboat {

// Blocks of a slice for each thread: at its end a thread waits for less than one of them.
inline constexpr std::uint64_t kBlocks = 128;

// walk(slice, thread) -> WalkCounts for all iterations first .. end - 1; how many nodes were
// entered. With one thread it is one call.
template <typename Walk>
std::uint64_t share_iterations(Pool& pool, std::uint64_t first, std::uint64_t end,
                               const Walk& walk) {
    if (first >= end) return 0;
    if (pool.num_threads() == 1) return walk(Slice{first, end}, 0).nodes;
    const std::uint64_t count = end - first;
    const std::uint64_t length = std::max<std::uint64_t>(1, count / (pool.num_threads() * kBlocks));
    std::atomic<std::uint64_t> nodes{0};
    pool.run(static_cast<int>((count + length - 1) / length), [&](int block, int thread) {
        const std::uint64_t begin = first + block * length;
        const WalkCounts found = walk(Slice{begin, std::min(end, begin + length)}, thread);
        nodes.fetch_add(found.nodes, std::memory_order_relaxed);
    });
    return nodes.load(std::memory_order_relaxed);
}

// Multiplies regrets by one factor where they are positive, by the other where they are not.
template <typename T>
void discount(Pool& pool, T* regrets, std::size_t count, double positive, double negative) {
    constexpr std::size_t kPart = std::size_t{1} << 18;
    const auto up = static_cast<T>(positive), down = static_cast<T>(negative);
    pool.run(static_cast<int>((count + kPart - 1) / kPart), [=](int part, int) {
        T* const begin = regrets + part * kPart;
        T* const end = std::min(regrets + count, begin + kPart);
        for (T* regret = begin; regret < end; ++regret) *regret *= *regret > 0 ? up : down;
    });
}

}  // namespace riverboat
