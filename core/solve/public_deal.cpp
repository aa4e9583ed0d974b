#include "solve/public_deal.hpp"

#include <algorithm>
#include <numeric>

#include "util/errors.hpp"

namespace riverboat {

// The matrices are the dealer's; only the index of the outcome is drawn.
class EnumeratedPublicDealer::Outcome : public PublicDeal {
  public:
    explicit Outcome(const EnumeratedPublicDealer& dealer)
        : PublicDeal(dealer.matrices_.num_hands, dealer.num_groups_), dealer_(dealer) {}

    void draw(Random& random) override {
        const auto& cumulative = dealer_.cumulative_;
        const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), random.uniform());
        index_ = std::min<std::size_t>(found - cumulative.begin(), cumulative.size() - 1);
        std::copy_n(&dealer_.matrices_.buckets[index_ * buckets_.size()], buckets_.size(),
                    buckets_.begin());
    }

    const float* chances(int player) const override {
        return &dealer_.chances_[player][index_ * num_hands_];
    }

    void compatible(int player, const float* reach, float payoff, float* out) override {
        const float* pairs = pairs_of(player);
        for (std::size_t mine = 0; mine < num_hands_; ++mine, pairs += num_hands_) {
            double sum = 0;
            for (std::size_t other = 0; other < num_hands_; ++other) {
                sum += static_cast<double>(pairs[other]) * reach[other];
            }
            out[mine] = static_cast<float>(sum * payoff);
        }
    }

    void showdown(int player, const float* reach, const ShowdownPayoffs& payoffs,
                  float* out) override {
        const double paid[3] = {payoffs.win, payoffs.tie, payoffs.lose};
        const float* pairs = pairs_of(player);
        const std::uint8_t* result = &dealer_.results_[index_ * num_hands_ * num_hands_];
        for (std::size_t mine = 0; mine < num_hands_; ++mine) {
            double sum = 0;
            for (std::size_t other = 0; other < num_hands_; ++other) {
                sum += static_cast<double>(pairs[other]) * reach[other] * paid[result[other]];
            }
            out[mine] = static_cast<float>(sum);
            pairs += num_hands_;
            result += num_hands_;
        }
    }

    std::vector<int> outcome() const override { return {static_cast<int>(index_)}; }
    int hand(std::size_t index) const override { return static_cast<int>(index); }

  private:
    const float* pairs_of(int player) const {
        return &dealer_.pairs_[player][index_ * num_hands_ * num_hands_];
    }

    const EnumeratedPublicDealer& dealer_;
    std::size_t index_ = 0;
};

namespace {

void check(const PublicMatrices& given, const std::vector<std::uint32_t>& num_buckets) {
    const std::size_t rows = given.num_outcomes * given.num_hands;
    if (rows == 0 || given.weights.size() != rows * given.num_hands ||
        given.strengths.size() != rows || given.buckets.size() != rows * num_buckets.size()) {
        throw GameError("public outcomes do not fit the tree");
    }
    for (std::size_t i = 0; i < given.buckets.size(); ++i) {
        if (given.buckets[i] >= num_buckets[i / given.num_hands % num_buckets.size()]) {
            throw GameError("a hand of a public outcome has bucket " +
                            std::to_string(given.buckets[i]) + ", which its group has not");
        }
    }
    if (*std::min_element(given.weights.begin(), given.weights.end()) < 0) {
        throw GameError("weights of public outcomes are not negative");
    }
}

}  // namespace

EnumeratedPublicDealer::EnumeratedPublicDealer(const Tree& tree,
                                               const std::vector<std::uint32_t>& num_buckets,
                                               PublicMatrices matrices)
    : num_groups_(tree.groups().size()), matrices_(std::move(matrices)) {
    if (tree.num_players() != 2 || tree.spec().swaps > 0) {
        throw GameError("public outcomes are for two players and no swaps");
    }
    check(matrices_, num_buckets);
    const std::size_t hands = matrices_.num_hands;
    const double total = std::accumulate(matrices_.weights.begin(), matrices_.weights.end(), 0.0);
    double sum_before = 0;
    for (std::size_t outcome = 0; outcome < matrices_.num_outcomes; ++outcome) {
        const double* weights = &matrices_.weights[outcome * hands * hands];
        const std::uint32_t* strengths = &matrices_.strengths[outcome * hands];
        const double sum = std::accumulate(weights, weights + hands * hands, 0.0);
        if (!(sum > 0)) throw GameError("a public outcome has no pair of hands");
        cumulative_.push_back((sum_before += sum) / total);
        for (int player = 0; player < 2; ++player) {
            for (std::size_t mine = 0; mine < hands; ++mine) {
                double chance = 0;
                for (std::size_t other = 0; other < hands; ++other) {
                    const double weight =
                        player == 0 ? weights[mine * hands + other] : weights[other * hands + mine];
                    chance += weight / sum;
                    pairs_[player].push_back(static_cast<float>(weight / sum));
                }
                chances_[player].push_back(static_cast<float>(chance));
            }
        }
        for (std::size_t mine = 0; mine < hands; ++mine) {
            for (std::size_t other = 0; other < hands; ++other) {
                results_.push_back(strengths[mine] > strengths[other]    ? 0
                                   : strengths[mine] == strengths[other] ? 1
                                                                         : 2);
            }
        }
    }
    matrices_.weights.clear();
}

std::unique_ptr<PublicDeal> EnumeratedPublicDealer::start() const {
    return std::make_unique<Outcome>(*this);
}

}  // namespace riverboat
