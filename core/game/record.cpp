#include "game/record.hpp"

#include <algorithm>

#include "cards/text.hpp"
#include "game/line.hpp"
#include "util/errors.hpp"

namespace riverboat {

PlayedHand::PlayedHand(std::shared_ptr<const GameSpec> spec, const ChipsBySeat& stacks,
                       const Cards& cards)
    : spec_(std::move(spec)), stacks_(stacks), cards_(cards), hand_(*spec_, stacks, cards) {}

Hand PlayedHand::replayed(std::size_t num_events) const {
    Hand hand = start();
    for (std::size_t i = 0; i < num_events; ++i) hand.apply(events_[i].action);
    return hand;
}

void PlayedHand::undo() {
    if (events_.empty())
        throw IllegalActionError("there is no action to undo: the hand has just begun");
    hand_ = replayed(events_.size() - 1);
    events_.pop_back();
}

void PlayedHand::play(std::string_view line) {
    PlayedHand next = *this;
    int street = next.hand_.street();
    if (!line.empty() && line[0] == '/') street = events_.empty() ? 0 : events_.back().street;
    const auto here = [&](std::size_t at) {
        return " (at place " + std::to_string(at + 1) + " of the line '" + clipped(line, 60) + "')";
    };
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t place = at;
        if (line[at] == '/') {
            if (street >= next.hand_.street()) {
                throw IllegalActionError("'/' is not allowed: the street is not over" +
                                         here(place));
            }
            ++street;
            ++at;
            continue;
        }
        try {
            const Action action = read_action(&next.hand_, line, at);
            if (!next.hand_.finished() && street != next.hand_.street()) {
                throw IllegalActionError("'/' is missing: the street is over");
            }
            next.apply(action);
        } catch (const IllegalActionError& error) {
            throw IllegalActionError(error.what() + here(place));
        }
    }
    *this = std::move(next);
}

std::string PlayedHand::line(bool show_cards) const {
    std::string text;
    int street = 0;
    for (const Event& event : events_) {
        for (; street < event.street; ++street) text += '/';
        const bool face_up = spec_->street[street].discard == Discard::kToss;
        text += action_text(event.action, show_cards || face_up);
    }
    return text;
}

void PlayedHand::learn(int slot, Card card) {
    if (cards_[slot] == card) return;
    if (cards_[slot] != kUnknownCard) {
        throw GameError(card_text(card) + " cannot be here: the card is known to be " +
                        card_text(cards_[slot]));
    }
    if (!(spec_->deck & card_bit(card)))
        throw GameError(card_text(card) + " is not in the deck of this game");
    if (std::find(cards_.begin(), cards_.begin() + spec_->slots, card) !=
        cards_.begin() + spec_->slots) {
        throw GameError("the card " + card_text(card) + " is already dealt elsewhere");
    }
    cards_[slot] = card;
    try {
        hand_ = replayed(events_.size());
    } catch (const IllegalActionError&) {
        cards_[slot] = kUnknownCard;
        const bool unknown = std::any_of(events_.begin(), events_.end(), [](const Event& event) {
            return event.action == Action{ActionKind::kDiscard, kUnknownCard, 0};
        });
        throw GameError(card_text(card) +
                        (unknown ? " came too late: an unknown card was discarded already"
                         : spec_->runs_on()
                             ? " cannot be here: a black card ends the hand, and it went on"
                             : " cannot be here: it does not fit the cards that were discarded"));
    }
}

}  // namespace riverboat
