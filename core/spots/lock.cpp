#include "spots/lock.hpp"

#include <cmath>

#include "spots/queries.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

void require_symmetry(std::span<const std::uint8_t> renamings, int actions, const float* strategy) {
    for (const int renaming : renamings) {
        for (int i = 0; i < actions * kNumHoles; ++i) {
            const int row = i / kNumHoles * kNumHoles;
            const float here = strategy[i];
            const float there = strategy[row + Boards::renamed(i - row, renaming)];
            if (here != there && !(std::isnan(here) && std::isnan(there))) {
                throw GameError(
                    "this lock has hands play differently that differ in their suits only: solve "
                    "the spot without isomorphism");
            }
        }
    }
}

// The stored boards that a lock applies to.
std::span<const Board> locked_boards(const SpotEngine& engine, std::int32_t node,
                                     const LockedCards& cards) {
    if (!cards) return engine.boards().of_street(engine.tree().streets()[node]);
    return {&engine.boards()[board_at(engine, node, *cards).board], 1};
}

// Copies a lock to a board; locked hands have no regrets.
void lock_board(SpotEngine& engine, const Board& board, std::int32_t node,
                std::span<const float> strategy) {
    const TreeNode& decision = engine.tree().nodes()[node];
    const Hands& hands = board.hands[decision.player];
    const NodeTables tables = engine.tables().at(board, decision.player, decision.offset);
    const std::size_t actions = decision.num_actions;
    float* rows = engine.locks().add(engine.boards().index(board), node, actions * hands.padded);
    for (std::size_t a = 0; a < actions; ++a) {
        for (std::uint32_t i = 0; i < hands.padded; ++i) {
            const std::size_t place = a * hands.padded + i;
            rows[place] = i < hands.count ? strategy[a * kNumHoles + hands.hole[i]] : 0;
            if (std::isnan(rows[place])) continue;
            if (tables.regrets16) tables.regrets16[place] = 0;
            if (tables.regrets) tables.regrets[place] = 0;
        }
    }
}

}  // namespace

void lock(SpotEngine& engine, std::int32_t node, const LockedCards& cards, const float* strategy) {
    const int actions = checked_node(engine.tree(), node, true).num_actions;
    const int renaming = cards ? board_at(engine, node, *cards).renaming : 0;
    std::vector<float> stored(actions * kNumHoles);  // with suits as the board has them
    for (int i = 0; i < actions * kNumHoles; ++i) {
        const int row = i / kNumHoles * kNumHoles;
        stored[row + Boards::renamed(i - row, renaming)] = strategy[i];
    }
    const auto boards = locked_boards(engine, node, cards);
    const Board& first = cards ? boards.front() : engine.boards()[0];
    // Values on a full board are not sums over runouts, so locks need not be symmetric there.
    const bool full = cards && first.street == engine.boards().last_street();
    if (!full) require_symmetry(first.renamings, actions, stored.data());
    for (const Board& board : boards) lock_board(engine, board, node, stored);
}

void unlock(SpotEngine& engine, std::int32_t node, const LockedCards& cards) {
    checked_node(engine.tree(), node, true);
    for (const Board& board : locked_boards(engine, node, cards)) {
        engine.locks().remove(engine.boards().index(board), node);
    }
}

}  // namespace riverboat::spots
