#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

#include "util/errors.hpp"

namespace riverboat {
namespace {

// The menu's actions in the order that strategies list them: fold, check or
// call, bets ascending; or stand, swap.
std::vector<Action> actions_at(const Hand& hand, const BetMenu& menu) {
    if (hand.phase() == Phase::kDiscarding) {
        return {{ActionKind::kStand}, {ActionKind::kDiscard}};
    }
    std::vector<Action> actions;
    const bool free = hand.to_call() == 0;
    if (!free) actions.push_back({ActionKind::kFold});
    actions.push_back({free ? ActionKind::kCheck : ActionKind::kCall});
    for (const Chips amount : menu_amounts(menu, hand)) {
        actions.push_back({ActionKind::kBet, kUnknownCard, amount});
    }
    return actions;
}

}  // namespace

struct Tree::Builder {
    Tree& tree;
    const BetMenu& menu;
    std::int64_t max_nodes;
    std::map<std::tuple<int, int, int>, int> group_of{};  // player, street, swaps

    using Swaps = std::array<std::uint8_t, kMaxPlayers>;

    // Appends a node for `hand`; the caller expands it later.
    void append(const Hand& hand, const Action& action, std::int32_t parent, const Swaps& swaps) {
        if (static_cast<std::int64_t>(tree.nodes_.size()) >= max_nodes) {
            throw GameError("the betting tree has more than " + std::to_string(max_nodes) +
                            " nodes: take fewer bet sizes or a raise cap");
        }
        tree.nodes_.emplace_back();
        tree.streets_.push_back(static_cast<std::uint8_t>(hand.street()));
        tree.actions_.push_back(action);
        tree.parents_.push_back(parent);
        for (int seat = 0; seat < tree.num_players(); ++seat) {
            tree.contributions_.push_back(hand.spent(seat) + hand.ante(seat));
            if (tree.spec_->swaps > 0) tree.swap_lines_.push_back(swaps[seat]);
        }
    }

    void expand(std::int32_t index, const Hand& hand, const Swaps& swaps) {
        if (hand.finished()) return finish(index, hand);
        const auto actions = actions_at(hand, menu);
        if (actions.size() > kMaxActions) {
            throw GameError("a decision has " + std::to_string(actions.size()) +
                            " actions: at most " + std::to_string(kMaxActions) + " are possible");
        }
        const auto first = static_cast<std::int32_t>(tree.nodes_.size());
        decide(tree.nodes_[index], hand, swaps, first, actions.size());
        std::vector<Hand> children;
        std::vector<Swaps> lines;
        for (const Action& action : actions) {
            children.push_back(hand);
            children.back().apply(action);
            lines.push_back(swaps);
            if (action.kind == ActionKind::kDiscard) {
                lines.back()[hand.actor()] |= 1u << hand.spec().swaps_before[hand.street()];
            }
            append(children.back(), action, index, lines.back());
        }
        for (std::size_t i = 0; i < children.size(); ++i) {
            expand(first + static_cast<std::int32_t>(i), children[i], lines[i]);
        }
    }

    void decide(TreeNode& node, const Hand& hand, const Swaps& swaps, std::int32_t first,
                std::size_t num_actions) {
        const int player = hand.actor();
        const std::tuple key{player, hand.street(), swaps[player]};
        const auto [found, is_new] = group_of.try_emplace(key, static_cast<int>(group_of.size()));
        if (is_new) {
            if (found->second >= kMaxGroups) throw GameError("the game has too many streets and swaps");
            tree.groups_.push_back({static_cast<std::uint8_t>(player),
                                    static_cast<std::uint8_t>(hand.street()), swaps[player]});
        }
        TreeGroup& group = tree.groups_[found->second];
        node.kind = NodeKind::kDecision;
        node.player = static_cast<std::uint8_t>(player);
        node.group = static_cast<std::uint8_t>(found->second);
        node.num_actions = static_cast<std::uint8_t>(num_actions);
        node.first_child = first;
        node.offset = group.entries;
        group.entries += static_cast<std::uint32_t>(num_actions);
        ++group.num_decisions;
    }

    void finish(std::int32_t index, const Hand& hand) {
        TreeNode& node = tree.nodes_[index];
        const bool fold = std::popcount(hand.live()) == 1;
        node.kind = fold ? NodeKind::kFold : NodeKind::kShowdown;
        node.payoffs = static_cast<std::int32_t>(tree.payoffs_.size());
        if (fold) return add_payoffs([&](int seat) { return hand.payoff(seat); });
        if (tree.num_players() > 2) {
            node.payoffs = static_cast<std::int32_t>(tree.showdowns_.size());
            tree.showdowns_.push_back(hand);
            return;
        }
        constexpr std::uint32_t kOutcomes[3][2] = {{1, 0}, {0, 0}, {0, 1}};
        for (const auto& outcome : kOutcomes) {
            std::array<std::uint32_t, kMaxPlayers> strengths{outcome[0], outcome[1]};
            const ChipsBySeat won = winnings(hand, strengths);
            add_payoffs([&](int seat) { return hand.payoff(seat) + won[seat]; });
        }
    }

    template <typename Payoff>
    void add_payoffs(const Payoff& payoff) {
        for (int seat = 0; seat < tree.num_players(); ++seat) {
            tree.payoffs_.push_back(static_cast<float>(payoff(seat)));
        }
    }

    static ChipsBySeat winnings(const Hand& hand,
                                const std::array<std::uint32_t, kMaxPlayers>& strengths) {
        Pots pots = make_pots(hand);
        award(hand, strengths, pots);
        ChipsBySeat won{};
        for (int i = 0; i < pots.count; ++i) {
            for (int seat = 0; seat < hand.spec().players; ++seat) won[seat] += pots.pot[i].won[seat];
        }
        return won;
    }
};

Tree::Tree(std::shared_ptr<const GameSpec> spec, const BetMenu& menu, std::int64_t max_nodes)
    : spec_(std::move(spec)) {
    if (spec_->tosses > 0) {
        throw GameError("games with tossed cards have no tree: a toss shows which card it was");
    }
    if ((1 << spec_->swaps) > kMaxSwapLines) throw GameError("a tree takes at most 4 swap phases");
    if (max_nodes < 1 || max_nodes > kMaxNodes) {
        throw GameError("a tree may have 1 to " + std::to_string(kMaxNodes) + " nodes, not " +
                        std::to_string(max_nodes));
    }
    if (menu.streets.empty()) throw GameError("a bet menu has at least one street");
    Cards cards;
    cards.fill(kUnknownCard);
    const Hand hand(*spec_, spec_->stacks, cards);
    Builder builder{*this, menu, max_nodes};
    builder.append(hand, {}, -1, {});
    builder.expand(0, hand, {});
}

void Tree::settle(std::int32_t terminal, const std::uint32_t* strengths, float* payoffs) const {
    const Hand& hand = showdowns_[nodes_[terminal].payoffs];
    std::array<std::uint32_t, kMaxPlayers> by_seat{};
    std::copy_n(strengths, num_players(), by_seat.begin());
    const ChipsBySeat won = Builder::winnings(hand, by_seat);
    for (int seat = 0; seat < num_players(); ++seat) {
        payoffs[seat] = static_cast<float>(hand.payoff(seat) + won[seat]);
    }
}

}  // namespace riverboat
