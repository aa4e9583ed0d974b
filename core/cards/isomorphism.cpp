#include "cards/isomorphism.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <utility>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "util/errors.hpp"

namespace riverboat {
namespace {

constexpr std::uint64_t kDeck = (std::uint64_t{1} << kNumCards) - 1;
constexpr std::uint64_t kFirstSuit = 0x1111111111111;  // all cards of suit 0
constexpr int kCountBits = 4;
constexpr int kNumRankSets = 1 << kNumRanks;

// Binomial coefficients up to 13 choose k.
constexpr auto kChoose = [] {
    std::array<std::array<std::uint16_t, 16>, 16> choose{};
    for (int n = 0; n <= kNumRanks; ++n) {
        choose[n][0] = 1;
        for (int k = 1; k <= n; ++k) {
            choose[n][k] = static_cast<std::uint16_t>(choose[n - 1][k - 1] + choose[n - 1][k]);
        }
    }
    return choose;
}();

// Rank sets and their numbers in colexicographic order among sets of their
// size. As bit masks sets of one size ascend in just that order.
struct RankSets {
    std::array<std::uint16_t, kNumRankSets> number{};
    std::array<std::array<std::uint16_t, 1716>, kNumRanks + 1> set{};  // 1716 = 13 choose 6
};

const RankSets kRankSets = [] {
    RankSets sets;
    std::array<std::uint16_t, kNumRanks + 1> next{};
    for (std::uint32_t set = 0; set < kNumRankSets; ++set) {
        const int size = std::popcount(set);
        sets.number[set] = next[size];
        sets.set[size][next[size]++] = static_cast<std::uint16_t>(set);
    }
    return sets;
}();

// The bits of `value` under `mask`, moved together at the low end.
inline std::uint32_t extract_bits(std::uint64_t value, std::uint64_t mask) {
#if defined(__BMI2__)
    return static_cast<std::uint32_t>(_pext_u64(value, mask));
#else
    std::uint32_t bits = 0;
    for (value &= mask; value != 0; value &= value - 1) {
        bits |= 1u << std::popcount(mask & ((value & -value) - 1));
    }
    return bits;
#endif
}

// The inverse: the low bits of `bits`, one after the other, at the ones of `mask`.
inline std::uint64_t deposit_bits(std::uint32_t bits, std::uint64_t mask) {
#if defined(__BMI2__)
    return _pdep_u64(bits, mask);
#else
    std::uint64_t value = 0;
    for (; bits != 0; bits >>= 1, mask &= mask - 1) {
        if (bits & 1) value |= mask & -mask;
    }
    return value;
#endif
}

// Cards of one suit in round r, from counts that hold round 0 in the highest bits.
constexpr int count_in(std::uint32_t counts, int round) {
    return counts >> (kCountBits * (HandIndexer::kMaxRounds - 1 - round)) & 0xf;
}

// Number of histories of a suit with these counts.
std::uint64_t num_histories_of(std::uint32_t counts) {
    std::uint64_t histories = 1;
    int unused = kNumRanks;
    for (int round = 0; round < HandIndexer::kMaxRounds; ++round) {
        histories *= kChoose[unused][count_in(counts, round)];
        unused -= count_in(counts, round);
    }
    return histories;
}

// An exact division by size! is a product with the inverse (modulo 2^64) of its
// odd part and a shift.
constexpr std::uint64_t kInverseOf3 = 0xaaaaaaaaaaaaaaab;
constexpr std::uint64_t kInverses[] = {0, 1, 1, kInverseOf3, kInverseOf3};
constexpr int kShifts[] = {0, 0, 1, 1, 3};

// Multisets of `size` (1..most) numbers below n: n + size - 1 choose size. The
// sorted numbers x1 <= x2 <= .. have the place sum of num_multisets(xi, i).
// Without a branch, as the processor could not predict it.
template <int most = kNumSuits>
inline std::uint64_t num_multisets(std::uint64_t n, int size) {
    const auto factor = [&](int i) {  // n + i, or 1 where size <= i
        return ((n + i - 1) & -static_cast<std::uint64_t>(size > i)) + 1;
    };
    std::uint64_t product = n;
    for (int i = 1; i < most; ++i) product *= factor(i);
    return product * kInverses[size] >> kShifts[size];
}

// The largest n below `end` with num_multisets(n, size) <= place.
std::uint64_t largest_member(std::uint64_t place, int size, std::uint64_t end) {
    if (size == 1) return place;
    std::uint64_t begin = 0;
    while (end - begin > 1) {
        const std::uint64_t middle = (begin + end) / 2;
        (num_multisets(middle, size) <= place ? begin : end) = middle;
    }
    return begin;
}

// Ways to spread a number of cards over the four suits.
std::vector<std::array<int, kNumSuits>> spreads_of(int num_cards) {
    std::vector<std::array<int, kNumSuits>> spreads;
    for (int a = 0; a <= num_cards; ++a) {
        for (int b = 0; a + b <= num_cards; ++b) {
            for (int c = 0; a + b + c <= num_cards; ++c) {
                spreads.push_back({a, b, c, num_cards - a - b - c});
            }
        }
    }
    return spreads;
}

// The four suits' counts in one number, highest first.
std::uint64_t sorted_counts_of(std::array<std::uint16_t, kNumSuits> counts) {
    std::sort(counts.begin(), counts.end(), std::greater<>());
    std::uint64_t sorted = 0;
    for (const auto suit : counts) sorted = sorted << 16 | suit;
    return sorted;
}

void check_rounds(std::span<const int> cards_per_round) {
    std::string text;
    std::int64_t total = 0;
    bool sound = !cards_per_round.empty() && cards_per_round.size() <= HandIndexer::kMaxRounds;
    for (const int cards : cards_per_round) {
        text += (text.empty() ? "" : ", ") + std::to_string(cards);
        total += cards;
        sound = sound && cards >= 1 && total <= HandIndexer::kMaxCards;
    }
    if (sound) return;
    throw CardError("(" + text + ") are not rounds of cards to index: allowed are 1 to 4 rounds " +
                    "of at least 1 card each and at most 13 cards together, such as (2, 3, 1, 1)");
}

}  // namespace

HandIndexer::HandIndexer(std::span<const int> cards_per_round) {
    check_rounds(cards_per_round);
    std::vector<Counts> patterns{Counts{}};
    for (const int num_new_cards : cards_per_round) add_round(num_new_cards, patterns);
}

// Every spread of the new cards after every pattern of the rounds before.
void HandIndexer::add_round(int num_new_cards, std::vector<Counts>& patterns) {
    const int before = rounds_.empty() ? 0 : rounds_.back().num_cards;
    const int shift = kCountBits * (kMaxRounds - 1 - num_rounds());
    Round round{num_new_cards, before + num_new_cards, 0, {}, {}, {}};
    round.spreads.resize(1 << (kCountBits * (kNumSuits - 1)));
    std::vector<Counts> longer;
    for (const auto& spread : spreads_of(num_new_cards)) {
        const int packed = spread[0] | spread[1] << kCountBits | spread[2] << (2 * kCountBits);
        round.spreads[packed] = static_cast<std::uint32_t>(longer.size());
        for (Counts counts : patterns) {
            for (int suit = 0; suit < kNumSuits; ++suit) {
                counts[suit] |= static_cast<std::uint16_t>(spread[suit] << shift);
            }
            longer.push_back(counts);
        }
    }
    patterns = std::move(longer);
    make_configurations(round, patterns);
    rounds_.push_back(std::move(round));
}

void HandIndexer::make_configurations(Round& round, const std::vector<Counts>& patterns) {
    std::vector<std::uint64_t> sorted;
    for (const auto& counts : patterns) sorted.push_back(sorted_counts_of(counts));
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const auto sorted_counts : sorted) {
        Configuration configuration = configuration_of(sorted_counts);
        configuration.offset = std::exchange(round.size, round.size + configuration.offset);
        round.configurations.push_back(configuration);
    }
    for (const auto& counts : patterns) {
        const auto found = std::lower_bound(sorted.begin(), sorted.end(), sorted_counts_of(counts));
        Pattern pattern{static_cast<std::uint32_t>(found - sorted.begin()), {}};
        const auto& order = round.configurations[pattern.configuration].counts;
        for (int suit = 0; suit < kNumSuits; ++suit) {
            const auto first = std::find(order.begin(), order.end(), counts[suit]);
            pattern.group[suit] = static_cast<std::uint8_t>(first - order.begin());
        }
        round.patterns.push_back(pattern);
    }
}

// With the number of hands of the configuration in the place of the offset.
HandIndexer::Configuration HandIndexer::configuration_of(std::uint64_t sorted_counts) {
    Configuration configuration{};
    std::uint64_t stride = 1;
    std::uint64_t hands = 1;
    for (int place = 0; place < kNumSuits; ++place) {
        const auto counts = static_cast<std::uint16_t>(sorted_counts >> (16 * (3 - place)));
        const bool same = place > 0 && counts == configuration.counts[place - 1];
        if (!same) stride = hands;
        const int member = same ? configuration.member[place - 1] + 1 : 1;
        const std::uint64_t histories = num_histories_of(counts);
        hands = stride * num_multisets(histories, member);
        configuration.stride[place] = stride;
        configuration.num_histories[place] = histories;
        configuration.counts[place] = counts;
        configuration.member[place] = static_cast<std::uint8_t>(member);
    }
    configuration.offset = hands;
    return configuration;
}

namespace {

// The suits' histories while the rounds are read. 32 bits are enough: each of
// 13 ranks came in one of 4 rounds or not at all, and 5^13 < 2^32.
struct Suits {
    std::array<std::uint32_t, kNumSuits> histories{};
    std::array<std::uint32_t, kNumSuits> num_unused{kNumRanks, kNumRanks, kNumRanks, kNumRanks};
    std::uint64_t unused = kDeck;

    // Both return the new cards' counts, 4 bits a suit.
    std::uint32_t add_card(Card card) {
        const int suit = suit_of(card);
        const std::uint64_t lower = kFirstSuit << suit & unused & (card_bit(card) - 1);
        histories[suit] =
            histories[suit] * num_unused[suit] + static_cast<std::uint32_t>(std::popcount(lower));
        --num_unused[suit];
        unused ^= card_bit(card);
        return 1u << (kCountBits * suit);
    }

    std::uint32_t add_cards(const Card* cards, int num_cards) {
        std::uint64_t dealt = 0;
        for (int i = 0; i < num_cards; ++i) dealt |= card_bit(cards[i]);
        std::uint32_t counts = 0;
        for (int suit = 0; suit < kNumSuits; ++suit) {
            const std::uint32_t ranks = extract_bits(dealt, kFirstSuit << suit & unused);
            const auto count = static_cast<std::uint32_t>(std::popcount(ranks));
            histories[suit] =
                histories[suit] * kChoose[num_unused[suit]][count] + kRankSets.number[ranks];
            num_unused[suit] -= count;
            counts |= count << (kCountBits * suit);
        }
        unused ^= dealt;
        return counts;
    }
};

// Puts the smaller of two numbers first, without a branch.
inline void order(std::uint64_t& a, std::uint64_t& b) {
    const std::uint64_t swap = (a ^ b) & -static_cast<std::uint64_t>(a > b);
    a ^= swap;
    b ^= swap;
}

// The cards of each round in a suit's history: adds them to dealt[0..round].
void deal_history(int round, std::uint32_t history, std::uint32_t counts, int suit,
                  std::uint64_t* dealt) {
    std::array<std::uint32_t, HandIndexer::kMaxRounds> number{};
    int num_unused = kNumRanks;
    for (int r = 0; r <= round; ++r) num_unused -= count_in(counts, r);
    for (int r = round; r >= 0; --r) {
        num_unused += count_in(counts, r);
        const std::uint32_t radix = kChoose[num_unused][count_in(counts, r)];
        number[r] = history % radix;
        history /= radix;
    }
    std::uint64_t unused = kFirstSuit << suit;
    for (int r = 0; r <= round; ++r) {
        const std::uint32_t ranks = kRankSets.set[count_in(counts, r)][number[r]];
        const std::uint64_t cards = deposit_bits(ranks, unused);
        dealt[r] |= cards;
        unused ^= cards;
    }
}

}  // namespace

std::uint64_t HandIndexer::index(int round, const Card* cards) const {
    Suits suits;
    std::uint32_t pattern_number = 0;
    for (int r = 0; r <= round; ++r) {
        const int num_cards = rounds_[r].num_new_cards;
        const std::uint32_t counts =
            num_cards == 1 ? suits.add_card(*cards) : suits.add_cards(cards, num_cards);
        pattern_number += rounds_[r].spreads[counts & 0xfff];
        cards += num_cards;
    }

    const Pattern& pattern = rounds_[round].patterns[pattern_number];
    std::array<std::uint64_t, kNumSuits> sorted;
    for (int suit = 0; suit < kNumSuits; ++suit) {
        sorted[suit] =
            static_cast<std::uint64_t>(pattern.group[suit]) << 32 | suits.histories[suit];
    }
    // By group, then by history: a sorting network, as its branches could not be predicted.
    order(sorted[0], sorted[1]);
    order(sorted[2], sorted[3]);
    order(sorted[0], sorted[2]);
    order(sorted[1], sorted[3]);
    order(sorted[1], sorted[2]);
    const auto history = [&](int place) { return static_cast<std::uint32_t>(sorted[place]); };
    const auto& [offset, stride, num_histories, counts, member] =
        rounds_[round].configurations[pattern.configuration];
    // The first suit begins a group, with stride 1; the second may be its second member, ..
    return offset + history(0) + stride[1] * num_multisets<2>(history(1), member[1]) +
           stride[2] * num_multisets<3>(history(2), member[2]) +
           stride[3] * num_multisets<4>(history(3), member[3]);
}

void HandIndexer::unindex(int round, std::uint64_t index, Card* out) const {
    const auto& configurations = rounds_[round].configurations;
    const auto after = std::upper_bound(
        configurations.begin(), configurations.end(), index,
        [](std::uint64_t value, const Configuration& other) { return value < other.offset; });
    const Configuration& configuration = *std::prev(after);
    index -= configuration.offset;

    std::array<std::uint64_t, kMaxRounds> dealt{};
    for (int place = kNumSuits - 1; place >= 0; --place) {
        const std::uint64_t stride = configuration.stride[place];
        const int member = configuration.member[place];
        const std::uint64_t history =
            largest_member(index / stride, member, configuration.num_histories[place]);
        index -= stride * num_multisets(history, member);
        if (configuration.counts[place] == 0) continue;
        deal_history(round, static_cast<std::uint32_t>(history), configuration.counts[place], place,
                     dealt.data());
    }
    for (int r = 0; r <= round; ++r) {
        for (std::uint64_t left = dealt[r]; left != 0; left &= left - 1) {
            *out++ = static_cast<Card>(std::countr_zero(left));
        }
    }
}

std::int64_t index_batch(const HandIndexer& indexer, int round, const Card* cards,
                         std::int64_t num_hands, std::uint64_t* out) {
    const int count = indexer.num_cards(round);
    for (std::int64_t i = 0; i < num_hands; ++i, cards += count) {
        std::uint64_t seen = 0;
        bool in_deck = true;
        for (int k = 0; k < count; ++k) {
            in_deck &= cards[k] < kNumCards;
            seen |= card_bit(cards[k] & 63);
        }
        if (!in_deck || std::popcount(seen) != count) [[unlikely]]
            return i;
        out[i] = indexer.index(round, cards);
    }
    return -1;
}

std::int64_t unindex_batch(const HandIndexer& indexer, int round, const std::uint64_t* indices,
                           std::int64_t num_hands, Card* out) {
    const int count = indexer.num_cards(round);
    for (std::int64_t i = 0; i < num_hands; ++i) {
        if (indices[i] >= indexer.size(round)) [[unlikely]]
            return i;
        indexer.unindex(round, indices[i], out + i * count);
    }
    return -1;
}

}  // namespace riverboat
