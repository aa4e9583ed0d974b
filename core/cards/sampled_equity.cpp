// Monte Carlo equity. Hands of weighted ranges are drawn by Walker's alias method
// and all drawn again while they share a card, so that each joint holding has the
// correct probability. Hands of players with random cards and the rest of the
// board are then dealt from the remaining deck, without rejection.
#include <numeric>

#include "cards/equity.hpp"
#include "util/errors.hpp"
#include "util/random.hpp"

namespace riverboat {
namespace {

constexpr int kMaxRedraws = 1'000'000;
constexpr std::size_t kMaxPlayers = 10;

// Draws a hole pair with probability proportional to its weight (Walker 1977, Vose 1991).
class AliasTable {
  public:
    AliasTable(const std::vector<int>& holes, Weights weights) {
        const auto count = static_cast<double>(holes.size());
        double total = 0;
        for (const int hole : holes) total += weights[hole];
        std::vector<std::size_t> small, large;
        for (std::size_t i = 0; i < holes.size(); ++i) {
            cells_.push_back({weights[holes[i]] * count / total, holes[i], holes[i]});
            (cells_.back().keep < 1 ? small : large).push_back(i);
        }
        while (!small.empty() && !large.empty()) {
            Cell& low = cells_[small.back()];
            small.pop_back();
            Cell& high = cells_[large.back()];
            low.alias = high.hole;
            high.keep -= 1 - low.keep;
            if (high.keep < 1) {
                small.push_back(large.back());
                large.pop_back();
            }
        }
        for (const auto i : small) cells_[i].keep = 1;  // left over by rounding
        for (const auto i : large) cells_[i].keep = 1;
    }

    int draw(Random& random) const {
        const Cell& cell = cells_[random.below(static_cast<std::uint32_t>(cells_.size()))];
        return random.uniform() < cell.keep ? cell.hole : cell.alias;
    }

  private:
    struct Cell {
        double keep;
        int hole, alias;
    };
    std::vector<Cell> cells_;
};

struct WeightedSeat {
    std::size_t player;
    AliasTable table;
};

class Sampler {
  public:
    Sampler(const Table& table, std::span<const Weights> players) : table_(table) {
        for (std::size_t player = 0; player < players.size(); ++player)
            add(player, players[player]);
        for (int card = 0; card < kNumCards; ++card) {
            if (!((table.dead | fixed_) & suit_masks_of(card))) {
                deck_[num_deck_++] = card;
            }
        }
        num_dealt_ = static_cast<int>(2 * uniform_.size()) + table.missing();
    }

    // Draws one deal; strengths[i] becomes the strength of player i's finished hand.
    void draw(Random& random, int* strengths) {
        const Evaluator& evaluator = Evaluator::standard();
        const SuitMasks taken = weighted_.empty() ? 0 : draw_weighted(random);
        shuffle(random, taken);
        const int* next = deck_.data();
        HandSum board = table_.sum;
        for (int i = 0; i < table_.missing(); ++i) board += evaluator.card(*next++);
        for (const auto player : uniform_) {
            const HandSum high = board + evaluator.card(next[0]);
            strengths[player] = evaluator.strength(high + evaluator.card(next[1]));
            next += 2;
        }
        for (const auto& [player, hole] : known_) {
            strengths[player] = evaluator.strength(board + evaluator.hole(hole));
        }
        for (std::size_t i = 0; i < weighted_.size(); ++i) {
            strengths[weighted_[i].player] = evaluator.strength(board + evaluator.hole(drawn_[i]));
        }
    }

  private:
    void add(std::size_t player, Weights weights) {
        std::vector<int> holes;
        bool even = true;
        const int left = kNumCards - std::popcount(table_.dead);
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const SuitMasks masks =
                suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
            if (weights[hole] <= 0 || (masks & table_.dead)) continue;
            holes.push_back(hole);
            even = even && weights[hole] == weights[holes.front()];
        }
        if (holes.size() ==
            1) {  // make_table has seen that each has a hand, and only one each card
            const Hole hole = kHoles[holes.front()];
            fixed_ |= suit_masks_of(hole.low) | suit_masks_of(hole.high);
            known_.push_back({player, holes.front()});
        } else if (even && static_cast<int>(holes.size()) == left * (left - 1) / 2) {
            uniform_.push_back(player);
        } else {
            weighted_.push_back({player, AliasTable(holes, weights)});
        }
    }

    // Fills drawn_ with one hole per weighted seat; returns the cards no longer in the deck.
    SuitMasks draw_weighted(Random& random) {
        for (int attempt = 0; attempt < kMaxRedraws; ++attempt) {
            if (table_.stopped->load(std::memory_order_relaxed)) break;
            SuitMasks taken = fixed_;
            std::size_t seat = 0;
            for (; seat < weighted_.size(); ++seat) {
                const int hole = weighted_[seat].table.draw(random);
                const SuitMasks masks =
                    suit_masks_of(kHoles[hole].low) | suit_masks_of(kHoles[hole].high);
                if (taken & masks) break;
                taken |= masks;
                drawn_[seat] = hole;
            }
            if (seat == weighted_.size()) return taken;
        }
        throw CardError("the players' ranges share too many cards: no joint holding was found");
    }

    // Moves num_dealt_ uniformly drawn cards, none of them in `taken`, to the front of the deck.
    void shuffle(Random& random, SuitMasks taken) {
        if (taken == 0) return shuffle(random);
        for (int i = 0; i < num_dealt_;) {
            std::swap(deck_[i], deck_[i + random.below(num_deck_ - i)]);
            i += !(taken & suit_masks_of(deck_[i]));
        }
    }

    // The same where every card of the deck may come. One random number serves
    // four draws: they are its upper digits in the mixed radix of the deck's
    // size, with a bias below 2^-40.
    void shuffle(Random& random) {
        for (int i = 0; i < num_dealt_; i += 4) {
            std::uint64_t bits = random.next();
            for (int k = i; k < std::min(i + 4, num_dealt_); ++k) {
                const auto left = static_cast<unsigned>(num_deck_ - k);
                const auto wide = static_cast<unsigned __int128>(bits) * left;
                bits = static_cast<std::uint64_t>(wide);
                std::swap(deck_[k], deck_[k + static_cast<int>(wide >> 64)]);
            }
        }
    }

    const Table& table_;
    SuitMasks fixed_ = 0;
    std::vector<std::pair<std::size_t, int>> known_;
    std::vector<std::size_t> uniform_;
    std::vector<WeightedSeat> weighted_;
    std::array<int, kMaxPlayers> drawn_{};
    // Not bytes: they may alias anything, and each store would empty the registers.
    std::array<int, kNumCards> deck_{};
    int num_deck_ = 0;
    int num_dealt_ = 0;
};

}  // namespace

EquitySums sampled_equity(const Table& table, std::span<const Weights> players,
                          std::int64_t samples, std::uint64_t seed, std::uint64_t stream) {
    const std::size_t count = players.size();
    if (count > kMaxPlayers) throw CardError("at most 10 players");
    Sampler sampler(table, players);
    Random random(seed, stream);
    std::array<int, kMaxPlayers> strengths{};
    // outcomes[i][k]: deals that player i won together with k - 1 others.
    std::array<std::array<std::int64_t, kMaxPlayers + 1>, kMaxPlayers> outcomes{};
    for (std::int64_t sample = 0;
         sample < samples && !table.stopped->load(std::memory_order_relaxed); ++sample) {
        sampler.draw(random, strengths.data());
        int best = -1, winners = 0;
        for (std::size_t i = 0; i < count; ++i) best = std::max(best, strengths[i]);
        for (std::size_t i = 0; i < count; ++i) winners += strengths[i] == best;
        for (std::size_t i = 0; i < count; ++i) outcomes[i][winners] += strengths[i] == best;
    }
    EquitySums sums(count);
    sums.total = static_cast<double>(samples);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 1; k <= count; ++k) {
            const auto deals = static_cast<double>(outcomes[i][k]);
            (k == 1 ? sums.win : sums.tie)[i] += deals;
            sums.share[i] += deals / static_cast<double>(k);
            sums.share_squared[i] += deals / static_cast<double>(k * k);
        }
    }
    return sums;
}

}  // namespace riverboat
