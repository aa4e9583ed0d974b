// Public-chance-sampled CFR (Johanson, Bard, Lanctot, Gibson & Bowling,
// "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual
// Regret Minimization", 2012): the public cards are sampled, and the walk
// carries vectors over all private hands of both players. Two players.
//
// An iteration draws one public outcome and walks all actions once for each
// player. Hands that share a bucket add their regrets and their contributions
// to the average, as the deals of one bucket do in the other schemes.
//
// Regret rules: kCfr and kDiscounted add (the caller discounts the whole table
// between slices); kPlus and kPredictive cut every touched infoset off at zero
// when its regrets are added. A prediction is the regret of the infoset's last
// visit. A subtree that neither player reaches is left out, except with
// predictions, which would have to be cleared there.
//
// Regrets are float, because tables are what fills the memory in hold'em; averages
// are double, because they only grow, and so are sums over hands, because blockers
// are taken out by subtraction.
#pragma once

#include <vector>

#include "solve/public_deal.hpp"
#include "solve/rules.hpp"
#include "solve/vector_walk.hpp"
#include "solve/walk.hpp"

namespace riverboat {

// Flat tables in the order of a Layout. predictions only for kPredictive.
struct PublicTables {
    float* regrets;
    double* average;
    float* predictions = nullptr;
};

struct PublicOptions {
    std::uint64_t seed = 0;
    RegretRule rule = RegretRule::kCfr;
    double average_weight = 1;  // of the strategies of this slice; 0 = not averaged
};

// Room for one thread's walks.
class PublicChance : public VectorWalk<PublicChance, float, 2, 1> {
  public:
    PublicChance(const Tree& tree, const Layout& layout, const PublicDealer& dealer,
                 std::uint32_t max_buckets);

    // Nodes are counted once for each hand.
    WalkCounts run(const Slice& slice, const PublicOptions& options, const PublicTables& tables);

  private:
    friend VectorWalk;
    // Reaches: the probability of each hand times the traverser's, for the average; the opponent's.
    enum { kMine, kOther };

    // The buckets that occur among the hands of a group.
    struct Present {
        std::vector<std::uint32_t> buckets;  // each once
        std::vector<std::int32_t> place;     // [hands] where in `buckets` the hand's stands
        std::vector<std::int32_t> sorted;    // [hands] hands, bucket by bucket ..
        std::vector<std::int32_t> begins;    // [buckets + 1] .. those of each from here
    };

    PublicChance(const Tree& tree, const Layout& layout, std::unique_ptr<PublicDeal> deal,
                 std::uint32_t max_buckets);
    void draw(Random& random);
    void find_present(const std::uint32_t* buckets, Present& present);
    void traverse(int player);
    template <typename F>
    void with_role(const TreeNode& node, const F& f) const {
        node.player == player_ ? f(Role<kMine, 0, true>{}) : f(Role<kOther>{});
    }
    using Rows = RowsByAction<float, std::int32_t>;  // [actions, present buckets]
    Rows strategy(const TreeNode& node, Stack& stack) const;
    void finish(const TreeNode& node, const Rows& strategy, const Reach& reach,
                const Values& values, const Values& out);
    void pay(std::int32_t index, const Reach& reach, const Values& out);
    bool skips(const Reach& reach) const;
    void match(const TreeNode& node, float* strategy) const;

    const Layout& layout_;
    std::unique_ptr<PublicDeal> deal_;
    std::vector<Present> present_;     // by group
    std::vector<std::int32_t> place_;  // [buckets] scratch: -1 = not met yet
    int player_ = 0;
    PublicOptions options_;
    PublicTables tables_{};
};

}  // namespace riverboat
