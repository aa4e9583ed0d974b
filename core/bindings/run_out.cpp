// Runout expectations for Python.
#include "arena/run_out.hpp"

#include "bindings/game.hpp"

namespace riverboat::bindings {
namespace {

// (runouts, payoffs by seat), or None if the payoffs are already known.
nb::object expected_payoffs_of(const PythonHand& self, std::int64_t most_exact,
                               std::int64_t samples, std::uint64_t seed) {
    std::array<double, kMaxPlayers> payoffs{};
    std::int64_t run_outs = 0;
    {
        nb::gil_scoped_release release;
        run_outs = expected_payoffs(self.hand, {most_exact, samples, seed}, payoffs);
    }
    if (run_outs == 0) return nb::none();
    nb::list by_seat;
    for (int seat = 0; seat < self.hand.spec().players; ++seat) by_seat.append(payoffs[seat]);
    return nb::make_tuple(run_outs, nb::tuple(by_seat));
}

}  // namespace

void bind_run_out(nb::module_& m) {
    m.def("expected_payoffs", &expected_payoffs_of, nb::arg("hand"), nb::arg("most_exact"),
          nb::arg("samples"), nb::arg("seed"));
}

}  // namespace riverboat::bindings
