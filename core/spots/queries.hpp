// Questions to a spot engine: values, equities, reaches and strategies at a node on a board.
//
// Rows are [1326], by hole pair; impossible hands are nan, or have reach 0. `cards` are those dealt
// since the root.
#pragma once

#include <cstdint>
#include <span>

#include "spots/engine.hpp"

namespace riverboat::spots {

using Cards = std::span<const Card>;

// The node; throws GameError if there is none, or if it is no decision where one is needed.
const TreeNode& checked_node(const Tree& tree, std::int32_t node, bool decision);

// The board at a node. Throws GameError unless the cards are those before the node.
FoundBoard board_at(const SpotEngine& engine, std::int32_t node, Cards cards);

// EV of a player's hands at a node if both players play their averages from there on: the share of
// the pot there, minus later chips. best_values: the player plays a best response instead.
void values(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out);
void best_values(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out);
// out [actions, 1326]
void action_values(SpotEngine& engine, std::int32_t node, Cards cards, double* out);
void equity(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out);
void reach(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out);
// out [actions, 1326]
void strategy(SpotEngine& engine, std::int32_t node, Cards cards, float* out);

// All decisions of a player on a board, in the order of tables: [entries, hands by number].
void board_strategies(SpotEngine& engine, int player, Cards cards, std::span<float> out);

// EV of all actions before the last street for each hand of the player, in one walk, times the
// reach of the opposing hands. out: board by board, [nodes of its street, hands], recorded_size
// numbers; rows of nodes that do not follow an action are left unchanged.
std::uint64_t recorded_size(const SpotEngine& engine, int player);
void record_values(SpotEngine& engine, int player, double* out);

// The gadget's values minus the best response's EV of each hand, chips.
void margins(SpotEngine& engine, double* out);

}  // namespace riverboat::spots
