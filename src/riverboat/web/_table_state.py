"""The state of a table as the user may see it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from riverboat.cards import cards_text
from riverboat.table import (
    Acted,
    BoardDealt,
    Shown,
    Won,
    hand_in_words,
    pot_share_to,
    said_of,
    words_of,
)

if TYPE_CHECKING:
    from riverboat.game import View
    from riverboat.table import Session, TableEvent

_HIDDEN = "??"
_SHARES = {"1/3": Fraction(1, 3), "1/2": Fraction(1, 2), "2/3": Fraction(2, 3), "pot": Fraction(1)}


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up."""

    game: Annotated[str, msgspec.Meta(max_length=80)] = "nolimit-100bb"
    seats: Annotated[int, msgspec.Meta(ge=2, le=9)] = 2
    opponents: Annotated[
        str, msgspec.Meta(max_length=400, description="comma-separated bots; empty = default bot")
    ] = ""
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] | None = None
    carry: Annotated[bool, msgspec.Meta(description="carry stacks over to the next hand")] = False
    seconds: Annotated[
        float, msgspec.Meta(ge=0, le=3600, description="time per decision; 0 = no limit")
    ] = 0
    bank: Annotated[float, msgspec.Meta(ge=0, le=36000, description="time bank in seconds")] = 0


class Chair(msgspec.Struct, frozen=True):
    """A place at the table."""

    name: str
    stack: int
    bet: int
    total: int
    cards: list[str]
    """The user's or shown cards; `??` = hidden."""
    button: bool
    live: bool
    acting: bool
    said: str
    """Last action on this street."""


class Legal(msgspec.Struct, frozen=True):
    """The moves that the user may make."""

    fold: bool
    check: bool
    call: int | None
    least: int | None
    most: int | None
    stand: bool
    discards: list[str]


class Preset(msgspec.Struct, frozen=True):
    """A preset bet size."""

    name: str
    to: int


class Note(msgspec.Struct, frozen=True):
    """An event of the hand, in words."""

    chair: int | None
    words: str
    street: str


class Results(msgspec.Struct, frozen=True):
    """The user's winnings in big blinds per 100 hands, with a 95 % confidence interval."""

    hands: int
    chips: int
    won: tuple[float, float | None]
    """Mean and margin; None if there are too few hands."""
    adjusted: tuple[float, float | None] | None
    """The same with all-in EV."""
    unit: str


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the user may know now."""

    id: str
    version: int
    """Increases with every change; a move names the version that it answers."""
    game: str
    phase: Literal["new", "yours", "thinking", "over"]
    hand: int
    street: str
    line: str
    board: list[str]
    pot: int
    to_call: int
    odds: float | None
    """Equity that a call needs to break even."""
    unit: int
    you: int
    chairs: list[Chair]
    legal: Legal | None
    presets: list[Preset]
    holding: str
    notes: list[Note]
    results: Results | None
    seconds_left: float | None
    wait: str
    """Why the table waits, for example for the solver."""
    problem: str


def state_of(session: Session, table_id: str, version: int) -> TableState:
    """Return what the user may know of a session, without results and clock."""
    view = session.view_of(0) if session.dealt else None
    base: dict[str, Any] = {
        "id": table_id,
        "version": version,
        "game": session.spec.name,
        "hand": session.dealt,
        "unit": session.unit[0],
        "you": 0,
        "results": None,
        "seconds_left": None,
        "wait": "",
        "problem": "",
    }
    if view is None:
        return TableState(
            **base, phase="new", street="", line="", board=[], pot=0, to_call=0, odds=None,
            chairs=_empty_chairs(session), legal=None, presets=[], holding="", notes=[],
        )  # fmt: skip
    yours, price = session.waiting == 0, view.to_call
    return TableState(
        **base,
        phase="yours" if yours else "thinking" if session.running else "over",
        street=session.spec.street_names[view.street],
        line=view.line,
        board=_texts(view.board),
        pot=view.pot,
        to_call=price,
        odds=price / (view.pot + price) if yours and price else None,
        chairs=_chairs(session, view),
        legal=_legal(view) if yours else None,
        presets=_presets(view) if yours else [],
        holding=hand_in_words(view, view.hole),
        notes=[_note(session, event) for event in session.events_of(0)],
    )


def _empty_chairs(session: Session) -> list[Chair]:
    return [
        Chair(name, stack, 0, 0, [], False, True, False, "")
        for name, stack in zip(session.names, session.spec.stacks, strict=True)
    ]


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [_HIDDEN if card < 0 else _CARDS[card] for card in cards]


_CARDS: Final = tuple(cards_text((card,)) for card in range(52))


def _chairs(session: Session, view: View) -> list[Chair]:
    said = {
        event.seat: words_of(event)
        for event in session.events_of(0)
        if isinstance(event, Acted) and event.street == view.street
    }
    chairs = []
    for chair, name in enumerate(session.names):
        seat = session.seat_of(chair)
        chairs.append(
            Chair(
                name=name,
                stack=view.stacks[seat],
                bet=view.bets[seat],
                total=session.totals[chair],
                cards=_cards_of(view, seat),
                button=seat == view.button,
                live=seat in view.live,
                acting=view.actor == seat,
                said=said.get(seat, ""),
            )
        )
    return chairs


def _cards_of(view: View, seat: int) -> list[str]:
    """Return the cards of a seat as this view may know them; hidden cards as backs."""
    if seat == view.seat:
        return _texts(view.hole)
    if view.shown[seat]:
        return _texts(view.shown[seat])
    return [_HIDDEN] * len(view.hole) if seat in view.live else []


def _legal(view: View) -> Legal:
    legal = view.legal
    least, most = legal.raise_to or (None, None)
    return Legal(
        legal.fold, legal.check, legal.call, least, most, legal.stand, _texts(legal.discards)
    )


def _presets(view: View) -> list[Preset]:
    if view.legal.raise_to is None:
        return []
    least, most = view.legal.raise_to
    sizes = {name: pot_share_to(view, share) for name, share in _SHARES.items()}
    inside = {to: name for name, to in sizes.items() if least < to < most}
    found = [Preset("min", least), *(Preset(name, to) for to, name in sorted(inside.items()))]
    if least < most:
        return [*found, Preset("all-in", most)]
    all_in = most == view.bets[view.seat] + view.stacks[view.seat]
    return [Preset("all-in", most)] if all_in else found


def _note(session: Session, event: TableEvent) -> Note:
    names = session.spec.street_names
    if isinstance(event, Acted):
        chair = session.chair_of(event.seat)
        return Note(chair, _verb(session, chair, words_of(event)), names[event.street])
    if isinstance(event, BoardDealt):
        return Note(None, cards_text(event.cards), names[event.street])
    if isinstance(event, Shown):
        chair = session.chair_of(event.seat)
        return Note(chair, _verb(session, chair, f"shows {cards_text(event.cards)}"), "")
    if isinstance(event, Won):
        return Note(None, _won(session, event), "")
    return Note(None, f"hand {event.number}", "")


def _verb(session: Session, chair: int, words: str) -> str:
    """Return an action in words without the name, as in "you check", "Ann checks"."""
    name = session.names[chair]
    return said_of(name, words).removeprefix(f"{name} ")


def _won(session: Session, event: Won) -> str:
    pot = f" of side pot {event.pot}" if event.pot else ""
    parts = [
        said_of(session.names[session.chair_of(seat)], f"wins {chips:,}")
        for seat, chips in enumerate(event.chips)
        if chips
    ]
    return f"{', '.join(parts)}{pot}"
