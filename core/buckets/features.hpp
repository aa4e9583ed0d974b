// Features of hands for clustering: distributions of strength, as whole numbers.
//
// A distribution of strength is cut into kBins equal bins; entry j of a feature is the share of
// runouts that end above bin j, in units of `unit`, rounded: one minus the cumulative
// distribution. On the turn a feature has one such row, on the flop two: the second one is of the
// mean strength on the next street, over the next cards. All arithmetic is in integers, so that a
// feature is the same on every machine, from tables or computed for one hand.
#pragma once

#include <cstdint>
#include <span>

#include "cards/hand_strength.hpp"

namespace riverboat {

inline constexpr int kBins = 49;
inline constexpr int kLevels = kBins - 1;  // three registers of 16 numbers
inline constexpr int kTurnFeatures = kLevels;
inline constexpr int kFlopFeatures = 2 * kLevels;
inline constexpr int kRiverFeatures = 8;  // clusters of the opponent's hands: opponent_clusters.hpp

// Entries of a feature; boards have 3, 4 or 5 cards.
constexpr int num_features(int board_cards) {
    return board_cards == 3 ? kFlopFeatures : board_cards == 4 ? kTurnFeatures : kRiverFeatures;
}

// The value of probability 1 in each row. 48 * (run_out^2 + next^2) is below 2^31, so that squared
// distances fit in 32 bits.
struct FeatureUnits {
    int run_out;
    int next;  // flops only
};

constexpr bool sound_units(int board_cards, FeatureUnits units) {
    const auto square = [](std::int64_t unit) { return unit * unit; };
    return units.run_out >= 0 && units.next >= 0 && units.run_out < 1 << 15 &&
           units.next < 1 << 15 && (board_cards == 3 || units.next == 0) &&
           kLevels * (square(units.run_out) + square(units.next)) < std::int64_t{1} << 31;
}

// Bin of a sum of half-points over `rivers` rivers.
constexpr int bin_of_points(std::int64_t points, int rivers) {
    const auto bin = static_cast<int>(points * kBins / (std::int64_t{kRiverPoints} * rivers));
    return bin < kBins ? bin : kBins - 1;
}

// Live holes on the canonical board `id`: features[i, entry] of holes[i]. `river` is the whole
// table; so is `turn`, which only flops need.
void board_features(int board_cards, std::uint32_t id, std::span<const std::uint16_t> holes,
                    const RiverCell* river, const RiverCell* turn, FeatureUnits units,
                    std::int16_t* features);

// counts[group_of[hole], points] += weights[row] for each live hole in rows of the river table.
void count_river_points(const RiverCell* rows, int num_rows, const std::uint32_t* weights,
                        const std::uint16_t* group_of, std::int64_t* counts);

// One hand without tables.
void hand_features(Hole hole, SuitMasks board, int board_cards, FeatureUnits units,
                   std::int16_t* features);

}  // namespace riverboat
