// Main pot and side pots: who can win what, odd chips, rake.
#pragma once

#include <array>

#include "game/hand.hpp"

namespace riverboat {

struct Pot {
    Chips amount = 0;  // with the rake
    Chips rake = 0;
    Seats eligible = 0;
    Seats winners = 0;  // set by award
    ChipsBySeat won{};  // set by award
};

struct Pots {
    int count = 0;
    std::array<Pot, kMaxPlayers> pot;  // main pot first
};

// The current pots. Seats that are all-in for less can win less (while the betting
// is open the other seats can still match every bet); an ante that was paid in full
// gives a claim on all antes, whatever the other seats paid.
Pots make_pots(const Hand& hand);

// Takes the rake and divides each pot among its strongest seats. Odd chips go
// one each to the winners in order from the left of the button.
void award(const Hand& hand, const std::array<std::uint32_t, kMaxPlayers>& strengths, Pots& pots);

}  // namespace riverboat
