// Shared by the solver bindings.
#pragma once

#include <memory>

#include "bindings/tree.hpp"
#include "solve/deal.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

// The tree if sampled solvers can walk it, else throws GameError.
inline const std::shared_ptr<const Tree>& whole_tree(const CompiledTree& tree) {
    if (!tree.tree->from_start()) {
        throw GameError(
            "deals need the tree of a whole game: this one starts later, or has "
            "other stacks or chance nodes");
    }
    return tree.tree;
}

// A dealer with its tree and the layout of strategy entries.
struct CompiledDealer {
    std::shared_ptr<const Tree> tree;
    std::shared_ptr<const Dealer> dealer;
    std::shared_ptr<const Layout> layout;

    CompiledDealer(std::shared_ptr<const Tree> for_tree, std::shared_ptr<const Dealer> deals)
        : tree(std::move(for_tree)),
          dealer(std::move(deals)),
          layout(std::make_shared<const Layout>(*tree, dealer->num_buckets())) {}
};

// Refuses trees with imperfect recall of the betting, for walks that need perfect recall.
inline void need_recall(const CompiledDealer& deals) {
    if (deals.tree->forgets()) {
        throw GameError("a menu that recalls raises needs a scheme that samples deals");
    }
}

}  // namespace riverboat::bindings
