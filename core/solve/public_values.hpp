// Values of a strategy at the nodes of a tree, by bucket: public outcomes are sampled, and the walk
// carries vectors over all private hands of both players, who play the strategy. Two players.
//
// The value of a bucket at a node is the mean of the player's winnings over all hands of the
// bucket, all outcomes and all of the opponent's hands, weighted by the reach of both. Two tables
// have its sums: of value times weight, and of weights.
#pragma once

#include <memory>
#include <vector>

#include "solve/public_deal.hpp"
#include "solve/vector_walk.hpp"
#include "solve/walk.hpp"

namespace riverboat {

// Offsets of sums; -1 = no sums. `entered`: by the player's bucket at the action that leads to the
// node; `begun`: by the player's bucket at the node. They differ at the start of a street.
struct ValuePlaces {
    const std::int64_t* entered;  // [nodes, 2] first entry of each player
    const std::int64_t* begun;    // [nodes, 2]
};

struct ValueTables {
    double* worth;
    double* weight;
};

class PublicValues : public VectorWalk<PublicValues, float, 2, 2> {
  public:
    PublicValues(const Tree& tree, const Layout& layout, const PublicDealer& dealer);

    // strategy: probabilities in the order of the layout.
    void run(const Slice& slice, std::uint64_t seed, const float* strategy,
             const ValuePlaces& places, const ValueTables& tables);

  private:
    friend VectorWalk;
    using Rows = RowsByHand<float>;

    PublicValues(const Tree& tree, const Layout& layout, std::unique_ptr<PublicDeal> deal);
    template <typename F>
    static void with_role(const TreeNode& node, const F& f) {
        node.player == 0 ? f(Role<0, 0>{}) : f(Role<1, 1>{});
    }
    Rows strategy(const TreeNode& node, Stack& stack) const;
    void pay(std::int32_t index, const Reach& reach, const Values& out);
    void arrived(const TreeNode& node, std::int32_t child, const Reach& reach, const Reach& below,
                 const Values& value);
    void left(std::int32_t index, const Reach& reach, const Values& out);
    void keep(std::int64_t place, const TreeNode& node, int player, const float* own,
              const float* other, const float* worth);

    const Layout& layout_;
    std::unique_ptr<PublicDeal> deal_;
    std::vector<int> groups_;     // [streets, 2] group of each player
    std::vector<float> weights_;  // [hands] scratch
    const float* strategy_ = nullptr;
    ValuePlaces places_{};
    ValueTables tables_{};
};

}  // namespace riverboat
