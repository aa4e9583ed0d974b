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
std::vector<Action> actions_at(const Hand& hand, const BetMenu& menu, bool called) {
    if (hand.phase() == Phase::kDiscarding) {
        return {{ActionKind::kStand}, {ActionKind::kDiscard}};
    }
    std::vector<Action> actions;
    const bool free = hand.to_call() == 0;
    if (!free) actions.push_back({ActionKind::kFold});
    if (menu_calls(menu, hand)) {
        actions.push_back({free ? ActionKind::kCheck : ActionKind::kCall});
    }
    for (const Chips amount : menu_amounts(menu, hand, called)) {
        actions.push_back({ActionKind::kBet, kUnknownCard, amount});
    }
    return actions;
}

// State of the betting: the hand, a bit for each swap phase where a seat swapped, the
// seat whose call was the last move, a bit for each street where a seat raised, and the place of
// the street's last raise among the actions offered, if they were.
struct State {
    Hand hand;
    std::array<std::uint8_t, kMaxPlayers> swaps{}, raised{};
    int caller = -1;
    std::uint8_t last_raise = 0;

    void apply(Action action, std::size_t place = 0) {
        const int street = hand.street();
        if (action.kind == ActionKind::kBet) {
            raised[hand.actor()] |= 1u << street;
            last_raise = static_cast<std::uint8_t>(place + 1);
        }
        play(action);
        if (hand.street() != street) last_raise = 0;
    }

    // What infosets remember of the line with imperfect recall: the last raise of this street, and
    // on how many earlier streets each seat raised.
    std::vector<int> recalled(int group, const std::vector<Action>& offered) const {
        std::vector<int> key{group, static_cast<int>(offered.size()),
                             static_cast<int>(offered.front().kind), last_raise};
        const unsigned before = (1u << hand.street()) - 1;
        for (int seat = 0; seat < hand.spec().players; ++seat) {
            key.push_back(std::popcount(raised[seat] & before));
        }
        return key;
    }

  private:
    void play(Action action) {
        if (hand.phase() == Phase::kBetting) {
            caller = action.kind == ActionKind::kCall ? hand.actor() : -1;
        }
        if (action.kind == ActionKind::kDiscard) {
            action.card = kUnknownCard;
            swaps[hand.actor()] |= 1u << hand.spec().swaps_before[hand.street()];
        }
        hand.apply(action);
    }
};

State root_state(const GameSpec& spec, const std::optional<TreeStart>& start) {
    Cards cards;
    cards.fill(kUnknownCard);
    State state{Hand(spec, start ? start->stacks : spec.stacks, cards)};
    if (start) std::ranges::for_each(start->line, [&](const Action& a) { state.apply(a); });
    return state;
}

// The order of strategies.
bool stands_before(const Action& a, const Action& b) {
    return std::tie(a.kind, a.amount) < std::tie(b.kind, b.amount);
}

void check_menu(const BetMenu& menu, const GameSpec& spec) {
    if (menu.streets.empty()) throw GameError("a bet menu has at least one street");
    const bool by_position = std::ranges::any_of(menu.streets, &StreetMenu::by_position);
    if (by_position && spec.players != 2) {
        throw GameError("a menu with ip or donk sizes is for two players, not for " +
                        std::to_string(spec.players));
    }
    if (!menu.streets.front().for_many()) return;
    if (spec.players < 3) {
        throw GameError("a menu with sb, limp or flop is for three or more players, not for " +
                        std::to_string(spec.players));
    }
    if (spec.big_blind == 0 || spec.streets < 2) {
        throw GameError(
            "a menu with sb, limp or flop is for games with blinds and a second street");
    }
}

}  // namespace

struct Tree::Builder {
    Tree& tree;
    const BetMenu& menu;
    const TreeOptions& options;
    std::map<std::tuple<int, int, int>, int> group_of{};    // player, street, swaps
    std::map<std::vector<int>, std::uint32_t> offset_of{};  // with imperfect recall
    std::vector<bool> edit_done = std::vector<bool>(options.edits.size());

    // The edits whose line leads through a node, and how many actions of it have been played.
    struct Ahead {
        std::vector<int> edits;
        std::size_t played = 0;
    };

    const Action& next_of(int edit, const Ahead& ahead) const {
        return options.edits[edit].line[ahead.played];
    }

    bool ends(int edit, const Ahead& ahead) const {
        return options.edits[edit].line.size() == ahead.played + 1;
    }

    Ahead all_edits() const {
        Ahead ahead;
        for (std::size_t i = 0; i < options.edits.size(); ++i) {
            if (!options.edits[i].line.empty()) ahead.edits.push_back(static_cast<int>(i));
        }
        return ahead;
    }

    Ahead after(const Ahead& ahead, const Action& action) const {
        Ahead next{{}, ahead.played + 1};
        for (const int edit : ahead.edits) {
            if (next_of(edit, ahead) == action && !ends(edit, ahead)) next.edits.push_back(edit);
        }
        return next;
    }

    // Adds and removes actions of the edits at this node.
    void edit(std::vector<Action>& actions, const Ahead& ahead) {
        if (ahead.edits.empty()) return;
        for (const int i : ahead.edits) {
            if (options.edits[i].removes) continue;
            if (std::ranges::count(actions, next_of(i, ahead)) == 0) {
                actions.push_back(next_of(i, ahead));
            }
        }
        for (const int i : ahead.edits) {
            if (!options.edits[i].removes || !ends(i, ahead)) continue;
            if (std::erase(actions, next_of(i, ahead)) > 0) edit_done[i] = true;
        }
        for (const int i : ahead.edits) {
            if (options.edits[i].removes || !ends(i, ahead)) continue;
            if (std::ranges::count(actions, next_of(i, ahead)) > 0) edit_done[i] = true;
        }
        std::ranges::sort(actions, stands_before);
        if (actions.empty()) throw GameError("a decision would have no action left");
    }

    // Appends a node for the state; the caller expands it later.
    void append(const State& state, const Action& action, std::int32_t parent, int street) {
        if (static_cast<std::int64_t>(tree.nodes_.size()) >= options.max_nodes) {
            throw GameError("the betting tree has more than " + std::to_string(options.max_nodes) +
                            " nodes: use fewer bet sizes or a raise cap");
        }
        tree.nodes_.emplace_back();
        tree.streets_.push_back(static_cast<std::uint8_t>(street));
        tree.actions_.push_back(action);
        tree.parents_.push_back(parent);
        for (int seat = 0; seat < tree.num_players(); ++seat) {
            tree.contributions_.push_back(state.hand.spent(seat) + state.hand.ante(seat));
            if (tree.spec_->swaps > 0) tree.swap_lines_.push_back(state.swaps[seat]);
        }
    }

    // A node whose street is over, but not the hand, is a chance node.
    void expand(std::int32_t index, const State& state, const Ahead& ahead) {
        if (tree.streets_[index] < state.hand.street()) return deal(index, state, ahead);
        if (state.hand.finished()) return finish(index, state.hand);
        auto actions = actions_at(state.hand, menu, state.caller == state.hand.actor());
        edit(actions, ahead);
        if (actions.size() > kMaxActions) {
            throw GameError("a decision has " + std::to_string(actions.size()) +
                            " actions: at most " + std::to_string(kMaxActions) + " are possible");
        }
        const auto first = static_cast<std::int32_t>(tree.nodes_.size());
        decide(tree.nodes_[index], state, first, actions);
        std::vector<State> children;
        for (const Action& action : actions) {
            State& child = children.emplace_back(state);
            child.apply(action, children.size() - 1);
            const int now = options.chance ? state.hand.street() : child.hand.street();
            append(child, action, index, now);
        }
        for (std::size_t i = 0; i < children.size(); ++i) {
            expand(first + static_cast<std::int32_t>(i), children[i], after(ahead, actions[i]));
        }
    }

    void deal(std::int32_t index, const State& state, const Ahead& ahead) {
        const auto child = static_cast<std::int32_t>(tree.nodes_.size());
        TreeNode& node = tree.nodes_[index];
        node.kind = NodeKind::kChance;
        node.num_actions = 1;
        node.first_child = child;
        append(state, {}, index, tree.streets_[index] + 1);
        expand(child, state, ahead);
    }

    void decide(TreeNode& node, const State& state, std::int32_t first,
                const std::vector<Action>& actions) {
        const int player = state.hand.actor(), street = state.hand.street();
        const std::tuple key{player, street, state.swaps[player]};
        const auto [found, is_new] = group_of.try_emplace(key, static_cast<int>(group_of.size()));
        if (is_new) {
            if (found->second >= kMaxGroups) {
                throw GameError("the game has too many streets and swaps");
            }
            tree.groups_.push_back({static_cast<std::uint8_t>(player),
                                    static_cast<std::uint8_t>(street), state.swaps[player]});
        }
        TreeGroup& group = tree.groups_[found->second];
        node.kind = NodeKind::kDecision;
        node.player = static_cast<std::uint8_t>(player);
        node.group = static_cast<std::uint8_t>(found->second);
        node.num_actions = static_cast<std::uint8_t>(actions.size());
        node.first_child = first;
        if (tree.forgets_) {
            const auto recalled = state.recalled(node.group, actions);
            const auto [offset, is_first] = offset_of.try_emplace(recalled, group.entries);
            node.offset = offset->second;
            if (!is_first) return;
        }
        node.offset = group.entries;
        group.entries += static_cast<std::uint32_t>(actions.size());
        ++group.num_decisions;
    }

    void finish(std::int32_t index, const Hand& hand) {
        TreeNode& node = tree.nodes_[index];
        const bool fold = std::popcount(hand.live()) == 1;
        node.kind = fold ? NodeKind::kFold : NodeKind::kShowdown;
        node.payoffs = static_cast<std::int32_t>(tree.payoffs_.size());
        if (options.fractions) return divide(hand, fold);
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

    // Payoffs of two players in fractions of a chip: a row of a fold, three of a showdown.
    void divide(const Hand& hand, bool fold) {
        const auto paid = [&](int seat) {
            return static_cast<double>(hand.spent(seat) + hand.ante(seat));
        };
        const Rake& rake = hand.spec().rake;
        const double pot = paid(0) + paid(1);
        const bool dropped = rake.no_flop_no_drop && hand.board_count() == 0;
        double taken = dropped ? 0 : pot * rake.basis_points / 10000;
        if (rake.cap > 0) taken = std::min(taken, static_cast<double>(rake.cap));
        constexpr double kShares[3] = {1, 0.5, 0};  // of seat 0
        for (const double share : kShares) {
            if (fold && share != (hand.is_live(0) ? 1 : 0)) continue;
            add_payoffs([&](int seat) {
                return (pot - taken) * (seat == 0 ? share : 1 - share) - paid(seat);
            });
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
            for (int seat = 0; seat < hand.spec().players; ++seat)
                won[seat] += pots.pot[i].won[seat];
        }
        return won;
    }
};

Tree::Tree(std::shared_ptr<const GameSpec> spec, const BetMenu& menu, const TreeOptions& options)
    : spec_(std::move(spec)) {
    if (spec_->tosses > 0) {
        throw GameError("games with tossed cards have no tree: a toss shows which card it was");
    }
    if (spec_->runs_on()) {
        throw GameError(
            "a river that runs on until a black card has no tree: cards decide where "
            "the betting ends");
    }
    if ((1 << spec_->swaps) > kMaxSwapLines)
        throw GameError("a tree can have at most 4 swap phases");
    if (options.max_nodes < 1 || options.max_nodes > kMaxNodes) {
        throw GameError("a tree may have 1 to " + std::to_string(kMaxNodes) + " nodes, not " +
                        std::to_string(options.max_nodes));
    }
    check_menu(menu, *spec_);
    if (options.fractions && spec_->players != 2) {
        throw GameError("only two players can split chips into fractions");
    }
    const auto& start = options.start;
    from_start_ = !options.chance && !options.fractions &&
                  (!start || (start->line.empty() && start->stacks == spec_->stacks));
    whole_ = from_start_ && options.edits.empty();
    forgets_ = menu.recall_raises;
    if (forgets_ && !whole_) {
        throw GameError("a menu that recalls raises needs the tree of a whole game");
    }
    const State root = root_state(*spec_, start);
    Builder builder{*this, menu, options};
    builder.append(root, {}, -1, root.hand.street());
    builder.expand(0, root, builder.all_edits());
    for (std::size_t i = 0; i < options.edits.size(); ++i) {
        if (!builder.edit_done[i]) idle_edits_.push_back(static_cast<std::int32_t>(i));
    }
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
