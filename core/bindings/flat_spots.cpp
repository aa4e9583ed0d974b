// A spot as flat arrays, for kernels on other devices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "spots/engine.hpp"
#include "spots/flat.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using spots::SpotEngine;

// A Python array that owns the vector, with `columns` numbers per row.
template <typename T>
nb::object owned(std::vector<T>&& numbers, std::size_t columns = 1) {
    auto* kept = new std::vector<T>(std::move(numbers));
    nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<T>*>(each); });
    if (columns == 1) {
        return nb::cast(
            nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
    }
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(
        kept->data(), {kept->size() / columns, columns}, owner));
}

nb::dict hands_of(spots::FlatHands&& hands) {
    nb::dict found;
    found["count"] = owned(std::move(hands.count));
    found["padded"] = owned(std::move(hands.padded));
    found["begin"] = owned(std::move(hands.begin));
    found["parent"] = owned(std::move(hands.parent));
    found["same"] = owned(std::move(hands.same));
    found["record"] = owned(std::move(hands.record), spots::FlatHands::kRecord);
    found["listed"] = owned(std::move(hands.listed), 2);
    found["lists"] = owned(std::move(hands.lists), kNumCards + 1);
    found["moved_begin"] = owned(std::move(hands.moved_begin));
    found["moved"] = owned(std::move(hands.moved));
    found["orbit_begin"] = owned(std::move(hands.orbit_begin));
    found["orbit_ends"] = owned(std::move(hands.orbit_ends));
    found["orbits"] = owned(std::move(hands.orbits));
    found["base"] = owned(std::move(hands.base));
    found["base_row"] = owned(std::move(hands.base_row));
    return found;
}

nb::dict view_of(spots::FlatView&& view) {
    nb::dict found;
    found["bounds"] = owned(std::move(view.bounds), spots::FlatView::kBounds);
    found["down_levels"] = owned(std::move(view.down_levels));
    found["up_levels"] = owned(std::move(view.up_levels));
    found["down"] = owned(std::move(view.down), 4);
    found["up"] = owned(std::move(view.up), 4);
    found["children"] = owned(std::move(view.children));
    found["exits"] = owned(std::move(view.exits), 4);
    found["entries"] = owned(std::move(view.entries), 2);
    found["lanes"] = owned(std::move(view.lanes), 3);
    found["pays"] = owned(std::move(view.pays), 4);
    found["item"] = owned(std::move(view.item), 4);
    found["item_rows"] = owned(std::move(view.item_rows), 2);
    found["reach_size"] = view.reach_size;
    found["value_size"] = view.value_size;
    return found;
}

nb::dict boards_of(spots::FlatBoards&& boards) {
    nb::dict found;
    found["first_child"] = owned(std::move(boards.first_child));
    found["num_children"] = owned(std::move(boards.num_children));
    found["weight"] = owned(std::move(boards.weight));
    return found;
}

nb::dict program_of(spots::FlatProgram&& program) {
    nb::dict found;
    found["segments"] = owned(std::move(program.segments), 4);
    found["segment_items"] = owned(std::move(program.segment_items), 2);
    found["street_items"] = owned(std::move(program.street_items));
    return found;
}

// Boards, program, and for each player hands and view.
nb::tuple flat_spot(SpotEngine& engine, const std::vector<std::int32_t>& limits) {
    if (static_cast<int>(limits.size()) != engine.tree().spec().streets) {
        throw GameError("there must be one limit of rows per street");
    }
    auto [boards, program] = [&] {
        nb::gil_scoped_release release;
        return std::pair(
            spots::flatten(engine.boards(), engine.workshop().pool),
            spots::flatten(spots::compile_program(engine.tree(), 0, limits), engine.boards()));
    }();
    nb::list hands, views;
    for (int player = 0; player < 2; ++player) {
        hands.append(hands_of(std::move(boards.hands[player])));
        views.append(view_of(std::move(program.view[player])));
    }
    return nb::make_tuple(boards_of(std::move(boards)), program_of(std::move(program)), hands,
                          views);
}

// For each row of a player's tables, the offset of its node's lock or -1; and all locks.
nb::tuple flat_locks(SpotEngine& engine, int player) {
    const auto rows = spots::count_table_rows(engine.tree());
    const spots::Board& last = engine.boards().all().back();
    std::vector<std::int64_t> begins(last.base_row[player] + rows[last.street][player], -1);
    std::vector<float> numbers;
    engine.locks().for_each(
        [&](std::int32_t board, std::int32_t node, std::span<const float> lock) {
            const TreeNode& found = engine.tree().nodes()[node];
            if (found.player != player) return;
            begins[engine.boards()[board].base_row[player] + found.offset] =
                static_cast<std::int64_t>(numbers.size());
            numbers.insert(numbers.end(), lock.begin(), lock.end());
        });
    return nb::make_tuple(owned(std::move(begins)), owned(std::move(numbers)));
}

// ---- Work at the root, in the core, while other kernels walk

void check_hands(std::size_t given, std::size_t hands) {
    if (given != hands) throw GameError("the root has " + std::to_string(hands) + " hands");
}

double root_chips(SpotEngine& engine, int player, spots::Own own, Vector<const double> values) {
    check_hands(values.size(), engine.start_reach(player).size());
    return engine.chips(player, own, {values.data(), values.size()});
}

spots::Factors factors_of(Vector<const float> row) {
    if (row.size() != 4) throw GameError("an iteration has four factors");
    return {row(0), row(1), row(2), row(3)};
}

spots::Gadget& gadget_of(SpotEngine& engine) {
    if (!engine.gadget()) throw GameError("this spot has no gadget");
    return *engine.gadget();
}

nb::object gadget_play(SpotEngine& engine, Vector<const float> factors) {
    const auto reach = gadget_of(engine).play(factors_of(factors));
    return owned(std::vector<float>(reach.begin(), reach.end()));
}

void gadget_learn(SpotEngine& engine, Vector<const float> factors, Vector<const float> entered) {
    spots::Gadget& gadget = gadget_of(engine);
    check_hands(entered.size(), gadget.entered().size());
    std::copy_n(entered.data(), entered.size(), gadget.entered().begin());
    gadget.learn(factors_of(factors));
}

// The iteration of the next check. A check is an iteration and its exploitability.
std::int64_t next_check(double target,
                        const std::optional<std::tuple<std::int64_t, double>>& before,
                        const std::tuple<std::int64_t, double>& now) {
    const auto check = [](const std::tuple<std::int64_t, double>& fields) {
        spots::Check found;
        std::tie(found.iteration, found.exploitability) = fields;
        return found;
    };
    const auto last = before ? std::optional(check(*before)) : std::nullopt;
    spots::CheckPlan plan(0, last, target);
    plan.add(check(now));
    return plan.following();
}

}  // namespace

void bind_flat_spots(nb::module_& m) {
    m.def("flat_spot", &flat_spot, nb::arg("engine"), nb::arg("limits"));
    m.def("flat_locks", &flat_locks, nb::arg("engine"), nb::arg("player"));
    m.def("next_check", &next_check, nb::arg("target"), nb::arg("before").none(), nb::arg("now"));
    m.def(
        "root_reach",
        [](const SpotEngine& engine, int player) { return owned(engine.root_reach_of(player)); },
        nb::arg("engine"), nb::arg("player"));
    m.def("root_chips", &root_chips, nb::arg("engine"), nb::arg("player"), nb::arg("own"),
          nb::arg("values"));
    m.def("gadget_play", &gadget_play, nb::arg("engine"), nb::arg("factors"));
    m.def("gadget_learn", &gadget_learn, nb::arg("engine"), nb::arg("factors"), nb::arg("entered"));
    m.attr("CHECK_ERROR") = spots::kFastError;
}

}  // namespace riverboat::bindings
