#include "cards/few_cards.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace riverboat {
namespace {

constexpr int kRanks = kNumCards / 4;

// Orders hands: how often ranks appear, most often first, then the ranks in that order.
std::uint32_t order_key(int place, int count) {
    std::array<int, kRanks> times{};
    for (int i = 0; i < count; ++i, place /= kRanks) ++times[place % kRanks];
    std::uint32_t shape = 0, ranks = 0;
    for (int often = count; often > 0; --often) {
        for (int rank = kRanks - 1; rank >= 0; --rank) {
            if (times[rank] != often) continue;
            shape = shape * (kMostFew + 1) + often;
            ranks = ranks * kRanks + rank;
        }
    }
    // A shape with fewer ranks has fewer digits: shift it up, so that 2-2 is above 2-1-1.
    const int distinct = kRanks - static_cast<int>(std::count(times.begin(), times.end(), 0));
    for (int i = distinct; i < kMostFew; ++i) shape *= kMostFew + 1;
    return shape * kRanks * kRanks * kRanks * kRanks + ranks;
}

// Strengths by the ranks in any order as digits with base 13.
std::vector<std::uint16_t> strengths_of(int count) {
    int size = 1;
    for (int i = 0; i < count; ++i) size *= kRanks;
    std::vector<std::uint32_t> keys(size);
    for (int place = 0; place < size; ++place) keys[place] = order_key(place, count);
    std::vector<std::uint32_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<std::uint16_t> found(size);
    for (int place = 0; place < size; ++place) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), keys[place]);
        found[place] = static_cast<std::uint16_t>(at - sorted.begin());
    }
    return found;
}

const std::uint16_t* strengths(int count) {
    static const std::array<std::vector<std::uint16_t>, kMostFew> tables = {
        strengths_of(1), strengths_of(2), strengths_of(3), strengths_of(4)};
    return tables[count - 1].data();
}

template <int count>
int place_of(const Card* cards) {
    int place = 0;
    for (int i = 0; i < count; ++i) place = kRanks * place + rank_of(cards[i]);
    return place;
}

template <int count>
bool is_hand(const Card* cards) {
    bool sound = true;
    for (int i = 0; i < count; ++i) {
        sound &= cards[i] < kNumCards;
        for (int j = 0; j < i; ++j) sound &= cards[i] != cards[j];
    }
    return sound;
}

template <int count>
std::int64_t evaluate_fixed(const Card* cards, std::int64_t num_hands, std::uint16_t* out) {
    const std::uint16_t* table = strengths(count);
    for (std::int64_t i = 0; i < num_hands; ++i, cards += count) {
        if (!is_hand<count>(cards)) [[unlikely]]
            return i;
        out[i] = table[place_of<count>(cards)];
    }
    return -1;
}

}  // namespace

std::uint16_t few_strength(const Card* cards, int count) {
    int place = 0;
    for (int i = 0; i < count; ++i) place = kRanks * place + rank_of(cards[i]);
    return strengths(count)[place];
}

std::int64_t evaluate_few_batch(const Card* cards, std::int64_t num_hands, int count,
                                std::uint16_t* out) {
    if (count == 1) return evaluate_fixed<1>(cards, num_hands, out);
    if (count == 2) return evaluate_fixed<2>(cards, num_hands, out);
    if (count == 3) return evaluate_fixed<3>(cards, num_hands, out);
    return evaluate_fixed<4>(cards, num_hands, out);
}

}  // namespace riverboat
