// Arrays that all kernels read. core/spots/flat.hpp declares and explains those of a spot, of which
// Python makes Bounds, RIVERBOAT_HANDS and RIVERBOAT_SPOT.
//
// Every field has eight bytes, so that Python fills the struct as a row of whole numbers.

typedef long long Long;
typedef unsigned short Short;

// Numbers of the tables. Of 16 bits: regrets times one scale as floats of 16 bits, which need no scale
// of their node; the average a running mean of strategies in 65535ths, as the CPU has it.
#if RIVERBOAT_BITS == 16
struct Regret {
    Short bits;
};
struct Mean {
    Short bits;
};
#else
typedef float Regret;
typedef float Mean;
#endif

// Compile-time constants of a build: they make kernels shorter, with fewer instruction stalls.
constexpr bool kLocks = RIVERBOAT_LOCKS;            // whether nodes may be locked
constexpr bool kOwnReach = RIVERBOAT_OWN_REACH;     // whether averages weigh by own reach
constexpr bool kPredictive = RIVERBOAT_PREDICTIVE;  // whether the last regrets predict the next
constexpr bool kStaged = RIVERBOAT_STAGED;          // whether programs fit into shared memory

struct Hands {
    RIVERBOAT_HANDS
    Regret* regrets;
    Mean* average;
#if RIVERBOAT_PREDICTIVE
    float* predictions;  // the regrets of the last iteration
#endif
    const Long* lock_begin;  // by row of the tables, -1 = none; null where nothing is locked
    const float* locks;
    double scale;  // of regrets of 16 bits
};

struct Spot {
    Hands mine, other;  // of the traverser and of the other player
    RIVERBOAT_SPOT  // pays of each lane: fold, win - tie, tie - lose, lose, tie, room for three
    const int4* stages;   // of each segment two: first step down and how many, up; first child, lane
    const void* start;           // reaches at roots
    void *reach, *values;        // rows of items
    void* last_values;           // of those of the last street
    void* scratch;               // rows of blocks that end a hand
    Long scratch_size;           // numbers for each block
    const float4* factors;       // of each iteration: positive, negative, keep, add
    const int* clock;            // iterations since the factors began
};

enum Mode { kTrain, kAverage, kBest, kAdopt };

constexpr int kNumCards = 52, kWarp = 32;
constexpr Short kNowhere = 0xffff;

// What no kernel writes: such loads need not wait for stores.
template <typename T>
__device__ __forceinline__ T fixed(const T* place) {
    return __ldg(place);
}

__device__ __forceinline__ double inverse_of(double number) { return 1 / number; }
__device__ __forceinline__ float inverse_of(float number) {
    float found;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(found) : "f"(number));
    return found;
}

// Some hands of a row.
template <typename Real, int W>
struct Pack {
    Real at[W];
};

template <typename Real, int W, typename Stored>
__device__ __forceinline__ Pack<Real, W> load(const Stored* place) {
    Pack<Real, W> pack;
    if constexpr (W == 4 && sizeof(Stored) == 4) {
        const float4 four = *reinterpret_cast<const float4*>(place);
        pack.at[0] = four.x, pack.at[1] = four.y, pack.at[2] = four.z, pack.at[3] = four.w;
    } else if constexpr (W > 1) {
        for (int i = 0; i < W; i += 2) {
            const double2 two = *reinterpret_cast<const double2*>(place + i);
            pack.at[i] = two.x, pack.at[i + 1] = two.y;
        }
    } else {
        pack.at[0] = *place;
    }
    return pack;
}

template <typename Real, int W>
__device__ __forceinline__ void store(Real* place, const Pack<Real, W>& pack) {
    if constexpr (W == 4 && sizeof(Real) == 4) {
        *reinterpret_cast<float4*>(place) =
            make_float4(pack.at[0], pack.at[1], pack.at[2], pack.at[3]);
    } else if constexpr (W == 2 && sizeof(Real) == 4) {
        *reinterpret_cast<float2*>(place) = make_float2(pack.at[0], pack.at[1]);
    } else if constexpr (W > 1) {
        for (int i = 0; i < W; i += 2) {
            *reinterpret_cast<double2*>(place + i) = make_double2(pack.at[i], pack.at[i + 1]);
        }
    } else {
        *place = pack.at[0];
    }
}

#if RIVERBOAT_BITS == 16

constexpr float kWhole = 65535, kMostRegret = 65504;

__device__ __forceinline__ float scaled(float number, float scale) { return number * scale; }

__device__ __forceinline__ float number(Regret regret) {
    float found;
    asm("cvt.f32.f16 %0, %1;" : "=f"(found) : "h"(regret.bits));
    return found;
}
__device__ __forceinline__ float number(Mean mean) { return mean.bits; }

__device__ __forceinline__ void put(Regret& place, float number) {
    const float near = fminf(fmaxf(number, -kMostRegret), kMostRegret);
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(place.bits) : "f"(near));
}
__device__ __forceinline__ void put(Mean& place, float number) {
    place.bits = static_cast<Short>(number + 0.5f);
}

#else

constexpr float kWhole = 1;

__device__ __forceinline__ float scaled(float number, float) { return number; }
__device__ __forceinline__ float number(float stored) { return stored; }
__device__ __forceinline__ void put(float& place, float number) { place = number; }

#endif

// Numbers of a table side by side, read and written at once. A walk comes by once: what is read and
// written so is the first to leave the cache, where rows of reaches and values are to stay.
template <typename Stored, int W>
struct alignas(sizeof(Stored) * W) Some {
    Stored at[W];
};

template <int kBytes>
struct Word;
template <>
struct Word<16> { typedef uint4 Type; };
template <>
struct Word<8> { typedef uint2 Type; };
template <>
struct Word<4> { typedef unsigned Type; };
template <>
struct Word<2> { typedef Short Type; };

template <typename Real, int W, typename Stored>
__device__ __forceinline__ Pack<Real, W> loaded(const Stored* place) {
    typedef typename Word<W * sizeof(Stored)>::Type Bytes;
    const Bytes bytes = __ldcs(reinterpret_cast<const Bytes*>(place));
    const Some<Stored, W>& some = reinterpret_cast<const Some<Stored, W>&>(bytes);
    Pack<Real, W> pack;
    for (int i = 0; i < W; ++i) pack.at[i] = number(some.at[i]);
    return pack;
}

template <typename Stored, int W>
__device__ __forceinline__ void keep(Stored* place, const Pack<float, W>& pack) {
    typedef typename Word<W * sizeof(Stored)>::Type Bytes;
    Some<Stored, W> some;
    for (int i = 0; i < W; ++i) put(some.at[i], pack.at[i]);
    __stcs(reinterpret_cast<Bytes*>(place), reinterpret_cast<const Bytes&>(some));
}

// A player's tables on one board: rows of `stride` numbers.
struct Tables {
    Regret* regrets;
    Mean* average;
    float* predictions;
    const Long* lock_begin;
    const float* locks;
    int stride;
    float scale;

    __device__ __forceinline__ Tables(const Hands& hands, int board) {
        const Long base = fixed(hands.base + board);
        regrets = hands.regrets + base, average = hands.average + base;
#if RIVERBOAT_PREDICTIVE
        predictions = hands.predictions + base;
#endif
        stride = fixed(hands.padded + board);
        lock_begin = hands.lock_begin;
        locks = hands.locks;
        scale = static_cast<float>(hands.scale);
        if (kLocks && lock_begin != nullptr) lock_begin += fixed(hands.base_row + board);
    }
};

// The rows of one node: [actions, stride].
struct Node {
    Regret* regrets;
    Mean* average;
    float* predictions;
    const float* lock;
    int stride;
    float scale;

    __device__ __forceinline__ Node(const Tables& tables, int offset) {
        stride = tables.stride, scale = tables.scale, lock = nullptr;
        regrets = tables.regrets + static_cast<Long>(offset) * stride;
        average = tables.average + static_cast<Long>(offset) * stride;
        if (kPredictive) predictions = tables.predictions + static_cast<Long>(offset) * stride;
        if (!kLocks || tables.lock_begin == nullptr) return;
        const Long begin = fixed(tables.lock_begin + offset);
        if (begin >= 0) lock = tables.locks + begin;
    }
    __device__ __forceinline__ bool locked() const { return kLocks && lock != nullptr; }
};
