#include "spots/queries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cards/text.hpp"
#include "spots/engine.hpp"
#include "spots/policies.hpp"
#include "spots/walk.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

}  // namespace

std::vector<double> root_reach(const Board& root, const Weights& weights, int player) {
    std::vector<double> reach;
    for (const std::uint16_t hole : root.hands[player].hole) {
        reach.push_back(weights[player][hole]);
    }
    return reach;
}

std::vector<double> hands_met(const Board& board, int player, const std::vector<double>& reach) {
    const Hands &mine = board.hands[player], &other = board.hands[1 - player];
    double all = 0, with[kNumCards] = {};
    for (std::uint32_t i = 0; i < other.count; ++i) {
        all += reach[i];
        for (int k = 0; k < 2; ++k) with[other.places[2 * i + k] / 4] += reach[i];
    }
    std::vector<double> met(mine.count);
    for (std::uint32_t i = 0; i < mine.count; ++i) {
        const double same = mine.same[i] < other.count ? reach[mine.same[i]] : 0;
        met[i] = all - with[mine.places[2 * i] / 4] - with[mine.places[2 * i + 1] / 4] + same;
        if (met[i] < 1e-12 * all) met[i] = 0;  // only rounding is left
    }
    return met;
}

// A node on a board, as the engine stores it.
struct SpotQuery {
    SpotEngine& engine;
    std::int32_t node;
    FoundBoard found;

    SpotQuery(SpotEngine& from, std::int32_t at, std::span<const Card> cards)
        : engine(from), node(at), found{} {
        checked_node(engine.tree(), node, false);
        const int street = engine.tree().streets()[node];
        const int needed = street - engine.boards_.first_street();
        if (static_cast<int>(cards.size()) != needed) {
            throw GameError("node " + std::to_string(node) + " comes after " +
                            std::to_string(needed) + " cards, not " + std::to_string(cards.size()));
        }
        found = engine.boards_.find(cards);
    }

    const Board& board() const { return engine.boards_[found.board]; }
    NodeFinder finder() const { return {engine.boards_, engine.tables_, engine.locks_}; }

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
                on = &engine.boards_[on->parent];
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
        engine.make_room(program);
        const std::vector<double> other = reach(1 - player);
        std::vector<double> values(board().hands[player].count);
        const Measure policy{finder(), player, own};
        Walk<Measure>(engine.boards_, {engine.pool_, engine.stacks_}, policy, player)
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

void SpotEngine::values(int player, std::int32_t node, std::span<const Card> cards, double* out) {
    const SpotQuery query(*this, node, cards);
    const auto values = query.values(program_from(node), player, query.put_in(player));
    query.spread(player, values.data(), kNan, out);
}

void SpotEngine::best_values(int player, std::int32_t node, std::span<const Card> cards,
                             double* out) {
    const SpotQuery query(*this, node, cards);
    const double put_in = query.put_in(player);
    const auto values = query.values(program_from(node), player, put_in, Own::kBest);
    query.spread(player, values.data(), kNan, out);
}

void SpotEngine::action_values(std::int32_t node, std::span<const Card> cards, double* out) {
    const TreeNode& decision = checked_node(*tree_, node, true);
    const SpotQuery query(*this, node, cards);
    for (int a = 0; a < decision.num_actions; ++a) {
        const Segment program = program_from(decision.first_child + a);
        const auto values = query.values(program, decision.player, query.put_in(decision.player));
        query.spread(decision.player, values.data(), kNan, out + a * kNumHoles);
    }
}

void SpotEngine::equity(int player, std::int32_t node, std::span<const Card> cards, double* out) {
    const SpotQuery query(*this, node, cards);
    const auto values =
        query.values(equity_program(tree_->streets()[node], boards_.last_street()), player, 0);
    query.spread(player, values.data(), kNan, out);
}

void SpotEngine::reach(int player, std::int32_t node, std::span<const Card> cards, double* out) {
    const SpotQuery query(*this, node, cards);
    query.spread(player, query.reach(player).data(), 0.0, out);
}

void SpotEngine::strategy(std::int32_t node, std::span<const Card> cards, float* out) {
    const TreeNode& decision = checked_node(*tree_, node, true);
    const SpotQuery query(*this, node, cards);
    const auto rows = query.strategy(node, query.board());
    const std::size_t padded = query.board().hands[decision.player].padded;
    for (int a = 0; a < decision.num_actions; ++a) {
        query.spread(decision.player, rows.data() + a * padded,
                     std::numeric_limits<float>::quiet_NaN(), out + a * kNumHoles);
    }
}

void SpotEngine::board_strategies(int player, std::span<const Card> cards, std::span<float> out) {
    const FoundBoard found = boards_.find(cards);
    const Board& board = boards_[found.board];
    const Hands& hands = board.hands[player];
    const std::uint64_t entries = count_table_rows(*tree_)[board.street][player];
    if (found.renaming != 0 || out.size() != entries * hands.count) {
        throw GameError("the strategies of this board are " + std::to_string(entries) +
                        " rows of " + std::to_string(hands.count) + " hands");
    }
    std::vector<std::uint32_t> order(hands.count);  // on a full board hands are sorted by strength
    for (std::uint32_t i = 0; i < hands.count; ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return hands.hole[i]; });
    Stack stack = SpotQuery::room_for(kMaxActions, hands);
    for (std::size_t i = 0; i < tree_->nodes().size(); ++i) {
        const TreeNode& node = tree_->nodes()[i];
        const bool here = tree_->streets()[i] == board.street && node.player == player;
        if (node.kind != NodeKind::kDecision || !here) continue;
        const auto at = static_cast<std::int32_t>(i);
        const double* rows = SpotQuery(*this, at, cards).strategy(at, board, stack);
        for (int a = 0; a < node.num_actions; ++a) {
            float* to = out.data() + (node.offset + a) * hands.count;
            for (std::uint32_t k = 0; k < hands.count; ++k) {
                to[k] = static_cast<float>(rows[a * hands.padded + order[k]]);
            }
        }
    }
}

void SpotEngine::require_symmetry(std::span<const std::uint8_t> renamings, int actions,
                                  const float* strategy) const {
    for (const int renaming : renamings) {
        for (int i = 0; i < actions * kNumHoles; ++i) {
            const int row = i / kNumHoles * kNumHoles;
            const float here = strategy[i];
            const float there = strategy[row + Boards::renamed(i - row, renaming)];
            if (here != there && !(std::isnan(here) && std::isnan(there))) {
                throw GameError(
                    "this lock has hands play differently that differ in their suits only: solve "
                    "the spot without isomorphism");
            }
        }
    }
}

std::vector<Board*> SpotEngine::locked_boards(std::int32_t node,
                                              std::optional<std::span<const Card>> cards) {
    checked_node(*tree_, node, true);
    std::vector<Board*> boards;
    if (cards) {
        boards.push_back(&boards_[SpotQuery(*this, node, *cards).found.board]);
    } else {
        for (const Board& board : boards_.of_street(tree_->streets()[node])) {
            boards.push_back(&boards_[boards_.index(board)]);
        }
    }
    return boards;
}

void SpotEngine::lock(std::int32_t node, std::optional<std::span<const Card>> cards,
                      const float* strategy) {
    const TreeNode& decision = checked_node(*tree_, node, true);
    const int actions = decision.num_actions;
    const int renaming = cards ? SpotQuery(*this, node, *cards).found.renaming : 0;
    std::vector<float> stored(actions * kNumHoles);  // with suits as the board has them
    for (int i = 0; i < actions * kNumHoles; ++i) {
        const int row = i / kNumHoles * kNumHoles;
        stored[row + Boards::renamed(i - row, renaming)] = strategy[i];
    }
    const auto boards = locked_boards(node, cards);
    const Board& first = cards ? *boards.front() : boards_[0];
    // Values on a full board are not sums over runouts, so locks need not be symmetric there.
    const bool full = cards && first.street == boards_.last_street();
    if (!full) require_symmetry(first.renamings, actions, stored.data());
    for (Board* board : boards) {
        const Hands& hands = board->hands[decision.player];
        const NodeTables tables = tables_.at(*board, decision.player, decision.offset);
        float* rows = locks_.add(boards_.index(*board), node, actions * hands.padded);
        for (int a = 0; a < actions; ++a) {
            for (std::uint32_t i = 0; i < hands.padded; ++i) {
                const std::size_t place = a * hands.padded + i;
                rows[place] = i < hands.count ? stored[a * kNumHoles + hands.hole[i]] : 0;
                if (std::isnan(rows[place])) continue;
                if (tables.regrets16) tables.regrets16[place] = 0;
                if (tables.regrets) tables.regrets[place] = 0;
            }
        }
    }
}

void SpotEngine::unlock(std::int32_t node, std::optional<std::span<const Card>> cards) {
    for (Board* board : locked_boards(node, cards)) locks_.remove(boards_.index(*board), node);
}

}  // namespace riverboat::spots
