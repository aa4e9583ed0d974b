// Turn and river of one sampled board: a pack of lines at a time.
//
// Rows have a vector of lanes for each hand of the flop, by number. All hands of a bin play alike,
// so strategies and regrets have a row per bin: [bin][entry]. A bin's regret is the sum of its
// hands' regrets by their weight in the range.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sampled/boards.hpp"
#include "sampled/rows.hpp"
#include "sampled/shape.hpp"

namespace riverboat::sampled {

// The largest shapes of a spot.
struct ShapeSizes {
    std::size_t nodes = 1, entries = 1, ends = 1, sequences = 1, columns = 1;

    explicit ShapeSizes(const std::vector<Shape>& shapes);
};

// What a thread needs for a pack of one street.
struct PackScratch {
    // By player: strategies [bin][entry], probabilities of sequences [bin][sequence], and values
    // of ends summed over the hands of a bin [bin][end].
    std::array<LaneArray, 2> strategy, sequence, ends;
    LaneArray sums;   // [places][columns]
    LaneArray part;   // [hands][columns]
    LaneArray nodes;  // [nodes]

    PackScratch(const ShapeSizes& sizes, int bins, std::size_t hands);
    std::size_t bytes() const;
    // What bytes() will be.
    static std::size_t bytes_for(const ShapeSizes& sizes, int bins, std::size_t hands);
};

// A pack on a board: rows by player, and where its regrets are.
struct PackPlace {
    const Shape& shape;
    const Pack& pack;
    const Lanes* reach[2];  // at the street's start; the row after the last is 0
    Lanes* values[2];       // at the street's start
    Lanes* regrets[2];      // [bin][entry]
};

// Strategies and probabilities of sequences from regrets.
void match_bins(const PackPlace& place, int bins, PackScratch& scratch);

// Adds the regrets of a visit, from the values of ends in scratch.
void update_bins(const PackPlace& place, int bins, const Discounts& discounts,
                 PackScratch& scratch);

// Plays a pack on a river: adds `weight` times both players' values, updates regrets.
void play_river(const PackPlace& place, const FlopBoards& boards, const RiverBoard& board,
                float weight, const Discounts& discounts, PackScratch& scratch);

// Rows of the exits of a pack on a turn, by exit and player.
struct ExitRows {
    LaneArray reach, values;
    std::size_t stride[2], player_begin[2], exit_stride;

    Lanes* row(LaneArray& rows, int exit, int player) {
        return rows.data() + exit * exit_stride + player_begin[player];
    }
};

// The turn before its rivers: both players' reach at the exits.
void start_turn(const PackPlace& place, const FlopBoards& boards, const TurnBoard& board,
                ExitRows& exits, PackScratch& scratch);

// The turn after its rivers: sets `weight` times both players' values, updates regrets.
void finish_turn(const PackPlace& place, const FlopBoards& boards, const TurnBoard& board,
                 ExitRows& exits, float weight, const Discounts& discounts, PackScratch& scratch);

}  // namespace riverboat::sampled
