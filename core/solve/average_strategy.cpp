// Average-strategy sampling (Gibson, Burch, Lanctot & Szafron 2012): of the
// traverser's actions each is walked with a probability that grows with its
// share of the average strategy; one sampled action of the other player. The
// paper's setting is epsilon 0.05, tau 1000, beta 1e6. Two players.
#include <algorithm>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

class AverageStrategyWalk {
  public:
    AverageStrategyWalk(const Tree& tree, const Layout& layout, const WalkOptions& options,
                        WalkTables tables)
        : tree_(tree), layout_(layout), options_(options), tables_(tables) {}

    Deal deal;

    void begin(int player, Random& random) {
        player_ = player;
        random_ = &random;
    }

    std::uint64_t run() {
        visited_ = 0;
        walk(0, 1);
        return visited_;
    }

  private:
    // sampled: probability that the walk comes here by the traverser's choices.
    float walk(std::int32_t index, float sampled) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return utility(tree_, index, deal, player_) / sampled;
        ++visited_;
        const std::size_t row = layout_.row(node, deal);
        float strategy[kMaxActions];
        match_regrets(tables_.regrets + row, node.num_actions, options_.floor, strategy);
        if (node.player == player_) return own_node(node, row, strategy, sampled);
        if (options_.average_weight > 0) collect(node, row, strategy, sampled);
        return walk(node.first_child + draw_action(strategy, node.num_actions, *random_), sampled);
    }

    float own_node(const TreeNode& node, std::size_t row, const float* strategy, float sampled) {
        float values[kMaxActions], mean = 0;
        double total = options_.beta;
        for (int a = 0; a < node.num_actions; ++a) total += load(tables_.average[row + a]);
        for (int a = 0; a < node.num_actions; ++a) {
            const double share = options_.beta + options_.tau * load(tables_.average[row + a]);
            const float chance =
                std::min(1.0f, std::max(options_.epsilon, static_cast<float>(share / total)));
            const bool walked = static_cast<float>(random_->uniform()) < chance;
            values[a] = walked ? walk(node.first_child + a, sampled * chance) : 0;
            mean += strategy[a] * values[a];
        }
        for (int a = 0; a < node.num_actions; ++a) add(tables_.regrets[row + a], values[a] - mean);
        return mean;
    }

    void collect(const TreeNode& node, std::size_t row, const float* walked, float sampled) {
        float plain[kMaxActions];
        const float* strategy = averaged_strategy(options_, tables_.regrets + row,
                                                  node.num_actions, walked, plain);
        const double weight = options_.average_weight / sampled;
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], weight * strategy[a]);
        }
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    WalkTables tables_;
    Random* random_ = nullptr;
    std::uint64_t visited_ = 0;
    int player_ = 0;
};

}  // namespace

WalkCounts average_strategy_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                                     const WalkOptions& options, const Slice& slice,
                                     WalkTables tables) {
    AverageStrategyWalk walk(tree, layout, options, tables);
    return run_walks(tree, dealer, slice, options.seed, walk);
}

}  // namespace riverboat
