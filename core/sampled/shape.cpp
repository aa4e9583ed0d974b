#include "sampled/shape.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "spots/program.hpp"

namespace riverboat::sampled {
namespace {

// Vectors of a street before are used as they are if at least this share of their lanes is used.
constexpr int kLeastStraight = kLanes * 3 / 4;

class ShapeCompiler {
  public:
    ShapeCompiler(const Tree& tree) : tree_(tree) {}

    Shape compile(std::int32_t root) {
        for (auto& sequences : shape_.sequences) sequences.push_back({-1, -1});
        shape_.nodes.emplace_back();
        visit(root, 0, {0, 0});
        for (int player = 0; player < 2; ++player) find_columns(player);
        return std::move(shape_);
    }

  private:
    void visit(std::int32_t index, std::int32_t to, std::array<std::int32_t, 2> sequence) {
        const TreeNode& node = tree_.nodes()[index];
        StreetNode found{.kind = node.kind};
        if (node.kind != NodeKind::kDecision) {
            found.end = static_cast<std::int32_t>(shape_.ends.size());
            if (node.kind == NodeKind::kChance) shape_.exits.push_back(found.end);
            shape_.ends.push_back({node.kind, sequence});
            shape_.nodes[to] = found;
            return;
        }
        const int player = node.player;
        found.player = node.player;
        found.num_actions = node.num_actions;
        found.first_child = static_cast<std::int32_t>(shape_.nodes.size());
        found.entry = shape_.entries[player];
        found.sequence = sequence[player];
        shape_.nodes[to] = found;
        shape_.nodes.resize(shape_.nodes.size() + node.num_actions);
        shape_.entries[player] += node.num_actions;
        auto& sequences = shape_.sequences[player];
        const auto first = static_cast<std::int32_t>(sequences.size());
        for (int a = 0; a < node.num_actions; ++a) {
            sequences.push_back({found.sequence, found.entry + a});
        }
        for (int a = 0; a < node.num_actions; ++a) {
            sequence[player] = first + a;
            visit(node.first_child + a, found.first_child + a, sequence);
        }
    }

    void find_columns(int player) {
        std::vector<Column> columns;
        for (std::size_t i = 0; i < shape_.ends.size(); ++i) {
            const StreetEnd& end = shape_.ends[i];
            if (end.kind == NodeKind::kChance) continue;
            const auto place = end.kind == NodeKind::kFold ? &Column::fold : &Column::showdown;
            const std::int32_t other = end.sequence[1 - player];
            const auto fits = [&](const Column& column) {
                return column.sequence == other && column.*place < 0;
            };
            auto column = std::ranges::find_if(columns, fits);
            if (column == columns.end()) {
                columns.push_back({other});
                column = columns.end() - 1;
            }
            (*column).*place = static_cast<std::int32_t>(i);
        }
        for (const Column& column : columns) {
            Columns& into = shape_.columns[player];
            (column.fold < 0       ? into.showdowns
             : column.showdown < 0 ? into.folds
                                   : into.both)
                .push_back(column);
        }
    }

    const Tree& tree_;
    Shape shape_;
};

void describe(const Tree& tree, std::int32_t index, Line& line) {
    const TreeNode& node = tree.nodes()[index];
    if (node.kind != NodeKind::kDecision) {
        line.shape += node.kind == NodeKind::kFold       ? 'f'
                      : node.kind == NodeKind::kShowdown ? 's'
                                                         : 'c';
        line.ends.push_back(index);
        return;
    }
    line.shape += '0' + node.player;
    line.shape += '(';
    for (int a = 0; a < node.num_actions; ++a) describe(tree, node.first_child + a, line);
    line.shape += ')';
}

PackPayoffs payoffs_of(const Tree& tree, const Pack& pack, int player) {
    const spots::SpotPayoffs payoffs{tree};
    const std::size_t ends = pack.ends[0].size();
    PackPayoffs found;
    for (auto* rows : {&found.fold, &found.win, &found.tie, &found.lose}) *rows = LaneArray(ends);
    for (int lane = 0; lane < pack.count; ++lane) {
        for (std::size_t i = 0; i < ends; ++i) {
            const TreeNode& node = tree.nodes()[pack.ends[lane][i]];
            const auto pays = [&](int outcome) {
                return static_cast<float>(
                    payoffs.showdown(node, player, player == 0 ? outcome : 2 - outcome));
            };
            if (node.kind == NodeKind::kFold) {
                found.fold[i][lane] = static_cast<float>(payoffs.fold(node, player));
            } else if (node.kind == NodeKind::kShowdown) {
                found.win[i][lane] = pays(0);
                found.tie[i][lane] = pays(1);
                found.lose[i][lane] = pays(2);
            }
        }
    }
    return found;
}

struct SourcedLine {
    LaneSource source;
    Line line;
    std::string next;  // shapes of the lines behind its exits
};

// Groups lines of one street into packs.
class Packer {
  public:
    Packer(const Tree& tree, std::vector<Shape>& shapes) : tree_(tree), shapes_(shapes) {}

    // The line behind an exit, which is a chance node.
    SourcedLine behind(std::int32_t chance, const LaneSource& source) const {
        SourcedLine found{source, line_of(tree_, tree_.nodes()[chance].first_child), {}};
        for (const std::int32_t end : found.line.ends) {
            const TreeNode& node = tree_.nodes()[end];
            if (node.kind != NodeKind::kChance) continue;
            found.next += line_of(tree_, node.first_child).shape + ' ';
        }
        return found;
    }

    std::vector<Pack> pack(std::vector<SourcedLine> lines) {
        std::ranges::stable_sort(lines, {}, [](const SourcedLine& line) {
            return std::tie(line.line.shape, line.next);
        });
        std::vector<Pack> packs;
        for (const SourcedLine& line : lines) {
            if (packs.empty() || packs.back().count == kLanes ||
                shapes_[packs.back().shape].text != line.line.shape) {
                packs.push_back({.shape = find(line)});
            }
            add(packs.back(), line);
        }
        return packs;
    }

    // The lines behind one exit of a pack, if they can stay in their lanes.
    bool straight(const std::vector<SourcedLine>& lines, std::vector<Pack>& packs) {
        const auto shape = [](const SourcedLine& line) { return line.line.shape; };
        const bool fits = static_cast<int>(lines.size()) >= kLeastStraight &&
                          std::ranges::all_of(lines, [&](const SourcedLine& line) {
                              return shape(line) == shape(lines[0]);
                          });
        if (!fits) return false;
        packs.push_back({.shape = find(lines[0]), .straight = true});
        for (const SourcedLine& line : lines) add(packs.back(), line);
        return true;
    }

    void finish(std::vector<Pack>& packs) const {
        for (Pack& pack : packs) {
            for (int p = 0; p < 2; ++p) pack.payoffs[p] = payoffs_of(tree_, pack, p);
        }
    }

  private:
    std::int32_t find(const SourcedLine& line) {
        const auto known = std::ranges::find(shapes_, line.line.shape, &Shape::text);
        if (known != shapes_.end()) return static_cast<std::int32_t>(known - shapes_.begin());
        std::int32_t root = line.line.ends[0];
        while (tree_.nodes()[tree_.parents()[root]].kind != NodeKind::kChance) {
            root = tree_.parents()[root];
        }
        shapes_.push_back(shape_of(tree_, root));
        return static_cast<std::int32_t>(shapes_.size() - 1);
    }

    static void add(Pack& pack, const SourcedLine& line) {
        pack.source[pack.count] = line.source;
        pack.ends[pack.count++] = line.line.ends;
    }

    const Tree& tree_;
    std::vector<Shape>& shapes_;
};

std::vector<Pack> pack_rivers(const Program& program, Packer& packer) {
    std::vector<Pack> packs;
    std::vector<SourcedLine> others;
    for (std::size_t i = 0; i < program.turns.size(); ++i) {
        const Pack& turn = program.turns[i];
        const auto exits = program.shapes[turn.shape].exits;  // shapes are added below
        for (std::size_t exit = 0; exit < exits.size(); ++exit) {
            std::vector<SourcedLine> lines;
            for (int lane = 0; lane < turn.count; ++lane) {
                lines.push_back(packer.behind(
                    turn.ends[lane][exits[exit]],
                    {static_cast<std::int32_t>(i), static_cast<std::int32_t>(exit), lane}));
            }
            if (packer.straight(lines, packs)) continue;
            others.insert(others.end(), lines.begin(), lines.end());
        }
    }
    for (Pack& pack : packer.pack(std::move(others))) packs.push_back(std::move(pack));
    return packs;
}

}  // namespace

Line line_of(const Tree& tree, std::int32_t root) {
    Line line;
    describe(tree, root, line);
    return line;
}

Shape shape_of(const Tree& tree, std::int32_t root) {
    Shape shape = ShapeCompiler(tree).compile(root);
    shape.text = line_of(tree, root).shape;
    return shape;
}

std::uint64_t Program::bytes() const {
    std::uint64_t bytes = 0;
    for (const auto* packs : {&turns, &rivers}) {
        for (const Pack& pack : *packs) {
            bytes += sizeof(Pack);
            for (const auto& ends : pack.ends) bytes += ends.capacity() * sizeof(std::int32_t);
            for (const PackPayoffs& pays : pack.payoffs) bytes += 4 * pays.fold.bytes();
        }
    }
    return bytes;
}

Program compile_lanes(const Tree& tree) {
    Program program;
    program.first = shape_of(tree, 0);
    Packer packer(tree, program.shapes);
    const Line first = line_of(tree, 0);
    std::vector<SourcedLine> turns;
    for (std::size_t exit = 0; exit < program.first.exits.size(); ++exit) {
        turns.push_back(packer.behind(first.ends[program.first.exits[exit]],
                                      {-1, static_cast<std::int32_t>(exit), -1}));
    }
    program.turns = packer.pack(std::move(turns));
    program.rivers = pack_rivers(program, packer);
    packer.finish(program.turns);
    packer.finish(program.rivers);
    return program;
}

}  // namespace riverboat::sampled
