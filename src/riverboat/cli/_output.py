"""How commands print: rich text for people, one JSON object for programs."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from riverboat import __version__
from riverboat.cards import card_symbol, card_text
from riverboat.errors import RiverboatError, harmless

if TYPE_CHECKING:
    from riverboat.statistics import Estimate


class _TextConsole(Console):
    """Escapes control characters: an untrusted file may contain commands for the terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else harmless(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)


# No markup: a path or a range may hold square brackets or colons.
console = _TextConsole(highlight=False, markup=False, emoji=False)
#: Progress and notes go to the error stream, so that results can be piped.
status = _TextConsole(highlight=False, markup=False, emoji=False, stderr=True)

#: The shells' exit code of a command that Ctrl-C ended.
STOPPED: Final = 130
_USUAL_WIDTH: Final = 80
#: A four-colour deck; spades have the colour of the text.
_SUIT_STYLES: Final = ("bold green3", "bold dodger_blue1", "bold red1", "bold")
_ASCII: Final = box.Box(str(box.SIMPLE).replace("─", "-"), ascii=True)


def print_json(values: Mapping[str, Any]) -> None:
    """Print a result as one JSON object, with the version that computed it."""
    print(json.dumps({**values, "version": __version__}))


def check_place(path: Path, what: str = "", kinds: Iterable[str] = ()) -> None:
    """Refuse a path that cannot be written; no folder is created.

    Raises
    ------
    RiverboatError
        If the folder does not exist, the path is a folder, or its suffix is not one of `kinds`,
        the file types of `what`.
    """
    if what and path.suffix.lower() not in kinds:
        raise RiverboatError(f"{what} written as {', '.join(kinds)}, not {path.name!r}")
    if not path.parent.is_dir():
        raise RiverboatError(f"{str(path)!r} cannot be written: its folder does not exist")
    if path.is_dir():
        raise RiverboatError(f"{str(path)!r} cannot be written: it is a folder")


def _write_output(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file after the result was printed, and report it; a failure becomes a sentence."""
    try:
        write(path)
    except (RiverboatError, OSError) as error:
        raise RiverboatError(
            f"the result is complete, but {str(path)!r} could not be written: {error}"
        ) from error
    status.print(f"Wrote {path}.", soft_wrap=True)


class Shown(Protocol):
    """A result of a command: `__rich__` or `__rich_console__` shows it."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        ...


class Answer:
    """A result: values for programs, and text and tables for people.

    Parameters
    ----------
    values
        `--json` prints them.
    *parts
        Printed otherwise; strings are wrapped, `Text` is not.
    exit_code
        Of the command.
    files
        Paths, or None, and the function that writes each of them after the result is printed.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        *parts: RenderableType,
        exit_code: int = 0,
        files: Iterable[tuple[Path | None, Callable[[Path], object]]] = (),
    ) -> None:
        self.values, self.parts, self.exit_code, self.files = values, parts, exit_code, files

    def as_dict(self) -> dict[str, Any]:
        """Return the values."""
        return dict(self.values)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.parts


def present(result: Shown, as_json: bool) -> None:
    """Print a result as text or JSON, write its files, and exit if its `exit_code` is not 0."""
    if as_json:
        print_json(result.as_dict())
    else:
        for part in result.parts if isinstance(result, Answer) else (result,):
            console.print(part, soft_wrap=isinstance(part, Text), crop=False)
    for path, write in getattr(result, "files", ()):
        if path is not None:
            _write_output(path, write)
    if code := getattr(result, "exit_code", 0):
        sys.exit(code)


def with_margin(value: "Estimate") -> str:
    """Write a gain or loss and its margin; `+-` stands for ± in terminals that cannot show it.

    Examples
    --------
    >>> from riverboat.statistics import Estimate
    >>> with_margin(Estimate(-3.25, 0.5, 1000)) in ("-3.25 ± 0.98", "-3.25 +- 0.98")
    True
    """
    text = value.text("+")
    return text if console.encoding.startswith("utf") else text.replace("±", "+-")


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]] = (), left: int = 1) -> Table:
    """Lay out a table of numbers; the first `left` columns hold text.

    Terminals with fewer than 80 columns get narrower gaps. A terminal that cannot show an ellipsis
    gets the rest of a long cell on the next line.
    """
    unicode = console.encoding.startswith("utf")
    padding = (0, 1 if console.width >= _USUAL_WIDTH else 0)
    table = Table(box=box.SIMPLE if unicode else _ASCII, pad_edge=False, padding=padding)
    for index, column in enumerate(columns):
        justify: Literal["left", "right"] = "left" if index < left else "right"
        table.add_column(column, justify=justify, overflow="ellipsis" if unicode else "fold")
    for row in rows:
        table.add_row(*row)
    return table


def in_lines(parts: Iterable[Text], gap: str) -> Text:
    """Join parts with a gap; a part that does not fit on the line begins the next one.

    Examples
    --------
    >>> in_lines([Text("f fold"), Text("c call 5")], "   ").plain
    'f fold   c call 5'
    """
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= console.width:
            lines[-1].append(gap).append(part)
        else:
            lines.append(part.copy())
    return Text("\n").join(lines)


def card_painted(card: int) -> Text:
    """Draw a card, `??` for an unknown one."""
    if card < 0:
        return Text("??", "dim")
    # Letters stand for suits in a terminal that cannot show them.
    shown = card_symbol(card) if console.encoding.startswith("utf") else card_text(card)
    return Text(shown, _SUIT_STYLES[card % 4])


def cards_painted(cards: Iterable[int]) -> Text:
    """Draw cards, `??` for unknown ones.

    Examples
    --------
    >>> cards_painted([50, -1]).plain in ("A♥ ??", "Ah ??")
    True
    """
    return Text(" ").join(card_painted(card) for card in cards)


def hole_painted(hole: Iterable[int]) -> Text:
    """Draw hole cards, the highest rank first.

    Examples
    --------
    >>> hole_painted([18, 50]).plain in ("A♥ 6♥", "Ah 6h")
    True
    """
    return cards_painted(sorted(hole, reverse=True))


def hint(*words: object) -> str:
    """Write a command of Riverboat, with `uv run` before it if the user runs it so.

    Examples
    --------
    >>> hint("show", "my bot.blueprint").removeprefix("uv run ")
    "riverboat show 'my bot.blueprint'"
    """
    start = ("uv", "run", "riverboat") if _within_uv() else ("riverboat",)
    return shlex.join([*start, *map(str, words)])


@cache
def _within_uv() -> bool:
    """Whether `uv run` started this in a checkout: then `riverboat` is not on the PATH."""
    return "UV_RUN_RECURSION_DEPTH" in os.environ and any(
        (folder / "src" / "riverboat").is_dir() and (folder / "pyproject.toml").is_file()
        for folder in (Path.cwd(), *Path.cwd().parents)
    )
