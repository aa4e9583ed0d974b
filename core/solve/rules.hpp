// Regret rules of full-width CFR: how an iteration's regret is added to the stored
// regret.
#pragma once

#include <algorithm>
#include <cmath>

namespace riverboat {

// kCfr: the plain sum (Zinkevich et al. 2007). kPlus: never below zero (CFR+,
// Tammelin 2014). kDiscounted: positive and negative regrets shrink each
// iteration (DCFR, Brown & Sandholm 2019); linear CFR is its case alpha = beta
// = 1. kPredictive: CFR+ that predicts that the last regret repeats (PCFR+,
// Farina, Kroer & Sandholm 2021).
enum class RegretRule : unsigned char { kCfr, kPlus, kDiscounted, kPredictive };

// The factors of one iteration. alpha and beta are exponents of DCFR:
// positive = t^alpha / (t^alpha + 1), negative = t^beta / (t^beta + 1).
struct RuleStep {
    RegretRule rule = RegretRule::kCfr;
    double positive = 1, negative = 1;

    double updated(double regret, double change) const {
        const double sum = regret + change;
        switch (rule) {
            case RegretRule::kCfr: return sum;
            case RegretRule::kDiscounted: return sum * (sum > 0 ? positive : negative);
            case RegretRule::kPlus:
            case RegretRule::kPredictive: break;
        }
        return std::max(sum, 0.0);
    }
};

// A rule with its exponents, for any iteration t = 1, 2, ..
struct RuleSettings {
    RegretRule rule = RegretRule::kCfr;
    double alpha = 1.5, beta = 0;  // kDiscounted: exponents, not factors
    double average_power = 0;      // strategies enter the average with t^power ..
    double average_delay = 0;      // .. of the iterations after this one

    RuleStep step(double t) const {
        if (rule != RegretRule::kDiscounted) return {rule};
        const double up = std::pow(t, alpha), down = std::pow(t, beta);
        // An infinite exponent keeps regrets as they are.
        return {rule, std::isinf(up) ? 1 : up / (up + 1), std::isinf(down) ? 1 : down / (down + 1)};
    }
    double average_weight(double t) const {
        return t > average_delay ? std::pow(t - average_delay, average_power) : 0;
    }
};

}  // namespace riverboat
