"""The setting, the summary, and what differs and why."""

from riverboat.recipes.cardiff.champion import Champion
from riverboat.recipes.cardiff.cleaning import Cleaned
from riverboat.recipes.cardiff.convergence import Convergence
from riverboat.recipes.cardiff.data import Figure, data
from riverboat.recipes.cardiff.table import SevenTable
from riverboat.recipes.report import Better, Compared, Comparison, Section, Table, Text
from riverboat.recipes.run import Run

__all__ = ["differences_section", "setting_section", "summary_section"]


def setting_section() -> Section:
    """Show what the author ran and what we run."""
    return Section(
        "The setting",
        (
            Text(
                "A bachelor's thesis from Cardiff (2025) trains Monte-Carlo CFR on a two-street "
                "toy game of heads-up no-limit hold'em, plays it to the flop, and simulates from "
                "the turn on. Its bots CFRv1 and CFRv2 differ in the number of simulations."
            ),
            Table("Setting", ("", "the author", "here"), data().setting.rows),
        ),
    )


def summary_section(
    run: Run, trained: Convergence, cleaned: Cleaned, table: SevenTable, champion: Champion
) -> Section:
    """Put the published figures beside ours."""
    rows = (
        *_training_rows(trained),
        *_file_rows(cleaned),
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
        ),
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
        _compared(
            "memory of the training",
            figures["memory_gb"],
            trained.resident_bytes / 1e9,
            "GB",
            "lower",
        ),
        Compared(
            "value of the game, small blind, chips a hand",
            None,
            value.mean,
            margin=value.margin,
            note="the published 0.025 is the mean over both seats: see below",
        ),
        Compared("exploitability at least, chips a hand", None, bound.mean, margin=bound.margin),
    )


def _file_rows(cleaned: Cleaned) -> tuple[Compared, ...]:
    figures = data().published
    return (
        _compared("infosets before cleaning", figures["infosets_before"], cleaned.before),
        _compared("infosets after cleaning", figures["infosets_after"], cleaned.after),
        _compared(
            "CSV file before cleaning",
            figures["csv_mb"],
            cleaned.bytes_before / 1e6,
            "MB",
            "lower",
        ),
    )


def _speed_rows(table: SevenTable) -> tuple[Compared, ...]:
    figures, pair = data().published, table.cfr_pair_hands_per_second
    return (
        _compared(
            "100,000 hands of a pair",
            figures["pair_seconds"],
            table.pair_seconds * 100_000 / table.hands,
            "s",
            "lower",
        ),
        _compared(
            "a hand of CFRv1 v CFRv2",
            figures["hand_seconds"],
            1 / pair if pair else None,
            "s",
            "lower",
        ),
        _compared(
            "longest decision, aim 35 s",
            figures["decision_seconds"],
            max(times.longest for times in table.times),
            "s",
            "lower",
        ),
    )


def _match_rows(table: SevenTable) -> tuple[Compared, ...]:
    titles, published = [seat.title for seat in data().bots], data().table2.rows[-1]
    rows = []
    for column, title in enumerate(titles[:-1]):
        won = table.won(len(titles) - 1, column)
        rows.append(
            Compared(
                f"CFRv2 v {title}",
                published[column],
                won.mean if won else None,
                "sb/h",
                margin=max(0.0, won.margin) if won else None,
                better="higher",
                note="table 2",
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
        margin=max(0.0, won.margin),
        better="higher",
        note=f"beats {len(champion.beaten)} of {len(champion.opponents)}",
    )


def _compared(
    what: str, figure: Figure, ours: float | None, unit: str = "", better: Better = ""
) -> Compared:
    return Compared(what, figure.value, ours, unit, better=better, note=figure.where)


_DIFFERENCES = (
    "The game and the algorithm are the author's; the program is not. Ours keeps regrets and "
    "averages in flat tables instead of a Python dictionary, and walks them in compiled code on "
    "all cores. "
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
    "The thesis quotes a standard deviation of 0.03 small blinds a hand, which comes from limit "
    "poker. In no-limit poker 100,000 hands without duplicate deals leave a standard error of "
    "about 0.06 or more, so that its +0.06 and +0.09 against Rule-based lie within the noise. Our "
    "intervals are computed from the deals.",
)


def differences_section() -> Section:
    """Say what differs and why."""
    return Section("What differs and why", tuple(Text(text.strip()) for text in _DIFFERENCES))
