// Between rows (hands side by side) and lanes (rows side by side, hand by hand).
#pragma once

#include <cstdint>

#include "spots/vectors.hpp"

namespace riverboat::spots {

// From N rows to hands of lanes; one empty hand follows the last hand.
template <typename Real, int N>
RIVERBOAT_INLINE void load_lanes(const Real* const* rows, std::uint32_t padded,
                                 Pack<Real, N>* lanes) {
    for (std::uint32_t hand = 0; hand < padded; hand += N) {
        Pack<Real, N> side[N];
        for (int k = 0; k < N; ++k) side[k] = pack_at<Real, N>(rows[k] + hand);
        transpose(side, lanes + hand);
    }
    lanes[padded] = Pack<Real, N>{};
}

// From N hands of lanes to N rows.
template <typename Real, int N>
RIVERBOAT_INLINE void store_lanes(const Pack<Real, N>* hands, Real* const* rows,
                                  std::uint32_t hand) {
    Pack<Real, N> out[N];
    transpose(hands, out);
    for (int k = 0; k < N; ++k) pack_at<Real, N>(rows[k] + hand) = out[k];
}

}  // namespace riverboat::spots
