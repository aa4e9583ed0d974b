"""What several steps share: the recipe of a run, its game, trainings by file, bots, matches."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

from riverboat.arena import BotMaker, MatchSettings
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told, play_all
from riverboat.reproductions.pineapple._recipe import DATA, Amounts
from riverboat.solve import Solver
from riverboat.statistics import Estimate
from riverboat.training import Recipe, Setup, Until, load_recipe, prepare, write_result


class Workshop:
    """What all steps of a run share."""

    def __init__(self, run: ReproductionRun) -> None:
        self.run = run

    @property
    def amounts(self) -> Amounts:
        """How much is computed."""
        return DATA.amounts(self.run)

    @cached_property
    def recipe(self) -> Recipe:
        """What the authors ran, with the run's threads, amounts and a seed beside the matches'."""
        changes = {
            "seed": self.run.seed + 1,
            "threads": self.run.workers,
            "budget": {"iterations": self.amounts.iterations},
            "file": {"values": "uint8", "pruned": True},
            **({"menu": self.amounts.menu} if self.amounts.menu else {}),
        }
        return load_recipe(DATA.recipe).changed(changes)

    def setup(self, recipe: Recipe, threads: int = 0) -> Setup:
        """Return tree, cards and dealer of a recipe; `threads` 0 = those of the run."""
        setup = _prepared(recipe.menu, recipe.cards, recipe.threads)
        return replace(setup, threads=threads) if threads else setup

    def file(self, name: str) -> Path:
        """Return where the strategy of that name lies."""
        return self.run.path(f"{name}.blueprint")

    def train(
        self, run: ReproductionRun, setup: Setup, recipe: Recipe, name: str, until: Until
    ) -> tuple[Solver, float]:
        """Train a recipe, and write NAME.blueprint.

        Returns
        -------
        The solver, and the seconds of processor time that it had: a slice that has begun is ended.
        """
        solver, spent = setup.solver(recipe), 0.0
        for now in iterate_told(run, solver, until, f"trains {name}"):
            spent = now.processor_seconds
        write_result(self.file(name), setup, recipe, solver)
        return solver, spent

    def bot(self, name: str, translation: str = "", fallback: str = "") -> str:
        """Return the bot that plays from a strategy; by default as the authors' bot does."""
        reading, untrained = translation or DATA.translation, fallback or DATA.fallback
        return f"blueprint:{self.file(name)},translation={reading},fallback={untrained}"

    def play(
        self, run: ReproductionRun, pairs: Sequence[tuple[BotMaker, BotMaker]], hands: int
    ) -> list[Estimate]:
        """Play matches of the discard game; what the first bot of each won, mbb/h."""
        game, seed = self.recipe.spec, run.seed
        settings = [MatchSettings(pair, game, hands=hands, seed=seed) for pair in pairs]
        return [match.result().mbb_per_hand() for match in play_all(run, settings)]


@lru_cache(maxsize=2)
def _prepared(menu: str, cards: str, threads: int) -> Setup:
    """The game; whole seconds of work, and schemes do not matter to it."""
    recipe = load_recipe(DATA.recipe)
    return prepare(recipe.changed({"menu": menu, "cards": cards, "threads": threads}))
