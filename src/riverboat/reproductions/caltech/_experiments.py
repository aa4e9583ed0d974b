"""All experiments, step by step; a stopped run goes on with the step that it was at.

First what must be trained, then matches: of the bot and its members against their variants, and
of strategies against each other.
"""

from collections.abc import Mapping

from riverboat.arena import MatchResult
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import Style
from riverboat.buckets import parse_abstraction
from riverboat.reproductions._reproduce import machine
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import play_named
from riverboat.reproductions.caltech._author import (
    KEYED,
    author_shop,
    count_outcomes,
    fit_keyed,
    measure_forks,
)
from riverboat.reproductions.caltech._recipe import DATA
from riverboat.reproductions.caltech._results import BOT, Found, Match, Setting, Shipped
from riverboat.reproductions.caltech._training import (
    Workshop,
    combine_members,
    file_of,
    fit_one_thread,
    fit_strategy,
    measure_speed,
)
from riverboat.training import Plan, load_recipe
from riverboat.tree import BetMenu

_FITS = tuple(fit.name for fit in DATA.fit)
STEPS = (
    "speed", *_FITS, "one-thread", "ensemble", "outcomes", "threads", KEYED, "variants", "duels",
    "default",
)  # fmt: skip

_POINTS = 60  # of a curve
_MEMBERS = tuple(fit.name for fit in DATA.fits("member"))
#: Who plays the variants of themselves.
BOTS = (BOT, *_MEMBERS, "linear", KEYED)
#: Who plays whom besides: the first one's result is told.
DUELS = (
    *((BOT, member) for member in _MEMBERS),
    ("linear", BOT),
    *((name, member) for name in ("no-floor", "no-start") for member in _MEMBERS),
    ("one-thread-same-time", "member-1"),
    ("one-thread", "member-1"),
    (KEYED, BOT),
    (KEYED, "member-1"),
)


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    shop = Workshop(run)
    speeds = run.step("speed", measure_speed, shop)
    fits = {fit.name: run.step(fit.name, fit_strategy, shop, fit) for fit in DATA.fit}
    first = fits["member-1"]
    one = run.step("one-thread", fit_one_thread, shop, first)
    members = [fits[fit.name] for fit in DATA.fits("member")]
    bot = run.step("ensemble", combine_members, shop, members)
    shop.close()
    author = author_shop(run)
    outcomes = run.step("outcomes", count_outcomes, author)
    forks = run.step("threads", measure_forks, author)
    keyed = run.step(KEYED, fit_keyed, author)
    author.close()
    return Found(
        _setting(shop),
        speeds,
        {BOT: bot, **fits, **one},
        run.step("variants", _play_variants, shop),
        run.step("duels", _play_duels, shop),
        run.step("default", _play_default, shop),
        keyed,
        outcomes,
        forks,
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
        floor_ends=max((until for until, _ in recipe.solver_scheme.floor), default=0),
        two_raises_bytes=Plan.of(two_raises).sizes.table_bytes,
        factor=Style("aggressive").factor,
        threshold=Style("tight-aggressive").threshold,
    )


def _play_variants(shop: Workshop) -> tuple[Match, ...]:
    """Play each bot against the six variants of itself."""
    texts = {(bot, style): _bot(shop, bot) for bot in BOTS for style in DATA.styles}
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    return _played(shop, pairs, shop.amounts.hands)


def _play_duels(shop: Workshop) -> tuple[Match, ...]:
    """Play strategies against each other."""
    pairs = {(bot, other): (_bot(shop, bot), _bot(shop, other)) for bot, other in DUELS}
    return _played(shop, pairs, shop.amounts.duel_hands)


def _play_default(shop: Workshop) -> Shipped:
    """Play the default bot against its variants, the threshold on neither and on both sides."""
    default = Blueprint.open(default_blueprint())
    sides = {"neither": 0.0, "both": default.threshold}
    texts = {
        (side, style): f"blueprint:threshold={threshold}"
        for side, threshold in sides.items()
        for style in DATA.styles
    }
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    played = play_named(shop.run, pairs, game=default.tree.spec, hands=shop.amounts.hands)
    won = {names: result.mbb_per_hand() for names, result in played.items()}
    neither, both = ({style: won[side, style] for style in DATA.styles} for side in sides)
    return Shipped(default.threshold, neither, both)


def _bot(shop: Workshop, name: str) -> str:
    return f"blueprint:{file_of(shop.run, name)}"


def _played(
    shop: Workshop, pairs: Mapping[tuple[str, str], tuple[str, str]], hands: int
) -> tuple[Match, ...]:
    results = play_named(shop.run, pairs, game=shop.recipe.spec, hands=hands)
    return tuple(_one(*names, result) for names, result in results.items())


def _one(bot: str, opponent: str, result: MatchResult) -> Match:
    curve, blind = result.curve(points=_POINTS), result.settings.spec.big_blind
    hands = tuple(int(hands) for hands in curve["hands"])
    lines = (tuple(each / blind for each in curve[name]) for name in ("chips", "low", "high"))
    return Match(bot, opponent, result.mbb_per_hand(), hands, *lines)
