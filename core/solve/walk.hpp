// What the sampled schemes share: tables, regret matching, drawing an action.
#pragma once

#include <atomic>

#include "solve/deal.hpp"

namespace riverboat {

// Tables are shared by all threads without locks: an update that is lost now
// and then only adds noise (Niu et al. 2011). Relaxed atomics make that
// defined behaviour and cost nothing on common CPUs.
template <typename T>
T load(const T& value) {
    return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
}

template <typename T>
void add(T& value, T change) {
    std::atomic_ref<T> shared(value);
    shared.store(shared.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
}

// The current strategy: positive regrets, normalised; uniform where there are
// none (Hart & Mas-Colell 2000). Every action gets at least `floor`.
inline void match_regrets(const float* regrets, int num_actions, float floor, float* strategy) {
    float total = 0;
    for (int a = 0; a < num_actions; ++a) {
        const float regret = load(regrets[a]);
        strategy[a] = regret > 0 ? regret : 0;
        total += strategy[a];
    }
    const float even = 1.0f / static_cast<float>(num_actions);
    if (total > 0) {
        const float scale = (1 - floor * static_cast<float>(num_actions)) / total;
        for (int a = 0; a < num_actions; ++a) strategy[a] = strategy[a] * scale + floor;
    } else {
        for (int a = 0; a < num_actions; ++a) strategy[a] = even;
    }
}

// Never an action of probability 0, even where rounding makes the draw reach the
// sum of all: importance weights would be infinite.
inline int draw_action(const float* strategy, int num_actions, Random& random) {
    auto left = static_cast<float>(random.uniform());
    int possible = 0;
    for (int a = 0; a < num_actions; ++a) {
        if (strategy[a] <= 0) continue;
        left -= strategy[a];
        if (left < 0) return a;
        possible = a;
    }
    return possible;
}

// Settings of a slice of iterations.
struct WalkOptions {
    std::uint64_t seed = 0;
    float floor = 0;                // least probability of an action in the walk
    bool floor_in_average = true;   // whether the floored strategy enters the average
    float average_weight = 1;       // of the strategies of this slice; 0 = not averaged
    float epsilon = 0.6f;           // outcome: exploration; average-strategy: least chance
    float tau = 1000, beta = 1e6f;  // average-strategy sampling
    float prune_below = 0;          // external: regrets below are skipped; 0 = never
    float prune_probability = 0.95f;
    bool plus = false;              // external, experimental: regrets stay at zero or above
};

// What enters the average at a node: the walked strategy, or the one without the floor, which
// is written to `plain`. Its weight is the reach of the walked strategies in either case.
inline const float* averaged_strategy(const WalkOptions& options, const float* regrets,
                                      int num_actions, const float* walked, float* plain) {
    if (options.floor == 0 || options.floor_in_average) return walked;
    match_regrets(regrets, num_actions, 0, plain);
    return plain;
}

struct WalkTables {
    float* regrets;
    float* average;
};

struct WalkCounts {
    std::uint64_t nodes = 0;  // decision nodes entered
};

// Iterations first, first + stride, .. of a slice that ends before `end`: one
// deal and one traversal for each player. Iteration t draws from the stream
// (seed, t), so that a run is the same however it is sliced.
struct Slice {
    std::uint64_t first, end, stride = 1;
};

template <typename Walk>
WalkCounts run_walks(const Tree& tree, const Dealer& dealer, const Slice& slice,
                     std::uint64_t seed, Walk& walk) {
    WalkCounts counts;
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
        Random random(seed, t);
        dealer.draw(random, walk.deal);
        for (int player = 0; player < tree.num_players(); ++player) {
            walk.begin(player, random);
            counts.nodes += walk.run();
        }
    }
    return counts;
}

WalkCounts external_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                             const Slice&, WalkTables);
WalkCounts outcome_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                            const Slice&, WalkTables);
WalkCounts chance_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                           const Slice&, WalkTables);
WalkCounts average_strategy_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                                     const Slice&, WalkTables);

struct PureTables {
    std::int32_t* regrets;
    std::uint32_t* average;
};
WalkCounts pure_cfr(const Tree&, const Layout&, const Dealer&, const WalkOptions&, const Slice&,
                    PureTables);

}  // namespace riverboat
