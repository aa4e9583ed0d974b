// Shared by the sampled schemes: tables, regret matching, drawing an action, and the base class of
// walks.
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
    float floor = 0;                // exploration floor: minimum probability of an action
    bool floor_in_average = true;   // whether the average includes the floor
    double average_weight = 1;      // of the strategies of this slice; 0 = not averaged
    float epsilon = 0.6f;           // outcome: exploration; average-strategy: minimum probability
    double tau = 1000, beta = 1e6;  // average-strategy sampling
    // external and pure sampling with three or more players: mean number of traversals per walk
    // that updates the average
    std::uint32_t average_every = 1;
    float prune_below = 0;  // external: regrets below are skipped; 0 = never
    float prune_probability = 0.95f;
    float explore = 0;         // external: probability of an extra traversal at an opponent's node
    float explore_weight = 0;  // weight of its regrets
    bool plus = false;         // external, experimental: regrets stay at zero or above
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

// Iterations first, first + stride, .. of a slice that ends before `end`: one deal and one
// traversal for each player.
struct Slice {
    std::uint64_t first, end, stride = 1;
};

// A decision in one deal: the node, and where its row of the tables begins.
struct Decision {
    const TreeNode& node;
    std::size_t row;
};

// One probability an action.
using Strategy = std::array<float, kMaxActions>;

// Reach probabilities that a scheme carries down the tree.
struct Nothing {};
struct Sampled {
    float chance = 1;  // probability that the walk reaches this node
};

// Base class of all sampled walks. A derived scheme defines or overrides
//   at every decision                          current(decision); default: regret matching
//   at a decision of the traverser             own(decision, current, reach)
//   at a decision of an opponent               other(decision, current, reach)
//   at a terminal                              pay(index, reach); default: the traverser's payoff
//   where the subtree has no effect            skips(reach); default: nowhere
//   in one traversal of one player             traverse(); default: one walk from the root
//   at the start of iteration t                deal(dealer, slice, t); default: one random deal
// Reach is what a scheme carries down the tree, Tables what it updates. Calls to the scheme are
// static (CRTP), so that the compiler can inline them.
//
// Iteration t uses the random stream (seed, t), so results do not depend on the slices of a run.
template <typename Scheme, typename Reach, typename Tables>
class Walk {
  public:
    Walk(const Tree& tree, const Layout& layout, const WalkOptions& options, Tables tables)
        : tree_(tree),
          nodes_(tree.nodes().data()),
          layout_(layout),
          options_(options),
          tables_(tables) {}

    WalkCounts run(const Dealer& dealer, const Slice& slice) {
        visited_ = 0;
        for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
            scheme().deal(dealer, slice, t);
            for (player_ = 0; player_ < tree_.num_players(); ++player_) scheme().traverse();
        }
        return {visited_};
    }

  protected:
    // Value for the traverser.
    auto walk(std::int32_t index, Reach reach) {
        const TreeNode& node = nodes_[index];
        if (node.kind != NodeKind::kDecision) return scheme().pay(index, reach);
        if (scheme().skips(reach)) return decltype(scheme().pay(index, reach)){};
        ++visited_;
        const Decision decision{node, layout_.row(node, *deal_)};
        const auto current = scheme().current(decision);
        return node.player == player_ ? scheme().own(decision, current, reach)
                                      : scheme().other(decision, current, reach);
    }

    void deal(const Dealer& dealer, const Slice&, std::uint64_t t) {
        random_ = Random(options_.seed, t);
        dealer.draw(random_, drawn_);
    }
    void traverse() { scheme().walk(0, Reach{}); }
    float pay(std::int32_t index, Reach) const { return utility(tree_, index, *deal_, player_); }
    static constexpr bool skips(Reach) { return false; }

    Strategy current(Decision decision) const {
        Strategy strategy;
        match_regrets(tables_.regrets + decision.row, decision.node.num_actions, options_.floor,
                      strategy.data());
        return strategy;
    }

    int draw(Decision decision, const Strategy& strategy) {
        return draw_action(strategy.data(), decision.node.num_actions, random_);
    }

    // With three or more players: sometimes updates the traverser's average, in a walk with the
    // traverser's actions sampled and all actions of the opponents. The scheme's enter(decision)
    // adds the strategy to the average and returns the sampled action.
    void collect_own() {
        if (tree_.num_players() == 2 || options_.average_weight <= 0) return;
        const std::uint32_t every = options_.average_every;
        if (every == 1 || random_.uniform() * every < 1) collect_below(0);
    }

    void collect_below(std::int32_t index) {
        const TreeNode& node = nodes_[index];
        if (node.kind != NodeKind::kDecision) return;
        ++visited_;
        if (node.player == player_) {
            const Decision at{node, layout_.row(node, *deal_)};
            collect_below(node.first_child + scheme().enter(at));
            return;
        }
        for (int a = 0; a < node.num_actions; ++a) collect_below(node.first_child + a);
    }

    // Adds a strategy to the average: the walked one, or the one without the floor.
    void collect(Decision decision, const Strategy& walked, double weight) {
        Strategy plain;
        const int num_actions = decision.node.num_actions;
        const float* strategy = averaged_strategy(options_, tables_.regrets + decision.row,
                                                  num_actions, walked.data(), plain.data());
        for (int a = 0; a < num_actions; ++a) {
            add(tables_.average[decision.row + a], weight * strategy[a]);
        }
    }

    const Tree& tree_;
    const TreeNode* nodes_;
    const Layout& layout_;
    const WalkOptions& options_;
    Tables tables_;
    Deal drawn_;
    const Deal* deal_ = &drawn_;
    Random random_{0};
    std::uint64_t visited_ = 0;
    int player_ = 0;

  private:
    Scheme& scheme() { return static_cast<Scheme&>(*this); }
};

WalkCounts external_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                             const Slice&, WalkTables);
// Number of traversals per walk that updates the average, so that both cost about the same with
// uniform strategies. 1 with two players, who need no such walk.
std::uint32_t collecting_interval(const Tree&);
// The same for two players with a thread for each large subtree and a lock for each infoset.
struct ForkOptions {
    int more_than = 3;    // actions of a decision that gets a thread
    int last_street = 1;  // of such decisions
    int threads = 1;      // live at once; 1 still takes locks
};
struct ForkCounts {
    std::uint64_t nodes = 0, span = 0, threads = 0;  // visited; on the critical path; started
};
ForkCounts forked_external_sampling(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                                    const ForkOptions&, const Slice&, WalkTables);
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
