// Memory of a spot's regrets, averages and locks.
//
// A player's rows are stored board by board; rows of a board follow the street's program:
// [decisions, actions, padded hands].
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "spots/boards.hpp"
#include "spots/memory.hpp"
#include "spots/steps.hpp"
#include "spots/vectors.hpp"
#include "tree/tree.hpp"

namespace riverboat::spots {

// Number of rows of a board for each player, by street.
using RowCounts = std::vector<std::array<std::uint64_t, 2>>;

RowCounts count_table_rows(const Tree& tree);

// Contents of each player's tables.
struct TableSizes {
    std::array<std::uint64_t, 2> numbers{}, rows{};
};

// Assigns each board its offset in the tables.
TableSizes place_boards(Boards& boards, const RowCounts& rows);

enum class TableKind { kFloat, kPredictive, kShort };  // 32 bits, with predictions; 16 bits

class Tables {
  public:
    Tables(const TableSizes& sizes, TableKind kind);

    // Touches all pages, with all threads.
    void touch(Pool& pool) const;

    static std::uint64_t bytes(const TableSizes& sizes, TableKind kind);

    NodeTables at(const Board& board, int player, std::uint32_t offset) const {
        const std::uint64_t place = board.base[player] + offset * board.hands[player].padded;
        NodeTables found;
        if (kind_ == TableKind::kShort) {
            found.regrets16 = regrets_[player].as<std::int16_t>() + place;
            found.average16 = average_[player].as<std::uint16_t>() + place;
            found.scale16 = extra_[player].as<float>() + board.base_row[player] + offset;
            return found;
        }
        found.regrets = regrets_[player].as<float>() + place;
        found.average = average_[player].as<float>() + place;
        if (kind_ == TableKind::kPredictive) found.predictions = extra_[player].as<float>() + place;
        return found;
    }

    TableKind kind() const { return kind_; }
    const Arena& regrets(int player) const { return regrets_[player]; }
    const Arena& average(int player) const { return average_[player]; }
    const Arena& extra(int player) const { return extra_[player]; }  // predictions or scales

  private:
    TableKind kind_;
    Arena regrets_[2], average_[2], extra_[2];
};

// Fixed strategies (node locks): rows [actions, padded hands] of nodes on boards.
class Locks {
  public:
    struct alignas(32) Eight {
        float numbers[kWide];
    };

    const float* find(std::int32_t board, std::int32_t node) const {
        if (rows_.empty()) return nullptr;
        const auto found = rows_.find(key(board, node));
        return found == rows_.end() ? nullptr : found->second.front().numbers;
    }
    // Zeroed rows for a node on a board, to be filled; replaces previous rows.
    float* add(std::int32_t board, std::int32_t node, std::size_t size);
    void remove(std::int32_t board, std::int32_t node) { rows_.erase(key(board, node)); }
    // Calls f(board, node, numbers) for each lock.
    template <typename F>
    void for_each(const F& f) const {
        for (const auto& [key, eights] : rows_) {
            f(static_cast<std::int32_t>(key >> 32), static_cast<std::int32_t>(key & 0xffffffff),
              std::span(eights.front().numbers, eights.size() * kWide));
        }
    }

  private:
    static std::uint64_t key(std::int32_t board, std::int32_t node) {
        return static_cast<std::uint64_t>(board) << 32 | static_cast<std::uint32_t>(node);
    }
    std::unordered_map<std::uint64_t, std::vector<Eight>> rows_;
};

}  // namespace riverboat::spots
