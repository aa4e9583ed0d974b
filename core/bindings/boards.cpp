#include "cards/boards.hpp"

#include <bit>
#include <string>

#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

void check(bool fits) {
    if (!fits) throw CardError("board arrays of the wrong shape");
}

void check_size(int num_cards) {
    if (num_cards < 3 || num_cards > 5) {
        throw CardError("a board has 3, 4 or 5 cards, not " + std::to_string(num_cards));
    }
}

void find_boards_into(Matrix<const Card> cards, Vector<std::uint32_t> ids,
                      Vector<std::uint8_t> permutations) {
    const int count = static_cast<int>(cards.shape(1));
    check_size(count);
    check(ids.shape(0) == cards.shape(0) && permutations.shape(0) == cards.shape(0));
    const Boards& boards = Boards::of(count);
    for (std::size_t i = 0; i < cards.shape(0); ++i) {
        const Card* row = cards.data() + i * count;
        const bool known =
            std::all_of(row, row + count, [](Card card) { return card < kNumCards; });
        const SuitMasks masks = known ? suit_masks_of(row, count) : 0;
        if (std::popcount(masks) != count) {
            throw CardError("row " + std::to_string(i) + " is not a board of " +
                            std::to_string(count) + " different cards 0 to 51");
        }
        const CanonicalBoard found = boards.find(masks);
        ids.data()[i] = found.id;
        permutations.data()[i] = found.permutation;
    }
}

void board_cards_into(Matrix<Card> cards) {
    const int count = static_cast<int>(cards.shape(1));
    check_size(count);
    const Boards& boards = Boards::of(count);
    check(cards.shape(0) == static_cast<std::size_t>(boards.size()));
    for (int id = 0; id < boards.size(); ++id)
        cards_of(boards.masks(id), cards.data() + id * count);
}

void board_multiplicities_into(int num_cards, Vector<std::uint8_t> out) {
    check_size(num_cards);
    const Boards& boards = Boards::of(num_cards);
    check(out.shape(0) == static_cast<std::size_t>(boards.size()));
    for (int id = 0; id < boards.size(); ++id) {
        out.data()[id] = static_cast<std::uint8_t>(boards.multiplicity(id));
    }
}

void hole_class_counts_into(int num_cards, Vector<std::uint16_t> out) {
    check_size(num_cards);
    const Boards& boards = Boards::of(num_cards);
    check(out.shape(0) == static_cast<std::size_t>(boards.size()));
    nb::gil_scoped_release release;
    for (int id = 0; id < boards.size(); ++id) {
        out.data()[id] = static_cast<std::uint16_t>(boards.num_hole_classes(id));
    }
}

void hole_permutations_into(Matrix<std::uint16_t> out) {
    check(out.shape(0) == kNumSuitPermutations && out.shape(1) == kNumHoles);
    const auto& table = hole_permutations();
    for (int p = 0; p < kNumSuitPermutations; ++p) {
        std::copy(table[p].begin(), table[p].end(), out.data() + p * kNumHoles);
    }
}

}  // namespace

void bind_boards(nb::module_& m) {
    m.def("find_boards_into", &find_boards_into, nb::arg("cards"), nb::arg("ids").noconvert(),
          nb::arg("permutations").noconvert());
    m.def("board_cards_into", &board_cards_into, nb::arg("cards").noconvert());
    m.def("board_multiplicities_into", &board_multiplicities_into, nb::arg("num_cards"),
          nb::arg("out").noconvert());
    m.def("hole_class_counts_into", &hole_class_counts_into, nb::arg("num_cards"),
          nb::arg("out").noconvert());
    m.def("hole_permutations_into", &hole_permutations_into, nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
