#include "cards/one_hand.hpp"

#include <array>

#include "cards/evaluator.hpp"
#include "cards/hand_strength.hpp"

namespace riverboat {
namespace {

struct LiveCards {
    std::array<Card, kNumCards> cards;
    int count = 0;
};

LiveCards live_cards(SuitMasks dead) {
    LiveCards live;
    for (int card = 0; card < kNumCards; ++card) {
        if (!(dead & suit_masks_of(card))) live.cards[live.count++] = static_cast<Card>(card);
    }
    return live;
}

// Half-points on a complete board. `live` may contain the two cards that completed it, `first` and
// `second`, which are skipped.
std::uint16_t river_points(const Evaluator& evaluator, const HandSum& board, const HandSum& hole,
                           const LiveCards& live, int first, int second) {
    std::array<HandSum, kNumCards> cards;
    int count = 0;
    for (int i = 0; i < live.count; ++i) {
        if (i != first && i != second) cards[count++] = evaluator.card(live.cards[i]);
    }
    const std::uint16_t own = evaluator.strength(board + hole);
    int points = 0;
    for (int high = 1; high < count; ++high) {
        const HandSum with_high = board + cards[high];
        for (int low = 0; low < high; ++low) {
            const std::uint16_t other = evaluator.strength(with_high + cards[low]);
            points += (own > other) + (own >= other);
        }
    }
    return static_cast<std::uint16_t>(points);
}

}  // namespace

void run_out_points(Hole hole, SuitMasks board, int board_cards, std::uint16_t* points) {
    const Evaluator& evaluator = Evaluator::standard();
    const HandSum held = evaluator.card(hole.low) + evaluator.card(hole.high);
    HandSum sum = Evaluator::empty(7);
    std::array<Card, 5> on_board;
    const int count = cards_of(board, on_board.data());
    for (int i = 0; i < count; ++i) sum += evaluator.card(on_board[i]);
    const LiveCards live = live_cards(board | suit_masks_of(hole.low) | suit_masks_of(hole.high));
    if (board_cards == 5) {
        points[0] = river_points(evaluator, sum, held, live, -1, -1);
        return;
    }
    for (int high = 0; high < live.count; ++high) {
        const HandSum with_high = sum + evaluator.card(live.cards[high]);
        if (board_cards == 4) {
            *points++ = river_points(evaluator, with_high, held, live, high, -1);
            continue;
        }
        for (int low = 0; low < high; ++low) {
            *points++ = river_points(evaluator, with_high + evaluator.card(live.cards[low]), held,
                                     live, high, low);
        }
    }
}

}  // namespace riverboat
