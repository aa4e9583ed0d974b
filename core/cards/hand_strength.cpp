#include "cards/hand_strength.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "cards/ranking.hpp"

namespace riverboat {
namespace {

// Visits hands by ascending strength. Opponent hands that share a card with the
// hole pair are impossible; the counts of hands by card subtract them.
void count_wins_and_ties(const RiverHands& hands, RiverCell* cells) {
    std::array<std::uint16_t, kNumCards> weaker_with{}, equal_with{};
    int begin = 0;
    while (begin < kRiverHoles) {
        int end = begin;
        for (; end < kRiverHoles && hands[end].strength == hands[begin].strength; ++end) {
            ++equal_with[kHoles[hands[end].hole].low];
            ++equal_with[kHoles[hands[end].hole].high];
        }
        for (int i = begin; i < end; ++i) {
            const Hole hole = kHoles[hands[i].hole];
            cells[hands[i].hole] = {
                static_cast<std::uint16_t>(begin - weaker_with[hole.low] - weaker_with[hole.high]),
                // The hole pair itself is counted once and subtracted twice.
                static_cast<std::uint16_t>(end - begin + 1 - equal_with[hole.low] -
                                           equal_with[hole.high]),
            };
        }
        for (int i = begin; i < end; ++i) {
            const Hole hole = kHoles[hands[i].hole];
            for (const Card card : {hole.low, hole.high}) {
                weaker_with[card] = static_cast<std::uint16_t>(weaker_with[card] + 1);
                equal_with[card] = 0;
            }
        }
        begin = end;
    }
}

std::vector<std::uint16_t> live_holes(SuitMasks board) {
    std::vector<std::uint16_t> holes;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        const SuitMasks held = suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
        if (!(held & board)) holes.push_back(static_cast<std::uint16_t>(hole));
    }
    return holes;
}

std::uint32_t points_squared(RiverCell cell) {
    const std::uint32_t points = 2u * cell.win + cell.tie;
    return points * points;
}

// Sums, for each hole pair, the next street's cells over all next cards.
struct RowSums {
    std::array<std::uint32_t, kNumHoles> win{}, tie{}, square{};
};

// Calls visit(id, permutation) for the canonical child of `board` by each card.
template <typename Visit>
void for_each_child(const Boards& next, SuitMasks board, const Visit& visit) {
    for (int card = 0; card < kNumCards; ++card) {
        if (board & suit_masks_of(card)) continue;
        const CanonicalBoard child = next.find(board | suit_masks_of(card));
        visit(static_cast<std::size_t>(child.id), hole_permutations()[child.permutation].data());
    }
}

}  // namespace

void river_strengths(int begin, int end, RiverCell* cells) {
    const Boards& boards = Boards::of(5);
    for (int id = begin; id < end; ++id, cells += kNumHoles) {
        std::fill_n(cells, kNumHoles, RiverCell{kDead16, kDead16});
        count_wins_and_ties(ranked_river(boards.masks(id)), cells);
    }
}

void turn_strengths(int begin, int end, const RiverCell* river, RiverCell* cells,
                    std::uint32_t* square) {
    const Boards& boards = Boards::of(4);
    for (int id = begin; id < end; ++id, cells += kNumHoles, square += kNumHoles) {
        const auto holes = live_holes(boards.masks(id));
        RowSums sums;
        for_each_child(Boards::of(5), boards.masks(id), [&](std::size_t child, const auto* moved) {
            const RiverCell* row = river + child * kNumHoles;
            for (const auto hole : holes) {
                const RiverCell cell = row[moved[hole]];
                if (cell.win == kDead16) continue;
                sums.win[hole] += cell.win;
                sums.tie[hole] += cell.tie;
                sums.square[hole] += points_squared(cell);
            }
        });
        std::fill_n(cells, kNumHoles, RiverCell{kDead16, kDead16});
        std::fill_n(square, kNumHoles, kDead32);
        for (const auto hole : holes) {
            cells[hole] = {static_cast<std::uint16_t>(sums.win[hole]),
                           static_cast<std::uint16_t>(sums.tie[hole])};
            square[hole] = sums.square[hole];
        }
    }
}

void flop_strengths(int begin, int end, const RiverCell* turn, const std::uint32_t* turn_square,
                    FlopCell* cells, std::uint32_t* square) {
    const Boards& boards = Boards::of(3);
    for (int id = begin; id < end; ++id, cells += kNumHoles, square += kNumHoles) {
        const auto holes = live_holes(boards.masks(id));
        std::array<std::uint64_t, kNumHoles> win{}, tie{}, squares{};
        for_each_child(Boards::of(4), boards.masks(id), [&](std::size_t child, const auto* moved) {
            for (const auto hole : holes) {
                const std::size_t at = child * kNumHoles + moved[hole];
                if (turn[at].win == kDead16) continue;
                win[hole] += turn[at].win;
                tie[hole] += turn[at].tie;
                squares[hole] += turn_square[at];
            }
        });
        std::fill_n(cells, kNumHoles, FlopCell{kDead32, kDead32});
        std::fill_n(square, kNumHoles, kDead32);
        // Each runout of two cards was counted in both orders.
        for (const auto hole : holes) {
            cells[hole] = {static_cast<std::uint32_t>(win[hole] / 2),
                           static_cast<std::uint32_t>(tie[hole] / 2)};
            square[hole] = static_cast<std::uint32_t>(squares[hole] / 2);
        }
    }
}

void preflop_strengths(const FlopCell* flop, const std::uint32_t* flop_square, FlopCell* cells,
                       std::uint64_t* square) {
    std::array<std::uint64_t, kNumHoles> win{}, tie{}, squares{};
    std::array<Card, 3> cards;
    for (cards[0] = 2; cards[0] < kNumCards; ++cards[0]) {
        for (cards[1] = 1; cards[1] < cards[0]; ++cards[1]) {
            for (cards[2] = 0; cards[2] < cards[1]; ++cards[2]) {
                const CanonicalBoard found = Boards::of(3).find(suit_masks_of(cards.data(), 3));
                const auto& moved = hole_permutations()[found.permutation];
                for (int hole = 0; hole < kNumHoles; ++hole) {
                    const std::size_t at = std::size_t{found.id} * kNumHoles + moved[hole];
                    if (flop[at].win == kDead32) continue;
                    win[hole] += flop[at].win;
                    tie[hole] += flop[at].tie;
                    squares[hole] += flop_square[at];
                }
            }
        }
    }
    // Each board of five cards was counted once for each of its ten flops.
    for (int hole = 0; hole < kNumHoles; ++hole) {
        cells[hole] = {static_cast<std::uint32_t>(win[hole] / 10),
                       static_cast<std::uint32_t>(tie[hole] / 10)};
        square[hole] = squares[hole] / 10;
    }
}

void run_out_histograms(int num_cards, const std::uint32_t* boards, int num_boards,
                        const RiverCell* river, const std::uint16_t* bin_of, int num_bins,
                        std::uint16_t* histograms) {
    for (int i = 0; i < num_boards; ++i) {
        std::uint16_t* rows = histograms + std::size_t{kNumHoles} * num_bins * i;
        std::fill_n(rows, std::size_t{kNumHoles} * num_bins, std::uint16_t{0});
        const SuitMasks board = Boards::of(num_cards).masks(boards[i]);
        const auto holes = live_holes(board);
        const auto add_river = [&](SuitMasks full) {
            const CanonicalBoard found = Boards::of(5).find(full);
            const RiverCell* row = river + std::size_t{found.id} * kNumHoles;
            const auto& moved = hole_permutations()[found.permutation];
            for (const auto hole : holes) {
                const RiverCell cell = row[moved[hole]];
                if (cell.win != kDead16) ++rows[hole * num_bins + bin_of[2 * cell.win + cell.tie]];
            }
        };
        for (int high = 0; high < kNumCards; ++high) {
            if (board & suit_masks_of(high)) continue;
            if (num_cards == 4) add_river(board | suit_masks_of(high));
            for (int low = 0; num_cards == 3 && low < high; ++low) {
                if (!(board & suit_masks_of(low))) {
                    add_river(board | suit_masks_of(high) | suit_masks_of(low));
                }
            }
        }
    }
}

}  // namespace riverboat
