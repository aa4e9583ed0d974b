#include "sampled/solver.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "spots/engine.hpp"
#include "util/errors.hpp"

namespace riverboat::sampled {
namespace {

// Chance weight of one of `samples` cards: of the unseen cards the players hold four.
float chance_weight(std::size_t unseen, int samples) {
    return static_cast<float>(static_cast<double>(unseen) / static_cast<double>(unseen - 4) /
                              samples);
}

}  // namespace

void check_sampled(const Tree& tree, const std::vector<Card>& flop, const SampledOptions& options) {
    spots::check_spot(tree, flop);
    const GameSpec& spec = tree.spec();
    if (flop.size() != 3 || spec.hole_cards != 2 || spec.streets != 3) {
        throw GameError("sampled solving is for hold'em spots that begin on the flop");
    }
    const auto check = [](const char* name, int given, int most) {
        if (given >= 1 && given <= most) return;
        throw GameError(std::string(name) + " must be from 1 to " + std::to_string(most) +
                        ", not " + std::to_string(given));
    };
    check("turns", options.turns, 32);
    check("rivers", options.rivers, 32);
    check("turn_bins", options.bins.turn, 250);
    check("river_bins", options.bins.river, 250);
    check("threads", options.threads, 256);
}

Deck::Deck(int size, int without, std::uint64_t seed, std::uint64_t stream)
    : random_(seed, stream) {
    for (int card = 0; card < size; ++card) {
        if (card != without) cards_.push_back(card);
    }
}

void Deck::deal(int count, int* out) {
    if (left_ < static_cast<std::size_t>(count)) {
        for (std::size_t i = cards_.size() - 1; i > 0; --i) {
            std::swap(cards_[i], cards_[random_.below(static_cast<std::uint32_t>(i + 1))]);
        }
        left_ = cards_.size();
    }
    for (int i = 0; i < count; ++i) out[i] = cards_[--left_];
}

Deck::State Deck::state() const {
    State state{{}, static_cast<std::int32_t>(left_), random_};
    std::ranges::copy(cards_, state.cards);
    return state;
}

void Deck::load(const State& state) {
    const std::vector<int> cards(state.cards, state.cards + cards_.size());
    const bool sound = std::ranges::is_permutation(cards, cards_) && state.left >= 0 &&
                       static_cast<std::size_t>(state.left) <= cards.size();
    if (!sound) throw GameError("this is not the state of a sampled solve of this spot");
    cards_ = cards;
    left_ = static_cast<std::size_t>(state.left);
    random_ = state.random;
}

// What a turn task uses.
struct SampledSolver::Worker {
    PackScratch scratch;
    std::vector<ExitRows> exits;                          // by turn pack
    std::array<std::vector<LaneArray>, 2> reach, values;  // by player and river pack, not straight

    Worker(const Program& program, const FlopBoards& boards, int bins)
        : scratch(ShapeSizes(program.shapes), bins, most_hands(boards)) {
        const std::size_t rows[2] = {rows_size(boards.hands(0)), rows_size(boards.hands(1))};
        for (const Pack& pack : program.turns) {
            ExitRows& each = exits.emplace_back();
            each.player_begin[0] = 0;
            each.player_begin[1] = rows[0];
            each.exit_stride = rows[0] + rows[1];
            const std::size_t size = program.shapes[pack.shape].exits.size() * each.exit_stride;
            each.reach = LaneArray(size);
            each.values = LaneArray(size);
        }
        for (const Pack& pack : program.rivers) {
            for (int p = 0; p < 2; ++p) {
                const std::size_t size = pack.straight ? 0 : rows[p];
                reach[p].emplace_back(size);
                values[p].emplace_back(size);
            }
        }
    }

    std::uint64_t bytes() const {
        std::uint64_t bytes = scratch.bytes();
        for (const ExitRows& each : exits) bytes += each.reach.bytes() + each.values.bytes();
        for (int p = 0; p < 2; ++p) {
            for (const LaneArray& each : reach[p]) bytes += 2 * each.bytes();
        }
        return bytes;
    }
};

// A turn card of an iteration and its rivers, by position in the deck.
struct SampledSolver::Sample {
    int turn;
    std::vector<int> rivers;
};

SampledSolver::SampledSolver(std::shared_ptr<const Tree> tree, std::vector<Card> flop,
                             const spots::Weights& weights, const SampledOptions& options)
    : tree_((check_sampled(*tree, flop, options), std::move(tree))),
      options_(options),
      pool_(std::make_unique<Pool>(options.threads_used(), Pool::kRestless)),
      boards_(tree_->spec(), flop, weights, options.bins, *pool_),
      program_(compile_lanes(*tree_)),
      flop_(*tree_, program_.first, boards_),
      turn_deck_(static_cast<int>(boards_.deck().size()), -1, options.seed, 0) {
    const auto cards = static_cast<int>(boards_.deck().size());
    tables_.resize(cards);
    for (int card = 0; card < cards; ++card) {
        river_decks_.emplace_back(cards, card, options.seed, 1 + card);
        for (int p = 0; p < 2; ++p) {
            for (const Pack& pack : program_.turns) {
                const std::size_t entries = program_.shapes[pack.shape].entries[p];
                tables_[card].turns[p].emplace_back(options.bins.turn * entries);
            }
            for (const Pack& pack : program_.rivers) {
                const std::size_t entries = program_.shapes[pack.shape].entries[p];
                tables_[card].rivers[p].emplace_back(options.bins.river * entries);
            }
        }
    }
    for (int p = 0; p < 2; ++p) {
        const std::size_t rows = rows_size(boards_.hands(p));
        for (std::size_t i = 0; i < program_.turns.size(); ++i) reach_[p].emplace_back(rows);
        for (std::size_t i = 0; i < program_.turns.size() * options.turns; ++i) {
            values_[p].emplace_back(rows);
        }
    }
    for (int i = 0; i < pool_->num_threads(); ++i) {
        workers_.push_back(std::make_unique<Worker>(program_, boards_, options.most_bins()));
    }
    flop_nodes_.resize(program_.first.nodes.size(), -1);
    flop_nodes_[0] = 0;
    for (std::size_t i = 0; i < flop_nodes_.size(); ++i) {
        const StreetNode& node = program_.first.nodes[i];
        for (int a = 0; a < node.num_actions; ++a) {
            flop_nodes_[node.first_child + a] = tree_->nodes()[flop_nodes_[i]].first_child + a;
        }
    }
}

SampledSolver::~SampledSolver() = default;

// The player's reach of the turn's lines.
void SampledSolver::start_player(int player, Flop::Play play) {
    flop_.walk_down(player, play);
    const std::uint32_t padded = boards_.hands(player).padded;
    for (std::size_t i = 0; i < program_.turns.size(); ++i) {
        const Pack& pack = program_.turns[i];
        Lanes* to = reach_[player][i].data();
        for (int lane = 0; lane < pack.count; ++lane) {
            const std::int32_t end = program_.first.exits[pack.source[lane].exit];
            const float* from = flop_.reach(player, program_.first.ends[end].sequence[player]);
            for (std::uint32_t hand = 0; hand < padded; ++hand) to[hand][lane] = from[hand];
        }
    }
}

// Values of the flop's exits: those of the batch's turns, summed in the batch's order.
void SampledSolver::take_turn_values(int player) {
    const std::uint32_t padded = boards_.hands(player).padded;
    const std::size_t packs = program_.turns.size();
    for (std::size_t i = 0; i < packs; ++i) {
        Lanes* sum = values_[player][i].data();
        for (int b = 1; b < options_.turns; ++b) {
            const Lanes* more = values_[player][b * packs + i].data();
            for (std::uint32_t hand = 0; hand < padded; ++hand) sum[hand] += more[hand];
        }
        const Pack& pack = program_.turns[i];
        for (int lane = 0; lane < pack.count; ++lane) {
            const std::int32_t end = program_.first.exits[pack.source[lane].exit];
            float* to = flop_.end_values(player, end);
            for (std::uint32_t hand = 0; hand < padded; ++hand) to[hand] = sum[hand][lane];
        }
    }
}

void SampledSolver::gather(const Pack& pack, int player, Worker& worker, Lanes* out) const {
    const std::uint32_t count = boards_.hands(player).count;
    for (int lane = 0; lane < pack.count; ++lane) {
        const LaneSource& source = pack.source[lane];
        ExitRows& exits = worker.exits[source.pack];
        const Lanes* from = exits.row(exits.reach, source.exit, player);
        for (std::uint32_t hand = 0; hand < count; ++hand) {
            out[hand][lane] = from[hand][source.lane];
        }
    }
}

void SampledSolver::scatter(const Pack& pack, int player, Worker& worker,
                            const Lanes* values) const {
    const std::uint32_t count = boards_.hands(player).count;
    for (int lane = 0; lane < pack.count; ++lane) {
        const LaneSource& source = pack.source[lane];
        ExitRows& exits = worker.exits[source.pack];
        Lanes* to = exits.row(exits.values, source.exit, player);
        for (std::uint32_t hand = 0; hand < count; ++hand) {
            to[hand][source.lane] = values[hand][lane];
        }
    }
}

void SampledSolver::play_turn(const Sample& sample, int place, Worker& worker) {
    const TurnBoard& board = boards_.turn(sample.turn);
    TurnTables& tables = tables_[sample.turn];
    const std::size_t unseen = boards_.deck().size();
    const float turn_weight = chance_weight(unseen, options_.turns);
    const float river_weight = chance_weight(unseen - 1, options_.rivers);
    const std::size_t packs = program_.turns.size();
    const auto turn_place = [&](std::size_t i) {
        const Pack& pack = program_.turns[i];
        return PackPlace{
            program_.shapes[pack.shape],
            pack,
            {reach_[0][i].data(), reach_[1][i].data()},
            {values_[0][place * packs + i].data(), values_[1][place * packs + i].data()},
            {tables.turns[0][i].data(), tables.turns[1][i].data()}};
    };
    for (std::size_t i = 0; i < packs; ++i) {
        start_turn(turn_place(i), boards_, board, worker.exits[i], worker.scratch);
    }
    for (std::size_t i = 0; i < program_.rivers.size(); ++i) {
        const Pack& pack = program_.rivers[i];
        const Lanes* reach[2];
        Lanes* values[2];
        for (int p = 0; p < 2; ++p) {
            if (pack.straight) {
                ExitRows& exits = worker.exits[pack.source[0].pack];
                reach[p] = exits.row(exits.reach, pack.source[0].exit, p);
                values[p] = exits.row(exits.values, pack.source[0].exit, p);
                continue;
            }
            gather(pack, p, worker, worker.reach[p][i].data());
            reach[p] = worker.reach[p][i].data();
            LaneArray& rows = worker.values[p][i];
            std::fill(rows.data(), rows.data() + rows.size(), Lanes{});
            values[p] = rows.data();
        }
        const PackPlace river{program_.shapes[pack.shape],
                              pack,
                              {reach[0], reach[1]},
                              {values[0], values[1]},
                              {tables.rivers[0][i].data(), tables.rivers[1][i].data()}};
        for (int r = 0; r < options_.rivers; ++r) {
            play_river(river, boards_, boards_.river(sample.turn, sample.rivers[r]), river_weight,
                       Discounts::at(tables.river_visits + r, kAlpha, kLaterBeta), worker.scratch);
        }
        if (pack.straight) continue;
        for (int p = 0; p < 2; ++p) scatter(pack, p, worker, values[p]);
    }
    tables.river_visits += options_.rivers;
    const auto discounts = Discounts::at(tables.turn_visits++, kAlpha, kLaterBeta);
    for (std::size_t i = 0; i < packs; ++i) {
        const PackPlace turn = turn_place(i);
        for (int p = 0; p < 2; ++p) {  // hands that the card blocks have no values
            std::fill(turn.values[p], turn.values[p] + boards_.hands(p).padded, Lanes{});
        }
        finish_turn(turn, boards_, board, worker.exits[i], turn_weight, discounts, worker.scratch);
    }
}

template <typename Finish>
void SampledSolver::play_batches(std::int64_t iterations, Flop::Play play, const Finish& finish) {
    const FlushToZero flush;
    std::vector<Sample> samples(options_.turns);
    std::vector<int> turns(options_.turns);
    for (int p = 0; p < 2; ++p) start_player(p, play);
    for (; iterations > 0; --iterations) {
        turn_deck_.deal(options_.turns, turns.data());
        for (int b = 0; b < options_.turns; ++b) {
            samples[b].turn = turns[b];
            samples[b].rivers.resize(options_.rivers);
            river_decks_[turns[b]].deal(options_.rivers, samples[b].rivers.data());
        }
        pool_->run(options_.turns, [&](int place, int thread) {
            play_turn(samples[place], place, *workers_[thread]);
        });
        finish();
    }
}

void SampledSolver::run(std::int64_t iterations) {
    play_batches(iterations, Flop::Play::kCurrent, [&] {
        ++iterations_;
        // The two players' values are from the reaches before either learns.
        pool_->run(2, [&](int player, int) {
            take_turn_values(player);
            flop_.walk_up(player, iterations_);
        });
        pool_->run(2, [&](int player, int) { start_player(player, Flop::Play::kCurrent); });
    });
}

void SampledSolver::evaluate(std::int64_t iterations) {
    flop_.clear_sums();
    play_batches(iterations, Flop::Play::kAverage, [&] {
        pool_->run(2, [&](int player, int) {
            take_turn_values(player);
            flop_.sum_up(player);
        });
    });
}

// Calls visit(pointer, bytes) for all tables.
template <typename Self, typename Visit>
void SampledSolver::for_each_part(Self& self, const Visit& visit) {
    visit(&self.iterations_, sizeof(self.iterations_));
    for (int p = 0; p < 2; ++p) {
        for (auto* rows : {&self.flop_.regrets(p), &self.flop_.average(p)}) {
            visit(rows->data(), rows->bytes());
        }
    }
    for (auto& tables : self.tables_) {
        visit(&tables.turn_visits, sizeof(tables.turn_visits));
        visit(&tables.river_visits, sizeof(tables.river_visits));
        for (int p = 0; p < 2; ++p) {
            for (auto* street : {&tables.turns[p], &tables.rivers[p]}) {
                for (auto& each : *street) visit(each.data(), each.bytes());
            }
        }
    }
}

std::size_t SampledSolver::state_size() const {
    std::size_t size = sizeof(Deck::State) * (1 + river_decks_.size());
    for_each_part(*this, [&](const void*, std::size_t bytes) { size += bytes; });
    return size;
}

void SampledSolver::save_state(std::byte* out) const {
    const auto put = [&](const void* from, std::size_t bytes) {
        if (bytes > 0) std::memcpy(out, from, bytes);
        out += bytes;
    };
    const auto put_deck = [&](const Deck& deck) {
        const Deck::State state = deck.state();
        put(&state, sizeof(state));
    };
    put_deck(turn_deck_);
    for (const Deck& deck : river_decks_) put_deck(deck);
    for_each_part(*this, put);
}

void SampledSolver::load_state(const std::byte* from) {
    const auto take = [&](void* to, std::size_t bytes) {
        if (bytes > 0) std::memcpy(to, from, bytes);
        from += bytes;
    };
    const auto take_deck = [&](Deck& deck) {
        Deck::State state = deck.state();
        take(&state, sizeof(state));
        deck.load(state);
    };
    take_deck(turn_deck_);
    for (Deck& deck : river_decks_) take_deck(deck);
    for_each_part(*this, take);
}

const StreetNode& SampledSolver::flop_decision(std::int32_t node) const {
    const auto found = std::ranges::find(flop_nodes_, node);
    if (node >= 0 && found != flop_nodes_.end()) {
        const StreetNode& decision = program_.first.nodes[found - flop_nodes_.begin()];
        if (decision.kind == NodeKind::kDecision) return decision;
    }
    throw GameError("node " + std::to_string(node) + " is not a decision on the flop");
}

std::uint64_t SampledSolver::bytes() const {
    std::uint64_t bytes = boards_.bytes() + flop_.bytes() + program_.bytes();
    for (const TurnTables& tables : tables_) {
        for (int p = 0; p < 2; ++p) {
            for (const LaneArray& each : tables.turns[p]) bytes += each.bytes();
            for (const LaneArray& each : tables.rivers[p]) bytes += each.bytes();
        }
    }
    for (int p = 0; p < 2; ++p) {
        for (const LaneArray& each : reach_[p]) bytes += each.bytes();
        for (const LaneArray& each : values_[p]) bytes += each.bytes();
    }
    for (const auto& worker : workers_) bytes += worker->bytes();
    return bytes;
}

}  // namespace riverboat::sampled
