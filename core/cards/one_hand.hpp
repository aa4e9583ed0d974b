// Exact river strength of one hole pair on every runout of a board, without tables.
//
// The numbers are those of the hand-strength tables: half-points 2 * win + tie against all 990
// opponent hands of a river, 0 .. kRiverPoints.
#pragma once

#include <cstdint>

#include "cards/boards.hpp"

namespace riverboat {

inline constexpr int kTurnRunOuts = 46;
inline constexpr int kFlopRunOuts = 1081;

// Number of runouts of a board of 3, 4 or 5 cards when two hole cards are known.
constexpr int num_run_outs(int board_cards) {
    return board_cards == 3 ? kFlopRunOuts : board_cards == 4 ? kTurnRunOuts : 1;
}

// points[i] of runout i. On the turn runouts are ordered by the river card; on the flop pairs
// (low, high) of live cards are ordered by high = 1, 2, .., then by low < high.
void run_out_points(Hole hole, SuitMasks board, int board_cards, std::uint16_t* points);

}  // namespace riverboat
