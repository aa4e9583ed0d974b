// Construction of a hand from Python arguments, and cards that become known later.
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
        if (cards[slot] != kUnknownCard) {
            throw GameError("the card " + card_text(card) + " is given where " +
                            card_text(cards[slot]) + " is given already");
        }
        if (seen & card_bit(card)) {
            throw GameError("the card " + card_text(card) + " is given twice");
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
    const nb::object seats = items_of(hole);
    if (!seats.is_valid() || PyTuple_GET_SIZE(seats.ptr()) > placed.spec.players) {
        throw GameError("hole cards are given as one entry for each of the " +
                        to_string(placed.spec.players) + " seats, not as " + python_repr(hole));
    }
    for (Py_ssize_t seat = 0; seat < PyTuple_GET_SIZE(seats.ptr()); ++seat) {
        const auto cards = cards_or_unknown(PyTuple_GET_ITEM(seats.ptr(), seat));
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
    const nb::object items = items_of(stacks);
    if (!items.is_valid() || PyTuple_GET_SIZE(items.ptr()) != spec.players) {
        throw GameError("stacks are given as " + to_string(spec.players) +
                        " numbers, one for each seat, not as " + python_repr(stacks));
    }
    ChipsBySeat chips{};
    for (int seat = 0; seat < spec.players; ++seat) {
        const nb::handle item = PyTuple_GET_ITEM(items.ptr(), seat);
        const auto number = whole_number(item);
        if (!number) {
            throw GameError("the stack of seat " + to_string(seat) +
                            " must be a whole number up to " + to_string(kMostChips) + ", not " +
                            python_repr(item));
        }
        chips[seat] = *number;
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

int checked_seat(const PythonHand& self, nb::handle seat) {
    const int players = self.hand.spec().players;
    const auto number = whole_number(seat);
    if (!number || *number < 0 || *number >= players) {
        throw GameError("there is no seat " + python_repr(seat) + ": seats are 0 to " +
                        to_string(players - 1));
    }
    return static_cast<int>(*number);
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

void give_hole(PythonHand& self, nb::handle wanted_seat, nb::handle cards) {
    const GameSpec& spec = self.hand.spec();
    const int seat = checked_seat(self, wanted_seat);
    learn_all(self, seat * spec.hole_cards, spec.hole_cards, cards_or_unknown(cards),
              "the hole cards of seat " + to_string(seat));
}

void give_board(PythonHand& self, nb::handle cards) {
    const GameSpec& spec = self.hand.spec();
    learn_all(self, spec.board_slot(0), spec.board_cards, cards_or_unknown(cards), "the board");
}

void give_swap(PythonHand& self, nb::handle wanted_seat, nb::handle wanted_street,
               nb::handle card) {
    const GameSpec& spec = self.hand.spec();
    const int seat = checked_seat(self, wanted_seat);
    const Chips street = whole_number(wanted_street).value_or(-1);
    if (street < 0 || street >= spec.streets || spec.street[street].discard != Discard::kSwap) {
        throw GameError("street " + python_repr(wanted_street) + " has no swaps in this game");
    }
    learn_all(self, spec.swap_slot(spec.swaps_before[street], seat), 1, {card_or_unknown(card)},
              "the new card");
}

}  // namespace riverboat::bindings
