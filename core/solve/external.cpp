// External-sampling MCCFR (Lanctot, Waugh, Zinkevich & Bowling 2009): all actions
// of the traverser, one sampled action of each opponent.
// Average strategy: with two players a traversal visits the opponent's nodes with
// the probability of the opponent's own reach, and updates their average there.
// With more players it does not, because the third player is sampled, too: a second
// walk then updates the traverser's own average, with the traverser's actions
// sampled and all actions of the opponents, as in Pluribus. In large trees it visits
// far more nodes, so it follows only a random part of the traversals; the average
// keeps its expectation up to a common factor.
// Optional: negative-regret pruning in most traversals, as in Pluribus (Brown &
// Sandholm 2019). Unlike Pluribus, traversals without pruning weight the regrets
// below such actions by the inverse of their probability: regrets stay unbiased, and
// an action that has become good returns.
// Optional: extra traversals. Actions that opponents never take lead to nodes that
// are never trained. Sometimes another action of the opponent is walked besides the
// sampled one; regrets below it enter the tables with a small weight (a trembling
// hand), and its value is not used above.
// Not outcome sampling: no other importance weights.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

class ExternalWalk : public Walk<ExternalWalk, Nothing, WalkTables> {
  public:
    using Walk::Walk;

    void traverse() {
        may_prune_ = options_.prune_below < 0;
        pruning_ = may_prune_ && random_.uniform() < options_.prune_probability;
        scale_ = 1;
        walk(0, {});
        collect_own();
    }

    float own(Decision at, const Strategy& strategy, Nothing) {
        float values[kMaxActions];
        float scales[kMaxActions];  // of the action's regret; 0 = skipped
        float mean = 0;
        for (int a = 0; a < at.node.num_actions; ++a) {
            const bool rare = may_prune_ && is_rare(at, a, strategy[a]);
            scales[a] = !rare ? scale_ : pruning_ ? 0 : 1 / (1 - options_.prune_probability);
            if (scales[a] == 0) continue;
            values[a] = scaled_walk(at.node.first_child + a, scales[a]);
            mean += strategy[a] * values[a];
        }
        for (int a = 0; a < at.node.num_actions; ++a) {
            if (scales[a] == 0) continue;
            float change = scales[a] * (values[a] - mean);
            if (options_.plus) change = std::max(change, -load(tables_.regrets[at.row + a]));
            add(tables_.regrets[at.row + a], change);
        }
        return mean;
    }

    float other(Decision at, const Strategy& strategy, Nothing) {
        if (tree_.num_players() == 2 && options_.average_weight > 0) {
            collect(at, strategy, options_.average_weight * scale_);
        }
        const int action = draw(at, strategy);
        if (options_.explore > 0 && random_.uniform() < options_.explore) walk_aside(at, action);
        return walk(at.node.first_child + action, {});
    }

    int enter(Decision at) {
        const Strategy strategy = current(at);
        collect(at, strategy, options_.average_weight * scale_);
        return draw(at, strategy);
    }

  private:
    // Walks another action than `taken`; drawn uniformly from all actions.
    void walk_aside(Decision at, int taken) {
        const auto action = static_cast<int>(random_.uniform() * at.node.num_actions);
        const std::int32_t child = at.node.first_child + action;
        if (action == taken || nodes_[child].kind != NodeKind::kDecision) return;
        scaled_walk(child, scale_ * options_.explore_weight);
    }

    float scaled_walk(std::int32_t index, float scale) {
        const float kept = scale_;
        scale_ = scale;
        const float value = walk(index, {});
        scale_ = kept;
        return value;
    }

    // Actions that end the hand are never skipped, nor any on the last street.
    bool is_rare(Decision at, int action, float probability) const {
        const std::int32_t child = at.node.first_child + action;
        return probability == 0 && nodes_[child].kind == NodeKind::kDecision &&
               tree_.streets()[child] + 1 < tree_.spec().streets &&
               load(tables_.regrets[at.row + action]) < options_.prune_below;
    }

    bool may_prune_ = false, pruning_ = false;
    float scale_ = 1;  // of what enters the tables here
};

// Mean numbers of decisions that a traversal and a collecting walk enter under uniform play.
struct WalkSizes {
    const Tree& tree;
    int player = 0;
    double traversal = 0, collecting = 0;

    // own, others: reach of the player, and of all opponents together.
    void add(std::int32_t index, double own, double others) {
        const TreeNode& node = tree.nodes()[index];
        if (node.kind != NodeKind::kDecision) return;
        traversal += others;
        collecting += own;
        (node.player == player ? own : others) /= node.num_actions;
        for (int a = 0; a < node.num_actions; ++a) add(node.first_child + a, own, others);
    }
};

}  // namespace

std::uint32_t collecting_interval(const Tree& tree) {
    if (tree.num_players() == 2) return 1;
    WalkSizes sizes{tree};
    for (int player = 0; player < tree.num_players(); ++player) {
        sizes.player = player;
        sizes.add(0, 1, 1);
    }
    const double most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(
        std::clamp(std::round(sizes.collecting / sizes.traversal), 1.0, most));
}

WalkCounts external_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                             const WalkOptions& options, const Slice& slice, WalkTables tables) {
    return ExternalWalk(tree, layout, options, tables).run(dealer, slice);
}

}  // namespace riverboat
