"""The log of local best responses: a line of JSON for each block of deals, appended as it goes.

One file may hold the blocks of several settings, bots and seeds; a run takes up those of its own.
"""

import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from riverboat import __version__
from riverboat.errors import SolveError
from riverboat.limits import json_lines

__all__ = ["LbrLog"]


class LbrLog:
    """Blocks that were played.

    Parameters
    ----------
    path
        The file; None keeps nothing.
    run
        What tells this run from others: bot, strategy, game, set and seed.
    resume
        Whether blocks of this run that the file has are taken up. Without it they are refused.
    """

    def __init__(self, path: Path | None, run: Mapping[str, Any], *, resume: bool) -> None:
        self._path, self._run = path, dict(run)
        self.blocks: dict[int, list[list[float]]] = {}
        if path is None:
            if resume:
                raise SolveError("there is nothing to go on with: name the log of the run")
            return
        lines = json_lines(path, _is_block)
        own = [line for line in lines if self._run.items() <= line.items()]
        if own and not resume:
            raise SolveError(
                f"{path} has {len(own)} blocks of this run already: go on with them (--resume), or "
                "take another file"
            )
        self.blocks = {line["block"]: line["chips"] for line in own}
        if lines.torn:  # what was cut short must not join the next line
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")

    def add(self, block: int, chips: list[list[float]]) -> None:
        """Keep a block: chips won on each deal, in both seats."""
        self.blocks[block] = chips
        if self._path is None:
            return
        line = {**self._run, "block": block, "chips": chips, "version": __version__}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, allow_nan=False) + "\n")


def _is_block(line: Any) -> bool:
    """Whether a JSON value is a block of deals."""
    if not isinstance(line, dict) or not isinstance(line.get("block"), int):
        return False
    chips = line.get("chips")
    return isinstance(chips, list) and all(
        isinstance(deal, list)
        and len(deal) == 2
        and all(isinstance(won, int | float) and isfinite(won) for won in deal)
        for deal in chips
    )
