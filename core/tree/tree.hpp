// The public betting tree of (game, bet menu) as flat arrays, from the beginning of the hand or
// from any state in which a player is to act.
//
// Built by playing Hand, so that the rules are in one place. The solver sees players,
// actions, payoffs and buckets, but no cards.
//
// A player's decisions of one street form a *group*, within which the player's cards are one
// bucket. In games with swaps the player's swaps so far belong to the group too, because they
// determine which of the possible hands the player holds. A group's strategy entries are
// bucket-major: entry = base + bucket * entries + offset + action, so that the entries of one
// bucket, which a walk uses, are adjacent.
//
// *Chance nodes* are optional: sampled solvers deal all cards in advance. Each place where a street
// ends and the next one begins has a chance node, with one child, because the betting does not
// depend on the cards. It belongs to the street that it ends. When all chips are in, the remaining
// streets are a row of chance nodes down to the showdown. So the nodes of one street, in the order
// of their numbers, are a program for every board: parents are before children, it begins at the
// children of the last street's chance nodes (or at the root) and ends at its own chance nodes.
// The dealer knows what a chance node branches into: the boards, their probabilities and the
// hands that they leave.
//
// If the menu recalls raises only, decisions of a group share entries: those with the same number
// of actions, the same number of earlier streets raised on by each seat, and the same index of the
// street's last raise among the offered ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "game/pots.hpp"
#include "tree/menu.hpp"

namespace riverboat {

inline constexpr std::int64_t kMaxNodes = 200'000'000;  // ten payoffs each fit an int32 index
inline constexpr int kMaxGroups = 128;
inline constexpr int kMaxActions = 16;
inline constexpr int kMaxSwapLines = 16;  // 2^swaps: own lines of swaps that lead to a showdown

enum class NodeKind : std::uint8_t { kDecision, kFold, kShowdown, kChance };

struct TreeNode {
    std::int32_t first_child =
        -1;                     // children lie side by side, one per action; a chance node has one
    std::int32_t payoffs = -1;  // of a terminal: index of its first payoff
    std::uint32_t offset = 0;   // of a decision: first entry within a bucket of the group
    std::uint8_t group = 0;
    std::uint8_t player = 0;
    std::uint8_t num_actions = 0;  // children
    NodeKind kind = NodeKind::kDecision;
};

struct TreeGroup {
    std::uint8_t player;
    std::uint8_t street;
    std::uint16_t swaps;              // one bit per swap phase: the player swapped there
    std::uint32_t entries = 0;        // strategy entries of one bucket
    std::uint32_t num_decisions = 0;  // with separate entries; times buckets: infosets
};

// A state of the game without cards: stacks at the beginning of the hand, and the actions since.
// Its bets need not be on the menu.
struct TreeStart {
    ChipsBySeat stacks;
    std::vector<Action> line;
};

// A line from the root on, of which each action is added to the tree, whatever the menu says; or a
// line whose last action is removed, with the tree below it.
struct TreeEdit {
    std::vector<Action> line;
    bool removes;
};

struct TreeOptions {
    std::int64_t max_nodes = kMaxNodes;
    std::optional<TreeStart> start{};  // of the root; without one the hand's beginning
    bool chance = false;               // whether there are chance nodes
    std::vector<TreeEdit> edits{};     // removing takes precedence over adding
    bool fractions =
        false;  // two players split pots and pay rake in fractions of a chip, unlike Hand
};

class Tree {
  public:
    // Throws GameError where the tree has more than max_nodes nodes (at most kMaxNodes), or a
    // decision more than kMaxActions actions or none, or the menu does not fit the game;
    // IllegalActionError where the start's line is none.
    Tree(std::shared_ptr<const GameSpec> spec, const BetMenu& menu, const TreeOptions& options);

    // Whether this is the tree of a game from its start, without chance nodes: solvers that are
    // given deals can walk it. Lines may be added or removed.
    bool from_start() const { return from_start_; }
    // Whether it is also exactly the tree of the game's rules and the menu.
    bool whole() const { return whole_; }
    // Whether decisions share entries (imperfect recall): only sampled walks are possible.
    bool forgets() const { return forgets_; }
    // Edits without effect: the tree has no such line.
    const std::vector<std::int32_t>& idle_edits() const { return idle_edits_; }
    int num_players() const { return spec_->players; }
    const GameSpec& spec() const { return *spec_; }
    const std::vector<TreeNode>& nodes() const { return nodes_; }
    const std::vector<TreeGroup>& groups() const { return groups_; }

    // By node, not needed by sampled walks: street, chips in by seat, the action that led here
    // (nothing at the root and below chance nodes).
    const std::vector<std::uint8_t>& streets() const { return streets_; }
    const std::vector<Chips>& contributions() const { return contributions_; }  // [nodes, players]
    const std::vector<Action>& actions() const { return actions_; }
    const std::vector<std::int32_t>& parents() const { return parents_; }

    // Payoffs in chips. A fold has one for each player. A showdown of two players has three
    // rows of them: seat 0 wins, tie, seat 1 wins. A showdown of more has none: see settle.
    const std::vector<float>& payoffs() const { return payoffs_; }

    // Which of a player's possible hands reaches a showdown: the player's line of swaps.
    int swap_line(std::int32_t terminal, int player) const {
        return swap_lines_.empty() ? 0 : swap_lines_[terminal * num_players() + player];
    }
    const std::vector<std::uint8_t>& swap_lines() const { return swap_lines_; }

    // Payoffs of a showdown of any number of players.
    void settle(std::int32_t terminal, const std::uint32_t* strengths, float* payoffs) const;

  private:
    struct Builder;

    std::shared_ptr<const GameSpec> spec_;
    bool from_start_, whole_, forgets_;
    std::vector<TreeNode> nodes_;
    std::vector<TreeGroup> groups_;
    std::vector<std::uint8_t> streets_;
    std::vector<Chips> contributions_;
    std::vector<Action> actions_;
    std::vector<std::int32_t> parents_;
    std::vector<float> payoffs_;
    std::vector<std::uint8_t> swap_lines_;  // [nodes, players], only in games with swaps
    std::vector<Hand> showdowns_;           // only with more than two players
    std::vector<std::int32_t> idle_edits_;
};

}  // namespace riverboat
