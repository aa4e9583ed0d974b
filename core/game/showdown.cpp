#include "game/showdown.hpp"

#include "cards/evaluator.hpp"
#include "cards/many_cards.hpp"

namespace riverboat {
namespace {

std::uint32_t high_strength(const Evaluator& evaluator, const Card* hole, int hole_count,
                            const Card* board, int board_count) {
    std::array<Card, kMaxRunBoard + kMaxHole> cards;
    int count = 0;
    for (int i = 0; i < hole_count; ++i) cards[count++] = hole[i];
    for (int i = 0; i < board_count; ++i) cards[count++] = board[i];
    return count <= 7 ? evaluator.strength(cards.data(), count)
                      : best_of_many(evaluator, cards.data(), count);
}

}  // namespace

std::uint32_t showdown_strength(const GameSpec& spec, const Card* hole, int hole_count,
                                const Card* board, int board_count) {
    const auto high = [&](const Evaluator& evaluator) {
        return high_strength(evaluator, hole, hole_count, board, board_count);
    };
    const int rank = rank_of(hole[0]);
    switch (spec.showdown) {
        case Showdown::kHigh:
        case Showdown::kHighOnBlack: return high(Evaluator::standard());
        case Showdown::kShortDeck: return high(Evaluator::short_deck());
        case Showdown::kOneCard: return static_cast<std::uint32_t>(rank);
        case Showdown::kLeduc: break;
    }
    const bool pair = rank == rank_of(board[0]);
    return static_cast<std::uint32_t>(pair ? kNumRanks + rank : rank);
}

std::uint32_t showdown_strength(const Hand& hand, int seat) {
    return showdown_strength(hand.spec(), hand.hole(seat), hand.hole_count(seat), hand.board(),
                             hand.board_count());
}

int missing_for_showdown(const Hand& hand) {
    for (int i = 0; i < hand.board_count(); ++i) {
        if (hand.board(i) == kUnknownCard) return kMaxPlayers;
    }
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        if (!hand.is_live(seat)) continue;
        for (int i = 0; i < hand.hole_count(seat); ++i) {
            if (hand.hole(seat)[i] == kUnknownCard) return seat;
        }
    }
    return -1;
}

}  // namespace riverboat
