#include "spots/terminals.hpp"

#include <algorithm>

namespace riverboat::spots {
namespace {

template <typename Real, int N>
using Lanes = Pack<Real, N>;

// Reaches of the hands met so far: in all, and of those with a card.
template <typename Real, int N>
struct CardSums {
    Lanes<Real, N> all{};
    Lanes<Real, N> with[kNumCards + 1]{};  // the last one of the cards that pad a row: stays zero

    RIVERBOAT_INLINE void add(const Card* cards, const Lanes<Real, N>& reach) {
        all += reach;
        with[cards[0]] += reach;
        with[cards[1]] += reach;
    }
    RIVERBOAT_INLINE Lanes<Real, N> without(const Card* cards) const {
        return all - with[cards[0]] - with[cards[1]];
    }
};

template <typename Real, int N>
Lanes<Real, N> lanes_of(const std::array<double, kWide>& numbers) {
    Lanes<Real, N> lanes;
    for (int k = 0; k < N; ++k) lanes[k] = static_cast<Real>(numbers[k]);
    return lanes;
}

// From rows of hands to hands of lanes; behind the last hand stands one that nobody reaches.
template <typename Real, int N>
void load_lanes(const LaneBlock& block, Rows<Real> reach, std::uint32_t padded,
                Lanes<Real, N>* lanes) {
    for (std::uint32_t hand = 0; hand < padded; hand += kWide) {
        Pack<Real> rows[kWide]{}, hands[kWide];
        for (int k = 0; k < block.count; ++k) rows[k] = pack_at(reach[block.row[k]] + hand);
        transpose<Real>(rows, hands);
        for (int i = 0; i < kWide; ++i) {
            if constexpr (N == kWide) {
                lanes[hand + i] = hands[i];
            } else {
                lanes[hand + i] = __builtin_shufflevector(hands[i], hands[i], 0, 1, 2, 3);
            }
        }
    }
    lanes[padded] = Lanes<Real, N>{};
}

// From eight hands of lanes to rows; lanes without a leaf go nowhere.
template <typename Real, int N>
RIVERBOAT_INLINE void store_lanes(const LaneBlock& block,
                                  const std::array<std::int32_t, kWide>& leaf,
                                  const Lanes<Real, N>* lanes, Rows<Real> values,
                                  std::uint32_t hand) {
    Pack<Real> hands[kWide], rows[kWide];
    for (int i = 0; i < kWide; ++i) {
        if constexpr (N == kWide) {
            hands[i] = lanes[i];
        } else {
            hands[i] = __builtin_shufflevector(lanes[i], lanes[i], 0, 1, 2, 3, 0, 1, 2, 3);
        }
    }
    transpose<Real>(hands, rows);
    for (int k = 0; k < block.count; ++k) {
        if (leaf[k] >= 0) pack_at(values[leaf[k]] + hand) = rows[k];
    }
}

template <typename Real, int N>
class BlockWalk {
  public:
    BlockWalk(const LaneBlock& block, const Board& board, int player, Real* scratch)
        : block_(block),
          board_(board),
          player_(player),
          mine_(board.hands[player]),
          other_(board.hands[1 - player]),
          lanes_(reinterpret_cast<Lanes<Real, N>*>(scratch)),
          part_(lanes_ + other_.padded + 1) {}

    void run(Rows<Real> reach, Rows<Real> values) {
        load_lanes<Real, N>(block_, reach, other_.padded, lanes_);
        if (block_.showdowns) {
            sweep();
        } else {
            for (std::uint32_t j = 0; j < other_.count; ++j) {
                sums_.add(&other_.cards[2 * j], lanes_[j]);
            }
        }
        for (std::uint32_t hand = 0; hand < mine_.padded; hand += kWide) finish(hand, values);
    }

  private:
    // Fills part_ with what depends on A and B.
    void sweep() {
        const auto over_tie = lanes_of<Real, N>(block_.win) - lanes_of<Real, N>(block_.tie);
        const auto over_loss = lanes_of<Real, N>(block_.tie) - lanes_of<Real, N>(block_.lose);
        const Card *mine = mine_.cards.data(), *other = other_.cards.data();
        std::uint32_t i = 0, j = 0;
        for (const Run& run : board_.runs) {
            const std::uint32_t mine_end = run.end[player_], other_end = run.end[1 - player_];
            for (std::uint32_t k = i; k < mine_end; ++k) {
                part_[k] = over_tie * sums_.without(mine + 2 * k);
            }
            for (; j < other_end; ++j) sums_.add(other + 2 * j, lanes_[j]);
            for (; i < mine_end; ++i) part_[i] += over_loss * sums_.without(mine + 2 * i);
        }
    }

    // Adds what depends on C for eight hands, and stores them.
    RIVERBOAT_INLINE void finish(std::uint32_t hand, Rows<Real> values) {
        Lanes<Real, N> all[kWide], same[kWide], out[kWide];
        for (int i = 0; i < kWide; ++i) {
            const bool there = hand + i < mine_.count;
            all[i] = there ? sums_.without(&mine_.cards[2 * (hand + i)]) : Lanes<Real, N>{};
            same[i] = lanes_[mine_.same[hand + i]];
        }
        if (block_.showdowns) {
            const auto lose = lanes_of<Real, N>(block_.lose), tie = lanes_of<Real, N>(block_.tie);
            for (int i = 0; i < kWide; ++i) {
                const bool there = hand + i < mine_.count;
                out[i] =
                    (there ? part_[hand + i] : Lanes<Real, N>{}) + lose * all[i] + tie * same[i];
            }
            store_lanes<Real, N>(block_, block_.showdown_leaf, out, values, hand);
        }
        if (block_.folds) {
            const auto fold = lanes_of<Real, N>(block_.fold);
            for (int i = 0; i < kWide; ++i) out[i] = fold * (all[i] + same[i]);
            store_lanes<Real, N>(block_, block_.fold_leaf, out, values, hand);
        }
    }

    const LaneBlock& block_;
    const Board& board_;
    int player_;
    const Hands &mine_, &other_;
    Lanes<Real, N>* lanes_;  // [other's hands + 1] reaches
    Lanes<Real, N>* part_;   // [own hands]
    CardSums<Real, N> sums_;
};

}  // namespace

template <typename Real>
void evaluate_block(const LaneBlock& block, const Board& board, int player, Rows<Real> reach,
                    Rows<Real> values, Real* scratch) {
    if (block.count > kWide / 2) {
        BlockWalk<Real, kWide>(block, board, player, scratch).run(reach, values);
    } else {
        BlockWalk<Real, kWide / 2>(block, board, player, scratch).run(reach, values);
    }
}

template void evaluate_block(const LaneBlock&, const Board&, int, Rows<float>, Rows<float>, float*);
template void evaluate_block(const LaneBlock&, const Board&, int, Rows<double>, Rows<double>,
                             double*);

}  // namespace riverboat::spots
