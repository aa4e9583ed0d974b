// Outcome-sampling MCCFR (Lanctot et al. 2009), epsilon-on-policy: one action at
// every node; the traverser explores with probability epsilon. Values are
// weighted by one over the probability of the sampled line. Any number of players.
#include "solve/walk.hpp"

namespace riverboat {
namespace {

class OutcomeWalk {
  public:
    OutcomeWalk(const Tree& tree, const Layout& layout, const WalkOptions& options,
                WalkTables tables)
        : tree_(tree), layout_(layout), options_(options), tables_(tables) {}

    Deal deal;

    void begin(int player, Random& random) {
        player_ = player;
        random_ = &random;
    }

    std::uint64_t run() {
        visited_ = 0;
        reach_.fill(1);
        walk(0, 1);
        return visited_;
    }

  private:
    struct Outcome {
        float value;  // utility over the probability of the sampled line
        float tail;   // probability of the rest of the line under the current strategies
    };

    // sampled: probability that the walk comes here.
    Outcome walk(std::int32_t index, float sampled) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) {
            return {utility(tree_, index, deal, player_) / sampled, 1};
        }
        ++visited_;
        const bool own = node.player == player_;
        const std::size_t row = layout_.row(node, deal);
        float strategy[kMaxActions], sampling[kMaxActions];
        match_regrets(tables_.regrets + row, node.num_actions, options_.floor, strategy);
        const float even = 1.0f / static_cast<float>(node.num_actions);
        for (int a = 0; a < node.num_actions; ++a) {
            sampling[a] = own ? options_.epsilon * even + (1 - options_.epsilon) * strategy[a]
                              : strategy[a];
        }
        const int action = draw_action(sampling, node.num_actions, *random_);
        if (!own) collect(node, row, strategy, sampled);
        const float reach = reach_[node.player];
        reach_[node.player] = reach * strategy[action];
        const Outcome below = walk(node.first_child + action, sampled * sampling[action]);
        reach_[node.player] = reach;
        if (own) update(node, row, strategy, action, below);
        return {below.value, below.tail * strategy[action]};
    }

    void update(const TreeNode& node, std::size_t row, const float* strategy, int action,
                const Outcome& below) {
        float others = 1;
        for (int seat = 0; seat < tree_.num_players(); ++seat) {
            if (seat != player_) others *= reach_[seat];
        }
        const float weighted = below.value * others * below.tail;
        for (int a = 0; a < node.num_actions; ++a) {
            const float regret = a == action ? 1 - strategy[action] : -strategy[action];
            add(tables_.regrets[row + a], weighted * regret);
        }
    }

    // With n players a node is met in n - 1 traversals of others, with all of
    // whom its own player's reach over the sampled probability is unbiased.
    void collect(const TreeNode& node, std::size_t row, const float* walked, float sampled) {
        const double weight = options_.average_weight * reach_[node.player] / sampled;
        if (weight == 0) return;
        float plain[kMaxActions];
        const float* strategy = averaged_strategy(options_, tables_.regrets + row,
                                                  node.num_actions, walked, plain);
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], weight * strategy[a]);
        }
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    WalkTables tables_;
    Random* random_ = nullptr;
    std::array<float, kMaxPlayers> reach_{};
    std::uint64_t visited_ = 0;
    int player_ = 0;
};

}  // namespace

WalkCounts outcome_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                            const WalkOptions& options, const Slice& slice, WalkTables tables) {
    OutcomeWalk walk(tree, layout, options, tables);
    return run_walks(tree, dealer, slice, options.seed, walk);
}

}  // namespace riverboat
