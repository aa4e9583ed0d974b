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
void store(T& value, T changed) {
    std::atomic_ref<T>(value).store(changed, std::memory_order_relaxed);
}

template <typename T>
void add(T& value, T change) {
    store(value, load(value) + change);
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
    double average_weight = 1;      // of the strategies of this slice; 0 = not averaged
    float epsilon = 0.6f;           // outcome: exploration; average-strategy: least chance
    double tau = 1000, beta = 1e6;  // average-strategy sampling
    // external, three players and more: one traversal in so many, by chance, is followed by a
    // walk that collects the average
    std::uint32_t average_every = 1;
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

// Regrets wander and may be float; averages only grow, and a float would stop at 2^24 visits.
struct WalkTables {
    float* regrets;
    double* average;
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
// Traversals for each collecting walk, so that both cost about the same: their sizes when
// everybody plays uniformly. 1 with two players, who need no such walk.
std::uint32_t collecting_interval(const Tree&);
WalkCounts outcome_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                            const Slice&, WalkTables);
WalkCounts chance_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                           const Slice&, WalkTables);
WalkCounts average_strategy_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                                     const Slice&, WalkTables);

struct PureTables {
    std::int32_t* regrets;
    std::uint32_t* average;  // counts; a row is halved when one of them is full
};
WalkCounts pure_cfr(const Tree&, const Layout&, const Dealer&, const WalkOptions&, const Slice&,
                    PureTables);

}  // namespace riverboat
