"""Export to Parquet and Arrow: one row per action of each infoset.

Needs pyarrow: `pip install riverboat[arrow]`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._rare_actions import block_without_rare, shown_as
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint._layout import Chunk, GroupRows, OnProgress

ArrowFormat = Literal["parquet", "arrow"]

_SUFFIXES: Final[dict[str, ArrowFormat]] = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}


def export_arrow(  # noqa: PLR0913 - options
    blueprint: Blueprint,
    path: Path | str,
    file_format: ArrowFormat | None = None,
    *,
    untrained: bool = False,
    progress: OnProgress | None = None,
    threshold: float = 0.0,
) -> int:
    """Write a strategy as a table for other programs.

    Columns: `line`, `street` from 0, `player`, `bucket`, `hand` (text if a bucket is one hand,
    otherwise null), `action`, `probability`, `weight` of the infoset, training `visits`, and
    `few_visits`, whether these are few (null if unknown). The table's metadata key
    `riverboat.shown` is "as trained" or "as played ...".

    Parameters
    ----------
    blueprint
        The strategy.
    path
        The file; its suffix is the format: `.parquet`, `.arrow` or `.feather`.
    file_format
        `parquet` or `arrow`, for files with other suffixes.
    untrained
        Also write untrained infosets, as uniform with weight 0.
    progress
        Called with the number of infosets done and of all.
    threshold
        Rarer bets and folds are left out; `blueprint.threshold` = as played.

    Returns
    -------
    int
        Rows written.
    """
    chosen = file_format or _SUFFIXES.get(Path(path).suffix.lower())
    if chosen is None or chosen not in get_args(ArrowFormat):
        raise BlueprintError(
            f"{path}: the suffix must be .parquet, .arrow, .feather or .csv; or choose parquet or "
            "arrow with --format"
        )
    arrow = _pyarrow()
    table = _Table(arrow, blueprint, untrained, threshold)
    written = 0
    with atomic_path(Path(path)) as temporary, _open(arrow, chosen, temporary, table) as writer:
        for done, batch in table.batches():
            writer.write_batch(batch)
            written += batch.num_rows
            if progress is not None:
                progress(done, blueprint.header.infosets)
    return written


def _arrow_table(blueprint: Blueprint, untrained: bool, threshold: float) -> Any:
    """Return the table of `export_arrow` in memory."""
    arrow = _pyarrow()
    table = _Table(arrow, blueprint, untrained, threshold)
    whole = arrow.Table.from_batches([batch for _, batch in table.batches()], table.schema)
    # The dictionaries may have a text twice, which pandas refuses.
    texts = arrow.schema(
        (field.name, arrow.string() if arrow.types.is_dictionary(field.type) else field.type)
        for field in table.schema
    )
    return whole.cast(texts)


Blueprint._arrow_table = _arrow_table


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise BlueprintError(
            "Parquet and Arrow need the package pyarrow: pip install 'riverboat[arrow]'"
        ) from error
    return pyarrow


def _open(arrow: Any, chosen: ArrowFormat, path: Path, table: _Table) -> Any:
    if chosen == "arrow":
        return arrow.ipc.new_file(str(path), table.schema)
    from pyarrow import parquet  # noqa: PLC0415 - an extra, slow to import

    return parquet.ParquetWriter(str(path), table.schema, compression="zstd")


class _Table:
    """The strategy as record batches."""

    def __init__(self, arrow: Any, blueprint: Blueprint, untrained: bool, threshold: float) -> None:
        self._arrow = arrow
        self._blueprint = blueprint
        self._untrained = untrained
        self._threshold = threshold
        self._hands = blueprint.bucket_texts
        self._index_texts()
        texts = arrow.dictionary(arrow.int32(), arrow.string())
        self.schema = arrow.schema(
            [
                ("line", texts),
                ("street", arrow.uint8()),
                ("player", arrow.uint8()),
                ("bucket", arrow.uint32()),
                ("hand", texts),
                ("action", texts),
                ("probability", arrow.float32()),
                ("weight", arrow.float32()),
                ("visits", arrow.float32()),
                ("few_visits", arrow.bool_()),
            ],
            {"riverboat.shown": shown_as(threshold)},
        )

    def _index_texts(self) -> None:
        """Number all texts: the Arrow format wants the same dictionary in every batch."""
        tree, groups = self._blueprint.tree, self._blueprint.layout.groups
        self._lines = [tree.line(int(node)) for rows in groups for node in rows.nodes]
        actions: dict[str, int] = {}
        self._actions_of = [
            np.array(
                [
                    actions.setdefault(text, len(actions))
                    for node in rows.nodes
                    for text in tree.actions(int(node))
                ],
                np.int32,
            )
            for rows in groups
        ]
        self._actions = list(actions)
        self._first_line = np.cumsum([0, *(len(rows.nodes) for rows in groups)])
        self._first_hand = np.cumsum([0, *(len(texts or ()) for texts in self._hands)])
        self._hand_texts = [text for texts in self._hands for text in texts or ()]

    def batches(self) -> Iterator[tuple[int, Any]]:
        """Yield record batches, chunk by chunk, with the number of infosets done."""
        for chunk, rows, block, weights in self._blueprint.chunks():
            wanted = rows.spread(weights > 0) if not self._untrained else np.ones(block.shape, bool)
            columns = self._columns(chunk, rows, wanted)
            shares = block_without_rare(block, rows, self._threshold)[wanted]
            spread = rows.spread(weights)[wanted]
            numbers = [self._arrow.array(shares), self._arrow.array(spread)]
            arrays = [*columns, *numbers, *self._visits(spread)]
            batch = self._arrow.RecordBatch.from_arrays(arrays, schema=self.schema)
            yield chunk.infosets.stop, batch

    def _visits(self, weights: NDArray[np.float32]) -> list[Any]:
        """Visits of entries with these weights, and whether they are few; nulls if unknown."""
        scale = self._blueprint.visit_scale
        if scale is None:
            kinds = (self._arrow.float32(), self._arrow.bool_())
            return [self._arrow.nulls(len(weights), kind) for kind in kinds]
        visits = (weights / scale.weight).astype(np.float32)
        return [self._arrow.array(visits), self._arrow.array(visits < scale.few)]

    def _columns(self, chunk: Chunk, rows: GroupRows, wanted: NDArray[np.bool_]) -> list[Any]:
        """All columns except numbers, for the wanted [buckets, entries]."""
        tree = self._blueprint.tree
        buckets, entries = np.nonzero(wanted)
        buckets += chunk.first_bucket
        lines = rows.owners[entries] + self._first_line[chunk.group]
        hands = buckets + self._first_hand[chunk.group]
        unknown = np.full(len(buckets), self._hands[chunk.group] is None)
        street = np.full(len(buckets), tree.group_street[chunk.group], np.uint8)
        player = np.full(len(buckets), tree.group_player[chunk.group], np.uint8)
        actions = self._actions_of[chunk.group][entries]
        return [
            self._dictionary(lines, self._lines),
            self._arrow.array(street),
            self._arrow.array(player),
            self._arrow.array(buckets.astype(np.uint32)),
            self._dictionary(hands, self._hand_texts, unknown),
            self._dictionary(actions, self._actions),
        ]

    def _dictionary(
        self, numbers: NDArray[Any], texts: list[str], unknown: NDArray[np.bool_] | None = None
    ) -> Any:
        indices = self._arrow.array(numbers.astype(np.int32), mask=unknown)
        dictionary = self._arrow.array(texts, self._arrow.string())
        return self._arrow.DictionaryArray.from_arrays(indices, dictionary)
