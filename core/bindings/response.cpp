#include "solve/response.hpp"

#include "bindings/solve.hpp"
#include "solve/share.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

void check(const CompiledDealer& deals, int player, std::initializer_list<std::size_t> sizes) {
    if (player < 0 || player >= deals.tree->num_players()) {
        throw GameError("there is no player " + std::to_string(player));
    }
    for (const std::size_t size : sizes) {
        if (size == deals.layout->size()) continue;
        throw GameError("a table has " + std::to_string(deals.layout->size()) +
                        " entries for this tree and dealer, not " + std::to_string(size));
    }
}

std::uint64_t train(const CompiledDealer& deals, int player, std::uint64_t seed, double weight,
                    std::uint64_t first, std::uint64_t end, Pool& crew, Vector<const float> frozen,
                    Vector<float> regrets, Vector<double> average) {
    check(deals, player, {frozen.shape(0), regrets.shape(0), average.shape(0)});
    const ResponseTables tables{frozen.data(), regrets.data(), average.data()};
    nb::gil_scoped_release release;
    return share_iterations(crew, first, end, [&](const Slice& slice, int) {
        return train_response(*deals.tree, *deals.layout, *deals.dealer, player, seed, weight,
                              slice, tables);
    });
}

void score(const CompiledDealer& deals, int player, Vector<const float> own,
           Vector<const float> others, std::uint64_t seed, std::uint64_t first,
           Vector<double> values) {
    check(deals, player, {own.shape(0), others.shape(0)});
    nb::gil_scoped_release release;
    score_deals(*deals.tree, *deals.layout, *deals.dealer, player, own.data(), others.data(), seed,
                first, values.shape(0), values.data());
}

void greedy(const CompiledDealer& deals, Vector<const double> weights, Vector<float> strategy) {
    check(deals, 0, {weights.shape(0), strategy.shape(0)});
    nb::gil_scoped_release release;
    most_likely_actions(*deals.tree, *deals.layout, deals.dealer->num_buckets(), weights.data(),
                        strategy.data());
}

}  // namespace

void bind_response(nb::module_& m) {
    m.def("train_response", &train, nb::arg("deals"), nb::arg("player"), nb::arg("seed"),
          nb::arg("weight"), nb::arg("first"), nb::arg("end"), nb::arg("crew"),
          nb::arg("frozen").noconvert(), nb::arg("regrets").noconvert(),
          nb::arg("average").noconvert());
    m.def("score_deals_into", &score, nb::arg("deals"), nb::arg("player"),
          nb::arg("own").noconvert(), nb::arg("others").noconvert(), nb::arg("seed"),
          nb::arg("first"), nb::arg("values").noconvert());
    m.def("greedy_into", &greedy, nb::arg("deals"), nb::arg("weights").noconvert(),
          nb::arg("strategy").noconvert());
}

}  // namespace riverboat::bindings
