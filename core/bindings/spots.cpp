// The spot solver's engine for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/spots.hpp"
#include "bindings/tree.hpp"
#include "spots/check_down.hpp"
#include "spots/engine.hpp"
#include "spots/lock.hpp"
#include "spots/queries.hpp"
#include "spots/schedule.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using spots::SpotEngine;
using spots::SpotOptions;
using spots::TableKind;
using Cards = std::vector<Card>;

template <typename T>
void check_out(const Matrix<T>& out, std::size_t rows) {
    if (out.shape(0) != rows || out.shape(1) != kNumHoles) {
        throw GameError("the array must be [" + std::to_string(rows) + ", 1326]");
    }
}

std::size_t actions_of(const SpotEngine& engine, std::int32_t node) {
    const auto& nodes = engine.tree().nodes();
    return node >= 0 && static_cast<std::size_t>(node) < nodes.size() ? nodes[node].num_actions : 0;
}

void check_iterations(std::int64_t begin, std::int64_t iterations) {
    if (begin < 0 || iterations < 0) throw GameError("iterations are counted from 0");
}

void run(SpotEngine& engine, const spots::Schedule& schedule, std::int64_t begin,
         std::int64_t iterations) {
    check_iterations(begin, iterations);
    spots::FactorStream factors(schedule, begin);
    engine.run(factors, iterations);
}

// Iteration, both best responses, exploitability, and whether it is exact.
using CheckFields = std::tuple<std::int64_t, double, double, double, bool>;

spots::Check check_from(const CheckFields& fields) {
    const auto& [iteration, first, second, exploitability, exact] = fields;
    return {iteration, {first, second}, exploitability, exact};
}

// Returns the checks, and the iteration of the next check.
std::pair<std::vector<CheckFields>, std::int64_t> run_checked(
    SpotEngine& engine, const spots::Schedule& schedule, std::int64_t begin,
    std::int64_t iterations, double target, std::int64_t following,
    const std::optional<CheckFields>& before) {
    check_iterations(begin, iterations);
    const auto last = before ? std::optional(check_from(*before)) : std::nullopt;
    spots::CheckPlan plan(following, last, target);
    std::vector<spots::Check> checks;
    {
        nb::gil_scoped_release release;
        spots::FactorStream factors(schedule, begin);
        checks = engine.run_checked(factors, iterations, begin, plan);
    }
    std::vector<CheckFields> fields;
    for (const auto& [iteration, best, exploitability, exact] : checks) {
        fields.emplace_back(iteration, best[0], best[1], exploitability, exact);
    }
    return {std::move(fields), plan.following()};
}

void fill_factors(const spots::Schedule& schedule, std::int64_t begin, Matrix<float> out) {
    if (out.shape(1) != 4) throw GameError("an iteration has four factors");
    check_iterations(begin, 0);
    spots::FactorStream factors(schedule, begin);
    float* to = out.data();
    for (std::size_t i = 0; i < out.shape(0); ++i) {
        const auto [positive, negative, keep, add] = factors.next();
        for (const float factor : {positive, negative, keep, add}) *to++ = factor;
    }
}

void bind_schedule(nb::module_& m) {
    using Exponents = std::array<double, 3>;
    nb::class_<spots::Schedule> schedule(m, "SpotSchedule");
    schedule.def(nb::init<Exponents, Exponents, std::int64_t, std::int64_t, std::int64_t, bool>(),
                 nb::arg("first"), nb::arg("last"), nb::arg("over"), nb::arg("lag"),
                 nb::arg("restart"), nb::arg("running_mean"));
    schedule.def("factors_into", &fill_factors, nb::arg("begin"), nb::arg("out").noconvert());
}

// The tables of an engine: `extra` has predictions or scales.
enum class TablePart { kRegrets, kAverage, kExtra };

void bind_modes(nb::module_& m) {
    nb::enum_<spots::GadgetMode>(m, "GadgetMode")
        .value("resolve", spots::GadgetMode::kResolve)
        .value("maxmargin", spots::GadgetMode::kMaxMargin)
        .value("combined", spots::GadgetMode::kCombined);
    nb::enum_<spots::Own>(m, "WalkMode")
        .value("average", spots::Own::kAverage)
        .value("best", spots::Own::kBest)
        .value("adopt", spots::Own::kAdoptBest);
    nb::enum_<TablePart>(m, "TablePart")
        .value("regrets", TablePart::kRegrets)
        .value("average", TablePart::kAverage)
        .value("extra", TablePart::kExtra);
}

void bind_gadget(nb::module_& m) {
    nb::class_<spots::GadgetOptions> gadget(m, "SpotGadget");
    gadget.def(
        "__init__",
        [](spots::GadgetOptions* self, int player, spots::GadgetMode mode,
           Vector<const double> values, double cap, double even) {
            check_player(player);
            if (values.shape(0) != kNumHoles) throw GameError("a gadget has 1326 values");
            const double* data = values.data();
            new (self) spots::GadgetOptions{player, mode, {data, data + kNumHoles}, cap, even};
        },
        nb::arg("player"), nb::arg("mode"), nb::arg("values"), nb::arg("cap"), nb::arg("even"));
}

// The learned regrets or average of a gadget.
nb::object gadget_table(nb::handle self, TablePart part) {
    auto& gadget = nb::cast<SpotEngine&>(self).gadget();
    if (!gadget || part == TablePart::kExtra) throw GameError("a gadget has no such table");
    const std::span<float> numbers =
        part == TablePart::kRegrets ? gadget->regrets() : gadget->average();
    return nb::cast(
        nb::ndarray<nb::numpy, float, nb::ndim<1>>(numbers.data(), {numbers.size()}, self));
}

std::vector<int> hands_of(const SpotEngine& engine, int player) {
    check_player(player);
    const auto& holes = engine.boards()[0].hands[player].hole;
    return {holes.begin(), holes.end()};
}

template <typename T>
nb::object shown(nb::handle owner, const spots::Arena& arena) {
    return nb::cast(
        nb::ndarray<nb::numpy, T, nb::ndim<1>>(arena.as<T>(), {arena.size() / sizeof(T)}, owner));
}

// A view of the engine's memory.
nb::object table(nb::handle self, TablePart part, int player) {
    check_player(player);
    const spots::Tables& tables = nb::cast<const SpotEngine&>(self).tables();
    const bool small = tables.kind() == TableKind::kShort;
    const spots::Arena &regrets = tables.regrets(player), &average = tables.average(player);
    if (part == TablePart::kExtra) return shown<float>(self, tables.extra(player));
    if (part == TablePart::kRegrets) {
        return small ? shown<std::int16_t>(self, regrets) : shown<float>(self, regrets);
    }
    return small ? shown<std::uint16_t>(self, average) : shown<float>(self, average);
}

TableKind kind_from(int bits, bool predictive) {
    if (bits == 16 && !predictive) return TableKind::kShort;
    if (bits != 32) throw GameError("tables have 32 bits, or 16 if nothing is predicted");
    return predictive ? TableKind::kPredictive : TableKind::kFloat;
}

// A query by player, node and cards that fills one row.
template <void (*query)(SpotEngine&, int, std::int32_t, std::span<const Card>, double*)>
void ask(SpotEngine& engine, int player, std::int32_t node, const Cards& cards,
         Vector<double> out) {
    check_player(player);
    if (out.shape(0) != kNumHoles) throw GameError("the array must be [1326]");
    nb::gil_scoped_release release;
    query(engine, player, node, cards, out.data());
}

std::uint64_t num_recorded(const SpotEngine& engine, int player) {
    check_player(player);
    return spots::recorded_size(engine, player);
}

void record_values(SpotEngine& engine, int player, Vector<double> out) {
    const std::uint64_t size = num_recorded(engine, player);
    if (out.shape(0) != size) {
        throw GameError("the array must be [" + std::to_string(size) + "]");
    }
    nb::gil_scoped_release release;
    spots::record_values(engine, player, out.data());
}

void board_strategies(SpotEngine& engine, int player, const Cards& cards, Vector<float> out) {
    check_player(player);
    nb::gil_scoped_release release;
    spots::board_strategies(engine, player, cards, {out.data(), out.shape(0)});
}

void bind_queries(nb::class_<SpotEngine>& engine) {
    const auto by_player = [&](const char* name, auto function) {
        engine.def(name, function, nb::arg("player"), nb::arg("node"), nb::arg("cards"),
                   nb::arg("out").noconvert());
    };
    by_player("values_into", &ask<&spots::values>);
    by_player("best_values_into", &ask<&spots::best_values>);
    by_player("equity_into", &ask<&spots::equity>);
    by_player("reach_into", &ask<&spots::reach>);
    engine.def(
        "margins_into",
        [](SpotEngine& self, Vector<double> out) {
            if (out.shape(0) != kNumHoles) throw GameError("the array must be [1326]");
            nb::gil_scoped_release release;
            spots::margins(self, out.data());
        },
        nb::arg("out").noconvert());
    engine.def("board_strategies_into", &board_strategies, nb::arg("player"), nb::arg("cards"),
               nb::arg("out").noconvert());
    engine.def("recorded_size", &num_recorded, nb::arg("player"));
    engine.def("record_values_into", &record_values, nb::arg("player"), nb::arg("out").noconvert());
    engine.def(
        "action_values_into",
        [](SpotEngine& self, std::int32_t node, const Cards& cards, Matrix<double> out) {
            check_out(out, actions_of(self, node));
            nb::gil_scoped_release release;
            spots::action_values(self, node, cards, out.data());
        },
        nb::arg("node"), nb::arg("cards"), nb::arg("out").noconvert());
    engine.def(
        "strategy_into",
        [](SpotEngine& self, std::int32_t node, const Cards& cards, Matrix<float> out) {
            check_out(out, actions_of(self, node));
            spots::strategy(self, node, cards, out.data());
        },
        nb::arg("node"), nb::arg("cards"), nb::arg("out").noconvert());
}

void bind_locks(nb::class_<SpotEngine>& engine) {
    engine.def(
        "lock",
        [](SpotEngine& self, std::int32_t node, const std::optional<Cards>& cards,
           Matrix<const float> strategy) {
            check_out(strategy, actions_of(self, node));
            spots::lock(self, node, cards, strategy.data());
        },
        nb::arg("node"), nb::arg("cards").none(), nb::arg("strategy"));
    engine.def(
        "unlock",
        [](SpotEngine& self, std::int32_t node, const std::optional<Cards>& cards) {
            spots::unlock(self, node, cards);
        },
        nb::arg("node"), nb::arg("cards").none());
}

using ForecastFields =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

ForecastFields forecast(const CompiledTree& tree, const Cards& board, Matrix<const float> ranges,
                        int threads, bool isomorphism, int bits, bool predictive) {
    const SpotOptions options{threads, isomorphism, true, kind_from(bits, predictive)};
    const spots::Weights weights = weights_from(ranges);
    nb::gil_scoped_release release;
    const auto found = spots::forecast_spot(*tree.tree, board, weights, options);
    return {found.tables, found.boards, found.scratch, found.num_boards, found.num_nodes};
}

void check_down(const CompiledTree& tree, const Cards& board, Matrix<const double> reach,
                Matrix<double> out) {
    if (reach.shape(0) != 2 || reach.shape(1) != kNumHoles) {
        throw GameError("a spot has two ranges of 1326 weights each");
    }
    check_out(out, 2);
    nb::gil_scoped_release release;
    spots::check_down(tree.tree->spec(), board, reach.data(), out.data());
}

}  // namespace

void bind_spots(nb::module_& m) {
    bind_schedule(m);
    bind_modes(m);
    bind_gadget(m);
    nb::class_<SpotEngine> engine(m, "SpotEngine");
    engine.def(
        "__init__",
        [](SpotEngine* self, const CompiledTree& tree, const Cards& board,
           Matrix<const float> ranges, int threads, bool isomorphism, bool own_reach, int bits,
           bool predictive, std::optional<spots::GadgetOptions> gadget, bool prefault) {
            const SpotOptions options{threads, isomorphism, own_reach, kind_from(bits, predictive),
                                      prefault};
            spots::Weights weights = weights_from(ranges);
            nb::gil_scoped_release release;
            new (self) SpotEngine(tree.tree, board, std::move(weights), options, std::move(gadget));
        },
        nb::arg("tree"), nb::arg("board"), nb::arg("ranges"), nb::arg("threads"),
        nb::arg("isomorphism"), nb::arg("own_reach"), nb::arg("bits"), nb::arg("predictive"),
        nb::arg("gadget").none(), nb::arg("prefault"));
    engine.def("hands", &hands_of, nb::arg("player"));
    engine.def("table", &table, nb::arg("part"), nb::arg("player"));
    engine.def("gadget_table", &gadget_table, nb::arg("part"));
    engine.def("run", &run, nb::arg("schedule"), nb::arg("begin"), nb::arg("iterations"),
               nb::call_guard<nb::gil_scoped_release>());
    engine.def("run_checked", &run_checked, nb::arg("schedule"), nb::arg("begin"),
               nb::arg("iterations"), nb::arg("target"), nb::arg("following"),
               nb::arg("before").none());
    engine.def("best_response", &SpotEngine::best_response, nb::arg("player"), nb::arg("adopt"),
               nb::call_guard<nb::gil_scoped_release>());
    engine.def("value", &SpotEngine::value, nb::arg("player"),
               nb::call_guard<nb::gil_scoped_release>());
    engine.def_prop_ro("constant_sum", &SpotEngine::constant_sum);
    engine.def_prop_ro("largest_payoff", &SpotEngine::largest_payoff);
    engine.def("deals", &SpotEngine::deals, nb::arg("player"));
    engine.def("start_reach", &SpotEngine::start_reach, nb::arg("player"));
    bind_queries(engine);
    bind_locks(engine);
    m.def("checked_down_into", &check_down, nb::arg("tree"), nb::arg("board"), nb::arg("reach"),
          nb::arg("out").noconvert());
    m.def("forecast_spot", &forecast, nb::arg("tree"), nb::arg("board"), nb::arg("ranges"),
          nb::arg("threads"), nb::arg("isomorphism"), nb::arg("bits"), nb::arg("predictive"));
}

}  // namespace riverboat::bindings
