// Shared by the bindings of spots.
#pragma once

#include <string>

#include "bindings/bindings.hpp"
#include "spots/boards.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

inline spots::Weights weights_from(const Matrix<const float>& ranges) {
    if (ranges.shape(0) != 2 || ranges.shape(1) != kNumHoles) {
        throw GameError("a spot has two ranges of 1326 weights each");
    }
    const float* data = ranges.data();
    return {std::vector<float>(data, data + kNumHoles),
            std::vector<float>(data + kNumHoles, data + 2 * kNumHoles)};
}

inline void check_player(int player) {
    if (player < 0 || player > 1) {
        throw GameError("players are 0 and 1, not " + std::to_string(player));
    }
}

}  // namespace riverboat::bindings
