"""The options of `riverboat solve`: which spot or spots, how they are solved, against whom."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from riverboat.cards import HandStrength, built_strength
from riverboat.cli._command import option
from riverboat.cli._opened import opened_at
from riverboat.cli._progress import open_hand_strength
from riverboat.errors import SpotError
from riverboat.files import is_file, read_text
from riverboat.settings import checked
from riverboat.spots import (
    ALL_FLOPS,
    SCHEDULES,
    Imported,
    Lock,
    Solution,
    SolveSettings,
    Spot,
    few_flops,
    is_solution,
    parse_boards,
    parse_locks,
)

__all__ = ["SolveOptions", "SpotOptions", "boards_of", "strategy_against"]

_NEEDED = ("board", "pot", "stack", "oop", "ip")


@dataclass(frozen=True, slots=True)
class SpotOptions:
    """What the spot is; each field is an option, and replaces that of a file."""

    board: Annotated[str | None, option("Three to five cards, such as Ks7h2d.")] = None
    pot: Annotated[int | None, option("Chips in the middle.")] = None
    stack: Annotated[
        str | None,
        option("Chips behind: 975, or 975,1200 (out of position, in position)."),
    ] = None
    oop: Annotated[str | None, option("Range out of position: 'QQ+, AKs:0.5'.")] = None
    ip: Annotated[str | None, option("Range in position.")] = None
    menu: Annotated[
        str | None,
        option("Bet menu from this street on."),
    ] = None
    rake: Annotated[float | None, option("Per cent of the pot.")] = None
    rake_cap: Annotated[int | None, option("Most chips of rake.")] = None
    betting: Annotated[str | None, option("no-limit, pot-limit or fixed-limit.")] = None
    deck: Annotated[str | None, option("full or short.")] = None
    big_blind: Annotated[int | None, option("Chips: what bb means.")] = None

    def spot(
        self, file: Path | None, board: str | None = None, origin: Imported | None = None
    ) -> Spot:
        """Return the spot of these options.

        Parameters
        ----------
        file
            Has what they leave open.
        board
            One of a set, in place of their own.
        origin
            Without a file, has what they leave open: the strategy's line leads to the spot.
        """
        given = {name: value for name, value in asdict(self).items() if value is not None}
        if board is not None:
            given["board"] = board
        if "stack" in given:
            given["stack"] = _stack(given["stack"])
        if "rake" in given:
            given["rake_percent"] = given.pop("rake")
        if file is not None:
            return Spot.read(file).changed(given)
        missing = [name for name in _NEEDED if name not in given]
        if origin is not None and missing and "board" in given:
            menu = given.get("menu", "")
            found = Spot.from_blueprint(origin.blueprint, origin.line, given["board"], menu)
            return found.changed(given)
        if missing:
            names = ", ".join(f"--{name}" for name in missing)
            raise SpotError(f"a spot needs {names} as well, or a --file that has them")
        return Spot(**given)


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """How it is solved; each field is an option."""

    target: Annotated[str, option("End when exploitable by this part of the pot, per cent.")] = (
        "0.3%"
    )
    seconds: Annotated[float | None, option("Budget of time.")] = None
    iterations: Annotated[int | None, option("Budget of iterations.")] = None
    threads: Annotated[int, option("0 = one for each core.")] = 0
    bits: Annotated[int, option("Of tables and file: 32, or 16 in half the room.")] = 32
    schedule: Annotated[str, option(f"Discounts of old regrets: {', '.join(SCHEDULES)}.")] = "ramp"
    device: Annotated[str, option("cpu, gpu, or auto: a graphics card where it is sooner.")] = "cpu"
    lock: Annotated[
        list[str] | None,
        option("'LINE: HANDS = SHARES' such as 'b10: KK = f 25 c 75', or a file."),
    ] = None

    def settings(self, **more: Any) -> SolveSettings:
        """Return them as settings, with `more`."""
        locks = tuple(str(lock) for text in self.lock or () for lock in _locks(text))
        own = {name: value for name, value in asdict(self).items() if name != "lock"}
        values = {**own, **more, "target": _share(self.target), "locks": locks}
        return checked(SolveSettings, values, "solve")


def boards_of(text: str) -> tuple[str, ...]:
    """Read the boards of a set, or those of a file; `all` flops, or so many that stand for all."""
    if text == "all" or text.isdecimal():
        return few_flops(ALL_FLOPS if text == "all" else int(text))
    path = Path(text)
    if is_file(path):
        return parse_boards(read_text(path, f"the boards {text!r}", SpotError))
    if set(text) & set("./\\"):
        raise SpotError(f"there is no file {text!r} of boards")
    return parse_boards(text)


def strategy_against(
    text: str, progress: Callable[[int, int], None] | None = None
) -> Solution | Imported:
    """Open what is played against: a solution, or a strategy with the line to the spot.

    Parameters
    ----------
    text
        `file.solution`, `default b25c` or `mine.blueprint b25c/kk`.
    progress
        Called with the boards on which a strategy's rows are found, and all there are.
    """
    path = Path(text)
    if text.endswith(".solution") or (is_file(path) and is_solution(path)):
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
    """The hand-strength tables; a single river is not worth building them."""
    return built_strength() if line.count("/") > 1 else open_hand_strength()


def _stack(text: str) -> int | tuple[int, ...]:
    """Read a stack, or each player's.

    Examples
    --------
    >>> _stack("975"), _stack("975, 1200")
    (975, (975, 1200))
    """
    try:
        stacks = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise SpotError(f"--stack is chips, 975 or 975,1200, not {text!r}") from None
    return stacks[0] if len(stacks) == 1 else stacks


def _share(text: str) -> float:
    """Read per cent.

    Examples
    --------
    >>> _share("0.5%"), _share("0.5")
    (0.005, 0.005)
    """
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise SpotError(f"--target is per cent of the pot, such as 0.3%, not {text!r}") from None


def _locks(text: str) -> tuple[Lock, ...]:
    """Read a lock, or those of a file."""
    path = Path(text)
    if is_file(path):
        return parse_locks(read_text(path, f"the locks {text!r}", SpotError))
    if ":" not in text:
        raise SpotError(f"--lock is LINE: HANDS = SHARES or a file of such lines, not {text!r}")
    return (Lock.parse(text),)
