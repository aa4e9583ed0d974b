"""Render a template with results into the sections of a report.

A template is Markdown with Jinja2. `## ` begins a section; its parts are paragraphs, tables below a
bold caption (the rule below the header row may be missing), `![caption](file)` and `compare(...)`.
All sentences of a report stand in its template. `cell` writes values such as numbers, estimates
and None; filters, which are also functions, write them in other ways.
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


#: A sample of fewer independent units gives no verdict.
LEAST_UNITS = 8
#: Number of claims at the top of a report.
NUM_CLAIMS = 5


def verdict(result: Estimate) -> int:
    """Return 1 or -1 if the confidence interval lies on one side of 0; 0 if it is inconclusive.

    It is also inconclusive if there are fewer than `LEAST_UNITS` independent units, because the
    interval of so few assumes that the observations are normally distributed.

    Examples
    --------
    >>> verdict(Estimate(5.0, 1.0, 100)), verdict(Estimate(5.0, 1.0, 100).scaled(-1))
    (1, -1)
    >>> verdict(Estimate(5.0, 0.1, 4))
    0
    """
    return 0 if 0 < result.units < LEAST_UNITS else result.sign


def judge(result: Estimate | int, yes: str, no: str, open: str) -> str:  # noqa: A002 - templates' word
    """Choose a text by the verdict: above 0, below 0, or inconclusive.

    Examples
    --------
    >>> judge(Estimate.with_margin(5.0, 2.0), yes="won", no="lost", open="inconclusive")
    'won'
    >>> [judge(sign, "won", "lost", "inconclusive") for sign in (1, -1, 0)]
    ['won', 'lost', 'inconclusive']
    """
    sign = verdict(result) if isinstance(result, Estimate) else result
    return {1: yes, -1: no, 0: open}[sign]


@dataclass(frozen=True, slots=True)
class Tally:
    """Names or indexes of the results that were won, lost and inconclusive."""

    won: tuple[object, ...]
    lost: tuple[object, ...]
    open: tuple[object, ...]

    @property
    def all(self) -> int:
        """1 if all results were won, -1 if all were lost, else 0 (also without results)."""
        if self.open or bool(self.won) == bool(self.lost):
            return 0
        return 1 if self.won else -1


def tally(results: Mapping[str, Estimate] | Iterable[Estimate]) -> Tally:
    """Sort estimates into won, lost and inconclusive ones.

    Examples
    --------
    >>> tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    Tally(won=('fish',), lost=(), open=('shark',))
    """
    named = results.items() if isinstance(results, Mapping) else enumerate(results)
    signs = [(name, verdict(estimate)) for name, estimate in named]
    won, lost, inconclusive = (
        tuple(name for name, sign in signs if sign == outcome) for outcome in (1, -1, 0)
    )
    return Tally(won, lost, inconclusive)


def tally_text(  # noqa: PLR0913 - three outcomes, and how their names are written
    results: Tally,
    won: str,
    lost: str,
    open: str,  # noqa: A002 - templates' word
    *,
    apart: str = "; ",
    quote: str = "",
) -> str:
    """Write a tally: the given words for each outcome, then its names. Templates call it `told`.

    An outcome without names is left out.

    Examples
    --------
    >>> results = tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    >>> tally_text(results, "beats", "loses to", "is not significantly different from")
    'beats fish; is not significantly different from shark'
    """
    pairs = ((won, results.won), (lost, results.lost), (open, results.open))
    texts = [(words, [f"{quote}{name}{quote}" for name in names]) for words, names in pairs]
    return apart.join(f"{words} {listed(names)}" for words, names in texts if names)


_BAR = re.compile(r"(?<!\\)\|")
_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)", re.DOTALL)
_CAPTION = re.compile(r"\*\*(.+)\*\*", re.DOTALL)
_MARK = re.compile(r"\x00(\d+)\x00")


def fill_template(template: str, **values: object) -> tuple[Section, ...]:
    r"""Render a template and split the text into sections.

    Parameters
    ----------
    template
        The text of a `report.md.j2`.
    values
        Values by the names that the template uses. An unknown name in it is an error.

    Examples
    --------
    >>> text = "## Speed\n\n{{ n }} hands in {{ seconds | duration }}."
    >>> fill_template(text, n=2_000, seconds=90)
    (Section(title='Speed', parts=(Text(text='2,000 hands in 1 min 30 s.'),)),)
    """
    comparisons: list[Part] = []

    def compare(caption: str, rows: Iterable[Compared]) -> str:
        return _marked(comparisons, Comparison(caption, tuple(rows)))

    return _split_sections(_compiled(template).render(values, compare=compare), comparisons)


def fill_text(template: str, **values: object) -> str:
    """Render a short template, such as a cell of a table, in one line.

    Examples
    --------
    >>> fill_text("{{ n }} hands in {{ seconds | duration }}", n=2_000, seconds=90)
    '2,000 hands in 1 min 30 s'
    """
    return _plain(_compiled(template).render(values))


def new_environment(**settings: Any) -> Environment:
    """Return a Jinja2 environment: an unknown name is an error, and tags leave no empty lines."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to import

    return Environment(  # noqa: S701 - the caller sets autoescape
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, **settings
    )


@lru_cache(maxsize=256)
def _compiled(template: str) -> Template:
    """Compile a template; cached, because compiling takes longer than rendering."""
    # Markdown is not escaped here; HTML pages escape it when they are written.
    environment = new_environment(autoescape=False, finalize=cell)
    environment.filters |= _WORDS
    environment.globals |= _WORDS | {"judge": judge, "tally": tally, "told": tally_text}
    environment.globals |= {"figure": _figure_text, "row": _compared, "table": _table_text}
    environment.globals["claims"] = _claims_text
    return environment.from_string(template)


def _fixed(value: float, digits: int = 0) -> str:
    """Write a number with a fixed number of decimals."""
    return f"{value:,.{digits}f}"


def _signed(value: Estimate | float) -> str:
    """Write a gain or a loss, with its sign."""
    return value.text("+") if isinstance(value, Estimate) else f"{value:+,.3g}"


def _or_nothing(write: Callable[..., str]) -> Callable[..., str]:
    """Make a writer return an empty text for None."""
    return lambda value, *how, **more: "" if value is None else write(value, *how, **more)


_PLAIN = ("duration", "number", "percent", "proportion", "share", "short", "size")
_WRITERS: dict[str, Callable[..., str]] = {name: getattr(_words, name) for name in _PLAIN}
_WRITERS |= {"fixed": _fixed, "pm": Estimate.text, "signed": _signed}
_WORDS: dict[str, Any] = {name: _or_nothing(write) for name, write in _WRITERS.items()}
_WORDS["listed"] = listed


def _marked(comparisons: list[Part], part: Part) -> str:
    """Append a part, and return its placeholder in the text."""
    comparisons.append(part)
    return f"\n\n\0{len(comparisons) - 1}\0\n\n"


def _figure_text(file: str, caption: str) -> str:
    return f"\n\n![{caption}]({file})\n\n"


def _table_text(caption: str, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    texts = [
        [" ".join(cell(value).split()).replace("|", r"\|") for value in line]
        for line in (columns, *rows)
    ]
    lines = [f"|{'|'.join(line)}|" for line in texts]
    return "\n\n".join(["", f"**{caption}**", "\n".join(lines), ""])


def _claims_text(rows: Sequence[tuple[str, str]]) -> str:
    """Return the table at the top of a report: what the author claims, and what we found."""
    if len(rows) != NUM_CLAIMS:
        raise RiverboatError(f"a report begins with {NUM_CLAIMS} claims, not {len(rows)}")
    return _table_text("The document's claims and our results", ["claim", "we found"], rows)


def _compared(
    what: str,
    ours: Estimate | float | None,
    published: Any = None,
    note: str | None = None,
    **more: Any,
) -> Compared:
    """Compare ours with a published figure: a number, or an object with `value` and `where`."""
    more["note"] = _plain(getattr(published, "where", "") if note is None else note)
    if isinstance(ours, Estimate):
        more["margin"] = ours.margin if ours.known else -1.0  # JSON has no infinity
        ours = ours.mean
    return Compared(what, getattr(published, "value", published), ours, **more)


def _split_sections(text: str, comparisons: Sequence[Part] = ()) -> tuple[Section, ...]:
    """Split rendered Markdown into sections; each comparison replaces its placeholder."""
    head, *pieces = re.split(r"^## +", text, flags=re.MULTILINE)
    if head.strip():
        raise RiverboatError(
            f"a report must begin with a heading (## ...), not with {head.strip()[:40]!r}"
        )
    sections = (piece.partition("\n") for piece in pieces)
    return tuple(
        Section(_plain(title), tuple(_parts(body, comparisons))) for title, _, body in sections
    )


def _parts(body: str, comparisons: Sequence[Part]) -> Iterator[Part]:
    caption = ""
    for block in _blocks(body):
        if block.startswith("|"):
            yield _table(caption, block)
            caption = ""
        elif match := _CAPTION.fullmatch(block):
            caption = _plain(match[1])
        elif match := _PICTURE.fullmatch(block):
            yield Picture(match[2], _plain(match[1]))
        elif match := _MARK.fullmatch(block):
            yield comparisons[int(match[1])]
        else:
            yield Text(_plain(block))


def _blocks(body: str) -> Iterator[str]:
    """Split at blank lines, and at the first and last line of a table."""
    lines: list[str] = []
    for line in [*(text.strip() for text in body.splitlines()), ""]:
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
    """Whether this row is the line between header and body of a table."""
    return all(re.fullmatch(":?---+:?", text) for text in row)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace(r"\|", "|")
