// Values of terminals: up to eight of one board side by side, lane = terminal.
//
// A hand can meet all of the opponent's hands except those with one of its cards: the sum of all
// hands, minus those with the first card, minus those with the second card, plus the same hand,
// which was subtracted twice. Let A, B and C be such sums without the last term, over weaker hands,
// over weaker and equal hands, and over all hands. The value of a showdown is
//   (win - tie) A + (tie - lose) B + lose C + tie R[same hand].
// Both players' hands are sorted by strength, so one sweep computes A and B. A fold pays for
// C + R[same hand].
#pragma once

#include "spots/boards.hpp"
#include "spots/program.hpp"

namespace riverboat::spots {

// Bytes of scratch that eight lanes need on a board.
template <typename Real>
std::size_t lane_scratch_bytes(const Board& board) {
    const std::size_t hands = board.hands[0].padded + board.hands[1].padded + kWide;
    return hands * (kWide + 1) * sizeof(Real);
}

// Rows of numbers, one for each hand.
template <typename Real>
struct Rows {
    Real* data;
    std::size_t stride;
    Real* operator[](std::int32_t row) const { return data + row * stride; }
};

// Fills the leaves of a block. scratch: see above, aligned like the rows.
template <typename Real>
void evaluate_block(const LaneBlock& block, const Board& board, int player, Rows<Real> reach,
                    Rows<Real> values, Real* scratch);

extern template void evaluate_block(const LaneBlock&, const Board&, int, Rows<float>, Rows<float>,
                                    float*);
extern template void evaluate_block(const LaneBlock&, const Board&, int, Rows<double>, Rows<double>,
                                    double*);

}  // namespace riverboat::spots
