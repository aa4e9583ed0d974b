"""From a template and results to the sections of a report.

A template is Markdown with Jinja2: `## ` begins a section; paragraphs, tables under a bold caption
(the rule below their head may be missing), `![caption](file)` and `compare(...)` are its parts.
Sentences live here and nowhere else. Numbers, estimates and nothing are written by `cell`; other
forms by filters, which can be called as functions, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from riverboat.errors import RiverboatError
from riverboat.report import _words
from riverboat.report._report import Compared, Comparison, Part, Picture, Section, Table, Text
from riverboat.report._words import cell, listed
from riverboat.statistics import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from jinja2 import Environment, Template


def judge(found: Estimate | int, yes: str, no: str, open: str) -> str:  # noqa: A002 - its word
    """Choose what is said by where an interval lies: above zero, below, or around it.

    Examples
    --------
    >>> judge(Estimate.with_margin(5.0, 2.0), yes="won", no="lost", open="not decided")
    'won'
    >>> [judge(sign, "won", "lost", "not decided") for sign in (1, -1, 0)]
    ['won', 'lost', 'not decided']
    """
    sign = found.sign if isinstance(found, Estimate) else found
    return {1: yes, -1: no, 0: open}[sign]


@dataclass(frozen=True, slots=True)
class Tally:
    """Names, or places, of what was won, lost and left open."""

    won: tuple[object, ...]
    lost: tuple[object, ...]
    open: tuple[object, ...]

    @property
    def all(self) -> int:
        """1 or -1 if all of them, at least one, were won or lost; else 0."""
        if self.open or bool(self.won) == bool(self.lost):
            return 0
        return 1 if self.won else -1


def tally(found: Mapping[str, Estimate] | Iterable[Estimate]) -> Tally:
    """Count on which side of zero estimates lie.

    Examples
    --------
    >>> tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    Tally(won=('fish',), lost=(), open=('shark',))
    """
    named = found.items() if isinstance(found, Mapping) else enumerate(found)
    signs = [(name, estimate.sign) for name, estimate in named]
    won, lost, undecided = (
        tuple(name for name, sign in signs if sign == wanted) for wanted in (1, -1, 0)
    )
    return Tally(won, lost, undecided)


def told(  # noqa: PLR0913 - three outcomes, and how their names are written
    found: Tally,
    won: str,
    lost: str,
    open: str,  # noqa: A002 - its word
    *,
    apart: str = "; ",
    quote: str = "",
) -> str:
    """Say after these words what was won, lost and left open; what is empty is not spoken of.

    Examples
    --------
    >>> found = tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    >>> told(found, "beats", "loses to", "is not told apart from")
    'beats fish; is not told apart from shark'
    """
    pairs = ((won, found.won), (lost, found.lost), (open, found.open))
    texts = [(words, [f"{quote}{name}{quote}" for name in names]) for words, names in pairs]
    return apart.join(f"{words} {listed(names)}" for words, names in texts if names)


_BAR = re.compile(r"(?<!\\)\|")
_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)", re.DOTALL)
_CAPTION = re.compile(r"\*\*(.+)\*\*", re.DOTALL)
_MARK = re.compile(r"\x00(\d+)\x00")


def fill_template(template: str, **values: object) -> tuple[Section, ...]:
    r"""Render a template and split what comes out into sections.

    Parameters
    ----------
    template
        The text of a `report.md.j2`.
    values
        What it may speak of. A name that is not there is an error, not an empty text.

    Examples
    --------
    >>> text = "## Speed\n\n{{ n }} hands in {{ seconds | duration }}."
    >>> fill_template(text, n=2_000, seconds=90)
    (Section(title='Speed', parts=(Text(text='2,000 hands in 1 min 30 s.'),)),)
    """
    made: list[Part] = []

    def compare(caption: str, rows: Iterable[Compared]) -> str:
        return _marked(made, Comparison(caption, tuple(rows)))

    return _split_sections(_compiled(template).render(values, compare=compare), made)


def new_environment(**settings: Any) -> Environment:
    """Make what reads templates: a name that is not there is an error, and tags leave no lines."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to import

    return Environment(  # noqa: S701 - who calls it says what is escaped
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, **settings
    )


@lru_cache(maxsize=16)
def _compiled(template: str) -> Template:
    """Read a template, once: that takes longer than filling it."""
    # Markdown is not escaped; pages are when they are written.
    environment = new_environment(autoescape=False, finalize=cell)
    environment.filters |= _WORDS
    environment.globals |= _WORDS | {"judge": judge, "tally": tally, "told": told}
    environment.globals |= {"figure": _figure_text, "row": _compared, "table": _table_text}
    return environment.from_string(template)


def _fixed(value: float, digits: int = 0) -> str:
    """Write a number with so many digits after the point."""
    return f"{value:,.{digits}f}"


def _signed(found: Estimate | float) -> str:
    """Write a gain or a loss."""
    return found.text("+") if isinstance(found, Estimate) else f"{found:+,.3g}"


def _or_nothing(write: Callable[..., str]) -> Callable[..., str]:
    """Write nothing where there is nothing."""
    return lambda value, *how, **more: "" if value is None else write(value, *how, **more)


_PLAIN = ("duration", "number", "percent", "proportion", "share", "short", "size")
_WRITERS: dict[str, Callable[..., str]] = {name: getattr(_words, name) for name in _PLAIN}
_WRITERS |= {"fixed": _fixed, "pm": Estimate.text, "signed": _signed}
_WORDS: dict[str, Any] = {name: _or_nothing(write) for name, write in _WRITERS.items()}
_WORDS["listed"] = listed


def _marked(made: list[Part], part: Part) -> str:
    """Keep a part, and return what stands for it in the text."""
    made.append(part)
    return f"\n\n\0{len(made) - 1}\0\n\n"


def _figure_text(file: str, caption: str) -> str:
    return f"\n\n![{caption}]({file})\n\n"


def _table_text(caption: str, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    texts = [[cell(each).replace("|", r"\|") for each in line] for line in (columns, *rows)]
    lines = [f"|{'|'.join(line)}|" for line in texts]
    return "\n\n".join(["", f"**{caption}**", "\n".join(lines), ""])


def _compared(
    what: str,
    ours: Estimate | float | None,
    published: Any = None,
    note: str | None = None,
    **more: Any,
) -> Compared:
    """Put ours beside a published figure, which has a `value` and a `where`, or is a number."""
    more["note"] = _plain(getattr(published, "where", "") if note is None else note)
    if isinstance(ours, Estimate):
        more["margin"] = ours.margin if ours.known else -1.0  # JSON has no infinity
        ours = ours.mean
    return Compared(what, getattr(published, "value", published), ours, **more)


def _split_sections(text: str, made: Sequence[Part] = ()) -> tuple[Section, ...]:
    """Split rendered Markdown into sections of parts; `made` are those that have a mark in it."""
    head, *pieces = re.split(r"^## +", text, flags=re.MULTILINE)
    if head.strip():
        raise RiverboatError(
            f"a report begins with a heading (## ...), not with {head.strip()[:40]!r}"
        )
    sections = (piece.partition("\n") for piece in pieces)
    return tuple(Section(_plain(title), tuple(_parts(body, made))) for title, _, body in sections)


def _parts(body: str, made: Sequence[Part]) -> Iterator[Part]:
    caption = ""
    for block in _blocks(body):
        if block.startswith("|"):
            yield _table(caption, block)
            caption = ""
        elif found := _CAPTION.fullmatch(block):
            caption = _plain(found[1])
        elif found := _PICTURE.fullmatch(block):
            yield Picture(found[2], _plain(found[1]))
        elif found := _MARK.fullmatch(block):
            yield made[int(found[1])]
        else:
            yield Text(_plain(block))


def _blocks(body: str) -> Iterator[str]:
    """Split at blank lines, and where the lines of a table begin and end."""
    lines: list[str] = []
    for line in [*(each.strip() for each in body.splitlines()), ""]:
        if lines and (not line or line.startswith("|") != lines[0].startswith("|")):
            yield "\n".join(lines)
            lines = []
        if line:
            lines.append(line)


def _table(caption: str, block: str) -> Table:
    lines = [tuple(map(_plain, _BAR.split(line)[1:-1])) for line in block.splitlines()]
    columns, *rows = (line for line in lines if not _is_rule(line))
    for row in rows:
        if len(row) != len(columns):
            raise RiverboatError(
                f"a row of {caption!r} has {len(row)} cells, not {len(columns)}: {row}"
            )
    return Table(caption, columns, tuple(rows))


def _is_rule(row: tuple[str, ...]) -> bool:
    """Whether this is the line between head and body."""
    return all(re.fullmatch(":?---+:?", text) for text in row)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace(r"\|", "|")
