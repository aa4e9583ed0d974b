"""A solver whose regret rule and sampling are Python: slow, and open to any idea."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.plain._kernel import PlainKernel
from riverboat.plain._regret_rules import Cfr
from riverboat.plain._samplings import Full
from riverboat.solve import BaseSolver, Scheme, Tables, whole_number

if TYPE_CHECKING:
    from riverboat.plain._regret_rules import RegretRule
    from riverboat.plain._samplings import Sampling
    from riverboat.solve import Deals

_SAMPLED_STEP = 10_000  # as in `riverboat.solve.Scheme`


class Solver(BaseSolver):
    """One run of a rule and a sampling on a game: `riverboat.solve.Solver` in plain Python.

    It runs on the same trees and deals, has the same tables in the same order, and gives the
    same reports, strategies and states.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    rule
        What becomes of regrets; `Cfr` by default.
    sampling
        What is walked; `Full` by default.
    seed
        Of all random numbers, 0 to 2^64 - 1. Samplings of the core draw the same deals and
        actions with it.
    step
        Iterations that share one discount and one averaging weight; None is 1 where every
        iteration walks all deals, else 10,000.

    Examples
    --------
    >>> from riverboat.evaluate import exploitability
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import CfrPlus
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), CfrPlus())
    >>> solver.run_all(iterations=100).iterations
    100
    >>> exploitability(solver.deals, solver.strategy()).exploitability < 0.01
    True
    """

    def __init__(
        self,
        deals: Deals,
        rule: RegretRule | None = None,
        sampling: Sampling | None = None,
        *,
        seed: int = 0,
        step: int | None = None,
    ) -> None:
        self.seed = whole_number("seed", seed, 0, 2**64 - 1)
        self.rule: RegretRule = Cfr() if rule is None else rule
        self.sampling: Sampling = Full() if sampling is None else sampling
        if step is None:
            step = 1 if self.sampling.every_deal else _SAMPLED_STEP
        size = whole_number("step", step, 1, 2**62)
        # Float64 throughout, with a table of the latest changes, which any rule may want.
        tables = Tables.empty(Scheme("full", "predictive+"), deals.num_entries)
        kernel = PlainKernel(deals, self.rule, self.sampling, self.seed, size, tables)
        super().__init__(deals, tables, kernel)
