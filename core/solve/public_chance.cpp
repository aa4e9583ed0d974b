#include "solve/public_chance.hpp"

#include <algorithm>
#include <utility>

namespace riverboat {
namespace {

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
    : PublicChance(tree, layout, dealer.start(), max_buckets) {}

PublicChance::PublicChance(const Tree& tree, const Layout& layout, std::unique_ptr<PublicDeal> deal,
                           std::uint32_t max_buckets)
    : VectorWalk(tree, deal->num_hands(), true),
      layout_(layout),
      deal_(std::move(deal)),
      present_(tree.groups().size()),
      place_(max_buckets, -1) {
    for (Present& present : present_) {
        present.place.resize(size());
        present.sorted.resize(size());
    }
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
    for (std::size_t hand = 0; hand < size(); ++hand) {
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
    for (std::size_t hand = 0; hand < size(); ++hand) {
        present.sorted[present.begins[present.place[hand]]++] = static_cast<std::int32_t>(hand);
    }
    present.begins.insert(present.begins.begin(), 0);
}

void PublicChance::traverse(int player) {
    player_ = player;
    const Stack::Mark mark(stack());
    float *ones = stack().take(size()), *out = stack().take(size());
    std::fill_n(ones, size(), 1.0f);
    walk(0, {deal_->chances(player), ones}, {out});
}

bool PublicChance::skips(const Reach& reach) const {
    return options_.rule != RegretRule::kPredictive && !any_reach(reach[kOther], size()) &&
           !any_reach(reach[kMine], size());
}

// Counterfactual values of the traverser's hands given the outcome.
void PublicChance::pay(std::int32_t index, const Reach& reach, const Values& out) {
    deal_->pay(tree(), index, player_, reach[kOther], out[0]);
}

PublicChance::Rows PublicChance::strategy(const TreeNode& node, Stack& stack) const {
    const Present& present = present_[node.group];
    float* rows = stack.take(present.buckets.size() * node.num_actions);
    match(node, rows);
    return {rows, present.buckets.size(), present.place.data()};
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

// values [actions, hands]. All hands of a bucket play alike, so its regrets follow from the
// sums of their values.
void PublicChance::finish(const TreeNode& node, const Rows& strategy, const Reach& reach,
                          const Values& values, const Values&) {
    const Present& present = present_[node.group];
    const std::size_t count = present.buckets.size();
    const std::size_t actions = node.num_actions;
    const bool plus =
        options_.rule == RegretRule::kPlus || options_.rule == RegretRule::kPredictive;
    for (std::size_t b = 0; b < count; ++b) {
        const std::size_t row = layout_.row(node, present.buckets[b]);
        const std::int32_t* sharing = &present.sorted[present.begins[b]];
        const std::int32_t num_sharing = present.begins[b + 1] - present.begins[b];
        const double weight =
            options_.average_weight * gathered_sum(reach[kMine], sharing, num_sharing);
        double sum[kMaxActions];
        for (std::size_t a = 0; a < actions; ++a) {
            sum[a] = gathered_sum(values[0] + a * size(), sharing, num_sharing);
        }
        double mean = 0;
        for (std::size_t a = 0; a < actions; ++a) mean += strategy.row(a)[b] * sum[a];
        for (std::size_t a = 0; a < actions; ++a) {
            const auto regret = static_cast<float>(sum[a] - mean);
            const float total = load(tables_.regrets[row + a]) + regret;
            store(tables_.regrets[row + a], plus ? std::max(total, 0.0f) : total);
            if (tables_.predictions != nullptr) store(tables_.predictions[row + a], regret);
            if (weight > 0) add(tables_.average[row + a], weight * strategy.row(a)[b]);
        }
    }
}

}  // namespace riverboat
