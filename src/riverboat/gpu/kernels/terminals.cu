// Values of terminals: some lanes (reaches of terminals) of one board side by side.
//
// As core/spots/terminals.hpp: a hand meets all of the other's hands, less those with its first
// card, less those with its second, plus the same hand. Sums over the weaker hands are entries of
// running sums: one over all hands by strength, and one for each card over the hands that have it.
// Each own hand knows the places of the nine entries that it needs.
//
// A team of threads has all hands of a board, each thread four next to each other. A warp is a team of
// its own where the hands are few: it need not wait for others.

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

constexpr int kHands = 4;       // of a thread
constexpr int kAtOnce = 2;      // of them: more need too many registers
constexpr int kPays = 8;        // numbers of a lane: fold, win - tie, tie - lose, lose, tie
constexpr int kFewHands = 160;  // their lists are too short to be shared by threads

enum Team { kOneWarp, kBlock };

template <Team team>
__device__ __forceinline__ void wait_for_team() {
    if constexpr (team == kOneWarp) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// What is known of a thread's hands on a board: where sums over the other's are found, and where its
// reaches of the other's go.
struct KnownHands {
    uint4 record[kHands];
    ushort2 listed[kHands];
    Short same[kHands];
    int first, others, own;  // its first hand; hands of both players, less those of threads before
    int all_others;

    __device__ __forceinline__ KnownHands(const Spot& spot, int board) {
        first = kHands * threadIdx.x;
        all_others = fixed(spot.other.count + board);
        others = all_others - first, own = fixed(spot.mine.count + board) - first;
        const Long there = fixed(spot.other.begin + board) + first;
        const Long here = fixed(spot.mine.begin + board) + first;
#pragma unroll
        for (int i = 0; i < kHands; ++i) {
            if (i < others) listed[i] = fixed(spot.other.listed + there + i);
            record[i] = i < own ? fixed(spot.mine.record + here + i) : uint4{};
            same[i] = i < own ? fixed(spot.mine.same + here + i) : kNowhere;
        }
    }
};

// Numbers in shared memory for `hands` of the other player.
template <typename Real>
struct Sums {
    Lanes<Real>*raw, *all, *listed, *warps;

    __device__ __forceinline__ Sums(char* shared, int hands) {
        raw = reinterpret_cast<Lanes<Real>*>(shared);
        all = raw + hands;
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

// Running sums of the lists by card, some threads a list: each adds up a part of it. All threads of a
// warp take part.
template <typename Real, int kParts>
__device__ __forceinline__ void sum_lists(Lanes<Real>* listed, const Short* lists) {
    constexpr int kTasks = kParts * kNumCards;
    for (int task = threadIdx.x; task < (kTasks + 31) / 32 * 32; task += blockDim.x) {
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
        for (int i = from; i < to; ++i) {
            const Lanes<Real> here = listed[i];
            listed[i] = run;
            run += here;
        }
        if (part == kParts - 1) listed[end] = run;
    }
}

// Brings reaches where they are looked up: as they are, as running sums, and as those by card.
template <typename Real, Team team>
__device__ __forceinline__ void sum_up(const Sums<Real>& sums, const KnownHands& hands,
                                       const Lanes<Real>* now, const Short* lists) {
    const int lane = threadIdx.x % kWarp;
    Lanes<Real> sum{};
#pragma unroll
    for (int i = 0; i < kHands; ++i) {
        sum += now[i];
        if (i >= hands.others) continue;
        sums.raw[hands.first + i] = now[i];
        sums.listed[hands.listed[i].x] = now[i];
        sums.listed[hands.listed[i].y] = now[i];
    }
    for (int by = 1; by < kWarp; by *= 2) {
        const Lanes<Real> before = moved_up(sum, by, kWarp);
        if (lane >= by) sum += before;
    }
    Lanes<Real> run = moved_up(sum, 1, kWarp);
    if (lane == 0) run = {};
    if (team == kBlock && lane == kWarp - 1) sums.warps[threadIdx.x / kWarp] = sum;
    wait_for_team<team>();
    if constexpr (team == kBlock) {
        for (int warp = 0; warp < static_cast<int>(threadIdx.x) / kWarp; ++warp) {
            run += sums.warps[warp];
        }
    }
#pragma unroll
    for (int i = 0; i < kHands; ++i) {
        if (i <= hands.others) sums.all[hands.first + i] = run;
        run += now[i];
    }
    if (threadIdx.x == blockDim.x - 1 && hands.others == kHands) sums.all[hands.all_others] = run;
    if (team == kBlock && hands.all_others > kFewHands) {
        sum_lists<Real, 4>(sums.listed, lists);
    } else {
        sum_lists<Real, 1>(sums.listed, lists);
    }
    wait_for_team<team>();
}

// all - first - second, lane by lane.
template <typename Real>
__device__ __forceinline__ Lanes<Real> without(const Lanes<Real>& all, const Lanes<Real>& first,
                                               const Lanes<Real>& second) {
    Lanes<Real> found;
    for (int k = 0; k < kSide<Real>; ++k) found.at[k] = all.at[k] - first.at[k] - second.at[k];
    return found;
}

// Some lanes of an item. Where one has no fold or no showdown, the leaf is -1.
template <typename Real>
struct LaneSet {
    const int4* lanes;  // row, fold leaf, showdown leaf
    const Real* pays;
    int count;
    bool showdowns;

    // Those from `first` on, of all that the segment has.
    __device__ __forceinline__ LaneSet(const int4* all, const Real* all_pays, const Bounds* bounds,
                                       int first) {
        lanes = all + first, pays = all_pays + kPays * first;
        count = min(kSide<Real>, fixed(&bounds->lanes) - first);
        showdowns = first < fixed(&bounds->showdowns);
    }
};

// Fills the leaves of some lanes for a few hands of a thread.
template <typename Real>
__device__ __forceinline__ void end_hands(const LaneSet<Real>& set, const Sums<Real>& sums,
                                          const KnownHands& hands, int from, Real* values,
                                          int stride) {
    const Lanes<Real> total = sums.all[hands.all_others];
    Lanes<Real> met[kAtOnce], weaker[kAtOnce]{}, not_stronger[kAtOnce]{}, same[kAtOnce]{};
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
        const uint4 at = hands.record[from + i];
        met[i] = without(total, sums.listed[at.w & 0xffff], sums.listed[at.w >> 16]);
        if (set.showdowns) {
            weaker[i] = without(sums.all[at.x & 0xffff], sums.listed[at.y & 0xffff],
                                sums.listed[at.z & 0xffff]);
            not_stronger[i] = without(sums.all[at.x >> 16], sums.listed[at.y >> 16],
                                      sums.listed[at.z >> 16]);
        }
        const int twin = hands.same[from + i];
        if (twin < hands.all_others) same[i] = sums.raw[twin];
    }
#pragma unroll
    for (int k = 0; k < kSide<Real>; ++k) {
        if (k >= set.count) break;
        const int4 place = set.lanes[k];
        const Pack<Real, 4> pays = load<Real, 4>(set.pays + kPays * k);
        Pack<Real, kAtOnce> out;
        if (place.y >= 0) {
            for (int i = 0; i < kAtOnce; ++i) {
                const Real won = pays.at[0] * (met[i].at[k] + same[i].at[k]);
                out.at[i] = from + i < hands.own ? won : 0;
            }
            store(values + place.y * stride, out);
        }
        if (place.z >= 0) {
            const Real tie = set.pays[kPays * k + 4];
            for (int i = 0; i < kAtOnce; ++i) {
                const Real won = pays.at[1] * weaker[i].at[k] + pays.at[2] * not_stronger[i].at[k] +
                                 pays.at[3] * met[i].at[k] + tie * same[i].at[k];
                out.at[i] = from + i < hands.own ? won : 0;
            }
            store(values + place.z * stride, out);
        }
    }
}

// Fills the leaves of some lanes; all threads of the team. Rows of reaches and of values are `there` and
// `here` numbers apart. They may be the same rows: all that is read of the lanes is read before.
template <typename Real, Team team>
__device__ __forceinline__ void end_lanes(const Spot& spot, int board, const LaneSet<Real>& set,
                                          const KnownHands& hands, const Real* reach, int there,
                                          Real* values, int here, char* shared) {
    const Sums<Real> sums(shared, hands.all_others);
    Lanes<Real> now[kHands]{};
    if (hands.others > 0) {
#pragma unroll
        for (int k = 0; k < kSide<Real>; ++k) {
            const int row = set.lanes[k < set.count ? k : 0].x;
            const Pack<Real, kHands> some = load<Real, kHands>(reach + row * there + hands.first);
            for (int i = 0; i < kHands; ++i) now[i].at[k] = some.at[i];
        }
    }
    sum_up<Real, team>(sums, hands, now, spot.other.lists + board * (kNumCards + 1));
    if (hands.first < fixed(spot.mine.padded + board)) {
#pragma unroll
        for (int i = 0; i < kHands; i += kAtOnce) {
            end_hands(set, sums, hands, i, values + hands.first + i, here);
        }
    }
    wait_for_team<team>();
}
