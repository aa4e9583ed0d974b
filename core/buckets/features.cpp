#include "buckets/features.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "cards/one_hand.hpp"

namespace riverboat {
namespace {

constexpr int kNextCards = 47;

const std::array<std::uint16_t, kRiverPoints + 1>& river_bins() {
    static const auto bins = [] {
        std::array<std::uint16_t, kRiverPoints + 1> table{};
        for (int points = 0; points <= kRiverPoints; ++points) {
            table[points] = static_cast<std::uint16_t>(bin_of_points(points, 1));
        }
        return table;
    }();
    return bins;
}

// Entry for each number of cases out of `total`: the share, in units, rounded.
class Shares {
  public:
    Shares(int total, int unit) : total_(total) {
        for (int cases = 0; cases <= total; ++cases) {
            shares_[cases] = static_cast<std::int16_t>((2 * cases * unit + total) / (2 * total));
        }
    }

    // One row of a feature from the numbers of cases in each bin.
    void write(const std::uint16_t* counts, std::int16_t* row) const {
        int above = total_;
        for (int level = 0; level < kLevels; ++level) {
            above -= counts[level];
            row[level] = shares_[above];
        }
    }

  private:
    int total_;
    std::array<std::int16_t, kFlopRunOuts + 1> shares_;
};

using Holes = std::span<const std::uint16_t>;

// counts[i, bin(cell)] of holes[i] on one of the boards that can follow.
template <typename Bin>
void count_board(int board_cards, SuitMasks board, const RiverCell* table, Holes holes,
                 const Bin& bin, std::uint16_t* counts) {
    const CanonicalBoard found = Boards::of(board_cards).find(board);
    const RiverCell* row = table + std::size_t{found.id} * kNumHoles;
    const auto& moved = hole_permutations()[found.permutation];
    for (const auto hole : holes) {
        const RiverCell cell = row[moved[hole]];
        if (cell.win != kDead16) ++counts[bin(2 * cell.win + cell.tie)];
        counts += kBins;
    }
}

void count_rivers(int board_cards, SuitMasks board, const RiverCell* river, Holes holes,
                  std::uint16_t* counts) {
    const auto& bins = river_bins();
    const auto add = [&](SuitMasks full) {
        count_board(5, full, river, holes, [&](int points) { return bins[points]; }, counts);
    };
    for (int high = 0; high < kNumCards; ++high) {
        if (board & suit_masks_of(high)) continue;
        if (board_cards == 4) add(board | suit_masks_of(high));
        for (int low = 0; board_cards == 3 && low < high; ++low) {
            if (!(board & suit_masks_of(low)))
                add(board | suit_masks_of(high) | suit_masks_of(low));
        }
    }
}

// Row of the mean strength on every turn after a flop.
void count_turns(SuitMasks flop, const RiverCell* turn, Holes holes, std::uint16_t* counts) {
    for (int card = 0; card < kNumCards; ++card) {
        if (flop & suit_masks_of(card)) continue;
        count_board(
            4, flop | suit_masks_of(card), turn, holes,
            [](int points) { return bin_of_points(points, kTurnRunOuts); }, counts);
    }
}

// Half-points on the turn after each next card: each runout counts for both of its cards.
std::array<std::int64_t, kNextCards> sums_by_next_card(const std::uint16_t* points) {
    std::array<std::int64_t, kNextCards> sums{};
    for (int high = 0; high < kNextCards; ++high) {
        for (int low = 0; low < high; ++low, ++points) {
            sums[high] += *points;
            sums[low] += *points;
        }
    }
    return sums;
}

}  // namespace

void board_features(int board_cards, std::uint32_t id, Holes holes, const RiverCell* river,
                    const RiverCell* turn, FeatureUnits units, std::int16_t* features) {
    const int width = num_features(board_cards);
    const SuitMasks board = Boards::of(board_cards).masks(id);
    std::vector<std::uint16_t> counts(holes.size() * kBins);
    const auto write_rows = [&](const Shares& shares, int offset) {
        for (std::size_t i = 0; i < holes.size(); ++i) {
            shares.write(counts.data() + i * kBins, features + i * width + offset);
        }
    };
    count_rivers(board_cards, board, river, holes, counts.data());
    write_rows(Shares(num_run_outs(board_cards), units.run_out), 0);
    if (board_cards != 3) return;
    std::fill(counts.begin(), counts.end(), std::uint16_t{0});
    count_turns(board, turn, holes, counts.data());
    write_rows(Shares(kNextCards, units.next), kLevels);
}

void count_river_points(const RiverCell* rows, int num_rows, const std::uint32_t* weights,
                        const std::uint16_t* group_of, std::int64_t* counts) {
    for (int row = 0; row < num_rows; ++row, rows += kNumHoles) {
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const RiverCell cell = rows[hole];
            if (cell.win == kDead16) continue;
            counts[group_of[hole] * (kRiverPoints + 1) + 2 * cell.win + cell.tie] += weights[row];
        }
    }
}

void hand_features(Hole hole, SuitMasks board, int board_cards, FeatureUnits units,
                   std::int16_t* features) {
    std::array<std::uint16_t, kFlopRunOuts> points;
    run_out_points(hole, board, board_cards, points.data());
    std::array<std::uint16_t, kBins> counts{};
    const int total = num_run_outs(board_cards);
    for (int i = 0; i < total; ++i) ++counts[river_bins()[points[i]]];
    Shares(total, units.run_out).write(counts.data(), features);
    if (board_cards != 3) return;
    counts = {};
    for (const std::int64_t sum : sums_by_next_card(points.data())) {
        ++counts[bin_of_points(sum, kTurnRunOuts)];
    }
    Shares(kNextCards, units.next).write(counts.data(), features + kLevels);
}

}  // namespace riverboat
