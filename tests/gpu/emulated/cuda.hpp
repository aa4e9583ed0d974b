// As much of CUDA as the kernels use, on a CPU: a block's threads are contexts that take turns. A warp
// runs until all its threads wait for the block or have ended, then the next one does.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __device__
#define __global__
#define __shared__
#define __grid_constant__
#define __forceinline__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

using std::max;
using std::min;

struct uint3 {
    unsigned x, y, z;
};
struct int2 {
    int x, y;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct ushort2 {
    unsigned short x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) longlong2 {
    long long x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }

template <typename T>
T __ldg(const T* place) {
    return *place;
}
template <typename T>
T __ldcs(const T* place) {
    return *place;
}
template <typename T>
void __stcs(T* place, const T& value) {
    *place = value;
}

// Floats of 16 bits: 5 of exponent, 10 of fraction; finite ones only.
inline float float_of_half(unsigned short bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                     : std::ldexp(1024.0f + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}
inline unsigned short half_of_float(float number) {
    const unsigned sign = std::signbit(number) ? 0x8000 : 0;
    int exponent;
    std::frexp(number, &exponent);
    exponent = number == 0 ? -13 : std::max(exponent, -13);
    const float scaled = std::ldexp(std::abs(number), 11 - exponent);
    const auto whole = static_cast<unsigned>(std::nearbyint(scaled));
    // A fraction that is rounded up to the next power of two adds one to the exponent, as it should.
    return static_cast<unsigned short>(sign + ((exponent + 13) << 10) + whole);
}

static uint3 threadIdx, blockIdx, blockDim, gridDim;
__attribute__((aligned(16))) char shared[256 * 1024];

namespace emulated {

constexpr int kWarp = 32, kStack = 256 * 1024;

enum class Wait { kNone, kWarp, kBlock, kEnd };

struct Thread {
    ucontext_t context;  // where it begins; later it jumps, which costs no system call
    jmp_buf place_in_it;
    bool begun;
    std::unique_ptr<char[]> stack{new char[kStack]};
    uint3 place;
    Wait wait;
    bool odd;  // which of two rooms its next exchange takes
};

inline std::vector<Thread> threads;
inline jmp_buf scheduler;
inline Thread* running;
inline const std::function<void()>* kernel;
inline bool backwards = false;  // the last thread first: where threads race, results differ
inline char exchanged[2][1024][8];

inline void wait_for(Wait what) {
    Thread* self = running;
    self->wait = what;
    if (_setjmp(self->place_in_it) == 0) _longjmp(scheduler, 1);
}

inline void resume(Thread& thread) {
    running = &thread;
    threadIdx = thread.place;
    thread.wait = Wait::kNone;
    if (_setjmp(scheduler) != 0) return;
    if (thread.begun) _longjmp(thread.place_in_it, 1);
    thread.begun = true;
    setcontext(&thread.context);
}

inline void body() {
    (*kernel)();
    wait_for(Wait::kEnd);
}

[[noreturn]] inline void fail(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::abort();
}

// Runs a warp until all of it waits for the block, or has ended.
inline void run_warp(Thread* first, int count) {
    for (bool again = true; again;) {
        int exchanges = 0;
        for (int i = 0; i < count; ++i) {
            Thread& thread = first[backwards ? count - 1 - i : i];
            if (thread.wait == Wait::kEnd) continue;
            resume(thread);
            exchanges += thread.wait == Wait::kWarp;
        }
        if (exchanges > 0 && exchanges < count) fail("some threads of a warp miss an exchange");
        again = exchanges > 0;
    }
}

inline void run_block(int count) {
    for (int i = 0; i < count; ++i) {
        Thread& thread = threads[i];
        const unsigned x = blockDim.x, y = blockDim.y;
        thread.place = {i % x, i / x % y, i / (x * y)};
        thread.wait = Wait::kBlock, thread.odd = thread.begun = false;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = kStack;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, body, 0);
    }
    const auto ended = [](const Thread& thread) { return thread.wait == Wait::kEnd; };
    const auto end = threads.begin() + count;
    while (!std::all_of(threads.begin(), end, ended)) {
        const int warps = (count + kWarp - 1) / kWarp;
        for (int i = 0; i < warps; ++i) {
            const int first = kWarp * (backwards ? warps - 1 - i : i);
            run_warp(&threads[first], std::min(kWarp, count - first));
        }
    }
}

inline void launch(const unsigned* grid, const unsigned* block, const std::function<void()>& f) {
    gridDim = {grid[0], grid[1], grid[2]}, blockDim = {block[0], block[1], block[2]};
    const int count = block[0] * block[1] * block[2];
    if (static_cast<int>(threads.size()) < count) threads = std::vector<Thread>(count);
    kernel = &f;
    for (unsigned z = 0; z < grid[2]; ++z) {
        for (unsigned y = 0; y < grid[1]; ++y) {
            for (unsigned x = 0; x < grid[0]; ++x) {
                blockIdx = {x, y, z};
                std::memset(shared, 0xff, sizeof shared);  // nan
                run_block(count);
            }
        }
    }
}

}  // namespace emulated

extern "C" void run_backwards(int whether) { emulated::backwards = whether; }

inline void __syncthreads() { emulated::wait_for(emulated::Wait::kBlock); }
inline void __syncwarp() { emulated::wait_for(emulated::Wait::kWarp); }

template <typename T>
T __shfl_up_sync(unsigned, T value, unsigned by, int width) {
    using namespace emulated;
    Thread* self = running;
    const int room = self->odd, number = static_cast<int>(self - threads.data());
    self->odd = !self->odd;
    std::memcpy(exchanged[room][number], &value, sizeof value);
    wait_for(Wait::kWarp);
    const int lane = number % width;
    T found = value;
    if (lane >= static_cast<int>(by)) {
        std::memcpy(&found, exchanged[room][number - by], sizeof found);
    }
    return found;
}
