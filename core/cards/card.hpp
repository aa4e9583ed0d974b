// Cards, hole pairs and suit permutations as small integers.
#pragma once

#include <array>
#include <cstdint>

namespace riverboat {

// A card is 4 * rank + suit: rank 0 = deuce .. 12 = ace, suits c d h s.
using Card = std::uint8_t;

inline constexpr int kNumCards = 52;
inline constexpr int kNumRanks = 13;
inline constexpr int kNumSuits = 4;
inline constexpr int kNumHoles = 1326;

constexpr int rank_of(int card) { return card >> 2; }
constexpr int suit_of(int card) { return card & 3; }
constexpr bool is_black(int card) { return suit_of(card) == 0 || suit_of(card) == 3; }
constexpr std::uint64_t card_bit(int card) { return std::uint64_t{1} << card; }

// Hole pairs in colexicographic order: (a, b), a < b, has index b(b-1)/2 + a.
constexpr int hole_index(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }

struct Hole {
    Card low;   // the smaller card number
    Card high;  // the larger
    constexpr std::uint64_t mask() const { return card_bit(low) | card_bit(high); }
};

inline constexpr std::array<Hole, kNumHoles> kHoles = [] {
    std::array<Hole, kNumHoles> holes{};
    for (int high = 1; high < kNumCards; ++high) {
        for (int low = 0; low < high; ++low) {
            holes[hole_index(low, high)] = {static_cast<Card>(low), static_cast<Card>(high)};
        }
    }
    return holes;
}();

}  // namespace riverboat
