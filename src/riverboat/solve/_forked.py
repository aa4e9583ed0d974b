"""External sampling with a thread for each large subtree and a lock for each infoset.

That is how the caltech seed uses threads; here it is measured beside threads with deals of their
own. It counts the longest way of decisions that follow one another: no number of cores is faster.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.solve._checks import whole_number
from riverboat.solve._deals import Deals

_MOST = 1 << 40


class Forks(NamedTuple):
    """Which subtrees get a thread, and how they are walked."""

    more_than: int = 3
    """Actions of the decision above them."""
    last_street: int = 1
    """Of that decision, at most."""
    threads: bool = True
    """False walks all in turn; locks are taken, and the longest way is counted, all the same."""
    floor: float = 0.0
    """Least probability of an action."""


class ForkCounts(NamedTuple):
    """What was done."""

    nodes: int
    """Decisions entered."""
    span: int
    """Of these on the longest way, summed over the walks."""
    threads: int
    """Started."""


def run_forked(
    deals: Deals,
    iterations: int,
    tables: tuple[NDArray[np.float32], NDArray[np.float64]],
    forks: Forks,
    seed: int = 0,
) -> ForkCounts:
    """Run the first iterations of external sampling, two players.

    Parameters
    ----------
    deals
        The game.
    iterations
        How many; each is one deal and a walk for each player.
    tables
        [entries] regrets and average weights, changed.
    forks
        Which subtrees get a thread. With threads a run cannot be repeated bit by bit.
    seed
        Of the deals.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    >>> tables = np.zeros(deals.num_entries, np.float32), np.zeros(deals.num_entries)
    >>> counts = run_forked(deals, 100, tables, Forks(more_than=1))
    >>> counts.threads > 0, counts.span < counts.nodes
    (True, True)
    """
    options = _core.WalkOptions()
    options.seed, options.floor = whole_number("seed", seed, 0, _MOST), forks.floor
    last = whole_number("iterations", iterations, 0, _MOST)
    return ForkCounts(*_core.run_forked(deals.compiled, options, *forks[:3], 0, last, *tables))
