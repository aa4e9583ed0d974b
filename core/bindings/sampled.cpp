// The sampled solver of flops for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings/spots.hpp"
#include "bindings/tree.hpp"
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
    solver.def(
        "run",
        [](SampledSolver& self, std::int64_t iterations) {
            if (iterations < 0) throw GameError("iterations are counted from 0");
            nb::gil_scoped_release release;
            self.run(iterations);
        },
        nb::arg("iterations"));
    solver.def_prop_ro("iterations", &SampledSolver::iterations);
    solver.def_prop_ro("num_bytes", &SampledSolver::bytes);
    solver.def("rows_into", &rows_into, nb::arg("table"), nb::arg("node"),
               nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
