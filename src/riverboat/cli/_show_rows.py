"""Rows of `riverboat show`: single hands of hold'em, and the buckets of small games."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import ActionKey, Blueprint, NodeView, bucket_texts, without_rare
from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    Range,
    class_text,
    hole_text,
    parse_class,
    parse_hole,
)
from riverboat.cli._matrix import hedged
from riverboat.cli._output import console, grid
from riverboat.errors import CardError

__all__ = [
    "BucketRow",
    "Line",
    "bucket_rows",
    "hand_lines",
    "named_hands",
    "show_buckets",
    "show_hands",
]

_MOST_ROWS: Final = 200
_Named: TypeAlias = tuple[str, NDArray[np.intp]]


class Line(NamedTuple):
    """One hand or class: its bucket if it is one, reach, and strategy (None = untrained)."""

    hand: str
    bucket: int | None
    reach: float
    strategy: list[float] | None
    possible: bool
    visits: float | None
    """In the median over its trained pairs; None where that is not known."""
    few: bool | None

    def values(self) -> dict[str, Any]:
        """For programs."""
        state = "trained" if self.strategy is not None else "untrained"
        return {
            "hand": self.hand,
            "status": state if self.possible else "not possible on this board",
            "bucket": self.bucket,
            "reach": self.reach if self.possible else None,
            "strategy": self.strategy,
            "visits": self.visits,
            "few_visits": self.few,
        }


class BucketRow(NamedTuple):
    """One bucket: what its player has seen, and what he does; None where untrained."""

    bucket: int
    cards: str
    strategy: list[float] | None
    visits: float | None
    few_visits: bool | None


def hand_lines(view: NodeView, text: str) -> list[Line]:
    """Read hands such as `AhKh, QQ A5s+`: pairs of cards, classes and ranges of classes."""
    return [_line(view, name, holes) for name, holes in named_hands(text)]


def named_hands(text: str) -> list[_Named]:
    """Names and hole pairs of the hands in a text."""
    tokens = [part.strip() for part in text.split(",") if part.strip()]
    return list(chain.from_iterable(map(holes_of, tokens)))


def holes_of(token: str) -> list[_Named]:
    """Names and hole pairs of what stands between two commas; blanks may part hands, too."""
    if (exact := _exactly(token)) is not None:
        return [exact]
    words = re.sub(r"\s*([-:])\s*", r"\1", token).split()
    if len(words) == 1:
        return _range_of(token)
    return list(chain.from_iterable(map(holes_of, words)))


def _exactly(word: str) -> _Named | None:
    """The pair of cards, or else the class, that a word names."""
    with suppress(CardError):
        hole = parse_hole(word)
        return hole_text(hole), np.array([hole])
    with suppress(CardError):
        index = parse_class(word)
        return class_text(index), CLASS_HOLES[index]
    return None


def _range_of(text: str) -> list[_Named]:
    """All classes of a range."""
    wanted = np.unique(HOLE_CLASS[Range.parse(text).weights > 0]).tolist()
    return [(class_text(index), CLASS_HOLES[index]) for index in wanted]


def _line(view: NodeView, name: str, holes: NDArray[np.intp]) -> Line:
    live, trained = holes[view.alive[holes]], holes[view.trained[holes]]
    buckets = np.unique(view.buckets[live]).tolist()
    known = view.visits_known and len(trained) > 0
    visits = float(np.median(view.visits[trained])) if known else None
    return Line(
        name,
        buckets[0] if len(buckets) == 1 else None,
        float(view.reach[live].mean()) if len(live) else 0.0,
        view.strategy[trained].mean(axis=0).tolist() if len(trained) else None,
        len(live) > 0,
        visits,
        None if visits is None else visits < view.few,
    )


def show_hands(lines: Sequence[Line], keys: Sequence[ActionKey], few: int) -> None:
    """Print the lines as a table."""
    headings = ["hand", "bucket", "comes here", "visits", *(key.action for key in keys)]
    table = grid(headings, left=0)
    for line in lines:
        shares = ["-"] * len(keys) if line.strategy is None else map(hedged, line.strategy)
        bucket = "several" if line.bucket is None else str(line.bucket)
        if not line.possible:
            bucket = "on the board"
        visits = _visits_text(line.visits, line.few)
        table.add_row(line.hand, bucket, hedged(line.reach), visits, *shares)
    console.print(table)
    _explain_rows(few if any(line.few for line in lines) else None)


def _visits_text(visits: float | None, few: bool | None) -> str:
    return "?" if visits is None else f"{visits:,.0f}{'~' if few else ''}"


def _explain_rows(few: int | None) -> None:
    marked = "" if few is None else f"; ~ is fewer than {few}, so the row tells little"
    console.print(f"Per cent, and visits in training (? is not known{marked}); - is untrained.")


def bucket_rows(blueprint: Blueprint, node: int, threshold: float = 0.0) -> list[BucketRow]:
    """Return the rows of a decision; bets and folds below the threshold are left out."""
    group = int(blueprint.tree.group[node])
    texts = bucket_texts(blueprint)[group]
    return [
        _bucket_row(blueprint, node, bucket, "" if texts is None else texts[bucket], threshold)
        for bucket in range(blueprint.num_buckets[group])
    ]


def _bucket_row(
    blueprint: Blueprint, node: int, bucket: int, text: str, threshold: float
) -> BucketRow:
    row, visits = blueprint.row(node, bucket), blueprint.visits(node, bucket)
    shares = None if row is None else row.tolist()
    if shares is not None and threshold:
        named = dict(zip(blueprint.tree.actions(node), shares, strict=True))
        shares = list(without_rare(named, threshold).values())
    scale = blueprint.visit_scale
    few = None if visits is None or scale is None else visits < scale.few
    return BucketRow(bucket, text, shares, visits, few)


def show_buckets(
    rows: Sequence[BucketRow], keys: Sequence[ActionKey], few: int | None = None
) -> None:
    """Print the rows; of very many the first ones."""
    table = grid(["cards", "bucket", "visits", *(key.words for key in keys)], left=0)
    for row in rows[::-1][:_MOST_ROWS]:  # aces first, as in the matrix
        shares = ["-"] * len(keys) if row.strategy is None else map(hedged, row.strategy)
        visits = _visits_text(row.visits, row.few_visits)
        table.add_row(row.cards, str(row.bucket), visits, *shares)
    console.print(table)
    _explain_rows(few if any(row.few_visits for row in rows) else None)
    if len(rows) > _MOST_ROWS:
        console.print(f"{len(rows) - _MOST_ROWS:,} more buckets: --json has them all.")
