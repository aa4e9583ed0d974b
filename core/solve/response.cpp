// The trained response: external-sampling MCCFR (Lanctot et al. 2009) for one
// player against fixed strategies. Not a best response: with imperfect recall
// there is no backward induction, and a maximum over sampled values would be
// biased upward. Its winnings on new deals are a lower bound.
#include "solve/response.hpp"

#include <algorithm>

#include "solve/tables.hpp"

namespace riverboat {
namespace {

// The responding player's own reach.
struct OwnReach {
    float probability = 1;
};

class ResponseWalk : public Walk<ResponseWalk, OwnReach, ResponseTables> {
  public:
    ResponseWalk(const Tree& tree, const Layout& layout, const WalkOptions& options, int responder,
                 ResponseTables tables)
        : Walk(tree, layout, options, tables), responder_(responder) {}

    void traverse() {
        if (player_ == responder_) walk(0, {});
    }

    Strategy current(Decision at) const {
        if (at.node.player == player_) return Walk::current(at);
        Strategy frozen;
        std::copy_n(tables_.frozen + at.row, at.node.num_actions, frozen.begin());
        return frozen;
    }

    float own(Decision at, const Strategy& strategy, OwnReach reach) {
        float values[kMaxActions], mean = 0;
        for (int a = 0; a < at.node.num_actions; ++a) {
            values[a] = walk(at.node.first_child + a, {reach.probability * strategy[a]});
            mean += strategy[a] * values[a];
        }
        for (int a = 0; a < at.node.num_actions; ++a) {
            add(tables_.regrets[at.row + a], values[a] - mean);
        }
        const double weight = options_.average_weight * reach.probability;
        if (reach.probability > 0) collect(at, strategy, weight);
        return mean;
    }

    float other(Decision at, const Strategy& strategy, OwnReach reach) {
        return walk(at.node.first_child + draw(at, strategy), reach);
    }

  private:
    int responder_;
};

// Expected value over all actions of all players; skips branches with probability 0.
struct Score {
    const Tree& tree;
    const Layout& layout;
    int player;
    const float* own;
    const float* others;
    Deal deal{};

    double walk(std::int32_t index) const {
        const TreeNode& node = tree.nodes()[index];
        if (node.kind != NodeKind::kDecision) return utility(tree, index, deal, player);
        const float* strategy = (node.player == player ? own : others) + layout.row(node, deal);
        double value = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            if (strategy[a] > 0) value += double{strategy[a]} * walk(node.first_child + a);
        }
        return value;
    }
};

}  // namespace

WalkCounts train_response(const Tree& tree, const Layout& layout, const Dealer& dealer, int player,
                          std::uint64_t seed, double weight, const Slice& slice,
                          ResponseTables tables) {
    const WalkOptions options{.seed = seed, .average_weight = weight};
    return ResponseWalk(tree, layout, options, player, tables).run(dealer, slice);
}

void score_deals(const Tree& tree, const Layout& layout, const Dealer& dealer, int player,
                 const float* own, const float* others, std::uint64_t seed, std::uint64_t first,
                 std::size_t num_deals, double* values) {
    Score score{tree, layout, player, own, others};
    for (std::size_t i = 0; i < num_deals; ++i) {
        Random random(seed, first + i);
        dealer.draw(random, score.deal);
        values[i] = score.walk(0);
    }
}

void most_likely_actions(const Tree& tree, const Layout& layout,
                         const std::vector<std::uint32_t>& num_buckets, const double* weights,
                         float* strategy) {
    for_each_infoset(tree, layout, num_buckets, [&](std::size_t row, int num_actions, int) {
        const double* first = weights + row;
        const auto heaviest = std::max_element(first, first + num_actions) - first;
        const bool trained = first[heaviest] > 0;
        for (int a = 0; a < num_actions; ++a) {
            strategy[row + a] = trained ? static_cast<float>(a == heaviest)
                                        : 1.0f / static_cast<float>(num_actions);
        }
    });
}

}  // namespace riverboat
