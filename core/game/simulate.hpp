// Random play of whole hands, to measure speed and to detect changes of the rules.
#pragma once

#include <cstdint>

#include "game/hand.hpp"
#include "util/random.hpp"

namespace riverboat {

struct Simulation {
    std::int64_t hands = 0;
    std::int64_t actions = 0;
    std::int64_t showdowns = 0;
    ChipsBySeat payoffs{};
    Chips rake = 0;
    std::uint64_t checksum = 0;  // of every payoff, in order
};

// A legal action: uniform over the kinds (each discard is one), then over the
// sizes of a bet.
Action random_action(const Hand& hand, Random& random);

// Plays `hands` hands of a compiled game with the game's stacks.
Simulation simulate(const GameSpec& spec, std::int64_t hands, std::uint64_t seed);

}  // namespace riverboat
