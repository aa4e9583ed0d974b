"""Matches: each bot against variants of itself, and strategies against each other."""

from collections.abc import Mapping

from riverboat.arena import MatchResult
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import Style
from riverboat.buckets import parse_abstraction
from riverboat.reproductions._rows import Found
from riverboat.reproductions._run import ReproductionRun, machine
from riverboat.reproductions._work import play_named
from riverboat.reproductions.caltech._training import BOT, DATA, KEYED, file_of, shop_of
from riverboat.training import Plan, load_recipe
from riverboat.tree import BetMenu

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


def play_variants(run: ReproductionRun) -> Found:
    """Play each bot against the six variants of itself."""
    texts = {(bot, style): _bot(run, bot) for bot in BOTS for style in DATA.styles}
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    return _played(run, pairs, DATA.amounts(run).hands)


def play_duels(run: ReproductionRun) -> Found:
    """Play strategies against each other."""
    pairs = {(bot, other): (_bot(run, bot), _bot(run, other)) for bot, other in DUELS}
    return _played(run, pairs, DATA.amounts(run).duel_hands)


def play_default(run: ReproductionRun) -> Found:
    """Play the default bot against its variants, the threshold on neither and on both sides."""
    default = Blueprint.open(default_blueprint())
    sides = {"neither": 0.0, "both": default.threshold}
    texts = {
        (side, style): f"blueprint:threshold={threshold}"
        for side, threshold in sides.items()
        for style in DATA.styles
    }
    pairs = {names: (text, f"{text},style={names[1]}") for names, text in texts.items()}
    played = play_named(run, pairs, game=default.tree.spec, hands=DATA.amounts(run).hands)
    won = {
        side: {style: played[side, style].mbb_per_hand() for style in DATA.styles} for side in sides
    }
    return Found(threshold=default.threshold, won=won)


def _bot(run: ReproductionRun, name: str) -> str:
    return f"blueprint:{file_of(run, name)}"


def _played(
    run: ReproductionRun, pairs: Mapping[tuple[str, str], tuple[str, str]], hands: int
) -> Found:
    """Play matches; what the first bot won, by bot and opponent."""
    results, found = play_named(run, pairs, game=shop_of(run).recipe.spec, hands=hands), Found()
    for (bot, opponent), result in results.items():
        found.setdefault(bot, Found())[opponent] = _one(result)
    return Found(matches=found)


def _one(result: MatchResult) -> Found:
    """Return the result in mbb/hand, and the curve of big blinds won with its 95 % band."""
    curve, blind = result.curve(points=_POINTS), result.settings.spec.big_blind
    totals = {
        name: [float(each) / blind for each in curve[column]]
        for name, column in (("blinds", "chips"), ("low", "low"), ("high", "high"))
    }
    hands = [int(hands) for hands in curve["hands"]]
    return Found(won=result.mbb_per_hand(), hands=hands, **totals)


def setting(run: ReproductionRun) -> Found:
    """Return what this run trained and played."""
    shop, seed = shop_of(run), run.seed
    recipe, amounts = shop.recipe, shop.amounts
    first, *_, later = BetMenu.parse(recipe.menu).streets
    two_raises = load_recipe(DATA.training).changed({"menu": DATA.two_raises})
    return Found(
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
