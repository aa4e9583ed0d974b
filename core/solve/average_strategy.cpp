// Average-strategy sampling (Gibson, Burch, Lanctot & Szafron 2012): of the
// traverser's actions each is walked with a probability that grows with its
// share of the average strategy; one sampled action of the other player. The
// paper's setting is epsilon 0.05, tau 1000, beta 1e6. Two players. Not external
// sampling: the value of a skipped action counts as 0, that of others is divided by
// their probability.
#include <algorithm>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

// Reach: sampling probability of the traverser's actions only.
class AverageStrategyWalk : public Walk<AverageStrategyWalk, Sampled, WalkTables> {
  public:
    using Walk::Walk;

    float pay(std::int32_t index, Sampled sampled) const {
        return utility(tree_, index, *deal_, player_) / sampled.chance;
    }

    float own(Decision at, const Strategy& strategy, Sampled sampled) {
        const double* average = tables_.average + at.row;
        float values[kMaxActions], mean = 0;
        double total = options_.beta;
        for (int a = 0; a < at.node.num_actions; ++a) total += load(average[a]);
        for (int a = 0; a < at.node.num_actions; ++a) {
            const double share = options_.beta + options_.tau * load(average[a]);
            const float chance =
                std::min(1.0f, std::max(options_.epsilon, static_cast<float>(share / total)));
            const bool walked = static_cast<float>(random_.uniform()) < chance;
            values[a] = walked ? walk(at.node.first_child + a, {sampled.chance * chance}) : 0;
            mean += strategy[a] * values[a];
        }
        for (int a = 0; a < at.node.num_actions; ++a) {
            add(tables_.regrets[at.row + a], values[a] - mean);
        }
        return mean;
    }

    float other(Decision at, const Strategy& strategy, Sampled sampled) {
        if (options_.average_weight > 0) {
            collect(at, strategy, options_.average_weight / sampled.chance);
        }
        return walk(at.node.first_child + draw(at, strategy), sampled);
    }
};

}  // namespace

WalkCounts average_strategy_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                                     const WalkOptions& options, const Slice& slice,
                                     WalkTables tables) {
    return AverageStrategyWalk(tree, layout, options, tables).run(dealer, slice);
}

}  // namespace riverboat
