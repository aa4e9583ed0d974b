// Regret rules of full-width CFR: what becomes of a regret when an iteration's
// is added to it.
#pragma once

#include <algorithm>
#include <cmath>

namespace riverboat {

// kCfr: the plain sum (Zinkevich et al. 2007). kPlus: never below zero (CFR+,
// Tammelin 2014). kDiscounted: positive and negative regrets shrink each
// iteration (DCFR, Brown & Sandholm 2019); linear CFR is its case alpha = beta
// = 1. kPredictive: CFR+ that plays as if the last regret came again (PCFR+,
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

}  // namespace riverboat
