"""What several steps share: the recipe of a run, its game, short trainings, bots by file."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from riverboat.arena import MatchSettings
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.pineapple.clock import processor_slices
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.solve import Solver
from riverboat.training import Recipe, Setup, load_recipe, prepare, write_result

__all__ = [
    "blueprint_path",
    "bot_text",
    "played",
    "prepared",
    "recipe_of",
    "solved",
    "solved_alone",
    "training_seed",
]

_FILE = {"values": "uint8", "pruned": True}


def recipe_of(run: Reproduction) -> Recipe:
    """Return what the authors ran, with the run's seed, threads and amounts."""
    own = amounts(run)
    options = {
        "seed": training_seed(run),
        "threads": run.workers,
        "budget": {"iterations": own.iterations},
        "file": _FILE,
    }
    if own.menu:
        options["menu"] = own.menu
    return load_recipe(data().recipe).changed(options)


def training_seed(run: Reproduction) -> int:
    """Return the seed of trainings: another one than that of matches."""
    return run.seed + 1


def prepared(recipe: Recipe, threads: int = 0) -> Setup:
    """Return tree, cards and dealer of a recipe; `threads` 0 = those of the run."""
    setup = _prepared(recipe.menu, recipe.cards, recipe.threads)
    return replace(setup, threads=threads) if threads else setup


@lru_cache(maxsize=2)
def _prepared(menu: str, cards: str, threads: int) -> Setup:
    """The game; whole seconds of work, and schemes do not matter to it."""
    recipe = load_recipe(data().recipe)
    return prepare(recipe.changed({"menu": menu, "cards": cards, "threads": threads}))


def solved(
    run: Reproduction, setup: Setup, recipe: Recipe, name: str, share: tuple[float, float]
) -> Solver:
    """Train a recipe briefly, write NAME.blueprint, and return the solver.

    The budget is the recipe's, in iterations or in seconds of the clock.
    """
    solver = Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=setup.threads)
    budget = recipe.budget
    seconds = budget.seconds or float("inf")
    for _ in solver.slices(budget.iterations, None if budget.iterations else seconds):
        done = (
            solver.iterations / budget.iterations if budget.iterations else solver.seconds / seconds
        )
        _tell(run, name, share, done)
    write_result(blueprint_path(run, name), setup, recipe, solver)
    return solver


def solved_alone(
    run: Reproduction, setup: Setup, recipe: Recipe, name: str, share: tuple[float, float]
) -> tuple[Solver, float]:
    """Train for the recipe's seconds of processor time on one thread, and write NAME.blueprint.

    Returns
    -------
    The solver, and the seconds of processor time that it had: an iteration that has begun is
    ended.
    """
    solver = Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=1)
    seconds, spent = recipe.budget.seconds or 0.0, 0.0
    for spent in processor_slices(solver, seconds):
        _tell(run, name, share, spent / seconds)
    write_result(blueprint_path(run, name), setup, recipe, solver)
    return solver, spent


def _tell(run: Reproduction, name: str, share: tuple[float, float], done: float) -> None:
    run.tell(share[0] + (share[1] - share[0]) * min(1.0, done), f"trains {name}")


def blueprint_path(run: Reproduction, name: str) -> Path:
    """Return where the strategy of that name lies."""
    return run.path(f"{name}.blueprint")


def bot_text(run: Reproduction, name: str, translation: str = "", fallback: str = "") -> str:
    """Return the bot that plays from a strategy of the run; by default as the authors' bot does."""
    reading, untrained = translation or data().translation, fallback or data().fallback
    file = blueprint_path(run, name)
    return f"blueprint:{file},translation={reading},fallback={untrained}"


def played(
    run: Reproduction,
    pairs: list[tuple[str, str]],
    hands: int,
    share: tuple[float, float] = (0.0, 1.0),
) -> list[Won]:
    """Play matches of the discard game; what the first bot of each won, mbb/h."""
    game = load_recipe(data().recipe).spec()
    settings = [MatchSettings(pair, game, hands=hands, seed=run.seed) for pair in pairs]
    matches = play_all(run, settings, share)
    results = [match.result() for match in matches]
    return [Won.of(result.mbb_per_hand(), result.hands) for result in results]
