// The public betting tree for Python: read-only arrays that view the core's memory.
#include "bindings/tree.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bindings/game.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using SizeFields = std::tuple<int, double>;  // kind, value
using DepthFields = std::vector<std::vector<SizeFields>>;
using SomeSizes = std::optional<std::vector<SizeFields>>;
// By depth, in position, donk, small blind, caps, limp, most to the flop.
using StreetFields = std::tuple<DepthFields, DepthFields, SomeSizes, SomeSizes, int, int, int, int>;
using RuleFields = std::tuple<double, double, double, double, bool>;  // MenuRules, recall
// Kind and amount of each action, and whether the line is removed.
using EditFields = std::tuple<std::vector<std::tuple<int, Chips>>, bool>;

template <typename T>
using View = nb::ndarray<nb::numpy, const T>;

Sizes sizes_from(const std::vector<SizeFields>& fields) {
    Sizes sizes;
    for (const auto& [kind, value] : fields) {
        sizes.push_back({static_cast<BetSize::Kind>(kind), value});
    }
    return sizes;
}

std::vector<Sizes> depths_from(const DepthFields& fields) {
    std::vector<Sizes> depths;
    for (const auto& sizes : fields) depths.push_back(sizes_from(sizes));
    return depths;
}

BetMenu menu_from(const std::vector<StreetFields>& streets, const RuleFields& rules) {
    const auto [force, force_called, add, near, recall_raises] = rules;
    BetMenu menu{{}, {force, force_called, add, near}, recall_raises};
    for (const auto& [depths, in_position, donk, sb, max_raises, each, limp, most] : streets) {
        StreetMenu& street = menu.streets.emplace_back();
        street.by_depth = depths_from(depths);
        street.in_position = depths_from(in_position);
        if (donk) street.donk = sizes_from(*donk);
        if (sb) street.small_blind = sizes_from(*sb);
        street.max_raises = max_raises;
        street.max_raises_per_seat = each;
        street.limp = static_cast<Limp>(limp);
        street.most_to_flop = most;
    }
    return menu;
}

std::vector<TreeEdit> edits_from(const std::vector<EditFields>& fields) {
    std::vector<TreeEdit> edits;
    for (const auto& [actions, removes] : fields) {
        TreeEdit& edit = edits.emplace_back(TreeEdit{{}, removes});
        for (const auto& [kind, amount] : actions) {
            edit.line.push_back({static_cast<ActionKind>(kind), kUnknownCard, amount});
        }
    }
    return edits;
}

TreeStart start_from(const PlayedHand& played) {
    const Hand& hand = played.hand();
    if (hand.finished()) {
        throw GameError("a tree starts where a seat is to act: after '" + played.line(false) +
                        "' the hand is over");
    }
    TreeStart start{};
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        start.stacks[seat] = hand.starting_stack(seat);
    }
    for (const Event& event : played.events()) start.line.push_back(event.action);
    return start;
}

CompiledTree compiled(const CompiledGame& game, const BetMenu& menu, TreeOptions options,
                      const PythonHand* start) {
    if (start != nullptr) options.start = start_from(start->hand);
    nb::gil_scoped_release release;
    return {std::make_shared<const Tree>(game.spec, menu, options)};
}

// One member of each struct of a vector, as a strided array.
template <typename T, typename Member, typename Struct>
View<T> member_view(nb::handle owner, const std::vector<Struct>& items, Member Struct::* member) {
    static_assert(sizeof(T) == sizeof(Member) && sizeof(Struct) % sizeof(T) == 0);
    const void* data = items.empty() ? nullptr : &(items.data()->*member);
    return View<T>(data, {items.size()}, owner,
                   {static_cast<std::int64_t>(sizeof(Struct) / sizeof(T))});
}

template <typename T>
View<T> vector_view(nb::handle owner, const std::vector<T>& items) {
    return View<T>(items.data(), {items.size()}, owner);
}

template <typename T>
View<T> rows_view(nb::handle owner, const std::vector<T>& items, std::size_t columns) {
    return View<T>(items.data(), {items.size() / columns, columns}, owner);
}

// A property for one member of the nodes, groups or actions.
template <typename T, typename Struct, typename Member>
auto member_of(const std::vector<Struct>& (Tree::*items)() const, Member Struct::* member) {
    return [items, member](nb::handle self) {
        const Tree& tree = *nb::cast<const CompiledTree&>(self).tree;
        return member_view<T>(self, (tree.*items)(), member);
    };
}

template <typename T>
auto all_of(const std::vector<T>& (Tree::*items)() const) {
    return [items](nb::handle self) {
        const Tree& tree = *nb::cast<const CompiledTree&>(self).tree;
        return vector_view(self, (tree.*items)());
    };
}

template <typename T>
auto by_player(const std::vector<T>& (Tree::*items)() const) {
    return [items](nb::handle self) {
        const Tree& tree = *nb::cast<const CompiledTree&>(self).tree;
        return rows_view(self, (tree.*items)(), static_cast<std::size_t>(tree.num_players()));
    };
}

void settle_into(const CompiledTree& self, std::int32_t node, Vector<const std::uint32_t> strengths,
                 Vector<float> payoffs) {
    const Tree& tree = *self.tree;
    const auto players = static_cast<std::size_t>(tree.num_players());
    if (node < 0 || static_cast<std::size_t>(node) >= tree.nodes().size() ||
        tree.nodes()[node].kind != NodeKind::kShowdown || players == 2 ||
        strengths.shape(0) != players || payoffs.shape(0) != players) {
        throw GameError(
            "settle needs a showdown of more than two players, and a strength for each");
    }
    tree.settle(node, strengths.data(), payoffs.data());
}

void bind_nodes(nb::class_<CompiledTree>& tree) {
    using Node = TreeNode;
    using U8 = std::uint8_t;
    tree.def_prop_ro("kind", member_of<U8>(&Tree::nodes, &Node::kind))
        .def_prop_ro("player", member_of<U8>(&Tree::nodes, &Node::player))
        .def_prop_ro("group", member_of<U8>(&Tree::nodes, &Node::group))
        .def_prop_ro("num_actions", member_of<U8>(&Tree::nodes, &Node::num_actions))
        .def_prop_ro("first_child", member_of<std::int32_t>(&Tree::nodes, &Node::first_child))
        .def_prop_ro("offset", member_of<std::uint32_t>(&Tree::nodes, &Node::offset))
        .def_prop_ro("payoff_index", member_of<std::int32_t>(&Tree::nodes, &Node::payoffs))
        .def_prop_ro("street", all_of(&Tree::streets))
        .def_prop_ro("parent", all_of(&Tree::parents))
        .def_prop_ro("contributions", by_player(&Tree::contributions))
        .def_prop_ro("action_kind", member_of<U8>(&Tree::actions, &Action::kind))
        .def_prop_ro("action_amount", member_of<Chips>(&Tree::actions, &Action::amount))
        .def_prop_ro("payoffs", by_player(&Tree::payoffs))
        .def_prop_ro("swap_lines", by_player(&Tree::swap_lines));
}

void bind_groups(nb::class_<CompiledTree>& tree) {
    using Group = TreeGroup;
    tree.def_prop_ro("group_player", member_of<std::uint8_t>(&Tree::groups, &Group::player))
        .def_prop_ro("group_street", member_of<std::uint8_t>(&Tree::groups, &Group::street))
        .def_prop_ro("group_swaps", member_of<std::uint16_t>(&Tree::groups, &Group::swaps))
        .def_prop_ro("group_entries", member_of<std::uint32_t>(&Tree::groups, &Group::entries))
        .def_prop_ro("group_decisions",
                     member_of<std::uint32_t>(&Tree::groups, &Group::num_decisions));
}

}  // namespace

void bind_tree(nb::module_& m) {
    nb::class_<CompiledTree> tree(m, "CompiledTree");
    tree.def(
        "__init__",
        [](CompiledTree* self, const CompiledGame& game, const std::vector<StreetFields>& streets,
           const RuleFields& rules, std::int64_t max_nodes, const PythonHand* start, bool chance,
           const std::vector<EditFields>& edits, bool fractions) {
            TreeOptions options{max_nodes, {}, chance, edits_from(edits), fractions};
            new (self)
                CompiledTree(compiled(game, menu_from(streets, rules), std::move(options), start));
        },
        nb::arg("game"), nb::arg("streets"), nb::arg("rules"), nb::arg("max_nodes"),
        nb::arg("start").none(), nb::arg("chance"), nb::arg("edits"), nb::arg("fractions"));
    tree.def_prop_ro("whole", [](const CompiledTree& self) { return self.tree->whole(); });
    tree.def_prop_ro("idle_edits",
                     [](const CompiledTree& self) { return self.tree->idle_edits(); });
    bind_nodes(tree);
    bind_groups(tree);
    tree.def("settle_into", &settle_into, nb::arg("node"), nb::arg("strengths"),
             nb::arg("payoffs").noconvert());
    m.attr("MAX_TREE_NODES") = kMaxNodes;
}

}  // namespace riverboat::bindings
