// All deals of a small game side by side: one lane a deal.
//
// A full-width walk visits each public node once and carries a vector with one
// number per deal, instead of walking the tree once per deal.
#pragma once

#include <vector>

#include "solve/deal.hpp"

namespace riverboat {

class Lanes {
  public:
    Lanes(const Tree& tree, const EnumeratedDealer& dealer);

    std::size_t size() const { return weights_.size(); }
    const std::vector<double>& weights() const { return weights_; }  // probabilities of the deals

    // Bucket of each lane at the nodes of a group.
    const std::uint32_t* buckets(int group) const { return &buckets_[group * size()]; }

    // out[lane] = factor[lane] * what the terminal pays the player there, chips.
    void pay(std::int32_t terminal, int player, const double* factor, double* out) const;

  private:
    const Tree& tree_;
    std::size_t num_lines_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> buckets_;  // [groups, lanes]
    std::vector<std::uint8_t> outcomes_;  // two players: [lines, lines, lanes], 0 1 2
    std::vector<Deal> deals_;             // more players
};

}  // namespace riverboat
