#include "cards/equity.hpp"

#include <cmath>
#include <string>

#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using PlayerWeights = Array<const double, nb::shape<-1, kNumHoles>>;

// The players' weights (a copy) and the table of their equity.
class EquityTable {
  public:
    EquityTable(PlayerWeights players, Vector<const Card> board, Vector<const Card> dead)
        : weights_(players.data(), players.data() + players.size()) {
        const std::size_t count = players.shape(0);
        if (count < 2 || count > 10) {
            throw CardError("equity needs 2 to 10 players, not " + std::to_string(count));
        }
        for (const double weight : weights_) {
            if (!(weight >= 0 && std::isfinite(weight))) {
                throw CardError("weights of hands must be finite and not negative, not " +
                                std::to_string(weight));
            }
        }
        const auto span_of = [](const Vector<const Card>& cards) {
            return std::span<const Card>(cards.data(), cards.shape(0));
        };
        for (const auto cards : {span_of(board), span_of(dead)}) {
            for (const Card card : cards) {
                if (card >= kNumCards) {
                    throw CardError(std::to_string(card) +
                                    " is not a card: cards are numbers 0 to 51");
                }
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            players_.push_back(Weights(weights_).subspan(i * kNumHoles, kNumHoles));
        }
        table_ = make_table(span_of(board), span_of(dead), players_);
    }
    EquityTable(const EquityTable&) = delete;  // players_ point into weights_

    // Cancels kernels in other threads; the table is invalid afterwards.
    void stop() { table_.stopped->store(true, std::memory_order_relaxed); }

    double exact_work() const { return riverboat::exact_work(table_, players_); }

    double exact_into(int begin, int end, Matrix<double> out) const {
        check(out);
        if (begin < 0 || end > kNumCards) throw CardError("runouts are sliced by a card 0 to 52");
        EquitySums sums(players_.size());
        {
            nb::gil_scoped_release release;
            sums = exact_equity(table_, players_, begin, end);
        }
        return store(sums, out);
    }

    double sample_into(std::int64_t samples, std::uint64_t seed, std::uint64_t stream,
                       Matrix<double> out) const {
        check(out);
        EquitySums sums(players_.size());
        {
            nb::gil_scoped_release release;
            sums = sampled_equity(table_, players_, samples, seed, stream);
        }
        return store(sums, out);
    }

  private:
    void check(const Matrix<double>& out) const {
        if (out.shape(0) != 4 || out.shape(1) != players_.size()) {
            throw CardError("equity sums have the shape [4, players]");
        }
    }

    static double store(const EquitySums& sums, Matrix<double>& out) {
        double* row = out.data();
        for (const auto* values : {&sums.win, &sums.tie, &sums.share, &sums.share_squared}) {
            row = std::copy(values->begin(), values->end(), row);
        }
        return sums.total;
    }

    std::vector<double> weights_;
    std::vector<Weights> players_;
    Table table_;
};

}  // namespace

void bind_equity(nb::module_& m) {
    nb::class_<EquityTable>(m, "EquityTable")
        .def(nb::init<PlayerWeights, Vector<const Card>, Vector<const Card>>(), nb::arg("players"),
             nb::arg("board"), nb::arg("dead"))
        .def("stop", &EquityTable::stop)
        .def("exact_work", &EquityTable::exact_work)
        .def("exact_into", &EquityTable::exact_into, nb::arg("begin"), nb::arg("end"),
             nb::arg("sums").noconvert())
        .def("sample_into", &EquityTable::sample_into, nb::arg("samples"), nb::arg("seed"),
             nb::arg("stream"), nb::arg("sums").noconvert());
}

}  // namespace riverboat::bindings
