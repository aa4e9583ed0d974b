// A deal: the card information of a sampled solver.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tree/tree.hpp"
#include "util/random.hpp"

namespace riverboat {

struct Deal {
    // The bucket of each group's player there.
    std::array<std::uint32_t, kMaxGroups> bucket;
    // Showdown strength by player and by the player's line of swaps; higher is better.
    std::array<std::array<std::uint32_t, kMaxSwapLines>, kMaxPlayers> strength;
};

// Makes deals. Safe to use from many threads: all randomness is the caller's.
class Dealer {
  public:
    virtual ~Dealer() = default;
    virtual void draw(Random& random, Deal& deal) const = 0;

    // Buckets by group of the tree.
    const std::vector<std::uint32_t>& num_buckets() const { return num_buckets_; }

  protected:
    explicit Dealer(std::vector<std::uint32_t> num_buckets)
        : num_buckets_(std::move(num_buckets)) {}

  private:
    std::vector<std::uint32_t> num_buckets_;
};

// Every deal of a small game with its probability.
class EnumeratedDealer : public Dealer {
  public:
    // buckets [deals, groups], strengths [deals, players, lines of swaps], weights [deals].
    EnumeratedDealer(const Tree& tree, std::vector<std::uint32_t> buckets,
                     std::vector<std::uint32_t> strengths, std::vector<double> weights);

    void draw(Random& random, Deal& deal) const override;

    std::size_t num_deals() const { return weights_.size(); }
    double weight(std::size_t deal) const { return weights_[deal]; }  // they sum to 1
    std::uint32_t bucket(std::size_t deal, int group) const {
        return buckets_[deal * num_groups_ + group];
    }
    std::uint32_t strength(std::size_t deal, int player, int line) const {
        return strengths_[(deal * num_players_ + player) * num_lines_ + line];
    }
    void fill(std::size_t index, Deal& deal) const;

  private:
    std::size_t num_groups_, num_players_, num_lines_;
    std::vector<std::uint32_t> buckets_, strengths_;
    std::vector<double> weights_, cumulative_;
};

// Where each group's strategy entries lie.
class Layout {
  public:
    Layout(const Tree& tree, const std::vector<std::uint32_t>& num_buckets);

    std::size_t size() const { return base_.back(); }  // entries in all
    std::size_t base(int group) const { return base_[group]; }
    const std::vector<std::size_t>& bases() const { return base_; }   // by group, and the size
    std::size_t entries(int group) const { return entries_[group]; }  // of a bucket
    std::size_t row(const TreeNode& node, std::uint32_t bucket) const {
        return base_[node.group] + std::size_t{bucket} * entries_[node.group] + node.offset;
    }
    std::size_t row(const TreeNode& node, const Deal& deal) const {
        return row(node, deal.bucket[node.group]);
    }

  private:
    std::vector<std::size_t> base_{0}, entries_;
};

// Payoff of a terminal to a player, in chips.
inline float utility(const Tree& tree, std::int32_t index, const Deal& deal, int player) {
    const TreeNode& node = tree.nodes()[index];
    if (node.kind == NodeKind::kFold) return tree.payoffs()[node.payoffs + player];
    if (tree.num_players() == 2) {
        const auto first = deal.strength[0][tree.swap_line(index, 0)];
        const auto second = deal.strength[1][tree.swap_line(index, 1)];
        const int outcome = first > second ? 0 : first == second ? 1 : 2;
        return tree.payoffs()[node.payoffs + 2 * outcome + player];
    }
    std::array<std::uint32_t, kMaxPlayers> strengths;
    std::array<float, kMaxPlayers> payoffs;
    for (int seat = 0; seat < tree.num_players(); ++seat) {
        strengths[seat] = deal.strength[seat][tree.swap_line(index, seat)];
    }
    tree.settle(index, strengths.data(), payoffs.data());
    return payoffs[player];
}

}  // namespace riverboat
