// Chance-sampled CFR (Zinkevich, Johanson, Bowling & Piccione 2007): the deal is
// sampled, all actions of both players are walked. Two players.
//
// A walk meets nearly all rows of its buckets, and in large tables most of them
// are in no cache. So the next deal is drawn, and its rows are fetched, while this
// one is walked: that changes no number, because iteration t draws from its own
// stream.
#include "solve/walk.hpp"

namespace riverboat {
namespace {

// Entries of a bucket that are fetched ahead; the rows of larger trees would push each other
// out of the cache.
constexpr std::size_t kMostFetched = 2048;

template <typename T>
void fetch(const T* begin, std::size_t count) {
    constexpr std::size_t kLine = 64 / sizeof(T);
    for (std::size_t i = 0; i < count; i += kLine) __builtin_prefetch(begin + i, 1);
}

class ChanceWalk {
  public:
    ChanceWalk(const Tree& tree, const Layout& layout, const WalkOptions& options,
               WalkTables tables)
        : tree_(tree), layout_(layout), options_(options), tables_(tables) {}

    // Decision nodes entered.
    std::uint64_t run(const Deal& deal, int player) {
        deal_ = &deal;
        player_ = player;
        visited_ = 0;
        const auto first = deal.strength[0][0], second = deal.strength[1][0];
        showdown_ = 2 * (first > second ? 0 : first == second ? 1 : 2) + player;
        walk(0, 1, 1);
        return visited_;
    }

    void fetch_rows(const Deal& deal) const {
        for (std::size_t group = 0; group < tree_.groups().size(); ++group) {
            const std::size_t entries = tree_.groups()[group].entries;
            if (entries > kMostFetched) continue;
            const std::size_t row =
                layout_.base(static_cast<int>(group)) + deal.bucket[group] * entries;
            fetch(tables_.regrets + row, entries);
            fetch(tables_.average + row, entries);
        }
    }

  private:
    // Value for the traverser; own and other are the players' reach probabilities.
    float walk(std::int32_t index, float own, float other) {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return terminal_value(node, index);
        // Nothing below changes any table; the value does not matter to anyone either.
        if (own == 0 && other == 0) return 0;
        ++visited_;
        const std::size_t row = layout_.row(node, *deal_);
        float strategy[kMaxActions], values[kMaxActions];
        match_regrets(tables_.regrets + row, node.num_actions, options_.floor, strategy);
        const bool mine = node.player == player_;
        float mean = 0;
        for (int a = 0; a < node.num_actions; ++a) {
            values[a] = mine ? walk(node.first_child + a, own * strategy[a], other)
                             : walk(node.first_child + a, own, other * strategy[a]);
            mean += strategy[a] * values[a];
        }
        if (!mine) return mean;
        if (options_.average_weight * own > 0) collect(node, row, strategy, own);
        if (other == 0) return mean;
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.regrets[row + a], other * (values[a] - mean));
        }
        return mean;
    }

    // As `utility`; without swaps every showdown of a deal has the same winner.
    float terminal_value(const TreeNode& node, std::int32_t index) const {
        if (node.kind == NodeKind::kFold) return tree_.payoffs()[node.payoffs + player_];
        if (tree_.swap_lines().empty()) return tree_.payoffs()[node.payoffs + showdown_];
        return utility(tree_, index, *deal_, player_);
    }

    void collect(const TreeNode& node, std::size_t row, const float* walked, float own) {
        float plain[kMaxActions];
        const float* strategy = averaged_strategy(options_, tables_.regrets + row,
                                                  node.num_actions, walked, plain);
        const double weight = options_.average_weight * own;
        for (int a = 0; a < node.num_actions; ++a) {
            add(tables_.average[row + a], weight * strategy[a]);
        }
    }

    const Tree& tree_;
    const Layout& layout_;
    const WalkOptions& options_;
    WalkTables tables_;
    const Deal* deal_ = nullptr;
    std::uint64_t visited_ = 0;
    int player_ = 0;
    int showdown_ = 0;  // place of the traverser's payoff among those of a showdown
};

}  // namespace

WalkCounts chance_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                           const WalkOptions& options, const Slice& slice, WalkTables tables) {
    ChanceWalk walk(tree, layout, options, tables);
    WalkCounts counts;
    Deal deals[2];
    const auto draw = [&](std::uint64_t iteration, Deal& deal) {
        if (iteration >= slice.end) return;
        Random random(options.seed, iteration);
        dealer.draw(random, deal);
        walk.fetch_rows(deal);
    };
    draw(slice.first, deals[0]);
    int now = 0;
    for (std::uint64_t t = slice.first; t < slice.end; t += slice.stride, now ^= 1) {
        draw(t + slice.stride, deals[now ^ 1]);
        for (int player = 0; player < 2; ++player) counts.nodes += walk.run(deals[now], player);
    }
    return counts;
}

}  // namespace riverboat
