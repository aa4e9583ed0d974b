#include "buckets/line_clusters.hpp"

#include <algorithm>
#include <limits>

namespace riverboat {
namespace {

// Adds one more cluster to the minimum costs of the values up to each last one.
struct Round {
    const LineMoments& moments;
    const double* before;
    double* costs;
    int* firsts;

    // Last values begin .. end, whose first values lie in least .. most.
    void solve(int begin, int end, int least, int most) const {
        if (begin > end) return;
        const int last = (begin + end) / 2;
        costs[last] = std::numeric_limits<double>::infinity();
        for (int first = least; first <= std::min(last, most); ++first) {
            const double cost = before[first - 1] + moments.spread(first, last);
            if (cost < costs[last]) {
                costs[last] = cost;
                firsts[last] = first;
            }
        }
        solve(begin, last - 1, least, firsts[last]);
        solve(last + 1, end, firsts[last], most);
    }
};

}  // namespace

std::vector<int> line_clusters(const LineMoments& moments, int num_clusters) {
    const int count = moments.count;
    std::vector<double> costs(count), before(count);
    for (int last = 0; last < count; ++last) costs[last] = moments.spread(0, last);
    std::vector<std::vector<int>> firsts(num_clusters, std::vector<int>(count));
    for (int clusters = 1; clusters < num_clusters; ++clusters) {
        std::swap(before, costs);
        // Each cluster has a value: `clusters` values precede the first one of the last cluster.
        Round{moments, before.data(), costs.data(), firsts[clusters].data()}.solve(
            clusters, count - 1, clusters, count - 1);
    }
    std::vector<int> chosen(num_clusters);
    for (int cluster = num_clusters - 1, last = count - 1; cluster >= 0; --cluster) {
        chosen[cluster] = firsts[cluster][last];
        last = chosen[cluster] - 1;
    }
    return chosen;
}

}  // namespace riverboat
