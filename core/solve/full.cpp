#include "solve/full.hpp"

#include <algorithm>

namespace riverboat {

FullWidth::FullWidth(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer)
    : tree_(tree),
      layout_(layout),
      num_buckets_(dealer.num_buckets()),
      lanes_(tree, dealer),
      stack_(lanes_.size()),
      buckets_(*std::max_element(num_buckets_.begin(), num_buckets_.end())) {
    std::size_t size = 0;
    for (const TreeNode& node : tree.nodes()) {
        places_.push_back(size);
        if (node.kind == NodeKind::kDecision) size += node.num_actions * num_buckets_[node.group];
    }
    strategies_.resize(size);
}

void FullWidth::run(std::uint64_t first, std::uint64_t end, const RuleSettings& settings,
                    const FullTables& tables) {
    step_ = settings.step(1);
    tables_ = tables;
    for (const TreeNode& node : tree_.nodes()) {
        if (node.kind == NodeKind::kDecision) match(node);
    }
    for (std::uint64_t t = first + 1; t <= end; ++t) {
        const auto now = static_cast<double>(t);
        const RuleStep step = settings.step(now);
        const double weight = settings.average_weight(now);
        for (int player = 0; player < 2; ++player) traverse(player, step, weight, tables);
    }
}

void FullWidth::traverse(int player, const RuleStep& step, double average_weight,
                         const FullTables& tables) {
    player_ = player;
    step_ = step;
    average_weight_ = average_weight;
    tables_ = tables;
    LaneStack::Frame root(stack_, 2);
    std::fill_n(root.row(0), lanes_.size(), 1.0);
    walk(0, root.row(0), lanes_.weights().data(), root.row(1));
}

// own: reach of the traverser; other: reach of the opponent times chance.
// out: counterfactual values of the traverser.
void FullWidth::walk(std::int32_t index, const double* own, const double* other, double* out) {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return lanes_.pay(index, player_, other, out);
    visited_ += lanes_.size();
    if (node.player == player_) return own_node(node, own, other, out);
    other_node(node, own, other, out);
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

void FullWidth::other_node(const TreeNode& node, const double* own, const double* other,
                           double* out) {
    const std::size_t lanes = lanes_.size();
    const std::uint32_t num_buckets = num_buckets_[node.group];
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    LaneStack::Frame frame(stack_, 2);
    double *reach = frame.row(0), *value = frame.row(1);
    std::fill_n(out, lanes, 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        const double* strategy = strategy_of(node) + a * num_buckets;
        for (std::size_t d = 0; d < lanes; ++d) reach[d] = other[d] * strategy[bucket[d]];
        walk(node.first_child + a, own, reach, value);
        for (std::size_t d = 0; d < lanes; ++d) out[d] += value[d];
    }
}

void FullWidth::own_node(const TreeNode& node, const double* own, const double* other,
                         double* out) {
    const std::size_t lanes = lanes_.size();
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    const std::uint32_t num_buckets = num_buckets_[node.group];
    LaneStack::Frame frame(stack_, node.num_actions + 1);
    double* reach = frame.row(node.num_actions);
    std::fill_n(out, lanes, 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        const double* strategy = strategy_of(node) + a * num_buckets;
        double* value = frame.row(a);
        for (std::size_t d = 0; d < lanes; ++d) reach[d] = own[d] * strategy[bucket[d]];
        walk(node.first_child + a, reach, other, value);
        for (std::size_t d = 0; d < lanes; ++d) out[d] += strategy[bucket[d]] * value[d];
    }
    update(node, own, frame.row(0), out);
}

// Adds this iteration's regrets and strategy; values [actions, lanes], mean [lanes].
void FullWidth::update(const TreeNode& node, const double* own, const double* values,
                       const double* mean) {
    const std::size_t lanes = lanes_.size();
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    const std::uint32_t num_buckets = num_buckets_[node.group];
    LaneStack::Frame block(buckets_, node.num_actions + 1);
    double* change = block.row(0);                            // [actions, buckets]
    double* reach = change + node.num_actions * num_buckets;  // [buckets]
    std::fill_n(change, (node.num_actions + 1) * num_buckets, 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        const double* value = values + a * lanes;
        double* row = change + a * num_buckets;
        for (std::size_t d = 0; d < lanes; ++d) row[bucket[d]] += value[d] - mean[d];
    }
    for (std::size_t d = 0; d < lanes; ++d) reach[bucket[d]] += lanes_.weights()[d] * own[d];
    const double* strategy = strategy_of(node);
    for (std::uint32_t b = 0; b < num_buckets; ++b) {
        const std::size_t row = layout_.row(node, b);
        for (int a = 0; a < node.num_actions; ++a) {
            const double regret = change[a * num_buckets + b];
            tables_.regrets[row + a] = step_.updated(tables_.regrets[row + a], regret);
            if (tables_.predictions != nullptr) tables_.predictions[row + a] = regret;
            tables_.average[row + a] += average_weight_ * reach[b] * strategy[a * num_buckets + b];
        }
    }
    match(node);
}

}  // namespace riverboat
