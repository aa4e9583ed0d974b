// Dealers of hold'em from tables that NumPy owns; drawing deals for tests and benchmarks.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/solve.hpp"
#include "solve/holdem_dealer.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using AnyTable = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Values = Array<const std::uint32_t, nb::shape<-1, kNumCards>>;
using Points = Array<const std::int32_t, nb::shape<-1, kNumHoles>>;
// A fixed swap: street, strength of each pair, sums by card, least gain.
using FixedArrays = std::tuple<int, Points, Values, double>;

template <typename T>
void check_cells(const AnyTable& table, std::uint32_t num_buckets) {
    const auto* cells = static_cast<const T*>(table.data());
    nb::gil_scoped_release release;
    const std::size_t size = table.size();  // a product of all dimensions, at each call
    T largest = 0;
    for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, cells[i]);
    if (largest >= num_buckets) {
        throw GameError("a table has bucket " + std::to_string(largest) + ", but there are only " +
                        std::to_string(num_buckets) + " buckets");
    }
}

// Checks every cell: with a wrong cell a walk would leave its tables.
BucketTable bucket_table(const AnyTable& table, std::uint32_t num_buckets) {
    if (table.ndim() != 2 || table.shape(1) != kNumHoles) {
        throw GameError("a bucket table has the shape [boards, 1326]");
    }
    int cell_shift = 0;
    if (table.dtype() == nb::dtype<std::uint8_t>()) {
        check_cells<std::uint8_t>(table, num_buckets);
    } else if (table.dtype() == nb::dtype<std::uint16_t>()) {
        check_cells<std::uint16_t>(table, num_buckets);
        cell_shift = 1;
    } else if (table.dtype() == nb::dtype<std::uint32_t>()) {
        check_cells<std::uint32_t>(table, num_buckets);
        cell_shift = 2;
    } else {
        throw GameError("buckets must be uint8, uint16 or uint32");
    }
    return {table.data(), cell_shift, table.shape(0), num_buckets,
            std::make_shared<AnyTable>(table)};
}

SwapValues swap_values_of(const Values& street) {
    return {street.data(), street.shape(0), std::make_shared<Values>(street)};
}

FixedSwap fixed_swap(const FixedArrays& arrays) {
    const auto& [street, points, values, least] = arrays;
    if (points.shape(0) != values.shape(0)) {
        throw GameError("points and values of a fixed swap need the same boards");
    }
    return {street, points.data(), swap_values_of(values), least, std::make_shared<Points>(points)};
}

CompiledDealer holdem(const CompiledTree& tree, const std::vector<AnyTable>& tables,
                      const std::vector<std::uint32_t>& num_buckets,
                      const std::vector<Values>& swap_values, bool recall,
                      const std::vector<FixedArrays>& fixed) {
    const auto& whole = whole_tree(tree);
    if (tables.size() != num_buckets.size())
        throw GameError("every table needs a number of buckets");
    std::vector<BucketTable> streets;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        streets.push_back(bucket_table(tables[i], num_buckets[i]));
    }
    std::vector<SwapValues> values;
    for (const Values& street : swap_values) values.push_back(swap_values_of(street));
    std::vector<FixedSwap> rules;
    for (const FixedArrays& arrays : fixed) rules.push_back(fixed_swap(arrays));
    return {whole, std::make_shared<const HoldemDealer>(
                       whole, std::move(streets), std::move(values), recall, std::move(rules))};
}

// Row i has the cards of the deal of stream first + i, by slots of the game.
void cards_into(const CompiledDealer& deals, std::uint64_t seed, std::uint64_t first,
                Matrix<std::uint8_t> cards) {
    const auto* dealer = dynamic_cast<const HoldemDealer*>(deals.dealer.get());
    if (dealer == nullptr) throw GameError("only deals of hold'em have cards to show");
    if (cards.shape(1) != static_cast<std::size_t>(dealer->num_cards())) {
        throw GameError("a deal has " + std::to_string(dealer->num_cards()) + " cards");
    }
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < cards.shape(0); ++i) {
        Random random(seed, first + i);
        dealer->draw_cards(random, cards.data() + i * cards.shape(1));
    }
}

// buckets[i, group] and strengths[i, player, line of swaps] of the deal of stream first + i.
void deals_into(const CompiledDealer& deals, std::uint64_t seed, std::uint64_t first,
                Matrix<std::uint32_t> buckets, Array<std::uint32_t, nb::ndim<3>> strengths) {
    const std::size_t groups = deals.tree->groups().size();
    const auto players = static_cast<std::size_t>(deals.tree->num_players());
    const std::size_t lines = std::size_t{1} << deals.tree->spec().swaps;
    if (buckets.shape(1) != groups || strengths.shape(0) != buckets.shape(0) ||
        strengths.shape(1) != players || strengths.shape(2) != lines) {
        throw GameError("deals need buckets [n, groups] and strengths [n, players, swap lines]");
    }
    nb::gil_scoped_release release;
    Deal deal;
    for (std::size_t i = 0; i < buckets.shape(0); ++i) {
        Random random(seed, first + i);
        deals.dealer->draw(random, deal);
        std::copy_n(deal.bucket.begin(), groups, buckets.data() + i * groups);
        for (std::size_t player = 0; player < players; ++player) {
            std::copy_n(deal.strength[player].begin(), lines,
                        strengths.data() + (i * players + player) * lines);
        }
    }
}

}  // namespace

void bind_holdem(nb::module_& m) {
    m.def("holdem_dealer", &holdem, nb::arg("tree"), nb::arg("tables"), nb::arg("num_buckets"),
          nb::arg("swap_values"), nb::arg("recall") = false,
          nb::arg("fixed") = std::vector<FixedArrays>{});
    m.def("holdem_cards_into", &cards_into, nb::arg("deals"), nb::arg("seed"), nb::arg("first"),
          nb::arg("cards").noconvert());
    m.def("deals_into", &deals_into, nb::arg("deals"), nb::arg("seed"), nb::arg("first"),
          nb::arg("buckets").noconvert(), nb::arg("strengths").noconvert());
}

}  // namespace riverboat::bindings
