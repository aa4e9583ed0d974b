// Features of a hand in a player's words: made hand, kicker, board texture and draws.
//
// After the bucketing of Lin's journal (Caltech 2024, section 5 and figure 4: made hand, board
// texture, flush and straight draws). The text does not name the figure's classes; those below are
// ours. Pairs and more on the board alone are texture, not a made hand.
#pragma once

#include <array>
#include <cstdint>

#include "cards/boards.hpp"
#include "cards/evaluator.hpp"

namespace riverboat {

enum class Made : std::uint8_t {
    kPlaysBoard,  // rivers only: the hole cards do not improve the board
    kNothing,
    kUnderpair,  // pocket pair below every card of the board
    kLowPair,    // with the board's third rank or a lower one
    kMiddlePocketPair,
    kSecondPair,
    kTopPair,
    kOverpair,
    kTwoPair,  // both hole cards pair the board
    kTrips,    // one hole card, two on the board
    kSet,      // pocket pair, one on the board
    kStraight,
    kFlush,
    kFullHouse,
    kQuads,  // or a straight flush
};
inline constexpr int kNumMade = 15;
inline constexpr int kNumKickers = 5;
inline constexpr int kNumPaired = 4;
inline constexpr int kNumSuited = 5;
inline constexpr int kNumConnected = 3;
inline constexpr int kNumDraws = 3;

struct SemanticFeatures {
    Made made;
    std::uint8_t kicker;         // the meaning depends on `made`: see the kicker functions
    std::uint8_t paired;         // board: 0 no pair, 1 a pair, 2 two pairs, 3 trips or more
    std::uint8_t suited;         // board: most cards of a suit, less 1
    std::uint8_t connected;      // board: ranks that share a straight: 0 up to 2, 1 three, 2 more
    std::uint8_t flush_draw;     // 0 none, 1 some, 2 to the best flush
    std::uint8_t straight_draw;  // ranks that complete one with a hole card: 0, 1, 2 or more
};

inline constexpr int kNumSemanticCodes =
    kNumMade * kNumKickers * kNumPaired * kNumSuited * kNumConnected * kNumDraws * kNumDraws;

// The features as one number, `made` first.
constexpr int semantic_code(const SemanticFeatures& f) {
    int code = static_cast<int>(f.made) * kNumKickers + f.kicker;
    code = (code * kNumPaired + f.paired) * kNumSuited + f.suited;
    code = (code * kNumConnected + f.connected) * kNumDraws + f.flush_draw;
    return code * kNumDraws + f.straight_draw;
}

// A board of 3 to 5 cards, analysed once for all hole pairs.
class SemanticBoard {
  public:
    SemanticBoard(SuitMasks board, int num_cards);

    // The hole pair must not share a card with the board.
    SemanticFeatures features(Hole hole) const;

  private:
    struct OwnHand;

    void made_hand(const OwnHand& own, SemanticFeatures& out) const;
    void pairs(const OwnHand& own, SemanticFeatures& out) const;
    void one_pair(const OwnHand& own, int rank, SemanticFeatures& out) const;
    void three_of_a_kind(const OwnHand& own, SemanticFeatures& out) const;
    std::uint8_t high_card_class(const OwnHand& own) const;
    std::uint8_t kicker_class(const OwnHand& own, int kicker) const;
    std::uint8_t flush_class(const OwnHand& own) const;
    std::uint8_t flush_draw(const OwnHand& own) const;
    std::uint8_t straight_draw(const OwnHand& own) const;

    bool on_board(int rank) const { return rank_mask_ >> rank & 1; }
    int ranks_above(int rank) const;         // distinct, on the board
    int unseen_ranks_above(int rank) const;  // not on the board
    int suit_mask(int suit) const { return static_cast<int>(masks_ >> (16 * suit) & 0x1fff); }

    SuitMasks masks_;
    int num_cards_;
    HandSum sum_;
    int strength_ = -1;  // of the board alone; rivers only
    int rank_mask_ = 0;
    int top_rank_;
    int best_straight_ = -1;  // top rank that any two hole cards can reach
    std::array<std::uint8_t, kNumRanks> counts_{};
    std::array<std::int8_t, kNumRanks> straight_with_{};  // top rank with one more rank, or -1
    SemanticFeatures texture_{};
};

// numbers[code] of every live hole pair on canonical boards begin .. end - 1; 0 for dead pairs.
void semantic_buckets(int num_cards, int begin, int end, const std::uint16_t* numbers,
                      std::uint16_t* buckets);

// Sets seen[code] of every code that occurs on these boards.
void semantic_codes_seen(int num_cards, int begin, int end, std::uint8_t* seen);

}  // namespace riverboat
