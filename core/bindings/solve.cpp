#include "bindings/solve.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/bindings.hpp"
#include "bindings/game.hpp"
#include "game/showdown.hpp"
#include "solve/best_response.hpp"
#include "solve/full.hpp"
#include "solve/share.hpp"
#include "solve/tables.hpp"
#include "solve/walk.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

template <typename T>
std::vector<T> copied(const Vector<const T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

template <typename... Arrays>
void check_tables(const CompiledDealer& deals, const Arrays&... arrays) {
    if (!((arrays.shape(0) == deals.layout->size()) && ...)) {
        throw GameError("a table has " + std::to_string(deals.layout->size()) +
                        " entries for this tree and dealer");
    }
}

CompiledDealer enumerated(const CompiledTree& tree, Vector<const std::uint32_t> buckets,
                          Vector<const std::uint32_t> strengths, Vector<const double> weights) {
    const auto& whole = whole_tree(tree);
    return {whole, std::make_shared<const EnumeratedDealer>(*whole, copied(buckets),
                                                            copied(strengths), copied(weights))};
}

const EnumeratedDealer& as_enumerated(const CompiledDealer& deals) {
    need_recall(deals);
    const auto* dealer = dynamic_cast<const EnumeratedDealer*>(deals.dealer.get());
    if (dealer == nullptr) throw GameError("this needs a game whose deals can be enumerated");
    return *dealer;
}

using Kernel = WalkCounts (*)(const Tree&, const Layout&, const Dealer&, const WalkOptions&,
                              const Slice&, WalkTables);

Kernel kernel_of(const std::string& sampling) {
    if (sampling == "external") return external_sampling;
    if (sampling == "outcome") return outcome_sampling;
    if (sampling == "chance") return chance_sampling;
    if (sampling == "average-strategy") return average_strategy_sampling;
    throw GameError("'" + sampling + "' is not a sampled scheme");
}

std::uint64_t run_sampled(const std::string& sampling, const CompiledDealer& deals,
                          const WalkOptions& options, std::uint64_t first, std::uint64_t end,
                          Pool& crew, Vector<float> regrets, Vector<double> average) {
    check_tables(deals, regrets, average);
    const Kernel kernel = kernel_of(sampling);
    const WalkOptions settings = options;  // a copy, as Python may change its object meanwhile
    const WalkTables tables{regrets.data(), average.data()};
    nb::gil_scoped_release release;
    return share_iterations(crew, first, end, [&](const Slice& slice, int) {
        return kernel(*deals.tree, *deals.layout, *deals.dealer, settings, slice, tables);
    });
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> run_forked(
    const CompiledDealer& deals, const WalkOptions& options, int more_than, int last_street,
    int threads, std::uint64_t first, std::uint64_t end, Vector<float> regrets,
    Vector<double> average) {
    check_tables(deals, regrets, average);
    if (deals.tree->num_players() != 2) throw GameError("threads by subtree are for two players");
    const WalkOptions settings = options;
    const ForkOptions forks{more_than, last_street, threads};
    nb::gil_scoped_release release;
    const ForkCounts found =
        forked_external_sampling(*deals.tree, *deals.layout, *deals.dealer, settings, forks,
                                 {first, end}, {regrets.data(), average.data()});
    return {found.nodes, found.span, found.threads};
}

std::uint64_t run_pure(const CompiledDealer& deals, const WalkOptions& options, std::uint64_t first,
                       std::uint64_t end, Pool& crew, Vector<std::int32_t> regrets,
                       Vector<std::uint32_t> average) {
    check_tables(deals, regrets, average);
    const WalkOptions settings = options;
    const PureTables tables{regrets.data(), average.data()};
    nb::gil_scoped_release release;
    return share_iterations(crew, first, end, [&](const Slice& slice, int) {
        return pure_cfr(*deals.tree, *deals.layout, *deals.dealer, settings, slice, tables);
    });
}

// A walker over all deals, with the game it belongs to.
template <typename Walker>
struct OverDeals {
    CompiledDealer deals;
    Walker walker;
    explicit OverDeals(const CompiledDealer& given)
        : deals(given), walker(*deals.tree, *deals.layout, as_enumerated(deals)) {}
};

using FullWidthSolver = OverDeals<FullWidth>;
using ExactEvaluator = OverDeals<ExactValues>;

RuleSettings rule_settings(int rule, double alpha, double beta, double average_power,
                           double average_delay) {
    return {static_cast<RegretRule>(rule), alpha, beta, average_power, average_delay};
}

std::uint64_t run_full(FullWidthSolver& solver, const RuleSettings& settings, std::uint64_t first,
                       std::uint64_t end, Vector<double> regrets, Vector<double> average,
                       Vector<double> predictions) {
    check_tables(solver.deals, regrets, average);
    const bool predictive = settings.rule == RegretRule::kPredictive;
    if (predictive) check_tables(solver.deals, predictions);
    if (solver.deals.tree->num_players() != 2) {
        throw GameError("full-width CFR is for two players");
    }
    const std::uint64_t before = solver.walker.visited();
    nb::gil_scoped_release release;
    solver.walker.run(first, end, settings,
                      {regrets.data(), average.data(), predictive ? predictions.data() : nullptr});
    return solver.walker.visited() - before;
}

double exact_value(ExactEvaluator& evaluator, int player, Vector<const double> strategy,
                   bool respond) {
    check_tables(evaluator.deals, strategy);
    if (player < 0 || player >= evaluator.deals.tree->num_players()) {
        throw GameError("there is no player " + std::to_string(player));
    }
    nb::gil_scoped_release release;
    return respond ? evaluator.walker.best_response(player, strategy.data())
                   : evaluator.walker.value(player, strategy.data());
}

void deal_values(ExactEvaluator& evaluator, int player, int node, Vector<const double> strategy,
                 Vector<double> out) {
    check_tables(evaluator.deals, strategy);
    const Tree& tree = *evaluator.deals.tree;
    if (player < 0 || player >= tree.num_players()) {
        throw GameError("there is no player " + std::to_string(player));
    }
    if (node < 0 || static_cast<std::size_t>(node) >= tree.nodes().size()) {
        throw GameError("there is no node " + std::to_string(node));
    }
    if (out.shape(0) != as_enumerated(evaluator.deals).num_deals()) {
        throw GameError("the array must have a number for each deal");
    }
    nb::gil_scoped_release release;
    evaluator.walker.deal_values(player, node, strategy.data(), out.data());
}

template <typename Average, typename Probability>
void normalise_into(const CompiledDealer& deals, Vector<const Average> average,
                    Vector<Probability> strategy) {
    check_tables(deals, average, strategy);
    nb::gil_scoped_release release;
    normalise(*deals.tree, *deals.layout, deals.dealer->num_buckets(), average.data(),
              strategy.data());
}

template <typename Regret, typename Average>
std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, double> statistics(
    const CompiledDealer& deals, Vector<const Regret> regrets, Vector<const Average> average) {
    check_tables(deals, regrets, average);
    nb::gil_scoped_release release;
    const auto found = table_statistics(*deals.tree, *deals.layout, deals.dealer->num_buckets(),
                                        regrets.data(), average.data());
    return {found.infosets, found.visited, found.averaged, found.positive_regret};
}

template <typename T>
void discount_all(Vector<T> regrets, double positive, double negative, Pool& crew) {
    nb::gil_scoped_release release;
    discount(crew, regrets.data(), regrets.shape(0), positive, negative);
}

// The bucket of every group and the showdown strengths of one drawn deal.
std::tuple<std::vector<std::uint32_t>, std::vector<std::vector<std::uint32_t>>> draw_deal(
    const CompiledDealer& deals, std::uint64_t seed, std::uint64_t stream) {
    Random random(seed, stream);
    Deal deal;
    deals.dealer->draw(random, deal);
    std::vector<std::vector<std::uint32_t>> strengths;
    for (int player = 0; player < deals.tree->num_players(); ++player) {
        const auto& by_line = deal.strength[player];
        strengths.emplace_back(by_line.begin(), by_line.begin() + (1 << deals.tree->spec().swaps));
    }
    return {std::vector<std::uint32_t>(deal.bucket.begin(),
                                       deal.bucket.begin() + deals.tree->groups().size()),
            strengths};
}

// Strength of each seat's hand, if all its cards are known; bigger is better.
std::vector<std::uint32_t> strengths_of(const PythonHand& played) {
    const Hand& hand = played.hand.hand();
    if (!hand.finished() || missing_for_showdown(hand) != -1) {
        throw GameError("strengths are known once the hand is finished and all cards are");
    }
    std::vector<std::uint32_t> strengths;
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        strengths.push_back(showdown_strength(hand, seat));
    }
    return strengths;
}

void bind_options(nb::module_& m) {
    nb::class_<WalkOptions>(m, "WalkOptions")
        .def(nb::init<>())
        .def_rw("seed", &WalkOptions::seed)
        .def_rw("floor", &WalkOptions::floor)
        .def_rw("floor_in_average", &WalkOptions::floor_in_average)
        .def_rw("average_weight", &WalkOptions::average_weight)
        .def_rw("epsilon", &WalkOptions::epsilon)
        .def_rw("tau", &WalkOptions::tau)
        .def_rw("beta", &WalkOptions::beta)
        .def_rw("average_every", &WalkOptions::average_every)
        .def_rw("prune_below", &WalkOptions::prune_below)
        .def_rw("prune_probability", &WalkOptions::prune_probability)
        .def_rw("explore", &WalkOptions::explore)
        .def_rw("explore_weight", &WalkOptions::explore_weight)
        .def_rw("plus", &WalkOptions::plus);
}

void bind_tables(nb::module_& m) {
    const auto average = nb::arg("average").noconvert();
    const auto strategy = nb::arg("strategy").noconvert();
    const auto regrets = nb::arg("regrets").noconvert();
    m.def("normalise_into", &normalise_into<float, float>, nb::arg("deals"), average, strategy);
    m.def("normalise_into", &normalise_into<double, float>, nb::arg("deals"), average, strategy);
    m.def("normalise_into", &normalise_into<double, double>, nb::arg("deals"), average, strategy);
    m.def("normalise_into", &normalise_into<std::uint32_t, float>, nb::arg("deals"), average,
          strategy);
    m.def("normalise_into", &normalise_into<std::uint32_t, double>, nb::arg("deals"), average,
          strategy);
    m.def("table_statistics", &statistics<float, double>, nb::arg("deals"), regrets, average);
    m.def("table_statistics", &statistics<double, double>, nb::arg("deals"), regrets, average);
    m.def("table_statistics", &statistics<std::int32_t, std::uint32_t>, nb::arg("deals"), regrets,
          average);
    m.def("discount", &discount_all<float>, regrets, nb::arg("positive"), nb::arg("negative"),
          nb::arg("crew"));
    m.def("discount", &discount_all<double>, regrets, nb::arg("positive"), nb::arg("negative"),
          nb::arg("crew"));
}

}  // namespace

void bind_solve(nb::module_& m) {
    nb::class_<Pool>(m, "Crew")
        .def(
            "__init__", [](Pool* self, int threads) { new (self) Pool(threads, Pool::kPatient); },
            nb::arg("threads"))
        .def_prop_ro("threads", &Pool::num_threads);
    nb::class_<CompiledDealer>(m, "CompiledDealer")
        .def_prop_ro("num_buckets", [](const CompiledDealer& d) { return d.dealer->num_buckets(); })
        .def_prop_ro("num_entries", [](const CompiledDealer& d) { return d.layout->size(); })
        .def("base",
             [](const CompiledDealer& d, std::size_t group) { return d.layout->bases().at(group); })
        .def("draw", &draw_deal, nb::arg("seed"), nb::arg("stream"));
    m.def("enumerated_dealer", &enumerated, nb::arg("tree"), nb::arg("buckets"),
          nb::arg("strengths"), nb::arg("weights"));
    m.def(
        "table_bases",
        [](const CompiledTree& tree, const std::vector<std::uint32_t>& num_buckets) {
            return Layout(*tree.tree, num_buckets).bases();
        },
        nb::arg("tree"), nb::arg("num_buckets"));
    m.def("showdown_strengths", &strengths_of, nb::arg("hand"));
    bind_options(m);
    nb::class_<RuleSettings>(m, "RuleSettings")
        .def(
            "__init__",
            [](RuleSettings* self, int rule, double alpha, double beta, double average_power,
               double average_delay) {
                new (self)
                    RuleSettings(rule_settings(rule, alpha, beta, average_power, average_delay));
            },
            nb::arg("rule"), nb::arg("alpha"), nb::arg("beta"), nb::arg("average_power"),
            nb::arg("average_delay"))
        .def("average_weight", &RuleSettings::average_weight, nb::arg("t"))
        .def("factors", [](const RuleSettings& settings, double t) {
            const RuleStep step = settings.step(t);
            return std::tuple{step.positive, step.negative};
        });
    bind_tables(m);
    m.def(
        "collecting_interval",
        [](const CompiledTree& tree) {
            nb::gil_scoped_release release;
            return collecting_interval(*tree.tree);
        },
        nb::arg("tree"));
    m.def("run_sampled", &run_sampled, nb::arg("sampling"), nb::arg("deals"), nb::arg("options"),
          nb::arg("first"), nb::arg("end"), nb::arg("crew"), nb::arg("regrets").noconvert(),
          nb::arg("average").noconvert());
    m.def("run_forked", &run_forked, nb::arg("deals"), nb::arg("options"), nb::arg("more_than"),
          nb::arg("last_street"), nb::arg("threads"), nb::arg("first"), nb::arg("end"),
          nb::arg("regrets").noconvert(), nb::arg("average").noconvert());
    m.def("run_pure", &run_pure, nb::arg("deals"), nb::arg("options"), nb::arg("first"),
          nb::arg("end"), nb::arg("crew"), nb::arg("regrets").noconvert(),
          nb::arg("average").noconvert());
    nb::class_<FullWidthSolver>(m, "FullWidth")
        .def(nb::init<const CompiledDealer&>(), nb::arg("deals"))
        .def("run", &run_full, nb::arg("settings"), nb::arg("first"), nb::arg("end"),
             nb::arg("regrets").noconvert(), nb::arg("average").noconvert(),
             nb::arg("predictions").noconvert());
    nb::class_<ExactEvaluator>(m, "ExactValues")
        .def(nb::init<const CompiledDealer&>(), nb::arg("deals"))
        .def("value", &exact_value, nb::arg("player"), nb::arg("strategy").noconvert(),
             nb::arg("respond"))
        .def("deal_values_into", &deal_values, nb::arg("player"), nb::arg("node"),
             nb::arg("strategy").noconvert(), nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
