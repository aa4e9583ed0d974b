// A response that is trained against frozen strategies, and the value of
// strategies on sampled deals: together a lower bound on exploitability.
#pragma once

#include "solve/walk.hpp"

namespace riverboat {

struct ResponseTables {
    const float* frozen;  // the strategy of everybody else
    float* regrets;       // of the responding player's entries; others are not touched
    double* average;
};

// External sampling for one player: all of his actions, one action of everybody
// else by the frozen strategy. His average strategy is collected in the same
// walk, weighted with `weight` and his own reach.
WalkCounts train_response(const Tree&, const Layout&, const Dealer&, int player, std::uint64_t seed,
                          double weight, const Slice&, ResponseTables);

// values[i]: what `player` wins on the deal of stream first + i, exactly over
// all actions, when he plays `own` and everybody else `others`.
void score_deals(const Tree&, const Layout&, const Dealer&, int player, const float* own,
                 const float* others, std::uint64_t seed, std::uint64_t first,
                 std::size_t num_deals, double* values);

// strategy = the heaviest action of each infoset, the first of equal ones; uniform
// where all weights are 0.
void most_likely_actions(const Tree&, const Layout&, const std::vector<std::uint32_t>& num_buckets,
                         const double* weights, float* strategy);

}  // namespace riverboat
