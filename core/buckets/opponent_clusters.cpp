#include "buckets/opponent_clusters.hpp"

#include <algorithm>
#include <numeric>

#include "cards/ranking.hpp"

namespace riverboat {
namespace {

// A number for each cluster: one register.
using Counts = std::array<std::int16_t, kRiverFeatures>;

// Hole pairs of each cluster, all of them and those with each card.
struct Tally {
    Counts all{};
    std::array<Counts, kNumCards> with{};

    void add(Hole hole, int cluster) {
        ++all[cluster];
        ++with[hole.low][cluster];
        ++with[hole.high][cluster];
    }

    // Those that share no card with `hole`, which is itself `own` times among them.
    Counts apart_from(Hole hole, const Counts& own) const {
        Counts counts;
        for (int j = 0; j < kRiverFeatures; ++j) {
            counts[j] =
                static_cast<std::int16_t>(all[j] - with[hole.low][j] - with[hole.high][j] + own[j]);
        }
        return counts;
    }
};

// By cluster, what a hole pair of it counts itself: 1 in its cluster, 0 in others.
constexpr auto kItself = [] {
    std::array<Counts, kRiverFeatures> own{};
    for (int j = 0; j < kRiverFeatures; ++j) own[j][j] = 1;
    return own;
}();

// Rounded half up. The quotient in double precision is exact enough: its error is far below the
// distance of a fraction with such a denominator from the next whole number.
std::int16_t equity(int points, int live) {
    return static_cast<std::int16_t>(static_cast<double>(kEquityUnit * points + live) / (2 * live));
}

RiverFeatures features_of(const Counts& points, const Counts& live) {
    RiverFeatures features;
    bool all_live = true;
    for (int j = 0; j < kRiverFeatures; ++j) {
        features[j] = equity(points[j], std::max<int>(live[j], 1));
        all_live &= live[j] > 0;
    }
    if (all_live) return features;
    const int sum = std::accumulate(points.begin(), points.end(), 0);
    for (int j = 0; j < kRiverFeatures; ++j) {
        if (live[j] == 0) features[j] = equity(sum, kRiverOpponents);
    }
    return features;
}

// Calls visit(hole, features) for each hand, weakest first.
template <typename Visit>
void for_each_hand(SuitMasks board, const ClusterOf& cluster_of, const Visit& visit) {
    const RiverHands hands = ranked_river(board);
    Tally live, weaker;
    for (const auto [strength, hole] : hands) live.add(kHoles[hole], cluster_of[hole]);
    for (int begin = 0, end = 0; begin < kRiverHoles; begin = end) {
        Tally up_to = weaker;
        for (; end < kRiverHoles && hands[end].strength == hands[begin].strength; ++end) {
            up_to.add(kHoles[hands[end].hole], cluster_of[hands[end].hole]);
        }
        for (int i = begin; i < end; ++i) {
            const Hole hole = kHoles[hands[i].hole];
            const Counts& own = kItself[cluster_of[hands[i].hole]];
            Counts points = weaker.apart_from(hole, {});
            const Counts not_stronger = up_to.apart_from(hole, own);
            for (int j = 0; j < kRiverFeatures; ++j) {
                points[j] = static_cast<std::int16_t>(points[j] + not_stronger[j]);
            }
            visit(hands[i].hole, features_of(points, live.apart_from(hole, own)));
        }
        weaker = up_to;
    }
}

}  // namespace

RiverFeatures opponent_features(Hole hole, SuitMasks board, const ClusterOf& cluster_of) {
    const Evaluator& evaluator = Evaluator::standard();
    const SuitMasks dead = board | suit_masks_of(hole.low) | suit_masks_of(hole.high);
    HandSum sum = Evaluator::empty(7);
    std::array<Card, 5> on_board;
    const int size = cards_of(board, on_board.data());
    for (int i = 0; i < size; ++i) sum += evaluator.card(on_board[i]);
    const std::uint16_t own =
        evaluator.strength(sum + evaluator.card(hole.low) + evaluator.card(hole.high));
    Counts points{}, live{};
    for (int other = 0; other < kNumHoles; ++other) {
        const auto [low, high] = kHoles[other];
        if (dead & (suit_masks_of(low) | suit_masks_of(high))) continue;
        const std::uint16_t strength = evaluator.strength(sum + evaluator.hole(other));
        const int cluster = cluster_of[other];
        points[cluster] =
            static_cast<std::int16_t>(points[cluster] + (own > strength) + (own >= strength));
        ++live[cluster];
    }
    return features_of(points, live);
}

void opponent_buckets(std::uint32_t id, const ClusterOf& cluster_of, const Centroids& centroids,
                      std::uint16_t* buckets) {
    std::fill_n(buckets, kNumHoles, std::uint16_t{0});
    for_each_hand(Boards::of(5).masks(id), cluster_of, [&](int hole, const RiverFeatures& point) {
        buckets[hole] = static_cast<std::uint16_t>(centroids.nearest(point.data()).index);
    });
}

}  // namespace riverboat
