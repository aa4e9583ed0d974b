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

#include <utility>
#include <vector>

#include "solve/public_deal.hpp"
#include "solve/rules.hpp"
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
class PublicChance {
  public:
    PublicChance(const Tree& tree, const Layout& layout, const PublicDealer& dealer,
                 std::uint32_t max_buckets);

    // Nodes are counted once for each hand.
    WalkCounts run(const Slice& slice, const PublicOptions& options, const PublicTables& tables);

  private:
    // The buckets that occur among the hands of a group.
    struct Present {
        std::vector<std::uint32_t> buckets;  // each once
        std::vector<std::int32_t> place;     // [hands] where in `buckets` the hand's stands
        std::vector<std::int32_t> sorted;    // [hands] hands, bucket by bucket ..
        std::vector<std::int32_t> begins;    // [buckets + 1] .. those of each from here
    };

    void draw(Random& random);
    void find_present(const std::uint32_t* buckets, Present& present);
    void traverse(int player);
    void walk(std::int32_t index, const float* own, const float* other, float* out);
    void own_node(const TreeNode& node, const float* own, const float* other, float* out);
    void other_node(const TreeNode& node, const float* own, const float* other, float* out);
    void match(const TreeNode& node, float* strategy) const;
    void update(const TreeNode& node, const float* strategy, const float* own, const float* values);
    void pay(const TreeNode& node, const float* other, float* out);

    std::size_t room(std::int32_t index) const;
    float* take(std::size_t floats) { return std::exchange(free_, free_ + floats); }

    const Tree& tree_;
    const Layout& layout_;
    std::unique_ptr<PublicDeal> deal_;
    std::size_t hands_;
    std::vector<Present> present_;     // by group
    std::vector<std::int32_t> place_;  // [buckets] scratch: -1 = not met yet
    std::vector<float> room_;          // a stack of vectors, with free_ its top
    float* free_;
    int player_ = 0;
    PublicOptions options_;
    PublicTables tables_{};
    std::uint64_t visited_ = 0;
};

}  // namespace riverboat
