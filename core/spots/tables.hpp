// Where a spot's regrets, averages and locks stand.
//
// A player's rows lie board by board; those of one board are in the order of the street's program,
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

// Rows that a board has for each player, by street.
using RowCounts = std::vector<std::array<std::uint64_t, 2>>;

RowCounts count_table_rows(const Tree& tree);

// Gives each board its place in the tables; returns the numbers that each player's table holds.
std::array<std::uint64_t, 2> place_boards(Boards& boards, const RowCounts& rows);

class Tables {
  public:
    Tables(std::array<std::uint64_t, 2> sizes, bool predictive, Pool& pool);

    NodeTables at(const Board& board, int player, std::uint32_t offset) const {
        const std::uint64_t place = board.base[player] + offset * board.hands[player].padded;
        return {regrets_[player].as<float>() + place, average_[player].as<float>() + place,
                predictive_ ? predictions_[player].as<float>() + place : nullptr, nullptr};
    }

    std::span<float> regrets(int player) const { return all_of(regrets_[player]); }
    std::span<float> average(int player) const { return all_of(average_[player]); }
    std::span<float> predictions(int player) const { return all_of(predictions_[player]); }

  private:
    static std::span<float> all_of(const Arena& arena) {
        return {arena.as<float>(), arena.size() / sizeof(float)};
    }

    bool predictive_;
    Arena regrets_[2], average_[2], predictions_[2];
};

// Strategies that are not to be learned: rows [actions, padded hands] of nodes on boards.
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
    // Zeroed rows for a node on a board, to be filled; those before are gone.
    float* add(std::int32_t board, std::int32_t node, std::size_t size);
    void remove(std::int32_t board, std::int32_t node) { rows_.erase(key(board, node)); }

  private:
    static std::uint64_t key(std::int32_t board, std::int32_t node) {
        return static_cast<std::uint64_t>(board) << 32 | static_cast<std::uint32_t>(node);
    }
    std::unordered_map<std::uint64_t, std::vector<Eight>> rows_;
};

}  // namespace riverboat::spots
