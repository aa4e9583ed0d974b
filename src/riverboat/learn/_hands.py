"""The hands of a review: reading them, finding the player, and facts of each hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from riverboat.arena import Ledger, expected_payoffs
from riverboat.errors import ReviewError, RiverboatError
from riverboat.game import Hand, parse_line, position_names
from riverboat.histories import read, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from riverboat.game import GameSpec, View
    from riverboat.histories import HandRecord

_MULTIWAY: Final = 3
_POTS: Final = ("limped", "raised", "3-bet", "4-bet")
#: Prefix of the number of a match.
_LEDGER: Final = "ledger:"


@dataclass(frozen=True)
class Source:
    """Hands that were read, and those that were refused: (line or number, reason)."""

    hands: tuple[HandRecord, ...]
    refused: tuple[tuple[int, str], ...]


def read_hands(
    source: str,
    format: str | None = None,  # noqa: A002 - as histories
    game: Any = None,
    ledger: Path | None = None,
) -> Source:
    """Read the hands of a file or of a match in the ledger.

    Parameters
    ----------
    source
        A path, or `ledger:12`.
    format, game
        As for `riverboat.histories.read`.
    ledger
        The ledger file; None = the user's ledger.
    """
    if source.startswith(_LEDGER):
        number = source.removeprefix(_LEDGER)
        if not number.isdecimal():
            raise ReviewError(
                f"a match in the ledger must be given by its number, not {number[:40]!r}"
            )
        return _ledger_hands(int(number), Ledger(ledger) if ledger else Ledger())
    found = read(source, format, game)
    return Source(found.hands, tuple((each.line, each.reason) for each in found.refused))


def _ledger_hands(number: int, ledger: Ledger) -> Source:
    """Replay the hands of a match that the ledger saved."""
    entry = next((each for each in ledger.entries() if each.id == number), None)
    if entry is None:
        raise ReviewError(f"the ledger has no match {number}: `riverboat ledger` lists them")
    saved = ledger.saved(number)
    played = [hand for _, each in sorted(saved.sessions.items()) for hand in each.records or ()]
    spec, names = entry.spec, _distinct(entry.bots)
    if not played or spec is None:
        raise ReviewError(
            f"the ledger has no hands of match {number}: it saves hands only of matches with a "
            "file bot; `play` and `match --histories` save hands to a file"
        )
    hands, refused = [], []
    for place, each in enumerate(played, 1):
        try:
            hand = Hand(spec, seed=each.seed, stacks=each.stacks)
            hand.play(each.line)
            seats = [names[chair] for chair in each.bots]
            hands.append(record_of(hand, names=seats, hand_id=f"{number}-{place}"))
        except RiverboatError as error:
            refused.append((place, str(error)))
    return Source(tuple(hands), tuple(refused))


def _distinct(names: Sequence[str]) -> list[str]:
    """Make names distinct by adding numbers."""
    return [
        name if names.count(name) == 1 else f"{name} {place + 1}"
        for place, name in enumerate(names)
    ]


class OwnHand(NamedTuple):
    """A hand and the seat that is reviewed."""

    number: int
    """Number in the file, from 1."""
    record: HandRecord
    hand: Hand
    """The hand as played."""
    seat: int

    @property
    def big_blind(self) -> int:
        """The unit of results in chips: big blind, or the largest ante without blinds."""
        return big_blind_of(self.record.spec)

    @property
    def position(self) -> str:
        """The position of the seat: SB, BB, BTN and so on."""
        spec = self.record.spec
        return position_names(spec)[self.seat] if any(spec.blinds) else f"seat {self.seat}"

    @property
    def to_the_flop(self) -> int:
        """Number of players who saw the second street."""
        later = [event for event in self.hand.events if event.street > 0]
        if not later and len(self.hand.live) < _MULTIWAY - 1:
            return 0
        folded = {e.seat for e in self.hand.events if e.street == 0 and str(e.action) == "f"}
        return self.hand.players - len(folded)

    @property
    def multiway(self) -> bool:
        """Whether three or more players saw the flop."""
        return self.to_the_flop >= _MULTIWAY

    def payoff(self) -> float | None:
        """Return the winnings in chips; None if unknown."""
        payoffs = self.record.payoffs()
        return None if payoffs is None else float(payoffs[self.seat])

    def expected(self) -> float | None:
        """Return the winnings with all-in EV, if all cards are known."""
        if len(self.hand.live) > 1 and self.hand.settled:
            found = expected_payoffs(self.hand, 0)
            if found is not None:
                return float(found[self.seat])
        return self.payoff()


def big_blind_of(spec: GameSpec) -> int:
    """Return the unit of results in chips: big blind, or the largest ante without blinds."""
    return max(max(spec.blinds, default=0), max(spec.antes, default=0), 1)


def pot_type(line: str) -> str:
    """Return the type of a pot: `limped`, `raised`, `3-bet` or `4-bet`.

    Examples
    --------
    >>> pot_type("ck/b10"), pot_type("b25b75c/kk"), pot_type("b25b75b200b500c")
    ('limped', '3-bet', '4-bet')
    """
    return _POTS[min(sum(action.kind == "bet" for action in parse_line(line)[0]), len(_POTS) - 1)]


def player_of(records: Sequence[HandRecord], named: str = "") -> str:
    """Return the player whose decisions are reviewed.

    Parameters
    ----------
    records
        The hands.
    named
        Name given by the user; empty = the hero of the file, or the only player in all hands.
    """
    seated = {name for record in records for name in record.names}
    if named:
        if named not in seated:
            known = ", ".join(sorted(seated)[:10])
            raise ReviewError(f"no player is called {named!r} in these hands; players are {known}")
        return named
    heroes = {record.names[record.hero] for record in records if record.hero is not None}
    if len(heroes) == 1:
        return heroes.pop()
    if "You" in seated:
        return "You"
    always = set.intersection(*(set(record.names) for record in records)) if records else set()
    found = heroes or always or seated
    if len(found) == 1:
        return found.pop()
    raise ReviewError(
        "the file does not say whose hands to review: name a player, one of "
        f"{', '.join(sorted(found)[:10])}"
    )


def own_hand(number: int, record: HandRecord, player: str) -> OwnHand | None:
    """Return a hand with the player's seat; None if the player was not in it."""
    if player not in record.names:
        return None
    return OwnHand(number, record, record.hand(), record.names.index(player))


def decisions_of(hand: Hand, seat: int) -> list[tuple[View, str]]:
    """Return the views and actions of a seat at each of its decisions in a hand.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kb30f", seed=1)
    >>> [(view.line, did) for view, did in decisions_of(hand, 0)]
    [('', 'b25'), ('b25c/k', 'b30')]
    """
    again, found = hand.clone(), []
    for _ in hand.events:
        again.undo()
    for event in hand.events:
        if again.actor == seat:
            found.append((again.view(seat), str(event.action)))
        again.do(event.action)
    return found


def facts_of(own: OwnHand) -> dict[str, Any]:
    """Return the facts of a hand that do not depend on decisions."""
    view = own.hand.view(own.seat)
    date = own.record.date
    return {
        "hand": own.number,
        "id": own.record.hand_id,
        "date": None if date is None else date.isoformat(),
        "position": own.position,
        "pot_type": pot_type(own.hand.line),
        "hole": view.hole_text,
        "board": view.board_text,
        "line": own.hand.full_line,
        "players": own.hand.players,
        "to_the_flop": own.to_the_flop,
    }
