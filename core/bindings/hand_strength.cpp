#include "cards/hand_strength.hpp"

#include <algorithm>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "cards/each_hand.hpp"
#include "cards/one_hand.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

// Cells (win, tie) of whole boards: [boards, holes, 2].
template <typename Count>
using Cells = Array<Count, nb::shape<-1, kNumHoles, 2>>;
template <typename Count>
using Squares = Array<Count, nb::shape<-1, kNumHoles>>;

template <typename Count>
auto* cells_of(Cells<Count>& cells) {
    using Cell = std::conditional_t<std::is_const_v<Count>,
                                    const WinTie<std::remove_const_t<Count>>, WinTie<Count>>;
    return reinterpret_cast<Cell*>(cells.data());
}

void check(bool fits) {
    if (!fits) throw CardError("hand-strength arrays of the wrong shape");
}

void river_into(int begin, Cells<std::uint16_t> cells) {
    const int end = begin + static_cast<int>(cells.shape(0));
    check(begin >= 0 && end <= Boards::of(5).size());
    nb::gil_scoped_release release;
    river_strengths(begin, end, cells_of(cells));
}

void turn_into(int begin, Cells<const std::uint16_t> river, Cells<std::uint16_t> cells,
               Squares<std::uint32_t> square) {
    const int end = begin + static_cast<int>(cells.shape(0));
    check(begin >= 0 && end <= Boards::of(4).size() && square.shape(0) == cells.shape(0) &&
          river.shape(0) == static_cast<std::size_t>(Boards::of(5).size()));
    nb::gil_scoped_release release;
    turn_strengths(begin, end, cells_of(river), cells_of(cells), square.data());
}

void flop_into(int begin, Cells<const std::uint16_t> turn, Squares<const std::uint32_t> turn_square,
               Cells<std::uint32_t> cells, Squares<std::uint32_t> square) {
    const int end = begin + static_cast<int>(cells.shape(0));
    const auto num_turns = static_cast<std::size_t>(Boards::of(4).size());
    check(begin >= 0 && end <= Boards::of(3).size() && square.shape(0) == cells.shape(0) &&
          turn.shape(0) == num_turns && turn_square.shape(0) == num_turns);
    nb::gil_scoped_release release;
    flop_strengths(begin, end, cells_of(turn), turn_square.data(), cells_of(cells), square.data());
}

void preflop_into(Cells<const std::uint32_t> flop, Squares<const std::uint32_t> flop_square,
                  Cells<std::uint32_t> cells, Squares<std::uint64_t> square) {
    const auto num_flops = static_cast<std::size_t>(Boards::of(3).size());
    check(flop.shape(0) == num_flops && flop_square.shape(0) == num_flops && cells.shape(0) == 1 &&
          square.shape(0) == 1);
    nb::gil_scoped_release release;
    preflop_strengths(cells_of(flop), flop_square.data(), cells_of(cells), square.data());
}

void histograms_into(int num_cards, Vector<const std::uint32_t> boards,
                     Cells<const std::uint16_t> river, Vector<const std::uint16_t> bin_of,
                     Array<std::uint16_t, nb::shape<-1, kNumHoles, -1>> histograms) {
    check(num_cards == 3 || num_cards == 4);
    check(river.shape(0) == static_cast<std::size_t>(Boards::of(5).size()) &&
          bin_of.shape(0) == kRiverPoints + 1 && histograms.shape(0) == boards.shape(0));
    const auto num_boards = static_cast<std::uint32_t>(Boards::of(num_cards).size());
    for (std::size_t i = 0; i < boards.shape(0); ++i) check(boards.data()[i] < num_boards);
    for (std::size_t i = 0; i < bin_of.shape(0); ++i) check(bin_of.data()[i] < histograms.shape(2));
    nb::gil_scoped_release release;
    run_out_histograms(num_cards, boards.data(), static_cast<int>(boards.shape(0)), cells_of(river),
                       bin_of.data(), static_cast<int>(histograms.shape(2)), histograms.data());
}

// Cards are checked in Python.
nb::ndarray<nb::numpy, std::uint16_t, nb::ndim<1>> points(std::array<Card, 2> hole,
                                                          const std::vector<Card>& board) {
    const auto size = static_cast<int>(board.size());
    check(size >= 3 && size <= 5);
    for (const Card card : board) check(card < kNumCards);
    check(hole[0] < kNumCards && hole[1] < kNumCards && hole[0] != hole[1]);
    auto* out = new std::uint16_t[num_run_outs(size)];
    nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::uint16_t*>(p); });
    {
        nb::gil_scoped_release release;
        run_out_points({std::min(hole[0], hole[1]), std::max(hole[0], hole[1])},
                       suit_masks_of(board.data(), size), size, out);
    }
    return {out, {static_cast<std::size_t>(num_run_outs(size))}, owner};
}

// Cards are checked in Python.
void points_into(std::array<Card, 2> hole, const std::vector<Card>& board,
                 Array<std::uint16_t, nb::shape<kNumHoles>> out) {
    const auto size = static_cast<int>(board.size());
    check(size >= 3 && size <= 5);
    for (const Card card : board) check(card < kNumCards);
    check(hole[0] < kNumCards && hole[1] < kNumCards && hole[0] != hole[1]);
    nb::gil_scoped_release release;
    points_against_each({std::min(hole[0], hole[1]), std::max(hole[0], hole[1])},
                        suit_masks_of(board.data(), size), size, out.data());
}

}  // namespace

void bind_hand_strength(nb::module_& m) {
    m.def("river_strengths_into", &river_into, nb::arg("begin"), nb::arg("cells").noconvert());
    m.def("turn_strengths_into", &turn_into, nb::arg("begin"), nb::arg("river").noconvert(),
          nb::arg("cells").noconvert(), nb::arg("square").noconvert());
    m.def("flop_strengths_into", &flop_into, nb::arg("begin"), nb::arg("turn").noconvert(),
          nb::arg("turn_square").noconvert(), nb::arg("cells").noconvert(),
          nb::arg("square").noconvert());
    m.def("preflop_strengths_into", &preflop_into, nb::arg("flop").noconvert(),
          nb::arg("flop_square").noconvert(), nb::arg("cells").noconvert(),
          nb::arg("square").noconvert());
    m.def("run_out_histograms_into", &histograms_into, nb::arg("num_cards"), nb::arg("boards"),
          nb::arg("river").noconvert(), nb::arg("bin_of"), nb::arg("histograms").noconvert());
    m.def("run_out_points", &points, nb::arg("hole"), nb::arg("board"));
    m.def("points_against_each_into", &points_into, nb::arg("hole"), nb::arg("board"),
          nb::arg("points").noconvert());
}

}  // namespace riverboat::bindings
