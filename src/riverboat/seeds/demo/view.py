"""What the demo reports."""

from riverboat.report import Part, Picture, Section, Table, Text, draw_bars, duration, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained
from riverboat.seeds.demo.steps import OUR_BOT, Cards, Matches, the_recipe
from riverboat.training import load_recipe

__all__ = ["cards_section", "matches_section", "training_section", "verdict"]


def cards_section(cards: Cards) -> Section:
    """Say what the bot sees."""
    buckets = "/".join(map(str, cards.buckets))
    return Section(
        "Cards and bets",
        (
            Text(
                "Every hand on every board has its exact strength in a table. Hands that win "
                f"alike share a bucket: {buckets} of them before the flop, on the flop, on the "
                "turn and on the river. The betting tree, with the bets of the recipe, has "
                f"{cards.decisions:,} decisions. Preparing all that took "
                f"{duration(cards.seconds)}; what the cache already has costs nothing."
            ),
        ),
    )


def training_section(run: Reproduction, trained: Trained) -> Section:
    """Say how the training went."""
    recipe = the_recipe(run)
    blind = max(recipe.spec().blinds)
    rows = tuple(
        (
            number(point["iterations"]),
            duration(float(point["seconds"] or 0)),
            _milliblinds(point, blind),
        )
        for point in trained.curve
    )
    text = (
        f"{trained.iterations:,} iterations in {duration(trained.seconds)}, "
        f"{trained.iterations_per_second:,.0f} a second. {trained.visited:,} of "
        f"{trained.infosets:,} information sets were visited. The strategy file has "
        f"{trained.blueprint_bytes / 1e6:.1f} MB. The strategy that comes with Riverboat is "
        "another training by the same recipe, of "
        f"{load_recipe(recipe.name).budget.iterations or 0:,} iterations."
    )
    bound = (
        "How much a player wins who was trained against the strategy of that time, on fresh deals "
        "of the same abstract game. It is a lower bound on exploitability."
    )
    table = Table(bound, ("iterations", "after", "at least, mbb/hand"), rows)
    picture = Picture("default.png", "The same as a curve.")
    return Section("Training", (Text(text), table, picture))


def _milliblinds(point: dict[str, float | bool | None], blind: int) -> str:
    mean, low, high = (
        float(point[key] or 0) * 1000 / blind for key in ("exploitability", "low", "high")
    )
    return f"{mean:,.0f} ({low:,.0f} to {high:,.0f})"


def matches_section(run: Reproduction, matches: Matches) -> Section:
    """Show the leaderboard, and what the trained bot won from each."""
    rows = tuple(
        (
            f"{place}. {line.bot}",
            line.mean.text(0),
            f"{line.elo:+.0f} ({line.elo_interval[0]:+.0f} to {line.elo_interval[1]:+.0f})",
            "" if line.against_main is None else line.against_main.text(0),
        )
        for place, line in enumerate(matches.lines, start=1)
    )
    columns = ("bot", "mean over opponents, mbb/hand", "Elo", "our bot won from it, mbb/hand")
    met = [line for line in matches.lines if line.against_main is not None]
    won = [line.against_main for line in met if line.against_main is not None]
    draw_bars(
        run.path("won.png"),
        [line.bot for line in met],
        [each.mean for each in won],
        [max(each.margin, 0.0) for each in won],
        title=f"What our bot won, {matches.hands:,} hands against each",
        x_label="mbb/hand, 95 %",
    )
    parts: tuple[Part, ...] = (
        Text(
            f"Every bot played every other {matches.hands:,} hands, with duplicate deals: both "
            f"hold both hands. {verdict(matches)} 99 of 100 of its decisions took at most "
            f"{duration(matches.slowest)}. All matches together took {duration(matches.seconds)}."
        ),
        Table("Leaderboard, 95 % intervals", columns, rows),
        Text(
            "The mean counts chips, so who takes most from the weakest leads it. Elo counts how "
            "often a deal is won and not how much: a bot that folds much and wins large pots has "
            "less Elo than chips."
        ),
        Picture("won.png", "What our bot won from each opponent."),
        Picture("table.png", "All pairs, small blinds a hand of the row against the column."),
    )
    return Section("Matches", parts)


def verdict(matches: Matches) -> str:
    """Say against whom the trained bot won, lost, or neither, by the 95 % intervals."""
    met = [(line.bot, line.against_main) for line in matches.lines if line.against_main]
    names = {sign: [bot for bot, won in met if won.sign == sign] for sign in (1, 0, -1)}
    parts = [f"{OUR_BOT.capitalize()} beat {len(names[1])} of {len(met)} opponents"]
    if names[-1]:
        parts.append(f"lost to {', '.join(names[-1])}")
    if names[0]:
        parts.append(f"is not told apart from {', '.join(names[0])}")
    return "; ".join(parts) + " (95 % intervals)."
