// k-means of numbers on a line, solved exactly.
#pragma once

#include <cstdint>
#include <vector>

namespace riverboat {

// Values 0, 1, .. in ascending order, by the running sums of their weight, weight * value and
// weight * value^2: count + 1 numbers each, from 0.
struct LineMoments {
    const double* mass;
    const double* sum;
    const double* square;
    int count;

    // Weighted squared distance of values first .. last to their mean.
    double spread(int first, int last) const {
        const double between = sum[last + 1] - sum[first];
        const double spread =
            square[last + 1] - square[first] - between * between / (mass[last + 1] - mass[first]);
        return spread > 0 ? spread : 0;
    }
};

// The first value of each of num_clusters (1 .. count) clusters with the minimum sum of spreads.
// Clusters are intervals, found by dynamic programming over their last values (Wang & Song 2011).
// The best first value never decreases as the last one increases, so each round divides and
// conquers.
std::vector<int> line_clusters(const LineMoments& moments, int num_clusters);

}  // namespace riverboat
