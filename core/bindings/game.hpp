// Shared by the game bindings.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "bindings/objects.hpp"
#include "game/record.hpp"

namespace riverboat::bindings {

struct CompiledGame {
    std::shared_ptr<const GameSpec> spec;
};

// A hand and the Python object that describes its game.
struct PythonHand {
    PlayedHand hand;
    nb::object spec;
};

// The text of an action or a line; throws IllegalActionError with the repr and `complaint`.
std::string_view play_text_from(nb::handle object, const char* complaint);

// A whole number of chips; throws IllegalActionError naming the value.
Chips chips_from(nb::handle object);

// A whole number; empty if it is not one or has more than 64 bits.
std::optional<Chips> whole_number(nb::handle object);

// A card as number or text, -1, None or '??' for an unknown one.
Card card_or_unknown(nb::handle object);

// Cards as text (`AhKd??`) or as a sequence.
std::vector<Card> cards_or_unknown(nb::handle object);

Action action_from(const Hand* hand, nb::handle object);

int checked_seat(const PythonHand& self, nb::handle seat);

// The constructor of Hand: places the given cards, deals the rest if there is a seed.
void make_hand(PythonHand* self, nb::handle spec, nb::handle seed, nb::handle cards,
               nb::handle hole, nb::handle board, nb::handle stacks);

void give_hole(PythonHand& self, nb::handle seat, nb::handle cards);
void give_board(PythonHand& self, nb::handle cards);
void give_swap(PythonHand& self, nb::handle seat, nb::handle street, nb::handle card);

inline int python_card(Card card) { return card == kUnknownCard ? -1 : card; }

template <typename Get>
nb::object tuple_of(int count, const Get& get) {
    PyObject* tuple = PyTuple_New(count);
    if (tuple == nullptr) nb::raise_python_error();
    for (int i = 0; i < count; ++i) PyTuple_SET_ITEM(tuple, i, PyLong_FromLongLong(get(i)));
    return nb::steal(tuple);
}

}  // namespace riverboat::bindings
