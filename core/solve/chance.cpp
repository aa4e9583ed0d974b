// Chance-sampled CFR (Zinkevich, Johanson, Bowling & Piccione 2007): the deal is
// sampled, all actions of both players are walked. Two players. Not public-chance
// sampling: one hand a player.
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

// The players' reach probabilities.
struct Reaches {
    float own = 1, other = 1;
};

class ChanceWalk : public Walk<ChanceWalk, Reaches, WalkTables> {
  public:
    using Walk::Walk;

    void deal(const Dealer& dealer, const Slice& slice, std::uint64_t t) {
        if (t == slice.first) draw_deal(dealer, slice, t, deals_[0]);
        deal_ = &deals_[now_];
        now_ ^= 1;
        draw_deal(dealer, slice, t + slice.stride, deals_[now_]);
    }

    void traverse() {
        const auto first = deal_->strength[0][0], second = deal_->strength[1][0];
        showdown_ = 2 * (first > second ? 0 : first == second ? 1 : 2) + player_;
        walk(0, {});
    }

    // Nothing below changes a table, and the value is not used.
    static bool skips(Reaches reach) { return reach.own == 0 && reach.other == 0; }

    float own(Decision at, const Strategy& strategy, Reaches reach) {
        float values[kMaxActions], mean = 0;
        for (int a = 0; a < at.node.num_actions; ++a) {
            values[a] = walk(at.node.first_child + a, {reach.own * strategy[a], reach.other});
            mean += strategy[a] * values[a];
        }
        const double weight = options_.average_weight * reach.own;
        if (weight > 0) collect(at, strategy, weight);
        if (reach.other == 0) return mean;
        for (int a = 0; a < at.node.num_actions; ++a) {
            add(tables_.regrets[at.row + a], reach.other * (values[a] - mean));
        }
        return mean;
    }

    float other(Decision at, const Strategy& strategy, Reaches reach) {
        float mean = 0;
        for (int a = 0; a < at.node.num_actions; ++a) {
            const Reaches below{reach.own, reach.other * strategy[a]};
            mean += strategy[a] * walk(at.node.first_child + a, below);
        }
        return mean;
    }

    // As `utility`; without swaps every showdown of a deal has the same winner.
    float pay(std::int32_t index, Reaches) const {
        const TreeNode& node = nodes_[index];
        if (node.kind == NodeKind::kFold) return tree_.payoffs()[node.payoffs + player_];
        if (tree_.swap_lines().empty()) return tree_.payoffs()[node.payoffs + showdown_];
        return utility(tree_, index, *deal_, player_);
    }

  private:
    void draw_deal(const Dealer& dealer, const Slice& slice, std::uint64_t t, Deal& deal) const {
        if (t >= slice.end) return;
        Random random(options_.seed, t);
        dealer.draw(random, deal);
        for (std::size_t group = 0; group < tree_.groups().size(); ++group) {
            const std::size_t entries = tree_.groups()[group].entries;
            if (entries > kMostFetched) continue;
            const std::size_t row =
                layout_.base(static_cast<int>(group)) + deal.bucket[group] * entries;
            fetch(tables_.regrets + row, entries);
            fetch(tables_.average + row, entries);
        }
    }

    Deal deals_[2];
    int now_ = 0;
    int showdown_ = 0;  // place of the traverser's payoff among those of a showdown
};

}  // namespace

WalkCounts chance_sampling(const Tree& tree, const Layout& layout, const Dealer& dealer,
                           const WalkOptions& options, const Slice& slice, WalkTables tables) {
    return ChanceWalk(tree, layout, options, tables).run(dealer, slice);
}

}  // namespace riverboat
