"""The authors' epsilon, beta and tau against the paper's, at equal samples."""

import msgspec

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.work import bot_text, played, prepared, recipe_of, solved

__all__ = ["Setting", "Settings", "compare_settings"]

_PAPER = "average-strategy"
_FILE = "papers-settings-samples"


class Setting(msgspec.Struct, frozen=True):
    """A training with some settings."""

    name: str
    epsilon: float
    beta: float
    tau: float
    seconds: float
    visited: int
    against_backup: Won
    """mbb/h."""


class Settings(msgspec.Struct, frozen=True):
    """Theirs, the paper's, and what the paper's wins from theirs."""

    iterations: int
    infosets: int
    rows: tuple[Setting, ...]
    head_to_head: Won
    """What the paper's settings win from theirs, mbb/h."""


def compare_settings(run: Reproduction, training: Training) -> Settings:
    """Train with the paper's settings as many samples as a kept strategy had."""
    return run.step("settings", Settings, lambda: _compare(run, training))


def _compare(run: Reproduction, training: Training) -> Settings:
    own, recipe = amounts(run), recipe_of(run)
    theirs = next(p for p in training.points if p.iterations == own.setting_iterations)
    paper = recipe.changed({"scheme": _PAPER, "budget": {"iterations": theirs.iterations}})
    solver = solved(run, prepared(recipe), paper, _FILE, (0.0, 0.8))
    bots = [bot_text(run, theirs.strategy), bot_text(run, _FILE)]
    pairs = [(bot, data().opponent) for bot in bots] + [(bots[1], bots[0])]
    first, second, head = played(run, pairs, own.side_hands, (0.8, 1.0))
    rows = []
    for name, each, seconds, visited, won in (
        ("theirs", recipe, theirs.seconds, theirs.visited, first),
        ("the paper's", paper, solver.seconds, solver.report().visited, second),
    ):
        scheme = each.solver_scheme()
        numbers = (scheme.exploration, scheme.beta_offset, scheme.tau)
        rows.append(Setting(name, *numbers, seconds, visited, won))
    return Settings(theirs.iterations, training.infosets, tuple(rows), head)
