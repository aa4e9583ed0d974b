"""The training: infosets reached, how often, and their probability of all-in.

Each tenth of the training records which infosets the average strategy reached. The number of tenths
that reached an infoset measures how well it is trained. Averaging weights do not measure that,
because average-strategy sampling can weight a single rare visit by thousands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import BotMaker, MatchSettings
from riverboat.blueprint import GroupRows, Layout
from riverboat.files import ArrayFile
from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import Measuring, iterate_told, play_all, train_recipe
from riverboat.solve import Solver
from riverboat.statistics import Estimate
from riverboat.training import (
    Recipe,
    Setup,
    Until,
    load_recipe,
    prepare,
)
from riverboat.translation import Translation
from riverboat.tree import Tree


class Sampled(TomlTable, frozen=True):
    """A scheme of the comparison at equal time."""

    name: str
    file: str
    scheme: str


class Other(TomlTable, frozen=True):
    """A game beside the document's."""

    name: str
    file: str
    menu: str
    solved: bool = False
    """Whether training solves swaps; otherwise the fixed rule swaps."""


class Better(TomlTable, frozen=True):
    """Our better choices."""

    menu: str
    cards: str
    scheme: str
    fallback: Literal["uniform", "check-fold", "monte-carlo"]
    translation: Translation


class Amounts(TomlTable, frozen=True):
    """How much each step computes."""

    iterations: int
    snapshots: tuple[int, ...]
    """Iterations at which the current average strategy is saved and played."""
    hands: int
    """Hands of the main match."""
    side_hands: int
    """Hands of every other match."""
    watched_hands: int
    """Hands in which the decisions of the final bot are counted."""
    side_watched: int
    """Hands in which the decisions of the saved strategies are counted."""
    setting_iterations: int
    """Iterations at which the paper's settings are compared: `iterations` or one of `snapshots`."""
    sampling_seconds: float
    tabulated_deals: int
    """Deals of the table that vanilla CFR traverses in the whole tree."""
    bound: Response
    exact_deals: int
    exact_seconds: tuple[float, ...]
    better_seconds: float
    """CPU seconds of the training with our choices."""
    map_hands: int
    """Hands of each match of the map over the backup bot's guessed numbers."""
    map_shares: tuple[float, ...]
    """Limits before the flop, as shares of the stack."""
    map_scores: tuple[float, ...]
    """Scores from which the backup bot goes all-in."""
    swap_views: int
    slow_views: int
    deals: int
    """Number of deals to time."""
    menu: str = ""
    """Replaces the recipe's bet menu, for a smaller tree in tests."""
    better_menu: str = ""
    better_cards: str = ""


class Pineapple(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    recipe: str
    translation: Translation
    fallback: Literal["uniform"]
    """Fallback in untrained infosets: the menu's actions with equal probability."""
    opponent: str
    opponent_by_score: str
    translations: tuple[Translation, ...]
    fallbacks: tuple[str, ...]
    samplings: tuple[Sampled, ...]
    exact_menu: str
    """Bet menu of the smaller tree with exact exploitability."""
    better: Better
    others: tuple[Other, ...]


DATA = load_data("pineapple", Pineapple)

_TENTHS = "tenths.safetensors"
_BET = 3  # kind of action
_NEAR = 0.1


class Workshop:
    """Recipe, tree and deals that all steps of a run share."""

    def __init__(self, run: ReproductionRun) -> None:
        self.run = run

    @property
    def amounts(self) -> Amounts:
        """The amounts of the run's effort."""
        return DATA.amounts(self.run)

    @cached_property
    def recipe(self) -> Recipe:
        """The authors' recipe with the run's threads and amounts, and its own random seed."""
        changes = {
            "seed": self.run.seed + 1,
            "threads": self.run.workers,
            "budget": {"iterations": self.amounts.iterations},
            "bound.every": 0,
            "file": {"values": "uint8", "pruned": True},
            **({"menu": self.amounts.menu} if self.amounts.menu else {}),
        }
        return load_recipe(DATA.recipe).changed(changes)

    def setup(self, recipe: Recipe, threads: int = 0) -> Setup:
        """Return tree, cards and dealer of a recipe; `threads` 0 = those of the run."""
        setup = _prepared(recipe.menu, recipe.cards, recipe.swap_gain, recipe.threads)
        return replace(setup, threads=threads) if threads else setup

    def train(
        self, run: ReproductionRun, setup: Setup, recipe: Recipe, name: str, until: Until
    ) -> tuple[Solver, float]:
        """Train a recipe, and write NAME.blueprint.

        Returns
        -------
        The solver, and its CPU time in seconds; a started slice is always finished.
        """
        solver, spent = setup.solver(recipe), 0.0
        for now in iterate_told(run, solver, until, f"trains {name}"):
            spent = now.processor_seconds
        setup.write(self.run.blueprint(name), recipe, solver)
        return solver, spent

    def bot(self, name: str, translation: str = "", fallback: str = "") -> str:
        """Return a bot that plays a strategy, by default as the authors' bot does."""
        reading, untrained = translation or DATA.translation, fallback or DATA.fallback
        return f"blueprint:{self.run.blueprint(name)},translation={reading},fallback={untrained}"

    @property
    def better(self) -> str:
        """The bot with our choices."""
        return self.bot("better", DATA.better.translation, DATA.better.fallback)

    def play(
        self, run: ReproductionRun, pairs: Sequence[tuple[BotMaker, BotMaker]], hands: int
    ) -> list[Estimate]:
        """Play matches of the discard game; return the first bots' winnings, mbb/h."""
        game, seed = self.recipe.spec, run.seed
        settings = [MatchSettings(pair, game, hands=hands, seed=seed) for pair in pairs]
        return [match.result().mbb_per_hand() for match in play_all(run, settings)]


@lru_cache(maxsize=2)
def _prepared(menu: str, cards: str, swap_gain: float | None, threads: int) -> Setup:
    """Prepare the game, which takes seconds and does not depend on the scheme."""
    recipe = load_recipe(DATA.recipe)
    changes = {"menu": menu, "cards": cards, "swap_gain": swap_gain, "threads": threads}
    return prepare(recipe.changed(changes))


def shop_of(run: ReproductionRun) -> Workshop:
    """Return the workshop that all steps of a run share."""
    return run.shared("shop", lambda: Workshop(run))


def marks_of(iterations: int, snapshots: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the iterations of measurements: tenths of the training, and saved strategies.

    Examples
    --------
    >>> marks_of(100, (5, 20))
    (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    """
    tenths = {-(-iterations * tenth // 10) for tenth in range(1, 11)}
    return tuple(sorted(tenths | set(snapshots)))


def train(run: ReproductionRun) -> Found:
    """Train as the authors did, and save strategies during the training."""
    shop = shop_of(run)
    setup = shop.setup(shop.recipe)
    course = _Course(shop, setup)
    trained = train_recipe(run, shop.recipe, "training", setup, course)
    return Found(
        points=trained.points,
        infosets=course.layout.num_infosets,
        decisions=sum(setup.tree.num_decisions),
        table_bytes=trained.table_bytes,
        file_bytes=shop.run.blueprint(trained.points[-1].strategy).stat().st_size,
        all_in=trained.all_in,
    )


class _Course(Measuring):
    """Measures a training at its tenths, and saves its strategy at some iterations.

    Results are `points`: the number of infosets with a regret or a strategy (`visited`), the number
    with a strategy (`averaged`), and the name of the saved strategy, if any.
    """

    def __init__(self, shop: Workshop, setup: Setup) -> None:
        last, snapshots = shop.amounts.iterations, shop.amounts.snapshots
        super().__init__(marks_of(last, snapshots), DATA.all_units)
        self.shop, self.setup, self.found = shop, setup, Found(points=[])
        self.kept, self.noted = {*snapshots, last}, marks_of(last)
        self.layout = Layout(setup.tree, setup.deals.num_buckets)
        self.tenths = np.zeros(self.layout.num_infosets, np.uint8)
        self.sums = np.zeros(self.layout.num_infosets)

    def look(self, solver: Solver) -> None:
        """Count the reached infosets, and save the strategy if it is played later."""
        shop, now = self.shop, solver.report()
        shop.run.tell(0.0, f"measures at {now.iterations:,} samples")
        name = f"after-{solver.iterations}" if solver.iterations in self.kept else ""
        if name:
            self.setup.write(shop.run.blueprint(name), shop.recipe, solver)
        if solver.iterations in self.noted:
            sums = _sums(self.layout, solver.average)
            self.tenths, self.sums = self.tenths + (sums > self.sums).astype(np.uint8), sums
        if solver.iterations == self.at[-1]:
            ArrayFile.save(shop.run.path(_TENTHS), {"tenths": self.tenths})
            self.found["all_in"] = all_in_by_tenths(self.layout, solver.average, self.tenths)
        point = Found(
            iterations=now.iterations,
            seconds=now.seconds,
            visited=now.visited,
            averaged=now.averaged,
            strategy=name,
        )
        self.found["points"] = [*self.found.points, point]

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the tenths that reached each infoset, and its weight at the last tenth."""
        return {"tenths": self.tenths, "sums": self.sums}

    def restore(self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore the measurements; the file is untrusted."""
        super().restore(notes, arrays)
        names = [point.get("strategy", "/") for point in self.found.get("points", [{}])]
        plain, own = all(PurePath(name).name == name for name in names), self.arrays()
        alike = all(
            (arrays[name].shape, arrays[name].dtype) == (each.shape, each.dtype)
            for name, each in own.items()
        )
        if not (plain and alike):
            raise ValueError("the notes are from another training")
        self.tenths, self.sums = arrays["tenths"], arrays["sums"]


def read_tenths(run: ReproductionRun) -> NDArray[np.uint8]:
    """Return the number of tenths of the training that reached each infoset, [infosets]."""
    return np.array(ArrayFile(run.path(_TENTHS)).array("tenths"))


def _sums(layout: Layout, average: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of the average of each infoset, [infosets]."""
    sums = np.empty(layout.num_infosets)
    for chunk in layout.chunks():
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        sums[chunk.infosets] = layout.groups[chunk.group].sums(block).ravel()
    return sums


def kept_points(training: Found) -> list[Found]:
    """Return the points at which the strategy was saved; the last is the end."""
    return [point for point in training.points if point.strategy]


def all_in_by_tenths(
    layout: Layout, average: NDArray[np.float64], tenths: NDArray[np.uint8]
) -> list[Found]:
    """Summarise the probability of all-in by tenths of training.

    Infosets with all-in on the menu are grouped by the number of tenths that reached them. Each
    group has the mean `probability` of all-in, the probability of all-in under `uniform` play, and
    `near_uniform`, the share of infosets in which all probabilities are within 0.1 of uniform play.

    Parameters
    ----------
    layout
        Layout of the strategy tables.
    average
        [entries] weights of the average strategy.
    tenths
        [infosets] number of tenths of the training that reached the infoset, 0 to 10.
    """
    totals = np.zeros((11, 4))  # infosets, all-in, uniform, near
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        known = tenths[chunk.infosets].reshape(chunk.num_buckets, -1)
        totals += _chunk_totals(rows, block, known, _all_in_entries(layout.tree, rows))
    means = totals[:, 1:] / np.maximum(1.0, totals[:, :1])
    counts, names = totals[:, 0].astype(int).tolist(), ("probability", "uniform", "near_uniform")
    return [
        Found(tenths=n, infosets=counts[n], **dict(zip(names, line, strict=True)))
        for n, line in enumerate(means.tolist())
    ]


def _chunk_totals(
    rows: GroupRows,
    block: NDArray[np.float64],
    known: NDArray[np.uint8],
    flags: NDArray[np.float64],
) -> NDArray[np.float64]:
    """[11, 4] number of infosets with all-in on the menu by tenths, and sums over them."""
    offered = np.add.reduceat(flags, rows.starts) > 0
    sums = rows.spread(rows.sums(block))
    shares = np.where(sums > 0, block / np.maximum(sums, 1e-300), rows.uniform)
    all_in = rows.sums(shares * flags)[:, offered].ravel()
    far = rows.greatest(np.abs(shares - rows.uniform))[:, offered].ravel()
    uniform = np.broadcast_to(1 / rows.counts, known.shape)[:, offered].ravel()
    tenths = known[:, offered].ravel()
    weights = (np.ones(len(tenths)), all_in, uniform, (far < _NEAR).astype(np.float64))
    return np.stack([np.bincount(tenths, each, 11) for each in weights], axis=1)


def _all_in_entries(tree: Tree, rows: GroupRows) -> NDArray[np.float64]:
    """Return 1 at entries that are all-in bets, [entries of a bucket]."""
    within = np.arange(len(rows.owners)) - rows.starts[rows.owners]
    nodes = rows.nodes[rows.owners]
    children = tree.first_child[nodes].astype(np.int64) + within
    players = tree.player[nodes].astype(np.int64)
    stacks = np.array(tree.spec.stacks)[players]
    whole = tree.contributions[children, players] == stacks
    flags: NDArray[np.float64] = ((tree.action_kind[children] == _BET) & whole).astype(np.float64)
    return flags
