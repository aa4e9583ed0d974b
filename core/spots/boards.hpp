// The boards that a spot can come to, and the hands that each leaves to both players.
//
// Boards of one street are contiguous, and so are the successors of a board. If a permutation of
// suits leaves the board and both ranges unchanged, the isomorphic runouts are stored as one board
// with a weight. Its values are averaged over isomorphic hands, which equals the sum over the
// runouts that are left out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cards/card.hpp"
#include "game/spec.hpp"
#include "util/pool.hpp"

namespace riverboat::spots {

inline constexpr Card kNoCard = kNumCards;

// Sums by card have two more places, for the hands that pad a row: the one takes the sum of all
// away from them, the other nothing.
inline constexpr int kAllPlace = kNumCards, kNonePlace = kNumCards + 1;
inline constexpr int kNumPlaces = kNumCards + 2;

// One player's hands on one board: by number, on a full board from weakest to strongest.
struct Hands {
    std::uint32_t count = 0;
    std::uint32_t padded = 0;               // numbers in a row
    std::vector<std::uint16_t> hole;        // [count]
    std::vector<std::uint16_t> parent;      // [padded] position on the board before, or `padded`
    std::vector<std::uint8_t> places;       // [padded, 2] four times the cards
    std::vector<std::uint16_t> same;        // [padded] the other's same hand, or its `padded`
    std::vector<std::uint16_t> orbits;      // positions of isomorphic hands, one after
    std::vector<std::uint16_t> orbit_ends;  // the other; only orbits of two hands or more
};

struct Run {
    std::uint16_t end[2];  // hands of equal strength end here, by player
};

struct Board {
    std::uint8_t street = 0;
    Card card = kNoCard;  // that made it; none at the root
    std::int32_t parent = -1;
    std::int32_t first_child = 0, num_children = 0;
    double weight = 1;  // cards that it stands for, times the chance of one
    Hands hands[2];
    std::vector<Run> runs;                // full boards only
    std::vector<std::uint8_t> renamings;  // of suits that leave all as it is; 0 = none renamed
    std::uint64_t base[2] = {};           // where its numbers begin in the tables, by player
    std::uint64_t base_row[2] = {};       // and its rows
};

// A board as people name it: the one that stands for it, and the renaming that leads there.
struct FoundBoard {
    std::int32_t board;
    std::uint8_t renaming;
};

using Weights = std::array<std::vector<float>, 2>;  // [1326] each

class Boards {
  public:
    // From the root's street on, each street deals one card. Throws GameError where a range has no
    // hand left. Threads share the boards of a street.
    Boards(const GameSpec& spec, int street, std::vector<Card> root, const Weights& weights,
           bool isomorphism, Pool& pool);

    const Board& operator[](std::int32_t index) const { return boards_[index]; }
    Board& operator[](std::int32_t index) { return boards_[index]; }
    std::span<const Board> all() const { return boards_; }
    std::span<const Board> children(const Board& board) const {
        return {boards_.data() + board.first_child, static_cast<std::size_t>(board.num_children)};
    }
    std::span<const Board> of_street(int street) const;
    int first_street() const { return boards_[0].street; }
    int last_street() const { return last_street_; }
    std::int32_t index(const Board& board) const {
        return static_cast<std::int32_t>(&board - boards_.data());
    }

    // The board after these cards, in order. Throws CardError where they cannot come.
    FoundBoard find(std::span<const Card> cards) const;

    // What a hole pair becomes when suits are renamed.
    static int renamed(int hole, int renaming);

  private:
    void start(const Weights& weights, bool isomorphism);
    std::uint64_t cards_of(const Board& board) const;
    void add_children(std::int32_t parent, int deck_size);
    void fill_hands(Board& board) const;
    void rank_hands(Board& board) const;
    void match_hands(Board& board) const;
    void find_orbits(Board& board) const;

    const GameSpec& spec_;
    std::vector<Card> root_;
    std::vector<Board> boards_;
    std::vector<std::int32_t> street_begins_;
    int last_street_;
};

}  // namespace riverboat::spots
