// What happens at one node, for some hands: as core/spots/steps.cpp.

// Weights of a strategy that are not negative.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ Pack<Real, W> weights_of(const Node& node, int place) {
    if constexpr (mode != kTrain) return load<Real, W>(node.average + place);
    Pack<Real, W> pack = load<Real, W>(node.regrets + place);
    for (int i = 0; i < W; ++i) pack.at[i] = pack.at[i] > 0 ? pack.at[i] : 0;
    return pack;
}

// What turns weights into probabilities; even ones where all are 0.
template <typename Real, int W>
struct Norm {
    Real inverse[W], rest[W];

    __device__ __forceinline__ Norm(const Pack<Real, W>& sum, int actions) {
        for (int i = 0; i < W; ++i) {
            const bool any = sum.at[i] > 0;
            inverse[i] = Real(1) / (any ? sum.at[i] : Real(1));
            rest[i] = any ? Real(0) : Real(1) / Real(actions);
        }
    }
    __device__ __forceinline__ Pack<Real, W> of(const Pack<Real, W>& weights, const Node& node,
                                                int place) const {
        Pack<Real, W> found;
        for (int i = 0; i < W; ++i) {
            found.at[i] = weights.at[i] * inverse[i] + rest[i];
            if (node.lock != nullptr) {
                const float locked = node.lock[place + i];
                if (locked == locked) found.at[i] = locked;
            }
        }
        return found;
    }
};

// Splits the reach of the hands by the strategy of their player.
template <typename Real, int W, Mode mode, int N>
__device__ __forceinline__ void split(const Spot& spot, const Node& node, int actions, int hand,
                                      const Real* reach, Real* out, const float4& by) {
    const int n = N > 0 ? N : actions, stride = node.stride;
    Pack<Real, W> kept[N > 0 ? N : 1], sum{};
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const Pack<Real, W> weights = weights_of<Real, W, mode>(node, a * stride + hand);
        if (N > 0) kept[N > 0 ? a : 0] = weights;
        for (int i = 0; i < W; ++i) sum.at[i] += weights.at[i];
    }
    const Norm<Real, W> norm(sum, n);
    const Pack<Real, W> before = load<Real, W>(reach + hand);
    const bool collect = mode == kTrain && spot.own_reach;
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const int place = a * stride + hand;
        Pack<Real, W> after = norm.of(
            N > 0 ? kept[N > 0 ? a : 0] : weights_of<Real, W, mode>(node, place), node, place);
        for (int i = 0; i < W; ++i) after.at[i] *= before.at[i];
        store(out + place, after);
        if (collect) {
            Pack<float, W> mean = load<float, W>(node.average + place);
            for (int i = 0; i < W; ++i) {
                mean.at[i] = mean.at[i] * by.z + static_cast<float>(after.at[i]) * by.w;
            }
            store(node.average + place, mean);
        }
    }
}

// Values of the actions stand in rows of `values`; what the player makes of them replaces the
// first.
template <typename Real, int W, Mode mode, int N>
__device__ __forceinline__ void join(const Spot& spot, const Node& node, int actions, int hand,
                                     const int* rows, Real* values, const float4& by) {
    const int n = N > 0 ? N : actions, stride = node.stride;
    Pack<Real, W> kept[N > 0 ? N : 1], sum{}, mean{};
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const Pack<Real, W> weights = weights_of<Real, W, mode>(node, a * stride + hand);
        if (N > 0) kept[N > 0 ? a : 0] = weights;
        for (int i = 0; i < W; ++i) sum.at[i] += weights.at[i];
    }
    const Norm<Real, W> norm(sum, n);
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const int place = a * stride + hand;
        const Pack<Real, W> now = norm.of(
            N > 0 ? kept[N > 0 ? a : 0] : weights_of<Real, W, mode>(node, place), node, place);
        if (N > 0) kept[N > 0 ? a : 0] = now;
        const Pack<Real, W> value = load<Real, W>(values + rows[a] * stride + hand);
        for (int i = 0; i < W; ++i) mean.at[i] += now.at[i] * value.at[i];
    }
    if constexpr (mode == kTrain) {
#pragma unroll
        for (int a = 0; a < n; ++a) {
            const int place = a * stride + hand;
            Pack<float, W> regret = load<float, W>(node.regrets + place);
            const Pack<Real, W> value = load<Real, W>(values + rows[a] * stride + hand);
            if (!spot.own_reach) {
                const Pack<Real, W> now =
                    N > 0 ? kept[N > 0 ? a : 0]
                          : norm.of(weights_of<Real, W, mode>(node, place), node, place);
                Pack<float, W> total = load<float, W>(node.average + place);
                for (int i = 0; i < W; ++i) total.at[i] = total.at[i] * by.z + now.at[i] * by.w;
                store(node.average + place, total);
            }
            for (int i = 0; i < W; ++i) {
                const float old = regret.at[i];
                regret.at[i] = old * (old > 0 ? by.x : by.y) + (value.at[i] - mean.at[i]);
                if (node.lock != nullptr && node.lock[place + i] == node.lock[place + i]) {
                    regret.at[i] = 0;
                }
            }
            store(node.regrets + place, regret);
        }
    }
    store(values + rows[0] * stride + hand, mean);
}

// The largest value replaces the first, of locked hands the mean by the lock. If adopting, the
// average becomes the best response: the first of equal actions.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ void choose(const Node& node, int actions, int hand, const int* rows,
                                       Real* values) {
    const int stride = node.stride;
    Pack<Real, W> best = load<Real, W>(values + rows[0] * stride + hand), mean{};
    for (int a = 1; a < actions; ++a) {
        const Pack<Real, W> value = load<Real, W>(values + rows[a] * stride + hand);
        for (int i = 0; i < W; ++i) best.at[i] = value.at[i] > best.at[i] ? value.at[i] : best.at[i];
    }
    for (int i = 0; i < W; ++i) {
        bool found = false;
        for (int a = 0; a < actions; ++a) {
            const Real value = values[rows[a] * stride + hand + i];
            const int place = a * stride + hand + i;
            const bool this_one = !found && value == best.at[i];
            if (mode == kAdopt) node.average[place] = this_one ? 1.0f : 0.0f;
            found |= this_one;
            if (node.lock != nullptr) mean.at[i] += node.lock[place] * value;
        }
        if (node.lock != nullptr && mean.at[i] == mean.at[i]) best.at[i] = mean.at[i];
    }
    store(values + rows[0] * stride + hand, best);
}

template <typename Real, int W>
__device__ __forceinline__ void add_up(int actions, int stride, int hand, const int* rows,
                                       Real* values) {
    Pack<Real, W> sum = load<Real, W>(values + rows[0] * stride + hand);
    for (int a = 1; a < actions; ++a) {
        const Pack<Real, W> value = load<Real, W>(values + rows[a] * stride + hand);
        for (int i = 0; i < W; ++i) sum.at[i] += value.at[i];
    }
    store(values + rows[0] * stride + hand, sum);
}

// The other player decides: reaches of a step.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ void step_down(const Spot& spot, const int4& step, int board, int hand,
                                          Real* reach, const float4& by) {
    const Node node = node_at(spot.other, board, step.z);
    const Real* before = reach + step.x * node.stride;
    Real* out = reach + step.y * node.stride;
    switch (step.w) {
        case 2: return split<Real, W, mode, 2>(spot, node, 2, hand, before, out, by);
        case 3: return split<Real, W, mode, 3>(spot, node, 3, hand, before, out, by);
        case 4: return split<Real, W, mode, 4>(spot, node, 4, hand, before, out, by);
        default: return split<Real, W, mode, 0>(spot, node, step.w, hand, before, out, by);
    }
}

template <typename Real, int W, Mode mode>
__device__ __forceinline__ void step_up(const Spot& spot, const int4& step, int board, int hand,
                                        Real* values, const float4& by) {
    const int* rows = spot.children + step.x;
    if (!step.w) {
        return add_up<Real, W>(step.z, spot.mine.padded[board], hand, rows, values);
    }
    const Node node = node_at(spot.mine, board, step.y);
    if constexpr (mode == kBest || mode == kAdopt) {
        choose<Real, W, mode>(node, step.z, hand, rows, values);
    } else {
        switch (step.z) {
            case 2: return join<Real, W, mode, 2>(spot, node, 2, hand, rows, values, by);
            case 3: return join<Real, W, mode, 3>(spot, node, 3, hand, rows, values, by);
            case 4: return join<Real, W, mode, 4>(spot, node, 4, hand, rows, values, by);
            default: return join<Real, W, mode, 0>(spot, node, step.z, hand, rows, values, by);
        }
    }
}

template <Mode mode>
__device__ __forceinline__ float4 factors_of(const Spot& spot) {
    return mode == kTrain ? spot.factors[*spot.clock] : make_float4(0, 0, 0, 0);
}
