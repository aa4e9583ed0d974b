// Values of a strategy at the nodes of a tree, by bucket: public outcomes are sampled, and the walk
// carries vectors over all private hands of both players, who play the strategy. Two players.
//
// The value of a bucket at a node is the mean of the player's winnings over all hands of the
// bucket, all outcomes and all of the opponent's hands, weighted by the reach of both. Two tables
// have its sums: of value times weight, and of weights.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "solve/public_deal.hpp"
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

class PublicValues {
  public:
    PublicValues(const Tree& tree, const Layout& layout, const PublicDealer& dealer);

    // strategy: probabilities in the order of the layout.
    void run(const Slice& slice, std::uint64_t seed, const float* strategy,
             const ValuePlaces& places, const ValueTables& tables);

  private:
    using Pair = float* const[2];

    void walk(std::int32_t index, const Pair& reach, const Pair& out);
    void pay(const TreeNode& node, const Pair& reach, const Pair& out);
    void keep(std::int64_t place, int player, int street, const Pair& reach, const float* worth);
    void probabilities(const TreeNode& node, float* out) const;

    std::size_t room(std::int32_t index) const;
    float* take(std::size_t floats) { return std::exchange(free_, free_ + floats); }

    const Tree& tree_;
    const Layout& layout_;
    std::unique_ptr<PublicDeal> deal_;
    std::size_t hands_;
    std::vector<int> groups_;     // [streets, 2] group of each player
    std::vector<float> weights_;  // [hands] scratch
    std::vector<float> room_;     // a stack of vectors, with free_ its top
    float* free_;
    const float* strategy_ = nullptr;
    ValuePlaces places_{};
    ValueTables tables_{};
};

}  // namespace riverboat
