"""The summary, and what differs and why."""

from riverboat.report import (
    Better,
    Compared,
    Comparison,
    Section,
    Text,
    duration,
    number,
    plus_minus,
)
from riverboat.seeds._recipe import Published
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff.champion import Champion
from riverboat.seeds.cardiff.cleaning import Cleaned
from riverboat.seeds.cardiff.convergence import Convergence
from riverboat.seeds.cardiff.data import data
from riverboat.seeds.cardiff.table import SevenTable, known_margin
from riverboat.work import num_cores

__all__ = ["differences_section", "summary_section"]

_HANDS = 100_000  # of a pair in the thesis


def summary_section(
    run: Reproduction, trained: Convergence, cleaned: Cleaned, table: SevenTable, champion: Champion
) -> Section:
    """Put the published figures beside ours."""
    rows = (
        *_training_rows(trained),
        *_file_rows(trained, cleaned),
        *_speed_rows(table),
        *_match_rows(table),
        _champion_row(champion),
    )
    short = trained.last.iterations < data().published["iterations"].value
    note = (
        f" This {run.effort} run trained {trained.last.iterations:,} iterations only; the time of "
        "10 million is that at its speed."
        if short
        else ""
    )
    return Section(
        "Published and ours",
        (
            Comparison("Published / ours / ratio", rows),
            Text(f"sb/h: small blinds a hand.{note}"),
            Text(_speed_note(run, trained)),
        ),
    )


def _speed_note(run: Reproduction, trained: Convergence) -> str:
    """Say what the speed was taken over: other sections have other speeds of the same training."""
    first, last = trained.points[0], trained.last
    said = (
        f"Iterations a second are over the whole training: {duration(last.seconds)}, threads: "
        f"{run.workers or num_cores()}, with the first touch of the tables' new memory."
    )
    if last.seconds > first.seconds:
        speed = (last.iterations - first.iterations) / (last.seconds - first.seconds)
        said += (
            f" After its first {first.iterations:,} iterations it made {number(speed)} a second."
        )
    return (
        f"{said} The speeds by the number of streets and of the future work were taken over other "
        "times, as said there, the former by the processor time of one core."
    )


def _training_rows(trained: Convergence) -> tuple[Compared, ...]:
    figures = data().published
    iterations = figures["iterations"].value
    value, bound = trained.last.value, trained.last.bound
    return (
        _compared(
            "training, 10 million iterations",
            figures["training_seconds"],
            iterations / trained.iterations_per_second,
            "s",
            "lower",
        ),
        _compared(
            "iterations a second",
            figures["iterations_per_second"],
            trained.iterations_per_second,
            better="higher",
        ),
        Compared(
            "memory of the process while it trains",
            None,
            round(trained.resident_bytes / 1e6),
            "MB",
            note=f"the author's machine had {number(figures['memory_gb'].value)} GB",
        ),
        Compared(
            "value for the small blind under this average strategy, chips a hand",
            None,
            value.mean,
            margin=value.margin,
            note="not the game's value: exploitability is at least "
            f"{plus_minus(bound.mean, bound.margin)}, and ± is of the deals only. The "
            "published 0.025 is the mean over both seats",
        ),
        Compared("exploitability at least, chips a hand", None, bound.mean, margin=bound.margin),
    )


def _file_rows(trained: Convergence, cleaned: Cleaned) -> tuple[Compared, ...]:
    figures = data().published
    before, after = cleaned.before / 1e6, cleaned.after / 1e6
    return (
        _compared("CSV rows before cleaning", figures["infosets_before"], before, "M"),
        _compared("CSV rows after cleaning", figures["infosets_after"], after, "M"),
        Compared("infosets visited", None, trained.last.visited / 1e6, "M"),
        _compared("CSV file before cleaning", figures["csv_mb"], cleaned.bytes_before / 1e6, "MB"),
    )


def _speed_rows(table: SevenTable) -> tuple[Compared, ...]:
    figures, pair = data().published, table.cfr_pair_hands_per_second
    aim = figures["decision_seconds"]
    speed = f"; ours at the speed of {table.hands:,}" if table.hands != _HANDS else ""
    return (
        Compared(
            f"{_HANDS:,} hands of a pair",
            figures["pair_seconds"].value,
            table.pair_seconds * _HANDS / table.hands,
            "s",
            better="lower",
            note=figures["pair_seconds"].where + speed,
        ),
        _compared(
            "a hand of CFRv1 v CFRv2",
            figures["hand_seconds"],
            1 / pair if pair else None,
            "s",
            "lower",
        ),
        Compared(
            "longest decision",
            None,
            max(times.longest for times in table.times),
            "s",
            note=f"the aim was {duration(aim.value)}: {aim.where}",
        ),
    )


def _match_rows(table: SevenTable) -> tuple[Compared, ...]:
    bots, published = data().bots, data().table2.rows[-1]
    rows = []
    for column, seat in enumerate(bots[:-1]):
        won = table.won(len(bots) - 1, column)
        rows.append(
            Compared(
                f"CFRv2 v {seat.title}",
                published[column],
                won.mean if won else None,
                "sb/h",
                margin=known_margin(won) if won else None,
                better="higher" if seat.comparable else "",
                note="table 2" if seat.comparable else "table 2; another bot, not comparable",
            )
        )
    return tuple(rows)


def _champion_row(champion: Champion) -> Compared:
    won = champion.against("Monte-Carlo")
    return Compared(
        "default bot v Monte-Carlo (published: CFRv2)",
        data().table2.rows[-1][4],
        won.mean,
        "sb/h",
        margin=known_margin(won),
        better="higher",
        note=f"beats {len(champion.beaten)} of {len(champion.opponents)}",
    )


def _compared(
    what: str, figure: Published, ours: float | None, unit: str = "", better: Better = ""
) -> Compared:
    return Compared(what, figure.value, ours, unit, better=better, note=figure.where)


_DIFFERENCES = (
    "The game and the algorithm are the author's; the program is not. Ours keeps regrets and "
    "averages in flat tables instead of a Python dictionary, and walks them in compiled code. "
    "The author's loop leaves out raises that are not allowed, but its regret update does not "
    "(figures 9 and 10): there they count as worth 0, look better than any move of a losing "
    "decision, and draw probability to themselves. Our decisions have only the moves that are "
    "allowed. "
    "The convergence that the thesis reports is a mean over both seats and would be near 0 for "
    "any strategy. "
    "Its rows mix c and r with a letter n that it does not define; we write and read c and r "
    "only. ",
    "Its matches ran in PyPokerEngine, whose evaluator is not poker's, while the training used a "
    "correct one. There the small blind opens every street heads-up, and the stock Random raises "
    "two times in three, often with very much, and never calls: hence the large figures of that "
    "row. By the rules of poker our Random picks fold, call and raise alike, as the text says. Of "
    "the Rule-based bot only the idea is published, and ours is another. Rows with these two are "
    "not comparable. Figures of exactly 1.00 and 2.00 fit a bot that posts the same blind in every "
    "hand and folds it; we swap seats on every deal. "
    "A tie counts as a win in the win rates of Honest and Monte-Carlo, as in the original.",
)


def differences_section(table: SevenTable) -> Section:
    """Say what differs and why."""
    texts = (*_DIFFERENCES, _noise(table))
    return Section("What differs and why", tuple(Text(text.strip()) for text in texts))


def _noise(table: SevenTable) -> str:
    """Judge the author's results against Rule-based by the deviation of single hands here."""
    titles, table2 = [seat.title for seat in data().bots], data().table2.rows
    column, said = titles.index("Rule-based"), []
    for bot, deviation in zip(("CFRv1", "CFRv2"), table.deviations, strict=True):
        won, error = table2[titles.index(bot)][column], deviation / _HANDS**0.5
        word = "lies within" if abs(won) <= 1.96 * error else "lies outside"
        said.append(
            f"{bot}'s single hands deviate by {number(deviation)} small blinds (standard error "
            f"{number(error)} over {_HANDS:,} hands), and its published {won:+.2f} {word} 1.96 "
            "times that error"
        )
    return (
        "The thesis quotes a standard deviation of 0.03 small blinds a hand, which comes from "
        f"limit poker, and gives no intervals. In our {table.hands:,} hands against our "
        f"Rule-based, {said[0]}; {said[1]}. The author's Rule-based may deviate "
        "otherwise. Our intervals are computed from the deals."
    )
