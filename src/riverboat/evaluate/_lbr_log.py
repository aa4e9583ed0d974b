"""The log of local best responses: a line of JSON for some deals, appended as it goes.

One file may hold several settings, bots and seeds; a run takes up its own. A deal is the same in
whatever block it is played.
"""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeGuard

from riverboat.errors import SolveError
from riverboat.evaluate._lbr_hand import LbrHand
from riverboat.files import json_lines
from riverboat.runs import RunLog


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
    """

    def __init__(self, path: Path | None, run: Mapping[str, Any], *, resume: bool) -> None:
        self._run = dict(run)
        self._log = None if path is None else RunLog(path, kept=None)
        self.deals: dict[int, list[LbrHand]] = {}
        if path is None:
            if resume:
                raise SolveError("there is nothing to go on with: name the log of the run")
            return
        own = [line for line in json_lines(path, _is_block) if self._run.items() <= line.items()]
        if own and not resume:
            raise SolveError(
                f"{path} has {len(own)} lines of this run already: go on with them (--resume), or "
                "take another file"
            )
        for line in own:
            self._take(line["deal"], _hands(line))

    def add(self, first: int, hands: list[list[LbrHand]]) -> None:
        """Keep deals from a first one on: what was won on each, in both seats."""
        self._take(first, hands)
        if self._log is not None:
            chips = [[hand.chips for hand in deal] for deal in hands]
            luck = [[hand.luck for hand in deal] for deal in hands]
            self._log.write({**self._run, "deal": first, "chips": chips, "luck": luck})

    def _take(self, first: int, hands: list[list[LbrHand]]) -> None:
        self.deals.update(enumerate(hands, first))


def _hands(line: dict[str, Any]) -> list[list[LbrHand]]:
    """The hands of a line, by deal."""
    deals = zip(line["chips"], line["luck"], strict=True)
    return [list(map(LbrHand, *deal)) for deal in deals]


def _is_block(line: Any) -> bool:
    """Whether a JSON value is some deals."""
    if not isinstance(line, dict) or not isinstance(line.get("deal"), int):
        return False
    chips, luck = line.get("chips"), line.get("luck")
    return _are_pairs(chips) and _are_pairs(luck) and len(chips) == len(luck)


def _are_pairs(values: Any) -> TypeGuard[list[list[float]]]:
    """Whether a JSON value has two numbers for each deal."""
    return isinstance(values, list) and all(
        isinstance(deal, list)
        and len(deal) == 2
        and all(isinstance(won, int | float) and isfinite(won) for won in deal)
        for deal in values
    )
