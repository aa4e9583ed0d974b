// Sampled solving of a spot that begins on the flop.
//
// Counterfactual regret minimization (Zinkevich, Johanson, Bowling & Piccione, NIPS 2007) with
// public chance sampling (Johanson, Bard, Lanctot, Gibson & Bowling, AAMAS 2012): an iteration
// draws some turn cards, each with some rivers, and both players' hands are updated as vectors.
// Discounts are those of DCFR (Brown & Sandholm, AAAI 2019) with another beta on the flop. The
// flop has a row of regrets for every hand. Behind it hands are grouped into bins, which are made
// for this flop and serve only to give the flop its values: no average of turn and river is kept.
// So this is not a solution of the whole spot.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sampled/boards.hpp"
#include "sampled/flop.hpp"
#include "sampled/shape.hpp"
#include "sampled/street.hpp"
#include "util/pool.hpp"
#include "util/random.hpp"

namespace riverboat::sampled {

struct SampledOptions {
    std::uint64_t seed = 1;
    int threads = 1;
    int turns = 2, rivers = 1;  // per iteration, and per turn
    BinCounts bins{60, 40};

    int threads_used() const { return std::min(threads, std::max(turns, 2)); }
    int most_bins() const { return std::max(bins.turn, bins.river); }
};

// Throws GameError where the game or an option does not fit.
void check_sampled(const Tree& tree, const std::vector<Card>& flop, const SampledOptions& options);

// Rows of a pack: a hand each, and one for a hand that the player cannot have.
inline std::size_t rows_size(const FlopHands& hands) { return hands.padded + 1; }
inline std::size_t most_hands(const FlopBoards& boards) {
    return std::max(boards.hands(0).padded, boards.hands(1).padded);
}

// Cards by position in the spot's deck. Deals from a shuffled deck, and shuffles when fewer cards
// are left than asked for.
class Deck {
  public:
    Deck(int size, int without, std::uint64_t seed, std::uint64_t stream);
    void deal(int count, int* out);

    // Its state: the order of the cards, how many are left, the random numbers.
    struct State {
        std::int32_t cards[kNumCards];
        std::int32_t left;
        Random random;
    };
    State state() const;
    // Throws GameError where the cards are not this deck's.
    void load(const State& state);

  private:
    std::vector<int> cards_;
    std::size_t left_ = 0;
    Random random_;
};

class SampledSolver {
  public:
    // The tree's root is a flop. Throws as check_sampled.
    SampledSolver(std::shared_ptr<const Tree> tree, std::vector<Card> flop,
                  const spots::Weights& weights, const SampledOptions& options);
    ~SampledSolver();
    SampledSolver(const SampledSolver&) = delete;
    SampledSolver& operator=(const SampledSolver&) = delete;

    void run(std::int64_t iterations);
    // Plays the flop's average strategy while turn and river go on learning; sums the values of
    // the flop's nodes since the start of the call.
    void evaluate(std::int64_t iterations);

    // All that changes, in bytes. load throws GameError where the bytes are not a state of it.
    std::size_t state_size() const;
    void save_state(std::byte* out) const;
    void load_state(const std::byte* from);

    std::int64_t iterations() const { return iterations_; }
    std::uint64_t bytes() const;
    const Tree& tree() const { return *tree_; }
    const FlopBoards& boards() const { return boards_; }
    Flop& flop() { return flop_; }

    // The flop's decision of a tree node: throws GameError if it is none.
    const StreetNode& flop_decision(std::int32_t node) const;
    // By node of the flop's shape: the tree's node.
    const std::vector<std::int32_t>& flop_nodes() const { return flop_nodes_; }

  private:
    struct Worker;
    struct Sample;
    // Regrets of the lines after a turn card.
    struct TurnTables {
        std::array<std::vector<LaneArray>, 2> turns, rivers;  // by player and pack: [bin][entry]
        std::int64_t turn_visits = 0, river_visits = 0;
    };

    void start_player(int player, Flop::Play play);
    void take_turn_values(int player);
    template <typename Finish>
    void play_batches(std::int64_t iterations, Flop::Play play, const Finish& finish);
    template <typename Self, typename Visit>
    static void for_each_part(Self& self, const Visit& visit);
    void play_turn(const Sample& sample, int place, Worker& worker);
    void gather(const Pack& pack, int player, Worker& worker, Lanes* out) const;
    void scatter(const Pack& pack, int player, Worker& worker, const Lanes* values) const;

    std::shared_ptr<const Tree> tree_;
    SampledOptions options_;
    std::unique_ptr<Pool> pool_;
    FlopBoards boards_;
    Program program_;
    Flop flop_;
    Deck turn_deck_;
    std::vector<Deck> river_decks_;
    std::vector<TurnTables> tables_;               // by turn card
    std::array<std::vector<LaneArray>, 2> reach_;  // by player and pack: rows of the flop's exits
    // By player: the batch's values of turns, [place][pack].
    std::array<std::vector<LaneArray>, 2> values_;
    std::vector<std::unique_ptr<Worker>> workers_;  // by thread
    std::vector<std::int32_t> flop_nodes_;
    std::int64_t iterations_ = 0;
};

}  // namespace riverboat::sampled
