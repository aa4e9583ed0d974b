#include "buckets/semantic.hpp"

#include <algorithm>
#include <bit>

namespace riverboat {
namespace {

constexpr int kAllRanks = (1 << kNumRanks) - 1;

constexpr int above(int rank) { return kAllRanks & ~((2 << rank) - 1); }
int count_bits(int mask) { return std::popcount(static_cast<unsigned>(mask)); }
int highest(int mask) { return std::bit_width(static_cast<unsigned>(mask)) - 1; }

// Ranks with the ace at both ends: bit 0 is the ace below the deuce.
int with_low_ace(int ranks) { return ranks << 1 | ranks >> (kNumRanks - 1); }

// Top rank of the best straight, or -1.
int straight_top(int ranks) {
    const int line = with_low_ace(ranks);
    const int lows = line & line >> 1 & line >> 2 & line >> 3 & line >> 4;
    return lows == 0 ? -1 : highest(lows) + 3;
}

template <typename Visit>
void for_each_live_hole(SuitMasks board, const Visit& visit) {
    for (int hole = 0; hole < kNumHoles; ++hole) {
        const Hole held = kHoles[hole];
        if (!(board & (suit_masks_of(held.low) | suit_masks_of(held.high)))) visit(hole, held);
    }
}

}  // namespace

struct SemanticBoard::OwnHand {
    Hole hole;
    int high, low;  // ranks
    const HandClass* best;

    bool pocket() const { return high == low; }
    int other(int rank) const { return rank == high ? low : high; }
    int suit_mask(int suit) const {
        return (suit_of(hole.low) == suit) << low | (suit_of(hole.high) == suit) << high;
    }
    bool plays(int rank) const {
        return std::find(best->ranks.begin(), best->ranks.end(), rank) != best->ranks.end();
    }
};

SemanticBoard::SemanticBoard(SuitMasks board, int num_cards)
    : masks_(board), num_cards_(num_cards), sum_(Evaluator::empty(num_cards + 2)) {
    const Evaluator& evaluator = Evaluator::standard();
    std::array<Card, 5> cards;
    cards_of(board, cards.data());
    for (int i = 0; i < num_cards; ++i) {
        sum_ += evaluator.card(cards[i]);
        ++counts_[rank_of(cards[i])];
        rank_mask_ |= 1 << rank_of(cards[i]);
    }
    top_rank_ = highest(rank_mask_);
    if (num_cards == 5) strength_ = evaluator.strength(cards.data(), 5);
    for (int rank = 0; rank < kNumRanks; ++rank) {
        straight_with_[rank] = static_cast<std::int8_t>(straight_top(rank_mask_ | 1 << rank));
    }
    int most_connected = 0;
    for (int low = 0; low < 10; ++low) {
        const int shared = count_bits(with_low_ace(rank_mask_) >> low & 0x1f);
        most_connected = std::max(most_connected, shared);
        if (shared >= 3) best_straight_ = low + 3;
    }
    int most_suited = 0;
    for (int suit = 0; suit < kNumSuits; ++suit) {
        most_suited = std::max(most_suited, count_bits(suit_mask(suit)));
    }
    const auto pairs = std::count(counts_.begin(), counts_.end(), 2);
    const bool trips = *std::max_element(counts_.begin(), counts_.end()) >= 3;
    texture_.paired = static_cast<std::uint8_t>(trips ? 3 : pairs);
    texture_.suited = static_cast<std::uint8_t>(most_suited - 1);
    texture_.connected = static_cast<std::uint8_t>(std::clamp(most_connected - 2, 0, 2));
}

int SemanticBoard::ranks_above(int rank) const { return count_bits(rank_mask_ & above(rank)); }

int SemanticBoard::unseen_ranks_above(int rank) const {
    return count_bits(~rank_mask_ & above(rank));
}

SemanticFeatures SemanticBoard::features(Hole hole) const {
    const Evaluator& evaluator = Evaluator::standard();
    const int strength =
        evaluator.strength(sum_ + evaluator.card(hole.low) + evaluator.card(hole.high));
    // The greater card number has the greater rank, or the same.
    const OwnHand own{hole, rank_of(hole.high), rank_of(hole.low), &evaluator.classes()[strength]};
    SemanticFeatures out = texture_;
    if (strength == strength_) {
        out.made = Made::kPlaysBoard;
        return out;
    }
    made_hand(own, out);
    if (num_cards_ < 5) {
        if (own.best->category < Category::kFlush) out.flush_draw = flush_draw(own);
        if (own.best->category < Category::kStraight) out.straight_draw = straight_draw(own);
    }
    return out;
}

void SemanticBoard::made_hand(const OwnHand& own, SemanticFeatures& out) const {
    const int first = own.best->ranks[0];
    out.made = Made::kNothing;
    out.kicker = 0;
    switch (own.best->category) {
        case Category::kHighCard: break;
        case Category::kPair:
        case Category::kTwoPair: pairs(own, out); break;
        case Category::kTrips: three_of_a_kind(own, out); break;
        case Category::kStraight:
            out.made = Made::kStraight;
            out.kicker = first == best_straight_;
            break;
        case Category::kFlush:
            out.made = Made::kFlush;
            out.kicker = flush_class(own);
            break;
        case Category::kFullHouse:
            out.made = Made::kFullHouse;
            out.kicker = first >= top_rank_;
            break;
        case Category::kQuads:
            if (own.high == first || own.low == first) out.made = Made::kQuads;
            break;
        case Category::kStraightFlush: out.made = Made::kQuads; break;
    }
    if (out.made == Made::kNothing) out.kicker = high_card_class(own);
}

// Only pairs that are among the best five count.
void SemanticBoard::pairs(const OwnHand& own, SemanticFeatures& out) const {
    const bool two = own.best->category == Category::kTwoPair;
    const auto plays = [&](int rank) {
        return (own.pocket() || on_board(rank)) &&
               (rank == own.best->ranks[0] || (two && rank == own.best->ranks[2]));
    };
    const bool high = plays(own.high), low = plays(own.low);
    if (high && low && !own.pocket()) {
        out.made = Made::kTwoPair;
        const bool top_two = ranks_above(own.low) == 1;
        out.kicker = static_cast<std::uint8_t>(own.high != top_rank_ ? 0 : 1 + top_two);
    } else if (high || low) {
        one_pair(own, high ? own.high : own.low, out);
    }
}

void SemanticBoard::one_pair(const OwnHand& own, int rank, SemanticFeatures& out) const {
    const int higher = ranks_above(rank);
    if (own.pocket()) {
        out.made = higher == 0                        ? Made::kOverpair
                   : higher == count_bits(rank_mask_) ? Made::kUnderpair
                                                      : Made::kMiddlePocketPair;
        return;
    }
    out.made = higher == 0 ? Made::kTopPair : higher == 1 ? Made::kSecondPair : Made::kLowPair;
    out.kicker = kicker_class(own, own.other(rank));
}

void SemanticBoard::three_of_a_kind(const OwnHand& own, SemanticFeatures& out) const {
    const int rank = own.best->ranks[0];
    if (counts_[rank] == 1) {
        out.made = Made::kSet;
        out.kicker = rank == top_rank_;
    } else if (counts_[rank] == 2) {
        out.made = Made::kTrips;
        out.kicker = kicker_class(own, own.other(rank));
    }
}

// 0 weak, 1 medium, 2 good, 3 the best possible; 4 two overcards, before the river.
std::uint8_t SemanticBoard::high_card_class(const OwnHand& own) const {
    if (num_cards_ < 5 && own.low > top_rank_) return 4;
    const int better = unseen_ranks_above(own.high);
    return better == 0 ? 3 : better <= 2 ? 2 : better <= 5 ? 1 : 0;
}

// 0 weak or not among the best five, 1 medium, 2 good.
std::uint8_t SemanticBoard::kicker_class(const OwnHand& own, int kicker) const {
    if (!own.plays(kicker)) return 0;
    const int better = unseen_ranks_above(kicker);
    return better <= 1 ? 2 : better <= 4 ? 1 : 0;
}

// By the highest hole card of the suit: 0 low, 1 high, 2 the best.
std::uint8_t SemanticBoard::flush_class(const OwnHand& own) const {
    for (int suit = 0; suit < kNumSuits; ++suit) {
        const int held = own.suit_mask(suit), board = suit_mask(suit);
        if (count_bits(held | board) < 5) continue;
        const int better = count_bits(~board & above(highest(held)));
        return better == 0 ? 2 : better <= 2 ? 1 : 0;
    }
    return 0;
}

std::uint8_t SemanticBoard::flush_draw(const OwnHand& own) const {
    for (int suit = 0; suit < kNumSuits; ++suit) {
        const int held = own.suit_mask(suit), board = suit_mask(suit);
        if (held == 0 || count_bits(held | board) != 4) continue;
        return (~board & above(highest(held))) == 0 ? 2 : 1;
    }
    return 0;
}

// Ranks that complete a better straight than the one on the board.
std::uint8_t SemanticBoard::straight_draw(const OwnHand& own) const {
    const int ranks = rank_mask_ | 1 << own.high | 1 << own.low;
    int completing = 0;
    for (int rank = 0; rank < kNumRanks; ++rank) {
        completing += straight_top(ranks | 1 << rank) > straight_with_[rank];
    }
    return static_cast<std::uint8_t>(std::min(completing, 2));
}

void semantic_buckets(int num_cards, int begin, int end, const std::uint16_t* numbers,
                      std::uint16_t* buckets) {
    std::fill_n(buckets, std::int64_t{end - begin} * kNumHoles, std::uint16_t{0});
    for (int id = begin; id < end; ++id, buckets += kNumHoles) {
        const SuitMasks masks = Boards::of(num_cards).masks(id);
        const SemanticBoard board(masks, num_cards);
        for_each_live_hole(masks, [&](int index, Hole hole) {
            buckets[index] = numbers[semantic_code(board.features(hole))];
        });
    }
}

void semantic_codes_seen(int num_cards, int begin, int end, std::uint8_t* seen) {
    for (int id = begin; id < end; ++id) {
        const SuitMasks masks = Boards::of(num_cards).masks(id);
        const SemanticBoard board(masks, num_cards);
        for_each_live_hole(masks,
                           [&](int, Hole hole) { seen[semantic_code(board.features(hole))] = 1; });
    }
}

}  // namespace riverboat
