// Shares of the pot without further betting, for all hands of two ranges.
#pragma once

#include <span>

#include "cards/card.hpp"
#include "game/spec.hpp"

namespace riverboat::spots {

// reach, out [2, 1326] by player; out is nan for impossible hands and for hands without an opposing
// hand. Throws GameError if the board does not fit the game.
void check_down(const GameSpec& spec, std::span<const Card> board, const double* reach,
                double* out);

}  // namespace riverboat::spots
