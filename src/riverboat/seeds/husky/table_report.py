"""The sections on the summary table of bots, and on tables of several seats."""

from riverboat.report import Picture, Section, Table, Text, draw_bars, listed
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import Listed, husky
from riverboat.seeds.husky.plots import draw_cross_table
from riverboat.seeds.husky.points import best
from riverboat.seeds.husky.seats import Seated
from riverboat.seeds.husky.sweeps import Swept
from riverboat.seeds.husky.table import DEFAULT_NAME, Ranked, Ranking
from riverboat.seeds.husky.training import CFR, WIDE
from riverboat.seeds.husky.words import won_text

__all__ = ["bots_section", "seats_section"]


def bots_section(run: Reproduction, swept: list[Swept], ranking: Ranking) -> Section:
    """Show the document's bots with our optima, and who beats whom."""
    draw_cross_table(run.path("bots.png"), ranking)
    names = [line.name for line in ranking.bots]
    fewest = min(won.hands for line in ranking.bots for won in line.against.values())
    return Section(
        "Summary of the bots",
        (
            _summary(swept, ranking),
            Text(
                "Thresholds are those of the document; ours are the best points of the sweeps "
                "above, by games and by chips a hand. Chips a hand are means over "
                f"{len(ranking.bots) - 1} opponents, each counted the same: {_opponents(ranking)}. "
                "They play with 1,000 chips, blinds 5 and 10, stacks reset, duplicate deals, at "
                f"least {fewest:,} hands a pair. {_lives(husky().table.life.of(run), names)}"
            ),
            _leaderboard(ranking),
            Picture(
                "bots.png",
                "Chips a hand, row against column, the strongest on top; a question mark where "
                "the 95 % interval contains zero.",
            ),
            Text(_cfr_text(ranking)),
        ),
    )


def _opponents(ranking: Ranking) -> str:
    """Say who the opponents are: the summary lists fewer bots than have played."""
    names = {bot.name for bot in husky().bots}
    more = [line.name for line in ranking.bots if line.name not in names]
    return f"the others of this table and {listed(more)}, which stand in the next one"


def _lives(hands: int, names: list[str]) -> str:
    """Say how long bots that learn are kept; nothing if none of these does."""
    learners = [bot.name for bot in husky().bots if bot.learns and bot.name in names]
    if not learners:
        return ""
    return (
        f"The bots that learn while they play ({listed(learners)}) are kept for a life of "
        f"{hands:,} hands, then made anew."
    )


def _summary(swept: list[Swept], ranking: Ranking) -> Table:
    rows = tuple(_bot_row(bot, swept, ranking) for bot in husky().bots)
    return Table(
        f"{_whose()}: thresholds as published, in brackets ours by games and by chips",
        ("bot", "strategy", "folds up to", "raises above", "optimised against", "chips a hand"),
        rows,
    )


def _whose() -> str:
    """Say which of the bots the document itself sums up."""
    bots = husky().bots
    first = [bot.name for bot in bots if bot.summarised]
    return (
        f"The {len(first)} bots of the document's summary table ({', '.join(first)}) and "
        f"{len(bots) - len(first)} that only its text describes"
    )


def _bot_row(bot: Listed, swept: list[Swept], ranking: Ranking) -> tuple[str, ...]:
    plan = next((plan for plan in husky().sweeps if plan.key == bot.sweep), None)
    found = next((each for each in swept if each.key == bot.sweep), None)
    cells = {"low": "-", "high": "-"}
    against = "-"
    if plan is not None and found is not None:
        games, chips = best(found.games).parameters, best(found.chips).parameters
        against = plan.title.partition(" against ")[2]
        for name, value in plan.optimum.items():
            cells[name] = f"{value:g} ({games[name]:g}; {chips[name]:g})"
    mean = ranking.of(bot.name).mean
    return bot.name, bot.strategy, cells["low"], cells["high"], against, won_text(mean)


def _leaderboard(ranking: Ranking) -> Table:
    return Table(
        "Who beats whom: opponents with the 95 % interval on one side of zero",
        ("bot", "chips a hand", "beats", "loses to"),
        tuple(
            (line.name, won_text(line.mean), str(_count(line, 1)), str(_count(line, -1)))
            for line in ranking.bots
        ),
    )


def _count(line: Ranked, sign: int) -> int:
    return sum(won.sign == sign for won in line.against.values())


def _cfr_text(ranking: Ranking) -> str:
    """Say how the bots that play from a strategy fare against the others."""
    parts = []
    for line in ranking.bots:
        if line.name not in (CFR, WIDE, DEFAULT_NAME):
            continue
        lost = [other for other, won in line.against.items() if won.sign < 0]
        beaten = _count(line, 1)
        against = f"loses to {', '.join(lost)}" if lost else "loses to none surely"
        parts.append(f"{line.name} beats {beaten} of {len(line.against)} others and {against}")
    told = "; ".join(parts)
    duel = ranking.of(WIDE).against[CFR]
    between = {
        1: f"{WIDE} beats {CFR}",
        0: "no winner can be told",
        -1: f"{CFR} beats {WIDE}",
    }[duel.sign]
    return (
        f"{told[:1].upper()}{told[1:]}. Of these two trainings, one for each menu, {between}: "
        f"{won_text(duel)} chips a hand for {WIDE}."
    )


def seats_section(run: Reproduction, seated: list[Seated]) -> Section:
    """Show results of tables with several seats."""
    last = max(seated, key=lambda table: table.seats)
    order = sorted(last.won, key=lambda name: -last.won[name].mean)
    draw_bars(
        run.path("seats.png"),
        order,
        [last.won[name].mean for name in order],
        [max(0.0, last.won[name].margin) for name in order],
        title=f"Chips a hand at the table of {last.seats} seats",
        x_label="chips a hand (blinds 5 and 10), 95 % interval",
    )
    names = list(last.won)
    exponent = husky().published["opponents_exponent"].value
    rows = tuple(
        (name, *(won_text(table.won[name]) if name in table.won else "-" for table in seated))
        for name in names
    )
    return Section(
        f"Tables of {listed([table.seats for table in seated])} seats",
        (
            Text(
                "Bots of the document together, with side pots, every deal played from every "
                f"seat. {_only_last(seated, last)}Thresholds are scaled by N^{exponent:g} as the "
                "authors do, N the opponents still in the hand. Section Speed tells how fast such "
                f"tables are. {_lives(husky().seats.life.of(run), names)}"
            ),
            Table(
                "Chips a hand by table",
                ("bot", *(f"{table.seats} seats" for table in seated)),
                rows,
            ),
            Picture("seats.png", f"The table of {last.seats}: {last.hands:,} hands."),
        ),
    )


def _only_last(seated: list[Seated], last: Seated) -> str:
    """Name the bots that sit at the largest table only; nothing if there are none."""
    others = {name for table in seated if table is not last for name in table.won}
    only = [name for name in last.won if name not in others]
    if not only or not others:
        return ""
    return f"Only the table of {last.seats} has {listed(only)}. "
