// The walk over boards and betting lines, as core/spots/walk.hpp: streets before the last one
// kernel after the other, the last street in one.
//
// `order` names the items of a launch.

// A board and a segment of an item.
struct Item {
    int board, segment, before;
    Long reach, values;
    const int* bounds;

    __device__ __forceinline__ Item(const Spot& spot, int number) {
        const int4 item = fixed(spot.item + number);
        const longlong2 rows = fixed(spot.item_rows + number);
        board = item.x, segment = item.y, before = item.z;
        reach = rows.x, values = rows.y;
        bounds = spot.bounds + kBounds * segment;
    }
};

// Where the reaches of an item's entries come from.
template <typename Real>
struct Entry {
    const Real* from;
    const Short* parent;  // null at a root
    const int4* exits;
    int stride, count;

    __device__ __forceinline__ Entry(const Spot& spot, const Item& item) {
        count = fixed(spot.other.count + item.board);
        if (item.before < 0) {
            from = static_cast<const Real*>(spot.start) + (-1 - item.before);
            parent = nullptr, exits = nullptr, stride = 0;
            return;
        }
        const Item before(spot, item.before);
        from = static_cast<const Real*>(spot.reach) + before.reach;
        parent = spot.other.parent + spot.other.begin[item.board];
        exits = spot.exits + before.bounds[kFirstExit] + spot.segments[item.segment].y;
        stride = spot.other.padded[before.board];
    }
    __device__ __forceinline__ Real at(int entry, int hand) const {
        if (hand >= count) return 0;
        if (parent == nullptr) return from[hand];
        return from[fixed(&exits[entry].x) * stride + fixed(parent + hand)];
    }
};

// Blocks of 32 hands; warps share the steps of a level.
template <typename Real, Mode mode>
__device__ __forceinline__ void street_down(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int hand = 32 * blockIdx.y + threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const int stride = spot.other.padded[item.board];
    const bool there = hand < stride;
    Real* reach = static_cast<Real*>(spot.reach) + item.reach;
    if (there) {
        const Entry<Real> entry(spot, item);
        const int entries = spot.segments[item.segment].z;
        for (int e = warp; e < entries; e += warps) {
            reach[e * stride + hand] = entry.at(e, hand);
        }
    }
    const float4 by = factors_of<mode>(spot);
    const Tables tables(spot.other, item.board);
    const bool collects = mode == kTrain && spot.own_reach;
    const int* levels = spot.down_levels + item.bounds[kFirstDown];
    for (int level = 0; level < item.bounds[kDownLevels]; ++level) {
        __syncthreads();
        const int end = levels[level + 1];
        for (int i = levels[level] + warp; there && i < end; i += warps) {
            step_down<Real, 1, mode>(tables, fixed(spot.down + i), hand, reach, by, collects);
        }
    }
}

template <typename Real, Mode mode>
__device__ __forceinline__ void street_up(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int hand = 32 * blockIdx.y + threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const bool there = hand < spot.mine.padded[item.board];
    Real* values = static_cast<Real*>(spot.values) + item.values;
    const float4 by = factors_of<mode>(spot);
    const Tables tables(spot.mine, item.board);
    const bool collects = mode == kTrain && !spot.own_reach;
    const int* levels = spot.up_levels + item.bounds[kFirstUp];
    for (int level = 0; level < item.bounds[kUpLevels]; ++level) {
        const int end = levels[level + 1];
        for (int i = levels[level] + warp; there && i < end; i += warps) {
            step_up<Real, 1, mode>(tables, fixed(spot.up + i), spot.children, hand, values, by,
                                   collects);
        }
        __syncthreads();
    }
}

// A block for each few lanes.
template <typename Real>
__device__ __forceinline__ void street_ends(const Spot& spot, const int* order) {
    extern __shared__ __align__(16) char shared[];
    const Item item(spot, order[blockIdx.x]);
    const int first = blockIdx.y * kSide<Real>, lanes = item.bounds[kLanes];
    if (first >= lanes) return;
    const LaneSet<Real> set(spot, item.bounds, first);
    end_lanes(spot, item.board, set, static_cast<const Real*>(spot.reach) + item.reach,
              static_cast<Real*>(spot.values) + item.values, shared);
}

// A block for some hands of an exit: values after all cards, in the order of cards.
template <typename Real>
__device__ __forceinline__ void street_exits(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int hand = blockIdx.z * blockDim.x + threadIdx.x;
    const int stride = fixed(spot.mine.padded + item.board);
    if (static_cast<int>(blockIdx.y) >= item.bounds[kNumExits] || hand >= stride) return;
    const int4 exit = fixed(spot.exits + item.bounds[kFirstExit] + blockIdx.y);
    const int2 numbers = fixed(spot.segment_items + exit.z);
    const int row = fixed(spot.entries + spot.bounds[kBounds * exit.z + kFirstEntry] + exit.w).y;
    const int first = fixed(spot.first_child + item.board);
    const int last = first + fixed(spot.num_children + item.board);
    const Real* values = static_cast<const Real*>(spot.values);
    Real sum = 0;
#pragma unroll 8
    for (int child = first; child < last; ++child) {
        const Short place = fixed(spot.mine.moved + fixed(spot.mine.moved_begin + child) + hand);
        const Long rows = fixed(&spot.item_rows[numbers.x + child * numbers.y].y);
        const Long at = rows + static_cast<Long>(row) * fixed(spot.mine.padded + child);
        const Real value = place == kNowhere ? Real(0) : values[at + place];
        sum += value * static_cast<Real>(fixed(spot.weight + child));
    }
    static_cast<Real*>(spot.values)[item.values + static_cast<Long>(exit.y) * stride + hand] = sum;
}

// Hands that renamed suits make equal get the mean of their values.
template <typename Real>
__device__ __forceinline__ void street_even(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int begin = spot.mine.orbit_begin[item.board], end = spot.mine.orbit_begin[item.board + 1];
    const int stride = spot.mine.padded[item.board], leaves = item.bounds[kLeaves];
    for (int leaf = blockIdx.y; leaf < leaves; leaf += gridDim.y) {
        Real* row = static_cast<Real*>(spot.values) + item.values + static_cast<Long>(leaf) * stride;
        for (int orbit = begin + threadIdx.x; orbit < end; orbit += blockDim.x) {
            const int from = spot.mine.orbit_ends[orbit], to = spot.mine.orbit_ends[orbit + 1];
            Real sum = 0;
            for (int i = from; i < to; ++i) sum += row[spot.mine.orbits[i]];
            const Real mean = sum / static_cast<Real>(to - from);
            for (int i = from; i < to; ++i) row[spot.mine.orbits[i]] = mean;
        }
    }
}

constexpr int kLastThreads = 256;
constexpr int kLastBlocks = 3;  // that a processor holds at least
constexpr int kWideBlocks = 2;

// The last street: a block runs an item from its entries to their values; a thread has a few hands.
template <typename Real, Mode mode>
__device__ __forceinline__ void last_street(const Spot& spot, const int* order, int count) {
    extern __shared__ __align__(16) char shared[];
    Real* scratch = static_cast<Real*>(spot.scratch) + blockIdx.x * spot.scratch_size;
    const float4 by = factors_of<mode>(spot);
    for (int work = blockIdx.x; work < count; work += gridDim.x) {
        const Item item(spot, order[work]);
        const int there = spot.other.padded[item.board], here = spot.mine.padded[item.board];
        const int entries = spot.segments[item.segment].z;
        Real* reach = scratch;
        Real* values = scratch + static_cast<Long>(item.bounds[kRows]) * there;
        const Entry<Real> entry(spot, item);
        const Tables met(spot.other, item.board), own(spot.mine, item.board);
        const bool trains = mode == kTrain, weighs = spot.own_reach;
        const int first_down = spot.down_levels[item.bounds[kFirstDown]];
        const int end_down = spot.down_levels[item.bounds[kFirstDown] + item.bounds[kDownLevels]];
        for (int hand = kHands * threadIdx.x; hand < there; hand += kHands * blockDim.x) {
            for (int e = 0; e < entries; ++e) {
                Pack<Real, kHands> pack;
                for (int i = 0; i < kHands; ++i) pack.at[i] = entry.at(e, hand + i);
                store(reach + e * there + hand, pack);
            }
            for (int i = first_down; i < end_down; ++i) {
                step_down<Real, kHands, mode>(met, fixed(spot.down + i), hand, reach, by,
                                              trains && weighs);
            }
        }
        __syncthreads();
        const int lanes = item.bounds[kLanes];
        for (int first = 0; first < lanes; first += kSide<Real>) {
            const LaneSet<Real> set(spot, item.bounds, first);
            end_lanes(spot, item.board, set, reach, values, shared);
        }
        const int first_up = spot.up_levels[item.bounds[kFirstUp]];
        const int end_up = spot.up_levels[item.bounds[kFirstUp] + item.bounds[kUpLevels]];
        Real* out = static_cast<Real*>(spot.values) + item.values;
        for (int hand = kHands * threadIdx.x; hand < here; hand += kHands * blockDim.x) {
            for (int i = first_up; i < end_up; ++i) {
                step_up<Real, kHands, mode>(own, fixed(spot.up + i), spot.children, hand, values, by,
                                            trains && !weighs);
            }
            for (int e = 0; e < entries; ++e) {
                const int leaf = spot.entries[item.bounds[kFirstEntry] + e].x;
                store(out + e * here + hand, load<Real, kHands>(values + leaf * here + hand));
            }
        }
        __syncthreads();
    }
}

#define RIVERBOAT_STREET(name, real)                                                             \
    extern "C" __global__ void __launch_bounds__(256) ends_##name(const __grid_constant__ Spot spot,              \
                                                                  const int* order) {            \
        street_ends<real>(spot, order);                                                         \
    }                                                                                            \
    extern "C" __global__ void exits_##name(const __grid_constant__ Spot spot, const int* order) {                \
        street_exits<real>(spot, order);                                                        \
    }                                                                                            \
    extern "C" __global__ void even_##name(const __grid_constant__ Spot spot, const int* order) {                 \
        street_even<real>(spot, order);                                                         \
    }

#define RIVERBOAT_WALK(name, real, mode)                                                         \
    extern "C" __global__ void __launch_bounds__(512) down_##name(const __grid_constant__ Spot spot,              \
                                                                  const int* order) {            \
        street_down<real, mode>(spot, order);                                                   \
    }                                                                                            \
    extern "C" __global__ void __launch_bounds__(512) up_##name(const __grid_constant__ Spot spot,                \
                                                                const int* order) {              \
        street_up<real, mode>(spot, order);                                                     \
    }                                                                                            \
    extern "C" __global__ void __launch_bounds__(kLastThreads, kLastBlocks) last_##name(const __grid_constant__ Spot spot,              \
                                                                  const int* order, int count) { \
        last_street<real, mode>(spot, order, count);                                            \
    }

RIVERBOAT_STREET(float, float)
RIVERBOAT_STREET(double, double)
RIVERBOAT_WALK(train_float, float, kTrain)
RIVERBOAT_WALK(average_float, float, kAverage)
RIVERBOAT_WALK(best_float, float, kBest)
RIVERBOAT_WALK(average_double, double, kAverage)
RIVERBOAT_WALK(best_double, double, kBest)
RIVERBOAT_WALK(adopt_double, double, kAdopt)

// More registers for a thread: sooner where so few blocks are enough for all items at once.
extern "C" __global__ void __launch_bounds__(kLastThreads, kWideBlocks)
    wide_train_float(const __grid_constant__ Spot spot, const int* order, int count) {
    last_street<float, kTrain>(spot, order, count);
}

extern "C" __global__ void tick(int* clock) { ++*clock; }
