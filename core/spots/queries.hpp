// Small sums over hands that the engine and its queries share.
#pragma once

#include <vector>

#include "spots/boards.hpp"

namespace riverboat::spots {

// The range weights of a player's hands on the root board.
std::vector<double> root_reach(const Board& root, const Weights& weights, int player);

// Total reach of the opponent's hands that each of the player's hands can meet.
std::vector<double> hands_met(const Board& board, int player, const std::vector<double>& reach);

}  // namespace riverboat::spots
