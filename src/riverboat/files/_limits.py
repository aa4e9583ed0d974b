"""Texts of strangers: how long and how deep they may be, before anything parses them.

Parsers take time and memory that grow with the square of a long key or the depth of brackets;
some give up with errors of their own kind. So every text is measured first, in one pass, and a
number, a name or a nesting that nobody needs is refused with a sentence.

>>> toml_table("game = 'leduc'", "the recipe", RiverboatError)
{'game': 'leduc'}
>>> toml_table("a" + ".a" * 20_000 + " = 1", "the recipe", RiverboatError)
Traceback (most recent call last):
riverboat.errors.RiverboatError: the recipe has a key of more than 16 parts
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from riverboat.errors import RiverboatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: Characters of what a person types: a menu, a bot, a line of play.
LONGEST_LINE: Final = 20_000

#: Characters of a file that a person writes: a recipe, a game, one hand.
LONGEST_TEXT: Final = 250_000

#: Brackets within brackets, and parts of a dotted key.
MOST_DEPTH: Final = 16

#: Digits of a number.
MOST_DIGITS: Final = 100

#: Headers hold those of the strategies that they were made from, one in the other.
_JSON_DEPTH: Final = 200

# Strings and comments of TOML, strings of JSON. One that does not end takes the rest, as it does
# for a parser; nothing is read twice, so that measuring is linear. Compiled when first used: an
# import need not wait for that.
_TOML_TEXTS: Final = (
    r'(?s)"""(?:[^"\\]|\\.|"(?!""))*+(?:""""{0,2})?'
    r"|'''(?:[^']|'(?!''))*+(?:''''{0,2})?"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
)
_JSON_TEXTS: Final = r'(?s)"(?:[^"\\]|\\.)*+"?'
_PART: Final = r'(?:[\w-]++|"++)'
_DOTTED: Final = rf'(?<![\w"-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_DEPTH}}}'
_NUMBER: Final = rf"(?<![0-9a-fA-F_])[0-9a-fA-F_]{{{MOST_DIGITS + 1}}}"


def bounded(text: object, what: str, error: type[RiverboatError], most: int = LONGEST_LINE) -> str:
    """Return a text that is one and not too long.

    Parameters
    ----------
    text
        Whatever was given.
    what
        It in words, for the sentence: `a bet menu`.
    error
        Raised where it is no text, or too long.
    most
        Characters that it may have.

    Examples
    --------
    >>> bounded("min, a", "a bet menu", RiverboatError)
    'min, a'
    >>> bounded("9" * 30_000, "a bet menu", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: a bet menu has 30,000 characters: at most 20,000 are read
    """
    if not isinstance(text, str):
        raise error(f"{what} is text, not {type(text).__name__}")
    if len(text) > most:
        raise error(f"{what} has {len(text):,} characters: at most {most:,} are read")
    return text


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none either.

    Examples
    --------
    >>> from pathlib import Path
    >>> is_file(Path("a" * 5000)), is_file(Path("a" + chr(0)))
    (False, False)
    """
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a NUL
        return False


def read_text(path: Path, what: str, error: type[RiverboatError], most: int = LONGEST_TEXT) -> str:
    """Read a file of UTF-8 text that may not be longer than so many bytes.

    Examples
    --------
    >>> from pathlib import Path
    >>> read_text(Path("nowhere.toml"), "the recipe", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the recipe cannot be read: No such file or directory
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)  # not its size: a pipe has none
        if len(data) > most:
            raise error(f"{what} has more than {most:,} bytes")
        return data.decode("utf-8-sig")
    except OSError as failure:
        raise error(f"{what} cannot be read: {failure.strerror or failure}") from failure
    except UnicodeDecodeError as failure:
        raise error(f"{what} is not UTF-8 from byte {failure.start:,} on") from failure


def toml_table(
    text: str,
    what: str,
    error: type[RiverboatError],
    parse_float: Callable[[str], Any] = float,
) -> dict[str, Any]:
    """Parse TOML of a stranger.

    Examples
    --------
    >>> toml_table("x = " + "[" * 100, "the recipe", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the recipe has more than 16 brackets one in the other
    """
    bare = re.sub(_TOML_TEXTS, '"', bounded(text, what, error, LONGEST_TEXT))
    if re.search(_DOTTED, bare):
        raise error(f"{what} has a key of more than {MOST_DEPTH} parts")
    if re.search(_NUMBER, bare):
        raise error(f"{what} has a number of more than {MOST_DIGITS} digits")
    _check_depth(bare, what, error, MOST_DEPTH)
    import tomllib  # noqa: PLC0415 - cards need not wait for it

    try:
        return tomllib.loads(text, parse_float=parse_float)
    except (ValueError, ArithmeticError, RecursionError) as failure:
        raise error(f"{what} is not TOML: {failure}") from failure


def json_value(
    text: str,
    what: str,
    error: type[RiverboatError],
    most: int = LONGEST_TEXT,
    parse_float: Callable[[str], Any] | None = None,
) -> Any:
    """Parse JSON of a stranger; what Python alone reads, such as NaN, stays text.

    Examples
    --------
    >>> json_value('{"cards": "AhKd"}', "the line", RiverboatError)
    {'cards': 'AhKd'}
    >>> json_value("[" * 5000, "the line", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the line has more than 200 brackets one in the other
    """
    check_json(text, what, error, most)
    import json  # noqa: PLC0415 - as above

    try:
        return json.loads(text, parse_float=parse_float, parse_constant=str)
    except (ValueError, ArithmeticError, RecursionError) as failure:
        raise error(f"{what} is not JSON: {failure}") from failure


class JsonLines(list[Any]):
    """The values of a file with one of JSON on each line."""

    torn: int = 0
    """Lines that could not be read: a crash or a full disk cut them short."""


def json_lines(path: Path, is_line: Callable[[Any], bool]) -> JsonLines:
    r"""Read a log, a line of JSON each; those that are torn or none are left out and counted.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder) / "log.jsonl"
    ...     _ = log.write_text('{"step": 1}\n{"step": 2')
    ...     lines = json_lines(log, lambda line: "step" in line)
    >>> lines, lines.torn
    ([{'step': 1}], 1)
    """
    lines = JsonLines()
    if not path.exists():
        return lines
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        while text := file.readline(LONGEST_TEXT):
            if text.isspace():
                continue
            try:
                line = json_value(text, "a line", RiverboatError)
            except RiverboatError:
                line = None
            if line is not None and is_line(line):
                lines.append(line)
            else:
                lines.torn += 1
    return lines


def check_json(text: str, what: str, error: type[RiverboatError], most: int = LONGEST_TEXT) -> None:
    """Refuse JSON that is too long or too deep, or has numbers of too many digits.

    Examples
    --------
    >>> check_json("9" * 5000, "the line", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the line has a number of more than 100 digits
    """
    bare = re.sub(_JSON_TEXTS, "", bounded(text, what, error, most))
    _check_depth(bare, what, error, _JSON_DEPTH)
    if re.search(_NUMBER, bare):
        raise error(f"{what} has a number of more than {MOST_DIGITS} digits")


def _check_depth(bare: str, what: str, error: type[RiverboatError], most: int) -> None:
    """Refuse brackets that stand too deep; strings are out of the text already."""
    steps = (1 if sign in "[{" else -1 for sign in re.findall(r"[\[\]{}]", bare))
    if max(accumulate(steps), default=0) > most:
        raise error(f"{what} has more than {most} brackets one in the other")
