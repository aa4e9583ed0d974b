// Full-width CFR over enumerated deals, with any regret rule. Two players.
#pragma once

#include "solve/lanes.hpp"
#include "solve/rules.hpp"

namespace riverboat {

// Flat tables in the order of a Layout. predictions only for kPredictive.
struct FullTables {
    double* regrets;
    double* average;
    double* predictions = nullptr;
};

class FullWidth {
  public:
    FullWidth(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer);

    // Iterations first + 1 .. end: a traversal for each player in turn.
    void run(std::uint64_t first, std::uint64_t end, const RuleSettings& settings,
             const FullTables& tables);

    std::uint64_t nodes() const { return visited_; }  // decision nodes entered so far, times lanes

  private:
    void traverse(int player, const RuleStep& step, double average_weight,
                  const FullTables& tables);
    void walk(std::int32_t index, const double* own, const double* other, double* out);
    void own_node(const TreeNode& node, const double* own, const double* other, double* out);
    void other_node(const TreeNode& node, const double* own, const double* other, double* out);
    void update(const TreeNode& node, const double* own, const double* values, const double* mean);
    void match(const TreeNode& node);
    double* strategy_of(const TreeNode& node) {
        return &strategies_[places_[&node - tree_.nodes().data()]];
    }

    const Tree& tree_;
    const Layout& layout_;
    std::vector<std::uint32_t> num_buckets_;
    Lanes lanes_;
    LaneStack stack_, buckets_;  // buckets_ holds [actions, buckets] blocks
    // The current strategies, [actions, buckets] by decision node: matched once
    // when regrets change, read by both players' traversals.
    std::vector<double> strategies_;
    std::vector<std::size_t> places_;
    int player_ = 0;
    RuleStep step_;
    double average_weight_ = 1;
    FullTables tables_{};
    std::uint64_t visited_ = 0;
};

}  // namespace riverboat
