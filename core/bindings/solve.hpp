// What the solver bindings share.
#pragma once

#include <memory>

#include "bindings/tree.hpp"
#include "solve/deal.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

// The tree, where sampled solvers can walk it; throws GameError.
inline const std::shared_ptr<const Tree>& whole_tree(const CompiledTree& tree) {
    if (!tree.tree->whole()) {
        throw GameError(
            "deals are for the tree of a whole game: this one starts later, or has "
            "other stacks or chance nodes");
    }
    return tree.tree;
}

// A dealer with the tree that it deals for, and where strategy entries lie.
struct CompiledDealer {
    std::shared_ptr<const Tree> tree;
    std::shared_ptr<const Dealer> dealer;
    std::shared_ptr<const Layout> layout;

    CompiledDealer(std::shared_ptr<const Tree> for_tree, std::shared_ptr<const Dealer> deals)
        : tree(std::move(for_tree)),
          dealer(std::move(deals)),
          layout(std::make_shared<const Layout>(*tree, dealer->num_buckets())) {}
};

// Refuses trees whose infosets forget, where a walk needs all that players know.
inline void need_recall(const CompiledDealer& deals) {
    if (deals.tree->forgets()) {
        throw GameError("a menu that recalls raises only is for schemes that sample deals");
    }
}

}  // namespace riverboat::bindings
