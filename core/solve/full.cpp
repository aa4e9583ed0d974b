#include "solve/full.hpp"

#include <algorithm>

namespace riverboat {

FullWidth::FullWidth(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer)
    : tree_(tree), layout_(layout), num_buckets_(dealer.num_buckets()), lanes_(tree, dealer),
      stack_(lanes_.size()),
      buckets_(*std::max_element(num_buckets_.begin(), num_buckets_.end())) {}

void FullWidth::run(std::uint64_t first, std::uint64_t end, const RuleSettings& settings,
                    const FullTables& tables) {
    for (std::uint64_t t = first + 1; t <= end; ++t) {
        const auto now = static_cast<double>(t);
        for (int player = 0; player < 2; ++player) {
            traverse(player, settings.step(now), settings.average_weight(now), tables);
        }
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

// own: reach of the traverser; other: reach of the other player times chance.
// out: counterfactual values of the traverser.
void FullWidth::walk(std::int32_t index, const double* own, const double* other, double* out) {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return lanes_.pay(index, player_, other, out);
    visited_ += lanes_.size();
    if (node.player == player_) return own_node(node, own, other, out);
    other_node(node, own, other, out);
}

// strategy [buckets, actions]: positive regrets, with the prediction if there is one.
void FullWidth::match(const TreeNode& node, double* strategy) const {
    const bool predictive = step_.rule == RegretRule::kPredictive;
    for (std::uint32_t bucket = 0; bucket < num_buckets_[node.group]; ++bucket) {
        const std::size_t row = layout_.row(node, bucket);
        double total = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            const double regret =
                tables_.regrets[row + a] + (predictive ? tables_.predictions[row + a] : 0.0);
            strategy[a] = std::max(regret, 0.0);
            total += strategy[a];
        }
        const double scale = total > 0 ? 1 / total : 0.0;
        const double even = total > 0 ? 0.0 : 1.0 / node.num_actions;
        for (int a = 0; a < node.num_actions; ++a) strategy[a] = strategy[a] * scale + even;
        strategy += node.num_actions;
    }
}

void FullWidth::other_node(const TreeNode& node, const double* own, const double* other,
                           double* out) {
    const std::size_t lanes = lanes_.size();
    const std::size_t actions = node.num_actions;
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    LaneStack::Frame block(buckets_, actions);
    LaneStack::Frame frame(stack_, 2);
    double* strategy = block.row(0);
    match(node, strategy);
    std::fill_n(out, lanes, 0.0);
    for (std::size_t a = 0; a < actions; ++a) {
        double *reach = frame.row(0), *value = frame.row(1);
        for (std::size_t d = 0; d < lanes; ++d) {
            reach[d] = other[d] * strategy[bucket[d] * actions + a];
        }
        walk(node.first_child + static_cast<std::int32_t>(a), own, reach, value);
        for (std::size_t d = 0; d < lanes; ++d) out[d] += value[d];
    }
}

void FullWidth::own_node(const TreeNode& node, const double* own, const double* other,
                         double* out) {
    const std::size_t lanes = lanes_.size();
    const std::size_t actions = node.num_actions;
    const std::uint32_t num_buckets = num_buckets_[node.group];
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    LaneStack::Frame block(buckets_, 2 * actions + 1);
    LaneStack::Frame frame(stack_, actions + 1);
    double* strategy = block.row(0);
    double* change = strategy + num_buckets * actions;  // [buckets, actions] regrets of now
    double* reach_sum = change + num_buckets * actions;  // [buckets]
    match(node, strategy);
    std::fill_n(out, lanes, 0.0);
    std::fill_n(change, num_buckets * (actions + 1), 0.0);
    for (std::size_t a = 0; a < actions; ++a) {
        double *reach = frame.row(actions), *value = frame.row(a);
        for (std::size_t d = 0; d < lanes; ++d) {
            reach[d] = own[d] * strategy[bucket[d] * actions + a];
        }
        walk(node.first_child + static_cast<std::int32_t>(a), reach, other, value);
        for (std::size_t d = 0; d < lanes; ++d) {
            out[d] += strategy[bucket[d] * actions + a] * value[d];
        }
    }
    for (std::size_t d = 0; d < lanes; ++d) {
        for (std::size_t a = 0; a < actions; ++a) {
            change[bucket[d] * actions + a] += frame.row(a)[d] - out[d];
        }
        reach_sum[bucket[d]] += lanes_.weights()[d] * own[d];
    }
    for (std::uint32_t b = 0; b < num_buckets; ++b) {
        const std::size_t row = layout_.row(node, b);
        for (std::size_t a = 0; a < actions; ++a) {
            const double regret = change[b * actions + a];
            tables_.regrets[row + a] = step_.updated(tables_.regrets[row + a], regret);
            if (tables_.predictions != nullptr) tables_.predictions[row + a] = regret;
            tables_.average[row + a] +=
                average_weight_ * reach_sum[b] * strategy[b * actions + a];
        }
    }
}

}  // namespace riverboat
