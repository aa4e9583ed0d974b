"""The log of local best responses: a line of JSON for some deals, appended as it goes.

One file may hold several settings, bots and seeds; a run takes up its own. A deal is the same in
whatever block it is played. Older lines tell the number of their block, of 25 deals each, and
nothing of luck: their deals count as they were played.
"""

import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeGuard

from riverboat import __version__
from riverboat.errors import SolveError
from riverboat.evaluate._lbr_hand import LbrHand
from riverboat.files import json_lines

__all__ = ["LbrLog"]

_BLOCK: Final = 25


class LbrLog:
    """Deals that were played.

    Parameters
    ----------
    path
        The file; None keeps nothing.
    run
        What tells this run from others: bot, strategy, game, set and seed.
    resume
        Whether deals of this run that the file has are taken up. Without it they are refused.

    Attributes
    ----------
    deals
        By number, what was won in both seats.
    as_played
        Those of an older log, whose luck is not known.
    """

    def __init__(self, path: Path | None, run: Mapping[str, Any], *, resume: bool) -> None:
        self._path, self._run = path, dict(run)
        self.deals: dict[int, list[LbrHand]] = {}
        self.as_played: set[int] = set()
        if path is None:
            if resume:
                raise SolveError("there is nothing to go on with: name the log of the run")
            return
        lines = json_lines(path, _is_block)
        own = [line for line in lines if self._run.items() <= line.items()]
        if own and not resume:
            raise SolveError(
                f"{path} has {len(own)} lines of this run already: go on with them (--resume), or "
                "take another file"
            )
        for line in own:
            first = line["deal"] if "deal" in line else _BLOCK * line["block"]
            self._take(first, _hands(line))
            if "luck" not in line:
                self.as_played.update(range(first, first + len(line["chips"])))
        if lines.torn:  # what was cut short must not join the next line
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")

    def add(self, first: int, hands: list[list[LbrHand]]) -> None:
        """Keep deals from a first one on: what was won on each, in both seats."""
        self._take(first, hands)
        if self._path is None:
            return
        line = {
            **self._run,
            "deal": first,
            "chips": [[hand.chips for hand in deal] for deal in hands],
            "luck": [[hand.luck for hand in deal] for deal in hands],
            "version": __version__,
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, allow_nan=False) + "\n")

    def _take(self, first: int, hands: list[list[LbrHand]]) -> None:
        self.deals.update(enumerate(hands, first))
        self.as_played.difference_update(range(first, first + len(hands)))


def _hands(line: dict[str, Any]) -> list[list[LbrHand]]:
    """The hands of a line, by deal."""
    chips = line["chips"]
    luck = line.get("luck", [[0.0, 0.0]] * len(chips))
    return [list(map(LbrHand, *deal)) for deal in zip(chips, luck, strict=True)]


def _is_block(line: Any) -> bool:
    """Whether a JSON value is some deals."""
    if not isinstance(line, dict) or not isinstance(line.get("deal", line.get("block")), int):
        return False
    chips = line.get("chips")
    luck = line.get("luck", chips)
    return _are_pairs(chips) and _are_pairs(luck) and len(chips) == len(luck)


def _are_pairs(values: Any) -> TypeGuard[list[list[float]]]:
    """Whether a JSON value has two numbers for each deal."""
    return isinstance(values, list) and all(
        isinstance(deal, list)
        and len(deal) == 2
        and all(isinstance(won, int | float) and isfinite(won) for won in deal)
        for deal in values
    )
