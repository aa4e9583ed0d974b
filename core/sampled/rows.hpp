// Rows of regrets: discounts, regret matching, and the update of a street's regrets.
#pragma once

#include <cmath>
#include <cstdint>

#include "sampled/shape.hpp"
#include "spots/step_parts.hpp"

namespace riverboat::sampled {

// Factors of old regrets at a visit (discounted CFR, Brown & Sandholm 2019): with t earlier
// visits, positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones by
// t^beta / (t^beta + 1).
struct Discounts {
    float positive, negative;

    static Discounts at(std::int64_t visits, double alpha, double beta) {
        const auto factor = [visits](double exponent) {
            const double power = std::pow(static_cast<double>(visits), exponent);
            return static_cast<float>(power / (power + 1));
        };
        return {factor(alpha), factor(beta)};
    }
};

inline constexpr double kAlpha = 1.5;
// Negative regrets are kept longer on the flop. With a beta of 0 they are halved at each sample,
// and bad actions come back with the noise.
inline constexpr double kFlopBeta = 0.75, kLaterBeta = 0.5;
// The average weighs iteration t by t^4.
inline constexpr double kGamma = 4;

RIVERBOAT_INLINE Lanes positive_part(const Lanes& regret) {
    const Lanes zero{};
    return regret > zero ? regret : zero;
}

// Regret matching: the strategy of a decision from its regrets.
RIVERBOAT_INLINE void match(const Lanes* regrets, int actions, Lanes* strategy) {
    for (int a = 0; a < actions; ++a) strategy[a] = positive_part(regrets[a]);
    spots::normalize<float, 0>(actions, strategy);
}

RIVERBOAT_INLINE void add_regret(Lanes& regret, const Lanes& gain, const Discounts& discounts) {
    const Lanes zero{};
    const Lanes factor = regret > zero ? zero + discounts.positive : zero + discounts.negative;
    regret = regret * factor + gain;
}

}  // namespace riverboat::sampled
