// Cards in all accepted forms: text, or a sequence of numbers or texts.
#pragma once

#include <algorithm>

#include "bindings/objects.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {

inline Card card_from(nb::handle item) {
    if (PyUnicode_Check(item.ptr())) return parse_card(text_from<CardError>(item));
    // Plain integers first, for speed; NumPy's integers have __index__.
    const Py_ssize_t card = PyLong_CheckExact(item.ptr()) ? PyLong_AsSsize_t(item.ptr())
                            : PyIndex_Check(item.ptr())   ? PyNumber_AsSsize_t(item.ptr(), nullptr)
                                                          : -1;
    if (card < 0 || card >= kNumCards) {
        clear_type_error();
        throw CardError(python_repr(item) +
                        " is not a card: cards are numbers 0 to 51 or text like 'Ah'");
    }
    return static_cast<Card>(card);
}

// The items of a hand as a list or tuple that cannot change while it is read. A list of plain ints
// is not copied, for speed: reading it runs no code of the caller. Other items may run code
// (__index__,
// __repr__) that shrinks the list, so such lists are copied.
inline nb::object hand_items(nb::handle hand) {
    if (PyList_CheckExact(hand.ptr())) {
        PyObject** items = PySequence_Fast_ITEMS(hand.ptr());
        const auto is_int = [](PyObject* item) { return PyLong_CheckExact(item) != 0; };
        if (std::all_of(items, items + PyList_GET_SIZE(hand.ptr()), is_int))
            return nb::borrow(hand);
    }
    nb::object items = nb::steal(PySequence_Tuple(hand.ptr()));
    if (!items.is_valid()) {
        clear_type_error();
        throw CardError(python_repr(hand) +
                        " is not a hand: give text like 'AhKd7c7d2s' or a list of cards");
    }
    return items;
}

// Calls add(card) for each card of a hand in order; refuses a card that appears twice.
template <typename Add>
void for_each_card(nb::handle hand, const Add& add) {
    std::uint64_t seen = 0;
    const auto add_new = [&](Card card) {
        if (seen & card_bit(card)) {
            throw CardError("the card " + card_text(card) + " appears twice in " +
                            python_repr(hand));
        }
        seen |= card_bit(card);
        add(card);
    };
    if (PyUnicode_Check(hand.ptr())) {
        for (const Card card : parse_cards(text_from<CardError>(hand))) add_new(card);
        return;
    }
    const nb::object items = hand_items(hand);
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
    PyObject** item = PySequence_Fast_ITEMS(items.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) add_new(card_from(item[i]));
}

}  // namespace riverboat::bindings
