// External sampling with a thread for each large subtree and a lock for each infoset: how the
// source document caltech (Lin, section 6.1) uses threads. One deal at a time: threads share a
// traversal, instead of each walking deals of its own without locks.
// A large subtree draws from a random stream of its own, whether or not it gets a thread. So where
// a traversal meets each infoset once (perfect recall), any number of threads gives the same
// tables bit for bit; where decisions share infosets the order of updates depends on timing.
// Not for pruning or extra traversals.
#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

// A spin lock of one byte.
class Lock {
  public:
    void lock() {
        while (held_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    void unlock() { held_.clear(std::memory_order_release); }

  private:
    std::atomic_flag held_;
};

struct Walked {
    float value = 0;          // for the traverser
    std::uint64_t nodes = 0;  // decisions entered
    std::uint64_t span = 0;   // of them on the critical path: a bound for any number of threads
};

class ForkedWalk {
  public:
    ForkedWalk(const Tree& tree, const Layout& layout, const WalkOptions& options,
               const ForkOptions& forks, WalkTables tables)
        : tree_(tree),
          layout_(layout),
          options_(options),
          forks_(forks),
          tables_(tables),
          locks_(layout.size()) {}

    ForkCounts run(const Dealer& dealer, const Slice& slice) {
        ForkCounts counts;
        for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride) {
            Random random(options_.seed, t);
            dealer.draw(random, deal_);
            for (player_ = 0; player_ < tree_.num_players(); ++player_) {
                const Walked walked = walk(0, random);
                counts.nodes += walked.nodes;
                counts.span += walked.span;
            }
        }
        counts.threads = started_;
        return counts;
    }

  private:
    Walked walk(std::int32_t index, Random& random) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return {utility(tree_, index, deal_, player_)};
        const std::size_t row = layout_.row(node, deal_);
        Strategy strategy;
        {
            const std::scoped_lock held(locks_[row]);
            match_regrets(tables_.regrets + row, node.num_actions, options_.floor, strategy.data());
            if (node.player != player_) collect(node, row, strategy);
        }
        if (node.player == player_) return own(node, row, strategy, random);
        const int action = draw_action(strategy.data(), node.num_actions, random);
        const Walked below = walk(node.first_child + action, random);
        return {below.value, below.nodes + 1, below.span + 1};
    }

    void collect(const TreeNode& node, std::size_t row, const Strategy& walked) {
        if (options_.average_weight <= 0) return;
        Strategy plain;
        const float* strategy = averaged_strategy(options_, tables_.regrets + row, node.num_actions,
                                                  walked.data(), plain.data());
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], options_.average_weight * strategy[a]);
        }
    }

    Walked own(const TreeNode& node, std::size_t row, const Strategy& strategy, Random& random) {
        std::array<Walked, kMaxActions> below;
        std::vector<std::thread> threads;
        threads.reserve(node.num_actions);
        for (int a = 0; a < node.num_actions; ++a) {
            const std::int32_t child = node.first_child + a;
            if (!large(child)) {
                below[a] = walk(child, random);
            } else if (const std::uint64_t seed = random.next();
                       !start(child, seed, below[a], threads)) {
                below[a] = walk_stream(child, seed);
            }
        }
        for (std::thread& thread : threads) thread.join();
        alive_.fetch_sub(static_cast<int>(threads.size()), std::memory_order_relaxed);
        Walked all = sum(node, strategy, below);
        const std::scoped_lock held(locks_[row]);
        for (int a = 0; a < node.num_actions; ++a) {
            float change = below[a].value - all.value;
            if (options_.plus) change = std::max(change, -load(tables_.regrets[row + a]));
            add(tables_.regrets[row + a], change);
        }
        return all;
    }

    Walked sum(const TreeNode& node, const Strategy& strategy,
               const std::array<Walked, kMaxActions>& below) const {
        Walked all{0, 1, 1};
        std::uint64_t forked = 0, in_turn = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            all.value += strategy[a] * below[a].value;
            all.nodes += below[a].nodes;
            if (large(node.first_child + a)) {
                forked = std::max(forked, below[a].span);
            } else {
                in_turn += below[a].span;
            }
        }
        all.span += std::max(forked, in_turn);
        return all;
    }

    // Whether the author's rule gives the subtree a thread.
    bool large(std::int32_t child) const {
        return tree_.nodes()[child].num_actions > forks_.more_than &&
               tree_.streets()[child] <= forks_.last_street;
    }

    Walked walk_stream(std::int32_t child, std::uint64_t seed) {
        Random random(seed);
        return walk(child, random);
    }

    bool start(std::int32_t child, std::uint64_t seed, Walked& below,
               std::vector<std::thread>& threads) {
        if (alive_.fetch_add(1, std::memory_order_relaxed) < forks_.threads) {
            try {
                threads.emplace_back(
                    [this, child, seed, &below] { below = walk_stream(child, seed); });
                started_.fetch_add(1, std::memory_order_relaxed);
                return true;
            } catch (const std::system_error&) {  // the system refuses more threads
            }
        }
        alive_.fetch_sub(1, std::memory_order_relaxed);
        return false;
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    const ForkOptions& forks_;
    WalkTables tables_;
    std::vector<Lock> locks_;  // by entry; an infoset uses the lock of its first entry
    Deal deal_;
    int player_ = 0;
    std::atomic<std::uint64_t> started_{0};
    std::atomic<int> alive_{1};  // the calling thread, too
};

}  // namespace

ForkCounts forked_external_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                                    const WalkOptions& options, const ForkOptions& forks,
                                    const Slice& slice, WalkTables tables) {
    return ForkedWalk(tree, layout, options, forks, tables).run(dealer, slice);
}

}  // namespace riverboat
