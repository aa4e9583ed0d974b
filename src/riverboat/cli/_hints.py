"""Commands that a reader can paste from where he stands."""

import os
import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from riverboat.game import GameSpec, catalogue, catalogue_names


def hint(*words: object) -> str:
    """Write a command of Riverboat, with `uv run` before it where that is how it is run.

    Examples
    --------
    >>> hint("show", "my bot.blueprint").removeprefix("uv run ")
    "riverboat show 'my bot.blueprint'"
    """
    start = ("uv", "run", "riverboat") if _within_uv() else ("riverboat",)
    return shlex.join([*start, *map(str, words)])


@cache
def _within_uv() -> bool:
    """Whether this is `uv run` in a checkout, which puts nothing on the reader's PATH."""
    return "UV_RUN_RECURSION_DEPTH" in os.environ and any(
        (folder / "src" / "riverboat").is_dir() and (folder / "pyproject.toml").is_file()
        for folder in (Path.cwd(), *Path.cwd().parents)
    )


def next_steps(file: Path, spec: GameSpec) -> list[str]:
    """Say what can be done with a new strategy: look at it, measure it, play against it.

    Examples
    --------
    >>> for line in next_steps(Path("leduc.blueprint"), catalogue("leduc")):
    ...     print(line.replace("uv run ", ""))
    Look at it:      riverboat show leduc.blueprint
    Measure it:      riverboat match blueprint:leduc.blueprint random --game leduc --hands 4000
    Play against it: riverboat play --opponents blueprint:leduc.blueprint --game leduc
    """
    lines = [f"Look at it:      {hint('show', file)}"]
    if (table := _table_of(spec)) is None:
        return lines
    bot, others = f"blueprint:{file}", ["random"] * (spec.players - 1)
    return [
        *lines,
        f"Measure it:      {hint('match', bot, *others, *table, '--hands', 4000)}",
        f"Play against it: {hint('play', '--opponents', ','.join([bot, *others[1:]]), *table)}",
    ]


def _table_of(spec: GameSpec) -> Sequence[object] | None:
    """The options that lead to a game; None if it has no name."""
    if spec.name not in catalogue_names():
        return None
    usual = catalogue(spec.name)
    if spec == usual:
        return () if spec.name == "nolimit-100bb" else ("--game", spec.name)
    return None
