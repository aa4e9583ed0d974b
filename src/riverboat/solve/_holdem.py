"""Sampled deals of hold'em: cards from the deck, buckets from tables."""

from riverboat import _core
from riverboat.buckets import BucketTables, swap_values
from riverboat.cards import BOARD_CARDS, HandStrength, StreetName
from riverboat.errors import SolveError
from riverboat.game import GameSpec
from riverboat.solve._deals import Deals
from riverboat.tree import Tree

__all__ = ["holdem_deals"]

_SWAP_STREETS: dict[int, StreetName] = {3: "flop", 4: "turn"}  # by cards on the board


def holdem_deals(
    tree: Tree, abstraction: BucketTables, tables: HandStrength | None = None
) -> Deals:
    """Deal hold'em at random from the deck of 52, with the buckets of an abstraction.

    In games with swaps every line of a player's own swaps is dealt at once: the replacement
    cards are drawn beforehand, and a swap gives up the hole card that is worth less beside a
    random other one (see `swap_values`).

    Parameters
    ----------
    tree
        Of a game with two hole cards and boards of 0, 3, 4 and 5 cards.
    abstraction
        Its tables must reach the game's last street. With recall a player's bucket tells his
        buckets of earlier streets too, each with the cards that he held at its end; the game's
        streets are then preflop, flop, turn and river, or the first of them.
    tables
        The hand-strength tables, for games with swaps only; the user's by default.

    Examples
    --------
    >>> from riverboat.buckets import rank_buckets
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver
    >>> deals = holdem_deals(Tree(catalogue("cardiff"), "cardiff"), rank_buckets(2))
    >>> Solver(deals, Scheme("external"), seed=1).run_all(iterations=100).iterations
    100
    """
    streets = _table_streets(tree.spec, abstraction)
    swap_boards = _swap_boards(tree.spec)
    if swap_boards and tables is None:
        tables = HandStrength()
    compiled = _core.holdem_dealer(
        tree.compiled,
        [abstraction.tables[street] for street in streets],
        [abstraction.num_buckets[street] for street in streets],
        [swap_values(tables, _SWAP_STREETS[board]) for board in swap_boards if tables is not None],
        abstraction.recall,
    )
    return Deals(tree, compiled)


def _table_streets(spec: GameSpec, abstraction: BucketTables) -> list[int]:
    """Which table serves each street of the game."""
    boards = list(spec.board_sizes)
    if any(board not in BOARD_CARDS for board in boards):
        raise SolveError(f"{spec.name} has boards of {boards} cards: tables are for 0, 3, 4 and 5")
    streets = [BOARD_CARDS.index(board) for board in boards]
    if max(streets) >= len(abstraction.tables):
        raise SolveError(
            f"{spec.name} has boards of {max(boards)} cards, but the abstraction "
            f"'{abstraction.name}' ends at {BOARD_CARDS[len(abstraction.tables) - 1]}"
        )
    if abstraction.recall and streets != list(range(len(streets))):
        raise SolveError(
            f"{spec.name} has boards of {boards} cards: buckets are remembered on those of 0, 3, 4 "
            "and 5 in turn"
        )
    return streets


def _swap_boards(spec: GameSpec) -> list[int]:
    """Cards on the board at each swap."""
    swaps = [spec.board_sizes[street] for street in spec.swap_streets]
    if any(board not in _SWAP_STREETS for board in swaps):
        raise SolveError(f"{spec.name} swaps cards on boards of {swaps} cards: 3 and 4 are known")
    return swaps
