#include "solve/public_values.hpp"

#include <algorithm>

namespace riverboat {
namespace {

// Minimum weight of hands with which the strategy never reaches a node: other players may reach it.
constexpr float kLeastReach = 1e-3f;

bool any(const float* vector, std::size_t size) {
    return std::any_of(vector, vector + size, [](float x) { return x != 0; });
}

}  // namespace

PublicValues::PublicValues(const Tree& tree, const Layout& layout, const PublicDealer& dealer)
    : tree_(tree),
      layout_(layout),
      deal_(dealer.start()),
      hands_(deal_->num_hands()),
      groups_(2 * tree.spec().streets, 0),
      weights_(hands_),
      room_(room(0) + 4 * hands_),
      free_(room_.data()) {
    for (std::size_t group = 0; group < tree.groups().size(); ++group) {
        const TreeGroup& found = tree.groups()[group];
        groups_[2 * found.street + found.player] = static_cast<int>(group);
    }
}

std::size_t PublicValues::room(std::int32_t index) const {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return 0;
    std::size_t below = 0;
    for (int a = 0; a < node.num_actions; ++a) below = std::max(below, room(node.first_child + a));
    return below + hands_ * (node.num_actions + 3);
}

void PublicValues::run(const Slice& slice, std::uint64_t seed, const float* strategy,
                       const ValuePlaces& places, const ValueTables& tables) {
    strategy_ = strategy;
    places_ = places;
    tables_ = tables;
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
        Random random(seed, t);
        deal_->draw(random);
        free_ = room_.data();
        Pair reach = {take(hands_), take(hands_)}, out = {take(hands_), take(hands_)};
        for (float* vector : reach) std::fill_n(vector, hands_, 1.0f);
        walk(0, reach, out);
    }
}

// out: for each player's hands, the sum over the opponent's hands of probability, reach and payoff.
void PublicValues::walk(std::int32_t index, const Pair& reach, const Pair& out) {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return pay(node, reach, out);
    float* const top = free_;
    const int mover = node.player, street = tree_.groups()[node.group].street;
    float* chances = take(hands_ * node.num_actions);
    float* moved = take(hands_);
    Pair value = {take(hands_), take(hands_)};
    probabilities(node, chances);
    for (float* vector : out) std::fill_n(vector, hands_, 0.0f);
    for (int a = 0; a < node.num_actions; ++a, chances += hands_) {
        const std::int32_t child = node.first_child + a;
        for (std::size_t h = 0; h < hands_; ++h) moved[h] = reach[mover][h] * chances[h];
        Pair below = {mover == 0 ? moved : reach[0], mover == 0 ? reach[1] : moved};
        walk(child, below, value);
        for (int player = 0; player < 2; ++player) {
            // The value of the mover's hand does not depend on the mover's own action.
            Pair seen = {player == 0 ? reach[0] : below[0], player == 0 ? below[1] : reach[1]};
            keep(places_.entered[2 * child + player], player, street, seen, value[player]);
        }
        for (std::size_t h = 0; h < hands_; ++h) out[mover][h] += value[mover][h] * chances[h];
        for (std::size_t h = 0; h < hands_; ++h) out[1 - mover][h] += value[1 - mover][h];
    }
    for (int player = 0; player < 2; ++player) {
        keep(places_.begun[2 * index + player], player, street, reach, out[player]);
    }
    free_ = top;
}

void PublicValues::pay(const TreeNode& node, const Pair& reach, const Pair& out) {
    const float* payoffs = &tree_.payoffs()[node.payoffs];
    for (int player = 0; player < 2; ++player) {
        const float* other = reach[1 - player];
        if (!any(other, hands_)) {
            std::fill_n(out[player], hands_, 0.0f);
        } else if (node.kind == NodeKind::kFold) {
            deal_->compatible(player, other, payoffs[player], out[player]);
        } else {  // seat 0 wins, tie, seat 1 wins
            const float first = payoffs[player], second = payoffs[4 + player];
            const ShowdownPayoffs paid{player == 0 ? first : second, payoffs[2 + player],
                                       player == 0 ? second : first};
            deal_->showdown(player, other, paid, out[player]);
        }
    }
}

void PublicValues::keep(std::int64_t place, int player, int street, const Pair& reach,
                        const float* worth) {
    if (place < 0) return;
    const float *own = reach[player], *other = reach[1 - player];
    if (!any(other, hands_)) return;
    deal_->compatible(player, other, 1, weights_.data());
    const std::uint32_t* buckets = deal_->buckets(groups_[2 * street + player]);
    for (std::size_t h = 0; h < hands_; ++h) {
        const double share = std::max(own[h], kLeastReach);
        tables_.worth[place + buckets[h]] += share * static_cast<double>(worth[h]);
        tables_.weight[place + buckets[h]] += share * static_cast<double>(weights_[h]);
    }
}

// out [actions, hands]
void PublicValues::probabilities(const TreeNode& node, float* out) const {
    const std::uint32_t* buckets = deal_->buckets(node.group);
    for (std::size_t h = 0; h < hands_; ++h) {
        const float* row = strategy_ + layout_.row(node, buckets[h]);
        for (int a = 0; a < node.num_actions; ++a) out[a * hands_ + h] = row[a];
    }
}

}  // namespace riverboat
