// Exact river strength of one hole pair on every run-out of a board, without tables.
//
// The numbers are those of the hand-strength tables: half-points 2 * win + tie against all 990
// opponent hands of a river, 0 .. kRiverPoints.
#pragma once

#include <cstdint>

#include "cards/boards.hpp"

namespace riverboat {

inline constexpr int kTurnRunOuts = 46;
inline constexpr int kFlopRunOuts = 1081;

// How many ways a board of 3, 4 or 5 cards can be completed once two hole cards are known.
constexpr int num_run_outs(int board_cards) {
    return board_cards == 3 ? kFlopRunOuts : board_cards == 4 ? kTurnRunOuts : 1;
}

// points[i] of run-out i. Run-outs are in the order of their cards: on the turn the missing card
// ascends; on the flop (low, high) come as high = 1, 2, .. and low < high among the live cards.
void run_out_points(Hole hole, SuitMasks board, int board_cards, std::uint16_t* points);

}  // namespace riverboat
