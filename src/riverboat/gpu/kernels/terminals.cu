// Values of terminals: some lanes (reaches of terminals) of one board side by side.
//
// As core/spots/terminals.hpp: a hand meets all of the other's hands, less those with its first
// card, less those with its second, plus the same hand. Sums over the weaker hands are entries of
// running sums: one over all hands by strength, and one for each card over the hands that have it.
// Each own hand knows the places of the nine entries that it needs.

template <typename Real>
constexpr int kSide = 16 / sizeof(Real);  // lanes

template <typename Real>
struct alignas(16) Lanes {
    Real at[kSide<Real>];

    __device__ __forceinline__ Lanes& operator+=(const Lanes& other) {
        for (int k = 0; k < kSide<Real>; ++k) at[k] += other.at[k];
        return *this;
    }
};

constexpr int kPays = 8;        // numbers of a lane: fold, win - tie, tie - lose, lose, tie
constexpr int kFewHands = 160;  // their lists are too short to be shared by threads

// Numbers in shared memory for `hands` of the other player.
template <typename Real>
struct Sums {
    Lanes<Real>*all, *listed, *warps;

    __device__ __forceinline__ Sums(char* shared, int hands) {
        all = reinterpret_cast<Lanes<Real>*>(shared);
        listed = all + hands + 1;
        warps = listed + 2 * hands + kNumCards;
    }
};

template <typename Real>
__device__ __forceinline__ Lanes<Real> moved_up(const Lanes<Real>& lanes, int by, int width) {
    Lanes<Real> found;
    for (int k = 0; k < kSide<Real>; ++k) {
        found.at[k] = __shfl_up_sync(0xffffffff, lanes.at[k], by, width);
    }
    return found;
}

// How many of `count` numbers each of some threads adds up; no multiple of four, so that threads side
// by side read from different banks.
__device__ __forceinline__ int share_of(int count, int threads) {
    const int size = (count + threads - 1) / threads;
    return size + (size % 4 == 0);
}

// Running sums of numbers one after the other, which begin with `run`; returns what follows them.
template <typename Real>
__device__ __forceinline__ Lanes<Real> run_over(Lanes<Real>* numbers, int from, int to,
                                                Lanes<Real> run) {
    for (int i = from; i < to; ++i) {
        const Lanes<Real> here = numbers[i];
        numbers[i] = run;
        run += here;
    }
    return run;
}

// Running sums of the lists by card, some threads a list: each adds up a part of it. All threads of a
// warp take part.
template <typename Real, int kParts>
__device__ __forceinline__ void sum_lists(Lanes<Real>* listed, const Short* lists, int thread,
                                          int threads) {
    constexpr int kTasks = kParts * kNumCards;
    for (int task = thread; task < (kTasks + 31) / 32 * 32; task += threads) {
        const int list = min(task / kParts, kNumCards - 1), part = task % kParts;
        const int begin = fixed(lists + list), end = fixed(lists + list + 1) - 1;
        const int size = share_of(end - begin, kParts);
        const int from = min(begin + part * size, end), to = min(from + size, end);
        Lanes<Real> run{};
        if constexpr (kParts > 1) {
            Lanes<Real> sum{};
            for (int i = from; i < to; ++i) sum += listed[i];
            for (int by = 1; by < kParts; by *= 2) {
                const Lanes<Real> before = moved_up(sum, by, kParts);
                if (part >= by) sum += before;
            }
            const Lanes<Real> before = moved_up(sum, 1, kParts);
            if (part > 0) run = before;
        }
        if (task >= kTasks) continue;
        run = run_over(listed, from, to, run);
        if (part == kParts - 1) listed[end] = run;
    }
}

// Running sums over all hands: each thread has some of them, in order.
template <typename Real>
__device__ __forceinline__ void sum_all(const Sums<Real>& sums, int hands, int thread,
                                        int threads) {
    const int size = share_of(hands, threads);
    const int from = min(thread * size, hands), to = min(from + size, hands);
    Lanes<Real> sum{}, run{};
    for (int i = from; i < to; ++i) sum += sums.all[i];
    for (int by = 1; by < 32; by *= 2) {
        const Lanes<Real> before = moved_up(sum, by, 32);
        if (thread % 32 >= by) sum += before;
    }
    if (thread % 32 == 31) sums.warps[thread / 32] = sum;
    const Lanes<Real> before = moved_up(sum, 1, 32);
    __syncthreads();
    for (int warp = 0; warp < thread / 32; ++warp) run += sums.warps[warp];
    if (thread % 32 > 0) run += before;
    run = run_over(sums.all, from, to, run);
    if (thread == threads - 1) sums.all[hands] = run;
}

// all - first - second, lane by lane.
template <typename Real>
__device__ __forceinline__ Lanes<Real> without(const Lanes<Real>& all, const Lanes<Real>& first,
                                               const Lanes<Real>& second) {
    Lanes<Real> found;
    for (int k = 0; k < kSide<Real>; ++k) found.at[k] = all.at[k] - first.at[k] - second.at[k];
    return found;
}

__device__ __forceinline__ Pack<float, 4> fixed_four(const float* place) {
    const float4 four = fixed(reinterpret_cast<const float4*>(place));
    return {four.x, four.y, four.z, four.w};
}
__device__ __forceinline__ Pack<double, 4> fixed_four(const double* place) {
    const double2* pair = reinterpret_cast<const double2*>(place);
    const double2 first = fixed(pair), last = fixed(pair + 1);
    return {first.x, first.y, last.x, last.y};
}

// Some lanes of an item: where their values go, and what they pay. Where a lane is not there, or
// has no fold or no showdown, the row is -1.
template <typename Real>
struct LaneSet {
    static constexpr int N = kSide<Real>;
    int row[N], fold[N], showdown[N];
    Real pays[N][5];
    bool showdowns;

    __device__ __forceinline__ LaneSet(const Spot& spot, const int* bounds, int first) {
        const int count = min(N, fixed(bounds + kLanes) - first);
        const int lane = fixed(bounds + kFirstLane) + first;
        showdowns = first < fixed(bounds + kShowdowns);
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const int which = lane + (k < count ? k : 0);
            const int4 place = fixed(spot.lanes + which);
            row[k] = place.x;
            fold[k] = k < count ? place.y : -1;
            showdown[k] = k < count ? place.z : -1;
            const Real* from = static_cast<const Real*>(spot.pays) + kPays * which;
            const Pack<Real, 4> four = fixed_four(from);
            for (int i = 0; i < 4; ++i) pays[k][i] = four.at[i];
            pays[k][4] = fixed(from + 4);
        }
    }
    __device__ __forceinline__ void fill(Real* values, int stride, Real folded) const {
        for (int k = 0; k < N; ++k) {
            if (fold[k] >= 0) values[fold[k] * stride] = folded;
            if (showdown[k] >= 0) values[showdown[k] * stride] = folded;
        }
    }
};

// What an own hand wins in each lane.
template <typename Real>
__device__ __forceinline__ void end_hand(const LaneSet<Real>& set, const Sums<Real>& sums,
                                         const Lanes<Real>& same, const uint4& record, int hands,
                                         Real* values, int stride) {
    const Lanes<Real> met = without(sums.all[hands], sums.listed[record.w & 0xffff],
                                    sums.listed[record.w >> 16]);
    Lanes<Real> weaker{}, not_stronger{};
    if (set.showdowns) {
        weaker = without(sums.all[record.x & 0xffff], sums.listed[record.y & 0xffff],
                         sums.listed[record.z & 0xffff]);
        not_stronger = without(sums.all[record.x >> 16], sums.listed[record.y >> 16],
                               sums.listed[record.z >> 16]);
    }
#pragma unroll
    for (int k = 0; k < kSide<Real>; ++k) {
        const Real* pays = set.pays[k];
        if (set.fold[k] >= 0) values[set.fold[k] * stride] = pays[0] * (met.at[k] + same.at[k]);
        if (set.showdown[k] >= 0) {
            values[set.showdown[k] * stride] = pays[1] * weaker.at[k] +
                                               pays[2] * not_stronger.at[k] +
                                               pays[3] * met.at[k] + pays[4] * same.at[k];
        }
    }
}

// Fills the leaves of some lanes; all threads of the block.
template <typename Real>
__device__ __forceinline__ void end_lanes(const Spot& spot, int board, const LaneSet<Real>& set,
                                          const Real* reach, Real* values, char* shared) {
    const int threads = blockDim.x * blockDim.y;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int hands = fixed(spot.other.count + board), there = fixed(spot.other.padded + board);
    const Sums<Real> sums(shared, hands);
    const ushort2* listed = spot.other.listed + fixed(spot.other.begin + board);
    for (int j = thread; j < hands; j += threads) {
        Lanes<Real> now;
#pragma unroll
        for (int k = 0; k < kSide<Real>; ++k) now.at[k] = reach[set.row[k] * there + j];
        const ushort2 places = fixed(listed + j);
        sums.all[j] = now;
        sums.listed[places.x] = now;
        sums.listed[places.y] = now;
    }
    __syncthreads();
    const Short* lists = spot.other.lists + board * (kNumCards + 1);
    if (hands > kFewHands) {
        sum_lists<Real, 4>(sums.listed, lists, thread, threads);
    } else {
        sum_lists<Real, 1>(sums.listed, lists, thread, threads);
    }
    sum_all(sums, hands, thread, threads);
    const int here = fixed(spot.mine.padded + board), own = fixed(spot.mine.count + board);
    const Long begin = fixed(spot.mine.begin + board);
    uint4 record = fixed(spot.mine.record + begin + min(thread, own - 1));
    __syncthreads();
    for (int i = thread; i < own; i += threads) {
        const uint4 now = record;
        if (i + threads < own) record = fixed(spot.mine.record + begin + i + threads);
        const int twin = fixed(spot.mine.same + begin + i);
        Lanes<Real> same{};
        if (twin < hands) {
#pragma unroll
            for (int k = 0; k < kSide<Real>; ++k) same.at[k] = reach[set.row[k] * there + twin];
        }
        end_hand(set, sums, same, now, hands, values + i, here);
    }
    for (int i = own + thread; i < here; i += threads) set.fill(values + i, here, 0);
    __syncthreads();
}
