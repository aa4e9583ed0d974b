"""The report's details on its training and its play."""

from riverboat.report import Curve, Picture, Section, Table, Text, draw_curves, duration, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import data
from riverboat.seeds.pineapple.matches import Matches
from riverboat.seeds.pineapple.readings import Readings
from riverboat.seeds.pineapple.readings_section import readings_parts
from riverboat.seeds.pineapple.swaps import SwapTimes
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.watch import Watching
from riverboat.seeds.pineapple.words import change, mbb, percent

__all__ = ["against_backup", "discards", "reached"]


def reached(run: Reproduction, training: Training, watching: Watching) -> Section:
    """How much of the game the training reached, and what play meets."""
    points = training.points
    x = [float(point.iterations) for point in points]
    published = data().published
    draw_curves(
        run.path("reached.png"),
        [
            Curve("infosets reached", x, [float(point.visited) for point in points]),
            Curve("of those with a strategy", x, [float(point.averaged) for point in points]),
            _level(f"published: {published['reached'].value:,.0f}", x, published["reached"].value),
            _level("all infosets", x, float(training.infosets)),
        ],
        title="Infosets that the training reached",
        x_label="samples",
        y_label="infosets",
        x_log=True,
        y_log=True,
    )
    rows = tuple(
        (
            f"{bot.iterations:,}",
            f"{bot.hands:,}",
            percent(bot.untrained_bets_share),
            percent(bot.untrained_share),
            percent(bot.all_in_in_tree / max(1, bot.decisions)),
            percent(bot.off_tree / max(1, bot.decisions)),
        )
        for bot in watching.bots
    )
    columns = (
        "samples",
        "hands watched",
        "untrained bets",
        "with swaps",
        "all-in by the tree's reading",
        "off the tree",
    )
    return Section(
        "How much is trained, and what play meets",
        (
            Text(_sizes(training)),
            Picture("reached.png", "Infosets reached over the samples of the training."),
            Table("Decisions of the bot against the backup bot", columns, rows),
            Text(
                f"The authors met untrained infosets in {published['untrained'].value:.0f} % of "
                "decisions; their swaps were a fixed rule. Here: share of untrained infosets among "
                "betting decisions that are in the tree, and among all that are, decisions on "
                "swaps too; the other columns are shares of all decisions. All-in by the tree's "
                "reading means that a bet was read as all-in though chips are left; the bot then "
                "checks or calls."
            ),
        ),
    )


def _level(label: str, x: list[float], value: float) -> Curve:
    return Curve(label, [x[0], x[-1]], [value, value], dashed=True)


def _sizes(training: Training) -> str:
    last = training.last
    return (
        f"The betting has {training.decisions:,} decisions, with the cards {training.infosets:,} "
        f"infosets: the opponent sees that a card was swapped, and so does our tree. With the own "
        f"swaps only there would be {training.own_swaps:,}, next to the "
        f"{data().published['histories'].value:,.0f} of the authors, and without "
        f"swaps {training.without_swaps:,}. {last.iterations:,} samples "
        f"reached {last.visited:,} ({percent(last.visited / training.infosets)}) in "
        f"{duration(last.seconds)}. The tables take {training.table_bytes / 1e6:,.0f} MB, the "
        f"strategy file {training.file_bytes / 1e6:,.1f} MB."
    )


def against_backup(
    run: Reproduction, matches: Matches, training: Training, readings: Readings
) -> Section:
    """The bot against the backup bot: over training, by reading, by fallback."""
    way = [(each.iterations, each.won) for each in matches.on_the_way]
    way.append((training.last.iterations, matches.main))
    draw_curves(
        run.path("backup.png"),
        [
            Curve(
                "CFR bot",
                [float(count) for count, _ in way],
                [won.mean for _, won in way],
                [won.mean - max(0.0, won.margin) for _, won in way],
                [won.mean + max(0.0, won.margin) for _, won in way],
            ),
            _level("zero", [float(count) for count, _ in way], 0.0),
        ],
        title="The CFR bot against the backup bot",
        x_label="samples of the training",
        y_label="mbb/h, with 95 % interval",
        x_log=True,
    )
    main = ("as the authors' bot", mbb(matches.main), f"{matches.main.hands:,}")
    others = [(f"bets read by {each.label}", each) for each in matches.readings]
    others += [(f"the {each.label} bot where untrained", each) for each in matches.fallbacks]
    rows = (main, *((label, mbb(each.won), f"{each.won.hands:,}") for label, each in others))
    return Section(
        "Against the backup bot",
        (
            Picture("backup.png", "Winnings against the backup bot over the training."),
            Table("The same strategy at the table", ("", "mbb/h", "hands"), rows),
            Text(
                "The authors' bot reads a bet as the nearest amount of its menu and plays "
                "uniformly where it was not trained. Nearest-ratio takes the nearer bet of the "
                "menu by quotient. Pseudo-harmonic draws one of the two that a bet lies between, "
                "with chances by a formula under which little is gained by a bet just above or "
                "below a limit (Ganzfried and Sandholm 2013). "
                + " ".join(
                    _changed(label, change(matches.main, each.won)) for label, each in others
                )
            ),
            *readings_parts(readings),
        ),
    )


def _changed(label: str, more: Won) -> str:
    """Say by how much another way to play the strategy changes the result."""
    ending = "" if more.sign else ", which is not told apart from zero"
    return f"With {label} the result changes by {mbb(more)} mbb/h{ending}."


def discards(swaps: SwapTimes, watching: Watching) -> Section:
    """What a discard costs, and how often the strategy swaps."""
    decisions = (
        ("keep or swap by the fixed rule, flop", swaps.rule_flop),
        ("keep or swap by the fixed rule, turn", swaps.rule_turn),
        ("another question: which card a swap gives away, flop", swaps.card_flop),
        ("another question: which card a swap gives away, turn", swaps.card_turn),
    )
    both = tuple(
        (name, duration(each.tables), duration(each.run_outs), f"{number(each.ratio)}x")
        for name, each in decisions
    )
    rows = (
        (
            f"a deal in training with its {swaps.swaps_a_deal} choices of a card",
            duration(swaps.deal),
        ),
        ("tables for the deals, once a training", duration(swaps.preparing)),
    )
    last = watching.last
    published = data().published
    sample = published["hours"].value * 3600 / published["samples"].value
    return Section(
        "Discards",
        (
            Table(
                "Time of one discard decision, the same both ways",
                ("", "from tables", "dealing all run-outs", "ratio"),
                both,
            ),
            Table("Discards in training", ("", "time"), rows),
            Text(
                f"A sample of the authors' training took {duration(sample)} on average; they blame "
                "their discard evaluation, which looks ahead to the river. The run-outs above are "
                "ours, all of them against all hands; theirs drew 1,000 samples a win rate, and "
                "was not timed. Training looks up the strength of every hand on every board."
            ),
            Text(
                f"At the table the trained bot swapped in {last.swaps:,} of "
                f"{last.swap_decisions:,} swap decisions "
                f"({percent(last.swaps / max(1, last.swap_decisions))}), and decided as the fixed "
                f"rule would in {percent(last.as_the_rule / max(1, last.swap_decisions))} of them."
            ),
        ),
    )
