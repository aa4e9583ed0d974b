// When to look how exploitable the averages are.
//
// A look costs about as much as an iteration. Exploitability falls like a power of the iteration:
// the last two looks predict when it comes to the target, and the next one is 0.8 of the way there.
#pragma once

#include <cstdint>
#include <optional>

namespace riverboat::spots {

// A best response to each average strategy, chips of a deal with the share of the pot.
struct Check {
    std::int64_t iteration = 0;
    double best[2] = {};
    double exploitability = 0;  // chips
    bool exact = false;         // in double precision; else good to kFastError
};

// Of a check in single precision, as a part of the largest payoff: measured, with room to spare.
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
