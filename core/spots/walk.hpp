// One walk over all boards and betting lines of a program, for one traverser.
//
// A board runs a segment in three phases: reaches down, terminals in lanes, values up. Between the
// last two phases it deals every next card and runs the segments that follow its exits. Threads
// share the cards after the root board, in a fixed number of chunks whose sums are added in order;
// on a full board they share the hands and the terminals. So results do not depend on the number of
// threads.
//
// The policy does the work at a node: `down(step, board, hands, reach)` splits reaches, and
// `up(step, board, hands, values)` combines values. `fetch(step, board, hands)` is optional.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "spots/boards.hpp"
#include "spots/lanes.hpp"
#include "spots/memory.hpp"
#include "util/pool.hpp"
#include "spots/program.hpp"
#include "spots/steps.hpp"
#include "spots/terminals.hpp"
#include "spots/workshop.hpp"

namespace riverboat::spots {

// Chunks of the cards after the root board; each has its own sums, which take the same memory in
// either precision.
template <typename Real>
inline constexpr int kChunks = 64 / sizeof(Real);

// Where cards are dealt, exits are processed in groups, side by side, so that the position of a
// hand on the next board is looked up once per group. A group has exits to one following segment
// only.
template <typename Real>
std::size_t num_groups(const Segment& segment) {
    std::size_t groups = 0;
    for (const Segment& next : segment.next) {
        groups += (next.num_entries + kSide<Real> - 1) / kSide<Real>;
    }
    return groups;
}

// Bytes of scratch for eight lanes on boards of a street.
template <typename Real>
std::size_t lane_bytes(std::uint32_t room) {
    return (2 * room + kWide) * (kWide + 1) * sizeof(Real) + Stack::kAlign;
}

// Bytes of stack that a walk needs; `room`: length of a row, by street. The first thread has the
// root's rows, the others run later streets.
template <typename Real>
std::size_t stack_bytes(const Segment& segment, std::span<const std::uint32_t> room, bool root,
                        bool first = true) {
    std::size_t below = lane_bytes<Real>(room[segment.street]), frame = 0;
    for (const Segment& next : segment.next) {
        below = std::max(below, stack_bytes<Real>(next, room, false));
    }
    if (!first) return below;
    const std::size_t row = room[segment.street] * sizeof(Real);
    for (const View& view : segment.view) {
        frame = std::max(frame, (view.num_rows + view.num_leaves) * row);
    }
    const std::size_t group = (row + sizeof(Real)) * kSide<Real>;
    frame += num_groups<Real>(segment) * group * (root ? 1 + kChunks<Real> : 2);
    return frame + below + (kChunks<Real> + 3) * Stack::kAlign;
}

template <typename Policy>
class Walk {
  public:
    using Real = typename Policy::Real;

    Walk(const Boards& boards, Workshop workshop, Policy policy, int player)
        : boards_(boards), workshop_(workshop), policy_(policy), player_(player) {}

    // reach [hands of the other], values [own hands, or none] on the program's board.
    void run(const Segment& segment, const Board& board, std::span<const Real> reach,
             std::span<Real> values) {
        const FlushToZero flush;
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
        if (!segment.next.empty()) {
            const Stack::Mark mark(stack);
            const Real* reach = exit_reaches(segment, frame, stack);
            const std::size_t size = sums_size(segment, frame.values.stride);
            Real* sums = stack.take<Real>(size);
            std::fill_n(sums, size, Real{});
            for (const Board& child : boards_.children(board)) {
                deal_card(segment, child, reach, sums, stack);
            }
            exit_values(segment, frame, sums);
        }
        even_out(segment, board, frame);
        go_up(segment, board, frame, 0, frame.values.stride);
    }

    void go_down(const Segment& segment, const Board& board, const Frame& frame, std::size_t begin,
                 std::size_t end) {
        const HandRange hands{frame.reach.stride, begin, end};
        for_steps(view(segment).down, board, hands,
                  [&](const DownStep& step) { policy_.down(step, board, hands, frame.reach); });
    }

    void go_up(const Segment& segment, const Board& board, const Frame& frame, std::size_t begin,
               std::size_t end) {
        const HandRange hands{frame.values.stride, begin, end};
        for_steps(view(segment).up, board, hands, [&](const UpStep& step) {
            Real* rows[kMaxActions];
            const std::int32_t* children = &view(segment).children[step.first_child];
            for (int a = 0; a < step.actions; ++a) rows[a] = frame.values[children[a]];
            if constexpr (requires { policy_.record(step, board, hands, rows); }) {
                policy_.record(step, board, hands, rows);
            }
            if (step.own) {
                policy_.up(step, board, hands, rows);
            } else {
                sum_up<Real>(step.actions, hands, rows);
            }
        });
    }

    // Runs f(step) on each step; a policy may fetch the tables of the next step.
    template <typename Step, typename F>
    void for_steps(const std::vector<Step>& steps, const Board& board, const HandRange& hands,
                   const F& f) const {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if constexpr (requires { policy_.fetch(steps[i], board, hands); }) {
                if (i + 1 < steps.size()) policy_.fetch(steps[i + 1], board, hands);
            }
            f(steps[i]);
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

    static constexpr int kSide = spots::kSide<Real>;
    static constexpr int kChunks = spots::kChunks<Real>;
    using Lanes = Pack<Real>;

    // Calls f(segment, rows before, rows) for each group of exits.
    template <typename F>
    static void for_groups(const Segment& segment, const F& f) {
        for (const Segment& next : segment.next) {
            for (int done = 0; done < next.num_entries; done += kSide) {
                f(next, done, std::min(kSide, next.num_entries - done));
            }
        }
    }

    // The reaches of the exits, in lanes; unused lanes repeat the first lane.
    const Real* exit_reaches(const Segment& segment, const Frame& frame, Stack& stack) const {
        const std::size_t size = (frame.reach.stride + 1) * kSide;
        Real* const all = stack.take<Real>(num_groups<Real>(segment) * size);
        Real* group = all;
        for_groups(segment, [&](const Segment& next, int done, int count) {
            const Exit* exits = &view(segment).exits[next.first_exit + done];
            const Real* rows[kSide];
            for (int k = 0; k < kSide; ++k) rows[k] = frame.reach[exits[k < count ? k : 0].row];
            load_lanes<Real, kSide>(rows, static_cast<std::uint32_t>(frame.reach.stride),
                                    reinterpret_cast<Lanes*>(group));
            group += size;
        });
        return all;
    }

    // Size of the sums of the exits' values, which are in lanes.
    static std::size_t sums_size(const Segment& segment, std::size_t stride) {
        return num_groups<Real>(segment) * (stride + 1) * kSide;
    }

    // From lanes to the rows of the exits.
    void exit_values(const Segment& segment, const Frame& frame, const Real* sums) const {
        const auto* lanes = reinterpret_cast<const Lanes*>(sums);
        for_groups(segment, [&](const Segment& next, int done, int count) {
            const Exit* exits = &view(segment).exits[next.first_exit + done];
            for (std::uint32_t hand = 0; hand < frame.values.stride; hand += kSide) {
                Lanes rows[kSide];
                transpose(lanes + hand, rows);
                for (int k = 0; k < count; ++k) {
                    pack_at<Real>(frame.values[exits[k].leaf] + hand) = rows[k];
                }
            }
            lanes += frame.values.stride + 1;
        });
    }

    // Adds the values after one card to the exits' values.
    void deal_card(const Segment& segment, const Board& child, const Real* reach, Real* sums,
                   Stack& stack) {
        const Board& board = boards_[child.parent];
        const auto* from = reinterpret_cast<const Lanes*>(reach);
        auto* to = reinterpret_cast<Lanes*>(sums);
        for (const Segment& next : segment.next) {
            const Stack::Mark mark(stack);
            const Frame frame = make_frame(next, child, stack);
            for (int done = 0; done < next.num_entries; done += kSide) {
                const int count = std::min(kSide, next.num_entries - done);
                gather(other(child), from, count, {frame.reach[done], frame.reach.stride});
                from += other(board).padded + 1;
            }
            run_board(next, child, frame, stack);
            for (int done = 0; done < next.num_entries; done += kSide) {
                const int count = std::min(kSide, next.num_entries - done);
                const Real* rows[kSide];
                for (int k = 0; k < kSide; ++k) {
                    rows[k] = frame.values[view(next).entry_leaf[done + (k < count ? k : 0)]];
                }
                scatter(mine(child), rows, static_cast<Real>(child.weight), to);
                to += mine(board).padded + 1;
            }
        }
    }

    static void gather(const Hands& hands, const Lanes* from, int count, Rows<Real> to) {
        const std::uint16_t* parent = hands.parent.data();
        for (std::uint32_t hand = 0; hand < hands.padded; hand += kSide) {
            Lanes lanes[kSide], rows[kSide];
            for (int i = 0; i < kSide; ++i) lanes[i] = from[parent[hand + i]];
            transpose(lanes, rows);
            for (int k = 0; k < count; ++k) pack_at<Real>(to[k] + hand) = rows[k];
        }
    }

    static void scatter(const Hands& hands, const Real* const* from, Real weight, Lanes* to) {
        const std::uint16_t* parent = hands.parent.data();
        for (std::uint32_t hand = 0; hand < hands.padded; hand += kSide) {
            Lanes rows[kSide], lanes[kSide];
            for (int k = 0; k < kSide; ++k) rows[k] = pack_at<Real>(from[k] + hand);
            transpose(rows, lanes);
            for (int i = 0; i < kSide; ++i) to[parent[hand + i]] += lanes[i] * weight;
        }
    }

    // Isomorphic hands get the mean of their values, bit-identical, so that their
    // strategies stay equal, too.
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
        Stack& stack = workshop_.stacks[0];
        go_down(segment, board, frame, 0, frame.reach.stride);
        const Real* reach = exit_reaches(segment, frame, stack);
        const std::size_t size = sums_size(segment, frame.values.stride);
        Real* sums[kChunks];
        for (int chunk = 0; chunk < chunks; ++chunk) sums[chunk] = stack.take<Real>(size);
        // One more task computes the root's own terminals.
        workshop_.pool.run(chunks + 1, [&](int chunk, int thread) {
            if (chunk == chunks) {
                return end_lines(segment, board, frame, workshop_.stacks[thread]);
            }
            std::fill_n(sums[chunk], size, Real{});
            const std::size_t begin = children.size() * chunk / chunks;
            const std::size_t end = children.size() * (chunk + 1) / chunks;
            for (std::size_t i = begin; i < end; ++i) {
                deal_card(segment, children[i], reach, sums[chunk], workshop_.stacks[thread]);
            }
        });
        workshop_.pool.run(kChunks, [&](int part, int) {
            const std::size_t begin = size * part / kChunks, end = size * (part + 1) / kChunks;
            for (int chunk = 1; chunk < chunks; ++chunk) {
                for (std::size_t i = begin; i < end; ++i) sums[0][i] += sums[chunk][i];
            }
        });
        exit_values(segment, frame, sums[0]);
        even_out(segment, board, frame);
        go_up(segment, board, frame, 0, frame.values.stride);
    }

    const Boards& boards_;
    Workshop workshop_;
    Policy policy_;
    int player_;
};

}  // namespace riverboat::spots
