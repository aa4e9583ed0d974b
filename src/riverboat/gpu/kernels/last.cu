// The last street, from its entries to their values: a team of threads runs an item.

// What a segment does there: in shared memory, if it fits, so that each step is known at once.
template <typename Real>
struct Program {
    const int4 *down, *up, *lanes;
    const Real* pays;
    const int* children;
    char* behind;  // what is free of shared memory
    int downs, ups, first_child;

    // All threads of the block bring some of it.
    __device__ __forceinline__ Program(const Spot& spot, int segment, char* shared) {
        const int4 steps = fixed(spot.stages + 2 * segment), rest = fixed(spot.stages + 2 * segment + 1);
        const int num_lanes = rest.w;
        downs = steps.y, ups = steps.w, first_child = rest.x, behind = shared;
        down = brought(spot.down + steps.x, downs);
        up = brought(spot.up + steps.z, ups);
        lanes = brought(spot.lanes + rest.z, num_lanes);
        pays = brought(static_cast<const Real*>(spot.pays) + kPays * rest.z, kPays * num_lanes);
        children = brought(spot.children + first_child, rest.y);
    }
    __device__ __forceinline__ const int* rows(const int4& step) const {
        return children + step.x - first_child;
    }
    template <typename T>
    __device__ __forceinline__ const T* brought(const T* from, int count) {
        if constexpr (!kStaged) return from;
        T* to = reinterpret_cast<T*>(behind);
        for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = fixed(from + i);
        behind += (count * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
        return to;
    }
};

// Reaches and values of a hand are read by the thread that wrote them, and so they may share rows: only
// sums are waited for, and the end, before another program comes.
template <typename Real, Mode mode, Team team>
__device__ __forceinline__ void run_item(const Spot& spot, const Item& item, Real* rows,
                                         const float4& by, char* shared) {
    const Program<Real> program(spot, item.segment, shared);
    wait_for_team<team>();
    const int there = fixed(spot.other.padded + item.board), here = fixed(spot.mine.padded + item.board);
    const int hand = kHands * threadIdx.x, entries = fixed(&spot.segments[item.segment].z);
    const int pitch = kHands * (team == kOneWarp ? kWarp : blockDim.x);
    if (hand < there) {
        const Entry<Real> entry(spot, item);
        for (int e = 0; e < entries; ++e) {
            Pack<Real, kHands> pack;
            for (int i = 0; i < kHands; ++i) pack.at[i] = entry.at(e, hand + i);
            store(rows + e * pitch + hand, pack);
        }
        const Tables met(spot.other, item.board);
        for (int i = 0; i < program.downs; ++i) {
            step_down<Real, kHands, mode>(met, program.down[i], hand, rows, pitch, by);
        }
    }
    {
        const KnownHands hands(spot, item.board);
        const int lanes = item.bounds->lanes;
        for (int first = 0; first < lanes; first += kSide<Real>) {
            const LaneSet<Real> set(program.lanes, program.pays, item.bounds, first);
            end_lanes<Real, team>(spot, item.board, set, hands, rows, pitch, rows, pitch,
                                  program.behind);
        }
    }
    if (hand < here) {
        const Tables own(spot.mine, item.board);
        for (int i = 0; i < program.ups; ++i) {
            const int4 step = program.up[i];
            step_up<Real, kHands, mode>(own, step, program.rows(step), hand, rows, pitch, by);
        }
        Real* out = static_cast<Real*>(spot.last_values) + item.values;
        for (int e = 0; e < entries; ++e) {
            const int leaf = fixed(&spot.entries[item.bounds->first_entry + e].x);
            store(out + e * here + hand, load<Real, kHands>(rows + leaf * pitch + hand));
        }
    }
    wait_for_team<team>();
}

template <typename Real, Mode mode, Team team>
__device__ __forceinline__ void last_street(const Spot& spot, const int* order, int count) {
    extern __shared__ __align__(16) char shared[];
    Real* scratch = static_cast<Real*>(spot.scratch) + blockIdx.x * spot.scratch_size;
    const float4 by = factors_of<mode>(spot);
    for (int work = blockIdx.x; work < count; work += gridDim.x) {
        run_item<Real, mode, team>(spot, Item(spot, order[work]), scratch, by, shared);
    }
}

#define RIVERBOAT_LAST(build, bounds, team, name, real, mode)                                    \
    extern "C" __global__ void __launch_bounds__ bounds                                          \
        build##_##name(const __grid_constant__ Spot spot, const int* order, int count) {         \
        last_street<real, mode, team>(spot, order, count);                                       \
    }

RIVERBOAT_LAST(last, (kMostThreads, 2), kBlock, train_float, float, kTrain)
RIVERBOAT_LAST(last, (kMostThreads), kBlock, average_float, float, kAverage)
RIVERBOAT_LAST(last, (kMostThreads), kBlock, best_float, float, kBest)
RIVERBOAT_LAST(last, (kMostThreads), kBlock, average_double, double, kAverage)
RIVERBOAT_LAST(last, (kMostThreads), kBlock, best_double, double, kBest)
RIVERBOAT_LAST(last, (kMostThreads), kBlock, adopt_double, double, kAdopt)
// Few hands: 16 warps of a processor, with half as many registers again as 24 would have.
RIVERBOAT_LAST(warp, (kWarp, 16), kOneWarp, train_float, float, kTrain)
