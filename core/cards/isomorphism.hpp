// Indices of hands up to suit isomorphism, after Waugh, "A Fast and Optimal
// Hand Isomorphism Algorithm" (2013).
//
// Cards are dealt in rounds (hold'em: 2, 3, 1, 1); the order within a round does
// not matter. Two hands are isomorphic if one permutation of the suits maps
// each round of the first to the same round of the second. Isomorphic hands
// have the same index, all others different indices, and the indices of a round
// are 0 .. size(round) - 1 without gaps.
//
// The history of one suit is a rank set for each round. Each set is numbered
// in colexicographic order among the sets of its size over the ranks not used
// before, and the numbers of the rounds are joined in mixed radix. The counts
// of cards by suit and round, sorted over the suits, are the hand's
// configuration. Suits with equal counts can be exchanged, so their histories
// are numbered as a multiset. The index is the configuration's offset plus the
// multisets' numbers in mixed radix. There are no tables of hands: memory grows
// with the number of ways to distribute counts over suits (3,200 for the river
// of hold'em).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cards/card.hpp"

namespace riverboat {

class HandIndexer {
  public:
    static constexpr int kMaxRounds = 4;
    // One suit could hold them all; and every index fits in 64 bits.
    static constexpr int kMaxCards = kNumRanks;

    // 1 to 4 rounds of at least one card, at most 13 cards together, or CardError.
    explicit HandIndexer(std::span<const int> cards_per_round);

    int num_rounds() const { return static_cast<int>(rounds_.size()); }
    // Cards of rounds 0..round together.
    int num_cards(int round) const { return rounds_[round].num_cards; }
    std::uint64_t size(int round) const { return rounds_[round].size; }

    // Index of distinct cards, those of rounds 0..round one after the other.
    std::uint64_t index(int round, const Card* cards) const;

    // Writes num_cards(round) cards: the representative of an index < size(round).
    // Its cards ascend within each round; suits are taken in a fixed order.
    void unindex(int round, std::uint64_t index, Card* out) const;

  private:
    // By suit: how many of its cards came in each round, 4 bits a round.
    using Counts = std::array<std::uint16_t, kNumSuits>;

    // What the suits look like, sorted: equal counts stand together as a group.
    struct Configuration {
        std::uint64_t offset;
        // By place in the sorted order:
        std::array<std::uint64_t, kNumSuits> stride;         // of the group
        std::array<std::uint64_t, kNumSuits> num_histories;  // that the suit may have
        Counts counts;
        std::array<std::uint8_t, kNumSuits> member;  // 1 for the group's first suit, 2, ..
    };

    // The counts before sorting.
    struct Pattern {
        std::uint32_t configuration;
        std::array<std::uint8_t, kNumSuits> group;  // by suit; numbered in sorted order
    };

    struct Round {
        int num_new_cards;
        int num_cards;
        std::uint64_t size;
        // By the counts of the first three suits, 4 bits each: what this round
        // adds to the number of the pattern.
        std::vector<std::uint32_t> spreads;
        std::vector<Pattern> patterns;
        std::vector<Configuration> configurations;  // offsets ascend
    };

    void add_round(int num_new_cards, std::vector<Counts>& patterns);
    static void make_configurations(Round& round, const std::vector<Counts>& patterns);
    static Configuration configuration_of(std::uint64_t sorted_counts);

    std::vector<Round> rounds_;
};

// out[i] = index of the hand at cards + i * num_cards(round), i < num_hands.
// Returns the first i whose cards are not distinct cards of the deck, or -1.
std::int64_t index_batch(const HandIndexer& indexer, int round, const Card* cards,
                         std::int64_t num_hands, std::uint64_t* out);

// The inverse. Returns the first i whose index is not below size(round), or -1.
std::int64_t unindex_batch(const HandIndexer& indexer, int round, const std::uint64_t* indices,
                           std::int64_t num_hands, Card* out);

}  // namespace riverboat
