// Chance-sampled CFR (Zinkevich, Johanson, Bowling & Piccione 2007): the deal is
// sampled, all actions of both players are walked. Two players.
#include "solve/walk.hpp"

namespace riverboat {
namespace {

class ChanceWalk {
  public:
    ChanceWalk(const Tree& tree, const Layout& layout, const WalkOptions& options,
               WalkTables tables)
        : tree_(tree), layout_(layout), options_(options), tables_(tables) {}

    Deal deal;

    void begin(int player, Random&) { player_ = player; }

    std::uint64_t run() {
        visited_ = 0;
        walk(0, 1, 1);
        return visited_;
    }

  private:
    // Value for the traverser; own and other are the players' reach probabilities.
    float walk(std::int32_t index, float own, float other) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return utility(tree_, index, deal, player_);
        // Nothing below changes any table; the value does not matter to anyone either.
        if (own == 0 && other == 0) return 0;
        ++visited_;
        const std::size_t row = layout_.row(node, deal);
        float strategy[kMaxActions], values[kMaxActions];
        match_regrets(tables_.regrets + row, node.num_actions, options_.floor, strategy);
        const bool mine = node.player == player_;
        float mean = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            values[a] = mine ? walk(node.first_child + a, own * strategy[a], other)
                             : walk(node.first_child + a, own, other * strategy[a]);
            mean += strategy[a] * values[a];
        }
        if (!mine) return mean;
        if (options_.average_weight * own > 0) collect(node, row, strategy, own);
        if (other == 0) return mean;
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.regrets[row + a], other * (values[a] - mean));
        }
        return mean;
    }

    void collect(const TreeNode& node, std::size_t row, const float* walked, float own) {
        float plain[kMaxActions];
        const float* strategy = averaged_strategy(options_, tables_.regrets + row,
                                                  node.num_actions, walked, plain);
        const double weight = options_.average_weight * own;
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], weight * strategy[a]);
        }
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    WalkTables tables_;
    std::uint64_t visited_ = 0;
    int player_ = 0;
};

}  // namespace

WalkCounts chance_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                           const WalkOptions& options, const Slice& slice, WalkTables tables) {
    ChanceWalk walk(tree, layout, options, tables);
    return run_walks(tree, dealer, slice, options.seed, walk);
}

}  // namespace riverboat
