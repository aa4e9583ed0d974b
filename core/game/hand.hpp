// One hand of poker: the rules of every variant, as a state that can be copied.
//
// A Hand is plain memory without a history, so that tree builders and
// simulators can clone it by assignment. PlayedHand (record.hpp) adds the
// history, undo and the line of play.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "game/spec.hpp"

namespace riverboat {

inline constexpr Card kUnknownCard = 255;
inline constexpr int kMaxSlots = kNumCards;

using Seats = std::uint16_t;  // one bit for each seat
constexpr Seats seat_bit(int seat) { return static_cast<Seats>(1u << seat); }

enum class ActionKind : std::uint8_t { kFold, kCheck, kCall, kBet, kStand, kDiscard };

struct Action {
    ActionKind kind = ActionKind::kCheck;
    Card card = kUnknownCard;  // kDiscard
    Chips amount = 0;          // kBet: chips in on this street afterwards

    friend bool operator==(const Action&, const Action&) = default;
};

enum class Phase : std::uint8_t { kBetting, kDiscarding, kFinished };

using Cards = std::array<Card, kMaxSlots>;  // by slot, see GameSpec::board_slot
using ChipsBySeat = std::array<Chips, kMaxPlayers>;

class Hand {
  public:
    // The spec must be compiled and outlive the hand. Slots of unknown cards hold kUnknownCard.
    Hand(const GameSpec& spec, const ChipsBySeat& stacks, const Cards& cards);

    const GameSpec& spec() const { return *spec_; }
    Phase phase() const { return phase_; }
    bool finished() const { return phase_ == Phase::kFinished; }
    int street() const { return street_; }
    int actor() const { return actor_; }  // undefined once finished

    Seats live() const { return live_; }
    bool is_live(int seat) const { return (live_ & seat_bit(seat)) != 0; }
    Chips stack(int seat) const { return stacks_[seat]; }
    Chips starting_stack(int seat) const { return starting_[seat]; }
    Chips bet(int seat) const { return bets_[seat]; }
    Chips ante(int seat) const { return antes_[seat]; }
    Chips spent(int seat) const { return spent_[seat]; }  // in the hand, without antes
    Chips pot() const { return pot_; }                    // all chips in, with this street's
    Chips price() const { return price_; }                // street amount that must be matched
    int raises() const { return raises_; }
    int raises_by(int seat) const { return raises_by_[seat]; }

    int board_count() const { return board_count_; }
    Card board(int index) const { return board_[index]; }
    const Card* board() const { return board_.data(); }
    int hole_count(int seat) const { return hole_count_[seat]; }
    const Card* hole(int seat) const { return &cards_[seat * spec_->hole_cards]; }

    // The actor's legal actions. The bounds are defined only in the betting phase.
    Chips to_call() const { return owed(actor_); }
    bool can_raise() const;
    Chips min_raise_to() const;
    Chips max_raise_to() const;

    bool allows(const Action& action) const;
    std::string refusal(const Action& action) const;  // why it is not allowed: an error message
    void apply(const Action& action);                 // throws IllegalActionError, unchanged
    void apply_allowed(const Action& action);         // the same without the check

    // The uncalled bet that was returned, if any.
    int refund_seat() const { return refund_seat_; }
    Chips refund() const { return refund_; }

    // Chips are moved to the winners as soon as the hand is finished and every
    // card that decides it is known.
    bool settled() const { return settled_; }
    Chips payoff(int seat) const { return stacks_[seat] - starting_[seat]; }
    Chips rake() const { return rake_; }

  private:
    Chips owed(int seat) const;
    bool others_can_exceed_price(int seat) const;
    bool must_act(int seat) const;
    bool reopened(int seat) const;
    Chips full_raise() const;
    int next_to_act(int from) const;
    int next_to_discard(int from) const;

    bool allows_discard(Card card) const;
    bool may_be_tossed(Card card) const;
    void pay(int seat, Chips amount);
    void post();
    void return_lone_ante();
    void give_back(int seat, Chips amount);
    void begin_street();
    void begin_betting();
    bool ends_here() const;
    void end_street();
    void finish();
    void settle();
    void return_uncalled();
    void fold();
    void bet(Chips to);
    void discard(Card card);
    void after_bet();
    void after_discard();

    const GameSpec* spec_;
    ChipsBySeat stacks_{};
    ChipsBySeat starting_{};
    ChipsBySeat bets_{};
    ChipsBySeat antes_{};
    ChipsBySeat spent_{};
    ChipsBySeat level_{};  // price when the seat last acted on this street
    Chips pot_ = 0;
    Chips price_ = 0;
    Chips raise_size_ = 0;  // the last full raise on this street
    Chips refund_ = 0;
    Chips rake_ = 0;
    Seats live_ = 0;
    Seats with_chips_ = 0;
    Seats acted_ = 0;
    Seats discarded_ = 0;
    std::array<std::int32_t, kMaxPlayers> raises_by_{};
    std::int32_t raises_ = 0;
    std::array<std::uint8_t, kMaxPlayers> hole_count_{};
    std::array<Card, kMaxRunBoard> board_{};
    Cards cards_;
    std::uint8_t board_count_ = 0;
    std::uint8_t board_dealt_ = 0;  // without tossed cards
    std::int8_t refund_seat_ = -1;
    std::int8_t street_ = 0;
    std::int8_t actor_ = 0;
    Phase phase_ = Phase::kBetting;
    bool settled_ = false;
    bool price_unmet_ = false;  // the big blind was posted short: nobody has met the price yet
};

}  // namespace riverboat
