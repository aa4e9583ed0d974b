#include "spots/check_down.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "cards/evaluator.hpp"
#include "spots/vectors.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

using Both = Pack<double, 2>;  // a number for each player

struct Hand {
    std::uint64_t cards;
    std::uint8_t low, high;
    std::uint16_t hole;
    Both reach;
    Both won;  // winnings of a player with this hand, at the opponent's index
};

// A possible hand on a full board.
struct Ranked {
    std::uint16_t strength, hand;
};

// Reaches of the hands swept so far, in total and by card.
struct Met {
    Both all{};
    Both with[kNumCards] = {};

    void add(const Hand& hand) {
        all += hand.reach;
        with[hand.low] += hand.reach;
        with[hand.high] += hand.reach;
    }
    // Reach of the hands that a hand can meet. If the hand itself was added, its reach is
    // subtracted once too often.
    Both without(const Hand& hand) const { return all - with[hand.low] - with[hand.high]; }
};

class CheckDown {
  public:
    CheckDown(const GameSpec& spec, std::uint64_t board, const double* reach)
        : evaluator_(spec.showdown == Showdown::kShortDeck ? Evaluator::short_deck()
                                                           : Evaluator::standard()),
          deck_(spec.deck),
          full_(spec.board_cards) {
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const std::uint64_t cards = kHoles[hole].mask();
            const Both both{reach[hole], reach[kNumHoles + hole]};
            const bool held = both[0] > 0 || both[1] > 0;
            if (!held || (cards & board) != 0 || (cards & deck_) != cards) continue;
            hands_.push_back({cards, kHoles[hole].low, kHoles[hole].high,
                              static_cast<std::uint16_t>(hole), both, Both{}});
        }
        ranked_.reserve(hands_.size());
        sorted_.resize(hands_.size());
    }

    // All ways to deal the rest; cards come in ascending order, so that each is dealt once.
    void deal(std::uint64_t board, int from) {
        if (std::popcount(board) == full_) return show_down(board);
        for (int card = from; card < kNumCards; ++card) {
            const std::uint64_t bit = card_bit(card);
            if ((deck_ & bit) != 0 && (board & bit) == 0) deal(board | bit, card + 1);
        }
    }

    void store(double run_outs, double* out) const {
        Met all;
        for (const Hand& hand : hands_) all.add(hand);
        std::fill_n(out, 2 * kNumHoles, std::numeric_limits<double>::quiet_NaN());
        for (const Hand& hand : hands_) {
            const Both met = all.without(hand) + hand.reach;
            for (int player = 0; player < 2; ++player) {
                const int other = 1 - player;
                const bool there = hand.reach[player] > 0 && met[other] > 1e-12 * all.all[other];
                if (!there) continue;
                out[player * kNumHoles + hand.hole] = hand.won[other] / (met[other] * run_outs);
            }
        }
    }

  private:
    void show_down(std::uint64_t board) {
        rank(board);
        Met met;
        for (auto begin = ranked_.begin(); begin != ranked_.end();) {
            const auto end = std::find_if(begin, ranked_.end(), [begin](const Ranked& each) {
                return each.strength != begin->strength;
            });
            for (auto at = begin; at != end; ++at) {
                hands_[at->hand].won += 0.5 * met.without(hands_[at->hand]);
            }
            for (auto at = begin; at != end; ++at) met.add(hands_[at->hand]);
            for (auto at = begin; at != end; ++at) {
                Hand& hand = hands_[at->hand];
                hand.won += 0.5 * (met.without(hand) + hand.reach);
            }
            begin = end;
        }
    }

    void rank(std::uint64_t board) {
        HandSum sum = Evaluator::empty(2 + full_);
        for (std::uint64_t left = board; left != 0; left &= left - 1) {
            sum += evaluator_.card(std::countr_zero(left));
        }
        ranked_.clear();
        for (std::size_t i = 0; i < hands_.size(); ++i) {
            if ((hands_[i].cards & board) != 0) continue;
            const std::uint16_t strength =
                evaluator_.strength(sum + evaluator_.hole(hands_[i].hole));
            ranked_.push_back({strength, static_cast<std::uint16_t>(i)});
        }
        sort_by_digit(0);
        sort_by_digit(kDigit);
    }

    // Strengths have two digits of seven bits.
    static constexpr int kDigit = 7;

    void sort_by_digit(int shift) {
        constexpr int kValues = 1 << kDigit;
        const auto digit = [shift](const Ranked& each) {
            return (each.strength >> shift) & (kValues - 1);
        };
        std::array<std::uint32_t, kValues + 1> begins{};
        for (const Ranked& each : ranked_) ++begins[digit(each) + 1];
        for (int value = 0; value < kValues; ++value) begins[value + 1] += begins[value];
        for (const Ranked& each : ranked_) sorted_[begins[digit(each)]++] = each;
        std::copy_n(sorted_.begin(), ranked_.size(), ranked_.begin());
    }

    const Evaluator& evaluator_;
    std::uint64_t deck_;
    int full_;
    std::vector<Hand> hands_;
    std::vector<Ranked> ranked_, sorted_;
};

// Ways to deal the rest of a board when both hands are known.
double count_run_outs(const GameSpec& spec, int dealt) {
    double ways = 1;
    const int left = std::popcount(spec.deck) - dealt - 4, cards = spec.board_cards - dealt;
    for (int i = 0; i < cards; ++i) ways *= static_cast<double>(left - i) / (i + 1);
    return ways;
}

}  // namespace

void check_down(const GameSpec& spec, std::span<const Card> board, const double* reach,
                double* out) {
    const int dealt = static_cast<int>(board.size());
    std::uint64_t cards = 0;
    for (const Card card : board) cards |= card < kNumCards ? card_bit(card) : 0;
    if (dealt < 3 || dealt > spec.board_cards || std::popcount(cards) != dealt ||
        (cards & spec.deck) != cards) {
        throw GameError("a board has 3 to " + std::to_string(spec.board_cards) +
                        " different cards of the deck");
    }
    CheckDown checked(spec, cards, reach);
    checked.deal(cards, 0);
    checked.store(count_run_outs(spec, dealt), out);
}

}  // namespace riverboat::spots
