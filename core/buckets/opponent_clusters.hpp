// Opponent cluster hand strength: a river hand is described by its equity against each of
// kRiverFeatures clusters of the opponent's hole pairs (Johanson, Burch, Valenzano & Bowling 2013,
// "Evaluating State-Space Abstractions in Extensive-Form Games").
//
// Against a cluster a hand has 2 * wins + ties half-points from the live hole pairs of the cluster:
// those that share no card with the board or with the hand itself. Entry j of a feature is
// half-points / (2 * live hole pairs) of cluster j in units of kEquityUnit, rounded; for a cluster
// without live hole pairs it is the same against all 990 live hole pairs. All counts are integers
// and the rounding is exact, so that a feature is the same from a whole board or for one hand.
#pragma once

#include <array>
#include <cstdint>

#include "buckets/clusters.hpp"
#include "buckets/features.hpp"

namespace riverboat {

// The value of equity 1: 8 * unit^2 is below 2^31, so that squared distances fit in 32 bits.
inline constexpr int kEquityUnit = 16'383;

// By hole pair, its cluster: below kRiverFeatures.
using ClusterOf = std::array<std::uint8_t, kNumHoles>;
using RiverFeatures = std::array<std::int16_t, kRiverFeatures>;

// One hand on a board of five cards.
RiverFeatures opponent_features(Hole hole, SuitMasks board, const ClusterOf& cluster_of);

// The nearest centroid of all holes on the canonical river `id`, kNumHoles buckets; 0 for holes on
// the board.
void opponent_buckets(std::uint32_t id, const ClusterOf& cluster_of, const Centroids& centroids,
                      std::uint16_t* buckets);

}  // namespace riverboat
