// Runouts of a board, up to suit permutations that change nothing.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "cards/boards.hpp"
#include "cards/evaluator.hpp"

namespace riverboat {

// One runout, which represents `weight` equivalent ones.
struct RunOut {
    SuitMasks masks;  // the added cards
    HandSum sum;      // of the whole board
    double weight;
};

// The board, and the dead cards.
struct Table {
    std::vector<Card> board;
    SuitMasks dead = 0;  // includes the board
    HandSum sum = Evaluator::empty(7);
    std::vector<int> symmetries;  // suit permutations (not the identity) that change nothing

    // Set from another thread to cancel: kernels return soon, with undefined sums.
    std::shared_ptr<std::atomic<bool>> stopped = std::make_shared<std::atomic<bool>>(false);

    int missing() const { return 5 - static_cast<int>(board.size()); }
};

// Calls visit(RunOut) for the runouts whose highest card lies in [begin, end),
// so that the work can be sliced; a complete board belongs to the slice of 0.
template <typename Visit>
void for_each_run_out(const Table& table, int begin, int end, const Visit& visit);

namespace detail {

template <typename Visit>
void add_run_out_cards(const Table& table, int left, int limit, SuitMasks masks, HandSum sum,
                       const Visit& visit) {
    if (left == 0) {
        int same = 1;
        for (const int permutation : table.symmetries) {
            const SuitMasks moved = permute(masks, permutation);
            if (moved < masks) return;  // an equivalent runout represents this one
            same += moved == masks;
        }
        visit(RunOut{masks, sum, static_cast<double>(table.symmetries.size() + 1) / same});
        return;
    }
    if (table.stopped->load(std::memory_order_relaxed)) return;
    for (int card = left - 1; card < limit; ++card) {
        const SuitMasks bit = suit_masks_of(card);
        if (table.dead & bit) continue;
        add_run_out_cards(table, left - 1, card, masks | bit,
                          sum + Evaluator::standard().card(card), visit);
    }
}

}  // namespace detail

template <typename Visit>
void for_each_run_out(const Table& table, int begin, int end, const Visit& visit) {
    const int missing = table.missing();
    if (missing == 0) {
        if (begin == 0) visit(RunOut{0, table.sum, 1.0});
        return;
    }
    for (int card = std::max(begin, missing - 1); card < end; ++card) {
        const SuitMasks bit = suit_masks_of(card);
        if (table.dead & bit) continue;
        detail::add_run_out_cards(table, missing - 1, card, bit,
                                  table.sum + Evaluator::standard().card(card), visit);
    }
}

}  // namespace riverboat
