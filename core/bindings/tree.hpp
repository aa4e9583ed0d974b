// What the tree and solver bindings share.
#pragma once

#include <memory>

#include "tree/tree.hpp"

namespace riverboat::bindings {

struct CompiledTree {
    std::shared_ptr<const Tree> tree;
};

}  // namespace riverboat::bindings
