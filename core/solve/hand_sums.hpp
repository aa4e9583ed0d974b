// Sums of an opponent's range over the hands that share no card with a hand.
//
// Hands that share a card are taken out through sums by card (inclusion and exclusion), in O(hands)
// for all; a showdown is one walk over the hands in ascending order of strength (Johanson et al.,
// "Accelerating Best Response Calculation in Large Extensive Games", 2011). Sums are double,
// because blockers are taken out by subtraction.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "cards/card.hpp"

namespace riverboat {

// What a showdown pays one player, in chips.
struct ShowdownPayoffs {
    double win, tie, lose;
};

// Weight of the hands swept so far: in total, and of hands with a given card.
struct CardSums {
    double all = 0;
    std::array<double, kNumCards> with{};

    void add(Hole hole, double weight) {
        all += weight;
        with[hole.low] += weight;
        with[hole.high] += weight;
    }
    // Weight of the hands without either card. The same hand is subtracted twice, so it is added
    // once.
    double without(Hole hole) const { return all - with[hole.low] - with[hole.high]; }
};

// out[hand] = scale * the reach of the opponent's hands that the hand can meet.
template <typename Real>
void sum_met(std::span<const Hole> holes, const Real* reach, double scale, Real* out) {
    CardSums sums;
    for (std::size_t h = 0; h < holes.size(); ++h) sums.add(holes[h], reach[h]);
    for (std::size_t h = 0; h < holes.size(); ++h) {
        out[h] = static_cast<Real>((sums.without(holes[h]) + reach[h]) * scale);
    }
}

// The same times what the showdown pays. Hands are in ascending order of strength, and `ends` are
// the ends of runs of equal strength. With W the weight of weaker hands, E of weaker or equal hands
// and C of all possible hands, the value is W * win + (E - W) * tie + (C - E) * lose.
// scratch: [hands].
template <typename Real>
void sum_showdown(std::span<const Hole> holes, std::span<const std::size_t> ends, const Real* reach,
                  const ShowdownPayoffs& payoffs, double scale, double* scratch, Real* out) {
    const double over_tie = (payoffs.win - payoffs.tie) * scale;
    const double over_loss = (payoffs.tie - payoffs.lose) * scale;
    const double loss = payoffs.lose * scale;
    CardSums sums;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        for (std::size_t h = begin; h < end; ++h) scratch[h] = sums.without(holes[h]) * over_tie;
        for (std::size_t h = begin; h < end; ++h) sums.add(holes[h], reach[h]);
        for (std::size_t h = begin; h < end; ++h) {
            scratch[h] += (sums.without(holes[h]) + reach[h]) * over_loss;
        }
        begin = end;
    }
    for (std::size_t h = 0; h < holes.size(); ++h) {
        out[h] = static_cast<Real>(scratch[h] + (sums.without(holes[h]) + reach[h]) * loss);
    }
}

}  // namespace riverboat
