"""A strategy as CSV in the layout of the Cardiff thesis: `K7s 555 ccr,"[0.33,0.33,0.33]"`.

One row for each trained infoset: its key, and the probabilities of fold, call, raise; check counts
as call, and what is not possible is 0. A third column, which the thesis does not have, can say how
often training visited the infoset. Rows come in the order of their text, so that files can be
compared line by line. They are written as they are read, whatever their number.

A key is the starting class, the ranks on the board, and the line of play, where `c` is a check or
call and `r` a bet or raise, with nothing between the streets. Ranks go from high to low. Before
the flop there is no board: `K7s cr`, and `K7s` alone at the root. (The thesis's figures also have
keys with a letter `n` that nothing explains; none are written, and such rows are left out on
reading.)
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

#: The first row, as the thesis's program writes it.
HEADER = "info_set,strategies"
_VISITS = ",visits"
_MOST_DIGITS = 6
_CLASSES_AT_ONCE = 13  # or as many as fit: each batch is a pass over the whole strategy
_BYTES_AT_ONCE = 64 << 20
_COLUMNS = {"fold": 0, "check": 1, "call": 1, "bet": 2}


def class_texts() -> tuple[str, ...]:
    """Return the starting classes by their number."""
    return tuple(class_text(index) for index in range(NUM_CLASSES))


def board_texts(size: int) -> tuple[str, ...]:
    """Return the ranks of boards of so many cards, by the number that `suitless` gives them.

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

    Raises BlueprintError if a decision has more than one size of bet, or a swap.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("cardiff"), "cardiff")
    >>> tree.line(letter_lines(tree)[1, "rcc"])
    'b20c/k'
    """
    lines: dict[int, str] = {0: ""}
    found: dict[tuple[int, str], int] = {}
    for node in range(tree.num_nodes):  # parents come before their children
        actions = tree.actions(node)
        if not actions or node not in lines:
            continue
        letters = [{"k": "c", "b": "r"}.get(action[0], action[0]) for action in actions]
        if letters not in (["f", "c", "r"], ["f", "c"], ["c", "r"], ["c"]):
            raise BlueprintError(
                f"after '{tree.line(node)}' there is a choice of {', '.join(actions)}: lines of "
                "c and r are for games with one size of bet and no swaps"
            )
        found[int(tree.street[node]), lines[node]] = node
        for letter, child in zip(letters, tree.children(node), strict=True):
            if letter != "f" or tree.num_players > 2:
                lines[child] = lines[node] + letter
    return found


def check_suitless(tree: Tree, cards: CardAbstraction | None) -> None:
    """Refuse what has no keys: other games, buckets, sizes of bets, and streets after the flop."""
    spec = tree.spec
    if spec.streets[0].hole != 2 or len(spec.deck) != NUM_CARDS or tree.num_players != 2:
        raise BlueprintError(
            f"this layout is for hold'em of two players with two cards each, not '{spec.name}'"
        )
    if tree.num_streets > _MOST_STREETS:
        raise BlueprintError(
            f"this layout is for games that end on the flop, and '{spec.name}' has "
            f"{tree.num_streets} streets"
        )
    letter_lines(tree)  # refuses several sizes of bets
    boards = spec.board_sizes
    kinds = [] if cards is None else [rule.name for rule in cards.rules[: len(boards)]]
    good = cards is not None and kinds == ["classes", *["ranks"] * (len(boards) - 1)]
    good = good and not (cards is None or cards.recall) and cards.num_buckets[0] == NUM_CLASSES
    if not good or boards != BOARD_CARDS[: len(boards)]:
        name = "enumerated deals" if cards is None else f"'{cards.name}'"
        raise BlueprintError(f"this layout is for hold'em with suitless buckets, not {name}")


class _StreetRows(NamedTuple):
    """The decisions of a street in the order of their lines."""

    lines: list[str]
    boards: tuple[str, ...]
    """By their number in buckets."""
    groups: list[int]
    columns: NDArray[np.intp]
    """[decisions, 3] where fold, call and raise stand in the groups' entries side by side; the
    last place, which holds 0, where they are not possible."""
    infosets: NDArray[np.intp]
    """[decisions] where their weights stand in the groups' infosets side by side."""


class _Block(NamedTuple):
    """Rounded probabilities [.., decisions, 3], and weights [.., decisions]."""

    numbers: NDArray[np.int32]
    weights: NDArray[np.float32]

    def of(self, place: int) -> _Block:
        """Those of one board."""
        return _Block(self.numbers[place], self.weights[place])


class _Numbers(dict[int, str]):
    """Probabilities as they are written, by their rounded numbers; made when first asked for."""

    def __init__(self, digits: int) -> None:
        self._digits = digits

    def __missing__(self, number: int) -> str:
        """Write one."""
        self[number] = f"{number / 10**self._digits:.{self._digits}f}"
        return self[number]


class _Form:
    """What is written, and how."""

    def __init__(
        self, blueprint: Blueprint, digits: int, untrained: bool, threshold: float, visits: bool
    ) -> None:
        self.blueprint, self.untrained, self.threshold = blueprint, untrained, threshold
        self.scale = 10**digits
        self.numbers = _Numbers(digits)
        self._visits = blueprint.visit_scale if visits else None
        if visits and self._visits is None:
            raise BlueprintError(f"{blueprint.path} does not tell how often training came to a row")

    def visit_texts(self, weights: NDArray[np.float32]) -> Iterable[str]:
        """The third column of rows with these weights; empty texts if it is not wanted."""
        scale = self._visits
        if scale is None:
            return repeat("", len(weights))
        visits = (weights / scale.weight).tolist()
        return [f",{count:.0f}{'~' if count < scale.few else ''}" for count in visits]


def write_csv(  # noqa: PLR0913 - what is written, and how
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
        The strategy; of two players, with one size of bet.
    path
        Where to.
    digits
        After the point, 1 to 6; the thesis has 2.
    untrained
        Whether untrained infosets are written, too, with the uniform strategy.
    progress
        Called with the starting classes that are written and all there are.
    threshold
        Bets and folds that are rarer are left out: `blueprint.threshold` writes the strategy as it
        is played.
    visits
        Whether a third column tells how often training came to the infoset, with a `~` behind
        where that is few; refused where it is not known.

    Returns
    -------
    int
        Rows written.
    """
    if not 1 <= digits <= _MOST_DIGITS:
        raise BlueprintError(f"numbers are written with 1 to {_MOST_DIGITS} digits, not {digits}")
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
    """All rows in order, some at a time, with the number of their starting class from 1."""
    classes = sorted(zip(class_texts(), range(NUM_CLASSES), strict=True))
    infosets = sum(len(rows.boards) * len(rows.lines) for rows in streets)
    fitting = _BYTES_AT_ONCE // (infosets * 4 * (3 + 1))  # of three numbers and a weight
    step = max(_CLASSES_AT_ONCE, fitting)
    for first in range(0, NUM_CLASSES, step):
        batch = classes[first : first + step]
        wanted = [number for _, number in batch]
        blocks = [_read_classes(form, rows, wanted) for rows in streets]
        for place, (name, _) in enumerate(batch):
            own = [_Block(numbers[place], weights[place]) for numbers, weights in blocks]
            found = _class_rows(name, streets, own, form)
            for texts in found:
                yield first + place + 1, texts


def _class_rows(
    name: str, streets: list[_StreetRows], blocks: list[_Block], form: _Form
) -> Iterator[list[str]]:
    """Rows of one starting class: the root, boards by their text, then the other lines.

    Digits and large letters come before small ones.
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
    """Rows of one bucket: [decisions, 3] numbers; those that are left out begin with -1."""
    kept, numbers = np.flatnonzero(block.numbers[:, 0] >= 0), form.numbers
    visits = form.visit_texts(block.weights[kept])
    shares = block.numbers[kept].tolist()
    return [
        f'{start}{rows.lines[at]},"[{numbers[fold]},{numbers[call]},{numbers[bet]}]"{visited}\n'
        for at, (fold, call, bet), visited in zip(kept.tolist(), shares, visits, strict=True)
    ]


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
            column = _COLUMNS[Action(action).kind]
            columns[row, column] = entries[at] + int(tree.offset[node]) + place
        starts = blueprint.layout.groups[group].starts
        infosets[row] = decisions[at] + np.searchsorted(starts, int(tree.offset[node]))
    lines, boards = [line for line, _ in found], board_texts(BOARD_CARDS[street])
    return _StreetRows(lines, boards, groups, columns, infosets)


def _read_classes(form: _Form, rows: _StreetRows, classes: list[int]) -> _Block:
    """Rounded probabilities and weights, [classes, boards, decisions]; -1 of rows left out.

    A board's buckets lie side by side, so that a batch of classes is read in one pass.
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
