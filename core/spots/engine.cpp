#include "spots/engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "spots/walk.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

constexpr std::size_t kSegmentBytes = 640 * 1024;  // rows of a segment: about the size of a cache

std::vector<std::uint32_t> row_room(const Boards& boards) {
    std::vector<std::uint32_t> room(boards.last_street() + 1, 0);
    for (const Board& board : boards.all()) {
        for (const Hands& hands : board.hands) {
            room[board.street] = std::max(room[board.street], hands.padded);
        }
    }
    return room;
}

template <typename Real>
RowLimits limits_of(std::span<const std::uint32_t> room) {
    RowLimits limits;
    for (const std::uint32_t row : room) {
        limits.push_back(static_cast<std::int32_t>(kSegmentBytes / (sizeof(Real) * row + 1)));
    }
    return limits;
}

// State of one thread.
std::size_t scratch_bytes(const Programs& programs, std::span<const std::uint32_t> room,
                          bool first) {
    return std::max(stack_bytes<float>(programs.fast, room, true, first),
                    stack_bytes<double>(programs.exact, room, true, first));
}

Programs compile_programs(const Tree& tree, std::span<const std::uint32_t> room) {
    return {compile_program(tree, 0, limits_of<float>(room)),
            compile_program(tree, 0, limits_of<double>(room))};
}

template <typename T>
std::uint64_t bytes_of(const std::vector<T>& items) {
    return items.size() * sizeof(T);
}

std::uint64_t board_bytes(const Board& board) {
    std::uint64_t bytes = sizeof(Board) + bytes_of(board.runs) + bytes_of(board.renamings);
    for (const Hands& hands : board.hands) {
        bytes += bytes_of(hands.hole) + bytes_of(hands.parent) + bytes_of(hands.places) +
                 bytes_of(hands.same) + bytes_of(hands.orbits) + bytes_of(hands.orbit_ends);
    }
    return bytes;
}

// Sum of both players' winnings, if it is the same at every terminal.
std::optional<double> find_constant_sum(const Tree& tree) {
    std::optional<double> sum;
    const SpotPayoffs payoffs{tree};
    for (const TreeNode& node : tree.nodes()) {
        if (node.kind != NodeKind::kFold && node.kind != NodeKind::kShowdown) continue;
        for (int outcome = 0; outcome < (node.kind == NodeKind::kFold ? 1 : 3); ++outcome) {
            const double here =
                payoffs.showdown(node, 0, outcome) + payoffs.showdown(node, 1, outcome);
            if (sum && *sum != here) return std::nullopt;
            sum = here;
        }
    }
    return sum;
}

}  // namespace

void check_spot(const Tree& tree, std::span<const Card> board) {
    const GameSpec& spec = tree.spec();
    const bool holdem = spec.showdown == Showdown::kHigh || spec.showdown == Showdown::kShortDeck;
    if (spec.players != 2 || spec.hole_cards != (holdem ? 2 : 1) || spec.swaps + spec.tosses > 0) {
        throw GameError("a spot is of hold'em, or of a game with one hole card, for two players");
    }
    const int street = tree.streets()[0];
    int dealt = 0;
    for (int i = 0; i <= street; ++i) dealt += spec.street[i].board;
    if (dealt != static_cast<int>(board.size())) {
        throw GameError("the board of this spot has " + std::to_string(dealt) + " cards, not " +
                        std::to_string(board.size()));
    }
    std::uint64_t seen = 0;
    for (const Card card : board) {
        if (card >= kNumCards || !(spec.deck & card_bit(card)) || (seen & card_bit(card))) {
            throw GameError("the board has a card twice, or one that is not in the deck");
        }
        seen |= card_bit(card);
    }
    for (int i = street + 1; i < spec.streets; ++i) {
        if (spec.street[i].board != 1 || spec.street[i].hole != 0) {
            throw GameError("after its root a spot deals one card a street, to the board");
        }
    }
    const bool later = spec.streets > street + 1;
    const auto is_chance = [](const TreeNode& node) { return node.kind == NodeKind::kChance; };
    if (later && std::ranges::none_of(tree.nodes(), is_chance)) {
        throw GameError("the tree of a spot has chance nodes: build it with chance=True");
    }
    if (holdem && (spec.board_cards < 3 || spec.board_cards > 5)) {
        throw GameError("a spot ends on a board of 3 to 5 cards");
    }
}

SpotForecast forecast_spot(const Tree& tree, const std::vector<Card>& board, const Weights& weights,
                           const SpotOptions& options) {
    check_spot(tree, board);
    // Starting threads pays off if two cards are to come.
    const bool many = tree.streets()[0] + 2 < tree.spec().streets;
    Pool pool(many ? options.threads : 1, Pool::kRestless);
    Boards boards(tree.spec(), tree.streets()[0], board, weights, options.isomorphism, pool);
    const auto sizes = place_boards(boards, count_table_rows(tree));
    const auto room = row_room(boards);
    const Programs programs = compile_programs(tree, room);
    SpotForecast forecast;
    forecast.tables = Tables::bytes(sizes, options.tables);
    forecast.scratch = scratch_bytes(programs, room, true) +
                       scratch_bytes(programs, room, false) * (options.threads - 1);
    forecast.num_boards = boards.all().size();
    std::vector<std::uint64_t> decisions(tree.spec().streets, 0);
    for (const TreeGroup& group : tree.groups()) decisions[group.street] += group.num_decisions;
    for (const Board& each : boards.all()) {
        forecast.boards += board_bytes(each);
        forecast.num_nodes += decisions[each.street];
    }
    return forecast;
}

SpotEngine::SpotEngine(std::shared_ptr<const Tree> tree, std::vector<Card> board, Weights weights,
                       const SpotOptions& options, std::optional<GadgetOptions> gadget)
    : tree_((check_spot(*tree, board), std::move(tree))),
      options_(options),
      weights_(std::move(weights)),
      pool_(options.threads, Pool::kRestless),
      boards_(tree_->spec(), tree_->streets()[0], std::move(board), weights_, options.isomorphism,
              pool_),
      room_(row_room(boards_)),
      programs_(compile_programs(*tree_, room_)),
      tables_(place_boards(boards_, count_table_rows(*tree_)), options.tables) {
    for (int i = 0; i < pool_.num_threads(); ++i) {
        stacks_.emplace_back(scratch_bytes(programs_, room_, i == 0));
    }
    if (options.prefault) {
        tables_.touch(pool_);
        for (const Stack& stack : stacks_) stack.touch(pool_);
    }
    start();
    if (!gadget) return;
    const double pot = static_cast<double>(tree_->contributions()[0] + tree_->contributions()[1]);
    gadget_.emplace(std::move(*gadget), boards_[0], weights_, pot, largest_payoff_);
}

void SpotEngine::start() {
    const Board& root = boards_[0];
    for (int player = 0; player < 2; ++player) {
        Start& start = start_[player];
        start.reach = root_reach(root, weights_, player);
        start.short_reach.assign(start.reach.begin(), start.reach.end());
        const auto met = hands_met(root, player, root_reach(root, weights_, 1 - player));
        for (std::size_t i = 0; i < met.size(); ++i) start.deals += start.reach[i] * met[i];
    }
    constant_sum_ = find_constant_sum(*tree_);
    for (const auto payoff : tree_->payoffs()) {
        largest_payoff_ = std::max(largest_payoff_, std::abs(static_cast<double>(payoff)));
    }
}

void SpotEngine::run(FactorStream& factors, std::int64_t iterations) {
    for (std::int64_t done = 0; done < iterations; ++done) {
        const Factors now = factors.next();
        for (int player = 0; player < 2; ++player) train(player, now);
    }
}

void SpotEngine::train(int player, const Factors& factors) {
    const Board& root = boards_[0];
    std::span<const float> reach = start_[1 - player].short_reach;
    std::span<float> values;
    if (gadget_ && gadget_->player() == player) values = gadget_->entered();
    if (gadget_ && gadget_->player() != player) reach = gadget_->play(factors);
    const NodeFinder nodes = this->nodes();
    if (options_.tables == TableKind::kShort) {
        const TrainShort policy{nodes, player, factors};
        Walk<TrainShort>(boards_, workshop(), policy, player)
            .run(programs_.fast, root, reach, values);
    } else {
        const Train policy{nodes, player, options_.own_reach, factors};
        Walk<Train>(boards_, workshop(), policy, player).run(programs_.fast, root, reach, values);
    }
    if (!values.empty()) gadget_->learn(factors);
}

std::vector<Check> SpotEngine::run_checked(FactorStream& factors, std::int64_t iterations,
                                           std::int64_t begin, CheckPlan& plan) {
    std::vector<Check> checks;
    const std::int64_t end = begin + iterations;
    for (std::int64_t now = begin;;) {
        if (now >= plan.following()) {
            checks.push_back(check_near(now, plan.target()));
            if (checks.back().exact && checks.back().exploitability <= plan.target()) break;
            plan.add(checks.back());
        }
        if (now == end) break;
        const std::int64_t next = std::min(end, plan.following());
        run(factors, next - now);
        now = next;
    }
    return checks;
}

// Single precision is enough far from the target; near it, double precision decides.
Check SpotEngine::check_near(std::int64_t iteration, double target) {
    const Check fast = check<float>(iteration);
    const bool far = fast.exploitability > target + kFastError * largest_payoff_;
    return far ? fast : check<double>(iteration);
}

template <typename Real>
Check SpotEngine::check(std::int64_t iteration) {
    Check found{iteration, {}, 0, std::is_same_v<Real, double>};
    double both = constant_sum_.value_or(0);
    for (int player = 0; player < 2; ++player) {
        found.best[player] = walk_root<Real>(player, Own::kBest);
        if (!constant_sum_) both += walk_root<Real>(player, Own::kAverage);
    }
    found.exploitability = (found.best[0] + found.best[1] - both) / 2;
    return found;
}

std::vector<double> SpotEngine::root_reach_of(int player) const {
    return gadget_ && gadget_->player() == player ? gadget_->mean_reach() : start_[player].reach;
}

// Values of a player's hands, times the opponent's reach.
template <typename Real>
std::vector<Real> SpotEngine::root_values(int player, Own own) {
    const MeasureIn<Real> policy{nodes(), player, own};
    std::vector<Real> values(start_[player].reach.size()), entered;
    std::span<const Real> reach = start_[1 - player].reach_in<Real>();
    if (gadget_ && gadget_->player() != player) {
        const std::vector<double> mean = gadget_->mean_reach();
        entered.assign(mean.begin(), mean.end());
        reach = entered;
    }
    Walk<MeasureIn<Real>>(boards_, workshop(), policy, player)
        .run(programs_.in<Real>(), boards_[0], reach, values);
    return values;
}

template <typename Real>
double SpotEngine::walk_root(int player, Own own) {
    const std::vector<Real> values = root_values<Real>(player, own);
    return chips(player, own, std::vector<double>(values.begin(), values.end()));
}

double SpotEngine::chips(int player, Own own, std::span<const double> values) {
    const Start& mine = start_[player];
    if (gadget_ && gadget_->player() == player) {
        if (own == Own::kAdoptBest) gadget_->adopt_best(values);
        return gadget_->value(values, own != Own::kAverage);
    }
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += mine.reach[i] * values[i];
    return gadget_ ? gadget_->other_value(sum) : sum / mine.deals;
}

RowLimits SpotEngine::row_limits() const { return limits_of<double>(room_); }

Workshop SpotEngine::workshop(const Segment& program) {
    for (std::size_t i = 0; i < stacks_.size(); ++i) {
        const std::size_t needed = stack_bytes<double>(program, room_, true, i == 0);
        if (stacks_[i].size() < needed) stacks_[i] = Stack(needed);
    }
    return workshop();
}

double SpotEngine::best_response(int player, bool adopt) {
    return walk_root<double>(player, adopt ? Own::kAdoptBest : Own::kBest);
}

double SpotEngine::value(int player) { return walk_root<double>(player, Own::kAverage); }

template std::vector<double> SpotEngine::root_values(int, Own);

}  // namespace riverboat::spots
