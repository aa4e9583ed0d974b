// Threads and memory of a walk.
#pragma once

#include <vector>

#include "spots/memory.hpp"

namespace riverboat::spots {

struct Workshop {
    Pool& pool;
    std::vector<Stack>& stacks;  // one per thread
};

}  // namespace riverboat::spots
