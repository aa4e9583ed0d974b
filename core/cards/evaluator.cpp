#include "cards/evaluator.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "util/random.hpp"

namespace riverboat {
namespace {

using Counts = std::array<std::uint8_t, kNumRanks>;

constexpr int kAce = kNumRanks - 1;
constexpr int kSix = 4;

// The first of the random seeds 0, 1, 2, .. whose rank keys give all 49,205 rank
// multisets of 7 cards different sums, and so all 24,570 of 5 and 6 cards.
constexpr std::uint64_t kRankKeySeed = 1;

int lowest_rank(Ranking ranking) { return ranking == Ranking::kStandard ? 0 : kSix; }

// A class as a number that sorts by strength: rank of the category, then card ranks.
std::uint32_t code_of(const HandClass& hand, Ranking ranking) {
    auto place = static_cast<std::uint32_t>(hand.category);
    if (ranking == Ranking::kShortDeck) {
        if (hand.category == Category::kFlush) place = 6;
        if (hand.category == Category::kFullHouse) place = 5;
    }
    for (const auto rank : hand.ranks) place = place << 4 | rank;
    return place;
}

// Top rank of the best straight in a set of ranks, or -1. The ace is also below
// the deck's lowest rank: 5-4-3-2-A, in short deck 9-8-7-6-A.
int straight_top(std::uint32_t ranks, Ranking ranking) {
    for (int top = kAce; top >= 4; --top) {
        const std::uint32_t run = 0x1fu << (top - 4);
        if ((ranks & run) == run) return top;
    }
    const int low = lowest_rank(ranking);
    const std::uint32_t wheel = 0xfu << low | 1u << kAce;
    return (ranks & wheel) == wheel ? low + 3 : -1;
}

HandClass straight_class(Category category, int top, Ranking ranking) {
    HandClass hand{category, {}};
    for (int i = 0; i < 4; ++i) hand.ranks[i] = static_cast<std::uint8_t>(top - i);
    const bool wheel = top == lowest_rank(ranking) + 3;
    hand.ranks[4] = static_cast<std::uint8_t>(wheel ? kAce : top - 4);
    return hand;
}

// Best class of a set of at least five ranks of one suit.
HandClass suited_class(std::uint32_t ranks, Ranking ranking) {
    const int top = straight_top(ranks, ranking);
    if (top >= 0) return straight_class(Category::kStraightFlush, top, ranking);
    HandClass hand{Category::kFlush, {}};
    for (int rank = kAce, i = 0; i < 5; --rank) {
        if (ranks >> rank & 1) hand.ranks[i++] = static_cast<std::uint8_t>(rank);
    }
    return hand;
}

// Highest rank held at least `copies` times, other than `except`; or -1.
int highest(const Counts& counts, int copies, int except = -1) {
    for (int rank = kAce; rank >= 0; --rank) {
        if (rank != except && counts[rank] >= copies) return rank;
    }
    return -1;
}

// Fills hand.ranks from `place` on with the highest single ranks not yet named.
void add_kickers(HandClass& hand, const Counts& counts, int place) {
    const int named = place;
    for (int rank = kAce; rank >= 0 && place < 5; --rank) {
        const auto end = hand.ranks.begin() + named;
        if (counts[rank] > 0 && std::find(hand.ranks.begin(), end, rank) == end) {
            hand.ranks[place++] = static_cast<std::uint8_t>(rank);
        }
    }
}

// Best class of 5 to 7 ranks with no flush among them.
HandClass unsuited_class(const Counts& counts, Ranking ranking) {
    const auto set = [](HandClass& hand, int from, int copies, int rank) {
        std::fill_n(hand.ranks.begin() + from, copies, static_cast<std::uint8_t>(rank));
    };
    HandClass hand{Category::kHighCard, {}};
    std::uint32_t ranks = 0;
    for (int rank = 0; rank < kNumRanks; ++rank) ranks |= (counts[rank] > 0u) << rank;

    if (const int quads = highest(counts, 4); quads >= 0) {
        hand.category = Category::kQuads;
        set(hand, 0, 4, quads);
        add_kickers(hand, counts, 4);
        return hand;
    }
    const int trips = highest(counts, 3);
    const int pair = highest(counts, 2, trips);
    if (trips >= 0 && pair >= 0) {
        hand.category = Category::kFullHouse;
        set(hand, 0, 3, trips);
        set(hand, 3, 2, pair);
        return hand;
    }
    if (const int top = straight_top(ranks, ranking); top >= 0) {
        return straight_class(Category::kStraight, top, ranking);
    }
    if (trips >= 0) {
        hand.category = Category::kTrips;
        set(hand, 0, 3, trips);
        add_kickers(hand, counts, 3);
        return hand;
    }
    if (pair >= 0) {
        set(hand, 0, 2, pair);
        const int second = highest(counts, 2, pair);
        hand.category = second >= 0 ? Category::kTwoPair : Category::kPair;
        if (second >= 0) set(hand, 2, 2, second);
        add_kickers(hand, counts, second >= 0 ? 4 : 2);
        return hand;
    }
    add_kickers(hand, counts, 0);
    return hand;
}

// Calls visit(counts) for every multiset of `left` ranks from `rank` up.
template <typename Visit>
void for_each_multiset(Counts& counts, int rank, int left, const Visit& visit) {
    if (left == 0) {
        visit(counts);
        return;
    }
    if (rank == kNumRanks) return;
    for (int copies = 0; copies <= std::min(4, left); ++copies) {
        counts[rank] = static_cast<std::uint8_t>(copies);
        for_each_multiset(counts, rank + 1, left - copies, visit);
    }
    counts[rank] = 0;
}

std::array<std::uint32_t, kNumRanks> rank_keys(int bits) {
    std::uint64_t state = kRankKeySeed;
    std::array<std::uint32_t, kNumRanks> keys{};
    for (auto& key : keys) key = static_cast<std::uint32_t>(splitmix64(state) >> (64 - bits));
    return keys;
}

}  // namespace

// A rank multiset's place within its row of the table, and its strength.
struct RankEntry {
    std::uint32_t column;
    std::uint16_t strength;
};

Evaluator::Evaluator(Ranking ranking) {
    make_classes(ranking);
    make_card_sums(ranking);
    make_flushes(ranking);
    make_strengths(ranking);
}

const Evaluator& Evaluator::standard() {
    static const Evaluator evaluator(Ranking::kStandard);
    return evaluator;
}

const Evaluator& Evaluator::short_deck() {
    static const Evaluator evaluator(Ranking::kShortDeck);
    return evaluator;
}

void Evaluator::make_classes(Ranking ranking) {
    Counts counts{};
    for_each_multiset(counts, lowest_rank(ranking), 5, [&](const Counts& ranks) {
        classes_.push_back(unsuited_class(ranks, ranking));
        std::uint32_t set = 0;
        for (int rank = 0; rank < kNumRanks; ++rank) set |= (ranks[rank] > 0u) << rank;
        if (std::popcount(set) == 5) classes_.push_back(suited_class(set, ranking));
    });
    std::sort(classes_.begin(), classes_.end(), [&](const HandClass& a, const HandClass& b) {
        return code_of(a, ranking) < code_of(b, ranking);
    });
    for (const auto& hand : classes_) codes_.push_back(code_of(hand, ranking));
}

void Evaluator::make_card_sums(Ranking ranking) {
    const auto keys = rank_keys(kRankKeyBits);
    keys_.fill(std::uint64_t{1} << kNoCardShift);
    for (int card = 4 * lowest_rank(ranking); card < kNumCards; ++card) {
        keys_[card] = keys[rank_of(card)] + (std::uint64_t{1} << (kSuitShift + 4 * suit_of(card)));
        cards_[card] = {keys_[card], std::uint64_t{1} << (16 * suit_of(card) + rank_of(card))};
    }
    for (int i = 0; i < kNumHoles; ++i) holes_[i] = cards_[kHoles[i].low] + cards_[kHoles[i].high];
}

std::uint16_t Evaluator::strength_of(const HandClass& hand, Ranking ranking) const {
    const auto place = std::lower_bound(codes_.begin(), codes_.end(), code_of(hand, ranking));
    return static_cast<std::uint16_t>(place - codes_.begin());
}

void Evaluator::make_flushes(Ranking ranking) {
    for (std::uint32_t ranks = 0; ranks < 1u << kNumRanks; ++ranks) {
        if (std::popcount(ranks) < 5 || std::countr_zero(ranks) < lowest_rank(ranking)) continue;
        flushes_[ranks] = strength_of(suited_class(ranks, ranking), ranking);
    }
}

void Evaluator::make_strengths(Ranking ranking) {
    const auto keys = rank_keys(kRankKeyBits);
    std::vector<std::vector<RankEntry>> halves[2];
    for (auto& rows : halves) rows.resize(1 << kRowBits);
    Counts counts{};
    for (int cards = 5; cards <= 7; ++cards) {
        for_each_multiset(counts, lowest_rank(ranking), cards, [&](const Counts& ranks) {
            std::uint32_t sum = 0;
            for (int rank = 0; rank < kNumRanks; ++rank) sum += ranks[rank] * keys[rank];
            halves[cards < 7][sum >> kColumnBits].push_back(
                {sum & 0xffff, strength_of(unsuited_class(ranks, ranking), ranking)});
        });
    }
    place_rows(0, halves[0]);
    place_rows(1, halves[1]);
}

// Fullest rows first, each at the first displacement where all its columns are free.
void Evaluator::place_rows(std::uint32_t half, std::vector<std::vector<RankEntry>>& rows) {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return rows[a].size() > rows[b].size();
    });
    std::vector<bool> taken(1 << kColumnBits, false);
    for (const auto row : order) {
        std::uint32_t shift = 0;
        const auto clashes = [&](const RankEntry& entry) { return taken[entry.column ^ shift]; };
        while (std::any_of(rows[row].begin(), rows[row].end(), clashes)) {
            if (++shift == 1 << kColumnBits) throw std::logic_error("no room for a rank key");
        }
        displacements_[half << kRowBits | row] = half << kColumnBits | shift;
        for (const auto& [column, strength] : rows[row]) {
            if (taken[column ^ shift]) throw std::logic_error("two hands share a rank key");
            taken[column ^ shift] = true;
            strengths_[half << kColumnBits | (column ^ shift)] = strength;
        }
    }
}

std::uint16_t Evaluator::flush_strength(const Card* cards, int count, int suit) const {
    std::uint64_t ranks = 0;  // 64 bits and a mask: bytes that are not cards are not checked before
    for (int i = 0; i < count; ++i) {
        ranks |= static_cast<std::uint64_t>(suit_of(cards[i]) == suit) << rank_of(cards[i]);
    }
    return flushes_[ranks & 0x1fff];
}

namespace {

template <int count>
std::int64_t evaluate_fixed(const Evaluator& evaluator, const Card* cards, std::int64_t num_hands,
                            std::uint16_t* out) {
    for (std::int64_t i = 0; i < num_hands; ++i) {
        bool sound;
        out[i] = evaluator.checked_strength<count>(cards + i * count, sound);
        if (!sound) [[unlikely]]
            return i;
    }
    return -1;
}

// Adds `left` more cards, each below `limit`, to `sum`, and counts the strengths.
template <int left>
void count_below(const Evaluator& evaluator, HandSum sum, int lowest, int limit,
                 std::int64_t* counts) {
    for (int card = lowest + left - 1; card < limit; ++card) {
        const HandSum next = sum + evaluator.card(card);
        if constexpr (left == 1) {
            ++counts[evaluator.strength(next)];
        } else {
            count_below<left - 1>(evaluator, next, lowest, card, counts);
        }
    }
}

}  // namespace

std::int64_t evaluate_batch(const Evaluator& evaluator, const Card* cards, std::int64_t num_hands,
                            int count, std::uint16_t* out) {
    if (count == 7) return evaluate_fixed<7>(evaluator, cards, num_hands, out);
    if (count == 6) return evaluate_fixed<6>(evaluator, cards, num_hands, out);
    return evaluate_fixed<5>(evaluator, cards, num_hands, out);
}

void count_strengths(const Evaluator& evaluator, int lowest_card, int count, int first_begin,
                     int first_end, std::int64_t* counts) {
    for (int first = std::max(first_begin, lowest_card); first < first_end; ++first) {
        const HandSum sum = Evaluator::empty(count) + evaluator.card(first);
        if (count == 7) count_below<6>(evaluator, sum, lowest_card, first, counts);
        if (count == 6) count_below<5>(evaluator, sum, lowest_card, first, counts);
        if (count == 5) count_below<4>(evaluator, sum, lowest_card, first, counts);
    }
}

}  // namespace riverboat
