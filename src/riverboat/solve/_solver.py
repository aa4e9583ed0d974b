"""One run of a scheme on the core's kernels.

Solvers print nothing. With one thread and a seed a run is repeatable bit for bit, however it is
sliced: iteration t draws from the stream (seed, t).
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import SolveError
from riverboat.solve._base import BaseSolver
from riverboat.solve._checks import whole_number
from riverboat.solve._deals import Deals
from riverboat.solve._kernels import make_kernel
from riverboat.solve._scheme import Scheme
from riverboat.solve._tables import Tables
from riverboat.tree import Tree

_MOST_PURE_CHIPS: Final = 2**24  # whole chips in a float32 payoff


class Solver(BaseSolver):
    """One run of a scheme on a game.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    scheme
        The algorithm.
    seed
        Of all random numbers, 0 to 2^64 - 1.
    threads
        Threads that share the tables without locks; sampled schemes only. More
        than one is quicker and not repeatable.
    starting_regrets
        [entries] regrets to start from, in chips; zero by default.

    Attributes
    ----------
    regrets, average
        [entries] the tables, shared with the kernels.
    driver
        What runs the slices: iterations, seconds and nodes so far.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> solver = Solver(deals, Scheme("full", "cfr+", "linear"))
    >>> solver.run_all(iterations=1000).iterations
    1000
    """

    def __init__(
        self,
        deals: Deals,
        scheme: Scheme,
        *,
        seed: int = 0,
        threads: int = 1,
        starting_regrets: NDArray[np.floating[Any]] | None = None,
    ) -> None:
        self.seed = whole_number("seed", seed, 0, 2**64 - 1)
        self.threads = whole_number("threads", threads, 1, 1024)
        check_scheme(deals.tree, scheme, self.threads)
        self.scheme = scheme
        tables = Tables.empty(scheme, deals.num_entries)
        if starting_regrets is not None:
            tables.start_from(starting_regrets)
        self._kernel = make_kernel(deals, scheme, self.seed, self.threads, tables)
        super().__init__(deals, tables, self._kernel)


def check_scheme(tree: Tree, scheme: Scheme, threads: int) -> None:
    """Refuse a scheme that does not suit a game, whatever its cards."""
    most_actions = int(tree.num_actions.max())
    if any(floor * most_actions > 1 for _, floor in scheme.floor):
        raise SolveError(
            f"floor={scheme.floor}: a decision of this tree has {most_actions} actions, "
            f"which leaves a floor of at most {1 / most_actions:.4g}"
        )
    if scheme.sampling == "pure" and sum(tree.spec.stacks) > _MOST_PURE_CHIPS:
        raise SolveError(
            f"pure sampling has integer regrets: stacks of at most {_MOST_PURE_CHIPS:,} chips in "
            f"all, not {sum(tree.spec.stacks):,}"
        )
    if threads > 1 and scheme.sampling == "full":
        raise SolveError(f"{scheme.sampling} sampling runs on one thread, not {threads}")
    if tree.spec.players == 2 and scheme.average_every is not None:
        raise SolveError(
            f"average_every={scheme.average_every} is for three players and more: with two the "
            "average needs no walk of its own"
        )
    if tree.spec.players > 2 and scheme.sampling not in {"external", "outcome", "pure"}:
        raise SolveError(
            f"{scheme.sampling} sampling is for two players; with "
            f"{tree.spec.players} take external, outcome or pure"
        )
