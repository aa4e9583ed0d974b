#include "spots/engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "spots/policies.hpp"
#include "spots/queries.hpp"
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

RowLimits row_limits(std::span<const std::uint32_t> room) {
    RowLimits limits;
    for (const std::uint32_t row : room) {
        limits.push_back(static_cast<std::int32_t>(kSegmentBytes / (sizeof(float) * row + 1)));
    }
    return limits;
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

// What both win together, where that is the same at every end.
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
    Boards boards(tree.spec(), tree.streets()[0], board, weights, options.isomorphism);
    const auto sizes = place_boards(boards, count_table_rows(tree));
    const auto room = row_room(boards);
    const Segment program = compile_program(tree, 0, row_limits(room));
    SpotForecast forecast;
    forecast.tables = Tables::bytes(sizes, options.tables);
    forecast.scratch = stack_bytes<double>(program, room, true) * options.threads;
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
                       const SpotOptions& options)
    : tree_((check_spot(*tree, board), std::move(tree))),
      options_(options),
      weights_(std::move(weights)),
      boards_(tree_->spec(), tree_->streets()[0], std::move(board), weights_, options.isomorphism),
      room_(row_room(boards_)),
      limits_(row_limits(room_)),
      program_(compile_program(*tree_, 0, limits_)),
      pool_(options.threads),
      tables_(place_boards(boards_, count_table_rows(*tree_)), options.tables, pool_) {
    const std::size_t bytes = stack_bytes<double>(program_, room_, true);
    for (int i = 0; i < pool_.num_threads(); ++i) stacks_.emplace_back(bytes).touch(pool_);
    start();
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
}

void SpotEngine::run(std::span<const Factors> iterations) {
    for (const Factors& factors : iterations) {
        for (int player = 0; player < 2; ++player) train(player, factors);
    }
}

void SpotEngine::train(int player, const Factors& factors) {
    const Board& root = boards_[0];
    const std::span<const float> reach = start_[1 - player].short_reach;
    const NodeFinder nodes{boards_, tables_, locks_};
    if (options_.tables == TableKind::kShort) {
        const TrainShort policy{nodes, player, factors};
        Walk<TrainShort>(boards_, {pool_, stacks_}, policy, player).run(program_, root, reach, {});
    } else {
        const Train policy{nodes, player, options_.own_reach, factors};
        Walk<Train>(boards_, {pool_, stacks_}, policy, player).run(program_, root, reach, {});
    }
}

double SpotEngine::walk_root(int player, bool best, bool adopt) {
    const Board& root = boards_[0];
    const Own own = adopt ? Own::kAdoptBest : best ? Own::kBest : Own::kAverage;
    const Measure policy{{boards_, tables_, locks_}, player, own};
    const Start& mine = start_[player];
    std::vector<double> values(mine.reach.size());
    Walk<Measure>(boards_, {pool_, stacks_}, policy, player)
        .run(program_, root, start_[1 - player].reach, values);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += mine.reach[i] * values[i];
    return sum / mine.deals;
}

NodeRows SpotEngine::node_rows(int player) const {
    NodeRows rows;
    std::vector<std::int32_t> counts(tree_->spec().streets, 0);
    for (const auto street : tree_->streets()) rows.row.push_back(counts[street]++);
    rows.begin.push_back(0);
    for (const Board& board : boards_.all()) {
        if (board.street == boards_.last_street()) break;
        rows.begin.push_back(rows.begin.back() + static_cast<std::uint64_t>(counts[board.street]) *
                                                     board.hands[player].count);
    }
    return rows;
}

std::uint64_t SpotEngine::recorded_size(int player) const { return node_rows(player).begin.back(); }

void SpotEngine::record_values(int player, double* out) {
    NodeRows rows = node_rows(player);
    rows.begin.pop_back();
    const Board& root = boards_[0];
    const Record policy{{{boards_, tables_, locks_}, player, Own::kAverage}, *tree_, rows, out};
    const std::vector<double>& other = start_[1 - player].reach;
    std::vector<double> values(root.hands[player].count);
    Walk<Record>(boards_, {pool_, stacks_}, policy, player).run(program_, root, other, values);
}

double SpotEngine::best_response(int player, bool adopt) { return walk_root(player, true, adopt); }

double SpotEngine::value(int player) { return walk_root(player, false, false); }

}  // namespace riverboat::spots
