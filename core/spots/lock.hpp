// Fixed strategies (node locks) of a spot engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spots/engine.hpp"

namespace riverboat::spots {

// Cards dealt since the root; none: all runouts.
using LockedCards = std::optional<std::span<const Card>>;

// strategy [actions, 1326], nan for hands without a lock.
void lock(SpotEngine& engine, std::int32_t node, const LockedCards& cards, const float* strategy);
void unlock(SpotEngine& engine, std::int32_t node, const LockedCards& cards);

}  // namespace riverboat::spots
