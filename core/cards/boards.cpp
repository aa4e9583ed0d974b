#include "cards/boards.hpp"

#include <bit>

namespace riverboat {
namespace {

// Index of a permutation in kSuitPermutations: its Lehmer code.
int permutation_index(const std::array<std::uint8_t, kNumSuits>& target) {
    constexpr int kWeights[] = {6, 2, 1};
    int index = 0;
    for (int i = 0; i < 3; ++i) {
        int smaller = 0;
        for (int j = i + 1; j < kNumSuits; ++j) smaller += target[j] < target[i];
        index += kWeights[i] * smaller;
    }
    return index;
}

// The permutation that sorts the suits by rank set, clubs smallest. Suits with
// equal sets keep their order.
int sorting_permutation(SuitMasks masks) {
    std::array<std::uint32_t, kNumSuits> keyed{};
    for (int suit = 0; suit < kNumSuits; ++suit) {
        keyed[suit] = static_cast<std::uint32_t>(masks >> (16 * suit) & 0xffff) << 2 | suit;
    }
    const auto order = [&](int a, int b) {
        if (keyed[a] > keyed[b]) std::swap(keyed[a], keyed[b]);
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
    std::array<std::uint8_t, kNumSuits> target{};
    for (int place = 0; place < kNumSuits; ++place) {
        target[keyed[place] & 3] = static_cast<std::uint8_t>(place);
    }
    return permutation_index(target);
}

bool is_canonical(SuitMasks masks) {
    const auto set = [&](int suit) { return masks >> (16 * suit) & 0xffff; };
    return set(0) <= set(1) && set(1) <= set(2) && set(2) <= set(3);
}

// Adds `left` cards below `limit` to `masks` and collects the canonical results.
void collect(SuitMasks masks, int left, int limit, std::vector<SuitMasks>& found) {
    if (left == 0) {
        if (is_canonical(masks)) found.push_back(masks);
        return;
    }
    for (int card = left - 1; card < limit; ++card) {
        collect(masks | suit_masks_of(card), left - 1, card, found);
    }
}

}  // namespace

SuitMasks suit_masks_of(const Card* cards, int count) {
    SuitMasks masks = 0;
    for (int i = 0; i < count; ++i) masks |= suit_masks_of(cards[i]);
    return masks;
}

int cards_of(SuitMasks masks, Card* out) {
    int count = 0;
    for (int card = 0; card < kNumCards; ++card) {
        if (masks & suit_masks_of(card)) out[count++] = static_cast<Card>(card);
    }
    return count;
}

const HolePermutations& hole_permutations() {
    static const HolePermutations table = [] {
        HolePermutations result{};
        for (int p = 0; p < kNumSuitPermutations; ++p) {
            const auto moved = [&](int card) {
                return (card & ~3) | kSuitPermutations[p][card & 3];
            };
            for (int hole = 0; hole < kNumHoles; ++hole) {
                result[p][hole] = static_cast<std::uint16_t>(
                    hole_index(moved(kHoles[hole].low), moved(kHoles[hole].high)));
            }
        }
        return result;
    }();
    return table;
}

Boards::Boards(int num_cards) : num_cards_(num_cards) {
    collect(0, num_cards, kNumCards, masks_);
    std::sort(masks_.begin(), masks_.end());
    slots_.resize(std::bit_ceil(masks_.size() * 2));
    hash_shift_ = 64 - std::countr_zero(slots_.size());
    for (std::uint32_t id = 0; id < masks_.size(); ++id) {
        std::size_t slot = slot_of(masks_[id]);
        while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = id + 1;
    }
}

const Boards& Boards::of(int num_cards) {
    static const Boards flops(3), turns(4), rivers(5);
    return num_cards == 3 ? flops : num_cards == 4 ? turns : rivers;
}

CanonicalBoard Boards::find(SuitMasks masks) const {
    const int permutation = sorting_permutation(masks);
    const SuitMasks canonical = permute(masks, permutation);
    std::size_t slot = slot_of(canonical);
    while (masks_[slots_[slot] - 1] != canonical) slot = (slot + 1) & (slots_.size() - 1);
    return {slots_[slot] - 1, static_cast<std::uint8_t>(permutation)};
}

int Boards::multiplicity(std::uint32_t id) const {
    int symmetries = 0;
    for (int p = 0; p < kNumSuitPermutations; ++p)
        symmetries += permute(masks_[id], p) == masks_[id];
    return kNumSuitPermutations / symmetries;
}

int Boards::num_hole_classes(std::uint32_t id) const {
    const SuitMasks board = masks_[id];
    std::vector<int> symmetries;
    for (int p = 1; p < kNumSuitPermutations; ++p) {
        if (permute(board, p) == board) symmetries.push_back(p);
    }
    int classes = 0;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        const SuitMasks held = suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
        if (held & board) continue;
        // The hole pair with the smallest index represents its class.
        classes += std::all_of(symmetries.begin(), symmetries.end(),
                               [&](int p) { return hole_permutations()[p][hole] >= hole; });
    }
    return classes;
}

}  // namespace riverboat
