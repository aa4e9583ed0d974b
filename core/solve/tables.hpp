// Whole-table work: normalising, discounting, counting.
#pragma once

#include <cstdint>

#include "solve/deal.hpp"

namespace riverboat {

// Calls visit(row, num_actions, group) for every infoset, in the order of their rows.
template <typename Visit>
void for_each_infoset(const Tree& tree, const Layout& layout,
                      const std::vector<std::uint32_t>& num_buckets, const Visit& visit) {
    std::vector<std::vector<TreeNode>> decisions(num_buckets.size());
    std::vector<std::vector<bool>> shared(num_buckets.size());
    for (const TreeNode& node : tree.nodes()) {
        if (node.kind != NodeKind::kDecision) continue;
        if (tree.forgets()) {  // entries that decisions share are visited once
            auto& seen = shared[node.group];
            seen.resize(tree.groups()[node.group].entries);
            if (seen[node.offset]) continue;
            seen[node.offset] = true;
        }
        decisions[node.group].push_back(node);
    }
    for (std::size_t group = 0; group < num_buckets.size(); ++group) {
        for (std::uint32_t bucket = 0; bucket < num_buckets[group]; ++bucket) {
            for (const TreeNode& node : decisions[group]) {
                visit(layout.row(node, bucket), int{node.num_actions}, int{node.group});
            }
        }
    }
}

// strategy = average, each infoset divided by its sum; uniform where that is 0.
template <typename Average, typename Probability>
void normalise(const Tree& tree, const Layout& layout,
               const std::vector<std::uint32_t>& num_buckets, const Average* average,
               Probability* strategy) {
    for_each_infoset(tree, layout, num_buckets, [&](std::size_t row, int num_actions, int) {
        double total = 0;
        for (int a = 0; a < num_actions; ++a) total += static_cast<double>(average[row + a]);
        for (int a = 0; a < num_actions; ++a) {
            strategy[row + a] = static_cast<Probability>(
                total > 0 ? static_cast<double>(average[row + a]) / total : 1.0 / num_actions);
        }
    });
}

struct TableStatistics {
    std::uint64_t infosets = 0;
    std::uint64_t visited = 0;   // some regret or average weight is not 0
    std::uint64_t averaged = 0;  // the average strategy has weight
    double positive_regret = 0;  // sum over infosets of the largest regret, where positive
};

template <typename Regret, typename Average>
TableStatistics table_statistics(const Tree& tree, const Layout& layout,
                                 const std::vector<std::uint32_t>& num_buckets,
                                 const Regret* regrets, const Average* average) {
    TableStatistics found;
    for_each_infoset(tree, layout, num_buckets, [&](std::size_t row, int num_actions, int) {
        bool regretted = false, averaged = false;
        double largest = 0;
        for (int a = 0; a < num_actions; ++a) {
            regretted |= regrets[row + a] != 0;
            averaged |= average[row + a] != 0;
            largest = std::max(largest, static_cast<double>(regrets[row + a]));
        }
        ++found.infosets;
        found.visited += regretted || averaged;
        found.averaged += averaged;
        found.positive_regret += largest;
    });
    return found;
}

}  // namespace riverboat
