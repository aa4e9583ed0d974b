// The compiled tree, for the solver bindings.
#pragma once

#include <memory>

#include "bindings/bindings.hpp"
#include "tree/tree.hpp"

namespace riverboat::bindings {

struct CompiledTree {
    std::shared_ptr<const Tree> tree;
};

}  // namespace riverboat::bindings
