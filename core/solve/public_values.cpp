#include "solve/public_values.hpp"

#include <algorithm>

namespace riverboat {
namespace {

// Minimum weight of hands with which the strategy never reaches a node: other players may reach it.
constexpr float kLeastReach = 1e-3f;

}  // namespace

PublicValues::PublicValues(const Tree& tree, const Layout& layout, const PublicDealer& dealer)
    : PublicValues(tree, layout, dealer.start()) {}

PublicValues::PublicValues(const Tree& tree, const Layout& layout, std::unique_ptr<PublicDeal> deal)
    : VectorWalk(tree, deal->num_hands(), true),
      layout_(layout),
      deal_(std::move(deal)),
      groups_(2 * tree.spec().streets, 0),
      weights_(size()) {
    for (std::size_t group = 0; group < tree.groups().size(); ++group) {
        const TreeGroup& found = tree.groups()[group];
        groups_[2 * found.street + found.player] = static_cast<int>(group);
    }
}

void PublicValues::run(const Slice& slice, std::uint64_t seed, const float* strategy,
                       const ValuePlaces& places, const ValueTables& tables) {
    strategy_ = strategy;
    places_ = places;
    tables_ = tables;
    const Stack::Mark mark(stack());
    float* ones = stack().take(size());
    std::fill_n(ones, size(), 1.0f);
    const Values out{stack().take(size()), stack().take(size())};
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
        Random random(seed, t);
        deal_->draw(random);
        walk(0, {ones, ones}, out);
    }
}

// For each player's hands, the sum over the opponent's hands of probability, reach and payoff.
void PublicValues::pay(std::int32_t index, const Reach& reach, const Values& out) {
    for (int player = 0; player < 2; ++player) {
        deal_->pay(tree(), index, player, reach[1 - player], out[player]);
    }
}

PublicValues::Rows PublicValues::strategy(const TreeNode& node, Stack& stack) const {
    float* rows = stack.take(size() * node.num_actions);
    const std::uint32_t* buckets = deal_->buckets(node.group);
    for (std::size_t h = 0; h < size(); ++h) {
        const float* row = strategy_ + layout_.row(node, buckets[h]);
        for (int a = 0; a < node.num_actions; ++a) rows[a * size() + h] = row[a];
    }
    return {rows, size()};
}

// The value of the mover's hand does not depend on the mover's own action.
void PublicValues::arrived(const TreeNode& node, std::int32_t child, const Reach& reach,
                           const Reach& below, const Values& value) {
    for (int player = 0; player < 2; ++player) {
        keep(places_.entered[2 * child + player], node, player, reach[player], below[1 - player],
             value[player]);
    }
}

void PublicValues::left(std::int32_t index, const Reach& reach, const Values& out) {
    const TreeNode& node = tree().nodes()[index];
    for (int player = 0; player < 2; ++player) {
        keep(places_.begun[2 * index + player], node, player, reach[player], reach[1 - player],
             out[player]);
    }
}

// Adds values to the sums of the buckets that the player has on the node's street.
void PublicValues::keep(std::int64_t place, const TreeNode& node, int player, const float* own,
                        const float* other, const float* worth) {
    if (place < 0 || !any_reach(other, size())) return;
    deal_->compatible(player, other, 1, weights_.data());
    const int street = tree().groups()[node.group].street;
    const std::uint32_t* buckets = deal_->buckets(groups_[2 * street + player]);
    for (std::size_t h = 0; h < size(); ++h) {
        const double share = std::max(own[h], kLeastReach);
        tables_.worth[place + buckets[h]] += share * static_cast<double>(worth[h]);
        tables_.weight[place + buckets[h]] += share * static_cast<double>(weights_[h]);
    }
}

}  // namespace riverboat
