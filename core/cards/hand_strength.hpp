// Exact strength of every hole pair on every canonical board against one
// unknown hand, as integer counts.
//
// A cell holds (win, tie): how many (runout, opponent hand) pairs the hole
// beats or ties. There are 990 of them on the river, 46 * 990 on the turn and
// 1,081 * 990 on the flop. The half-points 2 * win + tie of a hole on one river
// (0 .. 1,980) are its strength there; `square` sums their squares over the
// runouts. Hole pairs that share a card with the board are marked kDead.
#pragma once

#include <cstdint>

#include "cards/boards.hpp"
#include "cards/evaluator.hpp"

namespace riverboat {

template <typename Count>
struct WinTie {
    Count win;
    Count tie;
};
using RiverCell = WinTie<std::uint16_t>;  // also the turn's: 46 * 990 < 2^16
using FlopCell = WinTie<std::uint32_t>;   // also the preflop's: 2,097,572,400 < 2^32

inline constexpr std::uint16_t kDead16 = 0xffff;
inline constexpr std::uint32_t kDead32 = 0xffffffff;
inline constexpr int kRiverOpponents = 990;
inline constexpr int kRiverPoints = 2 * kRiverOpponents;

// A row has kNumHoles cells. Each fills rows begin .. end - 1 of a table that
// starts at row `begin`; the tables of later streets are complete.
void river_strengths(int begin, int end, RiverCell* cells);
void turn_strengths(int begin, int end, const RiverCell* river, RiverCell* cells,
                    std::uint32_t* square);
void flop_strengths(int begin, int end, const RiverCell* turn, const std::uint32_t* turn_square,
                    FlopCell* cells, std::uint32_t* square);
void preflop_strengths(const FlopCell* flop, const std::uint32_t* flop_square, FlopCell* cells,
                       std::uint64_t* square);

// Distribution of river strength over the runouts of `num_boards` boards of
// num_cards (3 or 4) cards: histograms[board, hole, bin_of[points]] counts.
// bin_of has kRiverPoints + 1 entries below num_bins.
void run_out_histograms(int num_cards, const std::uint32_t* boards, int num_boards,
                        const RiverCell* river, const std::uint16_t* bin_of, int num_bins,
                        std::uint16_t* histograms);

}  // namespace riverboat
