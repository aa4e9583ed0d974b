#include "spots/terminals.hpp"

#include <algorithm>

#include "spots/lanes.hpp"

namespace riverboat::spots {
namespace {

// Some lanes of a block: rows of their reaches and values, and their payoffs. Unused lanes read the
// row of the first lane, and write to an unused row.
template <typename Real, int N>
struct LaneSet {
    using Lanes = Pack<Real, N>;
    const Real* reach[N];
    Real *folded[N], *shown[N];
    Lanes fold, over_tie, over_loss, lose, tie;

    LaneSet(const LaneBlock& block, int first, Rows<Real> from, Rows<Real> to, Real* nowhere) {
        for (int k = 0; k < N; ++k) {
            const int lane = first + k;
            const bool there = lane < block.count;
            const auto row = [&](std::int32_t leaf) {
                return there && leaf >= 0 ? to[leaf] : nowhere;
            };
            reach[k] = from[block.row[there ? lane : first]];
            folded[k] = row(block.fold_leaf[lane]);
            shown[k] = row(block.showdown_leaf[lane]);
            fold[k] = static_cast<Real>(block.fold[lane]);
            over_tie[k] = static_cast<Real>(block.win[lane] - block.tie[lane]);
            over_loss[k] = static_cast<Real>(block.tie[lane] - block.lose[lane]);
            lose[k] = static_cast<Real>(block.lose[lane]);
            tie[k] = static_cast<Real>(block.tie[lane]);
        }
    }
};

// Reaches of the hands swept so far: in total, and of hands with a given card.
template <typename Real, int N>
struct CardSums {
    using Lanes = Pack<Real, N>;
    Lanes all;
    Lanes* with;  // [kNumPlaces]

    RIVERBOAT_INLINE Lanes& at(std::uint8_t place) const {
        constexpr std::size_t kStep = sizeof(Lanes) / 4;  // places are cards times four
        return *reinterpret_cast<Lanes*>(reinterpret_cast<char*>(with) + place * kStep);
    }
    RIVERBOAT_INLINE void add(const std::uint8_t* places, const Lanes& reach) {
        all += reach;
        at(places[0]) += reach;
        at(places[1]) += reach;
    }
    RIVERBOAT_INLINE Lanes without(const std::uint8_t* places) const {
        return all - at(places[0]) - at(places[1]);
    }
};

// Fills `part` with the terms of A and B, and sums all hands.
template <typename Real, int N>
RIVERBOAT_INLINE void sweep(const LaneSet<Real, N>& set, const Board& board, int player,
                            const Pack<Real, N>* lanes, Pack<Real, N>* part,
                            CardSums<Real, N>& sums) {
    const std::uint8_t* mine = board.hands[player].places.data();
    const std::uint8_t* other = board.hands[1 - player].places.data();
    const Pack<Real, N> over_tie = set.over_tie, over_loss = set.over_loss;
    CardSums<Real, N> met = sums;
    std::uint32_t i = 0, j = 0;
    for (const Run& run : board.runs) {
        const std::uint32_t mine_end = run.end[player], other_end = run.end[1 - player];
        for (std::uint32_t k = i; k < mine_end; ++k) part[k] = over_tie * met.without(mine + 2 * k);
        for (; j < other_end; ++j) met.add(other + 2 * j, lanes[j]);
        for (; i < mine_end; ++i) part[i] += over_loss * met.without(mine + 2 * i);
    }
    std::fill(part + i, part + board.hands[player].padded, Pack<Real, N>{});
    sums = met;
}

// Adds the terms of C, and stores.
template <typename Real, int N, bool kShowdowns, bool kFolds>
void finish(const LaneSet<Real, N>& set, const Hands& mine, const Pack<Real, N>* lanes,
            const Pack<Real, N>* part, const CardSums<Real, N>& sums) {
    const std::uint8_t* places = mine.places.data();
    const std::uint16_t* same_as = mine.same.data();
    const Pack<Real, N> lose = set.lose, tie = set.tie, fold = set.fold;
    const CardSums<Real, N> met = sums;
    for (std::uint32_t hand = 0; hand < mine.padded; hand += N) {
        Pack<Real, N> shown[N], folded[N];
        for (int i = 0; i < N; ++i) {
            const Pack<Real, N> all = met.without(places + 2 * (hand + i));
            const Pack<Real, N> same = lanes[same_as[hand + i]];
            if constexpr (kShowdowns) shown[i] = part[hand + i] + lose * all + tie * same;
            if constexpr (kFolds) folded[i] = fold * (all + same);
        }
        if constexpr (kShowdowns) store_lanes<Real, N>(shown, set.shown, hand);
        if constexpr (kFolds) store_lanes<Real, N>(folded, set.folded, hand);
    }
}

template <typename Real, int N>
void evaluate_lanes(const LaneBlock& block, int first, const Board& board, int player,
                    Rows<Real> reach, Rows<Real> values, Real* scratch) {
    const Hands &mine = board.hands[player], &other = board.hands[1 - player];
    auto* lanes = reinterpret_cast<Pack<Real, N>*>(scratch);
    Pack<Real, N>* part = lanes + other.padded + 1;
    Real* nowhere = reinterpret_cast<Real*>(part + mine.padded + 1);
    const LaneSet<Real, N> set(block, first, reach, values, nowhere);
    load_lanes<Real, N>(set.reach, other.padded, lanes);
    Pack<Real, N> with[kNumPlaces];
    for (auto& each : with) each = Pack<Real, N>{};
    CardSums<Real, N> sums{Pack<Real, N>{}, with};
    if (block.showdowns) {
        sweep(set, board, player, lanes, part, sums);
    } else {
        CardSums<Real, N> met = sums;
        const std::uint8_t* places = other.places.data();
        for (std::uint32_t j = 0; j < other.count; ++j) met.add(places + 2 * j, lanes[j]);
        sums = met;
    }
    with[kAllPlace] = sums.all;
    if (!block.showdowns) return finish<Real, N, false, true>(set, mine, lanes, part, sums);
    if (!block.folds) return finish<Real, N, true, false>(set, mine, lanes, part, sums);
    finish<Real, N, true, true>(set, mine, lanes, part, sums);
}

}  // namespace

template <typename Real>
void evaluate_block(const LaneBlock& block, const Board& board, int player, Rows<Real> reach,
                    Rows<Real> values, Real* scratch) {
    constexpr int kFull = kSide<Real>;
    if constexpr (kFull == 8) {
        if (block.count <= 4) {
            return evaluate_lanes<Real, 4>(block, 0, board, player, reach, values, scratch);
        }
    }
    for (int first = 0; first < block.count; first += kFull) {
        evaluate_lanes<Real, kFull>(block, first, board, player, reach, values, scratch);
    }
}

template void evaluate_block(const LaneBlock&, const Board&, int, Rows<float>, Rows<float>, float*);
template void evaluate_block(const LaneBlock&, const Board&, int, Rows<double>, Rows<double>,
                             double*);

}  // namespace riverboat::spots
