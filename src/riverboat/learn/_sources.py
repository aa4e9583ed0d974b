"""Where hands come from: a file of any format, or a match of the ledger that kept its hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from riverboat.arena import Ledger
from riverboat.errors import ReviewError, RiverboatError
from riverboat.game import Hand
from riverboat.histories import read, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from riverboat.histories import HandRecord

#: Before the number of a match.
LEDGER: Final = "ledger:"


@dataclass(frozen=True)
class Source:
    """Hands that were read, and those that could not be: (line or number, reason)."""

    hands: tuple[HandRecord, ...]
    refused: tuple[tuple[int, str], ...]


def read_hands(source: str, format: str | None = None, game: Any = None) -> Source:  # noqa: A002 - as histories
    """Read the hands of a file, or of a match of the ledger.

    Parameters
    ----------
    source
        A path, or `ledger:12`.
    format, game
        As `riverboat.histories.read` takes them.
    """
    if source.startswith(LEDGER):
        number = source.removeprefix(LEDGER)
        if not number.isdecimal():
            raise ReviewError(f"a match of the ledger is named by its number, not {number[:40]!r}")
        return ledger_hands(int(number))
    found = read(source, format, game)
    return Source(found.hands, tuple((each.line, each.reason) for each in found.refused))


def ledger_hands(number: int, path: Path | None = None) -> Source:
    """Play the hands of a match again that the ledger kept.

    Parameters
    ----------
    number
        Of the match.
    path
        Of the ledger; the user's own if not given.
    """
    ledger = Ledger(path) if path else Ledger()
    entry = next((each for each in ledger.entries() if each.id == number), None)
    if entry is None:
        raise ReviewError(f"the ledger has no match {number}: `riverboat ledger` lists them")
    saved = ledger.saved(number)
    played = [hand for _, each in sorted(saved.sessions.items()) for hand in each.records or ()]
    spec, names = entry.spec, _apart(entry.bots)
    if not played or spec is None:
        raise ReviewError(
            f"the ledger kept no hands of match {number}: it keeps those of matches with a file "
            "bot; `play` saves its hands to a file, and so does `match --histories`"
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


def _apart(names: Sequence[str]) -> list[str]:
    """Names that can be told apart."""
    return [
        name if names.count(name) == 1 else f"{name} {place + 1}"
        for place, name in enumerate(names)
    ]
