// What happens at one node, for some hands: as core/spots/steps.cpp.
//
// N actions are told at compile time: then what is read from memory is read before anything is written
// (but averages without own reach), so that loads run side by side. N = 0 where actions are many: there
// numbers are read again instead of being kept. Rows of reaches and values are `pitch` numbers apart.

template <int N>
constexpr int kRoom = N > 0 ? N : 1;

// The numbers that a strategy comes from: in predictive schedules the last regrets count once more.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ Pack<Real, W> stored(const Node& node, int place) {
    if constexpr (mode == kTrain && kPredictive) {
        Pack<Real, W> sum = loaded<Real, W>(node.regrets + place);
        const Pack<Real, W> last = loaded<Real, W>(node.predictions + place);
        for (int i = 0; i < W; ++i) {
            sum.at[i] = (sum.at[i] > 0 ? sum.at[i] : Real(0)) + last.at[i];
        }
        return sum;
    } else if constexpr (mode == kTrain) {
        return loaded<Real, W>(node.regrets + place);
    } else {
        return loaded<Real, W>(node.average + place);
    }
}

// What turns them into probabilities; even ones where none is above 0.
template <typename Real, int W>
struct Norm {
    Real inverse[W], rest[W];

    __device__ __forceinline__ Norm(const Pack<Real, W>& sum, int actions) {
        for (int i = 0; i < W; ++i) {
            const bool any = sum.at[i] > 0;
            inverse[i] = inverse_of(any ? sum.at[i] : Real(1));
            rest[i] = any ? Real(0) : Real(1) / Real(actions);
        }
    }
    __device__ __forceinline__ Pack<Real, W> of(const Pack<Real, W>& numbers, const Node& node,
                                                int place) const {
        Pack<Real, W> found;
        for (int i = 0; i < W; ++i) {
            const Real weight = numbers.at[i] > 0 ? numbers.at[i] : Real(0);
            found.at[i] = weight * inverse[i] + rest[i];
            if (node.locked()) {
                const float locked = fixed(node.lock + place + i);
                if (locked == locked) found.at[i] = locked;
            }
        }
        return found;
    }
};

template <typename Real, int W>
__device__ __forceinline__ void add_weights(Pack<Real, W>& sum, const Pack<Real, W>& numbers) {
    for (int i = 0; i < W; ++i) sum.at[i] += numbers.at[i] > 0 ? numbers.at[i] : Real(0);
}

// Adds a strategy to the average.
template <typename Real, int W>
__device__ __forceinline__ void collect(Mean* place, const Pack<float, W>& old,
                                        const Pack<Real, W>& played, const float4& by) {
    Pack<float, W> mean;
    for (int i = 0; i < W; ++i) {
        mean.at[i] = old.at[i] * by.z + static_cast<float>(played.at[i]) * (by.w * kWhole);
    }
    keep(place, mean);
}

// Splits the reach of the hands by the strategy of their player.
template <typename Real, int W, Mode mode, int N>
__device__ __forceinline__ void split(const Node& node, int actions, int hand, const Real* reach,
                                      Real* out, int pitch, const float4& by) {
    constexpr bool collects = mode == kTrain && kOwnReach;
    const int n = N > 0 ? N : actions, stride = node.stride;
    Pack<Real, W> kept[kRoom<N>], sum{};
    Pack<float, W> means[kRoom<N>];
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const Pack<Real, W> numbers = stored<Real, W, mode>(node, a * stride + hand);
        if (N > 0) kept[N > 0 ? a : 0] = numbers;
        add_weights(sum, numbers);
    }
    if (N > 0 && collects) {
#pragma unroll
        for (int a = 0; a < kRoom<N>; ++a) {
            means[a] = loaded<float, W>(node.average + a * stride + hand);
        }
    }
    const Pack<Real, W> before = load<Real, W>(reach + hand);
    const Norm<Real, W> norm(sum, n);
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const int place = a * stride + hand;
        Pack<Real, W> after = norm.of(
            N > 0 ? kept[N > 0 ? a : 0] : stored<Real, W, mode>(node, place), node, place);
        for (int i = 0; i < W; ++i) after.at[i] *= before.at[i];
        store(out + a * pitch + hand, after);
        if (collects) {
            const Pack<float, W> old =
                N > 0 ? means[N > 0 ? a : 0] : loaded<float, W>(node.average + place);
            collect(node.average + place, old, after, by);
        }
    }
}

// Values of the actions stand in rows of `values`; what the player makes of them replaces the
// first. Averages are collected where reaches do not count.
template <typename Real, int W, Mode mode, int N>
__device__ __forceinline__ void join(const Node& node, int actions, int hand, const int* rows,
                                     Real* values, int pitch, const float4& by) {
    const int n = N > 0 ? N : actions, stride = node.stride;
    Pack<Real, W> kept[kRoom<N>], apart[kRoom<N>], value[kRoom<N>], sum{}, mean{};
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const Pack<Real, W> numbers = stored<Real, W, mode>(node, a * stride + hand);
        if (N > 0) kept[N > 0 ? a : 0] = numbers;
        if (N > 0 && mode == kTrain && kPredictive) {  // regrets apart from what they predict
            apart[N > 0 ? a : 0] = loaded<Real, W>(node.regrets + a * stride + hand);
        }
        if (N > 0) value[N > 0 ? a : 0] = load<Real, W>(values + rows[a] * pitch + hand);
        add_weights(sum, numbers);
    }
    const Norm<Real, W> norm(sum, n);
#pragma unroll
    for (int a = 0; a < n; ++a) {
        const int place = a * stride + hand;
        const Pack<Real, W> now = norm.of(
            N > 0 ? kept[N > 0 ? a : 0] : stored<Real, W, mode>(node, place), node, place);
        const Pack<Real, W> here = N > 0 ? value[N > 0 ? a : 0]
                                         : load<Real, W>(values + rows[a] * pitch + hand);
        for (int i = 0; i < W; ++i) mean.at[i] += now.at[i] * here.at[i];
        if (mode == kTrain && !kOwnReach) {
            collect(node.average + place, loaded<float, W>(node.average + place), now, by);
        }
    }
    if constexpr (mode == kTrain) {
#pragma unroll
        for (int a = 0; a < n; ++a) {
            const int place = a * stride + hand;
            Pack<Real, W> regret = N > 0 ? (kPredictive ? apart : kept)[N > 0 ? a : 0]
                                         : loaded<Real, W>(node.regrets + place);
            const Pack<Real, W> here = N > 0
                                           ? value[N > 0 ? a : 0]
                                           : load<Real, W>(values + rows[a] * pitch + hand);
            if constexpr (kPredictive) {
                Pack<Real, W> last;
                for (int i = 0; i < W; ++i) last.at[i] = here.at[i] - mean.at[i];
                keep(node.predictions + place, last);
            }
            for (int i = 0; i < W; ++i) {
                const float old = regret.at[i];
                regret.at[i] =
                    old * (old > 0 ? by.x : by.y) + scaled(here.at[i] - mean.at[i], node.scale);
                if (node.locked()) {
                    const float locked = fixed(node.lock + place + i);
                    if (locked == locked) regret.at[i] = 0;
                }
            }
            keep(node.regrets + place, regret);
        }
    }
    store(values + rows[0] * pitch + hand, mean);
}

// The largest value replaces the first, of locked hands the mean by the lock. If adopting, the
// average becomes the best response: the first of equal actions.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ void choose(const Node& node, int actions, int hand, const int* rows,
                                       Real* values, int pitch) {
    const int stride = node.stride;
    Pack<Real, W> best = load<Real, W>(values + rows[0] * pitch + hand);
    for (int a = 1; a < actions; ++a) {
        const Pack<Real, W> value = load<Real, W>(values + rows[a] * pitch + hand);
        for (int i = 0; i < W; ++i) best.at[i] = value.at[i] > best.at[i] ? value.at[i] : best.at[i];
    }
    for (int i = 0; i < W && (mode == kAdopt || node.locked()); ++i) {
        bool found = false;
        Real mean = 0;
        for (int a = 0; a < actions; ++a) {
            const Real value = values[rows[a] * pitch + hand + i];
            const int place = a * stride + hand + i;
            const bool this_one = !found && value == best.at[i];
            if (mode == kAdopt) put(node.average[place], this_one ? kWhole : 0.0f);
            found |= this_one;
            if (node.locked()) mean += fixed(node.lock + place) * value;
        }
        if (node.locked() && mean == mean) best.at[i] = mean;
    }
    store(values + rows[0] * pitch + hand, best);
}

template <typename Real, int W>
__device__ __forceinline__ void add_up(int actions, int pitch, int hand, const int* rows,
                                       Real* values) {
    Pack<Real, W> sum = load<Real, W>(values + rows[0] * pitch + hand);
    for (int a = 1; a < actions; ++a) {
        const Pack<Real, W> value = load<Real, W>(values + rows[a] * pitch + hand);
        for (int i = 0; i < W; ++i) sum.at[i] += value.at[i];
    }
    store(values + rows[0] * pitch + hand, sum);
}

// The other player decides: reaches of a step.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ void step_down(const Tables& tables, const int4& step, int hand,
                                          Real* reach, int pitch, const float4& by) {
    const Node node(tables, step.z);
    const Real* from = reach + step.x * pitch;
    Real* out = reach + step.y * pitch;
    switch (step.w) {
        case 2: return split<Real, W, mode, 2>(node, 2, hand, from, out, pitch, by);
        case 3: return split<Real, W, mode, 3>(node, 3, hand, from, out, pitch, by);
        case 4: return split<Real, W, mode, 4>(node, 4, hand, from, out, pitch, by);
        default: return split<Real, W, mode, 0>(node, step.w, hand, from, out, pitch, by);
    }
}

// Values of a step, whose actions have theirs in `rows`.
template <typename Real, int W, Mode mode>
__device__ __forceinline__ void step_up(const Tables& tables, const int4& step, const int* rows,
                                        int hand, Real* values, int pitch, const float4& by) {
    if (!step.w) return add_up<Real, W>(step.z, pitch, hand, rows, values);
    const Node node(tables, step.y);
    if constexpr (mode == kBest || mode == kAdopt) {
        choose<Real, W, mode>(node, step.z, hand, rows, values, pitch);
    } else {
        switch (step.z) {
            case 2: return join<Real, W, mode, 2>(node, 2, hand, rows, values, pitch, by);
            case 3: return join<Real, W, mode, 3>(node, 3, hand, rows, values, pitch, by);
            case 4: return join<Real, W, mode, 4>(node, 4, hand, rows, values, pitch, by);
            default: return join<Real, W, mode, 0>(node, step.z, hand, rows, values, pitch, by);
        }
    }
}

template <Mode mode>
__device__ __forceinline__ float4 factors_of(const Spot& spot) {
    return mode == kTrain ? spot.factors[*spot.clock] : make_float4(0, 0, 0, 0);
}
