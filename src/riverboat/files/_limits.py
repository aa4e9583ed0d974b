"""Limits for untrusted text, which are checked before it is parsed.

Time and memory of parsers can grow with the square of the length of a key or the depth of brackets,
and some parsers fail with unusual errors. So every text is checked first, in one pass: excessive
numbers, keys or nesting are refused with an error message.

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

#: Maximum number of characters of typed text: a bet menu, a bot, a line.
LONGEST_LINE: Final = 20_000

#: Maximum number of characters of a file that a person writes: a recipe, a game, a hand history.
LONGEST_TEXT: Final = 250_000

#: Maximum depth of nested brackets, and number of parts of a dotted key.
MOST_DEPTH: Final = 16

#: Maximum number of digits of a number.
MOST_DIGITS: Final = 100

#: The header of a combined strategy contains the headers of its parts.
_JSON_DEPTH: Final = 200

# Strings and comments of TOML, strings of JSON. A string without an end extends to the end of the
# text, as for a parser. Possessive quantifiers make matching linear. The patterns are compiled on
# first use, to keep the import fast.
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
    """Return a value if it is text and not too long.

    Parameters
    ----------
    text
        Any value.
    what
        What the value is called in error messages, such as `a bet menu`.
    error
        Class of the error if the value is not text, or too long.
    most
        Maximum number of characters.

    Examples
    --------
    >>> bounded("min, a", "a bet menu", RiverboatError)
    'min, a'
    >>> bounded("9" * 30_000, "a bet menu", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: a bet menu has 30,000 characters: at most 20,000 are allowed
    """
    if not isinstance(text, str):
        raise error(f"{what} must be text, not {type(text).__name__}")
    if len(text) > most:
        raise error(f"{what} has {len(text):,} characters: at most {most:,} are allowed")
    return text


def is_file(path: Path) -> bool:
    """Whether a file exists; false also for an impossible file name.

    Examples
    --------
    >>> from pathlib import Path
    >>> is_file(Path("a" * 5000)), is_file(Path("a" + chr(0)))
    (False, False)
    """
    try:
        return path.is_file()
    except (OSError, ValueError):  # the name is too long, or contains NUL
        return False


def read_text(path: Path, what: str, error: type[RiverboatError], most: int = LONGEST_TEXT) -> str:
    """Read a file of UTF-8 text with at most `most` bytes.

    Examples
    --------
    >>> from pathlib import Path
    >>> read_text(Path("nowhere.toml"), "the recipe", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the recipe cannot be read: No such file or directory
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)  # a pipe has no size that could be checked before
        if len(data) > most:
            raise error(f"{what} has more than {most:,} bytes, the maximum")
        return data.decode("utf-8-sig")
    except OSError as failure:
        raise error(f"{what} cannot be read: {failure.strerror or failure}") from failure
    except UnicodeDecodeError as failure:
        raise error(f"{what} is not UTF-8 text: byte {failure.start:,} is wrong") from failure


def toml_table(
    text: str,
    what: str,
    error: type[RiverboatError],
    parse_float: Callable[[str], Any] = float,
) -> dict[str, Any]:
    """Parse untrusted TOML.

    Examples
    --------
    >>> toml_table("x = " + "[" * 100, "the recipe", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the recipe has more than 16 nested brackets
    """
    bare = re.sub(_TOML_TEXTS, '"', bounded(text, what, error, LONGEST_TEXT))
    if re.search(_DOTTED, bare):
        raise error(f"{what} has a key of more than {MOST_DEPTH} parts")
    if re.search(_NUMBER, bare):
        raise error(f"{what} has a number of more than {MOST_DIGITS} digits")
    _check_depth(bare, what, error, MOST_DEPTH)
    import tomllib  # noqa: PLC0415 - slow to import

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
    """Parse untrusted JSON; NaN and infinities, which JSON does not have, become text.

    Examples
    --------
    >>> json_value('{"cards": "AhKd"}', "the line", RiverboatError)
    {'cards': 'AhKd'}
    >>> json_value("[" * 5000, "the line", RiverboatError)
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: the line has more than 200 nested brackets
    """
    check_json(text, what, error, most)
    import json  # noqa: PLC0415 - slow to import

    try:
        return json.loads(text, parse_float=parse_float, parse_constant=str)
    except (ValueError, ArithmeticError, RecursionError) as failure:
        raise error(f"{what} is not JSON: {failure}") from failure


class JsonLines(list[Any]):
    """The values of a file with one JSON value per line."""

    torn: int = 0
    """Number of lines that could not be read, for example after a crash or on a full disk."""


def json_lines(path: Path, is_line: Callable[[Any], bool]) -> JsonLines:
    r"""Read a log with one JSON value per line; count lines that are incomplete or of other kinds.

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
    """Refuse brackets that are nested too deep, in a text without strings."""
    steps = (1 if sign in "[{" else -1 for sign in re.findall(r"[\[\]{}]", bare))
    if max(accumulate(steps), default=0) > most:
        raise error(f"{what} has more than {most} nested brackets")
