#include "solve/best_response.hpp"

#include <algorithm>
#include <numeric>

namespace riverboat {

ExactValues::ExactValues(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer)
    : tree_(tree),
      layout_(layout),
      num_buckets_(dealer.num_buckets()),
      lanes_(tree, dealer),
      stack_(lanes_.size()) {}

double ExactValues::value(int player, const double* strategy) {
    return root_value(player, strategy, false);
}

double ExactValues::best_response(int player, const double* strategy) {
    return root_value(player, strategy, true);
}

double ExactValues::root_value(int player, const double* strategy, bool respond) {
    player_ = player;
    strategy_ = strategy;
    respond_ = respond;
    LaneStack::Frame root(stack_, 1);
    walk(0, lanes_.weights().data(), root.row(0));
    return std::accumulate(root.row(0), root.row(0) + lanes_.size(), 0.0);
}

// reach: probability of the deal and of everybody's actions that are mixed in;
// out: value to the player, times reach.
void ExactValues::walk(std::int32_t index, const double* reach, double* out) {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return lanes_.pay(index, player_, reach, out);
    if (respond_ && node.player == player_) return choose(node, reach, out);
    mix(node, reach, out);
}

void ExactValues::mix(const TreeNode& node, const double* reach, double* out) {
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    LaneStack::Frame frame(stack_, 2);
    std::fill_n(out, lanes_.size(), 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        double *below = frame.row(0), *value = frame.row(1);
        for (std::size_t d = 0; d < lanes_.size(); ++d) {
            below[d] = reach[d] * strategy_[layout_.row(node, bucket[d]) + a];
        }
        walk(node.first_child + a, below, value);
        for (std::size_t d = 0; d < lanes_.size(); ++d) out[d] += value[d];
    }
}

void ExactValues::choose(const TreeNode& node, const double* reach, double* out) {
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    LaneStack::Frame frame(stack_, node.num_actions);
    std::vector<double> sums(std::size_t{num_buckets_[node.group]} * node.num_actions, 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        walk(node.first_child + a, reach, frame.row(a));
        for (std::size_t d = 0; d < lanes_.size(); ++d) {
            sums[bucket[d] * node.num_actions + a] += frame.row(a)[d];
        }
    }
    for (std::size_t d = 0; d < lanes_.size(); ++d) {
        const auto first = sums.begin() + bucket[d] * node.num_actions;
        out[d] = frame.row(std::max_element(first, first + node.num_actions) - first)[d];
    }
}

}  // namespace riverboat
