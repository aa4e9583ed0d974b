// Hand for Python: direct methods, cheap properties, lazily built results.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/game.hpp"
#include "cards/text.hpp"
#include "game/line.hpp"
#include "game/pots.hpp"
#include "game/showdown.hpp"
#include "game/simulate.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

using std::to_string;

nb::object clone(nb::handle self) {
    const auto& original = nb::cast<const PythonHand&>(self);
    nb::object copy = nb::inst_alloc(self.type());
    new (nb::inst_ptr<PythonHand>(copy)) PythonHand(original);
    nb::inst_mark_ready(copy);
    return copy;
}

// ---- Questions -------------------------------------------------------------

void require_settled(const PythonHand& self) {
    const Hand& hand = self.hand.hand();
    if (hand.settled()) return;
    if (!hand.finished())
        throw GameError("the hand is not finished: seat " + to_string(hand.actor()) + " is to act");
    const int missing = missing_for_showdown(hand);
    throw GameError("the showdown cannot be decided: " +
                    (missing == kMaxPlayers
                         ? "a board card is not known"
                         : "the cards of seat " + to_string(missing) + " are not known"));
}

nb::object seats_of(Seats seats) {
    nb::list list;
    for (int seat = 0; seat < kMaxPlayers; ++seat) {
        if (seats & seat_bit(seat)) list.append(seat);
    }
    return nb::tuple(list);
}

// (amount, rake, eligible, winners, won by seat) for each pot, main pot first.
nb::object pots(const PythonHand& self) {
    const Hand& hand = self.hand.hand();
    Pots pots = make_pots(hand);
    if (hand.settled()) {
        std::array<std::uint32_t, kMaxPlayers> strengths{};
        for (int seat = 0; seat < hand.spec().players && !std::has_single_bit(hand.live());
             ++seat) {
            if (hand.is_live(seat)) strengths[seat] = showdown_strength(hand, seat);
        }
        award(hand, strengths, pots);
    }
    nb::list list;
    for (int i = 0; i < pots.count; ++i) {
        const Pot& pot = pots.pot[i];
        list.append(
            nb::make_tuple(pot.amount, pot.rake, seats_of(pot.eligible), seats_of(pot.winners),
                           tuple_of(hand.spec().players, [&](int s) { return pot.won[s]; })));
    }
    return nb::tuple(list);
}

// (fold, check, call, raise bounds or None, stand, discards).
nb::object legal(const PythonHand& self) {
    const Hand& hand = self.hand.hand();
    nb::object none = nb::none();
    if (hand.phase() == Phase::kBetting) {
        const Chips call = hand.to_call();
        nb::object bounds = none;
        if (hand.can_raise()) bounds = nb::make_tuple(hand.min_raise_to(), hand.max_raise_to());
        return nb::make_tuple(call > 0, call == 0, call > 0 ? nb::object(nb::int_(call)) : none,
                              bounds, false, nb::make_tuple());
    }
    if (hand.finished()) return nb::make_tuple(false, false, none, none, false, nb::make_tuple());
    const int seat = hand.actor();
    const bool stand = hand.spec().street[hand.street()].discard == Discard::kSwap;
    return nb::make_tuple(
        false, false, none, none, stand,
        tuple_of(hand.hole_count(seat), [&](int i) { return python_card(hand.hole(seat)[i]); }));
}

nb::object events(const PythonHand& self) {
    nb::list list;
    for (const Event& event : self.hand.events()) {
        list.append(nb::make_tuple(static_cast<int>(event.street), static_cast<int>(event.seat),
                                   event.action));
    }
    return nb::tuple(list);
}

nb::object cards_of_seat(const Hand& hand, int seat) {
    return tuple_of(hand.hole_count(seat), [&](int i) { return python_card(hand.hole(seat)[i]); });
}

nb::object hole_cards(const PythonHand& self, nb::handle seat) {
    return cards_of_seat(self.hand.hand(), checked_seat(self, seat));
}

nb::object own_discards(const PythonHand& self, int seat) {
    nb::list cards;
    for (const Event& event : self.hand.events()) {
        if (event.seat == seat && event.action.kind == ActionKind::kDiscard) {
            cards.append(python_card(event.action.card));
        }
    }
    return nb::tuple(cards);
}

nb::object shown_cards(const Hand& hand) {
    const bool showdown = hand.finished() && !std::has_single_bit(hand.live());
    nb::list seats;
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        seats.append(showdown && hand.is_live(seat) ? cards_of_seat(hand, seat)
                                                    : nb::object(nb::make_tuple()));
    }
    return nb::tuple(seats);
}

// The fields of riverboat.game.View from `seat` to `payoffs`, in its order; the
// legal actions as a tuple, or None if the seat is not to act.
nb::object view(const PythonHand& self, nb::handle wanted_seat) {
    const Hand& hand = self.hand.hand();
    const GameSpec& spec = hand.spec();
    const int seat = checked_seat(self, wanted_seat);
    const bool to_act = !hand.finished() && hand.actor() == seat;
    const auto chips = [&](auto get) { return tuple_of(spec.players, get); };
    return nb::make_tuple(
        seat, spec.button(), hand.finished() ? nb::none() : nb::object(nb::int_(hand.actor())),
        hand.street(), cards_of_seat(hand, seat), own_discards(self, seat),
        tuple_of(hand.board_count(), [&](int i) { return python_card(hand.board(i)); }),
        self.hand.line(false), seats_of(hand.live()), chips([&](int s) { return hand.stack(s); }),
        chips([&](int s) { return hand.starting_stack(s); }),
        chips([&](int s) { return hand.bet(s); }), hand.pot(),
        to_act && hand.phase() == Phase::kBetting ? hand.to_call() : 0,
        to_act ? legal(self) : nb::none(), hand.finished(), shown_cards(hand),
        hand.settled() ? chips([&](int s) { return hand.payoff(s); }) : nb::none());
}

template <typename Get>
auto by_seat(Get get) {
    return [get](const PythonHand& self) {
        const Hand& hand = self.hand.hand();
        return tuple_of(hand.spec().players, [&](int seat) { return get(hand, seat); });
    };
}

// ---- Simulation ------------------------------------------------------------

// (hands, actions, showdowns, payoffs, rake, checksum).
nb::object simulate_hands(const CompiledGame& game, std::int64_t hands, std::uint64_t seed) {
    Simulation total;
    {
        nb::gil_scoped_release release;
        total = simulate(*game.spec, hands, seed);
    }
    return nb::make_tuple(
        total.hands, total.actions, total.showdowns,
        tuple_of(game.spec->players, [&](int seat) { return total.payoffs[seat]; }), total.rake,
        total.checksum);
}

// ---- Binding ---------------------------------------------------------------

void bind_actions(nb::class_<PythonHand>& hand) {
    const auto simple = [](ActionKind kind) {
        return [kind](PythonHand& self) { self.hand.apply({kind}); };
    };
    hand.def("fold", simple(ActionKind::kFold))
        .def("check", simple(ActionKind::kCheck))
        .def("call", simple(ActionKind::kCall))
        .def("stand", simple(ActionKind::kStand))
        .def("check_or_call",
             [](PythonHand& self) {
                 const bool free = self.hand.hand().to_call() == 0;
                 self.hand.apply({free ? ActionKind::kCheck : ActionKind::kCall});
             })
        .def(
            "bet_to",
            [](PythonHand& self, nb::handle amount) {
                self.hand.apply({ActionKind::kBet, kUnknownCard, chips_from(amount)});
            },
            nb::arg("amount").none())
        .def(
            "discard",
            [](PythonHand& self, nb::handle card) {
                self.hand.apply({ActionKind::kDiscard, card_or_unknown(card), 0});
            },
            nb::arg("card").none())
        .def(
            "do",
            [](PythonHand& self, nb::handle action) {
                self.hand.apply(action_from(&self.hand.hand(), action));
            },
            nb::arg("action").none())
        .def(
            "can",
            [](const PythonHand& self, nb::handle action) {
                try {
                    return self.hand.hand().allows(action_from(&self.hand.hand(), action));
                } catch (const InputError&) {
                    return false;
                }
            },
            nb::arg("action").none())
        .def(
            "verify",
            [](const PythonHand& self, nb::handle action) {
                const Action wanted = action_from(&self.hand.hand(), action);
                if (!self.hand.hand().allows(wanted))
                    throw IllegalActionError(self.hand.hand().refusal(wanted));
            },
            nb::arg("action").none())
        .def(
            "play",
            [](PythonHand& self, nb::handle line) {
                self.hand.play(
                    play_text_from(line, " is not a line of play: give text like 'b25c/kk'"));
            },
            nb::arg("line").none())
        .def("undo", [](PythonHand& self) { self.hand.undo(); })
        .def("clone", &clone)
        .def("give_hole", &give_hole, nb::arg("seat").none(), nb::arg("cards").none())
        .def("give_board", &give_board, nb::arg("cards").none())
        .def("give_swap", &give_swap, nb::arg("seat").none(), nb::arg("street").none(),
             nb::arg("card").none());
}

void bind_chips(nb::class_<PythonHand>& hand) {
    hand.def_prop_ro("stacks", by_seat([](const Hand& h, int s) { return h.stack(s); }))
        .def_prop_ro("starting_stacks",
                     by_seat([](const Hand& h, int s) { return h.starting_stack(s); }))
        .def_prop_ro("bets", by_seat([](const Hand& h, int s) { return h.bet(s); }))
        .def_prop_ro("contributions",
                     by_seat([](const Hand& h, int s) { return h.spent(s) + h.ante(s); }))
        .def_prop_ro("posted_antes", by_seat([](const Hand& h, int s) {
                         return std::min(h.spec().antes[s], h.starting_stack(s));
                     }))
        .def_prop_ro("posted_blinds", by_seat([](const Hand& h, int s) {
                         const GameSpec& spec = h.spec();
                         const Chips left =
                             h.starting_stack(s) - std::min(spec.antes[s], h.starting_stack(s));
                         return std::min(spec.blinds[s], left);
                     }))
        .def_prop_ro("pot", [](const PythonHand& self) { return self.hand.hand().pot(); })
        .def_prop_ro("price", [](const PythonHand& self) { return self.hand.hand().price(); })
        .def_prop_ro("to_call",
                     [](const PythonHand& self) -> Chips {
                         const Hand& h = self.hand.hand();
                         return h.phase() == Phase::kBetting ? h.to_call() : 0;
                     })
        .def_prop_ro("can_raise",
                     [](const PythonHand& self) { return self.hand.hand().can_raise(); })
        .def_prop_ro("min_raise_to",
                     [](const PythonHand& self) {
                         const Hand& h = self.hand.hand();
                         return h.can_raise() ? nb::object(nb::int_(h.min_raise_to())) : nb::none();
                     })
        .def_prop_ro("max_raise_to",
                     [](const PythonHand& self) {
                         const Hand& h = self.hand.hand();
                         return h.can_raise() ? nb::object(nb::int_(h.max_raise_to())) : nb::none();
                     })
        .def_prop_ro("refund",
                     [](const PythonHand& self) {
                         const Hand& h = self.hand.hand();
                         if (h.refund_seat() < 0) return nb::object(nb::none());
                         return nb::object(nb::make_tuple(h.refund_seat(), h.refund()));
                     })
        .def_prop_ro("rake",
                     [](const PythonHand& self) {
                         require_settled(self);
                         return self.hand.hand().rake();
                     })
        .def("payoffs",
             [](const PythonHand& self) {
                 require_settled(self);
                 const Hand& h = self.hand.hand();
                 return tuple_of(h.spec().players, [&](int seat) { return h.payoff(seat); });
             })
        .def("_pots", &pots)
        .def("_legal", &legal);
}

void bind_state(nb::class_<PythonHand>& hand) {
    hand.def_prop_ro("spec", [](const PythonHand& self) { return self.spec; })
        .def_prop_ro("players", [](const PythonHand& self) { return self.hand.spec().players; })
        .def_prop_ro("button", [](const PythonHand& self) { return self.hand.spec().button(); })
        .def_prop_ro("street", [](const PythonHand& self) { return self.hand.hand().street(); })
        .def_prop_ro("finished", [](const PythonHand& self) { return self.hand.hand().finished(); })
        .def_prop_ro("settled", [](const PythonHand& self) { return self.hand.hand().settled(); })
        .def_prop_ro(
            "discarding",
            [](const PythonHand& self) { return self.hand.hand().phase() == Phase::kDiscarding; })
        .def_prop_ro("actor",
                     [](const PythonHand& self) {
                         const Hand& h = self.hand.hand();
                         return h.finished() ? nb::none() : nb::object(nb::int_(h.actor()));
                     })
        .def_prop_ro("live",
                     [](const PythonHand& self) { return seats_of(self.hand.hand().live()); })
        .def_prop_ro("board",
                     [](const PythonHand& self) {
                         const Hand& h = self.hand.hand();
                         return tuple_of(h.board_count(),
                                         [&](int i) { return python_card(h.board(i)); });
                     })
        .def_prop_ro("deal",
                     [](const PythonHand& self) {
                         return tuple_of(self.hand.spec().slots,
                                         [&](int i) { return python_card(self.hand.dealt()[i]); });
                     })
        .def("hole_cards", &hole_cards, nb::arg("seat").none())
        .def_prop_ro("line", [](const PythonHand& self) { return self.hand.line(false); })
        .def_prop_ro("full_line", [](const PythonHand& self) { return self.hand.line(true); })
        .def("_view", &view, nb::arg("seat").none())
        .def_prop_ro("_events", &events)
        .def_prop_ro("num_actions",
                     [](const PythonHand& self) { return self.hand.events().size(); });
}

}  // namespace

void bind_hand(nb::module_& m) {
    nb::class_<PythonHand> hand(m, "Hand");
    hand.def("__init__", &make_hand, nb::arg("spec").none(), nb::kw_only(),
             nb::arg("seed") = nb::none(), nb::arg("cards") = nb::none(),
             nb::arg("hole") = nb::none(), nb::arg("board") = nb::none(),
             nb::arg("stacks") = nb::none());
    bind_actions(hand);
    bind_chips(hand);
    bind_state(hand);
    m.def("simulate_hands", &simulate_hands, nb::arg("game"), nb::arg("hands"), nb::arg("seed"));
}

}  // namespace riverboat::bindings
