#include "buckets/clusters.hpp"

#include <algorithm>
#include <limits>

#include "buckets/features.hpp"

namespace riverboat {
namespace {

// The compiler turns this into multiply-and-add on 16-bit lanes; integers have the same sum
// in any order.
template <int kWidth>
std::int32_t squared_distance(const std::int16_t* a, const std::int16_t* b) {
    std::int32_t sum = 0;
    for (int i = 0; i < kWidth; ++i) {
        const auto difference = static_cast<std::int16_t>(a[i] - b[i]);
        sum += difference * difference;
    }
    return sum;
}

std::int32_t squared_distance(const std::int16_t* a, const std::int16_t* b, int width) {
    return width == kFlopFeatures   ? squared_distance<kFlopFeatures>(a, b)
           : width == kTurnFeatures ? squared_distance<kTurnFeatures>(a, b)
                                    : squared_distance<kRiverFeatures>(a, b);
}

std::int32_t sum_of(const std::int16_t* row, int width) {
    std::int32_t sum = 0;
    for (int i = 0; i < width; ++i) sum += row[i];
    return sum;
}

}  // namespace

Centroids::Centroids(const std::int16_t* rows, int count, int width)
    : rows_(rows), count_(count), width_(width), sums_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) sums_[i] = sum_of(rows + std::int64_t{i} * width, width);
}

bool Centroids::ascending() const { return std::is_sorted(sums_.begin(), sums_.end()); }

Centroids::Nearest Centroids::nearest(const std::int16_t* point) const {
    return width_ == kFlopFeatures   ? nearest_of<kFlopFeatures>(point)
           : width_ == kTurnFeatures ? nearest_of<kTurnFeatures>(point)
                                     : nearest_of<kRiverFeatures>(point);
}

// Walks away from the point's own sum on both sides. By Cauchy and Schwarz
// (sum - sum')^2 <= width * distance, so that it can stop once the sums differ too much.
template <int kWidth>
Centroids::Nearest Centroids::nearest_of(const std::int16_t* point) const {
    constexpr auto kFar = std::numeric_limits<std::int32_t>::max();
    const std::int32_t sum = sum_of(point, kWidth);
    auto above =
        static_cast<int>(std::lower_bound(sums_.begin(), sums_.end(), sum) - sums_.begin());
    int below = above - 1;
    Nearest best{0, kFar};
    while (true) {
        const std::int64_t up = above < count_ ? sums_[above] - sum : kFar;
        const std::int64_t down = below >= 0 ? sum - sums_[below] : kFar;
        const std::int64_t gap = std::min(up, down);
        if (gap == kFar || gap * gap > std::int64_t{kWidth} * best.distance) return best;
        const int index = up < down ? above++ : below--;
        const std::int32_t distance =
            squared_distance<kWidth>(point, rows_ + std::int64_t{index} * kWidth);
        if (distance < best.distance ||
            (distance == best.distance && static_cast<std::uint32_t>(index) < best.index)) {
            best = {static_cast<std::uint32_t>(index), distance};
        }
    }
}

std::uint64_t add_members(const Points& points, const std::uint16_t* labels, std::int64_t* sums,
                          std::int64_t* masses) {
    std::uint64_t squares = 0;
    for (std::int64_t i = 0; i < points.count; ++i) {
        const std::int16_t* row = points.rows + i * points.width;
        const auto weight = static_cast<std::int32_t>(points.weights[i]);
        std::int64_t* sum = sums + std::int64_t{labels[i]} * points.width;
        std::int64_t square = 0;
        for (int j = 0; j < points.width; ++j) {
            sum[j] += std::int64_t{weight} * row[j];
            square += std::int32_t{row[j]} * row[j];
        }
        masses[labels[i]] += weight;
        squares += static_cast<std::uint64_t>(square) * points.weights[i];
    }
    return squares;
}

std::uint64_t assign_points(const Centroids& centroids, const Points& points, std::uint16_t* labels,
                            std::int32_t* distances) {
    std::uint64_t cost = 0;
    for (std::int64_t i = 0; i < points.count; ++i) {
        const auto [index, distance] = centroids.nearest(points.rows + i * points.width);
        labels[i] = static_cast<std::uint16_t>(index);
        distances[i] = distance;
        cost += std::uint64_t{points.weights[i]} * static_cast<std::uint32_t>(distance);
    }
    return cost;
}

std::uint64_t cost_with(const Points& points, const std::int16_t* centroid,
                        const std::int32_t* distances) {
    std::uint64_t cost = 0;
    for (std::int64_t i = 0; i < points.count; ++i) {
        const std::int32_t distance = std::min(
            distances[i], squared_distance(points.rows + i * points.width, centroid, points.width));
        cost += std::uint64_t{points.weights[i]} * static_cast<std::uint32_t>(distance);
    }
    return cost;
}

std::uint64_t lower_distances(const Points& points, const std::int16_t* centroid,
                              std::int32_t* distances) {
    std::uint64_t cost = 0;
    for (std::int64_t i = 0; i < points.count; ++i) {
        distances[i] = std::min(
            distances[i], squared_distance(points.rows + i * points.width, centroid, points.width));
        cost += std::uint64_t{points.weights[i]} * static_cast<std::uint32_t>(distances[i]);
    }
    return cost;
}

std::int64_t point_at(const Points& points, const std::int32_t* distances, std::uint64_t target) {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < points.count; ++i) {
        sum += std::uint64_t{points.weights[i]} * static_cast<std::uint32_t>(distances[i]);
        if (sum > target) return i;
    }
    return points.count - 1;
}

}  // namespace riverboat
