// What walks compute at nodes: training, or values of the learned strategies.
#pragma once

#include "spots/boards.hpp"
#include "spots/program.hpp"
#include "spots/steps.hpp"
#include "spots/tables.hpp"
#include "spots/terminals.hpp"

namespace riverboat::spots {

// Finds the rows of a node, for both kinds.
struct NodeFinder {
    const Boards& boards;
    const Tables& tables;
    const Locks& locks;

    template <typename Step>
    NodeTables at(const Step& step, const Board& board, int player) const {
        NodeTables found = tables.at(board, player, step.offset);
        found.lock = locks.find(boards.index(board), step.node);
        return found;
    }
};

// Asks for the first hands of a node's rows before the node's turn comes: the processor goes on
// along a row, but does not guess where the next node's rows begin.
template <typename Number>
void fetch_rows(const Number* rows, int actions, const HandRange& hands) {
    constexpr std::size_t kLine = 64 / sizeof(Number), kLines = 4;
    for (int a = 0; a < actions; ++a) {
        const Number* first = rows + a * hands.stride + hands.begin;
        for (std::size_t k = 0; k < kLines; ++k) __builtin_prefetch(first + k * kLine, 1, 2);
    }
}

// Regret matching on both sides; updates of the traverser's regrets and of one average.
struct Train {
    using Real = float;
    NodeFinder nodes;
    int player;
    bool own_reach;
    Factors factors;

    static bool splits_hands() { return true; }
    void fetch(const DownStep& step, const Board& board, const HandRange& hands) const {
        const NodeTables found = nodes.tables.at(board, 1 - player, step.offset);
        fetch_rows(found.regrets, step.actions, hands);
        if (own_reach) fetch_rows(found.average, step.actions, hands);
    }
    void fetch(const UpStep& step, const Board& board, const HandRange& hands) const {
        if (!step.own) return;
        const NodeTables found = nodes.tables.at(board, player, step.offset);
        fetch_rows(found.regrets, step.actions, hands);
        if (!own_reach) fetch_rows(found.average, step.actions, hands);
    }
    void down(const DownStep& step, const Board& board, const HandRange& hands,
              Rows<float> reach) const {
        train_down(step.actions, nodes.at(step, board, 1 - player), factors, own_reach, hands,
                   reach[step.row], reach[step.first_row]);
    }
    void up(const UpStep& step, const Board& board, const HandRange& hands,
            float* const* values) const {
        train_up(step.actions, nodes.at(step, board, player), factors, !own_reach, hands, values);
    }
};

// The same with tables of 16 bits.
struct TrainShort {
    using Real = float;
    NodeFinder nodes;
    int player;
    Factors factors;

    // A node's scale is known only after all of its hands.
    static bool splits_hands() { return false; }
    void fetch(const DownStep& step, const Board& board, const HandRange& hands) const {
        const NodeTables found = nodes.tables.at(board, 1 - player, step.offset);
        fetch_rows(found.regrets16, step.actions, hands);
    }
    void fetch(const UpStep& step, const Board& board, const HandRange& hands) const {
        if (!step.own) return;
        const NodeTables found = nodes.tables.at(board, player, step.offset);
        fetch_rows(found.regrets16, step.actions, hands);
        fetch_rows(found.average16, step.actions, hands);
    }
    void down(const DownStep& step, const Board& board, const HandRange& hands,
              Rows<float> reach) const {
        train_down16(step.actions, nodes.at(step, board, 1 - player), hands, reach[step.row],
                     reach[step.first_row]);
    }
    void up(const UpStep& step, const Board& board, const HandRange& hands,
            float* const* values) const {
        alignas(32) float fresh[kMaxActions * padded_to_wide(kNumHoles)];
        train_up16(step.actions, nodes.at(step, board, player), factors, hands, values, fresh);
    }
};

// Output of node values: rows of a street's nodes, board by board.
struct NodeRows {
    std::vector<std::int32_t> row;     // [nodes]
    std::vector<std::uint64_t> begin;  // [boards before the last street]
};

enum class Own { kAverage, kBest, kAdoptBest };

// The opponent plays the average; the traverser the average, or the best response.
template <typename Number>
struct MeasureIn {
    using Real = Number;
    NodeFinder nodes;
    int player;
    Own own;

    static bool splits_hands() { return true; }
    void down(const DownStep& step, const Board& board, const HandRange& hands,
              Rows<Real> reach) const {
        average_down<Real>(step.actions, nodes.at(step, board, 1 - player), hands, reach[step.row],
                           reach[step.first_row]);
    }
    void up(const UpStep& step, const Board& board, const HandRange& hands,
            Real* const* values) const {
        const NodeTables tables = nodes.at(step, board, player);
        if (own == Own::kAverage) return average_up<Real>(step.actions, tables, hands, values);
        best_up<Real>(step.actions, tables, hands, values, own == Own::kAdoptBest);
    }
};
using Measure = MeasureIn<double>;

// Averages on both sides, and a copy of the EV of each action before the last street.
struct Record : Measure {
    const Tree& tree;
    const NodeRows& rows_of;
    double* out;

    void record(const UpStep& step, const Board& board, const HandRange& hands,
                double* const* values) const {
        const std::int32_t index = nodes.boards.index(board);
        if (static_cast<std::size_t>(index) >= rows_of.begin.size()) return;
        const std::size_t count = board.hands[player].count;
        const std::size_t end = std::min<std::size_t>(hands.end, count);
        for (int a = 0; a < step.actions; ++a) {
            const std::int32_t row = rows_of.row[tree.nodes()[step.node].first_child + a];
            double* to = out + rows_of.begin[index] + row * count;
            for (std::size_t i = hands.begin; i < end; ++i) to[i] = values[a][i];
        }
    }
};

}  // namespace riverboat::spots
