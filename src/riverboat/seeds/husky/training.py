"""The CFR bot, and wide CFR, which differs in nothing but the sizes of raises."""

import msgspec

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, train_recipe
from riverboat.seeds.husky.data import husky
from riverboat.training import load_recipe

__all__ = ["CFR", "WIDE", "Both", "blueprint_text", "train_both"]

#: What the two are called in all of the report.
CFR, WIDE = "CFR", "wide CFR"


class Both(msgspec.Struct, frozen=True):
    """Two trainings: equal cards, scheme and time."""

    narrow: Trained
    """Husky's: raises by one or two big blinds."""
    wide: Trained
    """Half the pot, the pot, all-in."""


def train_both(run: Reproduction) -> Both:
    """Train them one after the other."""
    return run.step("training", Both, lambda: _train(run))


def _train(run: Reproduction) -> Both:
    plan = husky().training
    recipe = load_recipe(plan.recipe).changed({"seed": run.seed, **plan.narrow.of(run)})
    wide = recipe.changed({"name": "husky-wide", **plan.wide.of(run)})
    return Both(
        train_recipe(run, recipe, "husky", (0.0, 0.5)),
        train_recipe(run, wide, "husky-wide", (0.5, 1.0)),
    )


def blueprint_text(run: Reproduction, trained: Trained, rule: str = "") -> str:
    """Return the text of the bot that plays from a training's file.

    Parameters
    ----------
    run
        Whose folder has the file.
    trained
        The training.
    rule
        How bets are translated; the bot's own default if empty.
    """
    text = f"blueprint:{run.path(trained.blueprint)}"
    return f"{text},translation={rule}" if rule else text
