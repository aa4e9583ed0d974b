// Equity: how often each of several ranges of hands wins, ties and loses.
//
// Exact counts by enumeration of hands and runouts, or seeded Monte-Carlo. The
// joint weight of a deal is the product of the players' weights for hands that
// share no card with each other, the board or the dead cards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cards/run_outs.hpp"

namespace riverboat {

// A player's weights, kNumHoles of them, none negative.
using Weights = std::span<const double>;

// Sums over deals, in joint weight (exact) or samples (Monte-Carlo).
struct EquitySums {
    double total = 0;
    std::vector<double> win, tie;              // [players]
    std::vector<double> share, share_squared;  // [players]; a tie among k players is 1/k each

    explicit EquitySums(std::size_t players)
        : win(players), tie(players), share(players), share_squared(players) {}
};

// Throws CardError if board and dead cards share a card, the board has 1, 2 or more than 5 cards,
// or a player has no possible hand.
Table make_table(std::span<const Card> board, std::span<const Card> dead,
                 std::span<const Weights> players);

// Approximate work of exact_equity, in hand evaluations.
double exact_work(const Table& table, std::span<const Weights> players);

// All deals whose runout has its highest card in [begin, end) of 0..52.
EquitySums exact_equity(const Table& table, std::span<const Weights> players, int begin, int end);

// `samples` deals from the stream (seed, stream). Throws CardError if the ranges
// have no joint holding.
EquitySums sampled_equity(const Table& table, std::span<const Weights> players,
                          std::int64_t samples, std::uint64_t seed, std::uint64_t stream);

}  // namespace riverboat
