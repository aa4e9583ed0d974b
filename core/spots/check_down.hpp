// Shares of the pot if nobody bets any more, of all hands of two ranges at once.
#pragma once

#include <span>

#include "cards/card.hpp"
#include "game/spec.hpp"

namespace riverboat::spots {

// reach, out [2, 1326] by player; out is nan where a hand cannot be, or meets nobody. Throws
// GameError where the board is none of the game's.
void check_down(const GameSpec& spec, std::span<const Card> board, const double* reach,
                double* out);

}  // namespace riverboat::spots
