// Strength of hands of one to four cards, which make no straight or flush.
#pragma once

#include <cstdint>

#include "cards/card.hpp"

namespace riverboat {

inline constexpr int kMostFew = 4;

// Strength of `count` (1 to 4) distinct cards among hands with that number of cards, from 0 on:
// quads, trips, two pair, pair, high card, then the ranks.
std::uint16_t few_strength(const Card* cards, int count);

// Strengths of hands of `count` cards each. Returns the first row that is not a hand of different
// cards, or -1.
std::int64_t evaluate_few_batch(const Card* cards, std::int64_t num_hands, int count,
                                std::uint16_t* out);

}  // namespace riverboat
