// The order of strategies and values outside an engine: in a solution file, and in its export.
//
// A player's hands on a board are the hands of the range that the board does not block, by number.
// Board by board, strategies are [entries of the player's decisions on the street, hands], and
// values before the last street are [nodes of the street, hands].
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spots/boards.hpp"
#include "tree/tree.hpp"
#include "util/pool.hpp"

namespace riverboat::spots {

// [nodes] row of a node's values among those of its street.
std::vector<std::int32_t> value_rows(const Tree& tree);

// [boards + 1] offset of each board's strategies of a player.
std::vector<std::uint64_t> strategy_begins(const Tree& tree, const Boards& boards, int player);

// [boards before the last street + 1] offset of each board's values of a player.
std::vector<std::uint64_t> value_begins(const Tree& tree, const Boards& boards, int player);

// The boards of a spot, without an engine.
class SpotLayout {
  public:
    SpotLayout(std::shared_ptr<const Tree> tree, std::vector<Card> board, const Weights& weights,
               bool isomorphism);
    const Tree& tree() const { return *tree_; }
    const Boards& boards() const { return boards_; }

  private:
    std::shared_ptr<const Tree> tree_;
    Pool pool_{1, Pool::kPatient};
    Boards boards_;
};

}  // namespace riverboat::spots
