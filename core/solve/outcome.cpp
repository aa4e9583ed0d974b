// Outcome-sampling MCCFR (Lanctot et al. 2009), epsilon-on-policy: one action at
// every node; the traverser explores with probability epsilon. Values are
// weighted by one over the probability of the sampled line. Any number of players.
// Not external sampling: no action is compared with another in one walk.
#include "solve/walk.hpp"

namespace riverboat {
namespace {

struct Outcome {
    float value;  // utility over the probability of the sampled line
    float tail;   // probability of the rest of the line under the current strategies
};

class OutcomeWalk : public Walk<OutcomeWalk, Sampled, WalkTables> {
  public:
    using Walk::Walk;

    void traverse() {
        reach_.fill(1);
        walk(0, {});
    }

    Outcome pay(std::int32_t index, Sampled sampled) const {
        return {utility(tree_, index, *deal_, player_) / sampled.chance, 1};
    }

    Outcome own(Decision at, const Strategy& strategy, Sampled sampled) {
        const float even = 1.0f / static_cast<float>(at.node.num_actions);
        Strategy sampling;
        for (int a = 0; a < at.node.num_actions; ++a) {
            sampling[a] = options_.epsilon * even + (1 - options_.epsilon) * strategy[a];
        }
        const int action = draw(at, sampling);
        const Outcome below = follow(at, action, strategy, {sampled.chance * sampling[action]});
        update(at, strategy, action, below);
        return {below.value, below.tail * strategy[action]};
    }

    // With n players a node is visited in n - 1 traversals of opponents; in each of them the
    // player's own reach divided by the sampling probability is an unbiased weight.
    Outcome other(Decision at, const Strategy& strategy, Sampled sampled) {
        const int action = draw(at, strategy);
        const double weight = options_.average_weight * reach_[at.node.player] / sampled.chance;
        if (weight != 0) collect(at, strategy, weight);
        const Outcome below = follow(at, action, strategy, {sampled.chance * strategy[action]});
        return {below.value, below.tail * strategy[action]};
    }

  private:
    Outcome follow(Decision at, int action, const Strategy& strategy, Sampled sampled) {
        float& reach = reach_[at.node.player];
        const float kept = reach;
        reach = kept * strategy[action];
        const Outcome below = walk(at.node.first_child + action, sampled);
        reach = kept;
        return below;
    }

    void update(Decision at, const Strategy& strategy, int action, const Outcome& below) {
        float others = 1;
        for (int seat = 0; seat < tree_.num_players(); ++seat) {
            if (seat != player_) others *= reach_[seat];
        }
        const float weighted = below.value * others * below.tail;
        for (int a = 0; a < at.node.num_actions; ++a) {
            const float regret = a == action ? 1 - strategy[action] : -strategy[action];
            add(tables_.regrets[at.row + a], weighted * regret);
        }
    }

    std::array<float, kMaxPlayers> reach_{};
};

}  // namespace

WalkCounts outcome_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                            const WalkOptions& options, const Slice& slice, WalkTables tables) {
    return OutcomeWalk(tree, layout, options, tables).run(dealer, slice);
}

}  // namespace riverboat
