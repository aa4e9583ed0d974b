// The trained response: external-sampling MCCFR (Lanctot et al. 2009) for one
// player while the others stand still. Not a best response: with buckets that
// forget there is no backward induction, and a maximum over sampled values
// would be biased upward. What it wins on fresh deals is a lower bound.
#include "solve/response.hpp"

#include <algorithm>

#include "solve/tables.hpp"

namespace riverboat {
namespace {

class ResponseWalk {
  public:
    ResponseWalk(const Tree& tree, const Layout& layout, int player, double weight,
                 ResponseTables tables)
        : tree_(tree), nodes_(tree.nodes().data()), layout_(layout), tables_(tables),
          player_(player), weight_(weight) {}

    Deal deal;

    std::uint64_t run(Random& random) {
        visited_ = 0;
        walk(0, 1, random);
        return visited_;
    }

  private:
    float walk(std::int32_t index, float reach, Random& random) {
        const TreeNode& node = nodes_[index];
        if (node.kind != NodeKind::kDecision) return utility(tree_, index, deal, player_);
        ++visited_;
        const std::size_t row = layout_.row(node, deal);
        if (node.player == player_) return own_node(node, row, reach, random);
        const int action = draw_action(tables_.frozen + row, node.num_actions, random);
        return walk(node.first_child + action, reach, random);
    }

    float own_node(const TreeNode& node, std::size_t row, float reach, Random& random) {
        float strategy[kMaxActions], values[kMaxActions];
        match_regrets(tables_.regrets + row, node.num_actions, 0, strategy);
        float mean = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            values[a] = walk(node.first_child + a, reach * strategy[a], random);
            mean += strategy[a] * values[a];
        }
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.regrets[row + a], values[a] - mean);
            if (reach > 0) add(tables_.average[row + a], weight_ * reach * strategy[a]);
        }
        return mean;
    }

    const Tree& tree_;
    const TreeNode* nodes_;
    const Layout& layout_;
    ResponseTables tables_;
    int player_;
    double weight_;
    std::uint64_t visited_ = 0;
};

// Expected value over all actions of everybody; branches that nobody takes are left out.
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
    ResponseWalk walk(tree, layout, player, weight, tables);
    WalkCounts counts;
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
        Random random(seed, t);
        dealer.draw(random, walk.deal);
        counts.nodes += walk.run(random);
    }
    return counts;
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
