#include "buckets/semantic.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

void check(bool fits) {
    if (!fits) throw CardError("arrays of semantic buckets of the wrong shape");
}

void check_boards(int num_cards, int begin, int end) {
    check(num_cards >= 3 && num_cards <= 5 && begin >= 0 && begin <= end &&
          end <= Boards::of(num_cards).size());
}

// (made, kicker, paired, suited, connected, flush draw, straight draw). Cards are checked in
// Python.
std::array<int, 7> features(std::array<Card, 2> hole, const std::vector<Card>& board) {
    const auto size = static_cast<int>(board.size());
    check(size >= 3 && size <= 5);
    for (const Card card : board) check(card < kNumCards);
    check(hole[0] < kNumCards && hole[1] < kNumCards && hole[0] != hole[1]);
    const SemanticBoard seen(suit_masks_of(board.data(), size), size);
    const SemanticFeatures f =
        seen.features({std::min(hole[0], hole[1]), std::max(hole[0], hole[1])});
    return {static_cast<int>(f.made), f.kicker, f.paired, f.suited, f.connected, f.flush_draw,
            f.straight_draw};
}

void seen_into(int num_cards, int begin, int end, Vector<std::uint8_t> seen) {
    check_boards(num_cards, begin, end);
    check(seen.shape(0) == kNumSemanticCodes);
    nb::gil_scoped_release release;
    semantic_codes_seen(num_cards, begin, end, seen.data());
}

void buckets_into(int num_cards, int begin, Vector<const std::uint16_t> numbers,
                  Array<std::uint16_t, nb::shape<-1, kNumHoles>> out) {
    const int end = begin + static_cast<int>(out.shape(0));
    check_boards(num_cards, begin, end);
    check(numbers.shape(0) == kNumSemanticCodes);
    nb::gil_scoped_release release;
    semantic_buckets(num_cards, begin, end, numbers.data(), out.data());
}

}  // namespace

void bind_semantic(nb::module_& m) {
    m.attr("SEMANTIC_SIZES") = nb::make_tuple(kNumMade, kNumKickers, kNumPaired, kNumSuited,
                                              kNumConnected, kNumDraws, kNumDraws);
    m.def("semantic_features", &features, nb::arg("hole"), nb::arg("board"));
    m.def("semantic_codes_seen", &seen_into, nb::arg("num_cards"), nb::arg("begin"), nb::arg("end"),
          nb::arg("seen").noconvert());
    m.def("semantic_buckets_into", &buckets_into, nb::arg("num_cards"), nb::arg("begin"),
          nb::arg("numbers").noconvert(), nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
