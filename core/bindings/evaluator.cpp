#include "cards/evaluator.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "bindings/bindings.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

const Evaluator& evaluator_of(bool short_deck) {
    return short_deck ? Evaluator::short_deck() : Evaluator::standard();
}

std::string quoted(nb::handle object) { return nb::repr(object).c_str(); }

// A card given as an int 0..51 or as text.
Card card_from(nb::handle item) {
    if (PyUnicode_Check(item.ptr())) {
        Py_ssize_t length = 0;
        const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &length);
        if (text == nullptr) {
            PyErr_Clear();
            throw CardError(quoted(item) + " is not a card: it is not text in Unicode");
        }
        return parse_card({text, static_cast<std::size_t>(length)});
    }
    // Not PyLong_Check alone: NumPy integers count through __index__.
    const long card = PyLong_CheckExact(item.ptr()) ? PyLong_AsLong(item.ptr())
                      : PyIndex_Check(item.ptr())   ? PyNumber_AsSsize_t(item.ptr(), nullptr)
                                                    : -1;
    if (card < 0 || card >= kNumCards) {
        PyErr_Clear();
        throw CardError(quoted(item) + " is not a card: cards are numbers 0 to 51 or text like 'Ah'");
    }
    return static_cast<Card>(card);
}

struct FewCards {
    Card cards[8];
    int count = 0;
};

// Text or a sequence of cards, at most 7, all different.
FewCards few_cards_from(nb::handle hand) {
    FewCards few;
    std::uint64_t seen = 0;
    const auto add = [&](Card card) {
        if (few.count == 7) throw CardError("a hand has 5, 6 or 7 cards: " + quoted(hand) + " has more");
        if (seen & card_bit(card)) throw CardError("the card " + card_text(card) + " stands twice in " + quoted(hand));
        seen |= card_bit(card);
        few.cards[few.count++] = card;
    };
    if (PyUnicode_Check(hand.ptr())) {
        Py_ssize_t length = 0;
        const char* text = PyUnicode_AsUTF8AndSize(hand.ptr(), &length);
        if (text == nullptr) {
            PyErr_Clear();
            throw CardError(quoted(hand) + " is not text in Unicode");
        }
        for (const Card card : parse_cards({text, static_cast<std::size_t>(length)})) add(card);
        return few;
    }
    nb::object items = nb::steal(PySequence_Fast(hand.ptr(), ""));
    if (!items.is_valid()) {
        PyErr_Clear();
        throw CardError(quoted(hand) + " is not a hand: give text like 'AhKd7c7d2s' or a list of cards");
    }
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
    PyObject** item = PySequence_Fast_ITEMS(items.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) add(card_from(item[i]));
    return few;
}

int evaluate(nb::handle hand, bool short_deck) {
    const FewCards few = few_cards_from(hand);
    if (few.count < 5) {
        throw CardError("a hand has 5, 6 or 7 cards: " + quoted(hand) + " has " +
                        std::to_string(few.count));
    }
    for (int i = 0; short_deck && i < few.count; ++i) {
        if (few.cards[i] < 16) {
            throw CardError(card_text(few.cards[i]) + " is not in the short deck: it starts at the six");
        }
    }
    return evaluator_of(short_deck).strength(few.cards, few.count);
}

void evaluate_batch_into(Matrix<const Card> cards, Vector<std::uint16_t> out, bool short_deck) {
    const int count = static_cast<int>(cards.shape(1));
    const auto num_hands = static_cast<std::int64_t>(cards.shape(0));
    if (count < 5 || count > 7 || out.shape(0) != cards.shape(0)) {
        throw CardError("a batch of hands has the shape [n, 5], [n, 6] or [n, 7], not [n, " +
                        std::to_string(count) + "]");
    }
    std::int64_t bad;
    {
        nb::gil_scoped_release release;
        bad = evaluate_batch(evaluator_of(short_deck), cards.data(), num_hands, count, out.data());
    }
    if (bad >= 0) {
        throw CardError("row " + std::to_string(bad) + " of the batch is not a hand of " +
                        std::to_string(count) + " different cards " +
                        (short_deck ? "16 to 51 (the short deck)" : "0 to 51"));
    }
}

void count_strengths_into(Vector<std::int64_t> counts, int count, int first_begin, int first_end,
                          bool short_deck) {
    const auto& evaluator = evaluator_of(short_deck);
    if (static_cast<int>(counts.shape(0)) != evaluator.num_strengths() || count < 5 || count > 7 ||
        first_begin < 0 || first_end > kNumCards) {
        throw CardError("count_strengths: arguments out of range");
    }
    nb::gil_scoped_release release;
    count_strengths(evaluator, short_deck ? 16 : 0, count, first_begin, first_end, counts.data());
}

void hand_classes_into(Vector<std::uint8_t> categories, Matrix<std::uint8_t> ranks,
                       bool short_deck) {
    const auto& classes = evaluator_of(short_deck).classes();
    if (categories.shape(0) != classes.size() || ranks.shape(0) != classes.size() ||
        ranks.shape(1) != 5) {
        throw CardError("hand_classes: arrays of the wrong shape");
    }
    for (std::size_t i = 0; i < classes.size(); ++i) {
        categories.data()[i] = static_cast<std::uint8_t>(classes[i].category);
        std::copy(classes[i].ranks.begin(), classes[i].ranks.end(), ranks.data() + 5 * i);
    }
}

}  // namespace

void bind_evaluator(nb::module_& m) {
    m.def("evaluate", &evaluate, nb::arg("hand").none(), nb::arg("short_deck") = false,
          "Strength of the best five of 5, 6 or 7 cards; bigger is better.");
    m.def("evaluate_batch_into", &evaluate_batch_into, nb::arg("cards"), nb::arg("out").noconvert(),
          nb::arg("short_deck"));
    m.def("count_strengths_into", &count_strengths_into, nb::arg("counts").noconvert(),
          nb::arg("count"), nb::arg("first_begin"), nb::arg("first_end"), nb::arg("short_deck"));
    m.def("hand_classes_into", &hand_classes_into, nb::arg("categories").noconvert(),
          nb::arg("ranks").noconvert(), nb::arg("short_deck"));
    m.def("num_strengths", [](bool short_deck) { return evaluator_of(short_deck).num_strengths(); },
          nb::arg("short_deck"));
}

}  // namespace riverboat::bindings
