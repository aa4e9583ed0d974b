"""Write a strategy as CSV in the layout of the Cardiff thesis: `K7s 555 ccr,"[0.33,0.33,0.33]"`.

One row per trained infoset: its key, and the probabilities of fold, call, raise; a check counts as
call, impossible actions are 0. An optional third column, which the thesis does not have, is the
number of training visits. Rows are sorted by text, so that files can be compared line by line.
Rows are written while the strategy is read, so that any number fits into memory.

A key is the starting class, the ranks on the board, and the line, where `c` is a check or call and
`r` a bet or raise, without separators between streets. Ranks go from high to low. Before the flop
there is no board: `K7s cr`, and `K7s` alone at the root. (The thesis's figures also have keys with
an unexplained letter `n`; they are not written, and skipped on reading.)
"""

from __future__ import annotations

from itertools import combinations_with_replacement, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from riverboat.blueprint._layout import Chunk
from riverboat.blueprint._rare_actions import block_without_rare
from riverboat.cards import BOARD_CARDS, NUM_CARDS, NUM_CLASSES, RANKS, class_text
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path
from riverboat.game import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint._blueprint import Blueprint
    from riverboat.blueprint._layout import OnProgress
    from riverboat.buckets import CardAbstraction
    from riverboat.tree import Tree

_MOST_STREETS: Final = 2

#: The header row of the thesis's program.
HEADER = "info_set,strategies"
_VISITS = ",visits"
_MOST_DIGITS = 6
_CLASSES_AT_ONCE = 13  # or as many as fit; each batch is a pass over the whole strategy
_BYTES_AT_ONCE = 64 << 20
_COLUMNS = {"fold": 0, "check": 1, "call": 1, "bet": 2}


def class_texts() -> tuple[str, ...]:
    """Return the starting classes by number."""
    return tuple(class_text(index) for index in range(NUM_CLASSES))


def board_texts(size: int) -> tuple[str, ...]:
    """Return the ranks of all boards of a size, in the order of `suitless` buckets.

    Examples
    --------
    >>> board_texts(3)[:3], len(board_texts(3)), board_texts(0)
    (('222', '322', '422'), 455, ('',))
    """
    rows = combinations_with_replacement(range(13), size)
    return tuple(
        "".join(RANKS[rank] for rank in reversed(row))
        for row in rows
        if size <= 4 or len(set(row)) > 1
    )


def letter_lines(tree: Tree) -> dict[tuple[int, str], int]:
    """Return the decisions of a tree by street and line of `c` and `r`.

    Raises BlueprintError if a decision has several bet sizes, or a swap.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("cardiff"), "cardiff")
    >>> tree.line(letter_lines(tree)[1, "rcc"])
    'b20c/k'
    """
    lines: dict[int, str] = {0: ""}
    decisions: dict[tuple[int, str], int] = {}
    for node in range(tree.num_nodes):  # parents come before their children
        actions = tree.actions(node)
        if not actions or node not in lines:
            continue
        letters = [{"k": "c", "b": "r"}.get(action[0], action[0]) for action in actions]
        if letters not in (["f", "c", "r"], ["f", "c"], ["c", "r"], ["c"]):
            raise BlueprintError(
                f"after '{tree.line(node)}' the actions are {', '.join(actions)}: lines of c and r "
                "need a game with one bet size and without swaps"
            )
        decisions[int(tree.street[node]), lines[node]] = node
        for letter, child in zip(letters, tree.children(node), strict=True):
            if letter != "f" or tree.num_players > 2:
                lines[child] = lines[node] + letter
    return decisions


def check_suitless(tree: Tree, cards: CardAbstraction | None) -> None:
    """Refuse strategies that this layout cannot express."""
    spec = tree.spec
    if spec.streets[0].hole != 2 or len(spec.deck) != NUM_CARDS or tree.num_players != 2:
        raise BlueprintError(
            f"this layout needs two-player hold'em with two hole cards, not '{spec.name}'"
        )
    if tree.num_streets > _MOST_STREETS:
        raise BlueprintError(
            f"this layout needs a game that ends on the flop, but '{spec.name}' has "
            f"{tree.num_streets} streets"
        )
    letter_lines(tree)  # refuses several bet sizes
    boards = spec.board_sizes
    kinds = [] if cards is None else [rule.name for rule in cards.rules[: len(boards)]]
    good = cards is not None and kinds == ["classes", *["ranks"] * (len(boards) - 1)]
    good = good and not (cards is None or cards.recall) and cards.num_buckets[0] == NUM_CLASSES
    if not good or boards != BOARD_CARDS[: len(boards)]:
        name = "enumerated deals" if cards is None else f"'{cards.name}'"
        raise BlueprintError(f"this layout needs hold'em with suitless buckets, not {name}")


class _StreetRows(NamedTuple):
    """The decisions of a street, sorted by line."""

    lines: list[str]
    boards: tuple[str, ...]
    """Ranks of the boards, in the order of buckets."""
    groups: list[int]
    columns: NDArray[np.intp]
    """[decisions, 3] position of fold, call and raise in the groups' concatenated entries;
    impossible actions get the last position, which holds 0."""
    infosets: NDArray[np.intp]
    """[decisions] position of the weights in the groups' concatenated infosets."""


class _Block(NamedTuple):
    """Rounded probabilities [.., decisions, 3], and weights [.., decisions]."""

    numbers: NDArray[np.int32]
    weights: NDArray[np.float32]

    def of(self, place: int) -> _Block:
        """The block of one board."""
        return _Block(self.numbers[place], self.weights[place])


class _Numbers(dict[int, str]):
    """Cache of the texts of rounded probabilities."""

    def __init__(self, digits: int) -> None:
        self._digits = digits

    def __missing__(self, number: int) -> str:
        """Format a number."""
        self[number] = f"{number / 10**self._digits:.{self._digits}f}"
        return self[number]


class _Form:
    """Options of writing."""

    def __init__(
        self, blueprint: Blueprint, digits: int, untrained: bool, threshold: float, visits: bool
    ) -> None:
        self.blueprint, self.untrained, self.threshold = blueprint, untrained, threshold
        self.scale = 10**digits
        self.numbers = _Numbers(digits)
        self._visits = blueprint.visit_scale if visits else None
        if visits and self._visits is None:
            raise BlueprintError(f"the training visits of {blueprint.path} are unknown")

    def visit_texts(self, weights: NDArray[np.float32]) -> Iterable[str]:
        """The third column of rows with these weights; empty texts without that column."""
        scale = self._visits
        if scale is None:
            return repeat("", len(weights))
        visits = (weights / scale.weight).tolist()
        return [f",{count:.0f}{'~' if count < scale.few else ''}" for count in visits]


def write_csv(  # noqa: PLR0913 - options
    blueprint: Blueprint,
    path: Path | str,
    digits: int = 2,
    untrained: bool = False,
    progress: OnProgress | None = None,
    *,
    threshold: float = 0.0,
    visits: bool = False,
) -> int:
    """Write a strategy with suitless buckets as CSV, atomically.

    Parameters
    ----------
    blueprint
        A two-player strategy with one bet size.
    path
        The file.
    digits
        Decimals, 1 to 6; the thesis has 2.
    untrained
        Whether to write untrained infosets, too, as uniform.
    progress
        Called with the number of starting classes done and of all.
    threshold
        Rarer bets and folds are left out; `blueprint.threshold` = as played.
    visits
        Whether to add a column of training visits, with a trailing `~` if they are few; an error
        if visits are unknown.

    Returns
    -------
    int
        Rows written.
    """
    if not 1 <= digits <= _MOST_DIGITS:
        raise BlueprintError(f"digits must be 1 to {_MOST_DIGITS}, not {digits}")
    check_suitless(blueprint.tree, blueprint.cards)
    form = _Form(blueprint, digits, untrained, threshold, visits)
    streets = [_street_rows(blueprint, street) for street in range(blueprint.tree.num_streets)]
    count = 0
    with atomic_path(Path(path)) as unfinished, unfinished.open("w", encoding="ascii") as file:
        file.write(HEADER + (_VISITS if visits else "") + "\n")
        for done, texts in _all_rows(form, streets):
            file.writelines(texts)
            count += len(texts)
            if progress is not None:
                progress(done, NUM_CLASSES)
    return count


def _all_rows(form: _Form, streets: list[_StreetRows]) -> Iterator[tuple[int, list[str]]]:
    """Yield all rows in order, in parts, with the number of the starting class from 1."""
    classes = sorted(zip(class_texts(), range(NUM_CLASSES), strict=True))
    infosets = sum(len(rows.boards) * len(rows.lines) for rows in streets)
    fitting = _BYTES_AT_ONCE // (infosets * 4 * (3 + 1))  # three numbers and a weight
    step = max(_CLASSES_AT_ONCE, fitting)
    for first in range(0, NUM_CLASSES, step):
        batch = classes[first : first + step]
        wanted = [number for _, number in batch]
        blocks = [_read_classes(form, rows, wanted) for rows in streets]
        for place, (name, _) in enumerate(batch):
            own = [_Block(numbers[place], weights[place]) for numbers, weights in blocks]
            for texts in _class_rows(name, streets, own, form):
                yield first + place + 1, texts


def _class_rows(
    name: str, streets: list[_StreetRows], blocks: list[_Block], form: _Form
) -> Iterator[list[str]]:
    """Yield the rows of one starting class: the root, boards by text, then other preflop lines.

    In the order of text, digits and upper-case letters come before lower-case letters.
    """
    before = _texts(f"{name} ", streets[0], blocks[0].of(0), form)
    roots = [row.replace(" ,", ",", 1) for row in before if row.startswith(f"{name} ,")]
    yield roots
    boards = sorted(
        (rows.boards[place] + " ", street, place)
        for street, rows in enumerate(streets)
        if street > 0
        for place in np.flatnonzero((blocks[street].numbers[..., 0] >= 0).any(axis=1)).tolist()
    )
    for board, street, place in boards:
        yield _texts(f"{name} {board}", streets[street], blocks[street].of(place), form)
    yield before[len(roots) :]


def _texts(start: str, rows: _StreetRows, block: _Block, form: _Form) -> list[str]:
    """Rows of one bucket, from [decisions, 3] numbers; -1 marks a row that is left out."""
    kept, numbers = np.flatnonzero(block.numbers[:, 0] >= 0), form.numbers
    visits = form.visit_texts(block.weights[kept])
    shares = block.numbers[kept].tolist()
    return [
        f'{start}{rows.lines[at]},"[{numbers[fold]},{numbers[call]},{numbers[bet]}]"{count}\n'
        for at, (fold, call, bet), count in zip(kept.tolist(), shares, visits, strict=True)
    ]


def _street_rows(blueprint: Blueprint, street: int) -> _StreetRows:
    tree = blueprint.tree
    ordered = sorted(
        (line, node) for (at, line), node in letter_lines(tree).items() if at == street
    )
    groups = sorted({int(tree.group[node]) for _, node in ordered})
    entries = np.cumsum([0, *(int(tree.group_entries[group]) for group in groups)])
    decisions = np.cumsum([0, *(int(tree.group_decisions[group]) for group in groups)])
    columns = np.full((len(ordered), 3), entries[-1])
    infosets = np.empty(len(ordered), np.intp)
    for row, (_, node) in enumerate(ordered):
        group = int(tree.group[node])
        at = groups.index(group)
        for place, action in enumerate(tree.actions(node)):
            column = _COLUMNS[Action(action).kind]
            columns[row, column] = entries[at] + int(tree.offset[node]) + place
        starts = blueprint.layout.groups[group].starts
        infosets[row] = decisions[at] + np.searchsorted(starts, int(tree.offset[node]))
    lines, boards = [line for line, _ in ordered], board_texts(BOARD_CARDS[street])
    return _StreetRows(lines, boards, groups, columns, infosets)


def _read_classes(form: _Form, rows: _StreetRows, classes: list[int]) -> _Block:
    """Rounded probabilities and weights, [classes, boards, decisions]; -1 marks rows left out.

    A board's buckets are contiguous, so that a batch of classes is read in one pass.
    """
    numbers = np.empty((len(classes), len(rows.boards), len(rows.lines), 3), np.int32)
    weights = np.empty(numbers.shape[:3], np.float32)
    for place in range(len(rows.boards)):
        blocks = [_read(form, group, NUM_CLASSES * place) for group in rows.groups]
        weights[:, place] = np.hstack([weight[classes] for _, weight in blocks])[:, rows.infosets]
        nothing = np.zeros((len(classes), 1), np.float32)
        strategy = np.hstack([*(block[classes] for block, _ in blocks), nothing])
        numbers[:, place] = np.rint(strategy[:, rows.columns] * form.scale)
    if not form.untrained:
        numbers[weights == 0] = -1
    return _Block(numbers, weights)


def _read(form: _Form, group: int, bucket: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """[169, entries] probabilities and [169, decisions] weights of all classes on a board."""
    blueprint = form.blueprint
    rows = blueprint.layout.groups[group]
    span = blueprint.layout.span(int(rows.nodes[0]))
    entry = span.entry + bucket * span.bucket_entries
    infoset = span.infoset + bucket * span.bucket_infosets
    chunk = Chunk(
        group,
        bucket,
        NUM_CLASSES,
        slice(entry, entry + NUM_CLASSES * span.bucket_entries),
        slice(infoset, infoset + NUM_CLASSES * span.bucket_infosets),
    )
    block, weights = blueprint.read(chunk, rows)
    return block_without_rare(block, rows, form.threshold), weights
