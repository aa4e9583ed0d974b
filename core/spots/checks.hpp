// Schedules checks of the averages' exploitability.
//
// A check costs about as much as an iteration. Exploitability falls like a power of the iteration,
// so the last two checks predict the iteration that reaches the target. The next check is at 0.8 of
// the way to it.
#pragma once

#include <cstdint>
#include <optional>

namespace riverboat::spots {

// EVs of a best response to each average strategy, in chips, with the share of the pot.
struct Check {
    std::int64_t iteration = 0;
    double best[2] = {};
    double exploitability = 0;  // chips
    bool exact = false;         // in double precision; else with an error up to kFastError
};

// Maximum error of a check in single precision, relative to the largest payoff: measured, with a
// margin.
inline constexpr double kFastError = 2e-6;

class CheckPlan {
  public:
    // The next check is at `following`; `before` is the last one, if any. target: chips.
    CheckPlan(std::int64_t following, const std::optional<Check>& before, double target)
        : following_(following), before_(before), target_(target) {}

    double target() const { return target_; }
    std::int64_t following() const { return following_; }
    void add(const Check& now);

  private:
    std::int64_t step_after(const Check& now) const;

    std::int64_t following_;
    std::optional<Check> before_;
    double target_;
};

}  // namespace riverboat::spots
