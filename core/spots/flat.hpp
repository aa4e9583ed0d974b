// A spot as flat arrays, for kernels on other devices: the boards with their hands, and the betting
// program for each traverser.
//
// Here is their only declaration: arrays() names the members of a struct, with the numbers in a
// row, and RIVERBOAT_FLAT_BOUNDS names the columns of bounds. Python takes names from there, and
// the kernels their structs.
//
// An *item* is a segment on a board. Items of a street are stored board by board. Each item before
// the last street has its own rows, [rows, padded hands]. An item of the last street stores only
// the values of its entries; there values reuse rows of reaches that are no longer needed, so
// leaves are rows.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spots/boards.hpp"
#include "util/pool.hpp"
#include "spots/program.hpp"

namespace riverboat::spots {

// One player's hands on all boards, one board after the other.
struct FlatHands {
    static constexpr int kRecord = 8;
    std::vector<std::int32_t> count, padded;  // [boards]
    std::vector<std::int64_t> begin;  // [boards] offset of the board's hands in the next arrays
    std::vector<std::uint16_t> parent, same;  // [hands] see Hands
    // [hands, 8] offsets of a hand in the opponent's sums: of all weaker hands, and of weaker or
    // equal hands; then, in the lists of each of its two cards, of weaker, of weaker or equal, and
    // of all hands.
    std::vector<std::uint16_t> record;
    std::vector<std::uint16_t> listed;      // [hands, 2] positions in the lists of its cards
    std::vector<std::uint16_t> lists;       // [boards, 53] where lists begin: a place more than
                                            // they have hands
    std::vector<std::int64_t> moved_begin;  // [boards] of the hands before in `moved`
    std::vector<std::uint16_t> moved;  // position on this board of a hand of the previous board
    std::vector<std::int32_t> orbit_begin;  // [boards + 1] in orbit_ends
    std::vector<std::int32_t> orbit_ends;   // [orbits + 1] in orbits
    std::vector<std::uint16_t> orbits;
    std::vector<std::int64_t> base, base_row;  // [boards] see Board

    template <typename Self, typename F>
    static void arrays(Self& self, const F& f) {
        f("count", self.count), f("padded", self.padded), f("begin", self.begin);
        f("parent", self.parent), f("same", self.same), f("record", self.record, kRecord);
        f("listed", self.listed, 2), f("lists", self.lists, kNumCards + 1);
        f("moved_begin", self.moved_begin), f("moved", self.moved);
        f("orbit_begin", self.orbit_begin), f("orbit_ends", self.orbit_ends);
        f("orbits", self.orbits), f("base", self.base), f("base_row", self.base_row);
    }
};

struct FlatBoards {
    std::vector<std::int32_t> first_child, num_children;  // [boards]
    std::vector<double> weight;
    std::array<FlatHands, 2> hands;

    template <typename Self, typename F>
    static void arrays(Self& self, const F& f) {
        f("first_child", self.first_child), f("num_children", self.num_children);
        f("weight", self.weight);
    }
};

FlatBoards flatten(const Boards& boards, Pool& pool);

// Where a segment's parts are: rows, leaves; first level and number of levels down, and up; first
// exit and number of exits; first entry; first lane, lanes with showdowns, lanes.
// clang-format off
#define RIVERBOAT_FLAT_BOUNDS(BOUND)            \
    BOUND(rows) BOUND(leaves)                   \
    BOUND(first_down) BOUND(down_levels)        \
    BOUND(first_up) BOUND(up_levels)            \
    BOUND(first_exit) BOUND(num_exits)          \
    BOUND(first_entry)                          \
    BOUND(first_lane) BOUND(showdowns) BOUND(lanes)
// clang-format on

struct FlatBounds {
#define RIVERBOAT_DECLARE(name) std::int32_t name = 0;
    RIVERBOAT_FLAT_BOUNDS(RIVERBOAT_DECLARE)
#undef RIVERBOAT_DECLARE
    static constexpr const char* kNames[] = {
#define RIVERBOAT_NAME(name) #name,
        RIVERBOAT_FLAT_BOUNDS(RIVERBOAT_NAME)
#undef RIVERBOAT_NAME
    };
};

// The program of a traverser: each kind of step, for all segments in order. Steps are sorted by
// level; steps of one level can run in parallel.
struct FlatView {
    std::vector<FlatBounds> bounds;  // [segments]
    std::vector<std::int32_t> down_levels,
        up_levels;                   // offsets of levels, and the end of the last level
    std::vector<std::int32_t> down;  // [.., 4] row, first_row, offset, actions
    std::vector<std::int32_t> up;    // [.., 4] first_child, offset, actions, own
    std::vector<std::int32_t> children;
    std::vector<std::int32_t> exits;      // [.., 4] row, leaf, segment behind it, its entry
    std::vector<std::int32_t> entries;    // [.., 2] leaf; row of the item that stores it
    std::vector<std::int32_t> lanes;      // [.., 3] row, fold leaf, showdown leaf
    std::vector<double> pays;             // [.., 4] fold, win, tie, lose
    std::vector<std::int32_t> item;       // [items, 4] board, segment, item before or -1, street
    std::vector<std::int64_t> item_rows;  // [items, 2] offsets of its reaches and its values
    std::int64_t reach_size = 0, value_size = 0;

    template <typename Self, typename F>
    static void arrays(Self& self, const F& f) {
        f("bounds", self.bounds);
        f("down_levels", self.down_levels), f("down", self.down, 4);
        f("up_levels", self.up_levels), f("up", self.up, 4), f("children", self.children);
        f("exits", self.exits, 4), f("entries", self.entries, 2), f("lanes", self.lanes, 3);
        f("pays", self.pays, 4), f("item", self.item, 4), f("item_rows", self.item_rows, 2);
    }
};

struct FlatProgram {
    // [segments, 4] street, first exit before it, entries, whether it is of the last street
    std::vector<std::int32_t> segments;
    // [segments, 2] an item's number is first + board * second
    std::vector<std::int32_t> segment_items;
    std::vector<std::int32_t> street_items;  // [streets + 1] offset of a street's items
    std::array<FlatView, 2> view;

    template <typename Self, typename F>
    static void arrays(Self& self, const F& f) {
        f("segments", self.segments, 4), f("segment_items", self.segment_items, 2);
    }
};

FlatProgram flatten(const Segment& program, const Boards& boards);

}  // namespace riverboat::spots
