// Hand strength: the best five of 5, 6 or 7 cards as one small integer.
//
// A hand is the sum of its cards' 64-bit keys. The low 30 bits are a sum of
// random rank keys, so that every multiset of ranks has a different sum; the
// high 16 bits count suits. One displacement lookup turns the rank sum into a
// place in a dense table (hash and displace, Pagh 1999); a flush, seen in the
// suit counters, is looked up by the ranks of its suit instead. The parts of
// the tables for 7 cards (64 KB of displacements, 128 KB of strengths) stay in
// the L2 cache; 5- and 6-card hands use separate halves of both tables.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "cards/card.hpp"

namespace riverboat {

// Weakest to strongest in the 52-card game. Short deck ranks a flush above a
// full house; the categories keep these numbers there.
enum class Category : std::uint8_t {
    kHighCard,
    kPair,
    kTwoPair,
    kTrips,
    kStraight,
    kFlush,
    kFullHouse,
    kQuads,
    kStraightFlush,
};

enum class Ranking : std::uint8_t { kStandard, kShortDeck };

// The meaning of a strength: category, then ranks in order of importance
// (a pair of kings with queen, nine, four: 11, 11, 10, 7, 2).
struct HandClass {
    Category category;
    std::array<std::uint8_t, 5> ranks;
};

struct HandSum {
    std::uint64_t key = 0;
    std::uint64_t suited = 0;  // 16 bits a suit, one per rank

    HandSum& operator+=(const HandSum& other) {
        key += other.key;
        suited |= other.suited;
        return *this;
    }
    friend HandSum operator+(HandSum a, const HandSum& b) { return a += b; }
};

struct RankEntry;

class Evaluator {
  public:
    explicit Evaluator(Ranking ranking);

    // Built on first use (about 10 ms), shared, never changed afterwards.
    static const Evaluator& standard();
    static const Evaluator& short_deck();

    // 7,462 in the 52-card game, 1,404 in short deck: strengths are 0 .. this - 1.
    int num_strengths() const { return static_cast<int>(classes_.size()); }
    const std::vector<HandClass>& classes() const { return classes_; }

    const HandSum& card(int card) const { return cards_[card]; }
    const HandSum& hole(int index) const { return holes_[index]; }

    // Strength of a finished sum of 5 to 7 distinct cards.
    std::uint16_t strength(const HandSum& sum) const {
        if (const std::uint64_t flush = sum.key & kFlushBits) [[unlikely]] {
            const int suit = (std::countr_zero(flush) - kSuitShift) >> 2;
            return flushes_[(sum.suited >> (16 * suit)) & 0x1fff];
        }
        return unsuited(sum.key);
    }

    // The same without flushes.
    std::uint16_t rank_strength(const HandSum& sum) const { return unsuited(sum.key); }

    // The same for card numbers in any order.
    std::uint16_t strength(const Card* cards, int count) const {
        std::uint64_t key = empty(count).key;
        for (int i = 0; i < count; ++i) key += keys_[cards[i]];
        if (const std::uint64_t flush = key & kFlushBits) [[unlikely]] {
            return flush_strength(cards, count, (std::countr_zero(flush) - kSuitShift) >> 2);
        }
        return unsuited(key);
    }

    // Like strength, and sets `sound` to whether these are distinct cards of the deck.
    template <int count>
    std::uint16_t checked_strength(const Card* cards, bool& sound) const {
        std::uint64_t key = empty(count).key;
        std::uint64_t mask = 0;
        for (int i = 0; i < count; ++i) {
            key += keys_[cards[i]];
            mask |= std::uint64_t{1} << (cards[i] & 63);
        }
        sound = (key & kNoCard) == 0 && std::popcount(mask) == count;
        if (const std::uint64_t flush = key & kFlushBits) [[unlikely]] {
            return flush_strength(cards, count, (std::countr_zero(flush) - kSuitShift) >> 2);
        }
        return unsuited(key);
    }

    // Suit counters start at 3, so that the fifth card of a suit sets bit 3.
    static constexpr int kSuitShift = 48;
    static constexpr std::uint64_t kStart = 0x3333ULL << kSuitShift;
    static constexpr std::uint64_t kFlushBits = 0x8888ULL << kSuitShift;

    // A byte that is not a card of the deck adds to these bits.
    static constexpr int kNoCardShift = 40;
    static constexpr std::uint64_t kNoCard = 0xfULL << kNoCardShift;

    // The sum of no cards, to which `count` cards will be added.
    static constexpr HandSum empty(int count) { return {kStart | (count < 7 ? kFewer : 0), 0}; }

  private:
    static constexpr int kColumnBits = 16;
    static constexpr int kRowBits = 14;
    static constexpr int kRankKeyBits = 27;  // seven keys stay below 30 bits
    static constexpr std::uint64_t kFewer = 1ULL << (kColumnBits + kRowBits);

    std::uint16_t unsuited(std::uint64_t key) const {
        const auto sum = static_cast<std::uint32_t>(key);
        return strengths_[(sum & 0xffff) ^ displacements_[sum >> kColumnBits]];
    }

    std::uint16_t flush_strength(const Card* cards, int count, int suit) const;
    void make_classes(Ranking ranking);
    void make_card_sums(Ranking ranking);
    void make_flushes(Ranking ranking);
    void make_strengths(Ranking ranking);
    void place_rows(std::uint32_t half, std::vector<std::vector<RankEntry>>& rows);
    std::uint16_t strength_of(const HandClass& hand, Ranking ranking) const;

    std::array<std::uint64_t, 256> keys_{};  // any byte may be looked up
    std::array<std::uint32_t, 2 << kRowBits> displacements_{};
    std::array<std::uint16_t, 2 << kColumnBits> strengths_{};
    std::array<std::uint16_t, 1 << kNumRanks> flushes_{};
    std::array<HandSum, kNumCards> cards_{};
    std::array<HandSum, kNumHoles> holes_{};
    std::vector<HandClass> classes_;
    std::vector<std::uint32_t> codes_;  // sorted; strength = position
};

// out[i] = strength of the count (5..7) cards at cards + i * count, i < num_hands.
// Returns the first i whose cards are not distinct cards of the deck, or -1.
std::int64_t evaluate_batch(const Evaluator& evaluator, const Card* cards, std::int64_t num_hands,
                            int count, std::uint16_t* out);

// Counts of each strength over all C(deck, count) hands, count 5..7; hands whose
// first (highest) card number lies in [first_begin, first_end) only, so that the
// work can be sliced. counts[num_strengths] is added to.
void count_strengths(const Evaluator& evaluator, int lowest_card, int count, int first_begin,
                     int first_end, std::int64_t* counts);

}  // namespace riverboat
