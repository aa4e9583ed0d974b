// The walk over boards and lines, as in core/spots/walk.hpp: one kernel per street before the last.
//
// `order` names the items of a launch.

// A board and a segment of an item.
struct Item {
    int board, segment, before;
    Long reach, values;
    const Bounds* bounds;

    __device__ __forceinline__ Item(const Spot& spot, int number) {
        const int4 item = fixed(spot.item + number);
        const longlong2 rows = fixed(spot.item_rows + number);
        board = item.x, segment = item.y, before = item.z;
        reach = rows.x, values = rows.y;
        bounds = spot.bounds + segment;
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
        exits = spot.exits + before.bounds->first_exit + spot.segments[item.segment].y;
        stride = spot.other.padded[before.board];
    }
    __device__ __forceinline__ Real at(int entry, int hand) const {
        if (hand >= count) return 0;
        if (parent == nullptr) return from[hand];
        return from[fixed(&exits[entry].x) * stride + fixed(parent + hand)];
    }
};

constexpr int kMostThreads = 320;  // for all hands of a board

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
    const int* levels = spot.down_levels + item.bounds->first_down;
    for (int level = 0; level < item.bounds->down_levels; ++level) {
        __syncthreads();
        const int end = levels[level + 1];
        for (int i = levels[level] + warp; there && i < end; i += warps) {
            step_down<Real, 1, mode>(tables, fixed(spot.down + i), hand, reach, stride, by);
        }
    }
}

template <typename Real, Mode mode>
__device__ __forceinline__ void street_up(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int hand = 32 * blockIdx.y + threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const int stride = spot.mine.padded[item.board];
    const bool there = hand < stride;
    Real* values = static_cast<Real*>(spot.values) + item.values;
    const float4 by = factors_of<mode>(spot);
    const Tables tables(spot.mine, item.board);
    const int* levels = spot.up_levels + item.bounds->first_up;
    for (int level = 0; level < item.bounds->up_levels; ++level) {
        const int end = levels[level + 1];
        for (int i = levels[level] + warp; there && i < end; i += warps) {
            const int4 step = fixed(spot.up + i);
            step_up<Real, 1, mode>(tables, step, spot.children + step.x, hand, values, stride, by);
        }
        __syncthreads();
    }
}

// A block for each few lanes.
template <typename Real>
__device__ __forceinline__ void street_ends(const Spot& spot, const int* order) {
    extern __shared__ __align__(16) char shared[];
    const Item item(spot, order[blockIdx.x]);
    const int first = blockIdx.y * kSide<Real>, lanes = item.bounds->lanes;
    if (first >= lanes) return;
    const int lane = item.bounds->first_lane;
    const Real* pays = static_cast<const Real*>(spot.pays) + kPays * lane;
    const LaneSet<Real> set(spot.lanes + lane, pays, item.bounds, first);
    const KnownHands hands(spot, item.board);
    end_lanes<Real, kBlock>(spot, item.board, set, hands,
                            static_cast<const Real*>(spot.reach) + item.reach,
                            fixed(spot.other.padded + item.board),
                            static_cast<Real*>(spot.values) + item.values,
                            fixed(spot.mine.padded + item.board), shared);
}

// A block for some hands of an exit: values after all cards, in the order of cards.
template <typename Real>
__device__ __forceinline__ void street_exits(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int hand = blockIdx.z * blockDim.x + threadIdx.x;
    const int stride = fixed(spot.mine.padded + item.board);
    if (static_cast<int>(blockIdx.y) >= item.bounds->num_exits || hand >= stride) return;
    const int4 exit = fixed(spot.exits + item.bounds->first_exit + blockIdx.y);
    const int2 numbers = fixed(spot.segment_items + exit.z);
    const int row = fixed(spot.entries + spot.bounds[exit.z].first_entry + exit.w).y;
    const int first = fixed(spot.first_child + item.board);
    const int last = first + fixed(spot.num_children + item.board);
    const bool ends = fixed(&spot.segments[exit.z].w);
    const Real* values = static_cast<const Real*>(ends ? spot.last_values : spot.values);
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

// Isomorphic hands get the mean of their values.
template <typename Real>
__device__ __forceinline__ void street_even(const Spot& spot, const int* order) {
    const Item item(spot, order[blockIdx.x]);
    const int begin = spot.mine.orbit_begin[item.board], end = spot.mine.orbit_begin[item.board + 1];
    const int stride = spot.mine.padded[item.board], leaves = item.bounds->leaves;
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

#define RIVERBOAT_STREET(real)                                                         \
    extern "C" __global__ void __launch_bounds__(kMostThreads)                         \
        ends_##real(const __grid_constant__ Spot spot, const int* order) {             \
        street_ends<real>(spot, order);                                                \
    }                                                                                  \
    extern "C" __global__ void exits_##real(const __grid_constant__ Spot spot,         \
                                            const int* order) {                        \
        street_exits<real>(spot, order);                                               \
    }                                                                                  \
    extern "C" __global__ void even_##real(const __grid_constant__ Spot spot,          \
                                           const int* order) {                         \
        street_even<real>(spot, order);                                                \
    }

#define RIVERBOAT_WALK(name, real, mode)                                               \
    extern "C" __global__ void __launch_bounds__(512)                                  \
        down_##name(const __grid_constant__ Spot spot, const int* order) {             \
        street_down<real, mode>(spot, order);                                          \
    }                                                                                  \
    extern "C" __global__ void __launch_bounds__(512)                                  \
        up_##name(const __grid_constant__ Spot spot, const int* order) {               \
        street_up<real, mode>(spot, order);                                            \
    }

RIVERBOAT_STREET(float)
RIVERBOAT_STREET(double)
RIVERBOAT_WALK(train_float, float, kTrain)
RIVERBOAT_WALK(average_float, float, kAverage)
RIVERBOAT_WALK(best_float, float, kBest)
RIVERBOAT_WALK(average_double, double, kAverage)
RIVERBOAT_WALK(best_double, double, kBest)
RIVERBOAT_WALK(adopt_double, double, kAdopt)

extern "C" __global__ void tick(int* clock) { ++*clock; }
