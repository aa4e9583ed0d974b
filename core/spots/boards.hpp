// All boards of a spot, and both players' possible hands on each board.
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

// Sums by card have two more places, for the hands that pad a row: the first place has the sum of
// all hands, which is subtracted from theirs, and the second has 0.
inline constexpr int kAllPlace = kNumCards, kNonePlace = kNumCards + 1;
inline constexpr int kNumPlaces = kNumCards + 2;

// One player's hands on one board: by number, or on a full board by ascending strength.
struct Hands {
    std::uint32_t count = 0;
    std::uint32_t padded = 0;               // numbers in a row
    std::vector<std::uint16_t> hole;        // [count]
    std::vector<std::uint16_t> parent;      // [padded] position on the previous board, or `padded`
    std::vector<std::uint8_t> places;       // [padded, 2] the cards times four
    std::vector<std::uint16_t> same;        // [padded] the opponent's same hand, or its `padded`
    std::vector<std::uint16_t> orbits;      // positions of isomorphic hands, one after
    std::vector<std::uint16_t> orbit_ends;  // the other; only orbits of two hands or more
};

struct Run {
    std::uint16_t end[2];  // end of a run of hands of equal strength, by player
};

struct Board {
    std::uint8_t street = 0;
    Card card = kNoCard;  // the dealt card; none at the root
    std::int32_t parent = -1;
    std::int32_t first_child = 0, num_children = 0;
    double weight = 1;  // number of represented cards times the probability of one
    Hands hands[2];
    std::vector<Run> runs;                // full boards only
    std::vector<std::uint8_t> renamings;  // suit permutations that change nothing; 0 = the identity
    std::uint64_t base[2] = {};           // offset of its numbers in the tables, by player
    std::uint64_t base_row[2] = {};       // and of its rows
};

// A board: the stored board that represents it, and the suit permutation to that board.
struct FoundBoard {
    std::int32_t board;
    std::uint8_t renaming;
};

using Weights = std::array<std::vector<float>, 2>;  // [1326] each

class Boards {
  public:
    // After the root's street, each street deals one card. Throws GameError if a range has no
    // possible hand. Threads share the boards of a street. Without `hands` only the hole pairs on
    // the root are found, by number.
    Boards(const GameSpec& spec, int street, std::vector<Card> root, const Weights& weights,
           bool isomorphism, Pool& pool, bool hands = true);

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

    // The cards of a board since the root, in order.
    std::vector<Card> dealt(const Board& board) const;

    // The board after these cards, in order. Throws CardError if they cannot be dealt.
    FoundBoard find(std::span<const Card> cards) const;

    // A hole pair after a suit permutation.
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

// The range weights of a player's hands on the root board.
std::vector<double> root_reach(const Board& root, const Weights& weights, int player);

// Total reach of the opponent's hands that each of the player's hands can meet.
std::vector<double> hands_met(const Board& board, int player, const std::vector<double>& reach);

}  // namespace riverboat::spots
