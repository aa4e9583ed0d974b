#include "spots/tables.hpp"

namespace riverboat::spots {

RowCounts count_table_rows(const Tree& tree) {
    RowCounts rows(tree.spec().streets);
    for (const TreeGroup& group : tree.groups()) rows[group.street][group.player] = group.entries;
    return rows;
}

TableSizes place_boards(Boards& boards, const RowCounts& rows) {
    TableSizes sizes;
    for (std::size_t i = 0; i < boards.all().size(); ++i) {
        Board& board = boards[static_cast<std::int32_t>(i)];
        for (int player = 0; player < 2; ++player) {
            const std::uint64_t count = rows[board.street][player];
            board.base[player] = sizes.numbers[player];
            board.base_row[player] = sizes.rows[player];
            sizes.numbers[player] += count * board.hands[player].padded;
            sizes.rows[player] += count;
        }
    }
    return sizes;
}

namespace {

std::size_t number_bytes(TableKind kind) {
    return kind == TableKind::kShort ? sizeof(std::int16_t) : sizeof(float);
}

// A scale per row, of which only that of a node's first row is used; or predictions.
std::uint64_t extra_bytes(const TableSizes& sizes, int player, TableKind kind) {
    if (kind == TableKind::kFloat) return 0;
    const auto& count = kind == TableKind::kShort ? sizes.rows : sizes.numbers;
    return count[player] * sizeof(float);
}

}  // namespace

std::uint64_t Tables::bytes(const TableSizes& sizes, TableKind kind) {
    std::uint64_t sum = 0;
    for (int player = 0; player < 2; ++player) {
        sum += 2 * sizes.numbers[player] * number_bytes(kind) + extra_bytes(sizes, player, kind);
    }
    return sum;
}

Tables::Tables(const TableSizes& sizes, TableKind kind) : kind_(kind) {
    for (int player = 0; player < 2; ++player) {
        const std::uint64_t bytes = sizes.numbers[player] * number_bytes(kind);
        regrets_[player] = Arena(bytes);
        average_[player] = Arena(bytes);
        extra_[player] = Arena(extra_bytes(sizes, player, kind));
    }
}

void Tables::touch(Pool& pool) const {
    for (int player = 0; player < 2; ++player) {
        for (const Arena* arena : {&regrets_[player], &average_[player], &extra_[player]}) {
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
