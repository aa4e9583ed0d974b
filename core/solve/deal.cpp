#include "solve/deal.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "util/errors.hpp"

namespace riverboat {
namespace {

// Buckets by group: one more than the largest number that occurs.
std::vector<std::uint32_t> count_buckets(const std::vector<std::uint32_t>& buckets,
                                         std::size_t num_groups) {
    std::vector<std::uint32_t> counts(num_groups, 0);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        counts[i % num_groups] = std::max(counts[i % num_groups], buckets[i] + 1);
    }
    return counts;
}

}  // namespace

EnumeratedDealer::EnumeratedDealer(const Tree& tree, std::vector<std::uint32_t> buckets,
                                   std::vector<std::uint32_t> strengths,
                                   std::vector<double> weights)
    : Dealer(count_buckets(buckets, tree.groups().size())),
      num_groups_(tree.groups().size()),
      num_players_(tree.num_players()),
      num_lines_(std::size_t{1} << tree.spec().swaps),
      buckets_(std::move(buckets)),
      strengths_(std::move(strengths)),
      weights_(std::move(weights)) {
    if (weights_.empty() || buckets_.size() != weights_.size() * num_groups_ ||
        strengths_.size() != weights_.size() * num_players_ * num_lines_) {
        throw GameError("enumerated deals do not fit the tree");
    }
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    if (!(total > 0) || *std::min_element(weights_.begin(), weights_.end()) < 0) {
        throw GameError("weights of deals are not negative, and some are positive");
    }
    double sum = 0;
    for (double& weight : weights_) {
        weight /= total;
        cumulative_.push_back(sum += weight);
    }
    cumulative_.back() = 1;
}

void EnumeratedDealer::fill(std::size_t index, Deal& deal) const {
    std::copy_n(&buckets_[index * num_groups_], num_groups_, deal.bucket.begin());
    for (std::size_t player = 0; player < num_players_; ++player) {
        std::copy_n(&strengths_[(index * num_players_ + player) * num_lines_], num_lines_,
                    deal.strength[player].begin());
    }
}

void EnumeratedDealer::draw(Random& random, Deal& deal) const {
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), random.uniform());
    fill(std::min<std::size_t>(found - cumulative_.begin(), weights_.size() - 1), deal);
}

Layout::Layout(const Tree& tree, const std::vector<std::uint32_t>& num_buckets) {
    if (num_buckets.size() != tree.groups().size()) {
        throw GameError("the tree has " + std::to_string(tree.groups().size()) +
                        " groups, but numbers of buckets are given for " +
                        std::to_string(num_buckets.size()));
    }
    for (std::size_t group = 0; group < num_buckets.size(); ++group) {
        entries_.push_back(tree.groups()[group].entries);
        base_.push_back(base_.back() + entries_.back() * num_buckets[group]);
    }
}

}  // namespace riverboat
