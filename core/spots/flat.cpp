#include "spots/flat.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace riverboat::spots {
namespace {

using Sizes = std::vector<std::int64_t>;

// ---- Boards

constexpr int kListPlaces = kNumCards + 1;

// The lists of one player's hands by card, on one board.
struct CardLists {
    std::array<std::uint16_t, kListPlaces> begin{};  // one more entry than hands

    explicit CardLists(const Hands& hands) {
        std::array<int, kNumCards> sizes{};
        for (const std::uint16_t hole : hands.hole) {
            ++sizes[kHoles[hole].low];
            ++sizes[kHoles[hole].high];
        }
        for (int card = 0; card < kNumCards; ++card) {
            begin[card + 1] = static_cast<std::uint16_t>(begin[card] + sizes[card] + 1);
        }
    }
    std::uint16_t end(int card) const { return static_cast<std::uint16_t>(begin[card + 1] - 1); }
};

// Fills the offsets of one player's hands in the sums of the opponent.
class RecordFiller {
  public:
    RecordFiller(const Board& board, int player, std::uint16_t* record)
        : mine_(board.hands[player]),
          other_(board.hands[1 - player]),
          lists_(other_),
          record_(record) {
        std::copy_n(lists_.begin.begin(), kNumCards, at_.begin());
        std::uint32_t i = 0, j = 0;
        for (const Run& run : board.runs) {
            for (std::uint32_t k = i; k < run.end[player]; ++k) note(k, j, 0);
            for (; j < run.end[1 - player]; ++j) {
                ++at_[kHoles[other_.hole[j]].low];
                ++at_[kHoles[other_.hole[j]].high];
            }
            for (; i < run.end[player]; ++i) note(i, j, 1);
        }
        for (std::uint32_t k = 0; k < mine_.count; ++k) {
            const Hole& hole = kHoles[mine_.hole[k]];
            record_[FlatHands::kRecord * k + 6] = lists_.end(hole.low);
            record_[FlatHands::kRecord * k + 7] = lists_.end(hole.high);
        }
    }

  private:
    // which: 0 = weaker hands, 1 = weaker or equal hands.
    void note(std::uint32_t hand, std::uint32_t below, int which) {
        std::uint16_t* to = record_ + FlatHands::kRecord * hand + which;
        to[0] = static_cast<std::uint16_t>(below);
        to[2] = at_[kHoles[mine_.hole[hand]].low];
        to[4] = at_[kHoles[mine_.hole[hand]].high];
    }

    const Hands &mine_, &other_;
    CardLists lists_;
    std::uint16_t* record_;
    std::array<std::uint16_t, kNumCards> at_{};
};

void size_hands(const Boards& boards, int player, FlatHands& flat) {
    std::int64_t hands = 0, moved = 0;
    flat.orbit_begin.push_back(0);
    flat.orbit_ends.push_back(0);
    for (const Board& board : boards.all()) {
        const Hands& mine = board.hands[player];
        flat.count.push_back(static_cast<std::int32_t>(mine.count));
        flat.padded.push_back(static_cast<std::int32_t>(mine.padded));
        flat.begin.push_back(hands);
        flat.moved_begin.push_back(moved);
        flat.base.push_back(static_cast<std::int64_t>(board.base[player]));
        flat.base_row.push_back(static_cast<std::int64_t>(board.base_row[player]));
        hands += mine.padded;
        if (board.parent >= 0) moved += boards[board.parent].hands[player].padded;
        const auto before = static_cast<std::int32_t>(flat.orbits.size());
        for (const std::int32_t end : mine.orbit_ends) flat.orbit_ends.push_back(before + end);
        flat.orbits.insert(flat.orbits.end(), mine.orbits.begin(), mine.orbits.end());
        flat.orbit_begin.push_back(static_cast<std::int32_t>(flat.orbit_ends.size()) - 1);
    }
    flat.parent.resize(hands);
    flat.same.resize(hands);
    flat.record.resize(FlatHands::kRecord * hands);
    flat.listed.resize(2 * hands);
    flat.lists.resize(kListPlaces * boards.all().size());
    flat.moved.assign(moved, 0xffff);
}

void fill_hands(const Boards& boards, std::int32_t index, int player, FlatHands& flat) {
    const Board& board = boards[index];
    const Hands& mine = board.hands[player];
    const std::int64_t begin = flat.begin[index];
    std::copy(mine.parent.begin(), mine.parent.end(), flat.parent.begin() + begin);
    std::copy(mine.same.begin(), mine.same.end(), flat.same.begin() + begin);
    if (board.parent >= 0) {
        std::uint16_t* moved = flat.moved.data() + flat.moved_begin[index];
        for (std::uint32_t i = 0; i < mine.count; ++i) {
            moved[mine.parent[i]] = static_cast<std::uint16_t>(i);
        }
    }
    const CardLists lists(mine);
    std::ranges::copy(lists.begin, flat.lists.begin() + kListPlaces * std::int64_t{index});
    std::array<std::uint16_t, kListPlaces> at = lists.begin;
    for (std::uint32_t i = 0; i < mine.count; ++i) {
        std::uint16_t* listed = &flat.listed[2 * (begin + i)];
        listed[0] = at[kHoles[mine.hole[i]].low]++;
        listed[1] = at[kHoles[mine.hole[i]].high]++;
    }
    RecordFiller(board, player, &flat.record[FlatHands::kRecord * begin]);
}

// ---- Programs

// Sorts steps by level; returns the offset of each level.
template <typename Step>
std::vector<std::int32_t> by_level(std::vector<Step>& steps, std::span<const int> levels) {
    std::vector<std::int32_t> order(steps.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return levels[i]; });
    std::vector<Step> sorted;
    std::vector<std::int32_t> begins;
    for (const std::int32_t i : order) {
        if (sorted.empty() || levels[i] != levels[order[sorted.size() - 1]]) {
            begins.push_back(static_cast<std::int32_t>(sorted.size()));
        }
        sorted.push_back(steps[i]);
    }
    steps = std::move(sorted);
    return begins;
}

// Level of each step: length of the longest chain of steps before it.
std::vector<int> down_levels(const View& view) {
    std::vector<int> of_row(view.num_rows, 0), levels;
    for (const DownStep& step : view.down) {
        levels.push_back(of_row[step.row]);
        for (int a = 0; a < step.actions; ++a) of_row[step.first_row + a] = levels.back() + 1;
    }
    return levels;
}

std::vector<int> up_levels(const View& view) {
    std::vector<int> of_leaf(view.num_leaves, 0), levels;
    for (const UpStep& step : view.up) {
        const std::int32_t* children = &view.children[step.first_child];
        int level = 0;
        for (int a = 0; a < step.actions; ++a) level = std::max(level, of_leaf[children[a]]);
        levels.push_back(level);
        of_leaf[children[0]] = level + 1;
    }
    return levels;
}

// Leaves of the last street reuse rows whose reaches are no longer needed, so that a segment has
// few rows. From here on leaves are numbered as rows, and there are as many leaves as rows. A
// kernel reads the reaches of at least two lanes before it writes their values.
void share_rows(View& view) {
    constexpr int kAtOnce = 2;
    std::vector<std::array<std::int32_t*, 2>> leaves;
    std::vector<std::int32_t> rows, last_lane(view.num_rows, -1), slots(view.num_leaves), free;
    for (auto* blocks : {&view.showdowns, &view.folds}) {
        for (LaneBlock& block : *blocks) {
            for (int k = 0; k < block.count; ++k) {
                last_lane[block.row[k]] = static_cast<std::int32_t>(rows.size());
                rows.push_back(block.row[k]);
                leaves.push_back({&block.fold_leaf[k], &block.showdown_leaf[k]});
            }
        }
    }
    for (std::int32_t row = 0; row < view.num_rows; ++row) {
        if (last_lane[row] < 0) free.push_back(row);
    }
    const auto slot_of = [&](std::int32_t leaf) {
        if (free.empty()) free.push_back(view.num_rows++);
        slots[leaf] = free.back();
        free.pop_back();
        return slots[leaf];
    };
    for (std::size_t first = 0; first < rows.size(); first += kAtOnce) {
        const std::size_t end = std::min(first + kAtOnce, rows.size());
        for (std::size_t i = first; i < end; ++i) {
            if (last_lane[rows[i]] == static_cast<std::int32_t>(i)) free.push_back(rows[i]);
        }
        for (std::size_t i = first; i < end; ++i) {
            for (std::int32_t* leaf : leaves[i]) {
                if (*leaf >= 0) *leaf = slot_of(*leaf);
            }
        }
    }
    for (auto* numbers : {&view.children, &view.entry_leaf}) {
        for (std::int32_t& leaf : *numbers) leaf = slots[leaf];
    }
    view.num_leaves = view.num_rows;
}

// All segments, each after the segments before it.
struct Found {
    const Segment* segment;
    std::int32_t before;  // its number
};

std::vector<Found> all_segments(const Segment& program) {
    std::vector<Found> found{{&program, -1}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const Segment& next : found[i].segment->next) {
            found.push_back({&next, static_cast<std::int32_t>(i)});
        }
    }
    return found;
}

class ViewFlattener {
  public:
    ViewFlattener(FlatView& flat, bool last) : flat_(flat), last_(last) {}

    // first_next: number of the first segment that follows.
    void add(const Segment& segment, int player, std::int32_t first_next) {
        View view = segment.view[player];
        if (last_) share_rows(view);
        FlatBounds bounds;
        bounds.rows = view.num_rows;
        bounds.leaves = view.num_leaves;
        bounds.first_down = size_of(flat_.down_levels);
        bounds.down_levels =
            add_levels(view.down, down_levels(view), size_of(flat_.down, 4), flat_.down_levels);
        bounds.first_up = size_of(flat_.up_levels);
        bounds.up_levels =
            add_levels(view.up, up_levels(view), size_of(flat_.up, 4), flat_.up_levels);
        add_steps(view);
        bounds.first_exit = size_of(flat_.exits, 4);
        bounds.num_exits = static_cast<std::int32_t>(view.exits.size());
        add_exits(segment, view, first_next);
        bounds.first_entry = size_of(flat_.entries, 2);
        for (std::size_t i = 0; i < view.entry_leaf.size(); ++i) {
            const std::int32_t leaf = view.entry_leaf[i];
            put(flat_.entries, {leaf, last_ ? static_cast<std::int32_t>(i) : leaf});
        }
        bounds.first_lane = size_of(flat_.lanes, 3);
        bounds.showdowns = add_lanes(view.showdowns);
        bounds.lanes = bounds.showdowns + add_lanes(view.folds);
        flat_.bounds.push_back(bounds);
    }

  private:
    static void put(std::vector<std::int32_t>& to, std::initializer_list<std::int32_t> numbers) {
        to.insert(to.end(), numbers);
    }

    // Rows of `columns` numbers so far.
    static std::int32_t size_of(const std::vector<std::int32_t>& array, std::size_t columns = 1) {
        return static_cast<std::int32_t>(array.size() / columns);
    }

    // Adds where the steps of each level begin; returns the number of levels.
    template <typename Step>
    static std::int32_t add_levels(std::vector<Step>& steps, const std::vector<int>& levels,
                                   std::int32_t before, std::vector<std::int32_t>& to) {
        const auto begins = by_level(steps, levels);
        for (const std::int32_t begin : begins) to.push_back(before + begin);
        to.push_back(before + static_cast<std::int32_t>(steps.size()));
        return static_cast<std::int32_t>(begins.size());
    }

    void add_steps(const View& view) {
        for (const DownStep& step : view.down) {
            const auto offset = static_cast<std::int32_t>(step.offset);
            put(flat_.down, {step.row, step.first_row, offset, step.actions});
        }
        const auto before = static_cast<std::int32_t>(flat_.children.size());
        for (const UpStep& step : view.up) {
            const auto offset = static_cast<std::int32_t>(step.offset);
            put(flat_.up, {before + step.first_child, offset, step.actions, step.own});
        }
        flat_.children.insert(flat_.children.end(), view.children.begin(), view.children.end());
    }

    void add_exits(const Segment& segment, const View& view, std::int32_t first_next) {
        for (std::size_t n = 0; n < segment.next.size(); ++n) {
            const Segment& next = segment.next[n];
            for (std::int32_t entry = 0; entry < next.num_entries; ++entry) {
                const Exit& exit = view.exits[next.first_exit + entry];
                put(flat_.exits,
                    {exit.row, exit.leaf, first_next + static_cast<std::int32_t>(n), entry});
            }
        }
    }

    std::int32_t add_lanes(std::span<const LaneBlock> blocks) {
        std::int32_t count = 0;
        for (const LaneBlock& block : blocks) {
            for (int k = 0; k < block.count; ++k, ++count) {
                put(flat_.lanes, {block.row[k], block.fold_leaf[k], block.showdown_leaf[k]});
                flat_.pays.insert(flat_.pays.end(),
                                  {block.fold[k], block.win[k], block.tie[k], block.lose[k]});
            }
        }
        return count;
    }

    FlatView& flat_;
    bool last_;
};

// Numbers items street by street, board by board.
void number_items(std::span<const Found> found, const Boards& boards, FlatProgram& flat) {
    const int streets = boards.last_street() - boards.first_street() + 1;
    std::vector<std::int32_t> segments(streets, 0);
    for (const Found& each : found) ++segments[each.segment->street - boards.first_street()];
    flat.street_items = {0};
    for (int i = 0; i < streets; ++i) {
        const auto count = boards.of_street(boards.first_street() + i).size();
        flat.street_items.push_back(flat.street_items.back() +
                                    segments[i] * static_cast<std::int32_t>(count));
    }
    std::vector<std::int32_t> seen(streets, 0);
    for (const Found& each : found) {
        const int street = each.segment->street - boards.first_street();
        const std::int32_t first = boards.index(boards.of_street(each.segment->street).front());
        flat.segment_items.push_back(flat.street_items[street] + seen[street]++ -
                                     first * segments[street]);
        flat.segment_items.push_back(segments[street]);
    }
}

void add_items(std::span<const Found> found, const Boards& boards, int player,
               const FlatProgram& flat, FlatView& view) {
    const std::int32_t items = flat.street_items.back();
    view.item.resize(4 * static_cast<std::size_t>(items));
    view.item_rows.resize(2 * static_cast<std::size_t>(items));
    const auto number = [&](std::int32_t segment, std::int32_t board) {
        return flat.segment_items[2 * segment] + board * flat.segment_items[2 * segment + 1];
    };
    for (std::size_t s = 0; s < found.size(); ++s) {
        const auto [segment, before] = found[s];
        for (const Board& board : boards.of_street(segment->street)) {
            const auto index = boards.index(board);
            const std::int32_t own = number(static_cast<std::int32_t>(s), index);
            const std::int32_t parent = before < 0 ? -1 : number(before, board.parent);
            std::int32_t* item = &view.item[4 * static_cast<std::size_t>(own)];
            item[0] = index, item[1] = static_cast<std::int32_t>(s), item[2] = parent;
            item[3] = segment->street;
        }
    }
    for (std::int32_t i = 0; i < items; ++i) {
        const std::size_t place = static_cast<std::size_t>(i);
        const Board& board = boards[view.item[4 * place]];
        const FlatBounds& bounds = view.bounds[view.item[4 * place + 1]];
        const Segment& segment = *found[view.item[4 * place + 1]].segment;
        const bool last = segment.street == boards.last_street();
        view.item_rows[2 * place] = view.reach_size;
        view.item_rows[2 * place + 1] = view.value_size;
        if (!last) {
            view.reach_size += std::int64_t{bounds.rows} * board.hands[1 - player].padded;
        }
        view.value_size +=
            std::int64_t{last ? segment.num_entries : bounds.leaves} * board.hands[player].padded;
    }
}

}  // namespace

FlatBoards flatten(const Boards& boards, Pool& pool) {
    FlatBoards flat;
    for (const Board& board : boards.all()) {
        flat.first_child.push_back(board.first_child);
        flat.num_children.push_back(board.num_children);
        flat.weight.push_back(board.weight);
    }
    for (int player = 0; player < 2; ++player) size_hands(boards, player, flat.hands[player]);
    pool.run(static_cast<int>(boards.all().size()), [&](int index, int) {
        for (int player = 0; player < 2; ++player) {
            fill_hands(boards, index, player, flat.hands[player]);
        }
    });
    return flat;
}

FlatProgram flatten(const Segment& program, const Boards& boards) {
    FlatProgram flat;
    const std::vector<Found> found = all_segments(program);
    std::int32_t next = 1;
    for (const Found& each : found) {
        const Segment& segment = *each.segment;
        const bool last = segment.street == boards.last_street();
        flat.segments.insert(flat.segments.end(),
                             {segment.street, segment.first_exit, segment.num_entries, last});
        for (int player = 0; player < 2; ++player) {
            ViewFlattener(flat.view[player], last).add(segment, player, next);
        }
        next += static_cast<std::int32_t>(segment.next.size());
    }
    number_items(found, boards, flat);
    for (int player = 0; player < 2; ++player) {
        add_items(found, boards, player, flat, flat.view[player]);
    }
    return flat;
}

}  // namespace riverboat::spots
