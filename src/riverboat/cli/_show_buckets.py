"""A decision of a small game, bucket by bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich import box
from rich.table import Table

from riverboat.blueprint import bucket_texts
from riverboat.cli._output import console
from riverboat.cli._show_matrix import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.blueprint import Blueprint
    from riverboat.cli._action_keys import ActionKey

__all__ = ["BucketRow", "bucket_rows", "show_buckets"]

_MOST_ROWS = 200


class BucketRow(NamedTuple):
    """One bucket: what its player has seen, and what he does; None where untrained."""

    bucket: int
    cards: str
    strategy: list[float] | None


def bucket_rows(blueprint: Blueprint, node: int) -> list[BucketRow]:
    """Return the rows of a decision."""
    group = int(blueprint.tree.group[node])
    texts = bucket_texts(blueprint)[group]
    rows = []
    for bucket in range(blueprint.num_buckets[group]):
        row = blueprint.row(node, bucket)
        text = "" if texts is None else texts[bucket]
        rows.append(BucketRow(bucket, text, None if row is None else row.tolist()))
    return rows


def show_buckets(rows: Sequence[BucketRow], keys: Sequence[ActionKey]) -> None:
    """Print the rows; of very many the first ones."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    for name in ("cards", "bucket", *(key.words for key in keys)):
        table.add_column(name, justify="right")
    for row in rows[:_MOST_ROWS]:
        shares = ["-"] * len(keys) if row.strategy is None else map(percent, row.strategy)
        table.add_row(row.cards, str(row.bucket), *shares)
    console.print(table)
    console.print("Per cent; - is untrained.")
    if len(rows) > _MOST_ROWS:
        console.print(f"{len(rows) - _MOST_ROWS:,} more buckets: --json has them all.")
