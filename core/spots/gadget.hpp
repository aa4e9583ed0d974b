// Safe re-solving: a decision of one player, the opponent, before the root.
//
// Each of the opponent's hands has a value T from before re-solving. The gadget keeps the other
// player, whose range is fixed, from giving a hand more than T.
//
//   kResolve    Each hand enters or takes T; what enters is the opponent's reach (Burch, Johanson &
//               Bowling, "Solving imperfect information games using decomposition", AAAI 2014).
//   kMaxMargin  The opponent chooses the hand, and T is subtracted from its winnings, which
//               maximises the smallest margin T - value (Moravcik et al., "Refining subgames in
//               large imperfect information games", AAAI 2016).
//   kCombined   Hands enter or take T, but the reach is the opponent's range, part of what enters,
//               and a share spread evenly (Jackson's Slumbot, 2019). It has no guarantee.
//
// Choices are learned by regrets with the discounts of the walk, without predictions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spots/boards.hpp"
#include "spots/steps.hpp"

namespace riverboat::spots {

enum class GadgetMode { kResolve, kMaxMargin, kCombined };

struct GadgetOptions {
    int player = 0;  // the opponent
    GadgetMode mode = GadgetMode::kResolve;
    std::vector<double> values;  // [1326] T in chips, like the spot's values; may be infinite
    double cap = 0, even = 0;    // kCombined: maximum entry, even share, as fractions of the range
};

class Gadget {
  public:
    // pot: chips at the root; largest: the most that a player can win or lose from there on.
    Gadget(GadgetOptions options, const Board& root, const Weights& weights, double pot,
           double largest);

    int player() const { return options_.player; }

    // Training. The opponent's reach in this iteration, which is added to its average.
    std::span<const float> play(const Factors& factors);
    // A walk stores the values of entering here; then the entry regrets are updated.
    std::span<float> entered() { return entered_; }
    void learn(const Factors& factors);

    // The opponent's average reach at the root: [hands].
    std::vector<double> mean_reach() const;
    // EV in chips, from the values of entering: with the average or the best entry decision.
    double value(std::span<const double> entered, bool best) const;
    // The same for the other player, from their winnings times both reaches where hands entered.
    double other_value(double won) const;
    // Makes the best choice the average.
    void adopt_best(std::span<const double> entered);
    // T minus the value of entering, chips; nan for hands without an opposing hand.
    std::vector<double> margins(std::span<const double> entered) const;

    // regrets [hands] of a choice of hands, else [2, hands] of entering and of taking T; average
    // [hands + 1], the last is its weight.
    std::span<float> regrets() { return regrets_; }
    std::span<float> average() { return average_; }

  private:
    void check_values(const Board& root);
    void even_values(const Hands& hands, double largest);
    void set_terms(double largest);
    void set_scale(const Board& root, const Weights& weights);
    void choose();
    void choose_entries();
    void choose_hand();
    void combine();
    void learn_entries(const Factors& factors);
    void learn_hand(const Factors& factors);
    double deals(std::span<const double> reach) const;

    GadgetOptions options_;
    double pot_;
    std::size_t count_;
    std::vector<double> met_;          // [hands] reach of the opposing hands that the hand can meet
    std::vector<double> values_;       // [hands] T, chips
    std::vector<float> terms_;         // [hands] T times met, the unit of walks
    std::vector<float> least_, most_;  // [hands] bounds of choices: infinite T leave none
    std::vector<float> scale_;         // [hands] kMaxMargin: 1 / met, kCombined: the range
    std::vector<float> choice_, reach_;  // [hands] of this iteration
    std::vector<float> entered_;         // [hands]
    std::vector<float> regrets_, average_;
};

}  // namespace riverboat::spots
