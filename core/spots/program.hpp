// The betting tree of a spot, compiled street by street into flat programs that every board runs.
//
// A *segment* is a group of betting lines of one street. It starts at its entries, ends at its
// exits, and is small enough that its rows stay in the cache. A row has a number for each hand. For
// a traverser, the opponent's reaches are passed down in reach rows, and values are passed up in
// value rows: one for each leaf (a terminal or an exit); inner nodes use the row of their first
// leaf.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spots/vectors.hpp"
#include "tree/tree.hpp"

namespace riverboat::spots {

// The other player decides: reach row `row` is split into rows from `first_row` on.
struct DownStep {
    std::int32_t node, row, first_row;
    std::uint32_t offset;  // first row of the node in the tables of its board and player
    std::int32_t actions;
};

// Values of a node from those of its children, which are in rows `children[first_child] ..`.
struct UpStep {
    std::int32_t node, first_child;
    std::uint32_t offset;
    std::int32_t actions;
    bool own;  // the traverser decides
};

struct Exit {
    std::int32_t row, leaf;
};

// Payoffs of up to eight terminals side by side; where a lane has no fold its payoff is not used.
struct LaneBlock {
    std::int32_t count = 0;
    bool folds = false, showdowns = false;
    std::array<std::int32_t, kWide> row{}, fold_leaf{}, showdown_leaf{};  // leaf -1: none
    std::array<double, kWide> fold{}, win{}, tie{}, lose{};
};

// The program of a segment for a traverser.
struct View {
    std::int32_t num_rows = 0, num_leaves = 0;
    std::vector<DownStep> down;
    std::vector<UpStep> up;
    std::vector<std::int32_t> children;    // rows, see UpStep
    std::vector<std::int32_t> entry_leaf;  // row with the value of each entry
    std::vector<Exit> exits;
    std::vector<LaneBlock> showdowns;  // lanes with a showdown, and the fold of the same reach
    std::vector<LaneBlock> folds;      // lanes with folds only
};

struct Segment {
    std::int32_t street = 0;
    std::int32_t num_entries = 0;
    std::int32_t first_exit = 0;  // of the segment before: its exits from here on are the entries
    std::array<View, 2> view;
    std::vector<Segment> next;  // of the following street
};

// Payoffs to a seat by outcome, plus its chips in the pot at the root.
struct SpotPayoffs {
    const Tree& tree;
    double fold(const TreeNode& node, int player) const;
    double showdown(const TreeNode& node, int player, int outcome) const;  // 0 wins, 1 tie, 2
};

// The largest number of rows in a segment, by street; a single entry may need more.
using RowLimits = std::vector<std::int32_t>;

// The program of the subtree below a node, street by street.
Segment compile_program(const Tree& tree, std::int32_t root, const RowLimits& limits);

// A program without betting from a street to the showdown: 1 for a win, 0.5 for a tie.
Segment equity_program(int street, int last_street);

}  // namespace riverboat::spots
