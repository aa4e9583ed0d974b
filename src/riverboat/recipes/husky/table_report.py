"""The sections on the summary table of bots, and on tables of several seats."""

from riverboat.recipes.figures import draw_bars
from riverboat.recipes.husky.data import Listed, husky
from riverboat.recipes.husky.plots import draw_cross_table
from riverboat.recipes.husky.points import best
from riverboat.recipes.husky.seats import Seated
from riverboat.recipes.husky.sweeps import Swept
from riverboat.recipes.husky.table import DEFAULT_NAME, Ranked, Ranking
from riverboat.recipes.report import Picture, Section, Table, Text
from riverboat.recipes.run import Run

__all__ = ["bots_section", "seats_section"]


def bots_section(run: Run, swept: list[Swept], ranking: Ranking) -> Section:
    """Show the document's bots with our optima, and who beats whom."""
    draw_cross_table(run.path("bots.png"), ranking)
    fewest = min(won.hands for line in ranking.bots for won in line.against.values())
    return Section(
        "Summary of the bots",
        (
            _summary(swept, ranking),
            Text(
                "Thresholds are those of the document; ours are the best points of the sweeps "
                "above, by games and by chips a hand. Results are chips a hand against each of "
                "the other bots, each counted the same: 1,000 chips, blinds 5 and 10, stacks "
                f"reset, duplicate deals, at least {fewest:,} hands a pair. Killer and KillBot "
                "begin anew in each life."
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
    return bot.name, bot.strategy, cells["low"], cells["high"], against, mean.text(1)


def _leaderboard(ranking: Ranking) -> Table:
    return Table(
        "Who beats whom: opponents with the 95 % interval on one side of zero",
        ("bot", "chips a hand", "beats", "loses to"),
        tuple(
            (line.name, line.mean.text(1), str(_count(line, 1)), str(_count(line, -1)))
            for line in ranking.bots
        ),
    )


def _count(line: Ranked, sign: int) -> int:
    return sum(won.sign == sign for won in line.against.values())


def _cfr_text(ranking: Ranking) -> str:
    """Say how the CFR bot and its twin fare against the document's bots."""
    parts = []
    for line in ranking.bots:
        if line.name not in ("CFR", "wide CFR", DEFAULT_NAME):
            continue
        lost = [other for other, won in line.against.items() if won.sign < 0]
        beaten = _count(line, 1)
        against = f"loses to {', '.join(lost)}" if lost else "loses to none surely"
        parts.append(f"{line.name} beats {beaten} of {len(line.against)} others and {against}")
    duel = ranking.of("wide CFR").against["CFR"]
    between = {
        1: "the twin (wide CFR) beats the one with husky's menu",
        0: "no winner can be told",
        -1: "the one with husky's menu beats the twin (wide CFR)",
    }[duel.sign]
    return (
        f"{'; '.join(parts)}. Of these two trainings, one for each menu, {between}: "
        f"{duel.text(1)} chips a hand for the twin."
    )


def seats_section(run: Run, seated: list[Seated]) -> Section:
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
        (name, *(table.won[name].text(1) if name in table.won else "-" for table in seated))
        for name in names
    )
    return Section(
        f"Tables of up to {last.seats} seats",
        (
            Text(
                "All of the document's bots at one table, with side pots, every deal played from "
                f"every seat. {_only_last(seated, last)}Thresholds are scaled by N^{exponent:g} "
                "as the authors do, N the opponents still in the hand. How fast such tables are is "
                "told under Speed."
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
    return f"Only at the largest sit {', '.join(only)}. "
