#include "spots/layout.hpp"

#include <algorithm>

#include "spots/engine.hpp"

namespace riverboat::spots {
namespace {

std::uint64_t count_hands(const Boards& boards, const Board& board, int player) {
    std::uint64_t dealt = 0;
    for (const Card card : boards.dealt(board)) dealt |= card_bit(card);
    const auto& holes = boards[0].hands[player].hole;
    return std::ranges::count_if(
        holes, [dealt](std::uint16_t hole) { return (kHoles[hole].mask() & dealt) == 0; });
}

// Offsets of boards up to a street; rows: by street.
std::vector<std::uint64_t> begins(const Boards& boards, int player, int last_street,
                                  const std::vector<std::int32_t>& rows) {
    std::vector<std::uint64_t> found{0};
    for (const Board& board : boards.all()) {
        if (board.street > last_street) break;
        const std::uint64_t size = rows[board.street] * count_hands(boards, board, player);
        found.push_back(found.back() + size);
    }
    return found;
}

}  // namespace

std::vector<std::int32_t> value_rows(const Tree& tree) {
    std::vector<std::int32_t> rows, counts(tree.spec().streets, 0);
    for (const auto street : tree.streets()) rows.push_back(counts[street]++);
    return rows;
}

std::vector<std::uint64_t> strategy_begins(const Tree& tree, const Boards& boards, int player) {
    std::vector<std::int32_t> rows;
    for (const auto& counts : count_table_rows(tree))
        rows.push_back(static_cast<std::int32_t>(counts[player]));
    return begins(boards, player, boards.last_street(), rows);
}

std::vector<std::uint64_t> value_begins(const Tree& tree, const Boards& boards, int player) {
    std::vector<std::int32_t> rows(tree.spec().streets, 0);
    for (const auto street : tree.streets()) ++rows[street];
    return begins(boards, player, boards.last_street() - 1, rows);
}

SpotLayout::SpotLayout(std::shared_ptr<const Tree> tree, std::vector<Card> board,
                       const Weights& weights, bool isomorphism)
    : tree_((check_spot(*tree, board), std::move(tree))),
      boards_(tree_->spec(), tree_->streets()[0], std::move(board), weights, isomorphism, pool_,
              false) {}

}  // namespace riverboat::spots
