// Pure CFR (Gibson 2014, PhD thesis, chapter 5): every player's strategy is
// purified, one action drawn in proportion to positive regret; regrets are
// integers and measured against the drawn action's value, not the mean. The
// average counts drawn actions; where a count is full, all of its row are halved.
// Two players. Not external sampling: no probabilities enter any table.
#include <algorithm>
#include <limits>

#include "solve/walk.hpp"

namespace riverboat {
namespace {

class PureWalk {
  public:
    PureWalk(const Tree& tree, const Layout& layout, const WalkOptions& options, PureTables tables)
        : tree_(tree), layout_(layout), tables_(tables), averaging_(options.average_weight > 0) {}

    Deal deal;

    void begin(int player, Random& random) {
        player_ = player;
        random_ = &random;
    }

    std::uint64_t run() {
        visited_ = 0;
        walk(0);
        return visited_;
    }

  private:
    std::int32_t walk(std::int32_t index) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) {
            return static_cast<std::int32_t>(utility(tree_, index, deal, player_));
        }
        ++visited_;
        const std::size_t row = layout_.row(node, deal);
        const int choice = purified(row, node.num_actions);
        if (node.player != player_) {
            if (averaging_) count(row, node.num_actions, choice);
            return walk(node.first_child + choice);
        }
        std::int32_t values[kMaxActions] = {};
        for (int a = 0; a < node.num_actions; ++a) values[a] = walk(node.first_child + a);
        for (int a = 0; a < node.num_actions; ++a) {
            raise(tables_.regrets[row + a], values[a] - values[choice]);
        }
        return values[choice];
    }

    int purified(std::size_t row, int num_actions) {
        std::int64_t positive[kMaxActions], total = 0;
        for (int a = 0; a < num_actions; ++a) {
            positive[a] = std::max(load(tables_.regrets[row + a]), 0);
            total += positive[a];
        }
        // 64 random bits over a sum below 2^36: no bias to speak of.
        const auto wide = static_cast<unsigned __int128>(random_->next());
        if (total == 0) return static_cast<int>(wide * static_cast<unsigned>(num_actions) >> 64);
        auto left = static_cast<std::int64_t>(wide * static_cast<std::uint64_t>(total) >> 64);
        int a = 0;
        while (left >= positive[a]) left -= positive[a++];
        return a;
    }

    // What is stored depends on one load only: no thread can make it wrap around.
    void count(std::size_t row, int num_actions, int choice) {
        std::uint32_t drawn = load(tables_.average[row + choice]);
        if (drawn == std::numeric_limits<std::uint32_t>::max()) {
            for (int a = 0; a < num_actions; ++a) {
                store(tables_.average[row + a], load(tables_.average[row + a]) / 2);
            }
            drawn /= 2;
        }
        store(tables_.average[row + choice], drawn + 1);
    }

    // Saturates instead of wrapping around.
    static void raise(std::int32_t& regret, std::int32_t change) {
        const std::int64_t sum = std::int64_t{load(regret)} + change;
        const auto kept = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                                   std::numeric_limits<std::int32_t>::max());
        store(regret, static_cast<std::int32_t>(kept));
    }

    const Tree& tree_;
    const Layout& layout_;
    PureTables tables_;
    bool averaging_;
    Random* random_ = nullptr;
    std::uint64_t visited_ = 0;
    int player_ = 0;
};

}  // namespace

WalkCounts pure_cfr(const Tree& tree, const Layout& layout, const Dealer& dealer,
                    const WalkOptions& options, const Slice& slice, PureTables tables) {
    PureWalk walk(tree, layout, options, tables);
    return run_walks(tree, dealer, slice, options.seed, walk);
}

}  // namespace riverboat
