#include "cards/many_cards.hpp"

#include <algorithm>
#include <bit>

namespace riverboat {
namespace {

constexpr int kFive = 5;

// Builds the candidates for the best five cards, one by each criterion: most cards of a rank, a
// straight, a flush.
class Candidates {
  public:
    Candidates(const Evaluator& evaluator, const Card* cards, int count) : evaluator_(evaluator) {
        for (int i = 0; i < count; ++i) {
            suits_[suit_of(cards[i])] |= 1u << rank_of(cards[i]);
            ranks_ |= 1u << rank_of(cards[i]);
        }
    }

    std::uint16_t best() const {
        std::uint16_t found = std::max(groups(), any_suit(straight(ranks_)));
        for (int suit = 0; suit < kNumSuits; ++suit) {
            if (std::popcount(suits_[suit]) < kFive) continue;
            unsigned top = suits_[suit];
            while (std::popcount(top) > kFive) top &= top - 1;
            found = std::max({found, of_suit(top, suit), of_suit(straight(suits_[suit]), suit)});
        }
        return found;
    }

  private:
    struct Five {
        std::array<Card, kFive> cards{};
        int count = 0;
    };

    int copies(int rank) const {
        int count = 0;
        for (const unsigned ranks : suits_) count += (ranks >> rank) & 1;
        return count;
    }

    void take(Five& five, int rank, int count) const {
        for (int suit = 0; suit < kNumSuits && count > 0; ++suit) {
            if (((suits_[suit] >> rank) & 1) == 0) continue;
            five.cards[five.count++] = static_cast<Card>(4 * rank + suit);
            --count;
        }
    }

    std::uint16_t strength(const Five& five) const {
        return five.count == kFive ? evaluator_.strength(five.cards.data(), kFive) : 0;
    }

    // Most cards of one rank, then a pair, then the highest remaining cards.
    std::uint16_t groups() const {
        Five five;
        int most = kNumRanks - 1;
        for (int rank = most; rank >= 0; --rank) {
            if (copies(rank) > copies(most)) most = rank;
        }
        take(five, most, copies(most));
        unsigned left = ranks_ & ~(1u << most);
        for (int rank = kNumRanks - 1; rank >= 0 && (five.count == 2 || five.count == 3); --rank) {
            if (rank == most || copies(rank) < 2) continue;
            take(five, rank, 2);
            left &= ~(1u << rank);
            break;
        }
        for (int rank = kNumRanks - 1; rank >= 0 && five.count < kFive; --rank) {
            if ((left >> rank) & 1) take(five, rank, 1);
        }
        return strength(five);
    }

    // The highest straight among these ranks, or 0. Includes ace to five and ace to nine (short
    // deck): the evaluator ranks the one that is not a straight as a high card.
    static unsigned straight(unsigned ranks) {
        constexpr unsigned kRun = 0x1f, kAce = 1u << (kNumRanks - 1);
        for (int low = kNumRanks - kFive; low >= 0; --low) {
            if ((ranks >> low & kRun) == kRun) return kRun << low;
        }
        for (const int low : {0, 4}) {
            const unsigned wheel = kAce | 0xfu << low;
            if ((ranks & wheel) == wheel) return wheel;
        }
        return 0;
    }

    std::uint16_t any_suit(unsigned ranks) const {
        Five five;
        for (int rank = 0; rank < kNumRanks; ++rank) {
            if ((ranks >> rank) & 1) take(five, rank, 1);
        }
        return strength(five);
    }

    std::uint16_t of_suit(unsigned ranks, int suit) const {
        Five five;
        for (int rank = 0; rank < kNumRanks; ++rank) {
            if ((ranks >> rank) & 1) five.cards[five.count++] = static_cast<Card>(4 * rank + suit);
        }
        return strength(five);
    }

    const Evaluator& evaluator_;
    std::array<unsigned, kNumSuits> suits_{};  // ranks held, a bit each
    unsigned ranks_ = 0;
};

}  // namespace

std::uint16_t best_of_many(const Evaluator& evaluator, const Card* cards, int count) {
    return Candidates(evaluator, cards, count).best();
}

}  // namespace riverboat
