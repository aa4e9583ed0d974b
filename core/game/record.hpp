// A hand with its history: undo, the line of play, and cards that become known later.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "game/hand.hpp"

namespace riverboat {

struct Event {
    Action action;
    std::int8_t street;
    std::int8_t seat;
};

class PlayedHand {
  public:
    PlayedHand(std::shared_ptr<const GameSpec> spec, const ChipsBySeat& stacks, const Cards& cards);

    const Hand& hand() const { return hand_; }
    const GameSpec& spec() const { return *spec_; }
    const std::vector<Event>& events() const { return events_; }
    const Cards& dealt() const { return cards_; }
    Hand start() const { return Hand(*spec_, stacks_, cards_); }

    void apply(const Action& action) {
        const Event event{action, static_cast<std::int8_t>(hand_.street()),
                          static_cast<std::int8_t>(hand_.actor())};
        hand_.apply(action);
        events_.push_back(event);
    }

    // Undoes the last action; throws IllegalActionError if there is none.
    void undo();

    // Plays a line from here on; a leading `/` closes the street of the last
    // action. Throws IllegalActionError with the place, the hand unchanged.
    void play(std::string_view line);

    // The line so far. Swapped cards are written only if `show_cards`; cards
    // that were tossed face up always are.
    std::string line(bool show_cards) const;

    // Makes an unknown card known. Throws GameError if the slot holds another
    // card, or the card stands elsewhere.
    void learn(int slot, Card card);

  private:
    Hand replayed(std::size_t num_events) const;

    std::shared_ptr<const GameSpec> spec_;
    ChipsBySeat stacks_;
    Cards cards_;
    Hand hand_;
    std::vector<Event> events_;
};

}  // namespace riverboat
