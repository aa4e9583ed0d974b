"""Resolve a recipe: `Plan` has its parts and sizes, `Setup` what a solver needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.blueprint import Header, Training, write_blueprint
from riverboat.buckets import (
    CardAbstraction,
    ProgressCall,
    bucket_tables,
    fitted_abstraction,
    no_progress,
    parse_abstraction,
)
from riverboat.cards import BOARD_CARDS, NUM_BOARDS, NUM_HOLES
from riverboat.errors import RiverboatError, RunError
from riverboat.evaluate import RESPONSE_BYTES
from riverboat.report import size
from riverboat.runs import available_memory, num_cores
from riverboat.solve import (
    Deals,
    FixedSwaps,
    Solver,
    bucket_win_rates,
    bytes_per_entry,
    check_scheme,
    enumerate_deals,
    enumerate_public,
    holdem_deals,
    starting_regrets,
    table_sizes,
)
from riverboat.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat import solve
    from riverboat.buckets import AbstractionText
    from riverboat.game import GameSpec
    from riverboat.solve import Deals, Scheme
    from riverboat.training._recipe import Recipe

PROCESS_BYTES: Final = 100_000_000  # Python, NumPy and the rest
_SPARE: Final = 0.95  # usable share of the free memory
_NODE_BYTES: Final = 60
_EXAMPLE: Final = ("169", "50", "50", "50")
_SAMPLED: Final = "chance, external, outcome, average-strategy, pure or public-chance"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a run, in numbers of table entries and in bytes."""

    infosets: int
    entries: int
    """Total number of actions of all infosets."""
    table_bytes: int
    """Regrets and average strategy."""
    tree_bytes: int
    bucket_bytes: int
    """Bucket tables, which are mapped from the cache folder."""
    measure_bytes: int
    """Additional memory while trained responses measure exploitability."""
    blueprint_bytes: int
    """Upper bound if untrained infosets are left out of the file."""
    cards: tuple[int, ...] | None
    """Buckets by street; None if deals are enumerated."""

    @property
    def memory_bytes(self) -> int:
        """Memory of all parts together."""
        return self.table_bytes + self.tree_bytes + self.bucket_bytes + self.measure_bytes


@dataclass(frozen=True)
class Plan:
    """A recipe whose parts are resolved and fit one another; create it with `of`.

    Attributes
    ----------
    recipe
        The recipe; `recipe.spec`, `bet_menu` and `solver_scheme` are its game, menu and scheme.
    tree
        The tree of the whole game.
    cards
        The card abstraction, not fitted yet; None if deals are enumerated.
    streets
        Street of the abstraction for each street of the game.
    threads
        Threads of the solver; full-width schemes have one.
    """

    recipe: Recipe
    tree: Tree
    cards: AbstractionText | None
    streets: tuple[int, ...]
    threads: int

    @classmethod
    def of(cls, recipe: Recipe | Plan) -> Plan:
        """Resolve a recipe; return a plan unchanged.

        Raises
        ------
        RunError
            If game, menu, cards and scheme do not fit one another, with the reason.

        Examples
        --------
        >>> from riverboat.training import load_recipe
        >>> plan = Plan.of(load_recipe("laptop"))
        >>> plan.tree.num_decisions, plan.sizes.entries
        ((44, 480, 2344, 8456), 5811401)
        """
        if isinstance(recipe, Plan):
            return recipe
        try:
            tree = Tree(recipe.tree_spec, recipe.bet_menu)
            cards, streets = _cards(recipe)
        except RunError:
            raise
        except RiverboatError as error:
            raise RunError(f"the recipe cannot be trained: {error}") from error
        full = recipe.solver_scheme.sampling == "full"
        threads = 1 if full else recipe.threads or num_cores()
        _check_scheme(recipe.solver_scheme, tree, threads)
        _check_swaps(recipe)
        return cls(recipe, tree, cards, streets, threads)

    @cached_property
    def enumerated(self) -> Deals:
        """The enumerated deals of a small game."""
        return enumerate_deals(self.tree)

    # ---- Sizes

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of the run.

        Examples
        --------
        >>> from riverboat.training import load_recipe
        >>> Plan.of(load_recipe("leduc")).sizes.entries
        672
        """
        if self.cards is None:
            return self._sizes(None)
        known = self.cards.num_buckets  # upper bounds: equal hands may leave buckets empty
        return self._sizes(tuple(known[street] for street in self.streets))

    def _sizes(self, cards: tuple[int, ...] | None) -> Sizes:
        """Sizes with the given numbers of buckets by street."""
        tree = self.tree
        if cards is None:
            counts = list(self.enumerated.num_buckets)
        else:
            counts = [cards[street] for street in tree.group_street.tolist()]
        infosets, entries = table_sizes(tree, counts)
        tables = entries * bytes_per_entry(self.recipe.solver_scheme)
        return Sizes(
            infosets=infosets,
            entries=entries,
            table_bytes=tables,
            tree_bytes=tree.num_nodes * _NODE_BYTES,
            bucket_bytes=self._bucket_bytes(cards) if cards else 0,
            measure_bytes=self._measure_bytes(entries, tables) if cards else 0,
            # The file has a weight for each infoset, of the same type as probabilities.
            blueprint_bytes=(entries + infosets) * np.dtype(self.recipe.file.values).itemsize,
            cards=cards,
        )

    @property
    def _recall(self) -> bool:
        return self.cards is not None and self.cards.recall

    def _bucket_bytes(self, cards: tuple[int, ...]) -> int:
        """Bytes of the bucket tables; each street has the smallest dtype for its own buckets."""
        total, before = 0, 1
        for board, count in zip(self.tree.spec.board_sizes, cards, strict=False):
            own = count // before
            before = count if self._recall else 1
            total += NUM_BOARDS.get(board, 1) * NUM_HOLES * np.min_scalar_type(own - 1).itemsize
        return total

    def _measure_bytes(self, entries: int, tables: int) -> int:
        """Additional memory of a measurement; the last one is done after the tables are freed."""
        every = self.recipe.bound.every
        if every == 0:
            return 0
        needed = entries * RESPONSE_BYTES
        return needed if every else max(0, needed - tables)

    def check_memory(self) -> Sizes:
        """Refuse a run that does not fit into memory, and say which abstraction would."""
        sizes = self.sizes
        needed, free = sizes.memory_bytes + PROCESS_BYTES, int(available_memory() * _SPARE)
        if needed <= free:
            return sizes
        raise RunError(
            f"training needs {size(needed)} of memory ({size(sizes.table_bytes)} for "
            f"{sizes.entries:,} strategy entries), but only {size(free)} are available: "
            f"{size(needed - free)} are missing. {self._what_fits(free)}"
        )

    def _what_fits(self, free: int) -> str:
        """Say how many buckets would fit into memory."""
        cards = self.sizes.cards
        if cards is None or len(cards) < 2:
            return "A smaller bet menu needs less."
        first, later = cards[0], len(cards) - 1

        def fits(count: int) -> bool:
            own = (first, *(count for _ in range(later)))
            sizes = self._sizes(tuple(accumulate(own, mul)) if self._recall else own)
            return sizes.memory_bytes + PROCESS_BYTES <= free

        if not fits(1):
            return "No number of buckets would fit: use a smaller bet menu."
        low, high = 1, max(cards)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(middle) else (low, middle - 1)
        recall = " (with recall)" if self._recall else ""
        return f"With this menu at most {low:,} buckets{recall} on each later street would fit."


# ---- Checks that the parts of a recipe fit one another


def _cards(recipe: Recipe) -> tuple[AbstractionText | None, tuple[int, ...]]:
    """Parse the card abstraction; refuse one with fewer streets than the game."""
    spec, text = recipe.spec, recipe.cards.strip()
    if not spec.has_holdem_cards:
        if text != "lossless":
            raise RunError(
                f"cards = {text!r} needs hold'em with a deck of 52 cards: "
                f"use 'lossless' for {spec.name or 'this game'}"
            )
        return None, ()
    streets = _table_streets(spec)
    needed = max(streets) + 1
    cards = parse_abstraction(f"lossless {needed}" if text == "lossless" else text)
    if len(cards.streets) < needed:
        raise RunError(
            f"cards = {text!r} has buckets for only {len(cards.streets)} of the {needed} streets "
            f"of {spec.name or 'the game'}: give buckets for all streets, as in "
            f"'percentile {'/'.join(_EXAMPLE[:needed])}'"
        )
    return cards, streets


def _table_streets(spec: GameSpec) -> tuple[int, ...]:
    """Street of an abstraction for each street of a hold'em game: 0 = preflop, 1 = flop, ..."""
    boards = spec.board_sizes
    if any(board not in BOARD_CARDS for board in boards):
        raise RunError(
            f"{spec.name or 'the game'} has boards of {', '.join(map(str, boards))} cards, but "
            "card abstractions need boards of 0, 3, 4 or 5 cards"
        )
    return tuple(BOARD_CARDS.index(board) for board in boards)


def _check_scheme(scheme: Scheme, tree: Tree, threads: int) -> None:
    """Refuse a scheme that cannot solve the game."""
    try:
        check_scheme(tree, scheme, threads)
    except RiverboatError as error:
        raise RunError(f"the scheme {scheme.name!r} cannot be trained: {error}") from error
    spec = tree.spec
    name, swaps = spec.name or "the game", spec.has_swaps
    if scheme.sampling == "full" and (spec.has_holdem_cards or spec.players > 2):
        raise RunError(
            f"the scheme {scheme.name!r} needs a small game for two players, and {name} is "
            f"not one: use {_SAMPLED} sampling"
        )
    if scheme.sampling == "public-chance" and (swaps or spec.players > 2):
        raise RunError(
            f"the scheme {scheme.name!r} needs two players and no swaps, and {name} has "
            f"{'swaps' if swaps else f'{spec.players} players'}: use external or outcome sampling"
        )


def _check_swaps(recipe: Recipe) -> None:
    """Refuse a rule for swaps in games without swaps, or with a scheme that cannot deal them."""
    if recipe.swap_gain is None:
        return
    if not recipe.spec.has_swaps:
        raise RunError(
            f"swap_gain={recipe.swap_gain:g} is for games with swaps, and "
            f"{recipe.spec.name or 'the game'} has none: leave it out"
        )
    if recipe.solver_scheme.sampling == "public-chance":
        raise RunError("public-chance sampling needs a game without swaps: use external sampling")


# ---- The input of a solver: deals, starting regrets


@dataclass(frozen=True)
class Setup:
    """The input of a solver; the members of an ensemble share it."""

    tree: Tree
    cards: CardAbstraction | None
    """None if deals are enumerated."""
    deals: Deals
    threads: int
    starting_regrets: NDArray[np.float32] | None

    @property
    def exact(self) -> bool:
        """Whether exploitability is computed exactly, because deals are enumerated."""
        return self.deals.num_deals is not None

    def solver(self, recipe: Recipe) -> solve.Solver:
        """Return a new solver for a recipe.

        Examples
        --------
        >>> from riverboat.training import load_recipe
        >>> recipe = load_recipe("leduc")
        >>> prepare(recipe).solver(recipe).iterations
        0
        """
        return Solver(
            self.deals,
            recipe.solver_scheme,
            seed=recipe.seed,
            threads=self.threads,
            starting_regrets=self.starting_regrets,
        )

    def average(self, solver: Solver) -> NDArray[Any]:
        """Return a solver's average strategy, in the precision of the measurement."""
        return solver.strategy(np.float64 if self.exact else np.float32)

    def write(self, path: Path, recipe: Recipe, solver: Solver) -> tuple[str, ...]:
        """Write a solver's average strategy and its recipe to a blueprint file.

        Returns
        -------
        tuple of str
            Findings of the checks of the strategy.
        """
        training = Training(
            scheme=solver.scheme.as_whole_dict(),
            seed=solver.seed,
            threads=solver.threads,
            iterations=solver.iterations,
            seconds=solver.seconds,
            recipe=recipe.as_dict(),
        )
        rule = {} if recipe.swap_gain is None else {"swap_gain": recipe.swap_gain}
        header = Header.of(
            self.tree,
            self.deals.num_buckets,
            training,
            recipe.spec,
            **rule,
            fallback=recipe.fallback,
            values=recipe.file.values,
            pruned=recipe.file.pruned,
        )
        findings = write_blueprint(path, header, self.tree, solver.average, self.cards)
        return tuple(f"{finding.level}: {finding.text}" for finding in findings)


def prepare(
    recipe: Recipe | Plan,
    progress: ProgressCall = no_progress,
    cards: CardAbstraction | None = None,
) -> Setup:
    """Build the input of a solver: tree, card abstraction, deals, starting regrets.

    Parameters
    ----------
    recipe
        The recipe, or its plan.
    progress
        Called while hand-strength tables, buckets and bucket tables are built.
    cards
        The card abstraction of an earlier run; by default it is fitted as the recipe says.

    Raises
    ------
    RunError
        If game, menu, cards and scheme do not fit one another, with the reason.

    Examples
    --------
    >>> from riverboat.training import load_recipe
    >>> prepare(load_recipe("leduc")).deals.num_deals
    24
    """
    plan = Plan.of(recipe)
    recipe = plan.recipe
    try:
        if plan.cards is not None:
            seed = recipe.cards_seed
            cards = cards or fitted_abstraction(plan.cards, seed=seed, progress=progress)
            gain = recipe.swap_gain
            fixed = None if gain is None else FixedSwaps(recipe.spec, gain)
            deals = holdem_deals(plan.tree, bucket_tables(cards, progress=progress), fixed=fixed)
        else:
            public = recipe.solver_scheme.sampling == "public-chance"
            deals = enumerate_public(plan.tree) if public else plan.enumerated
        start = None
        if recipe.start is not None:
            rates = bucket_win_rates(deals)
            start = starting_regrets(deals, rates, recipe.start.iterations)
    except RunError:
        raise
    except RiverboatError as error:
        raise RunError(f"the recipe cannot be trained: {error}") from error
    return Setup(plan.tree, cards, deals, plan.threads, start)
