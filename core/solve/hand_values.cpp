#include "solve/hand_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cards/evaluator.hpp"
#include "cards/ranking.hpp"
#include "util/errors.hpp"

namespace riverboat {
namespace {

constexpr std::size_t kMostTableBytes = std::size_t{1} << 27;

}  // namespace

HandBoard::HandBoard(std::span<const Card> dealt, const std::int64_t* given, bool complete)
    : buckets(kNumHoles) {
    for (const Card card : dealt) cards |= card_bit(card);
    for (int hole = 0; hole < kNumHoles; ++hole) {
        if (!alive(hole)) continue;
        if (given[hole] < 0) throw GameError("buckets are counted from 0");
        buckets[hole] = static_cast<std::uint32_t>(given[hole]);
        largest = std::max(largest, buckets[hole]);
    }
    if (!complete) return;
    const Evaluator& evaluator = Evaluator::standard();
    HandSum sum = Evaluator::empty(2 + static_cast<int>(dealt.size()));
    for (const Card card : dealt) sum += evaluator.card(card);
    std::vector<RankedHole> hands;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        if (!alive(hole)) continue;
        hands.push_back(
            {evaluator.strength(sum + evaluator.hole(hole)), static_cast<std::uint16_t>(hole)});
    }
    std::vector<RankedHole> scratch(hands.size());
    sort_by_strength(hands, scratch);
    for (std::size_t h = 0; h < hands.size(); ++h) {
        ranked.push_back(hands[h].hole);
        holes.push_back(kHoles[hands[h].hole]);
        if (h > 0 && hands[h].strength != hands[h - 1].strength) ends.push_back(h);
    }
    ends.push_back(hands.size());
}

HandValues::HandValues(const Tree& tree, TableOf table_of, int player, bool best)
    : VectorWalk(tree, kNumHoles, false, kMaxStreets + 2),
      table_of_(std::move(table_of)),
      player_(player),
      best_(best),
      ordered_(kNumHoles),
      scratch_(kNumHoles),
      paid_(kNumHoles) {}

void HandValues::deal(int first_street, std::vector<HandStreet> streets) {
    first_street_ = first_street;
    streets_ = std::move(streets);
}

void HandValues::values(std::int32_t node, const double* reach, double* out) {
    for (runout_ = 0; runout_ < rows(); ++runout_) {
        random_ = Random(lines_.seed, num_walks_++);
        board_ = &streets_[0].boards[0];
        likely_ = next_likely_ = 1;
        total_ = next_total_ = sum_of(reach);
        walk(node, {reach}, {out + runout_ * kNumHoles});
    }
}

void HandValues::action_values(std::int32_t node, const double* reach, double* out) {
    const TreeNode& decision = tree().nodes()[node];
    for (runout_ = 0; runout_ < rows(); ++runout_) {
        random_ = Random(lines_.seed, num_walks_++);
        for (int a = 0; a < decision.num_actions; ++a) {
            board_ = &streets_[0].boards[0];
            likely_ = next_likely_ = 1;
            total_ = next_total_ = sum_of(reach);
            descend(decision, decision.first_child + a, {reach},
                    {out + (a * rows() + runout_) * kNumHoles});
        }
    }
}

std::shared_ptr<const StrategyTable> HandValues::table(std::int32_t node) {
    const auto known = tables_.find(node);
    if (known != tables_.end()) return known->second;
    const std::size_t actions = tree().nodes()[node].num_actions;
    auto found = std::make_shared<StrategyTable>(table_of_(node));
    for (std::size_t a = 0; a < actions; ++a) {
        const double* row = found->rows + a * found->buckets;
        const double squares = std::inner_product(row, row + found->buckets, row, 0.0);
        found->norms.push_back(std::sqrt(squares / static_cast<double>(found->buckets)));
    }
    table_bytes_ += actions * found->buckets * sizeof(double);
    if (table_bytes_ > kMostTableBytes) {
        tables_.clear();
        table_bytes_ = 0;
    }
    return tables_[node] = std::move(found);
}

HandValues::Rows HandValues::strategy(const TreeNode& node, Stack&) {
    auto found = table(static_cast<std::int32_t>(&node - tree().nodes().data()));
    if (board().largest >= found->buckets) {
        throw GameError("a hand has bucket " + std::to_string(board().largest) +
                        ", but a decision has " + std::to_string(found->buckets) + " buckets");
    }
    return {{found->rows, found->buckets, board().buckets.data()}, found};
}

// Four independent sums run in parallel in the CPU.
double HandValues::sum_of(const double* reach) {
    double sums[4] = {};
    for (int h = 0; h + 4 <= kNumHoles; h += 4) {
        for (int k = 0; k < 4; ++k) sums[k] += reach[h + k];
    }
    for (int h = kNumHoles / 4 * 4; h < kNumHoles; ++h) sums[0] += reach[h];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The weight of a line with a reach of `likely`; 0 if it is not walked.
double HandValues::follow(double likely) {
    double weight = likely > 0 ? 1 : 0;
    if (lines_.equities && likely > 0 && likely < lines_.floor) {
        const double chance = likely / lines_.floor;
        weight = random_.uniform() < chance ? 1 / chance : 0;
    }
    next_likely_ = likely * weight;
    return weight;
}

// A best response: every hand takes its best action.
void HandValues::finish(const TreeNode& node, const Rows&, const Reach&, const Values& values,
                        const Values& out) const {
    std::copy_n(values[0], kNumHoles, out[0]);
    for (int a = 1; a < node.num_actions; ++a) {
        const double* value = values[0] + a * size();
        for (int h = 0; h < kNumHoles; ++h) out[0][h] = std::max(out[0][h], value[h]);
    }
}

// Walks on after an action, on the next board where cards are dealt.
void HandValues::descend(const TreeNode& node, std::int32_t child, const Reach& reach,
                         const Values& out) {
    const double likely = likely_, total = total_;
    const HandBoard* const before = board_;
    likely_ = next_likely_;
    const int from = tree().groups()[node.group].street, to = street_of(child);
    if (from == to) {
        total_ = next_total_;
        walk(child, reach, out);
    } else if (lines_.equities && from == first_street_ && is_even(tree().nodes()[child])) {
        all_in(child, reach[0], out[0]);
    } else if (best_) {
        mean_over_boards(to, child, reach[0], out[0]);
    } else {
        enter(to, to == first_street_ ? 0 : runout_, child, reach[0], out[0]);
        double factor = 1;
        for (int s = from + 1; s <= to; ++s) factor *= street(s).factor;
        for (int h = 0; h < kNumHoles; ++h) out[0][h] *= factor;
    }
    likely_ = likely;
    total_ = total;
    board_ = before;
}

// Walks a node on a board of a later street.
void HandValues::enter(int to, std::size_t number, std::int32_t child, const double* reach,
                       double* out) {
    board_ = &street(to).boards[number];
    const Stack::Mark mark(stack());
    double* alive = stack().take(kNumHoles);
    for (int h = 0; h < kNumHoles; ++h) alive[h] = board().alive(h) ? reach[h] : 0;
    total_ = sum_of(alive);
    walk(child, {alive}, {out});
}

// At most one card is to come: all boards of its street follow this one.
void HandValues::mean_over_boards(int to, std::int32_t child, const double* reach, double* out) {
    const HandStreet& next = street(to);
    const Stack::Mark mark(stack());
    double *value = stack().take(kNumHoles), *counts = stack().take(kNumHoles);
    std::fill_n(counts, kNumHoles, 0.0);
    std::fill_n(out, kNumHoles, 0.0);
    for (std::size_t i = 0; i < next.boards.size(); ++i) {
        enter(to, i, child, reach, value);
        for (int h = 0; h < kNumHoles; ++h) {
            if (!next.boards[i].alive(h)) continue;
            out[h] += value[h];
            counts[h] += 1;
        }
    }
    for (int h = 0; h < kNumHoles; ++h) out[h] *= next.factor / std::max(counts[h], 1.0);
}

ShowdownPayoffs HandValues::payoffs(const TreeNode& node) const {
    const float* paid = &tree().payoffs()[node.payoffs];
    const double first = paid[player_], tie = paid[2 + player_], second = paid[4 + player_];
    return player_ == 0 ? ShowdownPayoffs{first, tie, second} : ShowdownPayoffs{second, tie, first};
}

// Whether a node is a showdown where a tie is half a win, so that equities suffice.
bool HandValues::is_even(const TreeNode& node) const {
    if (node.kind != NodeKind::kShowdown) return false;
    const auto [win, tie, lose] = payoffs(node);
    return 2 * tie == win + lose;
}

// The value of an all-in over all runouts, which is the same in every walk.
void HandValues::all_in(std::int32_t index, const double* reach, double* out) {
    std::vector<double>& known = all_ins_[index];
    if (known.empty()) {
        const auto [win, tie, lose] = payoffs(tree().nodes()[index]);
        known.resize(kNumHoles);
        sum_met<double>(kHoles, reach, lose, known.data());
        const double* equities = lines_.equities();
        for (int h = 0; h < kNumHoles; ++h) {
            known[h] += (win - lose) *
                        std::inner_product(reach, reach + kNumHoles, equities + h * kNumHoles, 0.0);
        }
    }
    std::copy(known.begin(), known.end(), out);
}

void HandValues::pay(std::int32_t index, const Reach& reach, const Values& out) {
    const TreeNode& node = tree().nodes()[index];
    if (node.kind == NodeKind::kFold) {
        const double payoff = tree().payoffs()[node.payoffs + player_];
        return sum_met<double>(kHoles, reach[0], payoff, out[0]);
    }
    const std::vector<std::uint16_t>& ranked = board().ranked;
    for (std::size_t i = 0; i < ranked.size(); ++i) ordered_[i] = reach[0][ranked[i]];
    sum_showdown<double>(board().holes, board().ends, ordered_.data(), payoffs(node), 1,
                         scratch_.data(), paid_.data());
    std::fill_n(out[0], kNumHoles, 0.0);
    for (std::size_t i = 0; i < ranked.size(); ++i) out[0][ranked[i]] = paid_[i];
}

}  // namespace riverboat
