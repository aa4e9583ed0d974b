// Values of one player's hands of hold'em if both players play a strategy, or the player a best
// response to it: a walk over the tree below a node, for given boards. Two players.
//
// The value of a hand is the sum over the opponent's hands that share no card with it of reach
// times chips won. Hands of a bucket share a strategy, but not their strength and opposing hands,
// so nothing is averaged over buckets.
//
// Where both play a strategy, each runout is walked on its own; a best response does not know the
// cards to come, so that all boards after a card are walked, and their mean is taken. Lines that
// are rarely reached may be drawn: a line with less reach than a floor is walked with a
// proportional probability and weighted up. Then an all-in on the street where the walk begins has
// its value over all runouts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cards/card.hpp"
#include "solve/hand_sums.hpp"
#include "solve/vector_walk.hpp"
#include "util/random.hpp"

namespace riverboat {

// A strategy's probabilities at a decision: [actions, buckets].
struct StrategyTable {
    const double* rows = nullptr;
    std::size_t buckets = 0;
    std::shared_ptr<const void> owner;
    std::vector<double> norms;  // [actions] root of the mean square of a row
};

// A board of a walk, with all hole pairs.
struct HandBoard {
    std::uint64_t cards = 0;
    std::vector<std::uint32_t> buckets;  // [1326]; 0 for dead pairs
    std::uint32_t largest = 0;           // bucket
    // A complete board's live hands in ascending order of strength; ends of runs of equal strength.
    std::vector<std::uint16_t> ranked;
    std::vector<Hole> holes;
    std::vector<std::size_t> ends;

    HandBoard(std::span<const Card> dealt, const std::int64_t* buckets, bool complete);
    bool alive(int hole) const { return (kHoles[hole].mask() & cards) == 0; }
};

// The boards of one street, one a runout; the street where a walk begins has one board. Values of
// the street are multiplied by `factor` on the street before.
struct HandStreet {
    std::vector<HandBoard> boards;
    double factor = 1;
};

// Drawing of lines below a reach; `equities` returns [1326, 1326] equities of hands against each
// other on the board where the walk begins.
struct DrawnLines {
    double floor = 0;
    std::uint64_t seed = 0;
    std::function<const double*()> equities;
};

class HandValues : public VectorWalk<HandValues, double, 1, 1> {
  public:
    using TableOf = std::function<StrategyTable(std::int32_t)>;

    HandValues(const Tree& tree, TableOf table_of, int player, bool best);

    void draw_lines(DrawnLines lines) { lines_ = std::move(lines); }
    // Boards from `first_street` on; the first street has one.
    void deal(int first_street, std::vector<HandStreet> streets);
    // Values per node: of each runout; of a best response, one row.
    std::size_t rows() const { return best_ ? 1 : streets_.back().boards.size(); }
    // reach: the opponent's, [1326]; out [rows, 1326].
    void values(std::int32_t node, const double* reach, double* out);
    // out [actions, rows, 1326], of the player's decision.
    void action_values(std::int32_t node, const double* reach, double* out);

  private:
    friend VectorWalk;
    static constexpr bool kDeals = true, kWeighs = true;

    struct Rows : RowsByAction<double, std::uint32_t> {
        std::shared_ptr<const StrategyTable> table;
    };
    template <typename F>
    void with_role(const TreeNode& node, const F& f) const {
        if (node.player != player_) return f(Role<0>{});
        best_ ? f(Role<kNone, kNone, true, true>{}) : f(Role<kNone, 0>{});
    }
    Rows strategy(const TreeNode& node, Stack&);
    template <typename Role>
    double weight(Role, const TreeNode&, int action, const Rows& strategy, const Reach&,
                  const Reach& below) {
        next_total_ = total_;
        if (Role::kFinishes) return follow(1);
        if (Role::kReach == kNone) return follow(likely_ * strategy.table->norms[action]);
        next_total_ = sum_of(below[0]);
        return follow(total_ > 0 ? likely_ * next_total_ / total_ : 0);
    }
    static double sum_of(const double* reach);
    void finish(const TreeNode& node, const Rows&, const Reach&, const Values& values,
                const Values& out) const;
    void descend(const TreeNode& node, std::int32_t child, const Reach& reach, const Values& out);
    void pay(std::int32_t index, const Reach& reach, const Values& out);

    void all_in(std::int32_t index, const double* reach, double* out);
    void enter(int street, std::size_t board, std::int32_t child, const double* reach, double* out);
    void mean_over_boards(int street, std::int32_t child, const double* reach, double* out);
    bool is_even(const TreeNode& node) const;
    double follow(double likely);
    int street_of(std::int32_t index) const { return tree().streets()[index]; }
    const HandBoard& board() const { return *board_; }
    const HandStreet& street(int index) const { return streets_[index - first_street_]; }
    ShowdownPayoffs payoffs(const TreeNode& node) const;
    std::shared_ptr<const StrategyTable> table(std::int32_t node);

    TableOf table_of_;
    int player_;
    bool best_;
    DrawnLines lines_;
    int first_street_ = 0;
    std::vector<HandStreet> streets_;
    const HandBoard* board_ = nullptr;  // of the walk, at present
    std::size_t runout_ = 0;
    double likely_ = 1, total_ = 0;            // of the line so far; the sum of the reach
    double next_likely_ = 1, next_total_ = 0;  // after the action that is walked next
    Random random_{0};
    std::uint64_t num_walks_ = 0;
    std::unordered_map<std::int32_t, std::shared_ptr<const StrategyTable>> tables_;
    std::size_t table_bytes_ = 0;
    std::unordered_map<std::int32_t, std::vector<double>> all_ins_;
    std::vector<double> ordered_, scratch_, paid_;  // [1326]
};

}  // namespace riverboat
