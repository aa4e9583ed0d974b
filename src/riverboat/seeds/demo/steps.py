"""The steps of the demo: cards, training, matches."""

import time

import msgspec

from riverboat.arena import BotMaker, Standing, TournamentResult, bot_name, plot_cross_table
from riverboat.buckets import AbstractionProgress
from riverboat.cards import STREETS
from riverboat.seeds._recipe import load_data
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won, play_round_robin, train_recipe
from riverboat.training import Recipe, Setup, load_recipe, prepare

__all__ = [
    "OUR_BOT",
    "Cards",
    "Line",
    "Matches",
    "build_cards",
    "play_bots",
    "the_recipe",
    "train_default",
]

#: What the trained bot is called in tables.
OUR_BOT = "our bot"


class _Amounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seconds: float
    bound_seconds: float
    hands: int


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    recipe: str
    main: str
    opponents: tuple[str, ...]
    full: _Amounts
    quick: _Amounts
    tiny: _Amounts


class Cards(msgspec.Struct, frozen=True):
    """What preparing the cards took."""

    seconds: float
    buckets: tuple[int, ...]
    """Of each street."""
    decisions: int
    """Of the betting tree."""


class Line(msgspec.Struct, frozen=True):
    """A line of the leaderboard, thousandths of a big blind a hand."""

    bot: str
    mean: Won
    elo: float
    elo_interval: tuple[float, float]
    against_main: Won | None
    """What the trained bot won from it; None of the trained bot itself."""


class Matches(msgspec.Struct, frozen=True):
    """The round robin, the best bot first."""

    hands: int
    """Of a pair."""
    seconds: float
    lines: tuple[Line, ...]
    slowest: float
    """99th percentile of the trained bot's decisions, seconds, in its slowest match."""


def _data(run: Reproduction) -> tuple[_Data, _Amounts]:
    data = load_data("demo", _Data)
    return data, run.pick(data.full, data.quick, data.tiny)


def the_recipe(run: Reproduction) -> Recipe:
    """Return the default recipe with the demo's budget."""
    data, amounts = _data(run)
    recipe = load_recipe(data.recipe)
    changes = {
        "seed": run.seed,
        "threads": run.workers,
        "budget": {"seconds": amounts.seconds},
        "bound": {"every": amounts.seconds / 2, "seconds": amounts.bound_seconds},
    }
    return recipe.changed(changes)


def build_cards(run: Reproduction) -> tuple[Cards, Setup]:
    """Build tables, buckets and tree; what lies in the cache is taken from there."""
    made: list[Setup] = []

    def work() -> Cards:
        started = time.monotonic()
        setup = prepare(the_recipe(run), _CardShares(run))
        made.append(setup)
        # Both seats see cards alike: one number of each street's two is enough.
        buckets = setup.deals.num_buckets[:: setup.tree.spec.players]
        seconds = time.monotonic() - started
        return Cards(seconds, tuple(int(n) for n in buckets), sum(setup.tree.num_decisions))

    cards = run.step("cards", Cards, work)
    return cards, made[0] if made else prepare(the_recipe(run))


class _CardShares:
    """Adds up hand strength, fitting and compiling of all streets to one share."""

    def __init__(self, run: Reproduction) -> None:
        self._run = run
        self._shares: dict[tuple[str, str], float] = {}

    def __call__(self, report: AbstractionProgress) -> None:
        self._shares[report.step, report.street] = report.done / max(1, report.total)
        share = sum(self._shares.values()) / (3 * len(STREETS))
        self._run.tell(share, f"{report.step}, {report.street}")


def train_default(run: Reproduction, setup: Setup) -> Trained:
    """Train the default recipe."""
    return run.step(
        "training",
        Trained,
        lambda: train_recipe(run, the_recipe(run), "default", setup=setup),
    )


def play_bots(run: Reproduction) -> Matches:
    """Play the trained bot and the main bots against each other."""
    data, amounts = _data(run)

    def work() -> Matches:
        started = time.monotonic()
        main = f"blueprint:{run.path(data.main)}"
        bots = (main, *data.opponents)
        result = play_round_robin(
            run, bots, names=lambda bot: _name(bot, main), hands=amounts.hands
        )
        plot_cross_table(result, run.path("table.png"))
        slowest = max(
            match.times(0).percentile(0.99) for pair, match in result.results.items() if not pair[0]
        )
        lines = tuple(_line(result, place, amounts.hands) for place in result.leaderboard())
        return Matches(amounts.hands, time.monotonic() - started, lines, slowest)

    return run.step("matches", Matches, work)


def _name(bot: BotMaker, main: str) -> str:
    return OUR_BOT if bot == main else bot_name(bot)


def _line(result: TournamentResult, standing: Standing, hands: int) -> Line:
    place = result.names.index(standing.bot)
    cell = result.cross_table(unit="mbb")[0][place]
    return Line(
        standing.bot,
        Won.of(standing.mbb_per_hand, hands * (len(result.names) - 1)),
        standing.rating.mean,
        standing.rating.interval,
        None if cell is None else Won.of(cell, hands),
    )
