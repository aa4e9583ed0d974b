"""A bot that tries to know every card: the three attacks that won 46,000 mbb a hand in 0.1."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from riverboat.arena import DealSeed, MatchSettings
from riverboat.files import ledger_path
from riverboat.game import Hand, View

HANDS = 6
#: Hands in a row whose cards were foretold: then they are known.
ENOUGH = 4
_SEARCHED = 300


def settings(seed: int = 0, **more: Any) -> MatchSettings:
    """The match that the spy plays, as far as it can know."""
    given = {"hands": HANDS, "duplicate": False, "keep_going": True, "seed": seed, **more}
    return MatchSettings(("checkcall", "checkcall"), **given)


def ancestors() -> Iterator[Path]:
    """The folders in /proc of this process and all that it descends from."""
    process = os.getpid()
    while process > 0:
        folder = Path(f"/proc/{process}")
        yield folder
        try:
            stat = (folder / "stat").read_text()
        except OSError:
            return
        process = int(stat.rpartition(")")[2].split()[1])


def _readable(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def of_ancestors(_seed: int) -> bytes:
    """What the command lines and environments of ancestors say."""
    names = ("cmdline", "environ")
    return b" ".join(_readable(folder / name) for folder in ancestors() for name in names)


def of_ledger(_seed: int) -> bytes:
    """What the ledger says, and all that lies beside it."""
    return b" ".join(_readable(path) for path in sorted(ledger_path().parent.glob("*")))


def of_own_seed(seed: int) -> bytes:
    """The seeds of matches that would give this bot the seed that it was given."""
    found = [n for n in range(_SEARCHED) if seed in settings(n).bot_seeds(0, 0)]
    return b" ".join(str(n).encode() for n in found)


ATTACKS = {"ancestors": of_ancestors, "ledger": of_ledger, "own seed": of_own_seed}


def _foretold(text: bytes) -> Iterator[list[int]]:
    """The seeds of deals that follow from each number and each secret in a text."""
    for number in {int(word) for word in re.findall(rb"(?<!\d)\d{1,4}(?!\d)", text)}:
        yield settings(number).deal_seeds(0)
        for word in set(re.findall(rb"[0-9a-f]{64}", text)):
            yield settings(number, deal_seed=DealSeed.from_hex(word.decode())).deal_seeds(0)


class Spy:
    """Checks and calls, and raises an error as soon as it knows the cards."""

    def __init__(self, seed: int) -> None:
        self._known = {name: list(_foretold(attack(seed))) for name, attack in ATTACKS.items()}
        self._deal = -1

    def hand_started(self, view: View) -> None:
        """Keep what foretold the own cards."""
        self._deal += 1
        for name, seeds in self._known.items():
            self._known[name] = [
                each for each in seeds if _hole(view, each[self._deal]) == view.hole
            ]

    def act(self, view: View) -> str:
        """Check or call; boast when sure."""
        if self._deal + 1 >= ENOUGH and (known := [n for n, seeds in self._known.items() if seeds]):
            raise RuntimeError(f"I know all cards by: {', '.join(known)}")
        return "c" if view.to_call else "k"


def _hole(view: View, seed: int) -> object:
    return Hand(view.spec, seed=seed).view(view.seat).hole
