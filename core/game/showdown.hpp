// Comparison of hands by the variant's showdown rule.
#pragma once

#include <array>

#include "game/hand.hpp"

namespace riverboat {

// Strength of a hand by the game's showdown rule: bigger is better, equal is a tie. Every card must
// be known.
std::uint32_t showdown_strength(const GameSpec& spec, const Card* hole, int hole_count,
                                const Card* board, int board_count);

// Strength of a seat's hand at the showdown: bigger is better, equal is a tie.
// Every card of the seat and of the board must be known.
std::uint32_t showdown_strength(const Hand& hand, int seat);

// The owner of the first unknown card that a showdown needs: a live seat
// 0 .. players - 1, kMaxPlayers for a board card, -1 if all are known.
int missing_for_showdown(const Hand& hand);

}  // namespace riverboat
