// What a hand is worth once all betting is over and only board cards are to come.
//
// Replacing the payoffs of such a hand by their expectation over the cards to come leaves every
// mean as it is and removes the luck of the run-out. All cards that were dealt to anybody are
// taken as known, those of seats that folded too: who folds depends on them.
#pragma once

#include <array>
#include <cstdint>

#include "game/record.hpp"

namespace riverboat {

struct RunOutBudget {
    std::int64_t most_exact;  // run-outs that are enumerated; if there are more, they are sampled
    std::int64_t samples;
    std::uint64_t seed;  // of the samples; independent of the cards that came
};

// Writes the expected payoffs by seat. Returns the number of run-outs that were looked at; 0, and
// nothing is written, if no board card came after the last decision, if fewer than two seats were
// left, or if the game has discards or deals private cards late.
std::int64_t expected_payoffs(const PlayedHand& played, const RunOutBudget& budget,
                              std::array<double, kMaxPlayers>& payoffs);

}  // namespace riverboat
