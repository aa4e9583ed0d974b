// Public deals: the card information of a solver with hand vectors.
//
// A public outcome is all public cards of a hand (the board). Given the outcome, each
// player holds one of num_hands() private hands, and the solver needs sums over the
// other player's hands. Two players.
//
// Vectors have one number per hand, in the deal's own order. P(mine, other) is
// the probability of a pair of hands given the public outcome; it is zero for
// hands that cannot be held at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "solve/deal.hpp"
#include "solve/hand_sums.hpp"

namespace riverboat {

// Whether some hand has a reach that is not 0.
inline bool any_reach(const float* reach, std::size_t hands) {
    return std::any_of(reach, reach + hands, [](float x) { return x != 0; });
}

// One public outcome and the room to work on it: one object for each thread.
class PublicDeal {
  public:
    virtual ~PublicDeal() = default;

    virtual void draw(Random& random) = 0;

    std::size_t num_hands() const { return num_hands_; }

    // [hands] bucket of each hand at the nodes of a group.
    const std::uint32_t* buckets(int group) const { return buckets_.data() + group * num_hands_; }

    // [hands] probability of each of a player's hands given the outcome.
    virtual const float* chances(int player) const = 0;

    // out[mine] = payoff * sum over other of P(mine, other) * reach[other].
    virtual void compatible(int player, const float* reach, float payoff, float* out) = 0;

    // out[mine] = sum over other of P(mine, other) * reach[other] * what the showdown pays.
    virtual void showdown(int player, const float* reach, const ShowdownPayoffs& payoffs,
                          float* out) = 0;

    // out[mine] = sum over other of P(mine, other) * reach[other] * what a terminal pays the
    // player.
    void pay(const Tree& tree, std::int32_t terminal, int player, const float* reach, float* out);

    // For display and tests: the outcome and the hands as text.
    virtual std::vector<int> outcome() const = 0;
    virtual int hand(std::size_t index) const = 0;

  protected:
    PublicDeal(std::size_t num_hands, std::size_t num_groups)
        : num_hands_(num_hands), buckets_(num_hands * num_groups) {}

    std::size_t num_hands_;
    std::vector<std::uint32_t> buckets_;  // [groups, hands]
};

inline void PublicDeal::pay(const Tree& tree, std::int32_t terminal, int player, const float* reach,
                            float* out) {
    if (!any_reach(reach, num_hands_)) {
        std::fill_n(out, num_hands_, 0.0f);
        return;
    }
    const TreeNode& node = tree.nodes()[terminal];
    const float* payoffs = &tree.payoffs()[node.payoffs];
    if (node.kind == NodeKind::kFold) return compatible(player, reach, payoffs[player], out);
    // Rows of a showdown: seat 0 wins, tie, seat 1 wins.
    const float first = payoffs[player], tie = payoffs[2 + player], second = payoffs[4 + player];
    showdown(
        player, reach,
        player == 0 ? ShowdownPayoffs{first, tie, second} : ShowdownPayoffs{second, tie, first},
        out);
}

// Makes public deals. Immutable: threads share it, and each starts a deal of its own.
class PublicDealer {
  public:
    virtual ~PublicDealer() = default;
    virtual std::unique_ptr<PublicDeal> start() const = 0;
};

// Public outcomes of a small game as explicit matrices.
struct PublicMatrices {
    std::size_t num_outcomes, num_hands;
    std::vector<double> weights;           // [outcomes, hands, hands] of (outcome, seat 0, seat 1)
    std::vector<std::uint32_t> strengths;  // [outcomes, hands] bigger is better
    std::vector<std::uint32_t> buckets;    // [outcomes, groups, hands]
};

class EnumeratedPublicDealer : public PublicDealer {
  public:
    // Weights are scaled to sum to 1. Throws GameError where the arrays do not fit the tree or
    // a bucket is not below its group's count.
    EnumeratedPublicDealer(const Tree& tree, const std::vector<std::uint32_t>& num_buckets,
                           PublicMatrices matrices);

    std::unique_ptr<PublicDeal> start() const override;

  private:
    class Outcome;

    std::size_t num_groups_;
    PublicMatrices matrices_;
    std::vector<double> cumulative_;     // [outcomes]
    std::vector<float> pairs_[2];        // by player: [outcomes, mine, other] P(mine, other)
    std::vector<float> chances_[2];      // by player: [outcomes, hands]
    std::vector<std::uint8_t> results_;  // [outcomes, mine, other] 0 win, 1 tie, 2 lose
};

}  // namespace riverboat
