#include "cards/isomorphism.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings/hands.hpp"

namespace riverboat::bindings {
namespace {

std::vector<Card> cards_of(nb::handle hand) {
    std::vector<Card> cards;
    for_each_card(hand, [&](Card card) { cards.push_back(card); });
    return cards;
}

void check_round(const HandIndexer& indexer, int round) {
    if (round >= 0 && round < indexer.num_rounds()) return;
    throw CardError("there is no round " + std::to_string(round) + ": the rounds are 0 to " +
                    std::to_string(indexer.num_rounds() - 1));
}

// The round that ends with that number of cards.
int round_with(const HandIndexer& indexer, std::size_t num_cards) {
    std::string allowed;
    for (int round = 0; round < indexer.num_rounds(); ++round) {
        if (static_cast<std::size_t>(indexer.num_cards(round)) == num_cards) return round;
        const bool last = round + 1 == indexer.num_rounds();
        allowed += (round == 0 ? ""
                    : last     ? " or "
                               : ", ") +
                   std::to_string(indexer.num_cards(round));
    }
    throw CardError("a hand of this indexer has " + allowed + " cards, not " +
                    std::to_string(num_cards));
}

[[noreturn]] void refuse_index(const HandIndexer& indexer, int round, const std::string& index) {
    throw CardError(index + " is not an index of round " + std::to_string(round) +
                    ": indices are 0 to " + std::to_string(indexer.size(round) - 1));
}

std::uint64_t size(const HandIndexer& indexer, int round) {
    check_round(indexer, round);
    return indexer.size(round);
}

std::uint64_t index(const HandIndexer& indexer, nb::handle hand) {
    const std::vector<Card> cards = cards_of(hand);
    const int round = round_with(indexer, cards.size());
    return indexer.index(round, cards.data());
}

std::vector<Card> unindex(const HandIndexer& indexer, int round, nb::handle index) {
    check_round(indexer, round);
    const nb::object number = nb::steal(PyNumber_Index(index.ptr()));
    const std::uint64_t value = number.is_valid() ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
    const bool sound = PyErr_Occurred() == nullptr;
    clear_type_error();
    if (!sound || value >= indexer.size(round)) refuse_index(indexer, round, python_repr(index));
    std::vector<Card> cards(indexer.num_cards(round));
    indexer.unindex(round, value, cards.data());
    return cards;
}

void index_batch_into(const HandIndexer& indexer, Matrix<const Card> cards,
                      Vector<std::uint64_t> out) {
    const int round = round_with(indexer, cards.shape(1));
    const auto num_hands = static_cast<std::int64_t>(cards.shape(0));
    if (out.shape(0) != cards.shape(0)) throw CardError("index_batch: arrays of unequal length");
    std::int64_t bad;
    {
        nb::gil_scoped_release release;
        bad = index_batch(indexer, round, cards.data(), num_hands, out.data());
    }
    if (bad >= 0) {
        throw CardError("row " + std::to_string(bad) + " of the batch is not a hand of " +
                        std::to_string(cards.shape(1)) + " different cards 0 to 51");
    }
}

void unindex_batch_into(const HandIndexer& indexer, int round, Vector<const std::uint64_t> indices,
                        Matrix<Card> out) {
    check_round(indexer, round);
    if (out.shape(0) != indices.shape(0) ||
        out.shape(1) != static_cast<std::size_t>(indexer.num_cards(round))) {
        throw CardError("unindex_batch: arrays of the wrong shape");
    }
    std::int64_t bad;
    {
        nb::gil_scoped_release release;
        bad = unindex_batch(indexer, round, indices.data(),
                            static_cast<std::int64_t>(indices.shape(0)), out.data());
    }
    if (bad >= 0) refuse_index(indexer, round, std::to_string(indices.data()[bad]));
}

}  // namespace

void bind_isomorphism(nb::module_& m) {
    nb::class_<HandIndexer>(m, "HandIndexer", "Numbers hands up to suit isomorphism.")
        .def(
            "__init__",
            [](HandIndexer* self, const std::vector<int>& cards_per_round) {
                nb::gil_scoped_release release;
                new (self) HandIndexer(cards_per_round);
            },
            nb::arg("cards_per_round"))
        .def("size", &size, nb::arg("round_index"))
        .def("index", &index, nb::arg("hand").none())
        .def("unindex", &unindex, nb::arg("round_index"), nb::arg("index").none())
        .def("index_batch_into", &index_batch_into, nb::arg("cards"), nb::arg("out").noconvert())
        .def("unindex_batch_into", &unindex_batch_into, nb::arg("round_index"), nb::arg("indices"),
             nb::arg("out").noconvert());
}

}  // namespace riverboat::bindings
