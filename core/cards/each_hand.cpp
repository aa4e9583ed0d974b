#include "cards/each_hand.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cards/evaluator.hpp"

namespace riverboat {
namespace {

// Without a flush the strength depends on ranks only, and there are only 91 pairs of ranks.
constexpr int kNumRankPairs = kNumRanks * (kNumRanks + 1) / 2;

constexpr int rank_pair(int a, int b) {
    const int high = std::max(rank_of(a), rank_of(b)), low = std::min(rank_of(a), rank_of(b));
    return high * (high + 1) / 2 + low;
}

constexpr auto kRankPairs = [] {
    std::array<std::uint8_t, kNumHoles> pairs{};
    for (int hole = 0; hole < kNumHoles; ++hole) {
        pairs[hole] = static_cast<std::uint8_t>(rank_pair(kHoles[hole].low, kHoles[hole].high));
    }
    return pairs;
}();

using Points = std::array<std::uint8_t, kNumRankPairs>;

int points_of(std::uint16_t own, std::uint16_t other) { return (own > other) + (own >= other); }

// Sums over runouts by the other hand's ranks, which ignore flushes and dealt cards, and
// corrections for each hole pair.
class Sums {
  public:
    Sums(Hole hole, SuitMasks board)
        : known_(board | suit_masks_of(hole.low) | suit_masks_of(hole.high)),
          held_(evaluator_.card(hole.low) + evaluator_.card(hole.high)) {
        std::array<Card, 5> cards;
        const int count = cards_of(board, cards.data());
        for (int i = 0; i < count; ++i) board_ += evaluator_.card(cards[i]);
        for (int hole = 0; hole < kNumHoles; ++hole) {
            kept_[kRankPairs[hole]] = evaluator_.hole(hole);
        }
        for (int card = 0; card < kNumCards; ++card) {
            if (!(known_ & suit_masks_of(card))) live_[num_live_++] = static_cast<Card>(card);
        }
    }

    void add_all(int missing) {
        if (missing == 0) {
            add(board_, 0);
            return;
        }
        for (int i = 0; i < num_live_; ++i) {
            const HandSum first = board_ + evaluator_.card(live_[i]);
            const SuitMasks came = suit_masks_of(live_[i]);
            if (missing == 1) {
                take_out(live_[i], -1, add(first, came));
                continue;
            }
            for (int j = 0; j < i; ++j) {
                take_out(live_[i], live_[j],
                         add(first + evaluator_.card(live_[j]), came | suit_masks_of(live_[j])));
            }
        }
    }

    void write(std::uint16_t* points) const {
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const SuitMasks cards =
                suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
            const int sum = by_ranks_[kRankPairs[hole]] + by_hole_[hole];
            points[hole] = static_cast<std::uint16_t>(cards & known_ ? 0 : sum);
        }
    }

  private:
    // Adds one runout; returns the points by ranks.
    const Points& add(const HandSum& board, SuitMasks came) {
        const std::uint16_t own = evaluator_.strength(board + held_);
        for (int pair = 0; pair < kNumRankPairs; ++pair) {
            const std::uint16_t other = evaluator_.rank_strength(board + kept_[pair]);
            points_[pair] = static_cast<std::uint8_t>(points_of(own, other));
            by_ranks_[pair] += points_[pair];
        }
        for (int suit = 0; suit < kNumSuits; ++suit) {
            const int count = std::popcount(board.suited >> (16 * suit) & 0x1fff);
            if (count >= 3) mend_flushes(board, known_ | came, own, suit, count);
        }
        return points_;
    }

    // Corrects hands that make a flush with `count` cards of a suit on the board.
    void mend_flushes(const HandSum& board, SuitMasks known, std::uint16_t own, int suit,
                      int count) {
        std::array<Card, kNumCards> cards;  // those of the suit first
        int num_suited = 0, num_cards = 0;
        for (const bool wanted : {true, false}) {
            for (int i = 0; i < num_live_; ++i) {
                const bool fits = (suit_of(live_[i]) == suit) == wanted;
                if (fits && !(known & suit_masks_of(live_[i]))) cards[num_cards++] = live_[i];
            }
            if (wanted) num_suited = num_cards;
        }
        const int firsts = count == 5 ? num_cards : num_suited;
        const int seconds = count == 3 ? num_suited : num_cards;
        for (int i = 0; i < firsts; ++i) {
            for (int j = i + 1; j < seconds; ++j) {
                const int hole = hole_index(cards[i], cards[j]);
                const std::uint16_t other = evaluator_.strength(board + evaluator_.hole(hole));
                by_hole_[hole] += points_of(own, other) - points_[kRankPairs[hole]];
            }
        }
    }

    // Removes hands that hold a dealt card.
    void take_out(int first, int second, const Points& points) {
        for (int card = 0; card < kNumCards; ++card) {
            if (card != first) by_hole_[hole_index(card, first)] -= points[rank_pair(card, first)];
            if (second >= 0 && card != first && card != second) {
                by_hole_[hole_index(card, second)] -= points[rank_pair(card, second)];
            }
        }
    }

    const Evaluator& evaluator_ = Evaluator::standard();
    SuitMasks known_;
    HandSum held_;
    HandSum board_ = Evaluator::empty(7);
    std::array<Card, kNumCards> live_;
    int num_live_ = 0;
    std::array<HandSum, kNumRankPairs> kept_;  // two cards of each pair of ranks
    Points points_{};                          // of the last added runout
    std::array<int, kNumRankPairs> by_ranks_{};
    std::array<int, kNumHoles> by_hole_{};
};

}  // namespace

void points_against_each(Hole hole, SuitMasks board, int board_cards, std::uint16_t* points) {
    Sums sums(hole, board);
    sums.add_all(5 - board_cards);
    sums.write(points);
}

}  // namespace riverboat
