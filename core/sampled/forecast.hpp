// A sampled solve before it is built: its memory, and how much work an iteration is.
#pragma once

#include <cstdint>
#include <vector>

#include "sampled/solver.hpp"

namespace riverboat::sampled {

// Bytes, and steps of an iteration; a step handles all lanes of a pack.
struct SampledForecast {
    std::uint64_t table_bytes, board_bytes, scratch_bytes;
    std::uint64_t hand_steps;  // hands times columns and exits
    std::uint64_t bin_steps;   // bins times entries, sequences, ends and nodes
    std::uint64_t copy_steps;  // single numbers that change their lane
};

// Throws as check_sampled.
SampledForecast forecast_sampled(const Tree& tree, const std::vector<Card>& flop,
                                 const spots::Weights& weights, const SampledOptions& options);

}  // namespace riverboat::sampled
