// One hole pair against each other hole pair: exact wins and ties over all runouts of a board.
#pragma once

#include <cstdint>

#include "cards/boards.hpp"

namespace riverboat {

// points[h], kNumHoles of them: 2 * wins + ties of `hole` against the pair h, 0 where h shares a
// card with it or with the board. The hole pair must not share a card with the board.
void points_against_each(Hole hole, SuitMasks board, int board_cards, std::uint16_t* points);

}  // namespace riverboat
