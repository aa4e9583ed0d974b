// All-in EV: the expected payoffs of a hand when all betting is over and only the runout is left.
//
// Replacing the payoffs of such a hand by their expectation over all runouts does not change the
// mean and removes the luck of the runout. All dealt cards count as known, including those of
// folded seats, because folds depend on them.
#pragma once

#include <array>
#include <cstdint>

#include "game/record.hpp"

namespace riverboat {

struct RunOutBudget {
    std::int64_t most_exact;  // maximum number of enumerated runouts; more are sampled
    std::int64_t samples;
    std::uint64_t seed;  // random seed of the samples; independent of the dealt cards
};

// Writes the expected payoffs by seat, and returns the number of evaluated runouts. Returns 0 and
// writes nothing if no board card came after the last decision, if fewer than two seats were left,
// or if the game has discards or deals private cards after the first street.
std::int64_t expected_payoffs(const PlayedHand& played, const RunOutBudget& budget,
                              std::array<double, kMaxPlayers>& payoffs);

}  // namespace riverboat
