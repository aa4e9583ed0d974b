#include "spots/checks.hpp"

#include <algorithm>
#include <cmath>

namespace riverboat::spots {
namespace {

constexpr std::int64_t kFirstStep = 10, kLeastStep = 3, kMostStep = 50;
constexpr double kFar = 5;  // remaining powers of e

}  // namespace

void CheckPlan::add(const Check& now) {
    following_ = now.iteration + step_after(now);
    before_ = now;
}

std::int64_t CheckPlan::step_after(const Check& now) const {
    if (!before_ || before_->iteration == now.iteration) return kFirstStep;
    const double value = now.exploitability, old = before_->exploitability;
    if (!(value > 0 && value < old && target_ > 0)) return kMostStep;
    const auto t = static_cast<double>(now.iteration);
    const double slope =
        std::log(old / value) / std::log(t / static_cast<double>(before_->iteration));
    const double wanted = std::log(value / target_) / slope;  // in powers of the iteration
    if (wanted > kFar) return kMostStep;
    const double step = 0.8 * t * (std::exp(wanted) - 1);
    return std::llround(std::clamp<double>(step, kLeastStep, kMostStep));
}

}  // namespace riverboat::spots
