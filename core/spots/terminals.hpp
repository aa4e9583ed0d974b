// Values of terminals: up to eight of one board side by side, lane = terminal.
//
// A hand meets all of the other's hands but those with one of its cards: all, less those with the
// first, less those with the second, plus the same hand, which was taken out twice. With A, B and C
// such sums over weaker hands, over weaker and equal ones, and over all, without the last term, a
// showdown is worth (win - tie) A + (tie - lose) B + lose C + tie R[same hand]: the hands of both
// stand by strength, so one sweep up finds A and B. A fold pays for C + R[same hand].
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
