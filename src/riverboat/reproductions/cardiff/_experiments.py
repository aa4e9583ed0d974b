"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.cardiff._author import compare_precision, count_rows
from riverboat.reproductions.cardiff._engine import announce_engine, engine_step
from riverboat.reproductions.cardiff._matches import (
    explain_reversed,
    play_champion,
    play_from_csv,
    play_simulations,
    play_table,
    try_ideas,
)
from riverboat.reproductions.cardiff._results import Found, Setting
from riverboat.reproductions.cardiff._training import (
    clean,
    measure_streets,
    train_and_measure,
    training_recipe,
)
from riverboat.runs import num_cores
from riverboat.training import Plan

STEPS = (
    "training", "cleaning", "csv", "table", "champion", "simulation", "engine", "reversed",
    "streets", "rows", "precision", "future work",
)  # fmt: skip


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    announce_engine(run)
    trained = run.step("training", train_and_measure, run)
    cleaned = run.step("cleaning", clean, run)
    csv = run.step("csv", play_from_csv, run)
    table = run.step("table", play_table, run)
    champion = run.step("champion", play_champion, run)
    simulation = run.step("simulation", play_simulations, run)
    engine = engine_step(run)
    return Found(
        _setting(run, table.hands, engine.hands),
        trained,
        cleaned,
        csv,
        table,
        champion,
        simulation,
        engine,
        run.step("reversed", explain_reversed, run),
        run.step("streets", measure_streets, run),
        run.step("rows", count_rows, run),
        run.step("precision", compare_precision, run),
        run.step("future work", try_ideas, run),
    )


def _setting(run: ReproductionRun, hands: int, engine_hands: int) -> Setting:
    recipe, default = training_recipe(run), Blueprint.open(default_blueprint()).header
    played = (hands, engine_hands, run.workers or num_cores())
    plan = Plan.of(recipe)
    game = (plan.sizes.cards or (), plan.tree.num_decisions)
    ours = (len(default.spec.streets), default.menu)
    lossless = Plan.of(recipe.changed({"cards": "lossless 2"})).sizes.table_bytes
    return Setting(recipe.menu, recipe.budget.iterations or 0, *played, *game, *ours, lossless)
