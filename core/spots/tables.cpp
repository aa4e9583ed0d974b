#include "spots/tables.hpp"

namespace riverboat::spots {

RowCounts count_table_rows(const Tree& tree) {
    RowCounts rows(tree.spec().streets);
    for (const TreeGroup& group : tree.groups()) rows[group.street][group.player] = group.entries;
    return rows;
}

std::array<std::uint64_t, 2> place_boards(Boards& boards, const RowCounts& rows) {
    std::array<std::uint64_t, 2> sizes{};
    for (std::size_t i = 0; i < boards.all().size(); ++i) {
        Board& board = boards[static_cast<std::int32_t>(i)];
        for (int player = 0; player < 2; ++player) {
            board.base[player] = sizes[player];
            sizes[player] += rows[board.street][player] * board.hands[player].padded;
        }
    }
    return sizes;
}

Tables::Tables(std::array<std::uint64_t, 2> sizes, bool predictive, Pool& pool)
    : predictive_(predictive) {
    for (int player = 0; player < 2; ++player) {
        regrets_[player] = Arena(sizes[player] * sizeof(float));
        average_[player] = Arena(sizes[player] * sizeof(float));
        if (predictive) predictions_[player] = Arena(sizes[player] * sizeof(float));
        for (const Arena* arena : {&regrets_[player], &average_[player], &predictions_[player]}) {
            arena->touch(pool);
        }
    }
}

float* Locks::add(std::int32_t board, std::int32_t node, std::size_t size) {
    auto& rows = rows_[key(board, node)];
    rows.assign(size / kWide, Eight{});
    return rows.front().numbers;
}

}  // namespace riverboat::spots
