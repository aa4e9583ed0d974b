#include "solve/full.hpp"

#include <algorithm>

namespace riverboat {

FullWidth::FullWidth(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer)
    : VectorWalk(tree, dealer.num_deals(), false),
      layout_(layout),
      num_buckets_(dealer.num_buckets()),
      lanes_(tree, dealer) {
    std::size_t size = 0, largest = 0;
    for (const TreeNode& node : tree.nodes()) {
        places_.push_back(size);
        if (node.kind != NodeKind::kDecision) continue;
        const std::size_t buckets = num_buckets_[node.group];
        size += node.num_actions * buckets;
        largest = std::max(largest, (node.num_actions + 1) * buckets);
    }
    strategies_.resize(size);
    changes_.resize(largest);
}

void FullWidth::run(std::uint64_t first, std::uint64_t end, const RuleSettings& settings,
                    const FullTables& tables) {
    step_ = settings.step(1);
    tables_ = tables;
    for (const TreeNode& node : tree().nodes()) {
        if (node.kind == NodeKind::kDecision) match(node);
    }
    for (std::uint64_t t = first + 1; t <= end; ++t) {
        const auto now = static_cast<double>(t);
        step_ = settings.step(now);
        average_weight_ = settings.average_weight(now);
        for (int player = 0; player < 2; ++player) traverse(player);
    }
}

void FullWidth::traverse(int player) {
    player_ = player;
    const Stack::Mark mark(stack());
    double *ones = stack().take(size()), *out = stack().take(size());
    std::fill_n(ones, size(), 1.0);
    walk(0, {ones, lanes_.weights().data()}, {out});
}

FullWidth::Rows FullWidth::strategy(const TreeNode& node, Stack&) {
    return {strategy_of(node), num_buckets_[node.group], lanes_.buckets(node.group)};
}

// Counterfactual values of the traverser.
void FullWidth::pay(std::int32_t index, const Reach& reach, const Values& out) const {
    lanes_.pay(index, player_, reach[kOther], out[0]);
}

// The strategy is the positive regrets, with the prediction if there is one.
void FullWidth::match(const TreeNode& node) {
    const bool predictive = step_.rule == RegretRule::kPredictive;
    const std::uint32_t num_buckets = num_buckets_[node.group];
    double* strategy = strategy_of(node);
    for (std::uint32_t bucket = 0; bucket < num_buckets; ++bucket) {
        const std::size_t row = layout_.row(node, bucket);
        double positive[kMaxActions], total = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            const double regret =
                tables_.regrets[row + a] + (predictive ? tables_.predictions[row + a] : 0.0);
            positive[a] = std::max(regret, 0.0);
            total += positive[a];
        }
        const double scale = total > 0 ? 1 / total : 0.0;
        const double even = total > 0 ? 0.0 : 1.0 / node.num_actions;
        for (int a = 0; a < node.num_actions; ++a) {
            strategy[a * num_buckets + bucket] = positive[a] * scale + even;
        }
    }
}

// Adds this iteration's regrets and strategy; values [actions, lanes], their mean in out.
void FullWidth::finish(const TreeNode& node, const Rows& strategy, const Reach& reach,
                       const Values& values, const Values& out) {
    const std::size_t lanes = size();
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    const std::uint32_t num_buckets = num_buckets_[node.group];
    double* change = changes_.data();                             // [actions, buckets]
    double* own_reach = change + node.num_actions * num_buckets;  // [buckets]
    std::fill_n(change, (node.num_actions + 1) * num_buckets, 0.0);
    const double *mean = out[0], *own = reach[kMine];
    for (int a = 0; a < node.num_actions; ++a) {
        const double* value = values[0] + a * lanes;
        double* row = change + a * num_buckets;
        for (std::size_t d = 0; d < lanes; ++d) row[bucket[d]] += value[d] - mean[d];
    }
    for (std::size_t d = 0; d < lanes; ++d) own_reach[bucket[d]] += lanes_.weights()[d] * own[d];
    for (std::uint32_t b = 0; b < num_buckets; ++b) {
        const std::size_t row = layout_.row(node, b);
        for (int a = 0; a < node.num_actions; ++a) {
            const double regret = change[a * num_buckets + b];
            tables_.regrets[row + a] = step_.updated(tables_.regrets[row + a], regret);
            if (tables_.predictions != nullptr) tables_.predictions[row + a] = regret;
            tables_.average[row + a] += average_weight_ * own_reach[b] * strategy.row(a)[b];
        }
    }
    match(node);
}

}  // namespace riverboat
