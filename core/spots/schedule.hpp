// Schedules of discounts as factors, iteration by iteration.
//
// In iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones by
// t^beta / (t^beta + 1), and the average by (t / (t + 1))^gamma (Brown & Sandholm 2019). The three
// exponents may change with t, and the average may be restarted.
#pragma once

#include <array>
#include <cstdint>

#include "spots/steps.hpp"

namespace riverboat::spots {

struct Schedule {
    std::array<double, 3> first, last;  // alpha, beta, gamma; infinite: keep everything, or nothing
    std::int64_t over;                  // iterations from first to last; 0: last at once
    std::int64_t lag;                   // iterations by which discounts of regrets lag behind
    std::int64_t restart;               // the average is restarted at its powers; 0: never
    bool running_mean;                  // the sum of strategies over that of their weights
};

// Yields the factors of each iteration in order.
class FactorStream {
  public:
    FactorStream(const Schedule& schedule, std::int64_t begin);
    Factors next();

  private:
    Factors at(std::int64_t iteration, double& keep) const;

    Schedule schedule_;
    std::int64_t iteration_;
    double total_ = 0;  // sum of weights so far, for a running mean
};

}  // namespace riverboat::spots
