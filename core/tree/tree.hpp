// The public betting tree of (game, bet menu) as flat arrays, from the beginning of the hand or
// from any state where somebody is to act.
//
// Built by driving Hand, so that the rules stay in one place. The solver sees players,
// actions, payoffs and buckets, never a card.
//
// A player's decisions of one street form a *group*: there his cards are one
// bucket. In games with swaps his own swaps so far belong to the group too,
// because they select which of his possible hands he holds. A group's strategy
// entries lie bucket-major: entry = base + bucket * entries + offset + action,
// so that all that a walk touches for one bucket lies together.
//
// *Chance nodes* stand in the tree only where asked for: sampled solvers deal all cards
// beforehand. One stands wherever a street ends and the next one begins, and marks that cards
// come; it has one child, whatever the cards, because betting does not depend on them. It belongs
// to the street that it ends. Once all chips are in, the streets that are left are chance nodes
// in a row, down to the showdown. So the nodes of one street, taken by number, are that street's
// program: parents stand before children, it is entered at the children of the last street's
// chance nodes (or at the root) and left at its own chance nodes, and every board runs the same
// one. Where the menu recalls raises only, decisions of a group share entries: those with as many
// actions, as many earlier streets raised on by each seat, and the same place of the last raise
// of the street among those offered. What fans out at a chance node is the dealer's side: which
// boards there are, their probabilities, which hands they leave.
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
    std::uint32_t num_decisions = 0;  // with entries of their own; times buckets: infosets
};

// A state of the game: stacks at the beginning of the hand, and what was done since. Its bets need
// not be on the menu; its cards are nobody's business.
struct TreeStart {
    ChipsBySeat stacks;
    std::vector<Action> line;
};

// A line from the root on that somebody wants in the tree, whatever the menu says: each of its
// actions is there. Or one whose last action he wants out of it, with all that lies below.
struct TreeEdit {
    std::vector<Action> line;
    bool removes;
};

struct TreeOptions {
    std::int64_t max_nodes = kMaxNodes;
    std::optional<TreeStart> start{};  // of the root; without one the hand's beginning
    bool chance = false;               // whether there are chance nodes
    std::vector<TreeEdit> edits{};     // removing outweighs adding
    bool fractions = false;  // two players split pots and pay rake in parts of a chip, not as Hand
};

class Tree {
  public:
    // Throws GameError where the tree has more than max_nodes nodes (at most kMaxNodes), or a
    // decision more than kMaxActions actions or none, or the menu does not fit the game;
    // IllegalActionError where the start's line is none.
    Tree(std::shared_ptr<const GameSpec> spec, const BetMenu& menu, const TreeOptions& options);

    // Whether it is the tree of the whole game as its rules and the menu have it, without chance
    // nodes: what sampled solvers walk.
    bool whole() const { return whole_; }
    // Whether decisions share entries: players forget, and only sampled walks may be taken.
    bool forgets() const { return forgets_; }
    // Which edits came to nothing: the tree has no such line.
    const std::vector<std::int32_t>& idle_edits() const { return idle_edits_; }
    int num_players() const { return spec_->players; }
    const GameSpec& spec() const { return *spec_; }
    const std::vector<TreeNode>& nodes() const { return nodes_; }
    const std::vector<TreeGroup>& groups() const { return groups_; }

    // Facts that no sampled walk needs, by node: street, chips in by seat, the action that led here
    // (nothing at the root and below chance nodes).
    const std::vector<std::uint8_t>& streets() const { return streets_; }
    const std::vector<Chips>& contributions() const { return contributions_; }  // [nodes, players]
    const std::vector<Action>& actions() const { return actions_; }
    const std::vector<std::int32_t>& parents() const { return parents_; }

    // Payoffs in chips. A fold has one for each player. A showdown of two players has three
    // rows of them: seat 0 wins, tie, seat 1 wins. A showdown of more has none: see settle.
    const std::vector<float>& payoffs() const { return payoffs_; }

    // Which of a player's possible hands reaches a showdown: his line of swaps.
    int swap_line(std::int32_t terminal, int player) const {
        return swap_lines_.empty() ? 0 : swap_lines_[terminal * num_players() + player];
    }
    const std::vector<std::uint8_t>& swap_lines() const { return swap_lines_; }

    // Payoffs of a showdown of any number of players.
    void settle(std::int32_t terminal, const std::uint32_t* strengths, float* payoffs) const;

  private:
    struct Builder;

    std::shared_ptr<const GameSpec> spec_;
    bool whole_, forgets_;
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
