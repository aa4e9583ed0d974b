// A response that is trained against frozen strategies, and the value of
// strategies on sampled deals: together a lower bound on exploitability.
#pragma once

#include "solve/walk.hpp"

namespace riverboat {

struct ResponseTables {
    const float* frozen;  // strategy of the opponents
    float* regrets;       // only the responding player's entries change
    double* average;
};

// External sampling for one player: all of the player's actions, one action of each
// opponent by the frozen strategy. The same walk updates the player's average
// strategy, weighted with `weight` and the player's own reach.
WalkCounts train_response(const Tree&, const Layout&, const Dealer&, int player, std::uint64_t seed,
                          double weight, const Slice&, ResponseTables);

// values[i]: EV of `player` on the deal of stream first + i, exact over all
// actions, if the player plays `own` and the opponents `others`.
void score_deals(const Tree&, const Layout&, const Dealer&, int player, const float* own,
                 const float* others, std::uint64_t seed, std::uint64_t first,
                 std::size_t num_deals, double* values);

// strategy = the action with the largest weight in each infoset, the first of equal
// ones; uniform if all weights are 0.
void most_likely_actions(const Tree&, const Layout&, const std::vector<std::uint32_t>& num_buckets,
                         const double* weights, float* strategy);

}  // namespace riverboat
