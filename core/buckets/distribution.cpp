#include "buckets/distribution.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace riverboat {
namespace {

constexpr std::uint16_t kOnBoard = 0xffff;

// By hole pair, the first pair that is isomorphic to it on the board.
std::array<std::uint16_t, kNumHoles> first_equals(SuitMasks board) {
    std::array<std::uint16_t, kNumHoles> firsts;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        const SuitMasks held = suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
        firsts[hole] = held & board ? kOnBoard : static_cast<std::uint16_t>(hole);
    }
    for (int p = 1; p < kNumSuitPermutations; ++p) {
        if (permute(board, p) != board) continue;
        const auto& moved = hole_permutations()[p];
        for (int hole = 0; hole < kNumHoles; ++hole) {
            if (firsts[hole] != kOnBoard) firsts[hole] = std::min(firsts[hole], moved[hole]);
        }
    }
    return firsts;
}

}  // namespace

void distribution_buckets(int board_cards, std::uint32_t id, const RiverCell* river,
                          const RiverCell* turn, FeatureUnits units, const Centroids& centroids,
                          std::uint16_t* buckets) {
    const auto firsts = first_equals(Boards::of(board_cards).masks(id));
    std::vector<std::uint16_t> holes;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        if (firsts[hole] == hole) holes.push_back(static_cast<std::uint16_t>(hole));
    }
    const int width = num_features(board_cards);
    std::vector<std::int16_t> features(holes.size() * static_cast<std::size_t>(width));
    board_features(board_cards, id, holes, river, turn, units, features.data());
    for (std::size_t i = 0; i < holes.size(); ++i) {
        const auto nearest = centroids.nearest(features.data() + i * width);
        buckets[holes[i]] = static_cast<std::uint16_t>(nearest.index);
    }
    for (int hole = 0; hole < kNumHoles; ++hole) {
        buckets[hole] = firsts[hole] == kOnBoard ? std::uint16_t{0} : buckets[firsts[hole]];
    }
}

int distribution_bucket(Hole hole, SuitMasks board, int board_cards, FeatureUnits units,
                        const Centroids& centroids) {
    std::array<std::int16_t, kFlopFeatures> features;
    hand_features(hole, board, board_cards, units, features.data());
    return static_cast<int>(centroids.nearest(features.data()).index);
}

}  // namespace riverboat
