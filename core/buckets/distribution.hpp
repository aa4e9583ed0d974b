// Buckets of hands by the nearest centroid of their distributions.
#pragma once

#include <cstdint>

#include "buckets/clusters.hpp"
#include "buckets/features.hpp"

namespace riverboat {

// All holes on the canonical board `id`, kNumHoles buckets; 0 for holes on the board.
void distribution_buckets(int board_cards, std::uint32_t id, const RiverCell* river,
                          const RiverCell* turn, FeatureUnits units, const Centroids& centroids,
                          std::uint16_t* buckets);

// The bucket of one hand, without tables.
int distribution_bucket(Hole hole, SuitMasks board, int board_cards, FeatureUnits units,
                        const Centroids& centroids);

}  // namespace riverboat
