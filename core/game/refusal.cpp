// Error messages for illegal actions, with the bad value and the allowed ones.
#include "cards/text.hpp"
#include "game/hand.hpp"
#include "game/line.hpp"

namespace riverboat {
namespace {

std::string number(Chips chips) { return std::to_string(chips); }

std::string allowed_raises(const Hand& hand) {
    const std::string verb = hand.price() > 0 ? "a raise" : "a bet";
    const Chips low = hand.min_raise_to(), high = hand.max_raise_to();
    if (low == high) return verb + " must be to " + number(low);
    return verb + " must be to at least " + number(low) + " and at most " + number(high);
}

std::string no_raise(const Hand& hand) {
    const int seat = hand.actor();
    const Street& street = hand.spec().street[hand.street()];
    if (hand.raises() >= street.max_raises) {
        return "the street's limit of " + std::to_string(street.max_raises) + " raises is reached";
    }
    if (hand.stack(seat) <= hand.price() - hand.bet(seat)) {
        return "seat " + std::to_string(seat) + " has only " + number(hand.stack(seat)) +
               " chips and can call or fold";
    }
    bool reply = false;
    for (int other = 0; other < hand.spec().players; ++other) {
        reply = reply || (other != seat && hand.is_live(other) && hand.stack(other) > 0 &&
                          hand.bet(other) + hand.stack(other) > hand.price());
    }
    if (!reply) return "no other seat has chips to call a raise";
    if (hand.raises_by(seat) >= street.max_raises_per_seat) {
        return "seat " + std::to_string(seat) + " has reached its limit of " +
               std::to_string(street.max_raises_per_seat) + " raises on this street";
    }
    return "the all-in raise was too small to reopen the betting for seat " + std::to_string(seat);
}

std::string allowed_discards(const Hand& hand) {
    std::string text;
    if (hand.spec().street[hand.street()].discard == Discard::kSwap) text = "s (stand pat)";
    bool unknown = false;
    for (int i = 0; i < hand.hole_count(hand.actor()); ++i) {
        const Card card = hand.hole(hand.actor())[i];
        if (card == kUnknownCard && unknown) continue;
        unknown = unknown || card == kUnknownCard;
        if (!text.empty()) text += ", ";
        text += action_text({ActionKind::kDiscard, card, 0});
    }
    return text;
}

std::string in_betting(const Hand& hand, const Action& action) {
    switch (action.kind) {
        case ActionKind::kFold: return "there is nothing to call; check with k";
        case ActionKind::kCall: return "there is nothing to call; check with k";
        case ActionKind::kCheck:
            return "there are " + number(hand.to_call()) + " to call; call with c or fold with f";
        case ActionKind::kBet: return hand.can_raise() ? allowed_raises(hand) : no_raise(hand);
        default: return "seat " + std::to_string(hand.actor()) + " must bet, not discard";
    }
}

}  // namespace

std::string Hand::refusal(const Action& action) const {
    const std::string start = std::string("'").append(action_text(action)) + "' is not allowed: ";
    if (phase_ == Phase::kFinished) return start + "the hand is finished";
    if (phase_ == Phase::kBetting) return start + in_betting(*this, action);
    return start + "seat " + std::to_string(actor_) + " must discard first, with one of " +
           allowed_discards(*this);
}

}  // namespace riverboat
