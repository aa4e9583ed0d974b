#include "cards/isomorphism.hpp"

#include <algorithm>
#include <bit>
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

using Counts = std::array<std::uint16_t, kNumSuits>;

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

// Multisets of `size` (1..4) numbers below n: n + size - 1 choose size. The
// sorted numbers x1 <= x2 <= .. have the place sum of num_multisets(xi, i).
constexpr std::uint64_t num_multisets(std::uint64_t n, int size) {
    switch (size) {
        case 1: return n;
        case 2: return n * (n + 1) / 2;
        case 3: return n * (n + 1) * (n + 2) / 6;
        default: return n * (n + 1) * (n + 2) * (n + 3) / 24;
    }
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
std::uint64_t sorted_counts_of(Counts counts) {
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
    counts_.push_back({});
    for (const int num_new_cards : cards_per_round) add_round(num_new_cards);
    counts_ = {};
}

void HandIndexer::add_round(int num_new_cards) {
    const int before = rounds_.empty() ? 0 : rounds_.back().num_cards;
    const int shift = kCountBits * (kMaxRounds - 1 - num_rounds());
    Round round{num_new_cards, before + num_new_cards, 0, {}, {}, {}};

    // Patterns: each spread of the new cards after each pattern of before.
    const auto num_before = static_cast<std::uint32_t>(counts_.size());
    round.spreads.resize(1 << (kCountBits * (kNumSuits - 1)));
    std::vector<Counts> counts;
    for (const auto& spread : spreads_of(num_new_cards)) {
        const int packed = spread[0] | spread[1] << kCountBits | spread[2] << (2 * kCountBits);
        round.spreads[packed] = static_cast<std::uint32_t>(counts.size());
        for (std::uint32_t i = 0; i < num_before; ++i) {
            counts.push_back(counts_[i]);
            for (int suit = 0; suit < kNumSuits; ++suit) {
                counts.back()[suit] |= static_cast<std::uint16_t>(spread[suit] << shift);
            }
        }
    }

    std::vector<std::uint64_t> sorted;
    for (const auto& suits : counts) sorted.push_back(sorted_counts_of(suits));
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const auto key : sorted) {
        Configuration configuration = configuration_of(key);
        configuration.offset = std::exchange(round.size, round.size + configuration.offset);
        round.configurations.push_back(configuration);
    }

    for (const auto& suits : counts) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), sorted_counts_of(suits));
        Pattern pattern{static_cast<std::uint32_t>(place - sorted.begin()), {}};
        const auto& order = round.configurations[pattern.configuration].counts;
        for (int suit = 0; suit < kNumSuits; ++suit) {
            const auto first = std::find(order.begin(), order.end(), suits[suit]);
            pattern.group[suit] = static_cast<std::uint8_t>(first - order.begin());
        }
        round.patterns.push_back(pattern);
    }
    counts_ = std::move(counts);
    rounds_.push_back(std::move(round));
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

std::uint64_t HandIndexer::index(int round, const Card* cards) const {
    std::array<std::uint64_t, kNumSuits> histories{};
    std::array<int, kNumSuits> num_unused{kNumRanks, kNumRanks, kNumRanks, kNumRanks};
    std::uint64_t unused = kDeck;
    std::uint32_t pattern_number = 0;
    for (int r = 0; r <= round; ++r) {
        std::uint64_t dealt = 0;
        for (int i = 0; i < rounds_[r].num_new_cards; ++i) dealt |= card_bit(*cards++);
        std::uint32_t spread = 0;
        for (int suit = 0; suit < kNumSuits; ++suit) {
            const std::uint32_t ranks = extract_bits(dealt, kFirstSuit << suit & unused);
            const int count = std::popcount(ranks);
            histories[suit] = histories[suit] * kChoose[num_unused[suit]][count] +
                              kRankSets.number[ranks];
            num_unused[suit] -= count;
            spread |= static_cast<std::uint32_t>(count) << (kCountBits * suit);
        }
        pattern_number += rounds_[r].spreads[spread & 0xfff];
        unused ^= dealt;
    }

    const Pattern& pattern = rounds_[round].patterns[pattern_number];
    for (int suit = 0; suit < kNumSuits; ++suit) {
        histories[suit] |= static_cast<std::uint64_t>(pattern.group[suit]) << 32;
    }
    const auto order = [&](int a, int b) {
        const std::uint64_t low = std::min(histories[a], histories[b]);
        histories[b] = std::max(histories[a], histories[b]);
        histories[a] = low;
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);

    const Configuration& configuration = rounds_[round].configurations[pattern.configuration];
    std::uint64_t index = configuration.offset;
    for (int place = 0; place < kNumSuits; ++place) {
        const auto history = static_cast<std::uint32_t>(histories[place]);
        index += configuration.stride[place] *
                 num_multisets(history, configuration.member[place]);
    }
    return index;
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
        std::uint64_t history =
            largest_member(index / stride, member, configuration.num_histories[place]);
        index -= stride * num_multisets(history, member);

        const std::uint32_t counts = configuration.counts[place];
        std::array<std::uint16_t, kMaxRounds> number{};
        int num_unused = kNumRanks;
        for (int r = 0; r <= round; ++r) num_unused -= count_in(counts, r);
        for (int r = round; r >= 0; --r) {
            num_unused += count_in(counts, r);
            const std::uint32_t radix = kChoose[num_unused][count_in(counts, r)];
            number[r] = static_cast<std::uint16_t>(history % radix);
            history /= radix;
        }
        std::uint64_t unused = kFirstSuit << place;
        for (int r = 0; r <= round; ++r) {
            const std::uint32_t ranks = kRankSets.set[count_in(counts, r)][number[r]];
            const std::uint64_t cards = deposit_bits(ranks, unused);
            dealt[r] |= cards;
            unused ^= cards;
        }
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
        if (!in_deck || std::popcount(seen) != count) [[unlikely]] return i;
        out[i] = indexer.index(round, cards);
    }
    return -1;
}

std::int64_t unindex_batch(const HandIndexer& indexer, int round, const std::uint64_t* indices,
                           std::int64_t num_hands, Card* out) {
    const int count = indexer.num_cards(round);
    for (std::int64_t i = 0; i < num_hands; ++i) {
        if (indices[i] >= indexer.size(round)) [[unlikely]] return i;
        indexer.unindex(round, indices[i], out + i * count);
    }
    return -1;
}

}  // namespace riverboat
