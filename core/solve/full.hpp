// Full-width CFR over enumerated deals, with any regret rule. Two players.
#pragma once

#include "solve/lanes.hpp"
#include "solve/rules.hpp"
#include "solve/vector_walk.hpp"

namespace riverboat {

// Flat tables in the order of a Layout. predictions only for kPredictive.
struct FullTables {
    double* regrets;
    double* average;
    double* predictions = nullptr;
};

class FullWidth : public VectorWalk<FullWidth, double, 2, 1> {
  public:
    FullWidth(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer);

    // Iterations first + 1 .. end: a traversal for each player in turn.
    void run(std::uint64_t first, std::uint64_t end, const RuleSettings& settings,
             const FullTables& tables);

  private:
    friend VectorWalk;
    enum { kMine, kOther };  // reaches: of the traverser; of the opponent times chance

    void traverse(int player);
    template <typename F>
    void with_role(const TreeNode& node, const F& f) const {
        node.player == player_ ? f(Role<kMine, 0, true>{}) : f(Role<kOther>{});
    }
    using Rows = RowsByAction<double, std::uint32_t>;  // [actions, buckets]
    Rows strategy(const TreeNode& node, Stack&);
    void pay(std::int32_t index, const Reach& reach, const Values& out) const;
    void finish(const TreeNode& node, const Rows& strategy, const Reach& reach,
                const Values& values, const Values& out);
    void match(const TreeNode& node);
    double* strategy_of(const TreeNode& node) {
        return &strategies_[places_[&node - tree().nodes().data()]];
    }

    const Layout& layout_;
    std::vector<std::uint32_t> num_buckets_;
    Lanes lanes_;
    std::vector<double> changes_;  // [actions + 1, buckets] scratch
    // The current strategies, [actions, buckets] by decision node: matched once
    // when regrets change, read by both players' traversals.
    std::vector<double> strategies_;
    std::vector<std::size_t> places_;
    int player_ = 0;
    RuleStep step_;
    double average_weight_ = 1;
    FullTables tables_{};
};

}  // namespace riverboat
