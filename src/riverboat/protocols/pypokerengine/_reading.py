"""Convert PyPokerEngine's `round_state` to a `View`.

Seats of a view are counted from the small blind, over the players that were dealt in; the engine's
places stay the same from hand to hand. All chips are computed from the action histories, so the
view at the start of the hand can be computed, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from riverboat.cards import BOARD_CARDS, STREETS
from riverboat.game import LegalActions, View
from riverboat.protocols.pypokerengine._rules import card_number, game_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riverboat.game import GameSpec

    RoundState = Mapping[str, Any]

_FORCED = ("ANTE", "SMALLBLIND", "BIGBLIND")


@dataclass(frozen=True, slots=True)
class Round:
    """A hand of the engine so far, with seats counted from the small blind.

    Attributes
    ----------
    places
        By seat: the player's place in the engine's list.
    spec
        The game.
    starting_stacks
        By seat: chips before antes and blinds.
    button
        Seat of the engine's dealer.
    street
        0 to 3.
    moves
        By street, in order: seat, action (`CALL`, `BIGBLIND`, ..), the engine's amount.
    board
        Public cards.
    """

    places: tuple[int, ...]
    spec: GameSpec
    starting_stacks: tuple[int, ...]
    button: int
    street: int
    moves: tuple[tuple[tuple[int, str, int], ...], ...]
    board: tuple[int, ...]

    def beginning(self) -> Round:
        """Return the same hand before the first action."""
        forced = tuple(move for move in self.moves[0] if move[1] in _FORCED)
        return replace(self, street=0, moves=(forced,), board=())

    def without_later_cards(self) -> Round:
        """Return the hand at its last action: the engine deals more cards after a fold."""
        street = max((i for i, moves in enumerate(self.moves) if moves), default=0)
        return replace(self, street=street, board=self.board[: BOARD_CARDS[street]])


@dataclass(frozen=True, slots=True)
class Chips:
    """Chips of a round, and its line.

    Attributes
    ----------
    bets, paid
        By seat: chips put in on this street, and on all streets with the ante.
    live
        Seats that have not folded.
    line
        The actions in Riverboat's notation.
    """

    bets: tuple[int, ...]
    paid: tuple[int, ...]
    live: tuple[int, ...]
    line: str


def read_round(
    state: RoundState, stacks: tuple[int, ...] | None = None, initial_stack: int | None = None
) -> Round:
    """Read the engine's description of a hand.

    Parameters
    ----------
    state
        The engine's `round_state`.
    stacks
        Chips by seat at the start, if known. Required when the hand is over, because the engine
        has then paid the pot.
    initial_stack
        Starting stack of the game; by default the stacks of this hand.
    """
    histories = [state["action_histories"].get(street, []) for street in STREETS]
    places = places_of(state)
    seat_of = {state["seats"][place]["uuid"]: seat for seat, place in enumerate(places)}
    moves = tuple(
        tuple((seat_of[move["uuid"]], move["action"], move.get("amount", 0)) for move in street)
        for street in histories
    )
    if stacks is None:
        paid = _paid(moves, len(places))
        stacks = tuple(
            state["seats"][place]["stack"] + paid[seat] for seat, place in enumerate(places)
        )
    dealer = state["dealer_btn"]
    button = places.index(dealer) if dealer in places else len(places) - 1
    return Round(
        places=places,
        spec=game_of(
            stacks if initial_stack is None else (initial_stack,) * len(places),
            state["small_blind_amount"],
            max((amount for _, kind, amount in moves[0] if kind == "ANTE"), default=0),
            button_is_small_blind=button == 0,
        ),
        starting_stacks=stacks,
        button=button,
        street=STREETS.index(state["street"]) if state["street"] in STREETS else 3,
        moves=moves,
        board=tuple(card_number(card) for card in state["community_card"]),
    )


def places_of(state: RoundState) -> tuple[int, ...]:
    """Return the places of the players that were dealt in, starting with the small blind.

    The engine lists players without chips as folded; they have no actions.
    """
    seats, first = state["seats"], state["small_blind_pos"]
    acted = {move["uuid"] for moves in state["action_histories"].values() for move in moves}
    order = [(first + step) % len(seats) for step in range(len(seats))]
    return tuple(
        place
        for place in order
        if seats[place]["state"] != "folded" or seats[place]["uuid"] in acted
    )


def _paid(moves: Sequence[Sequence[tuple[int, str, int]]], players: int) -> list[int]:
    """By seat: chips put in on all streets; the engine's amounts are totals of a street."""
    paid = [0] * players
    for street in moves:
        bets = [0] * players
        for seat, kind, amount in street:
            if kind == "ANTE":
                paid[seat] += amount
            elif kind != "FOLD":
                bets[seat] = amount
        paid = [chips + bet for chips, bet in zip(paid, bets, strict=True)]
    return paid


def chips_of(played: Round) -> Chips:
    """Replay a round, and return its chips, live seats and line."""
    players = len(played.places)
    folded: set[int] = set()
    lines, bets = [], [0] * players
    for moves in played.moves[: played.street + 1]:
        bets, line = [0] * players, ""
        for seat, kind, amount in moves:
            if kind == "FOLD":
                folded.add(seat)
                line += "f"
            elif kind in {"CALL", "RAISE"}:
                line += _letter(amount, bets, seat)
            if kind not in {"FOLD", "ANTE"}:
                bets[seat] = amount
        lines.append(line)
    return Chips(
        bets=tuple(bets),
        paid=tuple(_paid(played.moves, players)),
        live=tuple(seat for seat in range(players) if seat not in folded),
        line="/".join(lines).rstrip("/"),
    )


def _letter(amount: int, bets: Sequence[int], seat: int) -> str:
    """Riverboat's letter for a call or a raise to an amount; the engine calls a check a call."""
    if amount > max(bets):
        return f"b{amount}"
    return "k" if amount == bets[seat] else "c"


def legal_actions(
    valid_actions: Sequence[Mapping[str, Any]],
    bet: int,
    stack: int,
    *,
    can_be_called: bool,
    short_all_in: bool = False,
) -> LegalActions:
    """Convert the engine's list of actions to `LegalActions`.

    Parameters
    ----------
    valid_actions
        The engine's fold, call and raise; bounds of -1 mean that no raise is legal.
    bet, stack
        The player's chips: put in on this street, and left.
    can_be_called
        Whether an opponent has chips left. If not, a raise would only be returned, and
        Riverboat does not allow it.
    short_all_in
        Whether to add the all-in below the minimum raise, which the engine accepts but does not
        offer.
    """
    price, bounds = valid_actions[1]["amount"], valid_actions[2]["amount"]
    call = min(stack, price - bet)
    raise_to = (bounds["min"], bounds["max"]) if bounds["min"] > 0 else None
    if short_all_in and raise_to is None and bet + stack > price:
        raise_to = (bet + stack, bet + stack)
    return LegalActions(
        fold=call > 0,
        check=call <= 0,
        call=call if call > 0 else None,
        raise_to=raise_to if can_be_called else None,
        stand=False,
        discards=(),
    )


def view_of(
    played: Round, seat: int, hole: tuple[int, ...], legal: LegalActions | None = None
) -> View:
    """Return the view of a seat during a hand.

    Parameters
    ----------
    played
        The hand so far.
    seat, hole
        The player's seat, counted from the small blind, and hole cards.
    legal
        Legal actions if it is the player's turn, else None.
    """
    chips = chips_of(played)
    players = len(played.places)
    return View(
        spec=played.spec,
        seat=seat,
        button=played.button,
        actor=seat if legal is not None else 2 % players,  # the first to act before the flop
        street=played.street,
        hole=hole,
        discarded=(),
        board=played.board,
        line=chips.line,
        live=chips.live,
        stacks=tuple(a - b for a, b in zip(played.starting_stacks, chips.paid, strict=True)),
        starting_stacks=played.starting_stacks,
        bets=chips.bets,
        pot=sum(chips.paid),
        to_call=0 if legal is None else legal.call or 0,
        legal=LegalActions() if legal is None else legal,
        finished=False,
        shown=((),) * players,
        payoffs=None,
    )


def final_view(played: Round, seat: int, hole: tuple[int, ...], stacks: tuple[int, ...]) -> View:
    """Return the view of a seat when the hand is over.

    The engine shows the ranks of hands, not the cards: `shown` has only the player's own cards.
    """
    if len(chips_of(played).live) < 2:
        played = played.without_later_cards()
    chips = chips_of(played)
    refund = _refund(chips.paid)
    showdown = len(chips.live) > 1 and seat in chips.live
    return structs.replace(
        view_of(played, seat, hole),
        actor=None,
        stacks=stacks,
        bets=tuple(max(0, a - b) for a, b in zip(chips.bets, refund, strict=True)),
        pot=sum(chips.paid) - sum(refund),
        finished=True,
        shown=tuple(hole if showdown and s == seat else () for s in range(len(played.places))),
        payoffs=tuple(a - b for a, b in zip(stacks, played.starting_stacks, strict=True)),
    )


def _refund(paid: Sequence[int]) -> list[int]:
    """By seat: the uncalled part of the largest contribution."""
    second, most = sorted(paid)[-2:]
    return [most - second if chips == most else 0 for chips in paid]
