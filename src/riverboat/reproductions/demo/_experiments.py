"""The steps of the demo: cards, training, matches; and what the trained bot won, as a picture."""

import time

from riverboat.arena import Standing, TournamentResult, bot_name, plot_cross_table
from riverboat.blueprint import Blueprint
from riverboat.buckets import AbstractionProgress
from riverboat.cards import STREETS
from riverboat.learn import preflop_charts
from riverboat.report import draw_estimates
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import Trained, play_round_robin, train_recipe
from riverboat.reproductions.demo._recipe import DATA, training_recipe
from riverboat.reproductions.demo._results import OUR_BOT, Cards, Found, Line, Matches
from riverboat.training import Recipe, Setup, load_recipe, prepare

STEPS = ("cards", "training", "matches")
_NAME = "demo"


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    recipe = training_recipe(run)
    cards, setup = _build_cards(run)
    return Found(
        cards,
        run.step("training", _train, run, recipe, setup),
        run.step("matches", _play_bots, run),
        max(recipe.spec.blinds),
        load_recipe(DATA.training).budget.iterations or 0,
    )


def _build_cards(run: ReproductionRun) -> tuple[Cards, Setup]:
    """Build tables, buckets and tree; what lies in the cache is taken from there."""
    recipe = training_recipe(run)
    made: list[Setup] = []
    shares: dict[tuple[str, str], float] = {}  # hand strength, fitting, compiling of all streets

    def hear(report: AbstractionProgress) -> None:
        shares[report.step, report.street] = report.done / max(1, report.total)
        run.tell(sum(shares.values()) / (3 * len(STREETS)), f"{report.step}, {report.street}")

    def work() -> Cards:
        started = time.monotonic()
        setup = prepare(recipe, hear)
        made.append(setup)
        # Both seats see cards alike: one number of each street's two is enough.
        buckets = setup.deals.num_buckets[:: setup.tree.spec.players]
        seconds = time.monotonic() - started
        return Cards(seconds, tuple(int(n) for n in buckets), sum(setup.tree.num_decisions))

    cards = run.step("cards", work)
    return cards, made[0] if made else prepare(recipe)


def _train(run: ReproductionRun, recipe: Recipe, setup: Setup) -> Trained:
    """Train, and draw what the bot does first of all, with every hand."""
    trained = train_recipe(run, recipe, _NAME, setup=setup)
    blueprint = Blueprint.open(run.path(trained.blueprint))
    chart = preflop_charts(blueprint, least=1, threshold=blueprint.threshold)[0]
    title = DATA.pictures["opening"].filled(title=chart.title, depth=f"{chart.depth:g}").title
    chart.view.draw(run.path("opening.png"), title)
    return trained


def _play_bots(run: ReproductionRun) -> Matches:
    """Play the trained bot and the main bots against each other."""
    started = time.monotonic()
    trained = f"blueprint:{run.path(f'{_NAME}.blueprint')}"
    result = play_round_robin(
        run,
        (trained, *DATA.opponents),
        names=lambda bot: OUR_BOT if bot == trained else bot_name(bot),
        hands=DATA.amounts(run).hands,
    )
    plot_cross_table(result, run.path("table.png"))
    slowest = max(
        match.times(0).percentile(0.99) for pair, match in result.results.items() if not pair[0]
    )
    lines = tuple(_line(result, standing) for standing in result.leaderboard())
    return Matches(time.monotonic() - started, lines, slowest)


def _line(result: TournamentResult, standing: Standing) -> Line:
    place = result.names.index(standing.bot)
    lost = result.cross_table(unit="mbb")[0][place]
    return Line(standing.bot, standing.mbb_per_hand, standing.rating, lost)


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw what the trained bot won from each other."""
    words = DATA.pictures["won"].filled(hands=f"{DATA.amounts(run).hands:,}")
    draw_estimates(run.path("won.png"), found.won, words)
