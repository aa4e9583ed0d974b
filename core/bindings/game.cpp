// GameSpec and Action for Python.
#include "bindings/game.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "cards/text.hpp"
#include "game/line.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

constexpr std::string_view kKindNames[] = {"fold", "check", "call", "bet", "stand", "discard"};

using StreetFields = std::tuple<int, int, int, Chips, int, int, int>;
using RakeFields = std::tuple<int, Chips, bool>;

void copy_chips(const std::vector<Chips>& from, ChipsBySeat& to) {
    std::copy(from.begin(), from.end(), to.begin());
}

void require_code(int code, int count, const char* what) {
    if (code >= 0 && code < count) return;
    throw GameError(std::string(what) + " must be a number from 0 to " + std::to_string(count - 1) +
                    ", not " + std::to_string(code));
}

CompiledGame compiled(int betting, int showdown, const std::vector<Chips>& stacks,
                      const std::vector<Chips>& blinds, const std::vector<Chips>& antes,
                      Chips min_bet, const std::vector<StreetFields>& streets,
                      const std::vector<int>& deck, const RakeFields& rake, bool open_folds) {
    if (stacks.size() > kMaxPlayers || blinds.size() != stacks.size() ||
        antes.size() != stacks.size()) {
        throw GameError("a game has 2 to 10 players, each with a stack, a blind and an ante");
    }
    if (streets.size() > kMaxRunStreets) {
        throw GameError("a game has 1 to " + std::to_string(kMaxRunStreets) + " streets, not " +
                        std::to_string(streets.size()));
    }
    require_code(betting, 3, "the betting");
    require_code(showdown, 5, "the showdown");
    for (const auto& street : streets) require_code(std::get<2>(street), 3, "a discard");
    for (const int card : deck) require_code(card, kNumCards, "a card of the deck");
    GameSpec spec;
    spec.players = static_cast<int>(stacks.size());
    spec.streets = static_cast<int>(streets.size());
    spec.betting = static_cast<Betting>(betting);
    spec.showdown = static_cast<Showdown>(showdown);
    copy_chips(stacks, spec.stacks);
    copy_chips(blinds, spec.blinds);
    copy_chips(antes, spec.antes);
    spec.min_bet = min_bet;
    for (std::size_t i = 0; i < streets.size(); ++i) {
        const auto& [hole, board, discard, size, cap, seat_cap, first] = streets[i];
        spec.street[i] = {hole, board, static_cast<Discard>(discard), size, cap, seat_cap, first};
    }
    for (const int card : deck) spec.deck |= card_bit(card);
    spec.rake = {std::get<0>(rake), std::get<1>(rake), std::get<2>(rake)};
    spec.open_folds = open_folds;
    compile(spec);
    return {std::make_shared<const GameSpec>(spec)};
}

}  // namespace

std::string_view play_text_from(nb::handle object, const char* complaint) {
    const auto text = PyUnicode_Check(object.ptr()) ? utf8_of(object) : std::nullopt;
    if (!text) throw IllegalActionError(python_repr(object) + complaint);
    return *text;
}

std::optional<Chips> whole_number(nb::handle object) {
    if (PyLong_CheckExact(object.ptr())) [[likely]] {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        if (overflow == 0) return value;
    } else if (PyIndex_Check(object.ptr())) {
        const Py_ssize_t value = PyNumber_AsSsize_t(object.ptr(), PyExc_OverflowError);
        if (value != -1 || PyErr_Occurred() == nullptr) return value;
        PyErr_Clear();
    }
    return std::nullopt;
}

Chips chips_from(nb::handle object) {
    if (const auto chips = whole_number(object)) [[likely]]
        return *chips;
    throw IllegalActionError(python_repr(object) +
                             " is not an amount: chips are whole numbers up to " +
                             std::to_string(kMostChips));
}

Card card_or_unknown(nb::handle object) {
    if (object.is_none()) return kUnknownCard;
    if (PyUnicode_Check(object.ptr())) {
        const std::string_view text = text_from<GameError>(object);
        return text == "??" ? kUnknownCard : parse_card(text);
    }
    const Py_ssize_t card =
        PyIndex_Check(object.ptr()) ? PyNumber_AsSsize_t(object.ptr(), nullptr) : -2;
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    if (card < -1 || card >= kNumCards) {
        throw CardError(python_repr(object) +
                        " is not a card: cards are numbers 0 to 51 or text like 'Ah', and '?"
                        "?' or -1 "
                        "where unknown");
    }
    return card < 0 ? kUnknownCard : static_cast<Card>(card);
}

std::vector<Card> cards_or_unknown(nb::handle object) {
    std::vector<Card> cards;
    if (PyUnicode_Check(object.ptr())) {
        std::string_view text = text_from<GameError>(object);
        for (std::size_t at = text.find("??"); !text.empty(); at = text.find("??")) {
            for (const Card card : parse_cards(text.substr(0, at))) cards.push_back(card);
            if (at == std::string_view::npos) break;
            cards.push_back(kUnknownCard);
            text.remove_prefix(at + 2);
        }
        return cards;
    }
    if (object.is_none()) return cards;
    const nb::object items = items_of(object);
    if (!items.is_valid()) {
        throw CardError(python_repr(object) +
                        " is not a list of cards: give text like 'AhKd' or a list");
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
        cards.push_back(card_or_unknown(PyTuple_GET_ITEM(items.ptr(), i)));
    }
    return cards;
}

Action action_from(const Hand* hand, nb::handle object) {
    Action* action = nullptr;
    if (!PyUnicode_Check(object.ptr()) && nb::try_cast(object, action) && action != nullptr) {
        return *action;
    }
    return parse_action(
        hand, play_text_from(object, " is not an action: give text like 'b25' or an Action"));
}

void bind_game(nb::module_& m) {
    nb::class_<CompiledGame>(m, "CompiledGame", "A checked and compiled game specification.")
        .def(
            "__init__",
            [](CompiledGame* self, int betting, int showdown, const std::vector<Chips>& stacks,
               const std::vector<Chips>& blinds, const std::vector<Chips>& antes, Chips min_bet,
               const std::vector<StreetFields>& streets, const std::vector<int>& deck,
               const RakeFields& rake, bool open_folds) {
                new (self) CompiledGame(compiled(betting, showdown, stacks, blinds, antes, min_bet,
                                                 streets, deck, rake, open_folds));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
            nb::arg(), nb::arg() = false)
        .def_prop_ro("first",
                     [](const CompiledGame& self) {
                         return tuple_of(self.spec->streets,
                                         [&](int i) { return self.spec->first[i]; });
                     })
        .def_prop_ro("min_bet", [](const CompiledGame& self) { return self.spec->min_bet; })
        .def_prop_ro("hole_cards", [](const CompiledGame& self) { return self.spec->hole_cards; })
        .def_prop_ro("board_cards", [](const CompiledGame& self) { return self.spec->board_cards; })
        .def_prop_ro("slots", [](const CompiledGame& self) { return self.spec->slots; });

    nb::class_<Action>(m, "Action", nb::is_final())
        .def(
            "__init__",
            [](Action* self, nb::handle text) {
                new (self) Action(parse_action(
                    nullptr, play_text_from(text, " is not an action: give text like 'b25'")));
            },
            nb::arg("text").none())
        .def_prop_ro("kind",
                     [](const Action& self) {
                         const auto name = kKindNames[static_cast<int>(self.kind)];
                         return nb::str(name.data(), name.size());
                     })
        .def_prop_ro("amount", [](const Action& self) { return self.amount; })
        .def_prop_ro("card", [](const Action& self) { return python_card(self.card); })
        .def("__str__", [](const Action& self) { return action_text(self); })
        .def("__repr__", [](const Action& self) { return "Action('" + action_text(self) + "')"; })
        .def("__hash__",
             [](const Action& self) {
                 return (self.amount * 64 + static_cast<int>(self.kind)) * 64 + (self.card & 63);
             })
        .def(
            "__eq__",
            [](const Action& self, nb::handle other) {
                Action* action = nullptr;
                return nb::try_cast(other, action) && action != nullptr && *action == self;
            },
            nb::arg("other").none())
        .def("__reduce__", [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
        });
}

}  // namespace riverboat::bindings
