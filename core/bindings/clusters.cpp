// Distributions of hands and their clusters.
#include "buckets/clusters.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "buckets/distribution.hpp"
#include "buckets/features.hpp"
#include "buckets/line_clusters.hpp"
#include "buckets/opponent_clusters.hpp"
#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using Cells = Array<const std::uint16_t, nb::shape<-1, kNumHoles, 2>>;
using Rows = Matrix<const std::int16_t>;
using Units = std::array<int, 2>;

void check(bool fits) {
    if (!fits) throw CardError("arrays of distributions of the wrong shape");
}

int checked_width(const Rows& rows) {
    check(rows.shape(1) == kTurnFeatures || rows.shape(1) == kFlopFeatures ||
          rows.shape(1) == kRiverFeatures);
    return static_cast<int>(rows.shape(1));
}

FeatureUnits units_of(int board_cards, Units units) {
    const FeatureUnits result{units[0], units[1]};
    check((board_cards == 3 || board_cards == 4) && sound_units(board_cards, result));
    return result;
}

// Labels are uint16.
Centroids centroids_of(const Rows& rows) {
    check(rows.shape(0) >= 1 && rows.shape(0) <= 1 << 16);
    Centroids centroids(rows.data(), static_cast<int>(rows.shape(0)), checked_width(rows));
    if (!centroids.ascending()) throw CardError("centroids do not ascend");
    return centroids;
}

Points points_of(const Rows& rows, const Vector<const std::uint32_t>& weights) {
    check(weights.shape(0) == rows.shape(0));
    return {rows.data(), weights.data(), static_cast<std::int64_t>(rows.shape(0)),
            checked_width(rows)};
}

struct HandTables {
    HandTables(const Cells& river_cells, const Cells& turn_cells)
        : river(reinterpret_cast<const RiverCell*>(river_cells.data())),
          turn(reinterpret_cast<const RiverCell*>(turn_cells.data())) {
        check(river_cells.shape(0) == static_cast<std::size_t>(Boards::of(5).size()) &&
              turn_cells.shape(0) == static_cast<std::size_t>(Boards::of(4).size()));
    }
    const RiverCell* river;
    const RiverCell* turn;
};

// Cells (board, hole) in any order; consecutive cells of one board are computed together.
void features_into(int board_cards, Vector<const std::uint32_t> boards,
                   Vector<const std::uint16_t> holes, const Cells& river, const Cells& turn,
                   Units units, Matrix<std::int16_t> features) {
    const FeatureUnits scale = units_of(board_cards, units);
    const HandTables tables(river, turn);
    const auto width = static_cast<std::size_t>(num_features(board_cards));
    const std::size_t count = boards.shape(0);
    check(holes.shape(0) == count && features.shape(0) == count && features.shape(1) == width);
    nb::gil_scoped_release release;
    const Boards& known = Boards::of(board_cards);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t board = boards.data()[i], hole = holes.data()[i];
        check(board < static_cast<std::uint32_t>(known.size()) && hole < kNumHoles);
        check(!(known.masks(board) &
                (suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high))));
    }
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        const std::uint32_t board = boards.data()[begin];
        while (end < count && boards.data()[end] == board) ++end;
        board_features(board_cards, board, {holes.data() + begin, end - begin}, tables.river,
                       tables.turn, scale, features.data() + begin * width);
    }
}

// Buckets of whole boards.
void buckets_into(int board_cards, int begin, const Cells& river, const Cells& turn, Units units,
                  const Rows& rows, Array<std::uint16_t, nb::shape<-1, kNumHoles>> out) {
    const FeatureUnits scale = units_of(board_cards, units);
    const HandTables tables(river, turn);
    const Centroids centroids = centroids_of(rows);
    check(checked_width(rows) == num_features(board_cards));
    check(begin >= 0 && begin + static_cast<int>(out.shape(0)) <= Boards::of(board_cards).size());
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < out.shape(0); ++i) {
        distribution_buckets(board_cards, static_cast<std::uint32_t>(begin + i), tables.river,
                             tables.turn, scale, centroids, out.data() + i * kNumHoles);
    }
}

ClusterOf clusters_of(const Vector<const std::uint8_t>& clusters) {
    ClusterOf result;
    check(clusters.shape(0) == result.size());
    std::copy_n(clusters.data(), result.size(), result.begin());
    check(std::all_of(result.begin(), result.end(), [](int j) { return j < kRiverFeatures; }));
    return result;
}

// Cells (canonical river, hole) in any order.
void opponent_features_into(Vector<const std::uint32_t> boards, Vector<const std::uint16_t> holes,
                            const Vector<const std::uint8_t>& clusters,
                            Matrix<std::int16_t> features) {
    const ClusterOf cluster_of = clusters_of(clusters);
    check(holes.shape(0) == boards.shape(0) && features.shape(0) == boards.shape(0) &&
          features.shape(1) == kRiverFeatures);
    nb::gil_scoped_release release;
    const Boards& known = Boards::of(5);
    for (std::size_t i = 0; i < boards.shape(0); ++i) {
        const std::uint32_t id = boards.data()[i], index = holes.data()[i];
        check(id < static_cast<std::uint32_t>(known.size()) && index < kNumHoles);
        const Hole hole = kHoles[index];
        const SuitMasks board = known.masks(id);
        check(!(board & (suit_masks_of(hole.low) | suit_masks_of(hole.high))));
        const RiverFeatures row = opponent_features(hole, board, cluster_of);
        std::copy(row.begin(), row.end(), features.data() + i * row.size());
    }
}

void opponent_buckets_into(int begin, const Vector<const std::uint8_t>& clusters, const Rows& rows,
                           Array<std::uint16_t, nb::shape<-1, kNumHoles>> out) {
    const ClusterOf cluster_of = clusters_of(clusters);
    const Centroids centroids = centroids_of(rows);
    check(rows.shape(1) == kRiverFeatures && begin >= 0 &&
          begin + static_cast<int>(out.shape(0)) <= Boards::of(5).size());
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < out.shape(0); ++i) {
        opponent_buckets(static_cast<std::uint32_t>(begin + i), cluster_of, centroids,
                         out.data() + i * kNumHoles);
    }
}

// Cards are checked in Python.
struct OneHand {
    OneHand(std::array<Card, 2> cards, const std::vector<Card>& board_cards)
        : hole{std::min(cards[0], cards[1]), std::max(cards[0], cards[1])},
          size(static_cast<int>(board_cards.size())) {
        for (const Card card : board_cards) check(card < kNumCards);
        check(hole.low < hole.high && hole.high < kNumCards && size >= 3 && size <= 5);
        board = suit_masks_of(board_cards.data(), size);
    }
    Hole hole;
    int size;
    SuitMasks board;
};

int bucket(std::array<Card, 2> cards, const std::vector<Card>& board, Units units,
           const Rows& rows) {
    const OneHand hand(cards, board);
    const FeatureUnits scale = units_of(hand.size, units);
    const Centroids centroids = centroids_of(rows);
    check(checked_width(rows) == num_features(hand.size));
    nb::gil_scoped_release release;
    return distribution_bucket(hand.hole, hand.board, hand.size, scale, centroids);
}

int opponent_bucket(std::array<Card, 2> cards, const std::vector<Card>& board,
                    const Vector<const std::uint8_t>& clusters, const Rows& rows) {
    const OneHand hand(cards, board);
    const ClusterOf cluster_of = clusters_of(clusters);
    const Centroids centroids = centroids_of(rows);
    check(hand.size == 5 && rows.shape(1) == kRiverFeatures);
    nb::gil_scoped_release release;
    const RiverFeatures point = opponent_features(hand.hole, hand.board, cluster_of);
    return static_cast<int>(centroids.nearest(point.data()).index);
}

void hand_into(std::array<Card, 2> cards, const std::vector<Card>& board, Units units,
               Vector<std::int16_t> out) {
    const OneHand hand(cards, board);
    const FeatureUnits scale = units_of(hand.size, units);
    check(out.shape(0) == static_cast<std::size_t>(num_features(hand.size)));
    nb::gil_scoped_release release;
    hand_features(hand.hole, hand.board, hand.size, scale, out.data());
}

std::uint64_t assign_into(const Rows& rows, const Vector<const std::uint32_t>& weights,
                          const Rows& centroid_rows, Vector<std::uint16_t> labels,
                          Vector<std::int32_t> distances) {
    const Points points = points_of(rows, weights);
    const Centroids centroids = centroids_of(centroid_rows);
    check(labels.shape(0) == rows.shape(0) && distances.shape(0) == rows.shape(0) &&
          rows.shape(1) == centroid_rows.shape(1));
    nb::gil_scoped_release release;
    return assign_points(centroids, points, labels.data(), distances.data());
}

std::uint64_t members_into(const Rows& rows, const Vector<const std::uint32_t>& weights,
                           Vector<const std::uint16_t> labels, Matrix<std::int64_t> sums,
                           Vector<std::int64_t> masses) {
    const Points points = points_of(rows, weights);
    check(labels.shape(0) == rows.shape(0) && sums.shape(1) == rows.shape(1) &&
          sums.shape(0) == masses.shape(0));
    nb::gil_scoped_release release;
    const std::uint16_t* end = labels.data() + labels.shape(0);
    check(std::all_of(labels.data(), end, [&](auto label) { return label < masses.shape(0); }));
    return add_members(points, labels.data(), sums.data(), masses.data());
}

std::uint64_t cost(const Rows& rows, const Vector<const std::uint32_t>& weights,
                   Vector<const std::int16_t> centroid, Vector<const std::int32_t> distances) {
    const Points points = points_of(rows, weights);
    check(centroid.shape(0) == rows.shape(1) && distances.shape(0) == rows.shape(0));
    nb::gil_scoped_release release;
    return cost_with(points, centroid.data(), distances.data());
}

std::uint64_t lower(const Rows& rows, const Vector<const std::uint32_t>& weights,
                    Vector<const std::int16_t> centroid, Vector<std::int32_t> distances) {
    const Points points = points_of(rows, weights);
    check(centroid.shape(0) == rows.shape(1) && distances.shape(0) == rows.shape(0));
    nb::gil_scoped_release release;
    return lower_distances(points, centroid.data(), distances.data());
}

std::int64_t point(Vector<const std::uint32_t> weights, Vector<const std::int32_t> distances,
                   std::uint64_t target) {
    check(weights.shape(0) == distances.shape(0) && weights.shape(0) > 0);
    const Points points{nullptr, weights.data(), static_cast<std::int64_t>(weights.shape(0)), 0};
    nb::gil_scoped_release release;
    return point_at(points, distances.data(), target);
}

std::vector<int> on_a_line(Vector<const double> mass, Vector<const double> sum,
                           Vector<const double> square, int num_clusters) {
    const auto count = static_cast<int>(mass.shape(0)) - 1;
    check(sum.shape(0) == mass.shape(0) && square.shape(0) == mass.shape(0) && num_clusters >= 1 &&
          num_clusters <= count);
    nb::gil_scoped_release release;
    return line_clusters({mass.data(), sum.data(), square.data(), count}, num_clusters);
}

void points_into(const Cells& river, Vector<const std::uint32_t> weights,
                 Vector<const std::uint16_t> groups, Matrix<std::int64_t> counts) {
    check(weights.shape(0) == river.shape(0) && groups.shape(0) == kNumHoles &&
          counts.shape(1) == kRiverPoints + 1);
    const std::uint16_t* end = groups.data() + kNumHoles;
    check(std::all_of(groups.data(), end, [&](auto group) { return group < counts.shape(0); }));
    nb::gil_scoped_release release;
    count_river_points(reinterpret_cast<const RiverCell*>(river.data()),
                       static_cast<int>(river.shape(0)), weights.data(), groups.data(),
                       counts.data());
}

}  // namespace

void bind_clusters(nb::module_& m) {
    m.attr("NUM_BINS") = kBins;
    m.def("cell_features_into", &features_into, nb::arg("board_cards"),
          nb::arg("boards").noconvert(), nb::arg("holes").noconvert(), nb::arg("river").noconvert(),
          nb::arg("turn").noconvert(), nb::arg("units"), nb::arg("features").noconvert());
    m.def("hand_features_into", &hand_into, nb::arg("hole"), nb::arg("board"), nb::arg("units"),
          nb::arg("out").noconvert());
    m.def("distribution_buckets_into", &buckets_into, nb::arg("board_cards"), nb::arg("begin"),
          nb::arg("river").noconvert(), nb::arg("turn").noconvert(), nb::arg("units"),
          nb::arg("centroids").noconvert(), nb::arg("out").noconvert());
    m.def("distribution_bucket", &bucket, nb::arg("hole"), nb::arg("board"), nb::arg("units"),
          nb::arg("centroids").noconvert());
    m.attr("NUM_OPPONENT_CLUSTERS") = kRiverFeatures;
    m.attr("EQUITY_UNIT") = kEquityUnit;
    m.def("opponent_features_into", &opponent_features_into, nb::arg("boards").noconvert(),
          nb::arg("holes").noconvert(), nb::arg("clusters").noconvert(),
          nb::arg("features").noconvert());
    m.def("opponent_buckets_into", &opponent_buckets_into, nb::arg("begin"),
          nb::arg("clusters").noconvert(), nb::arg("centroids").noconvert(),
          nb::arg("out").noconvert());
    m.def("opponent_bucket", &opponent_bucket, nb::arg("hole"), nb::arg("board"),
          nb::arg("clusters").noconvert(), nb::arg("centroids").noconvert());
    m.def("assign_points_into", &assign_into, nb::arg("points").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("centroids").noconvert(),
          nb::arg("labels").noconvert(), nb::arg("distances").noconvert());
    m.def("add_members_into", &members_into, nb::arg("points").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("labels").noconvert(),
          nb::arg("sums").noconvert(), nb::arg("masses").noconvert());
    m.def("cost_with", &cost, nb::arg("points").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("centroid").noconvert(), nb::arg("distances").noconvert());
    m.def("lower_distances", &lower, nb::arg("points").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("centroid").noconvert(), nb::arg("distances").noconvert());
    m.def("line_clusters", &on_a_line, nb::arg("mass").noconvert(), nb::arg("sum").noconvert(),
          nb::arg("square").noconvert(), nb::arg("num_clusters"));
    m.def("count_river_points_into", &points_into, nb::arg("river").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("groups").noconvert(),
          nb::arg("counts").noconvert());
    m.def("point_at", &point, nb::arg("weights").noconvert(), nb::arg("distances").noconvert(),
          nb::arg("target"));
}

}  // namespace riverboat::bindings
