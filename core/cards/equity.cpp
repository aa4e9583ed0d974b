#include "cards/equity.hpp"

#include <cmath>
#include <string>

#include "cards/ranking.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat {
namespace {

struct Held {
    SuitMasks masks;
    HandSum sum;
    double weight;
    std::uint16_t hole;
};

std::vector<Held> held_hands(Weights weights, SuitMasks dead) {
    std::vector<Held> hands;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        const SuitMasks masks = suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
        if (weights[hole] > 0 && !(masks & dead)) {
            hands.push_back({masks, Evaluator::standard().hole(hole), weights[hole],
                             static_cast<std::uint16_t>(hole)});
        }
    }
    return hands;
}

struct HeadsUp {
    double win = 0, tie = 0, lose = 0;
};

// For few hands of the first player: compares each with every hand of the second.
HeadsUp compare_each(const Table& table, const std::vector<Held>& first,
                     const std::vector<Held>& second, int begin, int end) {
    const Evaluator& evaluator = Evaluator::standard();
    HeadsUp totals;
    for (const Held& own : first) {
        std::vector<Held> others;
        for (const Held& other : second) {
            if (!(other.masks & own.masks)) others.push_back(other);
        }
        for_each_run_out(table, begin, end, [&](const RunOut& run_out) {
            if (run_out.masks & own.masks) return;
            const int strength = evaluator.strength(run_out.sum + own.sum);
            double less = 0, equal = 0, all = 0;
            for (const Held& other : others) {
                if (other.masks & run_out.masks) continue;
                const int against = evaluator.strength(run_out.sum + other.sum);
                all += other.weight;
                less += against < strength ? other.weight : 0;
                equal += against == strength ? other.weight : 0;
            }
            const double weight = run_out.weight * own.weight;
            totals.win += weight * less;
            totals.tie += weight * equal;
            totals.lose += weight * (all - less - equal);
        });
    }
    return totals;
}

// Weight of a set of hands, in total and by card, so that the hands which share
// a card with a given hole pair can be subtracted.
struct WeightByCard {
    double all = 0;
    std::array<double, kNumCards> with{};

    void add(int hole, double weight) {
        all += weight;
        with[kHoles[hole].low] += weight;
        with[kHoles[hole].high] += weight;
    }
    // Weight of the hands that share no card with the hole pair, which itself has weight `own`
    // here.
    double apart_from(int hole, double own) const {
        return all - with[kHoles[hole].low] - with[kHoles[hole].high] + own;
    }
};

// For wide ranges: one pass over all hands in the order of strength, on each runout.
HeadsUp sweep(const Table& table, Weights first, Weights second, int begin, int end) {
    std::vector<double> either(kNumHoles);
    for (int hole = 0; hole < kNumHoles; ++hole) either[hole] = first[hole] + second[hole];
    const auto hands = held_hands(either, table.dead);
    const Evaluator& evaluator = Evaluator::standard();
    std::vector<RankedHole> ranked, scratch;
    HeadsUp totals;
    for_each_run_out(table, begin, end, [&](const RunOut& run_out) {
        ranked.clear();
        WeightByCard all, weaker;
        for (const Held& hand : hands) {
            if (hand.masks & run_out.masks) continue;
            ranked.push_back({evaluator.strength(run_out.sum + hand.sum), hand.hole});
            if (second[hand.hole] > 0) all.add(hand.hole, second[hand.hole]);
        }
        scratch.resize(ranked.size());
        sort_by_strength(ranked, scratch);
        for (auto from = ranked.begin(); from != ranked.end();) {
            const auto to = std::find_if(from, ranked.end(), [&](const RankedHole& hand) {
                return hand.strength != from->strength;
            });
            WeightByCard up_to = weaker;
            for (auto hand = from; hand != to; ++hand) up_to.add(hand->hole, second[hand->hole]);
            for (auto hand = from; hand != to; ++hand) {
                const double weight = run_out.weight * first[hand->hole];
                if (weight == 0) continue;
                const double own = second[hand->hole];
                const double less = weaker.apart_from(hand->hole, 0);
                const double not_more = up_to.apart_from(hand->hole, own);
                totals.win += weight * less;
                totals.tie += weight * (not_more - less);
                totals.lose += weight * (all.apart_from(hand->hole, own) - not_more);
            }
            weaker = up_to;
            from = to;
        }
    });
    // A difference of sums may be negative by a rounding error where it should be 0.
    return {std::max(0.0, totals.win), std::max(0.0, totals.tie), std::max(0.0, totals.lose)};
}

// Any number of players: all joint holdings, each over all runouts.
class Enumeration {
  public:
    Enumeration(const Table& table, std::span<const Weights> players, int begin, int end)
        : table_(table),
          begin_(begin),
          end_(end),
          sums_(players.size()),
          held_(players.size()),
          strengths_(players.size()) {
        for (const Weights weights : players) hands_.push_back(held_hands(weights, table.dead));
        choose(0, 0, 1.0);
    }
    EquitySums sums() && { return std::move(sums_); }

  private:
    void choose(std::size_t player, SuitMasks taken, double weight) {
        if (player == hands_.size()) return run_out(taken, weight);
        for (const Held& hand : hands_[player]) {
            if (hand.masks & taken) continue;
            if (table_.stopped->load(std::memory_order_relaxed)) return;
            held_[player] = &hand;
            choose(player + 1, taken | hand.masks, weight * hand.weight);
        }
    }

    void run_out(SuitMasks taken, double weight) {
        const Evaluator& evaluator = Evaluator::standard();
        for_each_run_out(table_, begin_, end_, [&](const RunOut& run_out) {
            if (run_out.masks & taken) return;
            int best = -1, winners = 0;
            for (std::size_t i = 0; i < held_.size(); ++i) {
                strengths_[i] = evaluator.strength(run_out.sum + held_[i]->sum);
                if (strengths_[i] > best) best = strengths_[i], winners = 0;
                winners += strengths_[i] == best;
            }
            const double deal = weight * run_out.weight;
            sums_.total += deal;
            for (std::size_t i = 0; i < held_.size(); ++i) {
                if (strengths_[i] != best) continue;
                (winners == 1 ? sums_.win : sums_.tie)[i] += deal;
                sums_.share[i] += deal / winners;
                sums_.share_squared[i] += deal / (winners * winners);
            }
        });
    }

    const Table& table_;
    int begin_, end_;
    EquitySums sums_;
    std::vector<std::vector<Held>> hands_;
    std::vector<const Held*> held_;
    std::vector<int> strengths_;
};

EquitySums sums_of(const HeadsUp& totals) {
    EquitySums sums(2);
    sums.total = totals.win + totals.tie + totals.lose;
    sums.win = {totals.win, totals.lose};
    sums.tie = {totals.tie, totals.tie};
    for (int i = 0; i < 2; ++i) {
        sums.share[i] = sums.win[i] + totals.tie / 2;
        sums.share_squared[i] = sums.win[i] + totals.tie / 4;
    }
    return sums;
}

double choose(int n, int k) {
    double result = 1;
    for (int i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return std::round(result);
}

// Below this many hands of one player, comparing all pairs of hands is faster.
constexpr std::size_t kFewHands = 4;
constexpr double kSweepWorkPerHand = 12, kSweepWorkPerRunOut = 200, kWorkPerLook = 4;

bool unchanged(Weights weights, int permutation) {
    const auto& moved = hole_permutations()[permutation];
    for (int hole = 0; hole < kNumHoles; ++hole) {
        if (weights[hole] != weights[moved[hole]]) return false;
    }
    return true;
}

std::string player_text(std::size_t player) { return "player " + std::to_string(player + 1); }

// Refuses players without a possible deal, as far as simple checks show: an empty or blocked range,
// too few cards, two players whose only hands share a card.
void check_players(const Table& table, std::span<const Weights> players) {
    const int left = kNumCards - std::popcount(table.dead);
    const int needed = static_cast<int>(2 * players.size()) + table.missing();
    if (left < needed) {
        throw CardError("too few cards are left: players and board need " + std::to_string(needed) +
                        ", and the deck has " + std::to_string(left));
    }
    std::array<int, kNumCards> owner{};  // players (from 1) with one hand, by card of that hand
    for (std::size_t player = 0; player < players.size(); ++player) {
        const Weights weights = players[player];
        if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) {
            throw CardError("the range of " + player_text(player) + " is empty");
        }
        const auto hands = held_hands(weights, table.dead);
        if (hands.empty()) {
            throw CardError(player_text(player) +
                            " has no hand left: board and dead cards block the whole range");
        }
        if (hands.size() > 1) continue;
        for (const int card : {kHoles[hands[0].hole].low, kHoles[hands[0].hole].high}) {
            if (owner[card] != 0) {
                throw CardError("players " + std::to_string(owner[card]) + " and " +
                                std::to_string(player + 1) + " both hold the card " +
                                card_text(card));
            }
            owner[card] = static_cast<int>(player) + 1;
        }
    }
}

}  // namespace

Table make_table(std::span<const Card> board, std::span<const Card> dead,
                 std::span<const Weights> players) {
    if (board.size() > 5 || board.size() == 1 || board.size() == 2) {
        throw CardError("a board has 0, 3, 4 or 5 cards, not " + std::to_string(board.size()));
    }
    Table table;
    for (const auto cards : {board, dead}) {
        for (const Card card : cards) {
            if (table.dead & suit_masks_of(card)) {
                throw CardError("the card " + card_text(card) +
                                " appears twice among board and dead cards");
            }
            table.dead |= suit_masks_of(card);
        }
    }
    table.board.assign(board.begin(), board.end());
    for (const Card card : board) table.sum += Evaluator::standard().card(card);
    SuitMasks only_board = suit_masks_of(board.data(), static_cast<int>(board.size()));
    for (int p = 1; p < kNumSuitPermutations; ++p) {
        if (permute(only_board, p) == only_board && permute(table.dead, p) == table.dead &&
            std::all_of(players.begin(), players.end(),
                        [&](Weights weights) { return unchanged(weights, p); })) {
            table.symmetries.push_back(p);
        }
    }
    check_players(table, players);
    return table;
}

double exact_work(const Table& table, std::span<const Weights> players) {
    const int left = kNumCards - std::popcount(table.dead);
    const double visits = choose(left, table.missing());
    const double run_outs = visits / (table.symmetries.size() + 1.0);
    std::vector<double> sizes;
    double joint = 1;
    for (const Weights weights : players) {
        sizes.push_back(static_cast<double>(held_hands(weights, table.dead).size()));
        joint *= sizes.back();
    }
    if (players.size() != 2) {
        // With symmetries each holding also evaluates the runouts that others represent.
        const double looks = table.symmetries.empty() ? 0 : kWorkPerLook * visits;
        return joint * (run_outs * static_cast<double>(players.size()) + looks);
    }
    if (std::min(sizes[0], sizes[1]) < kFewHands) return run_outs * joint;
    return run_outs * (kSweepWorkPerRunOut + kSweepWorkPerHand * std::max(sizes[0], sizes[1]));
}

EquitySums exact_equity(const Table& table, std::span<const Weights> players, int begin, int end) {
    if (players.size() != 2) return Enumeration(table, players, begin, end).sums();
    const auto first = held_hands(players[0], table.dead);
    const auto second = held_hands(players[1], table.dead);
    if (first.size() < kFewHands) return sums_of(compare_each(table, first, second, begin, end));
    if (second.size() < kFewHands) {
        const HeadsUp turned = compare_each(table, second, first, begin, end);
        return sums_of({turned.lose, turned.tie, turned.win});
    }
    return sums_of(sweep(table, players[0], players[1], begin, end));
}

}  // namespace riverboat
