// External sampling with a thread for each large subtree and a lock for each infoset: how the
// source document caltech (Lin, section 6.1) uses threads. Kept for comparison with threads that
// each walk their own deals without locks. Not deterministic: results depend on thread timing.
#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

constexpr int kMostThreads = 512;  // approximate maximum of live threads: systems limit them

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
    float value;         // for the traverser
    std::uint64_t span;  // decisions on the critical path: a lower bound for any number of threads
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
                counts.span += walk(0, random).span;
            }
        }
        counts.nodes = visited_;
        counts.threads = started_;
        return counts;
    }

  private:
    Walked walk(std::int32_t index, Random& random) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return {utility(tree_, index, deal_, player_), 0};
        visited_.fetch_add(1, std::memory_order_relaxed);
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
        return {below.value, below.span + 1};
    }

    void collect(const TreeNode& node, std::size_t row, const Strategy& strategy) {
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], options_.average_weight * strategy[a]);
        }
    }

    Walked own(const TreeNode& node, std::size_t row, const Strategy& strategy, Random& random) {
        std::array<Walked, kMaxActions> below;
        std::vector<std::thread> threads;
        std::uint64_t forked = 0, in_turn = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            if (!starts(node.first_child + a, random.next(), below[a], threads)) {
                below[a] = walk(node.first_child + a, random);
            }
        }
        for (std::thread& thread : threads) thread.join();
        alive_.fetch_sub(static_cast<int>(threads.size()), std::memory_order_relaxed);
        float mean = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            mean += strategy[a] * below[a].value;
            if (large(node.first_child + a)) {
                forked = std::max(forked, below[a].span);
            } else {
                in_turn += below[a].span;
            }
        }
        const std::scoped_lock held(locks_[row]);
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.regrets[row + a], below[a].value - mean);
        }
        return {mean, std::max(forked, in_turn) + 1};
    }

    // Whether the author's rule gives the subtree a thread.
    bool large(std::int32_t child) const {
        return tree_.nodes()[child].num_actions > forks_.more_than &&
               tree_.streets()[child] <= forks_.last_street;
    }

    bool starts(std::int32_t child, std::uint64_t seed, Walked& below,
                std::vector<std::thread>& threads) {
        if (!forks_.threads || !large(child)) return false;
        if (alive_.load(std::memory_order_relaxed) >= kMostThreads) return false;
        try {
            threads.emplace_back([this, child, seed, &below] {
                Random random(seed);
                below = walk(child, random);
            });
        } catch (const std::system_error&) {  // the system refuses more threads
            return false;
        }
        alive_.fetch_add(1, std::memory_order_relaxed);
        started_.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    const ForkOptions& forks_;
    WalkTables tables_;
    std::vector<Lock> locks_;  // by entry; an infoset uses the lock of its first entry
    Deal deal_;
    int player_ = 0;
    std::atomic<std::uint64_t> visited_{0}, started_{0};
    std::atomic<int> alive_{0};
};

}  // namespace

ForkCounts forked_external_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                                    const WalkOptions& options, const ForkOptions& forks,
                                    const Slice& slice, WalkTables tables) {
    return ForkedWalk(tree, layout, options, forks, tables).run(dealer, slice);
}

}  // namespace riverboat
