#include "spots/steps.hpp"

#include <array>
#include <utility>

#include "spots/vectors.hpp"
#include "tree/tree.hpp"

namespace riverboat::spots {
namespace {

using Floats = Pack<float>;

// Loops over actions are unrolled for up to this many; then the count is read.
constexpr int kUnrolled = 5;

// Calls f<actions>, or f<0> where there are many.
template <template <int> class F, typename... Args>
RIVERBOAT_INLINE void by_actions(int actions, const Args&... args) {
    switch (actions) {
        case 1: return F<1>::run(actions, args...);
        case 2: return F<2>::run(actions, args...);
        case 3: return F<3>::run(actions, args...);
        case 4: return F<4>::run(actions, args...);
        case kUnrolled: return F<kUnrolled>::run(actions, args...);
        default: return F<0>::run(actions, args...);
    }
}

template <int Fixed>
inline constexpr int kRoom = Fixed > 0 ? Fixed : kMaxActions;

template <int Fixed>
RIVERBOAT_INLINE int count(int actions) {
    return Fixed > 0 ? Fixed : actions;
}

// Locked hands play as locked.
template <typename Real>
RIVERBOAT_INLINE void apply_lock(const float* lock, Pack<Real>& probability) {
    const Pack<Real> locked = widened<Real>(lock);
    probability = locked == locked ? locked : probability;
}

// Turns weights that are not negative into probabilities; even ones where all are 0.
template <typename Real, int Fixed>
RIVERBOAT_INLINE void normalize(int actions, Pack<Real>* weights) {
    const int n = count<Fixed>(actions);
    const Pack<Real> zero{};
    Pack<Real> sum{};
    for (int a = 0; a < n; ++a) sum += weights[a];
    const Pack<Real> one = zero + 1, even = one / static_cast<Real>(n);
    const Pack<Real> inverse = one / (sum > zero ? sum : one);
    for (int a = 0; a < n; ++a) weights[a] = sum > zero ? weights[a] * inverse : even;
}

template <int Fixed>
RIVERBOAT_INLINE void match(int actions, const NodeTables& tables, std::size_t stride,
                            std::size_t hand, Floats* strategy) {
    const int n = count<Fixed>(actions);
    const Floats zero{};
    for (int a = 0; a < n; ++a) {
        const Floats regret = pack_at<float>(tables.regrets + a * stride + hand);
        strategy[a] = regret > zero ? regret : zero;
        if (tables.predictions != nullptr) {
            strategy[a] += pack_at<float>(tables.predictions + a * stride + hand);
            strategy[a] = strategy[a] > zero ? strategy[a] : zero;
        }
    }
    normalize<float, Fixed>(actions, strategy);
    if (tables.lock == nullptr) return;
    for (int a = 0; a < n; ++a) apply_lock<float>(tables.lock + a * stride + hand, strategy[a]);
}

template <typename Real, int Fixed>
RIVERBOAT_INLINE void average(int actions, const NodeTables& tables, std::size_t stride,
                              std::size_t hand, Pack<Real>* strategy) {
    const int n = count<Fixed>(actions);
    for (int a = 0; a < n; ++a) strategy[a] = widened<Real>(tables.average + a * stride + hand);
    normalize<Real, Fixed>(actions, strategy);
    if (tables.lock == nullptr) return;
    for (int a = 0; a < n; ++a) apply_lock<Real>(tables.lock + a * stride + hand, strategy[a]);
}

template <int Fixed>
struct TrainDown {
    static void run(int actions, const NodeTables& tables, const Factors& factors, bool collect,
                    const HandRange& hands, const float* reach, float* out) {
        const int n = count<Fixed>(actions);
        const std::size_t stride = hands.stride;
        for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
            Floats strategy[kRoom<Fixed>];
            match<Fixed>(actions, tables, stride, h, strategy);
            const Floats before = pack_at<float>(reach + h);
            for (int a = 0; a < n; ++a) {
                const Floats after = before * strategy[a];
                pack_at<float>(out + a * stride + h) = after;
                if (!collect) continue;
                Floats& mean = pack_at<float>(tables.average + a * stride + h);
                mean = mean * factors.keep + after * factors.add;
            }
        }
    }
};

template <int Fixed>
struct TrainUp {
    static void run(int actions, const NodeTables& tables, const Factors& factors, bool collect,
                    const HandRange& hands, float* const* values) {
        const int n = count<Fixed>(actions);
        const std::size_t stride = hands.stride;
        for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
            Floats strategy[kRoom<Fixed>];
            match<Fixed>(actions, tables, stride, h, strategy);
            Floats mean{};
            for (int a = 0; a < n; ++a) mean += strategy[a] * pack_at<float>(values[a] + h);
            for (int a = 0; a < n; ++a) {
                const std::size_t place = a * stride + h;
                learn(tables, factors, pack_at<float>(values[a] + h) - mean, place);
                if (!collect) continue;
                Floats& sum = pack_at<float>(tables.average + place);
                sum = sum * factors.keep + strategy[a] * factors.add;
            }
            pack_at<float>(values[0] + h) = mean;
        }
    }

    RIVERBOAT_INLINE static void learn(const NodeTables& tables, const Factors& factors,
                                       const Floats& regret, std::size_t place) {
        const Floats zero{};
        Floats& sum = pack_at<float>(tables.regrets + place);
        const Floats factor = sum > zero ? zero + factors.positive : zero + factors.negative;
        Floats next = sum * factor + regret;
        if (tables.lock != nullptr) {
            const Floats lock = pack_at<float>(tables.lock + place);
            next = lock == lock ? zero : next;
        }
        sum = next;
        if (tables.predictions != nullptr) pack_at<float>(tables.predictions + place) = regret;
    }
};

template <typename Real>
struct Measured {
    template <int Fixed>
    struct Down {
        static void run(int actions, const NodeTables& tables, const HandRange& hands,
                        const Real* reach, Real* out) {
            const int n = count<Fixed>(actions);
            for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
                Pack<Real> strategy[kRoom<Fixed>];
                average<Real, Fixed>(actions, tables, hands.stride, h, strategy);
                const Pack<Real> before = pack_at<Real>(reach + h);
                for (int a = 0; a < n; ++a) {
                    pack_at<Real>(out + a * hands.stride + h) = before * strategy[a];
                }
            }
        }
    };

    template <int Fixed>
    struct Up {
        static void run(int actions, const NodeTables& tables, const HandRange& hands,
                        Real* const* values) {
            const int n = count<Fixed>(actions);
            for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
                Pack<Real> strategy[kRoom<Fixed>];
                average<Real, Fixed>(actions, tables, hands.stride, h, strategy);
                Pack<Real> mean{};
                for (int a = 0; a < n; ++a) mean += strategy[a] * pack_at<Real>(values[a] + h);
                pack_at<Real>(values[0] + h) = mean;
            }
        }
    };
};

// The best action of each of eight hands as probabilities 0 and 1: the first one of equals.
template <typename Real>
RIVERBOAT_INLINE void choose(int actions, const Pack<Real>& best, const HandRange& hands,
                             std::size_t hand, Real* const* values, float* choice) {
    for (int k = 0; k < kWide; ++k) {
        bool found = false;
        for (int a = 0; a < actions; ++a) {
            const bool this_one = !found && values[a][hand + k] == best[k];
            choice[a * hands.stride + hand + k] = this_one ? 1.0f : 0.0f;
            found |= this_one;
        }
    }
}

}  // namespace

void train_down(int actions, const NodeTables& tables, const Factors& factors, bool collect,
                const HandRange& hands, const float* reach, float* out) {
    by_actions<TrainDown>(actions, tables, factors, collect, hands, reach, out);
}

void train_up(int actions, const NodeTables& tables, const Factors& factors, bool collect,
              const HandRange& hands, float* const* values) {
    by_actions<TrainUp>(actions, tables, factors, collect, hands, values);
}

template <typename Real>
void average_down(int actions, const NodeTables& tables, const HandRange& hands, const Real* reach,
                  Real* out) {
    by_actions<Measured<Real>::template Down>(actions, tables, hands, reach, out);
}

template <typename Real>
void average_up(int actions, const NodeTables& tables, const HandRange& hands,
                Real* const* values) {
    by_actions<Measured<Real>::template Up>(actions, tables, hands, values);
}

template <typename Real>
void best_up(int actions, const NodeTables& tables, const HandRange& hands, Real* const* values,
             float* choice) {
    for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
        Pack<Real> best = pack_at<Real>(values[0] + h);
        for (int a = 1; a < actions; ++a) {
            const Pack<Real> value = pack_at<Real>(values[a] + h);
            best = value > best ? value : best;
        }
        if (choice != nullptr) choose<Real>(actions, best, hands, h, values, choice);
        if (tables.lock != nullptr) {
            Pack<Real> mean{};
            for (int a = 0; a < actions; ++a) {
                mean += widened<Real>(tables.lock + a * hands.stride + h) *
                        pack_at<Real>(values[a] + h);
            }
            best = mean == mean ? mean : best;
        }
        pack_at<Real>(values[0] + h) = best;
    }
}

template <typename Real>
void sum_up(int actions, const HandRange& hands, Real* const* values) {
    for (std::size_t h = hands.begin; h < hands.end; h += kWide) {
        Pack<Real> sum = pack_at<Real>(values[0] + h);
        for (int a = 1; a < actions; ++a) sum += pack_at<Real>(values[a] + h);
        pack_at<Real>(values[0] + h) = sum;
    }
}

template void average_down(int, const NodeTables&, const HandRange&, const double*, double*);
template void average_up(int, const NodeTables&, const HandRange&, double* const*);
template void best_up(int, const NodeTables&, const HandRange&, double* const*, float*);
template void sum_up(int, const HandRange&, float* const*);
template void sum_up(int, const HandRange&, double* const*);

}  // namespace riverboat::spots
