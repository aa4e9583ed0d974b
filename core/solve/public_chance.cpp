#include "solve/public_chance.hpp"

#include <algorithm>

namespace riverboat {
namespace {

bool any(const float* vector, std::size_t size) {
    return std::any_of(vector, vector + size, [](float x) { return x != 0; });
}

// Sum of vector[hands[0]], .., of `count` hands; four independent sums run in parallel in the CPU.
double gathered_sum(const float* vector, const std::int32_t* hands, std::int32_t count) {
    double sums[4] = {};
    std::int32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 4; ++k) sums[k] += vector[hands[i + k]];
    }
    for (; i < count; ++i) sums[0] += vector[hands[i]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

PublicChance::PublicChance(const Tree& tree, const Layout& layout, const PublicDealer& dealer,
                           std::uint32_t max_buckets)
    : tree_(tree),
      layout_(layout),
      deal_(dealer.start()),
      hands_(deal_->num_hands()),
      present_(tree.groups().size()),
      place_(max_buckets, -1),
      room_(room(0) + 2 * hands_),
      free_(room_.data()) {
    for (Present& present : present_) {
        present.place.resize(hands_);
        present.sorted.resize(hands_);
    }
}

// Maximum number of floats that a walk from a node needs; a strategy has at most a row per hand.
std::size_t PublicChance::room(std::int32_t index) const {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return 0;
    std::size_t below = 0;
    for (int a = 0; a < node.num_actions; ++a) below = std::max(below, room(node.first_child + a));
    return below + hands_ * (2 * node.num_actions + 2);
}

WalkCounts PublicChance::run(const Slice& slice, const PublicOptions& options,
                             const PublicTables& tables) {
    options_ = options;
    tables_ = tables;
    visited_ = 0;
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
        Random random(options.seed, t);
        draw(random);
        for (int player = 0; player < 2; ++player) traverse(player);
    }
    return {visited_};
}

void PublicChance::draw(Random& random) {
    deal_->draw(random);
    for (std::size_t group = 0; group < present_.size(); ++group) {
        find_present(deal_->buckets(static_cast<int>(group)), present_[group]);
    }
}

void PublicChance::find_present(const std::uint32_t* buckets, Present& present) {
    present.buckets.clear();
    present.begins.clear();
    for (std::size_t hand = 0; hand < hands_; ++hand) {
        std::int32_t& place = place_[buckets[hand]];
        if (place < 0) {
            place = static_cast<std::int32_t>(present.buckets.size());
            present.buckets.push_back(buckets[hand]);
            present.begins.push_back(0);
        }
        present.place[hand] = place;
        ++present.begins[place];
    }
    for (const std::uint32_t bucket : present.buckets) place_[bucket] = -1;
    // Counting sort: from counts to begins, which end up as ends and are moved back by one.
    std::int32_t begin = 0;
    for (std::int32_t& count : present.begins) begin += std::exchange(count, begin);
    for (std::size_t hand = 0; hand < hands_; ++hand) {
        present.sorted[present.begins[present.place[hand]]++] = static_cast<std::int32_t>(hand);
    }
    present.begins.insert(present.begins.begin(), 0);
}

void PublicChance::traverse(int player) {
    player_ = player;
    free_ = room_.data();
    float *other = take(hands_), *out = take(hands_);
    std::fill_n(other, hands_, 1.0f);
    walk(0, deal_->chances(player), other, out);
}

// own: probability of each hand times the traverser's reach, for the average; other: the
// opponent's reach. out: counterfactual values of the traverser's hands given the outcome.
void PublicChance::walk(std::int32_t index, const float* own, const float* other, float* out) {
    const TreeNode& node = tree_.nodes()[index];
    if (node.kind != NodeKind::kDecision) return pay(node, other, out);
    if (options_.rule != RegretRule::kPredictive && !any(other, hands_) && !any(own, hands_)) {
        return std::fill(out, out + hands_, 0.0f);
    }
    visited_ += hands_;
    float* const top = free_;
    if (node.player == player_) {
        own_node(node, own, other, out);
    } else {
        other_node(node, own, other, out);
    }
    free_ = top;
}

void PublicChance::pay(const TreeNode& node, const float* other, float* out) {
    if (!any(other, hands_)) return std::fill(out, out + hands_, 0.0f);
    const float* payoffs = &tree_.payoffs()[node.payoffs];
    if (node.kind == NodeKind::kFold) {
        return deal_->compatible(player_, other, payoffs[player_], out);
    }
    // Rows of a showdown: seat 0 wins, tie, seat 1 wins.
    const float first = payoffs[player_], tie = payoffs[2 + player_], second = payoffs[4 + player_];
    deal_->showdown(
        player_, other,
        player_ == 0 ? ShowdownPayoffs{first, tie, second} : ShowdownPayoffs{second, tie, first},
        out);
}

// strategy [actions, present buckets]: positive regrets, with the prediction if there is one.
void PublicChance::match(const TreeNode& node, float* strategy) const {
    const auto& buckets = present_[node.group].buckets;
    const std::size_t count = buckets.size();
    float matched[kMaxActions];
    for (std::size_t place = 0; place < count; ++place) {
        const std::size_t row = layout_.row(node, buckets[place]);
        if (options_.rule == RegretRule::kPredictive) {
            float sums[kMaxActions];
            for (int a = 0; a < node.num_actions; ++a) {
                sums[a] = load(tables_.regrets[row + a]) + load(tables_.predictions[row + a]);
            }
            match_regrets(sums, node.num_actions, 0, matched);
        } else {
            match_regrets(tables_.regrets + row, node.num_actions, 0, matched);
        }
        for (int a = 0; a < node.num_actions; ++a) strategy[a * count + place] = matched[a];
    }
}

void PublicChance::other_node(const TreeNode& node, const float* own, const float* other,
                              float* out) {
    const Present& present = present_[node.group];
    const std::int32_t* place = present.place.data();
    float* strategy = take(present.buckets.size() * node.num_actions);
    float *reach = take(hands_), *value = take(hands_);
    match(node, strategy);
    std::fill_n(out, hands_, 0.0f);
    for (int a = 0; a < node.num_actions; ++a, strategy += present.buckets.size()) {
        for (std::size_t h = 0; h < hands_; ++h) reach[h] = other[h] * strategy[place[h]];
        walk(node.first_child + a, own, reach, value);
        for (std::size_t h = 0; h < hands_; ++h) out[h] += value[h];
    }
}

void PublicChance::own_node(const TreeNode& node, const float* own, const float* other,
                            float* out) {
    const Present& present = present_[node.group];
    const std::size_t count = present.buckets.size();
    const std::int32_t* place = present.place.data();
    float* strategy = take(count * node.num_actions);
    float *reach = take(hands_), *values = take(hands_ * node.num_actions);
    match(node, strategy);
    std::fill_n(out, hands_, 0.0f);
    for (int a = 0; a < node.num_actions; ++a) {
        const float* chosen = strategy + a * count;
        float* value = values + a * hands_;
        for (std::size_t h = 0; h < hands_; ++h) reach[h] = own[h] * chosen[place[h]];
        walk(node.first_child + a, reach, other, value);
        for (std::size_t h = 0; h < hands_; ++h) out[h] += value[h] * chosen[place[h]];
    }
    update(node, strategy, own, values);
}

// values [actions, hands]. All hands of a bucket play alike, so its regrets follow from the
// sums of their values.
void PublicChance::update(const TreeNode& node, const float* strategy, const float* own,
                          const float* values) {
    const Present& present = present_[node.group];
    const std::size_t count = present.buckets.size();
    const std::size_t actions = node.num_actions;
    const bool plus =
        options_.rule == RegretRule::kPlus || options_.rule == RegretRule::kPredictive;
    for (std::size_t b = 0; b < count; ++b) {
        const std::size_t row = layout_.row(node, present.buckets[b]);
        const std::int32_t* sharing = &present.sorted[present.begins[b]];
        const std::int32_t num_sharing = present.begins[b + 1] - present.begins[b];
        const double weight = options_.average_weight * gathered_sum(own, sharing, num_sharing);
        double sum[kMaxActions];
        for (std::size_t a = 0; a < actions; ++a) {
            sum[a] = gathered_sum(values + a * hands_, sharing, num_sharing);
        }
        double mean = 0;
        for (std::size_t a = 0; a < actions; ++a) mean += strategy[a * count + b] * sum[a];
        for (std::size_t a = 0; a < actions; ++a) {
            const auto regret = static_cast<float>(sum[a] - mean);
            const float total = load(tables_.regrets[row + a]) + regret;
            store(tables_.regrets[row + a], plus ? std::max(total, 0.0f) : total);
            if (tables_.predictions != nullptr) store(tables_.predictions[row + a], regret);
            if (weight > 0) add(tables_.average[row + a], weight * strategy[a * count + b]);
        }
    }
}

}  // namespace riverboat
