// Hole pairs in order of their strength on one board.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "cards/boards.hpp"

namespace riverboat {

struct RankedHole {
    std::uint16_t strength;
    std::uint16_t hole;
};

// Stable sort, weakest first; scratch is as long as hands. Strengths are below
// 2^14, so two passes over 7 bits each do.
inline void sort_by_strength(std::span<RankedHole> hands, std::span<RankedHole> scratch) {
    std::array<std::uint16_t, 128> low{}, high{};
    for (const auto& hand : hands) {
        ++low[hand.strength & 127];
        ++high[hand.strength >> 7];
    }
    std::uint16_t low_start = 0, high_start = 0;
    for (int i = 0; i < 128; ++i) {
        low_start = static_cast<std::uint16_t>(low_start + std::exchange(low[i], low_start));
        high_start = static_cast<std::uint16_t>(high_start + std::exchange(high[i], high_start));
    }
    for (const auto& hand : hands) scratch[low[hand.strength & 127]++] = hand;
    for (const auto& hand : scratch) hands[high[hand.strength >> 7]++] = hand;
}

// The 47 choose 2 hole pairs that do not share a card with a board of five cards, weakest first.
inline constexpr int kRiverHoles = 1081;
using RiverHands = std::array<RankedHole, kRiverHoles>;
RiverHands ranked_river(SuitMasks board);

}  // namespace riverboat
