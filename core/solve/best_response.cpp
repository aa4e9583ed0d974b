#include "solve/best_response.hpp"

#include <algorithm>
#include <numeric>

namespace riverboat {

ExactValues::ExactValues(const Tree& tree, const Layout& layout, const EnumeratedDealer& dealer)
    : VectorWalk(tree, dealer.num_deals(), false),
      layout_(layout),
      num_buckets_(dealer.num_buckets()),
      lanes_(tree, dealer) {}

double ExactValues::value(int player, const double* strategy) {
    return root_value(player, strategy, false);
}

double ExactValues::best_response(int player, const double* strategy) {
    return root_value(player, strategy, true);
}

void ExactValues::deal_values(int player, std::int32_t node, const double* strategy, double* out) {
    player_ = player;
    strategy_ = strategy;
    respond_ = false;
    const Stack::Mark mark(stack());
    double* ones = stack().take(size());
    std::fill_n(ones, size(), 1.0);
    walk(node, {ones}, {out});
}

double ExactValues::root_value(int player, const double* strategy, bool respond) {
    player_ = player;
    strategy_ = strategy;
    respond_ = respond;
    const Stack::Mark mark(stack());
    double* values = stack().take(size());
    walk(0, {lanes_.weights().data()}, {values});
    return std::accumulate(values, values + size(), 0.0);
}

RowsByBucket<double> ExactValues::strategy(const TreeNode& node, Stack&) const {
    return {strategy_ + layout_.row(node, 0), layout_.entries(node.group),
            lanes_.buckets(node.group)};
}

void ExactValues::pay(std::int32_t index, const Reach& reach, const Values& out) const {
    lanes_.pay(index, player_, reach[0], out[0]);
}

// The best response: every bucket takes its best action.
void ExactValues::finish(const TreeNode& node, const RowsByBucket<double>&, const Reach&,
                         const Values& values, const Values& out) {
    const std::uint32_t* bucket = lanes_.buckets(node.group);
    std::vector<double> sums(std::size_t{num_buckets_[node.group]} * node.num_actions, 0.0);
    for (int a = 0; a < node.num_actions; ++a) {
        const double* value = values[0] + a * size();
        for (std::size_t d = 0; d < size(); ++d) sums[bucket[d] * node.num_actions + a] += value[d];
    }
    for (std::size_t d = 0; d < size(); ++d) {
        const auto first = sums.begin() + bucket[d] * node.num_actions;
        const auto best = std::max_element(first, first + node.num_actions) - first;
        out[0][d] = values[0][best * size() + d];
    }
}

}  // namespace riverboat
