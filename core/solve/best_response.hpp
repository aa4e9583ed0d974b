// Exact values over enumerated deals: of a profile of strategies, and of a best
// response to it. Any number of players.
//
// The best response is found by backward induction, bucket by bucket, which is
// defined only where buckets never forget (perfect recall): enumerated games do.
#pragma once

#include "solve/lanes.hpp"
#include "solve/vector_walk.hpp"

namespace riverboat {

class ExactValues : public VectorWalk<ExactValues, double, 1, 1> {
  public:
    ExactValues(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer);

    // strategy: a probability for each entry of the layout. Values in chips a hand.
    double value(int player, const double* strategy);
    double best_response(int player, const double* strategy);
    // EV below a node, deal by deal: out [deals].
    void deal_values(int player, std::int32_t node, const double* strategy, double* out);

  private:
    friend VectorWalk;

    // The reach is the probability of the deal and of all actions that are mixed in; values are
    // the player's, times reach.
    template <typename F>
    void with_role(const TreeNode& node, const F& f) const {
        respond_&& node.player == player_ ? f(Role<kNone, kNone, true, true>{}) : f(Role<0>{});
    }
    RowsByBucket<double> strategy(const TreeNode& node, Stack&) const;
    void pay(std::int32_t index, const Reach& reach, const Values& out) const;
    void finish(const TreeNode& node, const RowsByBucket<double>&, const Reach&,
                const Values& values, const Values& out);
    double root_value(int player, const double* strategy, bool respond);

    const Layout& layout_;
    std::vector<std::uint32_t> num_buckets_;
    Lanes lanes_;
    const double* strategy_ = nullptr;
    int player_ = 0;
    bool respond_ = false;
};

}  // namespace riverboat
