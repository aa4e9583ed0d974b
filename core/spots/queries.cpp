#include "spots/queries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cards/text.hpp"
#include "spots/engine.hpp"
#include "spots/layout.hpp"
#include "spots/policies.hpp"
#include "spots/walk.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

NodeRows node_rows(const SpotEngine& engine, int player) {
    return {value_rows(engine.tree()), value_begins(engine.tree(), engine.boards(), player)};
}

}  // namespace

const TreeNode& checked_node(const Tree& tree, std::int32_t node, bool decision) {
    if (node < 0 || static_cast<std::size_t>(node) >= tree.nodes().size()) {
        throw GameError("there is no node " + std::to_string(node));
    }
    const TreeNode& found = tree.nodes()[node];
    if (decision && found.kind != NodeKind::kDecision) {
        throw GameError("node " + std::to_string(node) + " is no decision");
    }
    return found;
}

FoundBoard board_at(const SpotEngine& engine, std::int32_t node, Cards cards) {
    checked_node(engine.tree(), node, false);
    const int street = engine.tree().streets()[node];
    const int needed = street - engine.boards().first_street();
    if (static_cast<int>(cards.size()) != needed) {
        throw GameError("node " + std::to_string(node) + " comes after " + std::to_string(needed) +
                        " cards, not " + std::to_string(cards.size()));
    }
    return engine.boards().find(cards);
}

namespace {

// A node on a board, as the engine stores it.
struct SpotQuery {
    SpotEngine& engine;
    std::int32_t node;
    FoundBoard found;

    SpotQuery(SpotEngine& from, std::int32_t at, Cards cards)
        : engine(from), node(at), found(board_at(from, at, cards)) {}

    const Board& board() const { return engine.boards()[found.board]; }
    NodeFinder finder() const { return engine.nodes(); }

    // The average strategy of a decision on a board: [actions, padded].
    std::vector<double> strategy(std::int32_t at, const Board& on) const {
        const TreeNode& decision = engine.tree().nodes()[at];
        Stack stack = room_for(decision.num_actions, on.hands[decision.player]);
        const double* rows = strategy(at, on, stack);
        return {rows, rows + decision.num_actions * on.hands[decision.player].padded};
    }

    static Stack room_for(int actions, const Hands& hands) {
        return Stack((actions + 1) * hands.padded * sizeof(double) + 2 * Stack::kAlign);
    }

    // The same in a stack's memory; valid until the next rows are taken.
    const double* strategy(std::int32_t at, const Board& on, Stack& stack) const {
        const TreeNode& decision = engine.tree().nodes()[at];
        const std::size_t padded = on.hands[decision.player].padded;
        const UpStep step{at, 0, decision.offset, decision.num_actions, true};
        const Stack::Mark mark(stack);
        double *ones = stack.take<double>(padded),
               *out = stack.take<double>(decision.num_actions * padded);
        std::fill_n(ones, padded, 1.0);
        average_down<double>(decision.num_actions, finder().at(step, on, decision.player),
                             {padded, 0, padded}, ones, out);
        return out;
    }

    // A player's reach, weights times own probabilities on the line: [hands] of the board.
    std::vector<double> reach(int player) const {
        const Board* on = &board();
        const Hands& hands = on->hands[player];
        std::vector<std::uint16_t> place(hands.count);
        for (std::uint32_t i = 0; i < hands.count; ++i) place[i] = static_cast<std::uint16_t>(i);
        std::vector<double> reach(hands.count, 1.0);
        const Tree& tree = engine.tree();
        for (std::int32_t at = node; tree.parents()[at] >= 0; at = tree.parents()[at]) {
            const std::int32_t parent = tree.parents()[at];
            const TreeNode& before = tree.nodes()[parent];
            if (before.kind == NodeKind::kChance) {
                for (auto& each : place) each = on->hands[player].parent[each];
                on = &engine.boards()[on->parent];
            } else if (before.player == player) {
                const std::vector<double> played = strategy(parent, *on);
                const double* row =
                    played.data() + (at - before.first_child) * on->hands[player].padded;
                for (std::uint32_t i = 0; i < hands.count; ++i) reach[i] *= row[place[i]];
            }
        }
        // Now on the root's board.
        const std::vector<double> start = engine.root_reach_of(player);
        for (std::uint32_t i = 0; i < hands.count; ++i) reach[i] *= start[place[i]];
        return reach;
    }

    // Chips that a player put in since the root, which are part of the pot here. After a
    // fold the uncalled bet is still included.
    double put_in(int player) const {
        const Tree& tree = engine.tree();
        const bool fold = tree.nodes()[node].kind == NodeKind::kFold;
        const std::int32_t at = fold ? tree.parents()[node] : node;
        return static_cast<double>(tree.contributions()[2 * at + player] -
                                   tree.contributions()[player]);
    }

    // Values per opposing hand, of a program that starts on this board, and `more`.
    std::vector<double> values(const Segment& program, int player, double more,
                               Own own = Own::kAverage) const {
        const std::vector<double> other = reach(1 - player);
        std::vector<double> values(board().hands[player].count);
        const Measure policy{finder(), player, own};
        Walk<Measure>(engine.boards(), engine.workshop(program), policy, player)
            .run(program, board(), other, values);
        const std::vector<double> met = hands_met(board(), player, other);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = met[i] > 0 ? values[i] / met[i] + more : kNan;
        }
        return values;
    }

    // From the hands of the stored board to real hole pairs.
    template <typename T, typename Number>
    void spread(int player, const Number* from, T missing, T* out) const {
        const Hands& hands = board().hands[player];
        std::vector<T> stored(kNumHoles, missing);
        for (std::uint32_t i = 0; i < hands.count; ++i) {
            stored[hands.hole[i]] = static_cast<T>(from[i]);
        }
        for (int hole = 0; hole < kNumHoles; ++hole) {
            out[hole] = stored[Boards::renamed(hole, found.renaming)];
        }
    }
};

// The program below a node.
Segment program_from(const SpotEngine& engine, std::int32_t node) {
    return compile_program(engine.tree(), node, engine.row_limits());
}

}  // namespace

void values(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out) {
    const SpotQuery query(engine, node, cards);
    const auto values = query.values(program_from(engine, node), player, query.put_in(player));
    query.spread(player, values.data(), kNan, out);
}

void best_values(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out) {
    const SpotQuery query(engine, node, cards);
    const double put_in = query.put_in(player);
    const auto values = query.values(program_from(engine, node), player, put_in, Own::kBest);
    query.spread(player, values.data(), kNan, out);
}

void action_values(SpotEngine& engine, std::int32_t node, Cards cards, double* out) {
    const TreeNode& decision = checked_node(engine.tree(), node, true);
    const SpotQuery query(engine, node, cards);
    for (int a = 0; a < decision.num_actions; ++a) {
        const Segment program = program_from(engine, decision.first_child + a);
        const auto values = query.values(program, decision.player, query.put_in(decision.player));
        query.spread(decision.player, values.data(), kNan, out + a * kNumHoles);
    }
}

void equity(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out) {
    const SpotQuery query(engine, node, cards);
    const auto values = query.values(
        equity_program(engine.tree().streets()[node], engine.boards().last_street()), player, 0);
    query.spread(player, values.data(), kNan, out);
}

void reach(SpotEngine& engine, int player, std::int32_t node, Cards cards, double* out) {
    const SpotQuery query(engine, node, cards);
    query.spread(player, query.reach(player).data(), 0.0, out);
}

void strategy(SpotEngine& engine, std::int32_t node, Cards cards, float* out) {
    const TreeNode& decision = checked_node(engine.tree(), node, true);
    const SpotQuery query(engine, node, cards);
    const auto rows = query.strategy(node, query.board());
    const std::size_t padded = query.board().hands[decision.player].padded;
    for (int a = 0; a < decision.num_actions; ++a) {
        query.spread(decision.player, rows.data() + a * padded,
                     std::numeric_limits<float>::quiet_NaN(), out + a * kNumHoles);
    }
}

void board_strategies(SpotEngine& engine, int player, Cards cards, std::span<float> out) {
    const FoundBoard found = engine.boards().find(cards);
    const Board& board = engine.boards()[found.board];
    const Hands& hands = board.hands[player];
    const std::uint64_t entries = count_table_rows(engine.tree())[board.street][player];
    if (found.renaming != 0 || out.size() != entries * hands.count) {
        throw GameError("the strategies of this board are " + std::to_string(entries) +
                        " rows of " + std::to_string(hands.count) + " hands");
    }
    std::vector<std::uint32_t> order(hands.count);  // on a full board hands are sorted by strength
    for (std::uint32_t i = 0; i < hands.count; ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return hands.hole[i]; });
    Stack stack = SpotQuery::room_for(kMaxActions, hands);
    for (std::size_t i = 0; i < engine.tree().nodes().size(); ++i) {
        const TreeNode& node = engine.tree().nodes()[i];
        const bool here = engine.tree().streets()[i] == board.street && node.player == player;
        if (node.kind != NodeKind::kDecision || !here) continue;
        const auto at = static_cast<std::int32_t>(i);
        const double* rows = SpotQuery(engine, at, cards).strategy(at, board, stack);
        for (int a = 0; a < node.num_actions; ++a) {
            float* to = out.data() + (node.offset + a) * hands.count;
            for (std::uint32_t k = 0; k < hands.count; ++k) {
                to[k] = static_cast<float>(rows[a * hands.padded + order[k]]);
            }
        }
    }
}

std::uint64_t recorded_size(const SpotEngine& engine, int player) {
    return node_rows(engine, player).begin.back();
}

void record_values(SpotEngine& engine, int player, double* out) {
    NodeRows rows = node_rows(engine, player);
    rows.begin.pop_back();
    const Board& root = engine.boards()[0];
    const Record policy{{engine.nodes(), player, Own::kAverage}, engine.tree(), rows, out};
    const std::vector<double> other = engine.root_reach_of(1 - player);
    std::vector<double> values(root.hands[player].count);
    Walk<Record>(engine.boards(), engine.workshop(), policy, player)
        .run(engine.program(), root, other, values);
}

void margins(SpotEngine& engine, double* out) {
    const auto& gadget = engine.gadget();
    if (!gadget) throw GameError("a spot has margins where it has a gadget");
    const int player = gadget->player();
    const std::vector<std::uint16_t>& holes = engine.boards()[0].hands[player].hole;
    const auto margins = gadget->margins(engine.root_values<double>(player, Own::kBest));
    std::fill_n(out, kNumHoles, kNan);
    for (std::size_t i = 0; i < holes.size(); ++i) out[holes[i]] = margins[i];
}

}  // namespace riverboat::spots
