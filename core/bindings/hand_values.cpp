// Values of all hands of a strategy, for Python.
#include <nanobind/stl/function.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "bindings/tree.hpp"
#include "solve/hand_values.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using Numbers = Matrix<const double>;
// Cards [boards, cards], buckets [boards, 1326], factor.
using StreetFields = std::tuple<Matrix<const std::int64_t>, Matrix<const std::int64_t>, double>;

struct HandWalk {
    std::shared_ptr<const Tree> tree;
    HandValues values;
    Numbers equities;

    HandWalk(const CompiledTree& of, const std::function<Numbers(int)>& table, int player,
             bool best)
        : tree(of.tree), values(*tree, reader(*tree, table), player, best) {
        if (tree->num_players() != 2 || player < 0 || player > 1) {
            throw GameError("values of all hands are for two players");
        }
    }

    static HandValues::TableOf reader(const Tree& tree, const std::function<Numbers(int)>& table) {
        return [&tree, table](std::int32_t node) {
            const Numbers rows = table(node);
            if (rows.shape(0) != tree.nodes()[node].num_actions || rows.shape(1) == 0) {
                throw GameError("the table of node " + std::to_string(node) +
                                " must have a row for each action");
            }
            return StrategyTable{
                rows.data(), rows.shape(1), std::make_shared<const Numbers>(rows), {}};
        };
    }
};

void draw_lines(HandWalk& walk, double floor, std::uint64_t seed,
                const std::function<Numbers()>& equities) {
    walk.values.draw_lines({floor, seed, [&walk, equities] {
                                walk.equities = equities();
                                if (walk.equities.shape(0) != kNumHoles ||
                                    walk.equities.shape(1) != kNumHoles) {
                                    throw GameError("equities must be [1326, 1326]");
                                }
                                return walk.equities.data();
                            }});
}

HandStreet street_from(const StreetFields& fields, int street, std::size_t boards,
                       const GameSpec& spec) {
    const auto& [cards, buckets, factor] = fields;
    int size = 0;
    for (int i = 0; i <= street; ++i) size += spec.street[i].board;
    if (buckets.shape(0) != cards.shape(0) || buckets.shape(1) != kNumHoles ||
        cards.shape(0) != boards || cards.shape(1) != static_cast<std::size_t>(size)) {
        throw GameError(
            "the boards of a street must be [boards, cards] with [boards, 1326] buckets");
    }
    HandStreet found;
    found.factor = factor;
    for (std::size_t i = 0; i < cards.shape(0); ++i) {
        std::vector<Card> dealt;
        for (int k = 0; k < size; ++k) dealt.push_back(static_cast<Card>(cards(i, k)));
        found.boards.emplace_back(dealt, buckets.data() + i * kNumHoles,
                                  street == spec.streets - 1);
    }
    return found;
}

void deal(HandWalk& walk, int first_street, const std::vector<StreetFields>& streets) {
    const GameSpec& spec = walk.tree->spec();
    if (streets.empty() || first_street + static_cast<int>(streets.size()) != spec.streets) {
        throw GameError("a walk needs the boards of every street");
    }
    std::vector<HandStreet> all;
    for (const StreetFields& fields : streets) {
        const int street = first_street + static_cast<int>(all.size());
        const std::size_t runouts = std::get<0>(streets.back()).shape(0);
        all.push_back(street_from(fields, street, all.empty() ? 1 : runouts, spec));
    }
    walk.values.deal(first_street, std::move(all));
}

void check(const HandWalk& walk, int node, const Vector<const double>& reach) {
    if (node < 0 || static_cast<std::size_t>(node) >= walk.tree->nodes().size()) {
        throw GameError("there is no node " + std::to_string(node));
    }
    if (reach.shape(0) != kNumHoles) throw GameError("a reach has 1326 numbers");
}

void values_into(HandWalk& walk, int node, Vector<const double> reach, Matrix<double> out) {
    check(walk, node, reach);
    if (out.shape(0) != walk.values.rows() || out.shape(1) != kNumHoles) {
        throw GameError("the array must be [runouts, 1326]");
    }
    walk.values.values(node, reach.data(), out.data());
}

void action_values_into(HandWalk& walk, int node, Vector<const double> reach,
                        Array<double, nb::ndim<3>> out) {
    check(walk, node, reach);
    if (out.shape(0) != walk.tree->nodes()[node].num_actions ||
        out.shape(1) != walk.values.rows() || out.shape(2) != kNumHoles) {
        throw GameError("the array must be [actions, runouts, 1326]");
    }
    walk.values.action_values(node, reach.data(), out.data());
}

// By row, for each hand the reach of the hands that share no card with it; 0 where only a rounding
// error remains.
void hands_met_into(Matrix<const double> reach, Matrix<double> out) {
    if (reach.shape(1) != kNumHoles || out.shape(0) != reach.shape(0) ||
        out.shape(1) != kNumHoles) {
        throw GameError("reaches are [rows, 1326]");
    }
    nb::gil_scoped_release release;
    for (std::size_t row = 0; row < reach.shape(0); ++row) {
        const double* from = reach.data() + row * kNumHoles;
        double* to = out.data() + row * kNumHoles;
        sum_met<double>(kHoles, from, 1, to);
        const double negligible = 1e-12 * std::accumulate(from, from + kNumHoles, 0.0);
        std::replace_if(to, to + kNumHoles, [&](double met) { return met <= negligible; }, 0.0);
    }
}

}  // namespace

void bind_hand_values(nb::module_& m) {
    m.def("hands_met_into", &hands_met_into, nb::arg("reach"), nb::arg("out").noconvert());
    nb::class_<HandWalk>(m, "HandWalk")
        .def(nb::init<const CompiledTree&, const std::function<Numbers(int)>&, int, bool>(),
             nb::arg("tree"), nb::arg("tables"), nb::arg("player"), nb::arg("best"))
        .def("draw_lines", &draw_lines, nb::arg("floor"), nb::arg("seed"), nb::arg("equities"))
        .def("deal", &deal, nb::arg("first_street"), nb::arg("streets"))
        .def_prop_ro("rows", [](const HandWalk& walk) { return walk.values.rows(); })
        .def("values_into", &values_into, nb::arg("node"), nb::arg("reach"),
             nb::arg("out").noconvert())
        .def("action_values_into", &action_values_into, nb::arg("node"), nb::arg("reach"),
             nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
