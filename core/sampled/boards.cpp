#include "sampled/boards.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "cards/evaluator.hpp"
#include "spots/vectors.hpp"
#include "util/errors.hpp"

namespace riverboat::sampled {
namespace {

// Weight of a hand for the bins besides its weight in the range.
constexpr double kLeastWeight = 0.05;

constexpr Number kNone = 0xffff;

// Of the rivers every so many are ranked for a forecast.
constexpr int kSampledEvery = 47;

// A stable radix sort by strength, below 2^14.
class StrengthSort {
  public:
    struct Item {
        std::uint16_t strength, index;
    };

    std::span<const Item> sort(std::vector<Item>& items) {
        spare_.resize(items.size());
        pass(items, spare_, 0);
        pass(spare_, items, kBits);
        return items;
    }

  private:
    static constexpr int kBits = 7;

    static void pass(const std::vector<Item>& from, std::vector<Item>& to, int shift) {
        std::array<std::uint32_t, 1 << kBits> begin{};
        const auto digit = [shift](const Item& item) {
            return (item.strength >> shift) & ((1 << kBits) - 1);
        };
        for (const Item& item : from) ++begin[digit(item)];
        std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0U);
        for (const Item& item : from) to[begin[digit(item)]++] = item;
    }

    std::vector<Item> spare_;
};

// Bins as quantiles: the bin of a group whose weights begin at `before`.
std::uint8_t bin_at(double before, double mass, double total, int bins) {
    const double middle = (before + mass / 2) / total;
    return static_cast<std::uint8_t>(std::clamp(static_cast<int>(middle * bins), 0, bins - 1));
}

}  // namespace

// The hands that either player can have.
struct FlopBoards::Union {
    std::vector<Number> hole;
    std::vector<std::uint64_t> mask;
    std::array<std::vector<Number>, 2> number;  // by player; kNone: not in the range
};

FlopBoards::FlopBoards(const GameSpec& spec, std::span<const Card> flop,
                       const spots::Weights& weights, const BinCounts& bins)
    : spec_(spec), bins_(bins), flop_(0) {
    for (const Card card : flop) flop_ |= card_bit(card);
    for (Card card = 0; card < kNumCards; ++card) {
        if (spec.deck & ~flop_ & card_bit(card)) deck_.push_back(card);
    }
    find_hands(weights, flop_);
}

FlopBoards::Union FlopBoards::find_union() const {
    Union all;
    for (int hole = 0; hole < kNumHoles; ++hole) {
        bool held = false;
        for (int p = 0; p < 2; ++p) held |= std::ranges::binary_search(hands_[p].hole, hole);
        if (!held) continue;
        all.hole.push_back(static_cast<Number>(hole));
        all.mask.push_back(kHoles[hole].mask());
        for (int p = 0; p < 2; ++p) {
            const auto at = std::ranges::lower_bound(hands_[p].hole, hole);
            const bool has = at != hands_[p].hole.end() && *at == hole;
            all.number[p].push_back(has ? static_cast<Number>(at - hands_[p].hole.begin()) : kNone);
        }
    }
    return all;
}

FlopBoards::FlopBoards(const GameSpec& spec, std::span<const Card> flop,
                       const spots::Weights& weights, const BinCounts& bins, Pool& pool)
    : FlopBoards(spec, flop, weights, bins) {
    const Union all = find_union();
    const int cards = static_cast<int>(deck_.size());
    turns_.resize(cards);
    rivers_.resize(cards * (cards - 1) / 2);
    pool.run(cards, [&](int first, int) {
        for (int second = 0; second < first; ++second) {
            rank(first, second, all, rivers_[pair(first, second)]);
        }
    });
    pool.run(cards, [&](int turn, int) {
        std::vector<float> sums[2];
        for (int p = 0; p < 2; ++p) sums[p].resize(hands_[p].count);
        for (int other = 0; other < cards; ++other) {
            if (other != turn) add_equities(river(turn, other), sums);
        }
        bin_turn(turn, sums);
    });
}

void FlopBoards::find_hands(const spots::Weights& weights, std::uint64_t dealt) {
    for (int p = 0; p < 2; ++p) {
        FlopHands& hands = hands_[p];
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const std::uint64_t cards = kHoles[hole].mask();
            if ((cards & ~(spec_.deck & ~dealt)) != 0 || !(weights[p][hole] > 0)) continue;
            hands.hole.push_back(static_cast<Number>(hole));
            hands.weight.push_back(weights[p][hole]);
            hands.cards.push_back({kHoles[hole].low, kHoles[hole].high});
        }
        hands.count = static_cast<std::uint32_t>(hands.hole.size());
        if (hands.count == 0) {
            throw GameError("the range of player " + std::to_string(p) +
                            " has no hand that the board leaves");
        }
        hands.padded = static_cast<std::uint32_t>(spots::padded_to_wide(hands.count));
        hands.weight.resize(hands.padded);
        hands.cards.resize(hands.padded);
    }
    for (int p = 0; p < 2; ++p) {
        const auto& other = hands_[1 - p].hole;
        hands_[p].same.assign(hands_[p].padded, static_cast<Number>(other.size()));
        for (std::uint32_t i = 0; i < hands_[p].count; ++i) {
            const auto at = std::ranges::lower_bound(other, hands_[p].hole[i]);
            if (at != other.end() && *at == hands_[p].hole[i]) {
                hands_[p].same[i] = static_cast<Number>(at - other.begin());
            }
        }
    }
}

void FlopBoards::rank(int first, int second, const Union& all, RiverBoard& board) const {
    const Evaluator& evaluator =
        spec_.showdown == Showdown::kShortDeck ? Evaluator::short_deck() : Evaluator::standard();
    const std::uint64_t dealt = card_bit(deck_[first]) | card_bit(deck_[second]);
    HandSum sum = Evaluator::empty(7);
    for (int card = 0; card < kNumCards; ++card) {
        if ((dealt | flop_) & card_bit(card)) sum += evaluator.card(card);
    }
    static thread_local StrengthSort sorter;
    static thread_local std::vector<StrengthSort::Item> items;
    items.clear();
    for (std::size_t i = 0; i < all.hole.size(); ++i) {
        if (all.mask[i] & dealt) continue;
        items.push_back(
            {evaluator.strength(sum + evaluator.hole(all.hole[i])), static_cast<std::uint16_t>(i)});
    }
    const auto sorted = sorter.sort(items);
    for (int p = 0; p < 2; ++p) board.hands[p].reserve(hands_[p].count);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (int p = 0; p < 2; ++p) {
            const Number number = all.number[p][sorted[i].index];
            if (number != kNone) board.hands[p].push_back(number);
        }
        if (i + 1 < sorted.size() && sorted[i + 1].strength == sorted[i].strength) continue;
        board.runs.push_back({{static_cast<Number>(board.hands[0].size()),
                               static_cast<Number>(board.hands[1].size())},
                              {0, 0}});
    }
    bin_runs(board);
}

void FlopBoards::bin_runs(RiverBoard& board) const {
    for (int p = 0; p < 2; ++p) {
        const auto weight = [&](std::size_t i) {
            return hands_[p].weight[board.hands[p][i]] + kLeastWeight;
        };
        double total = 0, before = 0;
        for (std::size_t i = 0; i < board.hands[p].size(); ++i) total += weight(i);
        std::size_t at = 0;
        for (Run& run : board.runs) {
            double mass = 0;
            for (; at < run.end[p]; ++at) mass += weight(at);
            run.bin[p] = total > 0 ? bin_at(before, mass, total, bins_.river) : 0;
            before += mass;
        }
    }
}

// Range weight of one player's hands: in total and by card.
struct FlopBoards::Sums {
    float all = 0;
    std::array<float, kNumCards> with{};

    void add(const std::array<Card, 2>& cards, float weight) {
        all += weight;
        with[cards[0]] += weight;
        with[cards[1]] += weight;
    }
    float without(const std::array<Card, 2>& cards) const {
        return all - with[cards[0]] - with[cards[1]];
    }
};

// Adds each hand's equity on a river against the other's range. A hand that the opponent's range
// does not leave an opposing hand gets one half.
void FlopBoards::add_equities(const RiverBoard& board, std::vector<float>* equities) const {
    for (int p = 0; p < 2; ++p) {
        const FlopHands &mine = hands_[p], &other = hands_[1 - p];
        Sums total, met;
        for (const Number j : board.hands[1 - p]) total.add(other.cards[j], other.weight[j]);
        std::size_t i = 0, j = 0;
        static thread_local std::vector<float> below;
        below.resize(mine.count);
        for (const Run& run : board.runs) {
            const std::size_t begin = i;
            for (; i < run.end[p]; ++i) {
                const Number hand = board.hands[p][i];
                below[hand] = met.without(mine.cards[hand]);
            }
            for (; j < run.end[1 - p]; ++j) {
                const Number hand = board.hands[1 - p][j];
                met.add(other.cards[hand], other.weight[hand]);
            }
            for (std::size_t k = begin; k < i; ++k) {
                const Number hand = board.hands[p][k];
                const float same =
                    mine.same[hand] < other.count ? other.weight[mine.same[hand]] : 0.0F;
                const float all = total.without(mine.cards[hand]) + same;
                const float equal = met.without(mine.cards[hand]) + same - below[hand];
                const bool meets = all > 1e-6F * total.all;
                equities[p][hand] += meets ? (below[hand] + equal / 2) / all : 0.5F;
            }
        }
    }
}

// `sums` has each hand's equities, summed over the rivers: hands blocked by the turn card have 0.
void FlopBoards::bin_turn(int turn, const std::vector<float>* sums) {
    TurnBoard& board = turns_[turn];
    board.card = deck_[turn];
    for (int p = 0; p < 2; ++p) {
        const FlopHands& mine = hands_[p];
        auto& hands = board.hands[p];
        hands.reserve(mine.count);
        for (std::uint32_t i = 0; i < mine.count; ++i) {
            if (mine.cards[i][0] == board.card || mine.cards[i][1] == board.card) continue;
            hands.push_back(static_cast<Number>(i));
        }
        std::ranges::stable_sort(hands, {}, [&](Number hand) { return sums[p][hand]; });
        board.bins[p].resize(mine.padded);
        double total = 0, before = 0;
        for (const Number hand : hands) total += mine.weight[hand] + kLeastWeight;
        for (std::size_t i = 0; i < hands.size();) {
            double mass = 0;
            std::size_t end = i;
            for (; end < hands.size() && sums[p][hands[end]] == sums[p][hands[i]]; ++end) {
                mass += mine.weight[hands[end]] + kLeastWeight;
            }
            for (; i < end; ++i) board.bins[p][hands[i]] = bin_at(before, mass, total, bins_.turn);
            before += mass;
        }
    }
}

std::uint64_t FlopBoards::bytes() const {
    std::uint64_t bytes = turns_.size() * sizeof(TurnBoard);
    for (const RiverBoard& board : rivers_) bytes += board.bytes();
    for (const TurnBoard& board : turns_) {
        for (int p = 0; p < 2; ++p) {
            bytes += board.hands[p].capacity() * sizeof(Number) + board.bins[p].capacity();
        }
    }
    return bytes;
}

std::uint64_t FlopBoards::forecast_bytes() const {
    const Union all = find_union();
    const int cards = static_cast<int>(deck_.size()), pairs = cards * (cards - 1) / 2;
    std::uint64_t sampled = 0, count = 0;
    for (int first = 0; first < cards; ++first) {
        for (int second = 0; second < first; ++second) {
            if (pair(first, second) % kSampledEvery != 0) continue;
            RiverBoard board;
            rank(first, second, all, board);
            sampled += board.bytes();
            ++count;
        }
    }
    std::uint64_t turn = sizeof(TurnBoard);
    for (const FlopHands& hands : hands_) turn += hands.count * sizeof(Number) + hands.padded;
    return sampled * pairs / std::max<std::uint64_t>(count, 1) + turn * cards;
}

}  // namespace riverboat::sampled
