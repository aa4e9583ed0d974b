"""Write blueprints atomically, chunk by chunk, so that memory holds a table only once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._header import BYTE_WEIGHTS, LEAST_GREATEST, Header, TreeFacts
from riverboat.blueprint._layout import Chunk, GroupRows, Layout, OnProgress
from riverboat.blueprint._sanity import Checker, Finding, refuse_errors
from riverboat.blueprint._store import (
    CARDS,
    BitPacker,
    array_specs,
    count_ranks,
    encode,
    encode_weights,
)
from riverboat.blueprint._visits import visit_scale
from riverboat.buckets import CardAbstraction
from riverboat.errors import BlueprintError
from riverboat.files import ArrayFileWriter, ArraySpec
from riverboat.tree import Tree, find_menu

#: Returns a chunk's probabilities [buckets, entries] and weights [buckets, decisions] float32.
#: It is called for each chunk several times, in order.
Rows: TypeAlias = Callable[[Chunk, GroupRows], tuple[NDArray[Any], NDArray[Any]]]

_LEAST_WEIGHT = np.finfo(np.float32).tiny


def write_blueprint(
    path: Path | str,
    header: Header,
    tree: Tree,
    table: NDArray[Any] | Rows,
    cards: CardAbstraction | None = None,
) -> tuple[Finding, ...]:
    """Write a strategy to a file, atomically: a killed process leaves the old file unchanged.

    Parameters
    ----------
    path
        The file.
    header
        The header; `values` and `pruned` set the precision of probabilities and whether untrained
        infosets are left out.
    tree
        The betting tree.
    table
        [entries] an average-strategy table such as `Solver.average`: each row is divided by its
        sum, which is its weight. Or a function that returns chunks: see `Rows`.
    cards
        The card abstraction, which is stored in the header; None if deals are enumerated.

    Returns
    -------
    tuple of Finding
        Results of the checks; a strategy with rows that are not distributions is refused.
    """
    same_menu = header.menu == str(tree.menu) or find_menu(header.menu) == tree.menu
    if TreeFacts.of(tree) != header.tree or not same_menu:
        raise BlueprintError(f"the header does not belong to {tree!r}: create it with Header.of")
    arrays: dict[str, NDArray[Any]] = {}
    if cards is not None:
        values, arrays = cards.save()
        header = header.replace(cards=values)
    header.check_cards(tree, cards)
    layout = Layout(tree, header.num_buckets)
    rows = table if callable(table) else table_rows(table, layout)
    return write_rows(path, header, layout, rows, arrays)


def table_rows(table: NDArray[Any], layout: Layout) -> Rows:
    """Rows of an average-strategy table: [entries], each row divided by its sum, its weight."""
    if not isinstance(table, np.ndarray) or table.shape != (layout.num_entries,):
        shape = getattr(table, "shape", type(table).__name__)
        raise BlueprintError(
            f"an average-strategy table of this tree must have the shape ({layout.num_entries},), "
            f"not {shape}"
        )

    def read(chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        block = table[chunk.entries].reshape(chunk.num_buckets, -1)
        sums = rows.sums(block)
        if not np.isfinite(sums).all() or block.min() < 0:
            raise BlueprintError(
                "the weights of an average strategy must be finite and not negative, but "
                f"{_bad_place(block, rows, layout, chunk)}"
            )
        trained = sums > 0
        divided = block / rows.spread(np.where(trained, sums, 1.0))
        strategy = np.where(rows.spread(trained), divided, rows.uniform).astype(np.float32)
        weights = np.where(trained, np.maximum(sums, _LEAST_WEIGHT), 0)
        return strategy, weights.astype(np.float32)

    return read


def rows_with_progress(rows: Rows, header: Header, progress: OnProgress | None) -> Rows:
    """Return rows that report the progress of writing a file.

    Each chunk is read twice, for weights and for probabilities; for a pruned file once more, for
    the kept infosets, and for 8-bit weights once more, for the greatest weight.
    """
    encodes = header.values == "uint8" and not header.byte_weights
    total, done = header.infosets * (2 + header.pruned + encodes), 0

    def read(chunk: Chunk, group: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        nonlocal done
        block, weights = rows(chunk, group)
        done += weights.size
        if progress is not None:
            progress(done, total)
        return block, weights

    return read


def _bad_place(block: NDArray[Any], rows: GroupRows, layout: Layout, chunk: Chunk) -> str:
    """Describe the place of the first invalid weight."""
    bucket, entry = np.argwhere(~(np.isfinite(block) & (block >= 0)))[0]
    line = layout.tree.line(int(rows.nodes[rows.owners[entry]]))
    where = f"after '{line}'" if line else "at the root"
    return f"bucket {chunk.first_bucket + bucket} {where} has {block[bucket, entry]}"


def write_rows(
    path: Path | str,
    header: Header,
    layout: Layout,
    rows: Rows,
    card_arrays: Mapping[str, NDArray[Any]] | None = None,
) -> tuple[Finding, ...]:
    """Write chunks of a strategy to a file; `write_blueprint` is the public function."""
    cards = header.restore_cards(card_arrays or {})
    if header.values == "uint8" and not header.byte_weights:
        greatest = _greatest(layout, rows)
        header = header.replace(format=BYTE_WEIGHTS, greatest_weight=greatest)
    checker = Checker(layout, cards, visit_scale(header))
    parts: _Parts = {}
    if header.pruned:
        specs, parts = _pruned_arrays(header, layout, rows)
    else:
        specs = array_specs(header, header.entries, header.infosets)
    parts["weight"] = _weights(header, layout, rows)
    parts["strategy"] = _strategies(header, layout, rows, checker)
    for name, array in (card_arrays or {}).items():
        specs[CARDS + name] = ArraySpec(array.dtype, array.shape)
        parts[CARDS + name] = [array]
    # Wide numbers first, so that every array is aligned.
    specs = dict(sorted(specs.items(), key=lambda item: -item[1].dtype.itemsize))
    with ArrayFileWriter(Path(path), specs, header.metadata()) as writer:
        for name in specs:
            writer.write_all(name, parts[name])
    return checker.findings()


def _greatest(layout: Layout, rows: Rows) -> float:
    """The greatest weight; invalid weights raise an error later."""
    greatest = max(float(np.fmax.reduce(weights, None)) for _, _, weights in _chunks(layout, rows))
    return greatest if LEAST_GREATEST <= greatest < np.inf else LEAST_GREATEST


_Parts: TypeAlias = dict[str, Iterable[NDArray[Any]]]


def _chunks(layout: Layout, rows: Rows) -> Iterator[tuple[Chunk, NDArray[Any], NDArray[Any]]]:
    for chunk in layout.chunks():
        yield chunk, *rows(chunk, layout.groups[chunk.group])


def _pruned_arrays(
    header: Header, layout: Layout, rows: Rows
) -> tuple[dict[str, ArraySpec], _Parts]:
    """Specs of a pruned file's arrays, and the bits and ranks of the kept infosets."""
    entries, infosets = BitPacker(), BitPacker()
    for chunk, _, weights in _chunks(layout, rows):
        infosets.add((weights > 0).ravel())
        entries.add(layout.groups[chunk.group].spread(weights > 0).ravel())
    parts: _Parts = {}
    for name, packer, things in (
        ("entry", entries, header.entries),
        ("infoset", infosets, header.infosets),
    ):
        bits = packer.finish()
        parts[f"{name}_bits"] = [bits]
        parts[f"{name}_ranks"] = [count_ranks(bits, things)]
    return array_specs(header, entries.kept, infosets.kept), parts


def _weights(header: Header, layout: Layout, rows: Rows) -> Iterator[NDArray[Any]]:
    for _, _, weights in _chunks(layout, rows):
        numbers = weights
        if isinstance(header.greatest_weight, float):
            numbers = encode_weights(weights, header.greatest_weight)
        yield numbers[weights > 0] if header.pruned else numbers.ravel()


def _strategies(
    header: Header, layout: Layout, rows: Rows, checker: Checker
) -> Iterator[NDArray[Any]]:
    for chunk, strategy, weights in _chunks(layout, rows):
        checker.add(chunk, strategy, weights)
        if checker.bad_rows:
            refuse_errors(checker.findings())
        group = layout.groups[chunk.group]
        numbers = encode(strategy, group) if header.values == "uint8" else strategy
        yield numbers[group.spread(weights > 0)] if header.pruned else numbers.ravel()
