// Exact values over enumerated deals: of a profile of strategies, and of a best
// response to it. Any number of players.
//
// The best response is found by backward induction, bucket by bucket, which is
// defined only where buckets never forget (perfect recall): enumerated games do.
#pragma once

#include "solve/lanes.hpp"

namespace riverboat {

class ExactValues {
  public:
    ExactValues(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer);

    // strategy: a probability for each entry of the layout. Values in chips a hand.
    double value(int player, const double* strategy);
    double best_response(int player, const double* strategy);

  private:
    void walk(std::int32_t index, const double* reach, double* out);
    void mix(const TreeNode& node, const double* reach, double* out);
    void choose(const TreeNode& node, const double* reach, double* out);
    double root_value(int player, const double* strategy, bool respond);

    const Tree& tree_;
    const Layout& layout_;
    std::vector<std::uint32_t> num_buckets_;
    Lanes lanes_;
    LaneStack stack_;
    const double* strategy_ = nullptr;
    int player_ = 0;
    bool respond_ = false;
};

}  // namespace riverboat
