"""Names of infosets in the Cardiff thesis's strategy files: `K7s 555 ccr`.

That is the starting class, the ranks on the board, and the line of play, where `c` is a check or
call and `r` a bet or raise, with nothing between the streets. Ranks go from high to low. Before
the flop there is no board: `K7s cr`, and `K7s` alone at the root. (Its figures also have keys
with a letter `n` that nothing explains; none are written, and such rows are left out on reading.)
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from riverboat.cards import BOARD_CARDS, NUM_CARDS, NUM_CLASSES, RANKS, class_text
from riverboat.errors import BlueprintError

if TYPE_CHECKING:
    from riverboat.buckets import CardAbstraction
    from riverboat.tree import Tree

_MOST_STREETS: Final = 2


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
