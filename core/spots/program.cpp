#include "spots/program.hpp"

#include <algorithm>
#include <span>

namespace riverboat::spots {
namespace {

struct Lane {
    std::int32_t row;
    std::int32_t fold_leaf = -1, showdown_leaf = -1;
    double fold = 0, win = 0, tie = 0, lose = 0;
};

// Groups lanes into blocks of eight.
std::vector<LaneBlock> blocks_of(std::span<const Lane> lanes) {
    std::vector<LaneBlock> blocks;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (i % kWide == 0) blocks.emplace_back();
        LaneBlock& block = blocks.back();
        const int k = block.count++;
        const Lane& lane = lanes[i];
        block.row[k] = lane.row;
        block.fold_leaf[k] = lane.fold_leaf;
        block.showdown_leaf[k] = lane.showdown_leaf;
        block.fold[k] = lane.fold;
        block.win[k] = lane.win;
        block.tie[k] = lane.tie;
        block.lose[k] = lane.lose;
        block.folds |= lane.fold_leaf >= 0;
        block.showdowns |= lane.showdown_leaf >= 0;
    }
    return blocks;
}

// Terminals with the same reach share a lane: at most one fold and one showdown.
void make_blocks(std::span<const Lane> terminals, View& view) {
    std::vector<Lane> lanes;
    for (const Lane& terminal : terminals) {
        const bool fold = terminal.fold_leaf >= 0;
        const auto fits = [&](const Lane& lane) {
            return lane.row == terminal.row && (fold ? lane.fold_leaf : lane.showdown_leaf) < 0;
        };
        // Terminals with the same reach are close together.
        const auto from =
            lanes.size() > 4 * kMaxActions ? lanes.end() - 4 * kMaxActions : lanes.begin();
        const auto found = std::find_if(from, lanes.end(), fits);
        if (found == lanes.end()) {
            lanes.push_back(terminal);
        } else if (fold) {
            found->fold_leaf = terminal.fold_leaf;
            found->fold = terminal.fold;
        } else {
            found->showdown_leaf = terminal.showdown_leaf;
            found->win = terminal.win, found->tie = terminal.tie, found->lose = terminal.lose;
        }
    }
    const auto fold_only = std::ranges::stable_partition(
        lanes, [](const Lane& lane) { return lane.showdown_leaf >= 0; });
    view.showdowns = blocks_of({lanes.begin(), fold_only.begin()});
    view.folds = blocks_of({fold_only.begin(), fold_only.end()});
}

// Compiles one segment for one traverser.
class ViewCompiler {
  public:
    ViewCompiler(const Tree& tree, int player) : tree_(tree), payoffs_{tree}, player_(player) {}

    View compile(std::span<const std::int32_t> entries) {
        view_.num_rows = static_cast<std::int32_t>(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            view_.entry_leaf.push_back(visit(entries[i], static_cast<std::int32_t>(i)));
        }
        make_blocks(terminals_, view_);
        return std::move(view_);
    }

  private:
    // Returns the value row of the node.
    std::int32_t visit(std::int32_t index, std::int32_t row) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind == NodeKind::kDecision) return decide(index, row);
        const std::int32_t leaf = view_.num_leaves++;
        if (node.kind == NodeKind::kChance) {
            view_.exits.push_back({row, leaf});
        } else if (node.kind == NodeKind::kFold) {
            terminals_.push_back({row, leaf, -1, payoffs_.fold(node, player_)});
        } else {
            const auto pays = [&](int outcome) {
                return payoffs_.showdown(node, player_, player_ == 0 ? outcome : 2 - outcome);
            };
            terminals_.push_back({row, -1, leaf, 0, pays(0), pays(1), pays(2)});
        }
        return leaf;
    }

    std::int32_t decide(std::int32_t index, std::int32_t row) {
        const TreeNode& node = tree_.nodes()[index];
        const bool own = node.player == player_;
        const std::int32_t first_row = view_.num_rows;
        if (!own) {
            view_.num_rows += node.num_actions;
            view_.down.push_back({index, row, first_row, node.offset, node.num_actions});
        }
        std::array<std::int32_t, kMaxActions> rows;
        for (int a = 0; a < node.num_actions; ++a) {
            rows[a] = visit(node.first_child + a, own ? row : first_row + a);
        }
        const auto first_child = static_cast<std::int32_t>(view_.children.size());
        view_.up.push_back({index, first_child, node.offset, node.num_actions, own});
        view_.children.insert(view_.children.end(), rows.begin(), rows.begin() + node.num_actions);
        return rows[0];
    }

    const Tree& tree_;
    SpotPayoffs payoffs_;
    int player_;
    View view_;
    std::vector<Lane> terminals_;
};

// Rows and steps that one entry adds to its segment.
struct EntryFacts {
    std::int32_t rows[2] = {};        // reach and value rows, by traverser
    std::vector<std::int32_t> exits;  // children of its chance nodes, in order
};

void count_rows(const Tree& tree, std::int32_t index, EntryFacts& facts) {
    const TreeNode& node = tree.nodes()[index];
    if (node.kind == NodeKind::kChance) facts.exits.push_back(node.first_child);
    if (node.kind != NodeKind::kDecision) {
        for (std::int32_t& rows : facts.rows) ++rows;
        return;
    }
    facts.rows[1 - node.player] += node.num_actions;
    for (int a = 0; a < node.num_actions; ++a) count_rows(tree, node.first_child + a, facts);
}

class ProgramCompiler {
  public:
    ProgramCompiler(const Tree& tree, const RowLimits& limits) : tree_(tree), limits_(limits) {}

    // Segments for these entries, all on one street.
    std::vector<Segment> compile(std::span<const std::int32_t> entries) {
        std::vector<Segment> segments;
        std::size_t begin = 0;
        while (begin < entries.size()) {
            std::vector<std::int32_t> exits;
            const std::size_t end = fill(entries, begin, exits);
            Segment& segment = segments.emplace_back();
            segment.street = tree_.streets()[entries[begin]];
            segment.num_entries = static_cast<std::int32_t>(end - begin);
            segment.first_exit = static_cast<std::int32_t>(begin);
            for (int player = 0; player < 2; ++player) {
                segment.view[player] =
                    ViewCompiler(tree_, player).compile(entries.subspan(begin, end - begin));
            }
            segment.next = compile(exits);
            begin = end;
        }
        return segments;
    }

  private:
    // Takes entries until the segment is full; returns the end.
    std::size_t fill(std::span<const std::int32_t> entries, std::size_t begin,
                     std::vector<std::int32_t>& exits) const {
        const std::int32_t limit = limits_[tree_.streets()[entries[begin]]];
        std::int32_t rows[2] = {};
        std::size_t end = begin;
        for (; end < entries.size(); ++end) {
            EntryFacts facts;
            count_rows(tree_, entries[end], facts);
            const bool full = std::max(rows[0] + facts.rows[0], rows[1] + facts.rows[1]) > limit;
            if (full && end > begin) break;
            for (int p = 0; p < 2; ++p) rows[p] += facts.rows[p] + 1;
            exits.insert(exits.end(), facts.exits.begin(), facts.exits.end());
        }
        return end;
    }

    const Tree& tree_;
    const RowLimits& limits_;
};

}  // namespace

double SpotPayoffs::fold(const TreeNode& node, int player) const {
    return static_cast<double>(tree.payoffs()[node.payoffs + player]) +
           static_cast<double>(tree.contributions()[player]);
}

double SpotPayoffs::showdown(const TreeNode& node, int player, int outcome) const {
    return static_cast<double>(tree.payoffs()[node.payoffs + 2 * outcome + player]) +
           static_cast<double>(tree.contributions()[player]);
}

Segment compile_program(const Tree& tree, std::int32_t root, const RowLimits& limits) {
    const std::int32_t entries[] = {root};
    return std::move(ProgramCompiler(tree, limits).compile(entries).front());
}

Segment equity_program(int street, int last_street) {
    Segment segment;
    segment.street = street;
    segment.num_entries = 1;
    for (View& view : segment.view) {
        view.num_rows = view.num_leaves = 1;
        view.entry_leaf = {0};
        if (street < last_street) {
            view.exits = {{0, 0}};
        } else {
            const Lane lane{0, -1, 0, 0, 1, 0.5, 0};
            view.showdowns = blocks_of({&lane, 1});
        }
    }
    if (street < last_street) segment.next.push_back(equity_program(street + 1, last_street));
    return segment;
}

}  // namespace riverboat::spots
