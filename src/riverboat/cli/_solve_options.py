"""Options of `riverboat solve`: the spot or spots, the settings of the solver, the opponent."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from riverboat.cards import HandStrength, built_strength
from riverboat.cli._command import fields_of, option
from riverboat.cli._opened import opened_at
from riverboat.cli._progress import open_hand_strength
from riverboat.errors import SpotError
from riverboat.files import is_file, read_text
from riverboat.settings import checked
from riverboat.spots import (
    Imported,
    Lock,
    Solution,
    SolveSettings,
    Spot,
    few_flops,
    parse_boards,
)

_TARGET: Final = "0.3%"
_NEEDED = ("board", "pot", "stack", "oop", "ip")


#: Settings of the spot; they replace those of a spot file.
SPOT_FIELDS: Final = fields_of(
    Spot,
    *("board", "pot", "stack", "oop", "ip", "menu", "rake_cap", "betting", "deck", "big_blind"),
    changes=True,
    rake="rake_percent",
)


def spot_of(
    given: Mapping[str, Any],
    file: Path | None,
    board: str | None = None,
    origin: Imported | None = None,
) -> Spot:
    """Return the spot of these settings.

    Parameters
    ----------
    given
        Settings by name.
    file
        A spot file with the settings that `given` leaves out.
    board
        Replaces the board of `given`, for one of many spots.
    origin
        Without a file: a strategy whose line to the spot gives what `given` leaves out.
    """
    given = {**given, "board": board} if board is not None else given
    if file is not None:
        return Spot.read(file, given)
    missing = [name for name in _NEEDED if name not in given]
    if origin is not None and missing and "board" in given:
        menu = given.get("menu", "")
        spot = Spot.from_blueprint(origin.blueprint, origin.line, given["board"], menu)
        return spot.changed(given)
    if missing:
        names = ", ".join(f"--{name}" for name in missing)
        raise SpotError(f"a spot also needs {names}, or a --file that contains them")
    return Spot(**given)


class SolveOptions(msgspec.Struct, frozen=True):
    """Settings of the solver."""

    fixed: Annotated[
        dict[str, Any],
        fields_of(
            SolveSettings,
            *("seconds", "iterations", "threads", "bits", "schedule", "device", "exploit"),
        ),
    ]
    target: Annotated[str, option("Target exploitability in per cent of the pot.")] = _TARGET
    lock: Annotated[
        list[str] | None,
        option("Node lock 'LINE: HANDS = SHARES', such as 'b10: KK = f 25 c 75', or a file."),
    ] = None

    def changed(self) -> dict[str, bool]:
        """Return whether target and locks are given."""
        return {"target": self.target != _TARGET, "lock": bool(self.lock)}

    def settings(self, **more: Any) -> SolveSettings:
        """Return the settings, with `more`."""
        locks = tuple(str(lock) for text in self.lock or () for lock in _locks(text))
        values = {**self.fixed, **more, "target": _share(self.target), "locks": locks}
        return checked(SolveSettings, values, "solve")


def boards_of(text: str) -> tuple[str, ...]:
    """Read a list of boards, a file of boards, `all` flops, or a number of representative flops."""
    if text == "all" or text.isdecimal():
        return few_flops() if text == "all" else few_flops(int(text))
    path = Path(text)
    if is_file(path):
        return parse_boards(read_text(path, f"the boards {text!r}", SpotError))
    if set(text) & set("./\\"):
        raise SpotError(f"the file of boards {text!r} does not exist")
    return parse_boards(text)


def strategy_against(
    text: str, progress: Callable[[int, int], None] | None = None
) -> Solution | Imported:
    """Open the strategy to respond to: a solution, or a strategy with the line to the spot.

    Parameters
    ----------
    text
        `file.solution`, `default b25c` or `mine.blueprint b25c/kk`.
    progress
        Called with the number of boards that are read, and their total.
    """
    path = Path(text)
    if text.endswith(".solution") or (is_file(path) and Solution.recognises(path)):
        return Solution.open(path)
    blueprint, threshold, line = opened_at(text, "--against")
    return Imported(
        blueprint,
        line,
        threshold=threshold,
        open_tables=cache(lambda: _tables(line)),
        progress=progress,
    )


def _tables(line: str) -> HandStrength | None:
    """The hand-strength tables; they are not built for a single river."""
    return built_strength() if line.count("/") > 1 else open_hand_strength()


def _share(text: str) -> float:
    """Read a percentage.

    Examples
    --------
    >>> _share("0.5%"), _share("0.5")
    (0.005, 0.005)
    """
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise SpotError(
            f"--target is a percentage of the pot, such as 0.3%, not {text!r}"
        ) from None


def _locks(text: str) -> tuple[Lock, ...]:
    """Read a node lock, or a file of node locks."""
    path = Path(text)
    if is_file(path):
        return Lock.parse_all(read_text(path, f"the locks {text!r}", SpotError))
    if ":" not in text:
        raise SpotError(f"--lock is 'LINE: HANDS = SHARES', or a file of such lines, not {text!r}")
    return (Lock.parse(text),)
