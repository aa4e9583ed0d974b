// Boards as sets of cards up to suit isomorphism.
//
// Suits have no rank, so there are 1,755 flops, 16,432 turns and 134,459 rivers
// up to isomorphism. In the canonical board of a class the spades have the
// largest rank set (as a number), then hearts, diamonds and clubs. The same
// suit permutation applies to hole cards, so any function of (hole, board) fits
// in a table [canonical board, hole].
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "cards/card.hpp"

namespace riverboat {

// Rank sets of the four suits, 16 bits each, clubs lowest.
using SuitMasks = std::uint64_t;

constexpr SuitMasks suit_masks_of(int card) {
    return std::uint64_t{1} << (16 * suit_of(card) + rank_of(card));
}

SuitMasks suit_masks_of(const Card* cards, int count);

// Writes the cards of a set in ascending order; returns how many.
int cards_of(SuitMasks masks, Card* out);

inline constexpr int kNumSuitPermutations = 24;

// kSuitPermutations[p][s] is the suit that s becomes; in lexicographic order.
inline constexpr auto kSuitPermutations = [] {
    std::array<std::array<std::uint8_t, kNumSuits>, kNumSuitPermutations> all{};
    std::array<std::uint8_t, kNumSuits> suits{0, 1, 2, 3};
    for (auto& permutation : all) {
        permutation = suits;
        std::next_permutation(suits.begin(), suits.end());
    }
    return all;
}();

constexpr SuitMasks permute(SuitMasks masks, int permutation) {
    SuitMasks result = 0;
    for (int suit = 0; suit < kNumSuits; ++suit) {
        result |= (masks >> (16 * suit) & 0xffff) << (16 * kSuitPermutations[permutation][suit]);
    }
    return result;
}

// hole_permutations()[p][h]: the index of the hole pair h after permutation p.
using HolePermutations = std::array<std::array<std::uint16_t, kNumHoles>, kNumSuitPermutations>;
const HolePermutations& hole_permutations();

struct CanonicalBoard {
    std::uint32_t id;
    std::uint8_t permutation;  // maps the given board to the canonical one
};

// All canonical boards of one size (3, 4 or 5 cards), in ascending order of their masks.
class Boards {
  public:
    explicit Boards(int num_cards);

    // Built on first use (0.05 s for rivers), shared, never changed afterwards.
    static const Boards& of(int num_cards);

    int num_cards() const { return num_cards_; }
    int size() const { return static_cast<int>(masks_.size()); }
    SuitMasks masks(std::uint32_t id) const { return masks_[id]; }

    // The class of a set of num_cards cards.
    CanonicalBoard find(SuitMasks masks) const;

    // Number of boards in the class.
    int multiplicity(std::uint32_t id) const;

    // Number of live hole pairs on the board up to the board's suit permutations.
    int num_hole_classes(std::uint32_t id) const;

  private:
    std::size_t slot_of(SuitMasks masks) const {
        return static_cast<std::size_t>(masks * 0x9e3779b97f4a7c15ULL >> hash_shift_);
    }

    int num_cards_;
    int hash_shift_ = 0;
    std::vector<SuitMasks> masks_;
    std::vector<std::uint32_t> slots_;  // open addressing; id + 1, or 0 where empty
};

}  // namespace riverboat
