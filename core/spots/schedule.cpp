#include "spots/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace riverboat::spots {
namespace {

// The largest power of a base that is not above the iteration; 0 below 1.
std::int64_t last_power(std::int64_t iteration, std::int64_t base) {
    if (base == 0 || iteration == 0) return 0;
    std::int64_t power = 1;
    while (power <= iteration / base) power *= base;
    return power;
}

double regret_kept(std::int64_t iteration, double exponent) {
    if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
    const double power =
        iteration > 0 ? std::pow(static_cast<double>(iteration), exponent) : exponent == 0;
    return power / (power + 1);
}

double mean_kept(std::int64_t iteration, double exponent) {
    const auto t = static_cast<double>(iteration);
    return iteration > 0 ? std::pow(t / (t + 1), exponent) : 0;
}

}  // namespace

FactorStream::FactorStream(const Schedule& schedule, std::int64_t begin)
    : schedule_(schedule), iteration_(schedule.running_mean ? 0 : begin) {
    while (iteration_ < begin) next();
}

Factors FactorStream::next() {
    double keep = 0;
    Factors factors = at(iteration_++, keep);
    if (schedule_.running_mean) {
        total_ = total_ * keep + 1;
        factors.keep = static_cast<float>(1 - 1 / total_);
        factors.add = static_cast<float>(1 / total_);
    }
    return factors;
}

Factors FactorStream::at(std::int64_t iteration, double& keep) const {
    const auto& [first, last, over, lag, restart, running_mean] = schedule_;
    const double share =
        iteration < over ? static_cast<double>(iteration) / static_cast<double>(over) : 1;
    std::array<double, 3> now = last;
    for (int i = 0; i < 3 && over > 0; ++i) {
        now[i] = first[i] == last[i] ? first[i] : first[i] + (last[i] - first[i]) * share;
    }
    const std::int64_t old = std::max<std::int64_t>(iteration - lag, 0);
    keep = mean_kept(iteration - last_power(iteration, restart), now[2]);
    return {static_cast<float>(regret_kept(old, now[0])),
            static_cast<float>(regret_kept(old, now[1])), static_cast<float>(keep), 1};
}

}  // namespace riverboat::spots
