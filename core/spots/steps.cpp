#include "spots/steps.hpp"

#include "spots/step_parts.hpp"

namespace riverboat::spots {
namespace {

using Floats = Pack<float>;

// Optional inputs of a training step besides regrets, as template parameters for speed.
enum class Extras { kNone, kAll };

template <int Fixed, Extras kExtras>
RIVERBOAT_INLINE void match(int actions, const NodeTables& tables, std::size_t stride,
                            std::size_t hand, Floats* strategy) {
    const int n = count<Fixed>(actions);
    const Floats zero{};
    for (int a = 0; a < n; ++a) {
        const Floats regret = pack_at<float>(tables.regrets + a * stride + hand);
        strategy[a] = regret > zero ? regret : zero;
        if (kExtras == Extras::kAll && tables.predictions != nullptr) {
            strategy[a] += pack_at<float>(tables.predictions + a * stride + hand);
            strategy[a] = strategy[a] > zero ? strategy[a] : zero;
        }
    }
    finish_match<Fixed>(actions, kExtras == Extras::kNone ? nullptr : tables.lock, stride, hand,
                        strategy);
}

template <Extras kExtras, bool kCollect>
struct Trained {
    template <int Fixed>
    struct Down {
        static void run(int actions, const NodeTables& given, const Factors& factors,
                        const HandRange& hands, const float* reach, float* out) {
            const int n = count<Fixed>(actions);
            const NodeTables tables = given;
            const std::size_t stride = hands.stride, end = hands.end;
            const Floats zero{}, keep = zero + factors.keep, add = zero + factors.add;
            for (std::size_t h = hands.begin; h < end; h += kSide<float>) {
                Floats strategy[kRoom<Fixed>];
                match<Fixed, kExtras>(actions, tables, stride, h, strategy);
                const Floats before = pack_at<float>(reach + h);
                for (int a = 0; a < n; ++a) {
                    const Floats after = before * strategy[a];
                    pack_at<float>(out + a * stride + h) = after;
                    if constexpr (kCollect) {
                        Floats& mean = pack_at<float>(tables.average + a * stride + h);
                        mean = mean * keep + after * add;
                    }
                }
            }
        }
    };

    template <int Fixed>
    struct Up {
        static void run(int actions, const NodeTables& given, const Factors& factors,
                        const HandRange& hands, float* const* rows) {
            const int n = count<Fixed>(actions);
            const NodeTables tables = given;
            const Factors by = factors;
            const std::size_t stride = hands.stride, end = hands.end;
            float* values[kRoom<Fixed>];
            for (int a = 0; a < n; ++a) values[a] = rows[a];
            for (std::size_t h = hands.begin; h < end; h += kSide<float>) {
                Floats strategy[kRoom<Fixed>];
                match<Fixed, kExtras>(actions, tables, stride, h, strategy);
                Floats mean{};
                for (int a = 0; a < n; ++a) mean += strategy[a] * pack_at<float>(values[a] + h);
                for (int a = 0; a < n; ++a) {
                    const std::size_t place = a * stride + h;
                    learn(tables, by, pack_at<float>(values[a] + h) - mean, place);
                    if constexpr (kCollect) {
                        Floats& sum = pack_at<float>(tables.average + place);
                        sum = sum * by.keep + strategy[a] * by.add;
                    }
                }
                pack_at<float>(values[0] + h) = mean;
            }
        }
    };

    RIVERBOAT_INLINE static void learn(const NodeTables& tables, const Factors& factors,
                                       const Floats& regret, std::size_t place) {
        const Floats zero{};
        Floats& sum = pack_at<float>(tables.regrets + place);
        const Floats factor = sum > zero ? zero + factors.positive : zero + factors.negative;
        Floats next = sum * factor + regret;
        if constexpr (kExtras == Extras::kAll) {
            const Floats lock = tables.lock ? pack_at<float>(tables.lock + place) : zero / zero;
            next = lock == lock ? zero : next;
            if (tables.predictions) pack_at<float>(tables.predictions + place) = regret;
        }
        sum = next;
    }
};

// Calls f(Trained<..>) with the inputs that the tables have.
template <typename F>
RIVERBOAT_INLINE void with_extras(const NodeTables& tables, bool collect, const F& f) {
    const bool plain = tables.lock == nullptr && tables.predictions == nullptr;
    if (plain && collect) return f(Trained<Extras::kNone, true>{});
    if (plain) return f(Trained<Extras::kNone, false>{});
    if (collect) return f(Trained<Extras::kAll, true>{});
    f(Trained<Extras::kAll, false>{});
}

template <typename Real, int Fixed>
RIVERBOAT_INLINE void average(int actions, const NodeTables& tables, std::size_t stride,
                              std::size_t hand, Pack<Real>* strategy) {
    const int n = count<Fixed>(actions);
    for (int a = 0; a < n; ++a) {
        const std::size_t place = a * stride + hand;
        strategy[a] = tables.average16 ? widened<Real>(tables.average16 + place)
                                       : widened<Real>(tables.average + place);
    }
    normalize<Real, Fixed>(actions, strategy);
    if (tables.lock == nullptr) return;
    for (int a = 0; a < n; ++a) apply_lock<Real>(tables.lock + a * stride + hand, strategy[a]);
}

template <typename Real>
struct Measured {
    template <int Fixed>
    struct Down {
        static void run(int actions, const NodeTables& tables, const HandRange& hands,
                        const Real* reach, Real* out) {
            const int n = count<Fixed>(actions);
            for (std::size_t h = hands.begin; h < hands.end; h += kSide<Real>) {
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
            for (std::size_t h = hands.begin; h < hands.end; h += kSide<Real>) {
                Pack<Real> strategy[kRoom<Fixed>];
                average<Real, Fixed>(actions, tables, hands.stride, h, strategy);
                Pack<Real> mean{};
                for (int a = 0; a < n; ++a) mean += strategy[a] * pack_at<Real>(values[a] + h);
                pack_at<Real>(values[0] + h) = mean;
            }
        }
    };
};

// The best action of each hand gets the whole average; of equal actions, the first.
template <typename Real>
void adopt_best(int actions, const Pack<Real>& best, const NodeTables& tables, std::size_t stride,
                std::size_t hand, Real* const* values) {
    for (int k = 0; k < kSide<Real>; ++k) {
        bool found = false;
        for (int a = 0; a < actions; ++a) {
            const bool this_one = !found && values[a][hand + k] == best[k];
            const std::size_t place = a * stride + hand + k;
            if (tables.average16) {
                tables.average16[place] = this_one ? 0xffff : 0;
            } else {
                tables.average[place] = this_one ? 1.0f : 0.0f;
            }
            found |= this_one;
        }
    }
}

}  // namespace

void train_down(int actions, const NodeTables& tables, const Factors& factors, bool collect,
                const HandRange& hands, const float* reach, float* out) {
    with_extras(tables, collect, [&](auto trained) {
        by_actions<decltype(trained)::template Down>(actions, tables, factors, hands, reach, out);
    });
}

void train_up(int actions, const NodeTables& tables, const Factors& factors, bool collect,
              const HandRange& hands, float* const* values) {
    with_extras(tables, collect, [&](auto trained) {
        by_actions<decltype(trained)::template Up>(actions, tables, factors, hands, values);
    });
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
             bool adopt) {
    for (std::size_t h = hands.begin; h < hands.end; h += kSide<Real>) {
        Pack<Real> best = pack_at<Real>(values[0] + h);
        for (int a = 1; a < actions; ++a) {
            const Pack<Real> value = pack_at<Real>(values[a] + h);
            best = value > best ? value : best;
        }
        if (adopt) adopt_best<Real>(actions, best, tables, hands.stride, h, values);
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
    for (std::size_t h = hands.begin; h < hands.end; h += kSide<Real>) {
        Pack<Real> sum = pack_at<Real>(values[0] + h);
        for (int a = 1; a < actions; ++a) sum += pack_at<Real>(values[a] + h);
        pack_at<Real>(values[0] + h) = sum;
    }
}

template void average_down(int, const NodeTables&, const HandRange&, const float*, float*);
template void average_down(int, const NodeTables&, const HandRange&, const double*, double*);
template void average_up(int, const NodeTables&, const HandRange&, float* const*);
template void average_up(int, const NodeTables&, const HandRange&, double* const*);
template void best_up(int, const NodeTables&, const HandRange&, float* const*, bool);
template void best_up(int, const NodeTables&, const HandRange&, double* const*, bool);
template void sum_up(int, const HandRange&, float* const*);
template void sum_up(int, const HandRange&, double* const*);

}  // namespace riverboat::spots
