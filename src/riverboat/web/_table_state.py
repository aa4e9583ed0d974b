"""The state of a table as the user may see it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from riverboat.cards import cards_text
from riverboat.table import (
    YOU,
    Acted,
    BoardDealt,
    Shown,
    Won,
    hand_in_words,
    pot_share_to,
    price_to,
    said_of,
    words_of,
)
from riverboat.web._frames import Frame, frames_of
from riverboat.web._opponents import face_of_name

if TYPE_CHECKING:
    from riverboat.game import View
    from riverboat.table import Session, TableEvent

_HIDDEN = "??"
_SHARES = {f"{share} %": Fraction(share, 100) for share in (33, 50, 75, 125)}
_TIMES = {"2.5x": Fraction(5, 2), "3x": Fraction(3), "4x": Fraction(4)}


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up."""

    game: Annotated[str, msgspec.Meta(max_length=80)] = "nolimit-100bb"
    seats: Annotated[int, msgspec.Meta(ge=2, le=9)] = 2
    people: Annotated[
        int, msgspec.Meta(ge=1, le=2, description="people at the table; the second joins by link")
    ] = 1
    opponents: Annotated[
        str, msgspec.Meta(max_length=400, description="comma-separated bots; empty = default bot")
    ] = ""
    seed: (
        Annotated[int, msgspec.Meta(ge=0, lt=2**31, description="only with one person")] | None
    ) = None
    carry: Annotated[bool, msgspec.Meta(description="carry stacks over to the next hand")] = False
    seconds: Annotated[
        float, msgspec.Meta(ge=0, le=3600, description="time per decision; 0 = no limit")
    ] = 0
    bank: Annotated[float, msgspec.Meta(ge=0, le=36000, description="time bank in seconds")] = 0


class Chair(msgspec.Struct, frozen=True):
    """A place at the table."""

    name: str
    face: str
    """The face of a bot; empty for the user."""
    stack: int
    bet: int
    total: int
    net: int
    """Chips won or lost in this hand; 0 until it is over."""
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


class Winner(msgspec.Struct, frozen=True):
    """A player who won chips in the hand that has ended."""

    chair: int
    chips: int
    """Chips collected from all pots."""
    words: str
    """The hand in words; empty if it was not shown."""


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
    """The secret of the chair: who knows it plays there."""
    session: str
    """The id of the session in lists, replays and exports."""
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
    frames: list[Frame]
    """The actions since the user's last decision, with that decision."""
    winners: list[Winner]
    results: Results | None
    seconds_left: float | None
    wait: str
    """Why the table waits, for example for the solver."""
    invite: str
    """Id under which the second person joins; empty if nobody is missing."""
    problem: str


def state_of(session: Session, table_id: str, version: int, you: int = 0) -> TableState:
    """Return what the user of a chair may know of a session, without results and clock."""
    view = session.view_of(you) if session.dealt else None
    base: dict[str, Any] = {
        "id": table_id,
        "session": "",
        "version": version,
        "game": session.spec.name,
        "hand": session.dealt,
        "unit": session.unit[0],
        "you": you,
        "results": None,
        "seconds_left": None,
        "wait": "",
        "invite": "",
        "problem": "",
    }
    if view is None:
        return TableState(
            **base, phase="new", street="", line="", board=[], pot=0, to_call=0, odds=None,
            chairs=_empty_chairs(session, you), legal=None, presets=[], holding="", notes=[],
            frames=[], winners=[],
        )  # fmt: skip
    yours, price = session.waiting == you, view.to_call
    return TableState(
        **base,
        phase="yours" if yours else "thinking" if session.running else "over",
        street=session.spec.street_names[view.street],
        line=view.line,
        board=_texts(view.board),
        pot=view.pot if session.running else 0,
        to_call=price,
        odds=price / (view.pot + price) if yours and price else None,
        chairs=_chairs(session, view, you),
        legal=_legal(view) if yours else None,
        presets=_presets(view) if yours else [],
        holding=hand_in_words(view, view.hole),
        notes=[_note(session, event, you) for event in session.events_of(you)],
        frames=frames_of(session.hand, session.by_seat(range(len(session.names))), view.seat),
        winners=_winners(session, view),
    )


def _name(session: Session, chair: int, you: int) -> str:
    """Return the name of a player as the user of a chair sees it."""
    return YOU if chair == you else session.names[chair]


def _empty_chairs(session: Session, you: int) -> list[Chair]:
    names = [_name(session, chair, you) for chair in range(len(session.names))]
    return [
        Chair(name, face_of_name(name), stack, 0, 0, 0, [], False, True, False, "")
        for name, stack in zip(names, session.spec.stacks, strict=True)
    ]


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [_HIDDEN if card < 0 else _CARDS[card] for card in cards]


_CARDS: Final = tuple(cards_text((card,)) for card in range(52))


def _chairs(session: Session, view: View, you: int) -> list[Chair]:
    said = {
        event.seat: words_of(event)
        for event in session.events_of(you)
        if isinstance(event, Acted) and event.street == view.street
    }
    chairs = []
    for chair in range(len(session.names)):
        name = _name(session, chair, you)
        seat = session.seat_of(chair)
        chairs.append(
            Chair(
                name=name,
                face=face_of_name(name),
                stack=view.stacks[seat],
                bet=view.bets[seat] if session.running else 0,
                total=session.totals[chair],
                net=0 if session.running else session.last[chair],
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


def _winners(session: Session, view: View) -> list[Winner]:
    """Return who collected how many chips, most first; empty while the hand is running."""
    won = [
        event.chips
        for event in session.events_of(session.chair_of(view.seat))
        if isinstance(event, Won)
    ]
    found = []
    for seat, chips in enumerate(map(sum, zip(*won, strict=True))):
        if chips:
            cards = view.hole if seat == view.seat and len(view.live) > 1 else view.shown[seat]
            found.append(Winner(session.chair_of(seat), chips, hand_in_words(view, cards)))
    return sorted(found, key=lambda each: -each.chips)


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
    if view.street == 0 and view.spec.big_blind:
        sizes = {name: price_to(view, times) for name, times in _TIMES.items()}
    else:
        sizes = {name: pot_share_to(view, share) for name, share in _SHARES.items()}
    found = [Preset(name, to) for name, to in sizes.items() if least <= to < most]
    largest = "all-in" if most == view.bets[view.seat] + view.stacks[view.seat] else "max"
    if least < most:
        return [*(found or [Preset("min", least)]), Preset(largest, most)]
    return [Preset(largest if largest == "all-in" else "min", least)]


def _note(session: Session, event: TableEvent, you: int) -> Note:
    names = session.spec.street_names
    if isinstance(event, Acted):
        chair = session.chair_of(event.seat)
        return Note(chair, _verb(session, chair, words_of(event), you), names[event.street])
    if isinstance(event, BoardDealt):
        return Note(None, cards_text(event.cards), names[event.street])
    if isinstance(event, Shown):
        chair = session.chair_of(event.seat)
        return Note(chair, _verb(session, chair, f"shows {cards_text(event.cards)}", you), "")
    if isinstance(event, Won):
        return Note(None, _won(session, event, you), "")
    return Note(None, f"hand {event.number}", "")


def _verb(session: Session, chair: int, words: str, you: int) -> str:
    """Return an action in words without the name, as in "you check", "Ann checks"."""
    name = _name(session, chair, you)
    return said_of(name, words).removeprefix(f"{name} ")


def _won(session: Session, event: Won, you: int) -> str:
    pot = f" of side pot {event.pot}" if event.pot else ""
    parts = [
        said_of(_name(session, session.chair_of(seat), you), f"wins {chips:,}")
        for seat, chips in enumerate(event.chips)
        if chips
    ]
    return f"{', '.join(parts)}{pot}"
