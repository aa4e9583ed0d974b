// One walk over all boards and betting lines of a program, for one traverser.
//
// A board runs a segment in three phases: reaches down, terminals in lanes, values up; between the
// last two it deals every next card and runs the segments behind its exits. Threads share the cards
// after the root board, in a fixed number of chunks that are added up in their order, or, on a
// full board, the hands and the terminals: so results do not depend on their number.
//
// What is done at a node is the policy's: `down(step, board, hands, reach)` splits reaches, and
// `up(step, board, hands, values)` joins values.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "spots/boards.hpp"
#include "spots/memory.hpp"
#include "spots/pool.hpp"
#include "spots/program.hpp"
#include "spots/steps.hpp"
#include "spots/terminals.hpp"

namespace riverboat::spots {

inline constexpr int kChunks = 16;  // of the cards after the root board

// What a walk needs of the machine.
struct Workshop {
    Pool& pool;
    std::vector<Stack>& stacks;  // one a thread
};

// Bytes of stack that a walk takes on one thread; `room` numbers in a row of each street.
template <typename Real>
std::size_t stack_bytes(const Segment& segment, std::span<const std::uint32_t> room, bool root) {
    std::size_t below = 0, frame = 0;
    for (const Segment& next : segment.next) {
        below = std::max(below, stack_bytes<Real>(next, room, false));
    }
    const std::size_t row = room[segment.street] * sizeof(Real);
    for (const View& view : segment.view) {
        const std::size_t rows = view.num_rows + (root ? 1 + kChunks : 1) * view.num_leaves;
        frame = std::max(frame, rows * row);
    }
    const std::size_t hands = 2 * room[segment.street] + kWide;
    const std::size_t lanes = hands * (kWide + 1) * sizeof(Real);
    return frame + std::max(lanes, below) + (kChunks + 4) * Stack::kAlign;
}

template <typename Policy>
class Walk {
  public:
    using Real = typename Policy::Real;

    Walk(const Boards& boards, Workshop workshop, Policy policy, int player)
        : boards_(boards), workshop_(workshop), policy_(policy), player_(player) {}

    // reach [hands of the other], values [own hands] on the program's board.
    void run(const Segment& segment, const Board& board, std::span<const Real> reach,
             std::span<Real> values) {
        const Stack::Mark mark(workshop_.stacks[0]);
        const Frame frame = make_frame(segment, board, workshop_.stacks[0]);
        Real* first = frame.reach[0];
        std::fill(std::copy(reach.begin(), reach.end(), first), first + frame.reach.stride, Real{});
        if (view(segment).exits.empty()) {
            share_board(segment, board, frame);
        } else {
            share_cards(segment, board, frame);
        }
        std::copy_n(frame.values[view(segment).entry_leaf[0]], values.size(), values.begin());
    }

  private:
    struct Frame {
        Rows<Real> reach, values;
    };

    const View& view(const Segment& segment) const { return segment.view[player_]; }
    const Hands& mine(const Board& board) const { return board.hands[player_]; }
    const Hands& other(const Board& board) const { return board.hands[1 - player_]; }

    Frame make_frame(const Segment& segment, const Board& board, Stack& stack) const {
        const std::size_t there = other(board).padded, here = mine(board).padded;
        return {{stack.take<Real>(view(segment).num_rows * there), there},
                {stack.take<Real>(view(segment).num_leaves * here), here}};
    }

    void run_board(const Segment& segment, const Board& board, const Frame& frame, Stack& stack) {
        go_down(segment, board, frame, 0, frame.reach.stride);
        end_lines(segment, board, frame, stack);
        if (!view(segment).exits.empty()) {
            clear_exits(segment, frame.values);
            const auto children = boards_.children(board);
            for (const Board& child : children) {
                deal_card(segment, child, frame.reach, frame.values, stack);
            }
        }
        even_out(segment, board, frame);
        go_up(segment, board, frame, 0, frame.values.stride);
    }

    void go_down(const Segment& segment, const Board& board, const Frame& frame, std::size_t begin,
                 std::size_t end) {
        const HandRange hands{frame.reach.stride, begin, end};
        for (const DownStep& step : view(segment).down) {
            policy_.down(step, board, hands, frame.reach);
        }
    }

    void go_up(const Segment& segment, const Board& board, const Frame& frame, std::size_t begin,
               std::size_t end) {
        const HandRange hands{frame.values.stride, begin, end};
        for (const UpStep& step : view(segment).up) {
            Real* rows[kMaxActions];
            const std::int32_t* children = &view(segment).children[step.first_child];
            for (int a = 0; a < step.actions; ++a) rows[a] = frame.values[children[a]];
            if (step.own) {
                policy_.up(step, board, hands, rows);
            } else {
                sum_up<Real>(step.actions, hands, rows);
            }
        }
    }

    void end_lines(const Segment& segment, const Board& board, const Frame& frame, Stack& stack) {
        for (const LaneBlock& block : view(segment).showdowns)
            end_block(block, board, frame, stack);
        for (const LaneBlock& block : view(segment).folds) end_block(block, board, frame, stack);
    }

    void end_block(const LaneBlock& block, const Board& board, const Frame& frame, Stack& stack) {
        const Stack::Mark mark(stack);
        Real* scratch = stack.take<Real>(lane_scratch_bytes<Real>(board) / sizeof(Real));
        evaluate_block<Real>(block, board, player_, frame.reach, frame.values, scratch);
    }

    void clear_exits(const Segment& segment, Rows<Real> values) const {
        for (const Exit& exit : view(segment).exits) {
            std::fill_n(values[exit.leaf], values.stride, Real{});
        }
    }

    // Adds to the exits' values what they are worth after one card.
    void deal_card(const Segment& segment, const Board& child, Rows<Real> reach, Rows<Real> values,
                   Stack& stack) {
        for (const Segment& next : segment.next) {
            const Stack::Mark mark(stack);
            const Frame frame = make_frame(next, child, stack);
            const Exit* exits = &view(segment).exits[next.first_exit];
            for (std::int32_t k = 0; k < next.num_entries; ++k) {
                gather(other(child), reach[exits[k].row], frame.reach[k]);
            }
            run_board(next, child, frame, stack);
            const auto weight = static_cast<Real>(child.weight);
            for (std::int32_t k = 0; k < next.num_entries; ++k) {
                scatter(mine(child), frame.values[view(next).entry_leaf[k]], weight,
                        values[exits[k].leaf]);
            }
        }
    }

    static void gather(const Hands& hands, const Real* from, Real* to) {
        const std::uint16_t* parent = hands.parent.data();
        for (std::uint32_t i = 0; i < hands.count; ++i) to[i] = from[parent[i]];
        std::fill(to + hands.count, to + hands.padded, Real{});
    }

    static void scatter(const Hands& hands, const Real* from, Real weight, Real* to) {
        const std::uint16_t* parent = hands.parent.data();
        for (std::uint32_t i = 0; i < hands.count; ++i) to[parent[i]] += weight * from[i];
    }

    // Hands that renamed suits make equal get the mean of their values: to the last bit, so that
    // their strategies stay equal, too.
    void even_out(const Segment& segment, const Board& board, const Frame& frame) const {
        const Hands& hands = mine(board);
        if (hands.orbit_ends.empty()) return;
        for (std::int32_t leaf = 0; leaf < view(segment).num_leaves; ++leaf) {
            Real* row = frame.values[leaf];
            std::size_t begin = 0;
            for (const std::size_t end : hands.orbit_ends) {
                Real sum{};
                for (std::size_t i = begin; i < end; ++i) sum += row[hands.orbits[i]];
                const Real mean = sum / static_cast<Real>(end - begin);
                for (std::size_t i = begin; i < end; ++i) row[hands.orbits[i]] = mean;
                begin = end;
            }
        }
    }

    // One full board: threads take hands, then terminals, then hands.
    void share_board(const Segment& segment, const Board& board, const Frame& frame) {
        Pool& pool = workshop_.pool;
        const int parts = policy_.splits_hands() ? pool.num_threads() : 1;
        const auto cut = [parts](std::size_t stride, int part) {
            return stride / kWide * part / parts * kWide;
        };
        pool.run(parts, [&](int part, int) {
            const std::size_t stride = frame.reach.stride;
            go_down(segment, board, frame, cut(stride, part), cut(stride, part + 1));
        });
        const auto &showdowns = view(segment).showdowns, &folds = view(segment).folds;
        const int num_showdowns = static_cast<int>(showdowns.size());
        pool.run(num_showdowns + static_cast<int>(folds.size()), [&](int block, int thread) {
            const LaneBlock& lanes =
                block < num_showdowns ? showdowns[block] : folds[block - num_showdowns];
            end_block(lanes, board, frame, workshop_.stacks[thread]);
        });
        even_out(segment, board, frame);
        pool.run(parts, [&](int part, int) {
            const std::size_t stride = frame.values.stride;
            go_up(segment, board, frame, cut(stride, part), cut(stride, part + 1));
        });
    }

    // A board with cards to come: threads take chunks of the next cards.
    void share_cards(const Segment& segment, const Board& board, const Frame& frame) {
        const auto children = boards_.children(board);
        const int chunks = std::min<int>(kChunks, static_cast<int>(children.size()));
        const std::size_t size = view(segment).num_leaves * frame.values.stride;
        Real* sums = workshop_.stacks[0].take<Real>(chunks * size);
        go_down(segment, board, frame, 0, frame.reach.stride);
        workshop_.pool.run(chunks, [&](int chunk, int thread) {
            const Rows<Real> sum{sums + chunk * size, frame.values.stride};
            clear_exits(segment, sum);
            const std::size_t begin = children.size() * chunk / chunks;
            const std::size_t end = children.size() * (chunk + 1) / chunks;
            for (std::size_t i = begin; i < end; ++i) {
                deal_card(segment, children[i], frame.reach, sum, workshop_.stacks[thread]);
            }
        });
        end_lines(segment, board, frame, workshop_.stacks[0]);
        for (const Exit& exit : view(segment).exits) {
            add_chunks(sums + exit.leaf * frame.values.stride, size, chunks,
                       frame.values[exit.leaf], frame.values.stride);
        }
        even_out(segment, board, frame);
        go_up(segment, board, frame, 0, frame.values.stride);
    }

    static void add_chunks(const Real* sums, std::size_t step, int chunks, Real* out,
                           std::size_t count) {
        std::copy_n(sums, count, out);
        for (int chunk = 1; chunk < chunks; ++chunk) {
            const Real* sum = sums + chunk * step;
            for (std::size_t i = 0; i < count; ++i) out[i] += sum[i];
        }
    }

    const Boards& boards_;
    Workshop workshop_;
    Policy policy_;
    int player_;
};

}  // namespace riverboat::spots
