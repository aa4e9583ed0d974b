"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.bots import BackupSettings
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.pineapple._comparisons import (
    compare_samplings,
    compare_settings,
    improve,
    measure_exactly,
)
from riverboat.reproductions.pineapple._own_game import train_own_games
from riverboat.reproductions.pineapple._recipe import DATA
from riverboat.reproductions.pineapple._results import Found, Matches, Setting, Training
from riverboat.reproductions.pineapple._swaps import time_swaps
from riverboat.reproductions.pineapple._training import train
from riverboat.reproductions.pineapple._watching import read_bets, watch
from riverboat.reproductions.pineapple._workshop import Workshop
from riverboat.tree import find_menu

STEPS = (
    "training", "matches", "watching", "readings", "swaps", "settings", "samplings", "exact",
    "own game", "better",
)  # fmt: skip


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    shop, step = Workshop(run), run.step
    training = step("training", train, shop)
    return Found(
        _setting(shop),
        training,
        step("matches", _play_matches, shop, training),
        step("watching", watch, shop, training),
        step("readings", read_bets, shop, training),
        step("swaps", time_swaps, shop),
        step("settings", compare_settings, shop, training),
        step("samplings", compare_samplings, shop),
        step("exact", measure_exactly, shop),
        step("own game", train_own_games, shop, training),
        step("better", improve, shop, training),
    )


def _setting(shop: Workshop) -> Setting:
    backup, recipe = BackupSettings(), shop.recipe
    return Setting(
        iterations=shop.amounts.iterations,
        hands=shop.amounts.hands,
        menu=str(find_menu(recipe.menu)),
        cards=recipe.cards,
        big_blind=recipe.spec.big_blind,
        preflop_share=backup.preflop_share,
        all_in_score=backup.all_in,
    )


def _play_matches(shop: Workshop, training: Training) -> Matches:
    """Play the strategies of a training against the backup bot."""
    *way, last = training.kept
    recipe, own, final = DATA, shop.amounts, last.strategy
    ours = (shop.bot(final), recipe.opponent)
    (main,) = shop.play(shop.run.part(0.0, 0.5), [ours], own.hands)
    bots = [shop.bot(point.strategy) for point in way]
    bots += [shop.bot(final, translation=name) for name in recipe.translations]
    bots += [shop.bot(final, fallback=name) for name in recipe.fallbacks]
    by_score = recipe.opponent_by_score
    pairs = [(bot, recipe.opponent) for bot in bots]
    pairs += [(ours[0], by_score), (by_score, recipe.opponent)]
    won = iter(shop.play(shop.run.part(0.5, 1.0), pairs, own.side_hands))
    return Matches(
        main,
        tuple((point.iterations, next(won)) for point in way),
        {name: next(won) for name in recipe.translations},
        {name: next(won) for name in recipe.fallbacks},
        *won,
    )
