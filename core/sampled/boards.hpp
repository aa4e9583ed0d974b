// The boards of a flop: both players' hands on every turn and river, their order and their bins.
//
// Unlike spots::Boards, hands keep their numbers of the flop on all boards, so that rows are read
// in place whatever was dealt; the two orders of dealing turn and river share a board; and the
// union of both ranges is evaluated and sorted once for both players. That is many times faster
// to build and a quarter of the memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cards/card.hpp"
#include "game/spec.hpp"
#include "spots/boards.hpp"
#include "util/pool.hpp"

namespace riverboat::sampled {

using Number = std::uint16_t;  // of a hand of the flop

// One player's hands on the flop.
struct FlopHands {
    std::uint32_t count = 0, padded = 0;
    std::vector<Number> hole;
    std::vector<float> weight;               // [padded]
    std::vector<std::array<Card, 2>> cards;  // [padded]
    std::vector<Number> same;                // [padded] the opponent's same hand, or count
};

// Hands of equal strength are in one run, and in one bin of each player.
struct Run {
    std::array<Number, 2> end;  // by player
    std::array<std::uint8_t, 2> bin;
};

struct RiverBoard {
    std::array<std::vector<Number>, 2> hands;  // by player, by ascending strength
    std::vector<Run> runs;

    std::uint64_t bytes() const {
        return sizeof(RiverBoard) + runs.capacity() * sizeof(Run) +
               (hands[0].capacity() + hands[1].capacity()) * sizeof(Number);
    }
};

struct TurnBoard {
    Card card;
    std::array<std::vector<Number>, 2> hands;       // by player, by ascending equity
    std::array<std::vector<std::uint8_t>, 2> bins;  // of all hands of the flop
};

struct BinCounts {
    int turn, river;
};

class FlopBoards {
  public:
    FlopBoards(const GameSpec& spec, std::span<const Card> flop, const spots::Weights& weights,
               const BinCounts& bins, Pool& pool);
    // Only the hands, without boards.
    FlopBoards(const GameSpec& spec, std::span<const Card> flop, const spots::Weights& weights,
               const BinCounts& bins);

    const FlopHands& hands(int player) const { return hands_[player]; }
    std::span<const Card> deck() const { return deck_; }              // cards that can come
    const TurnBoard& turn(int index) const { return turns_[index]; }  // by position in the deck
    const RiverBoard& river(int turn, int river) const { return rivers_[pair(turn, river)]; }
    const BinCounts& bins() const { return bins_; }
    std::uint64_t bytes() const;
    // What bytes() of all boards will be, from a sample of rivers.
    std::uint64_t forecast_bytes() const;

  private:
    struct Union;
    struct Sums;

    int pair(int a, int b) const { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }
    void find_hands(const spots::Weights& weights, std::uint64_t dealt);
    Union find_union() const;
    void rank(int first, int second, const Union& all, RiverBoard& board) const;
    void bin_runs(RiverBoard& board) const;
    void add_equities(const RiverBoard& board, std::vector<float>* equities) const;
    void bin_turn(int turn, const std::vector<float>* sums);

    const GameSpec& spec_;
    BinCounts bins_;
    std::uint64_t flop_;
    std::vector<Card> deck_;
    std::array<FlopHands, 2> hands_;
    std::vector<TurnBoard> turns_;
    std::vector<RiverBoard> rivers_;
};

}  // namespace riverboat::sampled
