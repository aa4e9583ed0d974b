// Hand strength of more than seven cards.
#pragma once

#include <cstdint>

#include "cards/evaluator.hpp"

namespace riverboat {

// Strength of the best five of `count` (5 or more) distinct cards. Slower than Evaluator::strength,
// which is for up to seven.
std::uint16_t best_of_many(const Evaluator& evaluator, const Card* cards, int count);

}  // namespace riverboat
