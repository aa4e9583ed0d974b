#include "game/deal.hpp"

#include <utility>

namespace riverboat {

int list_deck(const GameSpec& spec, Cards& deck) {
    int size = 0;
    for (int card = 0; card < kNumCards; ++card) {
        if (spec.deck & card_bit(card)) deck[size++] = static_cast<Card>(card);
    }
    return size;
}

void deal_all(const GameSpec& spec, int deck_size, Random& random, Cards& deck) {
    for (int i = 0; i < spec.slots; ++i) {
        const auto j = i + random.below(static_cast<std::uint32_t>(deck_size - i));
        std::swap(deck[i], deck[j]);
    }
}

void deal_unknown(const GameSpec& spec, Random& random, Cards& cards) {
    std::uint64_t known = 0;
    for (int slot = 0; slot < spec.slots; ++slot) {
        if (cards[slot] != kUnknownCard) known |= card_bit(cards[slot]);
    }
    Cards left;
    int size = 0;
    for (int card = 0; card < kNumCards; ++card) {
        if (spec.deck & ~known & card_bit(card)) left[size++] = static_cast<Card>(card);
    }
    for (int slot = 0; slot < spec.slots; ++slot) {
        if (cards[slot] != kUnknownCard) continue;
        const auto j = random.below(static_cast<std::uint32_t>(size));
        cards[slot] = left[j];
        left[j] = left[--size];
    }
}

}  // namespace riverboat
