// Making a hand from Python arguments, and cards that become known later.
#include "game/deal.hpp"

#include "bindings/game.hpp"
#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using std::to_string;

struct Placed {
    const GameSpec& spec;
    Cards cards;
    std::uint64_t seen = 0;

    explicit Placed(const GameSpec& game) : spec(game) { cards.fill(kUnknownCard); }

    void put(int slot, Card card) {
        if (card == kUnknownCard) return;
        if (!(spec.deck & card_bit(card))) {
            throw GameError(card_text(card) + " is not in the deck of this game");
        }
        if (cards[slot] == card) return;
        if (cards[slot] != kUnknownCard || (seen & card_bit(card))) {
            throw GameError("the card " + card_text(card) +
                            " is given twice, or where another is given");
        }
        seen |= card_bit(card);
        cards[slot] = card;
    }

    void put_all(int first, int most, const std::vector<Card>& given, const std::string& what) {
        if (static_cast<int>(given.size()) > most) {
            throw GameError(what + ": " + to_string(given.size()) + " cards are given, at most " +
                            to_string(most) + " fit");
        }
        for (std::size_t i = 0; i < given.size(); ++i) put(first + static_cast<int>(i), given[i]);
    }
};

void place_hole(Placed& placed, nb::handle hole) {
    nb::object seats = nb::steal(PySequence_Fast(hole.ptr(), ""));
    if (!seats.is_valid() || PyUnicode_Check(hole.ptr()) ||
        PySequence_Fast_GET_SIZE(seats.ptr()) > placed.spec.players) {
        PyErr_Clear();
        throw GameError("hole cards are given as one entry for each of the " +
                        to_string(placed.spec.players) + " seats, not as " + python_repr(hole));
    }
    for (Py_ssize_t seat = 0; seat < PySequence_Fast_GET_SIZE(seats.ptr()); ++seat) {
        const auto cards = cards_or_unknown(PySequence_Fast_GET_ITEM(seats.ptr(), seat));
        placed.put_all(static_cast<int>(seat) * placed.spec.hole_cards, placed.spec.hole_cards,
                       cards, "the hole cards of seat " + to_string(seat));
    }
}

Cards cards_of(const GameSpec& spec, nb::handle seed, nb::handle cards, nb::handle hole,
               nb::handle board) {
    Placed placed(spec);
    if (!cards.is_none()) placed.put_all(0, spec.slots, cards_or_unknown(cards), "the cards");
    if (!hole.is_none()) place_hole(placed, hole);
    if (!board.is_none()) {
        placed.put_all(spec.board_slot(0), spec.board_cards, cards_or_unknown(board), "the board");
    }
    if (!seed.is_none()) {
        std::uint64_t number = 0;
        if (!nb::try_cast(seed, number)) {
            throw GameError(python_repr(seed) +
                            " is not a seed: seeds are whole numbers from 0 to 2^64 - 1");
        }
        Random random(number);
        deal_unknown(spec, random, placed.cards);
    }
    return placed.cards;
}

ChipsBySeat stacks_of(const GameSpec& spec, nb::handle stacks) {
    if (stacks.is_none()) return spec.stacks;
    nb::object items = nb::steal(PySequence_Fast(stacks.ptr(), ""));
    if (!items.is_valid() || PySequence_Fast_GET_SIZE(items.ptr()) != spec.players) {
        PyErr_Clear();
        throw GameError("stacks are given as " + to_string(spec.players) +
                        " numbers, one for each seat, not as " + python_repr(stacks));
    }
    ChipsBySeat chips{};
    for (int seat = 0; seat < spec.players; ++seat) {
        chips[seat] = chips_from(PySequence_Fast_GET_ITEM(items.ptr(), seat));
    }
    check_stacks(spec, chips);
    return chips;
}

// All or nothing: the copy takes the cards one by one.
void learn_all(PythonHand& self, int first, int most, const std::vector<Card>& cards,
               const std::string& what) {
    if (static_cast<int>(cards.size()) > most) {
        throw GameError(what + ": " + to_string(cards.size()) + " cards are given, at most " +
                        to_string(most) + " fit");
    }
    PlayedHand next = self.hand;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (cards[i] != kUnknownCard) next.learn(first + static_cast<int>(i), cards[i]);
    }
    self.hand = std::move(next);
}

}  // namespace

int checked_seat(const PythonHand& self, int seat) {
    const int players = self.hand.spec().players;
    if (seat < 0 || seat >= players) {
        throw GameError("there is no seat " + to_string(seat) + ": seats are 0 to " +
                        to_string(players - 1));
    }
    return seat;
}

void make_hand(PythonHand* self, nb::handle spec, nb::handle seed, nb::handle cards,
               nb::handle hole, nb::handle board, nb::handle stacks) {
    nb::object compiled = nb::getattr(spec, "compiled", nb::none());
    CompiledGame* game = nullptr;
    if (!nb::try_cast(compiled, game) || game == nullptr) {
        throw GameError(python_repr(spec) + " is not a GameSpec");
    }
    const auto& shared = game->spec;
    new (self) PythonHand{
        PlayedHand(shared, stacks_of(*shared, stacks), cards_of(*shared, seed, cards, hole, board)),
        nb::borrow(spec)};
}

void give_hole(PythonHand& self, int seat, nb::handle cards) {
    const GameSpec& spec = self.hand.spec();
    checked_seat(self, seat);
    learn_all(self, seat * spec.hole_cards, spec.hole_cards, cards_or_unknown(cards),
              "the hole cards of seat " + to_string(seat));
}

void give_board(PythonHand& self, nb::handle cards) {
    const GameSpec& spec = self.hand.spec();
    learn_all(self, spec.board_slot(0), spec.board_cards, cards_or_unknown(cards), "the board");
}

void give_swap(PythonHand& self, int seat, int street, nb::handle card) {
    const GameSpec& spec = self.hand.spec();
    checked_seat(self, seat);
    if (street < 0 || street >= spec.streets || spec.street[street].discard != Discard::kSwap) {
        throw GameError("street " + to_string(street) + " has no swaps in this game");
    }
    learn_all(self, spec.swap_slot(spec.swaps_before[street], seat), 1, {card_or_unknown(card)},
              "the new card");
}

}  // namespace riverboat::bindings
