// A spot as flat arrays, for kernels on other devices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
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

// The arrays of a part of a flat spot, by name.
template <typename Flat>
nb::dict arrays_of(Flat&& flat) {
    nb::dict found;
    std::remove_cvref_t<Flat>::arrays(flat, [&]<typename T>(const char* name, std::vector<T>& array,
                                                            std::size_t columns = 1) {
        if constexpr (std::is_same_v<T, spots::FlatBounds>) {
            const auto* numbers = reinterpret_cast<const std::int32_t*>(array.data());
            constexpr std::size_t kColumns = std::size(spots::FlatBounds::kNames);
            static_assert(sizeof(T) == kColumns * sizeof(std::int32_t));
            found[name] = owned(std::vector(numbers, numbers + kColumns * array.size()), kColumns);
        } else {
            found[name] = owned(std::move(array), columns);
        }
    });
    return found;
}

// Names, NumPy types and columns of the arrays of a part, in order.
template <typename Flat>
nb::list declared() {
    Flat flat;
    nb::list found;
    Flat::arrays(flat, [&]<typename T>(const char* name, const std::vector<T>&, int columns = 1) {
        using Number = std::conditional_t<std::is_same_v<T, spots::FlatBounds>, std::int32_t, T>;
        const char* type = std::is_floating_point_v<Number> ? "float64"
                           : sizeof(Number) == 8            ? "int64"
                           : sizeof(Number) == 4            ? "int32"
                                                            : "uint16";
        found.append(nb::make_tuple(name, type, columns));
    });
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
        hands.append(arrays_of(boards.hands[player]));
        nb::dict view = arrays_of(program.view[player]);
        view["reach_size"] = program.view[player].reach_size;
        view["value_size"] = program.view[player].value_size;
        views.append(view);
    }
    return nb::make_tuple(arrays_of(boards), arrays_of(program), hands, views);
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
    nb::list bounds;
    for (const char* name : spots::FlatBounds::kNames) bounds.append(name);
    m.attr("FLAT_BOUNDS") = nb::tuple(bounds);
    m.def("flat_arrays", [] {
        nb::dict parts;
        parts["hands"] = declared<spots::FlatHands>();
        parts["boards"] = declared<spots::FlatBoards>();
        parts["program"] = declared<spots::FlatProgram>();
        parts["view"] = declared<spots::FlatView>();
        return parts;
    });
    m.attr("CHECK_ERROR") = spots::kFastError;
}

}  // namespace riverboat::bindings
