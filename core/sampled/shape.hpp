// Betting lines of one street, grouped by the shape of the betting that follows them.
//
// All lines after which the same actions are possible have one *shape*; only their payoffs differ.
// They are solved side by side, one *lane* per line, as many as fit into a vector: a *pack*. A
// shape has decisions and *ends*: folds, showdowns, and exits to the next street. The betting of
// one player so far is a *sequence*; with perfect recall the reach of a hand at an end depends
// only on the player's own sequence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spots/vectors.hpp"
#include "tree/tree.hpp"

namespace riverboat::sampled {

inline constexpr int kLanes = spots::kSide<float>;
using Lanes = spots::Pack<float, kLanes>;

// An array of vectors, zero at first.
class LaneArray {
  public:
    LaneArray() = default;
    explicit LaneArray(std::size_t size) : boxes_(size) {}
    std::size_t size() const { return boxes_.size(); }
    Lanes* data() { return reinterpret_cast<Lanes*>(boxes_.data()); }
    const Lanes* data() const { return reinterpret_cast<const Lanes*>(boxes_.data()); }
    Lanes& operator[](std::size_t i) { return data()[i]; }
    const Lanes& operator[](std::size_t i) const { return data()[i]; }
    std::size_t bytes() const { return boxes_.size() * sizeof(Box); }

  private:
    // A vector type itself cannot be a template's argument without a warning.
    struct alignas(sizeof(Lanes)) Box {
        float numbers[kLanes] = {};
    };
    std::vector<Box> boxes_;
};

struct StreetNode {
    NodeKind kind;
    std::uint8_t player = 0, num_actions = 0;
    std::int32_t first_child = -1;  // children lie side by side
    std::int32_t entry = -1;        // decision: its first strategy entry of its player
    std::int32_t sequence = -1;     // decision: its player's sequence before it
    std::int32_t end = -1;          // otherwise: which end
};

struct Sequence {
    std::int32_t parent, entry;  // -1: no action yet
};

struct StreetEnd {
    NodeKind kind;
    std::array<std::int32_t, 2> sequence;  // by player
};

// Ends at which the opponent's sequence is the same share a column: at most one showdown and one
// fold.
struct Column {
    std::int32_t sequence;
    std::int32_t showdown = -1, fold = -1;  // ends
};

// Columns of a traverser by the ends they have.
struct Columns {
    std::vector<Column> both, showdowns, folds;
};

struct Shape {
    std::string text;               // equal for lines of the same shape
    std::vector<StreetNode> nodes;  // parents before children
    std::vector<StreetEnd> ends;
    std::vector<std::int32_t> exits;  // ends that go on to the next street
    std::array<std::vector<Sequence>, 2> sequences;
    std::array<int, 2> entries{};
    std::array<Columns, 2> columns;  // by traverser

    int num_sequences(int player) const { return static_cast<int>(sequences[player].size()); }
};

// A line of a street: where its betting begins, and the tree nodes of its ends.
struct Line {
    std::string shape;
    std::vector<std::int32_t> ends;
};

Shape shape_of(const Tree& tree, std::int32_t root);
Line line_of(const Tree& tree, std::int32_t root);

// Payoffs of the ends of a pack, by player.
struct PackPayoffs {
    LaneArray fold, win, tie, lose;  // [ends]
};

// Where a lane comes from: a pack of the street before, an exit of its shape, and a lane.
struct LaneSource {
    std::int32_t pack = -1, exit = -1, lane = -1;
};

struct Pack {
    std::int32_t shape;
    int count = 0;                                         // used lanes
    std::array<LaneSource, kLanes> source{};               // the first street: `exit` only
    bool straight = false;                                 // lane k is lane k of one pack and exit
    std::array<std::vector<std::int32_t>, kLanes> ends{};  // tree nodes by lane
    std::array<PackPayoffs, 2> payoffs{};
};

// All packs of a spot. The first street has one line; its shape is not in packs.
struct Program {
    Shape first;
    std::vector<Shape> shapes;
    std::vector<Pack> turns, rivers;

    std::uint64_t bytes() const;  // of the packs
};

Program compile_lanes(const Tree& tree);

}  // namespace riverboat::sampled
