// Cards in any form that people give them in: text, or a sequence of numbers or texts.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "bindings/bindings.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

// For what the caller's own code raised: a TypeError or OverflowError says that the value is of no
// use, and a sentence follows; anything else (a KeyboardInterrupt, say) is the caller's to see.
inline void clear_type_error() {
    if (PyErr_Occurred() == nullptr) return;
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError)) {
        nb::raise_python_error();
    }
    PyErr_Clear();
}

inline std::string quoted(nb::handle object) {
    nb::object shown = nb::repr(object);
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(shown.ptr(), &length);
    if (text == nullptr) {  // __repr__ gave half of a surrogate pair
        PyErr_Clear();
        return "a value that cannot be written";
    }
    return {text, static_cast<std::size_t>(length)};
}

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
        clear_type_error();
        throw CardError(quoted(item) + " is not a card: cards are numbers 0 to 51 or text like 'Ah'");
    }
    return static_cast<Card>(card);
}

// The items of a hand as a list or tuple that cannot change while they are read. A list of plain
// ints is taken as it is, for speed: reading it runs no code of the caller. Anything else may
// (__index__, __repr__) and could shrink the list, so it is copied.
inline nb::object items_of(nb::handle hand) {
    if (PyList_CheckExact(hand.ptr())) {
        PyObject** items = PySequence_Fast_ITEMS(hand.ptr());
        const auto is_int = [](PyObject* item) { return PyLong_CheckExact(item) != 0; };
        if (std::all_of(items, items + PyList_GET_SIZE(hand.ptr()), is_int)) return nb::borrow(hand);
    }
    nb::object items = nb::steal(PySequence_Tuple(hand.ptr()));
    if (!items.is_valid()) {
        clear_type_error();
        throw CardError(quoted(hand) +
                        " is not a hand: give text like 'AhKd7c7d2s' or a list of cards");
    }
    return items;
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
    const nb::object items = items_of(hand);
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
    PyObject** item = PySequence_Fast_ITEMS(items.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) add_new(card_from(item[i]));
}

}  // namespace riverboat::bindings
