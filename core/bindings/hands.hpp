// Cards in any form that people give them in: text, or a sequence of numbers or texts.
#pragma once

#include <string>
#include <string_view>

#include "bindings/bindings.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

inline std::string quoted(nb::handle object) { return nb::repr(object).c_str(); }

inline std::string_view text_of(nb::handle object) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &length);
    if (text == nullptr) {
        PyErr_Clear();
        throw CardError(quoted(object) + " is not text in Unicode");
    }
    return {text, static_cast<std::size_t>(length)};
}

inline Card card_from(nb::handle item) {
    if (PyUnicode_Check(item.ptr())) return parse_card(text_of(item));
    // Plain integers first, for speed; NumPy's count through __index__.
    const Py_ssize_t card = PyLong_CheckExact(item.ptr()) ? PyLong_AsSsize_t(item.ptr())
                            : PyIndex_Check(item.ptr())   ? PyNumber_AsSsize_t(item.ptr(), nullptr)
                                                          : -1;
    if (card < 0 || card >= kNumCards) {
        PyErr_Clear();
        throw CardError(quoted(item) + " is not a card: cards are numbers 0 to 51 or text like 'Ah'");
    }
    return static_cast<Card>(card);
}

// Calls add(card) for each card of a hand in order; a card that stands twice is refused.
template <typename Add>
void for_each_card(nb::handle hand, const Add& add) {
    std::uint64_t seen = 0;
    const auto add_new = [&](Card card) {
        if (seen & card_bit(card)) {
            throw CardError("the card " + card_text(card) + " stands twice in " + quoted(hand));
        }
        seen |= card_bit(card);
        add(card);
    };
    if (PyUnicode_Check(hand.ptr())) {
        for (const Card card : parse_cards(text_of(hand))) add_new(card);
        return;
    }
    nb::object items = nb::steal(PySequence_Fast(hand.ptr(), ""));
    if (!items.is_valid()) {
        PyErr_Clear();
        throw CardError(quoted(hand) +
                        " is not a hand: give text like 'AhKd7c7d2s' or a list of cards");
    }
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
    PyObject** item = PySequence_Fast_ITEMS(items.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) add_new(card_from(item[i]));
}

}  // namespace riverboat::bindings
