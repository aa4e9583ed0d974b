// The sampled solver of flops for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings/spots.hpp"
#include "bindings/tree.hpp"
#include "sampled/forecast.hpp"
#include "sampled/solver.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using sampled::SampledOptions;
using sampled::SampledSolver;

enum class FlopTable { kRegrets, kAverage };

// A flop decision's rows of regrets or of the average, [actions, 1326]; other hands are kept.
void rows_into(SampledSolver& solver, FlopTable table, std::int32_t node, Matrix<float> out) {
    const sampled::StreetNode& decision = solver.flop_decision(node);
    if (out.shape(0) != decision.num_actions || out.shape(1) != kNumHoles) {
        throw GameError("the array must be [" + std::to_string(decision.num_actions) + ", 1326]");
    }
    const auto& hands = solver.boards().hands(decision.player);
    sampled::Rows& rows = table == FlopTable::kAverage ? solver.flop().average(decision.player)
                                                       : solver.flop().regrets(decision.player);
    for (int a = 0; a < decision.num_actions; ++a) {
        const float* from = rows[decision.entry + a];
        for (std::uint32_t i = 0; i < hands.count; ++i) {
            out.data()[a * kNumHoles + hands.hole[i]] = from[i];
        }
    }
}

// Keeps the strategy of a flop decision, [actions, 1326].
void lock(SampledSolver& solver, std::int32_t node, Matrix<const float> strategy) {
    const sampled::StreetNode& decision = solver.flop_decision(node);
    if (strategy.shape(0) != decision.num_actions || strategy.shape(1) != kNumHoles) {
        throw GameError("the array must be [" + std::to_string(decision.num_actions) + ", 1326]");
    }
    const auto& hole = solver.boards().hands(decision.player).hole;
    std::vector<float> rows;
    for (int a = 0; a < decision.num_actions; ++a) {
        for (const auto hand : hole) rows.push_back(strategy.data()[a * kNumHoles + hand]);
    }
    solver.flop().lock(decision, rows);
}

// Sums of a player's values at a node of the flop since evaluate() began, [1326].
void sums_into(SampledSolver& solver, int player, std::int32_t node, Vector<float> out) {
    check_player(player);
    if (out.shape(0) != kNumHoles) throw GameError("the array must be [1326]");
    const auto& nodes = solver.flop_nodes();
    const auto found = std::ranges::find(nodes, node);
    if (node < 0 || found == nodes.end()) {
        throw GameError("node " + std::to_string(node) + " is not on the flop");
    }
    const auto& hands = solver.boards().hands(player);
    const float* from = solver.flop().sums(player)[found - nodes.begin()];
    for (std::uint32_t i = 0; i < hands.count; ++i) out.data()[hands.hole[i]] = from[i];
}

// The bin of each hand on a turn or river; hands that cannot be keep their number. [1326]
void bins_into(const SampledSolver& solver, int player, const std::vector<Card>& cards,
               Vector<std::uint8_t> out) {
    check_player(player);
    if (out.shape(0) != kNumHoles) throw GameError("the array must be [1326]");
    const sampled::FlopBoards& boards = solver.boards();
    std::vector<int> places;
    for (const Card card : cards) {
        const auto at = std::ranges::find(boards.deck(), card);
        const auto place = static_cast<int>(at - boards.deck().begin());
        if (at == boards.deck().end() || std::ranges::find(places, place) != places.end()) {
            throw GameError("these cards cannot come on this flop");
        }
        places.push_back(place);
    }
    const auto& hole = boards.hands(player).hole;
    if (places.size() == 1) {
        const sampled::TurnBoard& turn = boards.turn(places[0]);
        for (const auto hand : turn.hands[player]) out.data()[hole[hand]] = turn.bins[player][hand];
    } else if (places.size() == 2) {
        const sampled::RiverBoard& river = boards.river(places[0], places[1]);
        std::size_t at = 0;
        for (const sampled::Run& run : river.runs) {
            for (; at < run.end[player]; ++at) {
                out.data()[hole[river.hands[player][at]]] = run.bin[player];
            }
        }
    } else {
        throw GameError("bins are those of a turn or a river: one or two cards");
    }
}

using ForecastFields = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                  std::uint64_t, std::uint64_t>;

ForecastFields forecast(const CompiledTree& tree, const std::vector<Card>& board,
                        Matrix<const float> ranges, int threads, int turns, int rivers,
                        int turn_bins, int river_bins) {
    const spots::Weights weights = weights_from(ranges);
    const SampledOptions options{1, threads, turns, rivers, {turn_bins, river_bins}};
    nb::gil_scoped_release release;
    const auto found = sampled::forecast_sampled(*tree.tree, board, weights, options);
    return {found.table_bytes, found.board_bytes, found.scratch_bytes,
            found.hand_steps,  found.bin_steps,   found.copy_steps};
}

using Bytes = Vector<std::uint8_t>;

void save_state(const SampledSolver& solver, Bytes out) {
    if (out.shape(0) != solver.state_size()) {
        throw GameError("the array must be [" + std::to_string(solver.state_size()) + "]");
    }
    solver.save_state(reinterpret_cast<std::byte*>(out.data()));
}

void load_state(SampledSolver& solver, Vector<const std::uint8_t> from) {
    if (from.shape(0) != solver.state_size()) {
        throw GameError("this is not the state of a sampled solve of this spot");
    }
    solver.load_state(reinterpret_cast<const std::byte*>(from.data()));
}

}  // namespace

void bind_sampled(nb::module_& m) {
    nb::enum_<FlopTable>(m, "FlopTable")
        .value("regrets", FlopTable::kRegrets)
        .value("average", FlopTable::kAverage);
    nb::class_<SampledSolver> solver(m, "SampledSolver");
    solver.def(
        "__init__",
        [](SampledSolver* self, const CompiledTree& tree, const std::vector<Card>& board,
           Matrix<const float> ranges, std::uint64_t seed, int threads, int turns, int rivers,
           int turn_bins, int river_bins) {
            const spots::Weights weights = weights_from(ranges);
            const SampledOptions options{seed, threads, turns, rivers, {turn_bins, river_bins}};
            nb::gil_scoped_release release;
            new (self) SampledSolver(tree.tree, board, weights, options);
        },
        nb::arg("tree"), nb::arg("board"), nb::arg("ranges"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("turns"), nb::arg("rivers"), nb::arg("turn_bins"), nb::arg("river_bins"));
    const auto by_iterations = [&](const char* name, auto method) {
        solver.def(
            name,
            [method](SampledSolver& self, std::int64_t iterations) {
                if (iterations < 0) throw GameError("iterations are counted from 0");
                nb::gil_scoped_release release;
                (self.*method)(iterations);
            },
            nb::arg("iterations"));
    };
    by_iterations("run", &SampledSolver::run);
    by_iterations("evaluate", &SampledSolver::evaluate);
    solver.def_prop_ro("iterations", &SampledSolver::iterations);
    solver.def_prop_ro("num_bytes", &SampledSolver::bytes);
    m.def("forecast_sampled", &forecast, nb::arg("tree"), nb::arg("board"), nb::arg("ranges"),
          nb::arg("threads"), nb::arg("turns"), nb::arg("rivers"), nb::arg("turn_bins"),
          nb::arg("river_bins"));
    solver.def("lock", &lock, nb::arg("node"), nb::arg("strategy"));
    solver.def("rows_into", &rows_into, nb::arg("table"), nb::arg("node"),
               nb::arg("out").noconvert());
    solver.def("sums_into", &sums_into, nb::arg("player"), nb::arg("node"),
               nb::arg("out").noconvert());
    solver.def("bins_into", &bins_into, nb::arg("player"), nb::arg("cards"),
               nb::arg("out").noconvert());
    solver.def_prop_ro("state_size", &SampledSolver::state_size);
    solver.def("save_state", &save_state, nb::arg("out").noconvert());
    solver.def("load_state", &load_state, nb::arg("state"));
}

}  // namespace riverboat::bindings
