// Dealing: a seed fills the slots whose cards are not given.
#pragma once

#include "game/hand.hpp"
#include "util/random.hpp"

namespace riverboat {

// Fills every kUnknownCard among the first spec.slots cards with a random card of the deck
// that is not among the known ones.
void deal_unknown(const GameSpec& spec, Random& random, Cards& cards);

// All slots from a whole deck; `deck` holds the game's cards in any order and is left shuffled
// in its first spec.slots places.
void deal_all(const GameSpec& spec, int deck_size, Random& random, Cards& deck);

// The cards of the game in order; returns how many.
int list_deck(const GameSpec& spec, Cards& deck);

}  // namespace riverboat
