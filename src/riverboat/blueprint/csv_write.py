"""A strategy as CSV in the layout of the Cardiff thesis: `K7s 555 ccr,"[0.33,0.33,0.33]"`.

One row for each trained infoset: its key (`riverboat.blueprint.csv_keys`), and the probabilities
of fold, call, raise; check counts as call, and what is not possible is 0. Rows come in the order
of their text, so that files can be compared line by line. They are written as they are read,
whatever their number.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riverboat.abstraction.bucket_tables import BOARD_CARDS
from riverboat.blueprint.csv_keys import board_texts, check_suitless, class_texts, letter_lines
from riverboat.blueprint.layout import Chunk
from riverboat.cards import NUM_CLASSES
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint.blueprint import Blueprint

__all__ = ["HEADER", "write_csv"]

#: The first row, as the thesis's program writes it.
HEADER = "info_set,strategies"

_MOST_DIGITS = 6
_COLUMNS = {"f": 0, "k": 1, "c": 1, "b": 2}


class _StreetRows(NamedTuple):
    """The decisions of a street in the order of their lines."""

    lines: list[str]
    groups: list[int]
    columns: NDArray[np.intp]
    """[decisions, 3] where fold, call and raise stand in the groups' entries side by side; the
    last place, which holds 0, where they are not possible."""
    infosets: NDArray[np.intp]
    """[decisions] where their weights stand in the groups' infosets side by side."""


def write_csv(
    blueprint: Blueprint, path: Path | str, digits: int = 2, untrained: bool = False
) -> int:
    """Write a strategy with suitless buckets as CSV, atomically.

    Parameters
    ----------
    blueprint
        The strategy; of two players, with one size of bet.
    path
        Where to.
    digits
        After the point, 1 to 6; the thesis has 2.
    untrained
        Whether untrained infosets are written, too, with the uniform strategy.

    Returns
    -------
    int
        Rows written.
    """
    if not 1 <= digits <= _MOST_DIGITS:
        raise BlueprintError(f"numbers are written with 1 to {_MOST_DIGITS} digits, not {digits}")
    check_suitless(blueprint.tree, blueprint.cards)
    streets = [_street_rows(blueprint, street) for street in range(blueprint.tree.num_streets)]
    numbers = [f"{number / 10**digits:.{digits}f}" for number in range(10**digits + 1)]

    def rows_of(street: int, bucket: int) -> Iterator[str]:
        return _texts(blueprint, streets[street], bucket, numbers, untrained)

    count = 0
    with atomic_path(Path(path)) as unfinished, unfinished.open("w", encoding="ascii") as file:
        file.write(HEADER + "\n")
        for name, number in sorted(zip(class_texts(), range(NUM_CLASSES), strict=True)):
            for rows in _class_rows(name, number, len(streets), rows_of):
                file.writelines(rows)
                count += len(rows)
    return count


def _class_rows(
    name: str, number: int, num_streets: int, rows_of: Callable[[int, int], Iterator[str]]
) -> Iterator[list[str]]:
    """Rows of one starting class: the root, boards by their text, then the other lines.

    Digits and large letters come before small ones.
    """
    before = list(rows_of(0, number))
    roots = [row for row in before if row.startswith(",")]
    yield [name + row for row in roots]
    boards = sorted(
        (text + " ", street, place)
        for street in range(1, num_streets)
        for place, text in enumerate(board_texts(BOARD_CARDS[street]))
    )
    for board, street, place in boards:
        start = f"{name} {board}"
        yield [start + row for row in rows_of(street, NUM_CLASSES * place + number)]
    yield [f"{name} {row}" for row in before[len(roots) :]]


def _street_rows(blueprint: Blueprint, street: int) -> _StreetRows:
    tree = blueprint.tree
    found = sorted((line, node) for (at, line), node in letter_lines(tree).items() if at == street)
    groups = sorted({int(tree.group[node]) for _, node in found})
    entries = np.cumsum([0, *(int(tree.group_entries[group]) for group in groups)])
    decisions = np.cumsum([0, *(int(tree.group_decisions[group]) for group in groups)])
    columns = np.full((len(found), 3), entries[-1])
    infosets = np.empty(len(found), np.intp)
    for row, (_, node) in enumerate(found):
        group = int(tree.group[node])
        at = groups.index(group)
        for place, action in enumerate(tree.actions(node)):
            columns[row, _COLUMNS[action[0]]] = entries[at] + int(tree.offset[node]) + place
        starts = blueprint.layout.groups[group].starts
        infosets[row] = decisions[at] + np.searchsorted(starts, int(tree.offset[node]))
    return _StreetRows([line for line, _ in found], groups, columns, infosets)


def _texts(
    blueprint: Blueprint, rows: _StreetRows, bucket: int, numbers: list[str], untrained: bool
) -> Iterator[str]:
    """Rows of one bucket, from the line on."""
    blocks = [_read(blueprint, group, bucket) for group in rows.groups]
    weights = np.concatenate([weight for _, weight in blocks])[rows.infosets]
    if not (untrained or weights.any()):
        return
    strategy = np.concatenate([*(block for block, _ in blocks), [0.0]])
    points = np.rint(strategy[rows.columns] * (len(numbers) - 1)).astype(np.intp).tolist()
    for line, weight, (fold, call, bet) in zip(rows.lines, weights.tolist(), points, strict=True):
        if weight or untrained:
            yield f'{line},"[{numbers[fold]},{numbers[call]},{numbers[bet]}]"\n'


def _read(blueprint: Blueprint, group: int, bucket: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """[entries] probabilities and [decisions] weights of one bucket."""
    rows = blueprint.layout.groups[group]
    place = blueprint.layout.place(int(rows.nodes[0]))
    entry = place.entry + bucket * place.bucket_entries
    infoset = place.infoset + bucket * place.bucket_infosets
    chunk = Chunk(
        group,
        bucket,
        1,
        slice(entry, entry + place.bucket_entries),
        slice(infoset, infoset + place.bucket_infosets),
    )
    strategy, weights = blueprint.read(chunk, rows)
    return strategy[0], weights[0]
