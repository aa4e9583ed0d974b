"""The demo: trains, measures and plays a bot in a few minutes."""

import sys
import time
from typing import Final

from riverboat.arena import Standing, TournamentResult, bot_name, plot_cross_table
from riverboat.blueprint import Blueprint
from riverboat.buckets import AbstractionProgress
from riverboat.cards import STREETS
from riverboat.learn import preflop_charts
from riverboat.report import draw_estimates
from riverboat.reproductions._recipe import ReproductionRecipe, TomlTable, load_data
from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import play_round_robin, train_recipe
from riverboat.statistics import Estimate
from riverboat.training import Recipe, Setup, load_recipe, prepare

_NAME: Final = "demo"
#: Name of the trained bot in tables.
_OUR_BOT: Final = "our bot"


class Amounts(TomlTable, frozen=True):
    """How much each step computes."""

    seconds: float
    """Seconds of training."""
    points: int
    """Points of the exploitability curve."""
    bound_seconds: float
    """Training seconds of each response that bounds exploitability."""
    hands: int
    """Hands per pair of bots."""


class Demo(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    training: str
    opponents: tuple[str, ...]


DATA: Final = load_data(_NAME, Demo)


def training_recipe(run: ReproductionRun) -> Recipe:
    """Return the recipe with the budget of this run."""
    amounts = DATA.amounts(run)
    changes = {
        "seed": run.seed,
        "threads": run.workers,
        "budget": {"seconds": amounts.seconds},
        "bound": {"every": amounts.seconds / amounts.points, "seconds": amounts.bound_seconds},
    }
    return load_recipe(DATA.training).changed(changes)


def build_cards(run: ReproductionRun) -> Found:
    """Build tables, buckets and tree, or read them from the cache folder."""
    shares: dict[tuple[str, str], float] = {}  # hand strength, fitting, compiling of all streets

    def hear(report: AbstractionProgress) -> None:
        shares[report.step, report.street] = report.done / max(1, report.total)
        run.tell(sum(shares.values()) / (3 * len(STREETS)), f"{report.step}, {report.street}")

    started = time.monotonic()
    setup: Setup = run.shared("setup", lambda: prepare(training_recipe(run), hear))
    return Found(
        seconds=time.monotonic() - started,
        # Both seats have the same buckets: one of the two numbers per street is enough.
        buckets=[int(n) for n in setup.deals.num_buckets[:: setup.tree.spec.players]],
        decisions=sum(setup.tree.num_decisions),
    )


def train_bot(run: ReproductionRun) -> Found:
    """Train the bot, and draw its opening chart."""
    recipe = training_recipe(run)
    setup: Setup = run.shared("setup", lambda: prepare(recipe))
    trained = train_recipe(run, recipe, _NAME, setup=setup)
    blueprint = Blueprint.open(run.path(trained.blueprint))
    chart = preflop_charts(blueprint, least=1, threshold=blueprint.threshold)[0]
    title = DATA.pictures["opening"].filled(title=chart.title, depth=f"{chart.depth:g}").title
    chart.view.draw(run.path("opening.png"), title)
    return Found(
        trained,
        big_blind=max(recipe.spec.blinds),
        shipped_iterations=load_recipe(DATA.training).budget.iterations or 0,
    )


def play_bots(run: ReproductionRun) -> Found:
    """Play the trained bot and the main bots against each other."""
    started = time.monotonic()
    trained = f"blueprint:{run.blueprint(_NAME)}"
    result = play_round_robin(
        run,
        (trained, *DATA.opponents),
        names=lambda bot: _OUR_BOT if bot == trained else bot_name(bot),
        hands=DATA.amounts(run).hands,
    )
    plot_cross_table(result, run.path("table.png"))
    slowest = max(
        match.times(0).percentile(0.99) for pair, match in result.results.items() if not pair[0]
    )
    return Found(
        seconds=time.monotonic() - started,
        lines=[_line(result, standing) for standing in result.leaderboard()],
        slowest_decision=slowest,
    )


def _line(result: TournamentResult, standing: Standing) -> Found:
    """Return a line of the leaderboard."""
    lost = result.cross_table(unit="mbb")[0][result.names.index(standing.bot)]
    return Found(bot=standing.bot, mean=standing.mbb_per_hand, lost=lost)


def won_by_opponent(matches: Found) -> dict[str, Estimate]:
    """Return the trained bot's winnings against each other bot, the strongest first."""
    return {line.bot: line.lost for line in matches.lines if line.lost is not None}


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw the trained bot's winnings against each other bot."""
    words = DATA.pictures["won"].filled(hands=f"{DATA.amounts(run).hands:,}")
    draw_estimates(run.path("won.png"), won_by_opponent(found.matches), words)


REPRODUCTION = Reproduction(
    name=_NAME,
    recipe=DATA,
    steps={"cards": build_cards, "training": train_bot, "matches": play_bots},
    report=sys.modules[__name__],
)
