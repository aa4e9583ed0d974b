// Public-chance sampling: dealers of public outcomes, and one walker for each thread.
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/solve.hpp"
#include "solve/holdem_public.hpp"
#include "solve/public_chance.hpp"
#include "solve/public_values.hpp"
#include "solve/share.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

// A dealer of public outcomes, with the one-bucket dealer whose tables it fills.
struct CompiledPublic {
    CompiledDealer deals;
    std::shared_ptr<const PublicDealer> dealer;
};

template <typename T, typename Shape>
std::vector<T> copied(const Array<const T, Shape>& array) {
    return {array.data(), array.data() + array.size()};
}

using Cube = nb::ndim<3>;

CompiledPublic enumerated_public(const CompiledDealer& deals, Array<const double, Cube> weights,
                                 Matrix<const std::uint32_t> strengths,
                                 Array<const std::uint32_t, Cube> buckets) {
    PublicMatrices matrices{weights.shape(0), weights.shape(1), copied(weights), copied(strengths),
                            copied(buckets)};
    return {deals, std::make_shared<const EnumeratedPublicDealer>(
                       *deals.tree, deals.dealer->num_buckets(), std::move(matrices))};
}

CompiledPublic holdem_public(const CompiledDealer& deals) {
    const auto* dealer = dynamic_cast<const HoldemDealer*>(deals.dealer.get());
    if (dealer == nullptr) throw GameError("only deals of hold'em have bucket tables by board");
    return {deals, std::make_shared<const HoldemPublicDealer>(deals.tree, *dealer)};
}

// One sampled outcome, for tests.
struct DrawnPublic {
    CompiledPublic dealer;
    std::unique_ptr<PublicDeal> deal;

    DrawnPublic(const CompiledPublic& from, std::uint64_t seed, std::uint64_t stream)
        : dealer(from), deal(dealer.dealer->start()) {
        Random random(seed, stream);
        deal->draw(random);
    }

    void check(int player, const Vector<const float>& reach, const Vector<float>& out) const {
        if (player < 0 || player > 1) throw GameError("players are 0 and 1");
        if (reach.shape(0) != deal->num_hands() || out.shape(0) != deal->num_hands()) {
            throw GameError("a vector has " + std::to_string(deal->num_hands()) + " hands here");
        }
    }
};

std::vector<int> hands_of(const DrawnPublic& drawn) {
    std::vector<int> hands;
    for (std::size_t i = 0; i < drawn.deal->num_hands(); ++i) hands.push_back(drawn.deal->hand(i));
    return hands;
}

std::vector<std::uint32_t> buckets_of(const DrawnPublic& drawn, int group) {
    if (group < 0 || group >= static_cast<int>(drawn.dealer.deals.tree->groups().size())) {
        throw GameError("there is no group " + std::to_string(group));
    }
    const std::uint32_t* buckets = drawn.deal->buckets(group);
    return {buckets, buckets + drawn.deal->num_hands()};
}

std::vector<float> chances_of(const DrawnPublic& drawn, int player) {
    if (player < 0 || player > 1) throw GameError("players are 0 and 1");
    const float* chances = drawn.deal->chances(player);
    return {chances, chances + drawn.deal->num_hands()};
}

// A walker for each thread, and the game they belong to.
struct PublicWalkers {
    CompiledPublic game;
    std::vector<std::unique_ptr<PublicChance>> walkers;

    PublicWalkers(const CompiledPublic& given, int threads) : game(given) {
        need_recall(game.deals);
        const std::uint32_t most = std::ranges::max(game.deals.dealer->num_buckets());
        for (int i = 0; i < threads; ++i) {
            walkers.push_back(std::make_unique<PublicChance>(*game.deals.tree, *game.deals.layout,
                                                             *game.dealer, most));
        }
    }
    PublicWalkers(const PublicWalkers&) = delete;  // or nanobind would copy
};

std::uint64_t run_public(PublicWalkers& on, const RuleSettings& settings, std::uint64_t seed,
                         double average_weight, std::uint64_t first, std::uint64_t end, Pool& crew,
                         Vector<float> regrets, Vector<double> average, Vector<float> predictions) {
    const bool predictive = settings.rule == RegretRule::kPredictive;
    const std::size_t size = on.game.deals.layout->size();
    if (regrets.shape(0) != size || average.shape(0) != size ||
        (predictive && predictions.shape(0) != size)) {
        throw GameError("a table has " + std::to_string(size) + " entries for this game");
    }
    if (crew.num_threads() > static_cast<int>(on.walkers.size())) {
        throw GameError("there are " + std::to_string(on.walkers.size()) + " walkers for " +
                        std::to_string(crew.num_threads()) + " threads");
    }
    const PublicOptions options{seed, settings.rule, average_weight};
    const PublicTables tables{regrets.data(), average.data(),
                              predictive ? predictions.data() : nullptr};
    nb::gil_scoped_release release;
    return share_iterations(crew, first, end, [&](const Slice& slice, int thread) {
        return on.walkers[thread]->run(slice, options, tables);
    });
}

struct ValueWalker {
    CompiledPublic game;
    PublicValues walker;

    explicit ValueWalker(const CompiledPublic& given)
        : game(given), walker(*game.deals.tree, *game.deals.layout, *game.dealer) {}
};

// First entries of both players, each followed by one entry per bucket of the node's sums.
void check_places(const CompiledPublic& game, const Matrix<const std::int64_t>& places,
                  std::size_t entries) {
    if (places.shape(0) != game.deals.tree->nodes().size() || places.shape(1) != 2) {
        throw GameError("places must be [nodes, 2]");
    }
    const auto most =
        static_cast<std::int64_t>(entries) - std::ranges::max(game.deals.dealer->num_buckets());
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places.data()[i] > most) throw GameError("a place is outside the tables");
    }
}

void run_values(ValueWalker& walker, std::uint64_t seed, std::uint64_t first, std::uint64_t end,
                std::uint64_t stride, Vector<const float> strategy,
                Matrix<const std::int64_t> entered, Matrix<const std::int64_t> begun,
                Vector<double> worth, Vector<double> weight) {
    if (strategy.shape(0) != walker.game.deals.layout->size()) {
        throw GameError("a strategy has " + std::to_string(walker.game.deals.layout->size()) +
                        " entries for this game");
    }
    if (worth.shape(0) != weight.shape(0)) throw GameError("both tables have as many entries");
    if (stride == 0) throw GameError("the stride of a slice must be at least 1");
    check_places(walker.game, entered, worth.shape(0));
    check_places(walker.game, begun, worth.shape(0));
    nb::gil_scoped_release release;
    walker.walker.run({first, end, stride}, seed, strategy.data(), {entered.data(), begun.data()},
                      {worth.data(), weight.data()});
}

void bind_drawn(nb::module_& m) {
    nb::class_<DrawnPublic>(m, "DrawnPublic")
        .def_prop_ro("outcome", [](const DrawnPublic& d) { return d.deal->outcome(); })
        .def_prop_ro("hands", &hands_of)
        .def("buckets", &buckets_of, nb::arg("group"))
        .def("chances", &chances_of, nb::arg("player"))
        .def(
            "compatible_into",
            [](DrawnPublic& d, int player, Vector<const float> reach, float payoff,
               Vector<float> out) {
                d.check(player, reach, out);
                d.deal->compatible(player, reach.data(), payoff, out.data());
            },
            nb::arg("player"), nb::arg("reach"), nb::arg("payoff"), nb::arg("out").noconvert())
        .def(
            "showdown_into",
            [](DrawnPublic& d, int player, Vector<const float> reach, float win, float tie,
               float lose, Vector<float> out) {
                d.check(player, reach, out);
                d.deal->showdown(player, reach.data(), {win, tie, lose}, out.data());
            },
            nb::arg("player"), nb::arg("reach"), nb::arg("win"), nb::arg("tie"), nb::arg("lose"),
            nb::arg("out").noconvert());
}

}  // namespace

void bind_public_chance(nb::module_& m) {
    bind_drawn(m);
    nb::class_<CompiledPublic>(m, "CompiledPublic")
        .def(
            "draw",
            [](const CompiledPublic& game, std::uint64_t seed, std::uint64_t stream) {
                return new DrawnPublic(game, seed, stream);
            },
            nb::arg("seed"), nb::arg("stream"), nb::rv_policy::take_ownership);
    m.def("enumerated_public", &enumerated_public, nb::arg("deals"), nb::arg("weights"),
          nb::arg("strengths"), nb::arg("buckets"));
    m.def("holdem_public", &holdem_public, nb::arg("deals"));
    nb::class_<PublicWalkers>(m, "PublicChance")
        .def(nb::init<const CompiledPublic&, int>(), nb::arg("game"), nb::arg("threads"))
        .def("run", &run_public, nb::arg("settings"), nb::arg("seed"), nb::arg("average_weight"),
             nb::arg("first"), nb::arg("end"), nb::arg("crew"), nb::arg("regrets").noconvert(),
             nb::arg("average").noconvert(), nb::arg("predictions").noconvert());
    nb::class_<ValueWalker>(m, "PublicValues")
        .def(nb::init<const CompiledPublic&>(), nb::arg("game"))
        .def("run", &run_values, nb::arg("seed"), nb::arg("first"), nb::arg("end"),
             nb::arg("stride"), nb::arg("strategy").noconvert(), nb::arg("entered").noconvert(),
             nb::arg("begun").noconvert(), nb::arg("worth").noconvert(),
             nb::arg("weight").noconvert());
}

}  // namespace riverboat::bindings
