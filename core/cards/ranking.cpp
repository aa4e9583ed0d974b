#include "cards/ranking.hpp"

#include "cards/evaluator.hpp"

namespace riverboat {

RiverHands ranked_river(SuitMasks board) {
    const Evaluator& evaluator = Evaluator::standard();
    HandSum sum = Evaluator::empty(7);
    std::array<Card, kNumCards> live;
    int num_live = 0;
    for (int card = 0; card < kNumCards; ++card) {
        if (board & suit_masks_of(card)) {
            sum += evaluator.card(card);
        } else {
            live[num_live++] = static_cast<Card>(card);
        }
    }
    RiverHands hands, scratch;
    int count = 0;
    for (int high = 1; high < num_live; ++high) {
        const HandSum with_high = sum + evaluator.card(live[high]);
        const int base = live[high] * (live[high] - 1) / 2;
        for (int low = 0; low < high; ++low) {
            hands[count++] = {evaluator.strength(with_high + evaluator.card(live[low])),
                              static_cast<std::uint16_t>(base + live[low])};
        }
    }
    sort_by_strength(hands, scratch);
    return hands;
}

}  // namespace riverboat
