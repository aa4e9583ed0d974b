#include "solve/holdem_public.hpp"

#include <algorithm>

#include "cards/evaluator.hpp"
#include "cards/ranking.hpp"
#include "solve/hand_sums.hpp"
#include "util/errors.hpp"

namespace riverboat {
namespace {

constexpr std::size_t pairs_of(std::size_t cards) { return cards * (cards - 1) / 2; }

}  // namespace

class HoldemPublicDealer::Board : public PublicDeal {
  public:
    explicit Board(const HoldemPublicDealer& dealer)
        : PublicDeal(pairs_of(kNumCards - dealer.board_counts_.back()),
                     dealer.tree_->groups().size()),
          dealer_(dealer),
          num_cards_(dealer.board_counts_.back()),
          ranked_(num_hands_),
          scratch_(num_hands_),
          holes_(num_hands_),
          chances_(num_hands_, 1 / static_cast<float>(num_hands_)),
          pair_chance_(1 / (static_cast<double>(num_hands_) *
                            static_cast<double>(pairs_of(kNumCards - 2 - num_cards_)))) {}

    void draw(Random& random) override {
        draw_cards(random);
        rank_hands();
        const auto& groups = dealer_.tree_->groups();
        std::array<int, kMaxStreets> done;
        done.fill(-1);
        for (std::size_t group = 0; group < groups.size(); ++group) {
            // Both players' hands fall into the same buckets.
            int& same = done[groups[group].street];
            std::uint32_t* buckets = &buckets_[group * num_hands_];
            if (same < 0) {
                find_buckets(groups[group].street, buckets);
                same = static_cast<int>(group);
            } else {
                std::copy_n(&buckets_[same * num_hands_], num_hands_, buckets);
            }
        }
    }

    const float* chances(int) const override { return chances_.data(); }

    void compatible(int, const float* reach, float payoff, float* out) override {
        sum_met<float>(holes_, reach, payoff * pair_chance_, out);
    }

    void showdown(int, const float* reach, const ShowdownPayoffs& payoffs, float* out) override {
        sum_showdown<float>(holes_, ends_, reach, payoffs, pair_chance_, values_.data(), out);
    }

    std::vector<int> outcome() const override {
        return {cards_.begin(), cards_.begin() + num_cards_};
    }
    int hand(std::size_t index) const override { return ranked_[index].hole; }

  private:
    void draw_cards(Random& random) {
        std::uint64_t used = 0;
        for (int i = 0; i < num_cards_; ++i) {
            do cards_[i] = static_cast<Card>(random.below(kNumCards));
            while (used & card_bit(cards_[i]));
            used |= card_bit(cards_[i]);
        }
    }

    void rank_hands() {
        const Evaluator& evaluator = Evaluator::standard();
        HandSum sum = Evaluator::empty(2 + num_cards_);
        std::uint64_t used = 0;
        for (int i = 0; i < num_cards_; ++i) {
            sum += evaluator.card(cards_[i]);
            used |= card_bit(cards_[i]);
        }
        std::size_t count = 0;
        for (int hole = 0; hole < kNumHoles; ++hole) {
            if (kHoles[hole].mask() & used) continue;
            ranked_[count++] = {evaluator.strength(sum + evaluator.hole(hole)),
                                static_cast<std::uint16_t>(hole)};
        }
        sort_by_strength(ranked_, scratch_);
        ends_.clear();
        for (std::size_t h = 0; h < num_hands_; ++h) {
            holes_[h] = kHoles[ranked_[h].hole];
            if (h > 0 && ranked_[h].strength != ranked_[h - 1].strength) ends_.push_back(h);
        }
        ends_.push_back(num_hands_);
    }

    // With perfect recall the buckets of earlier streets come first: see HoldemDealer.
    void find_buckets(int street, std::uint32_t* buckets) const {
        std::fill_n(buckets, num_hands_, 0u);
        for (int seen = dealer_.recall_ ? 0 : street; seen <= street; ++seen) {
            add_buckets(seen, buckets);
        }
    }

    void add_buckets(int street, std::uint32_t* buckets) const {
        const int count = dealer_.board_counts_[street];
        const CanonicalBoard found =
            count == 0 ? CanonicalBoard{0, 0}  // the first permutation leaves suits as they are
                       : Boards::of(count).find(suit_masks_of(cards_.data(), count));
        const auto& moved = hole_permutations()[found.permutation];
        const BucketTable& table = dealer_.tables_[street];
        for (std::size_t h = 0; h < num_hands_; ++h) {
            buckets[h] =
                buckets[h] * table.num_buckets + table.bucket(found.id, moved[ranked_[h].hole]);
        }
    }

    const HoldemPublicDealer& dealer_;
    int num_cards_;
    std::array<Card, 5> cards_{};
    std::vector<RankedHole> ranked_, scratch_;
    std::vector<Hole> holes_;        // [hands]
    std::vector<std::size_t> ends_;  // where each run of equal strengths ends
    std::vector<float> chances_;
    double pair_chance_;
    std::array<double, kNumHoles> values_{};  // scratch of showdown
};

HoldemPublicDealer::HoldemPublicDealer(std::shared_ptr<const Tree> tree, const HoldemDealer& dealer)
    : tree_(std::move(tree)), tables_(dealer.tables()), recall_(dealer.recall()) {
    const GameSpec& spec = tree_->spec();
    if (spec.players != 2 || spec.swaps > 0) {
        throw GameError("public-chance sampling is for two players and no swaps");
    }
    int board = 0;
    for (int street = 0; street < spec.streets; ++street) {
        board_counts_.push_back(board += spec.street[street].board);
    }
}

std::unique_ptr<PublicDeal> HoldemPublicDealer::start() const {
    return std::make_unique<Board>(*this);
}

}  // namespace riverboat
