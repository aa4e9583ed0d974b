// The spot solver: full-width CFR on the public tree of a spot, with a number for every hand of
// both ranges; exact best responses; EVs of the average strategies.
//
// Discounted CFR (Brown & Sandholm 2019) with alternating updates. Discounts are given as factors,
// iteration by iteration: regrets are discounted before new regrets are added. The average weights
// strategies by the player's own reach, and is updated while the opponent's values are computed,
// because that reach is known there. Or it ignores the reach, as some solvers do, and is updated
// with the regrets.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "spots/boards.hpp"
#include "spots/checks.hpp"
#include "spots/gadget.hpp"
#include "spots/memory.hpp"
#include "spots/policies.hpp"
#include "spots/program.hpp"
#include "spots/schedule.hpp"
#include "spots/steps.hpp"
#include "spots/tables.hpp"
#include "spots/workshop.hpp"
#include "tree/tree.hpp"

namespace riverboat::spots {

struct SpotOptions {
    int threads = 1;
    bool isomorphism = true;
    bool own_reach = true;  // reach weights the average; not with tables of 16 bits
    TableKind tables = TableKind::kFloat;
    bool prefault = true;  // touch all memory pages at the start
};

// Memory of a spot in bytes, and its size.
struct SpotForecast {
    std::uint64_t tables = 0, boards = 0, scratch = 0;
    std::uint64_t num_boards = 0;
    std::uint64_t num_nodes = 0;  // decisions times boards
};

// Throws GameError unless the tree is that of a heads-up spot with this number of board cards.
void check_spot(const Tree& tree, std::span<const Card> board);

SpotForecast forecast_spot(const Tree& tree, const std::vector<Card>& board, const Weights& weights,
                           const SpotOptions& options);

// The tree from its root on, in segments that fit into the cache in single and double precision.
struct Programs {
    Segment fast, exact;

    template <typename Real>
    const Segment& in() const {
        return std::is_same_v<Real, float> ? fast : exact;
    }
};

class SpotEngine {
  public:
    // With a gadget, best responses, values and checks are those of the gadget game.
    SpotEngine(std::shared_ptr<const Tree> tree, std::vector<Card> board, Weights weights,
               const SpotOptions& options, std::optional<GadgetOptions> gadget = std::nullopt);

    const Tree& tree() const { return *tree_; }
    const Boards& boards() const { return boards_; }
    const Tables& tables() const { return tables_; }
    Locks& locks() { return locks_; }
    std::optional<Gadget>& gadget() { return gadget_; }

    void run(FactorStream& factors, std::int64_t iterations);
    // The same with checks by the plan; ends early if an exact check shows that exploitability is
    // at most the target. `begin`: number of previous iterations.
    std::vector<Check> run_checked(FactorStream& factors, std::int64_t iterations,
                                   std::int64_t begin, CheckPlan& plan);

    // EVs in chips with the share of the pot: of the best response to the opponent's average
    // strategy, and of both averages. `adopt` replaces the player's average by the response.
    double best_response(int player, bool adopt);
    double value(int player);
    // Sum of both players' winnings, if it is the same at every terminal.
    std::optional<double> constant_sum() const { return constant_sum_; }
    double largest_payoff() const { return largest_payoff_; }

    // The reaches at the root; and the weights of all deals, by which the player's values are
    // divided.
    const std::vector<double>& start_reach(int player) const { return start_[player].reach; }
    double deals(int player) const { return start_[player].deals; }
    // Reaches at the root; for an opponent with a gadget, the average.
    std::vector<double> root_reach_of(int player) const;
    // EV in chips, from the values of a player's hands at the root times the opponent's reach.
    double chips(int player, Own own, std::span<const double> values);

    // Values of a player's hands at the root, times the opponent's reach.
    template <typename Real>
    std::vector<Real> root_values(int player, Own own);

    // For walks of others: nodes, memory for a program (by default the engine's in double
    // precision) and the rows of a segment that fit into the cache.
    NodeFinder nodes() const { return {boards_, tables_, locks_}; }
    const Segment& program() const { return programs_.exact; }
    Workshop workshop() { return {pool_, stacks_}; }
    Workshop workshop(const Segment& program);
    RowLimits row_limits() const;

  private:
    // A player's hands at the root.
    struct Start {
        std::vector<double> reach;
        std::vector<float> short_reach;
        double deals = 0;  // joint weights of all deals

        template <typename Real>
        const std::vector<Real>& reach_in() const {
            if constexpr (std::is_same_v<Real, float>)
                return short_reach;
            else
                return reach;
        }
    };

    void start();
    template <typename Real>
    double walk_root(int player, Own own);
    template <typename Real>
    Check check(std::int64_t iteration);
    Check check_near(std::int64_t iteration, double target);
    void train(int player, const Factors& factors);

    std::shared_ptr<const Tree> tree_;
    SpotOptions options_;
    Weights weights_;
    Pool pool_;
    Boards boards_;
    std::vector<std::uint32_t> room_;  // longest row, by street
    Programs programs_;
    std::vector<Stack> stacks_;
    Tables tables_;
    Locks locks_;
    std::array<Start, 2> start_;
    std::optional<Gadget> gadget_;
    std::optional<double> constant_sum_;
    double largest_payoff_ = 0;
};

}  // namespace riverboat::spots
