"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.bots import Style
from riverboat.buckets import parse_abstraction
from riverboat.seeds._reproduce import machine
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.caltech._matches import play_duels, play_variants
from riverboat.seeds.caltech._recipe import DATA
from riverboat.seeds.caltech._results import BOT, Found, Setting
from riverboat.seeds.caltech._training import (
    Workshop,
    combine_members,
    fit_one_thread,
    fit_strategy,
    measure_speed,
)
from riverboat.training import load_recipe, sizes_of
from riverboat.tree import BetMenu

_FITS = tuple(fit.name for fit in DATA.fit)
STEPS = ("speed", *_FITS, "one-thread", "ensemble", "variants", "duels")


def find(run: Reproduction) -> Found:
    """Do all steps: first what must be trained, then the matches."""
    shop = Workshop(run)
    speeds = run.step("speed", measure_speed, shop)
    fits = {fit.name: run.step(fit.name, fit_strategy, shop, fit) for fit in DATA.fit}
    first = fits["member-1"]
    one = run.step("one-thread", fit_one_thread, shop, first)
    members = [fits[fit.name] for fit in DATA.fits("member")]
    bot = run.step("ensemble", combine_members, shop, members)
    shop.close()
    return Found(
        _setting(shop),
        speeds,
        {BOT: bot, **fits, one.same_time.name: one.same_time, "one-thread": one.same_iterations},
        run.step("variants", play_variants, shop),
        run.step("duels", play_duels, shop),
    )


def _setting(shop: Workshop) -> Setting:
    recipe, amounts, seed = shop.recipe, shop.amounts, shop.run.seed
    first, *_, later = BetMenu.parse(recipe.menu).streets
    two_raises = load_recipe(DATA.training).changed({"menu": DATA.two_raises})
    return Setting(
        preflop=tuple(map(str, first.by_depth[0])),
        postflop=tuple(map(str, later.by_depth[0])),
        first_cap=first.cap or 0,
        later_cap=later.cap or 0,
        buckets="/".join(map(str, parse_abstraction(recipe.cards).num_buckets)),
        threads=shop.threads,
        start=round(recipe.start.iterations) if recipe.start else 0,
        iterations=amounts.iterations,
        seeds=" to ".join(str(seed + DATA.fits("member")[place].seed) for place in (0, -1)),
        hands=amounts.hands,
        machine=machine(),
        floor_ends=max((until for until, _ in recipe.solver_scheme().floor), default=0),
        two_raises_bytes=sizes_of(two_raises).table_bytes,
        factor=Style("aggressive").factor,
        threshold=Style("tight-aggressive").threshold,
    )
