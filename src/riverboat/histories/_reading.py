"""Reading and writing files of hands: format, boundaries of hands, errors."""
# ruff: noqa: A002 - `format` is the word that callers expect

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError, OtherGameError, RiverboatError
from riverboat.files import LONGEST_TEXT, atomic_path, bounded
from riverboat.histories import _acpc as acpc
from riverboat.histories import _lines as lines
from riverboat.histories import _ohh as ohh
from riverboat.histories import _phh as phh
from riverboat.histories import _pokerstars as pokerstars
from riverboat.histories import sites
from riverboat.histories._record import HandRecord, in_order
from riverboat.report import Columns, Framed, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riverboat.game import GameSpec

_MODULES: dict[str, Any] = {
    "phh": phh,
    "pokerstars": pokerstars,
    "ohh": ohh,
    "acpc": acpc,
    "lines": lines,
}
#: The formats that are read and written.
FORMATS = tuple(_MODULES)
#: The formats of poker sites, which are read.
SITES = sites.SITES
_ANY_SITE = "sites"

_EXTENSIONS = {".phh": "phh", ".phhs": "phh", ".ohh": "ohh", ".acpc": "acpc", ".jsonl": "lines"}
# Formats to write by extension; when read, .txt and .log files may have any format.
_TO_WRITE = {**_EXTENSIONS, ".txt": "pokerstars", ".log": "acpc"}
_OPENINGS = {
    "lines": re.compile(r'\s*\{\s*"game"\s*:'),
    "ohh": re.compile(r"\s*\{"),
    "acpc": re.compile(r"(?:\s*+[#;].*+\n)*+\s*+(STATE|MATCHSTATE|SCORE):"),
    "phh": re.compile(r"(?:\s*+#.*+\n)*+\s*+(\[\s*+[0-9]++\s*+\]|[A-Za-z_]++\s*+=)"),
}
_HEAD = 80
_MOST_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Refused:
    """A hand that was not read: its first line number, the reason, and its first line.

    `game` names the game of a hand that is not hold'em, and is empty otherwise.
    """

    line: int
    reason: str
    text_head: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class ReadResult(Framed):
    """The hands that are good, and those that were refused."""

    hands: tuple[HandRecord, ...]
    refused: tuple[Refused, ...]
    format: str

    @property
    def other_games(self) -> dict[str, int]:
        """The number of hands of each game that is not read, such as Omaha."""
        return dict(Counter(hand.game for hand in self.refused if hand.game))

    def frame_columns(self) -> Columns:
        """Return a row for each good hand."""
        return columns_of([hand.as_row() for hand in self.hands])


def check_format(name: str) -> str:
    """Return the format's name, or raise a sentence with those that exist."""
    if not isinstance(name, str) or name not in _MODULES:
        raise HistoryError(f"the format must be one of {', '.join(FORMATS)}, not {name!r}")
    return name


def check_read_format(name: str) -> str:
    """Return the name of a format that can be read, or raise a sentence with those that can."""
    if isinstance(name, str) and name in SITES:
        return name
    if isinstance(name, str) and name in _MODULES:
        return name
    names = ", ".join(dict.fromkeys((*FORMATS, *SITES)))
    raise HistoryError(f"the format must be one of {names}, not {name!r}")


def guess_format(text: str, suffix: str = "") -> str | None:
    """Return the format by the file's extension or the beginning of the text."""
    by_name = _EXTENSIONS.get(suffix.lower())
    if by_name is not None:
        return by_name
    found = next((name for name, opening in _OPENINGS.items() if opening.match(text)), None)
    if found is None and sites.holds_hands(text):
        return _ANY_SITE
    return found


def _load(source: str | Path) -> tuple[str, str]:
    """Return the text and the extension of the file it came from."""
    if not isinstance(source, str | os.PathLike):
        raise HistoryError(f"the source must be a path or text, not {type(source).__name__}")
    if isinstance(source, str) and ("\n" in source or source.startswith(("STATE:", "{"))):
        return source, ""
    path = Path(source)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HistoryError(f"{str(source)[:200]!r} cannot be read: {reason}") from error
    if len(data) > _MOST_BYTES:
        raise HistoryError(
            f"{str(source)[:200]!r} cannot be read: it has more than {_MOST_BYTES:,} bytes; "
            "split it"
        )
    return decode(data), path.suffix


def decode(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or the encoding of old Windows files."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")  # a file that is being written may end anywhere
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def read(
    source: str | Path, format: str | None = None, game: GameSpec | str | None = None
) -> ReadResult:
    """Read all hands of a file or text.

    Invalid hands do not stop the reading: the result lists them with line number and reason.

    Parameters
    ----------
    source
        A path, or text with at least one line break.
    format
        `phh`, `pokerstars`, `ohh`, `acpc` or `lines`; by default determined by the extension or the
        beginning of the text.
    game
        The game of ACPC lines, which do not contain it: a spec, a catalogue name or the text of a
        game definition.

    Raises
    ------
    RiverboatError
        If the file cannot be read, or there is no such format or game.

    Examples
    --------
    >>> text = '''variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ["d dh p1 7c2d", "d dh p2 AhKh", "p2 cbr 6", "p1 f"]
    ... '''
    >>> result = read(text)
    >>> len(result.hands), result.refused, result.hands[0].line
    (1, (), 'b6f')
    """
    text, suffix = _load(source)
    return read_text(text, suffix, format, game)


def read_text(
    text: str, suffix: str = "", format: str | None = None, game: GameSpec | str | None = None
) -> ReadResult:
    """Read all hands of a text from a file with this extension."""
    game = acpc.checked_game(game)
    text = text.removeprefix("\ufeff").replace("\r\r\n", "\n").replace("\0", "")
    name = check_read_format(format) if format is not None else guess_format(text, suffix)
    if name is None:
        if not text.strip():
            return ReadResult((), (), "")
        names = ", ".join(dict.fromkeys((*FORMATS, *SITES)))
        refused = Refused(1, f"the text has none of the formats {names}", _head(text))
        return ReadResult((), (refused,), "")
    if name == _ANY_SITE or name in SITES:
        return _read_sites(text, None if name == _ANY_SITE else name)
    options = {"game": game} if name == "acpc" else {}
    text_lines = re.split(r"\r\n|\n|\r", text)
    hands, bad = list[HandRecord](), list[Refused]()
    for line, chunk in _MODULES[name].split(text_lines):
        if not chunk.strip():
            continue
        try:
            hands.append(_one(chunk, name, **options))
        except RiverboatError as error:
            bad.append(_refused(line, chunk, error))
    return ReadResult(tuple(hands), tuple(bad), name)


def _read_sites(text: str, site: str | None) -> ReadResult:
    """Read the hands of one site or of all."""
    hands, bad, names = list[HandRecord](), list[Refused](), dict[str, None]()
    for part in sites.parts_of(text, site):
        if not part.text.strip() or (part.grammar is None and _is_noise(part.text)):
            continue
        try:
            bounded(part.text, "a hand", HistoryError, LONGEST_TEXT)
            hands.append(sites.read_part(part))
        except RiverboatError as error:
            bad.append(_refused(part.line, part.text, error))
        if part.grammar is not None:
            names[part.grammar.name] = None
    return ReadResult(tuple(hands), tuple(bad), "+".join(names) or site or "")


_NOISE = re.compile(r"\s*(?:#?Game (?:No|#).*|[*#=-]+.*|\s*)\s*")


def _is_noise(text: str) -> bool:
    """Whether every line is one that sites write between hands."""
    return all(_NOISE.fullmatch(line) for line in text.splitlines()[:20])


def _refused(line: int, text: str, error: RiverboatError) -> Refused:
    """Return a hand that was not read, with the reason."""
    game = error.game if isinstance(error, OtherGameError) else ""
    return Refused(line, str(error), _head(text), game)


def _head(text: str) -> str:
    """Return the first line that is not blank, shortened."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:_HEAD]


def _check_record(record: HandRecord) -> HandRecord:
    if not isinstance(record, HandRecord):
        raise HistoryError(f"expected a HandRecord to write, not {type(record).__name__}")
    return record


def to_text(record: HandRecord, format: str) -> str:
    """Write one hand in a format; raise `HistoryError` if the format cannot represent it.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("kuhn"), cards=["Ks", "Js"])
    >>> hand.play("b1f")
    >>> from_text(to_text(record_of(hand), "lines"), "lines").line
    'b1f'
    """
    text = _MODULES[check_format(format)].to_text(_check_record(record))
    assert isinstance(text, str)  # noqa: S101 - for the type checker
    return text


def from_text(text: str, format: str, game: GameSpec | str | None = None) -> HandRecord:
    """Read one hand; raise `RiverboatError` if it is invalid.

    Examples
    --------
    >>> hand = '{"game":"kuhn","stacks":[2,2],"cards":"KsJs","line":"b1f"}'
    >>> from_text(hand, "lines").payoffs()
    (1, -1)
    """
    if not isinstance(text, str):
        raise HistoryError(f"expected the text of a hand, not {type(text).__name__}")
    game = acpc.checked_game(game)
    options = {"game": game} if check_read_format(format) == "acpc" else {}
    return _one(text, format, **options)


def _one(text: str, name: str, **options: Any) -> HandRecord:
    """Read one hand, up to a maximum length."""
    bounded(text, "a hand", HistoryError, LONGEST_TEXT)
    if name in SITES:
        return sites.read_hand(sites.grammar_of(name), text)
    record: HandRecord = _MODULES[name].from_text(text, **options)
    return record


def format_of_path(path: Path, named: str | None = None) -> str:
    """Return the format to write: the given one, or that of the extension.

    Examples
    --------
    >>> format_of_path(Path("hands.phhs")), format_of_path(Path("hands.phhs"), "acpc")
    ('phh', 'acpc')
    """
    name = named if named is not None else _TO_WRITE.get(path.suffix.lower())
    if name is None:
        raise HistoryError(
            f"no format has the extension {path.suffix!r}; give one of {', '.join(FORMATS)}"
        )
    return check_format(name)


def write(records: Iterable[HandRecord], path: str | Path, format: str | None = None) -> None:
    """Write hands to a file, which does not change if one of them cannot be written.

    Parameters
    ----------
    records
        The hands; an iterator needs less memory than a list.
    path
        The file, in an existing folder. Its extension determines the default format. A `.phh` file
        holds one hand.
    format
        `phh`, `pokerstars`, `ohh`, `acpc` or `lines`.
    """
    if not isinstance(path, str | os.PathLike):
        raise HistoryError(f"expected a path to write to, not {type(path).__name__}")
    target = Path(path)
    hands = map(_check_record, in_order(records, "the hands"))
    name = format_of_path(target, format)
    if name == "phh" and target.suffix.lower() == ".phh":
        [*alone] = hands
        if len(alone) != 1:
            raise HistoryError(f"a .phh file holds one hand, not {len(alone)}; .phhs holds many")
        parts = map(phh.to_text, alone)
    else:
        parts = _MODULES[name].file_parts(hands)
    if not target.parent.is_dir():
        raise HistoryError(f"{str(path)!r} cannot be written: its folder does not exist")
    try:
        with (
            atomic_path(target) as temporary,
            temporary.open("w", encoding="utf-8", newline="") as file,
        ):
            file.writelines(parts)
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be written: {error.strerror}") from error
