// k-means on rows of whole numbers.
//
// Points and centroids are int16 rows of as many entries as a street has features; distances are
// squared, below 2^31. Sums of weights, points and distances are integers too, so that the result
// depends neither on the number of threads nor on the machine.
#pragma once

#include <cstdint>
#include <vector>

namespace riverboat {

// Points of one slice. A weight is the number of deals that a point represents.
struct Points {
    const std::int16_t* rows;
    const std::uint32_t* weights;
    std::int64_t count;
    int width;
};

// Centroids in ascending order of the sums of their entries.
class Centroids {
  public:
    Centroids(const std::int16_t* rows, int count, int width);

    bool ascending() const;

    struct Nearest {
        std::uint32_t index;
        std::int32_t distance;
    };
    // The nearest centroid; of equally near ones the first.
    Nearest nearest(const std::int16_t* point) const;

  private:
    template <int kWidth>
    Nearest nearest_of(const std::int16_t* point) const;

    const std::int16_t* rows_;
    int count_;
    int width_;
    std::vector<std::int32_t> sums_;
};

// Adds each point to its cluster: sums[label, entry] += weight * entry, masses[label] += weight.
// Returns the weighted sum of the points' own squares, so that
// total - sum over clusters of |sums|^2 / mass is the sum of squared distances to the means.
std::uint64_t add_members(const Points& points, const std::uint16_t* labels, std::int64_t* sums,
                          std::int64_t* masses);

// Squared distance of each point to its nearest centroid; returns the weighted sum.
// labels[i] and distances[i] are written.
std::uint64_t assign_points(const Centroids& centroids, const Points& points, std::uint16_t* labels,
                            std::int32_t* distances);

// Weighted sum of min(distances[i], squared distance to `centroid`).
std::uint64_t cost_with(const Points& points, const std::int16_t* centroid,
                        const std::int32_t* distances);

// distances[i] = min(distances[i], squared distance to `centroid`); returns the weighted sum.
std::uint64_t lower_distances(const Points& points, const std::int16_t* centroid,
                              std::int32_t* distances);

// The first point at which the running sum of weight * distance exceeds `target`; the last point
// if none does.
std::int64_t point_at(const Points& points, const std::int32_t* distances, std::uint64_t target);

}  // namespace riverboat
