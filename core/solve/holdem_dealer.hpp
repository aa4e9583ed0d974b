// Sampled deals of hold'em: cards from a shuffled deck, buckets from tables.
//
// A table of a street has the bucket of every hole pair on every canonical
// board (before the flop there is one, the empty board). In games with swaps a
// player's replacement cards are drawn beforehand, one for each swap phase, so
// that each line of swaps stands for one hole pair. A swap discards the card
// with the lower value: see SwapValues.
//
// With perfect recall a player's bucket includes those of earlier streets:
// (.. (b0 * n1 + b1) * n2 + ..) + b, with n the tables' numbers of buckets. The
// bucket of an earlier street is that of the hole pair at its end, after any swap.
#pragma once

#include <algorithm>
#include <memory>

#include "cards/boards.hpp"
#include "game/hand.hpp"
#include "solve/deal.hpp"

namespace riverboat {

// Buckets of one street, [boards, kNumHoles], in 8, 16 or 32 bits. The memory
// belongs to the owner, which may be a memory map.
struct BucketTable {
    const void* cells = nullptr;
    int cell_shift = 0;  // a cell takes 1 << cell_shift bytes
    std::size_t num_rows = 0;
    std::uint32_t num_buckets = 0;  // every cell is below
    std::shared_ptr<const void> owner;

    std::size_t place(std::uint32_t board, int hole) const {
        return std::size_t{board} * kNumHoles + static_cast<std::size_t>(hole);
    }
    std::uint32_t bucket(std::uint32_t board, int hole) const {
        const std::size_t at = place(board, hole);
        switch (cell_shift) {
            case 0: return static_cast<const std::uint8_t*>(cells)[at];
            case 1: return static_cast<const std::uint16_t*>(cells)[at];
            default: return static_cast<const std::uint32_t*>(cells)[at];
        }
    }
    void prefetch(std::uint32_t board, int hole) const {
        __builtin_prefetch(static_cast<const char*>(cells) + (place(board, hole) << cell_shift));
    }
};

// Value of a card on a canonical board together with a random other one,
// [boards, kNumCards]: the sum over all other cards of the pair's strength.
// Of two hole cards a swap keeps the one with the higher value (the strength of
// the pair itself is part of both sums); of equal ones that of the larger number.
struct SwapValues {
    const std::uint32_t* cells = nullptr;
    std::size_t num_rows = 0;
    std::shared_ptr<const void> owner;
};

// A swap that no decision of the tree stands for: at the start of a street both players swap a
// card if that raises the mean strength of their hand by `least` or more.
struct FixedSwap {
    int street = 0;
    const std::int32_t* points = nullptr;  // [boards, kNumHoles] strength of each pair
    SwapValues values;                     // sums of these points
    double least = 0;                      // points
    std::shared_ptr<const void> owner;
};

class HoldemDealer : public Dealer {
  public:
    // One table for each street; values for each street with a swap, in order. A tree without
    // swaps may have fixed ones, in order of their streets: a player then holds one pair on each
    // street. Throws GameError where the game is not hold'em with the full deck, the
    // tables do not fit it, or there are more buckets than 32 bits can count.
    HoldemDealer(std::shared_ptr<const Tree> tree, std::vector<BucketTable> tables,
                 std::vector<SwapValues> values, bool recall = false,
                 std::vector<FixedSwap> fixed = {});

    void draw(Random& random, Deal& deal) const override;

    // The cards that `draw` deals, by slots of the game: holes, board, replacements; those of
    // fixed swaps come last, phase by phase.
    void draw_cards(Random& random, Card* cards) const;
    int num_cards() const {
        const GameSpec& spec = tree_->spec();
        return spec.slots + static_cast<int>(fixed_.size()) * spec.players;
    }

    const std::vector<BucketTable>& tables() const { return tables_; }  // by street
    bool recall() const { return recall_; }

  private:
    struct Place {  // a canonical board, and the suits' way there
        std::uint32_t board = 0;
        std::array<std::uint8_t, kNumSuits> suits{0, 1, 2, 3};

        int card(int dealt) const { return (dealt & ~3) | suits[dealt & 3]; }
        int hole(Hole held) const {  // hole_index without its branch, which the CPU cannot predict
            const int a = card(held.low), b = card(held.high);
            const int high = std::max(a, b);
            return high * (high - 1) / 2 + std::min(a, b);
        }
    };
    using Places = std::array<Place, kMaxStreets>;
    using Holes = std::array<std::array<Hole, kMaxSwapLines>, kMaxPlayers>;

    void find_places(const Card* board, Places& places) const;
    void check_fixed() const;
    void swap_lines(const Card* cards, const Places& places, Holes& holes) const;
    void swap_by_rule(const Card* cards, const Places& places, Holes& holes) const;
    // The swaps of a group's player up to a street; all of them if they are fixed.
    int line_on(const TreeGroup& group, int street) const {
        return (fixed_.empty() ? group.swaps : -1) & lines_known_[street];
    }
    std::uint32_t remembered(const TreeGroup& group, const Places& places,
                             const Holes& holes) const;

    std::shared_ptr<const Tree> tree_;
    std::vector<BucketTable> tables_;
    std::vector<SwapValues> values_;
    std::vector<FixedSwap> fixed_;
    std::vector<int> board_counts_;  // cards on the board, by street
    std::vector<int> swap_streets_;  // by swap phase
    std::vector<int> lines_known_;   // by street: bits of the swaps up to its end
    bool recall_;
};

}  // namespace riverboat
