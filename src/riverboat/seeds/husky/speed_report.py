"""The section on speed."""

from riverboat.report import (
    COLOURS,
    Curve,
    Picture,
    Section,
    Table,
    Text,
    draw_curves,
    new_figure,
    number,
    save_figure,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.speed import Speeds

__all__ = ["speed_section"]


def speed_section(run: Reproduction, speeds: Speeds) -> Section:
    """Say how fast hands are evaluated and played, by cards and by seats."""
    published = husky().published
    _draw_evaluations(run, speeds, published["evaluations_per_second"].value)
    draw_curves(
        run.path("seats-speed.png"),
        _table_curves(speeds),
        title="Hands played in a second on one core, everybody calls",
        x_label="seats",
        y_label="hands a second",
        y_log=True,
    )
    return Section("Speed", (*_evaluations(speeds), *_hands(speeds)))


def _draw_evaluations(run: Reproduction, speeds: Speeds, published: float) -> None:
    """Draw evaluations a second by number of cards."""
    figure, axes = new_figure(height=3.6)
    cards = list(speeds.batch)
    many = [rate.median for rate in speeds.batch.values()]
    axes.plot(cards, many, "o-", color=COLOURS[0], label="many in one call")
    one = [rate.median for rate in speeds.one_by_one.values()]
    axes.plot(cards, one, "o-", color=COLOURS[1], label="one call each, from Python")
    axes.axhline(published, ls="--", color=COLOURS[3], label="published")
    axes.set_yscale("log")
    axes.set_xticks(cards)
    axes.set_xlabel("cards of a hand")
    axes.set_ylabel("evaluations a second, one core")
    axes.legend(fontsize="small", loc="center right")
    save_figure(figure, run.path("evaluations.png"))


def _table_curves(speeds: Speeds) -> list[Curve]:
    published = husky().published
    seats = [row.seats for row in speeds.tables]
    return [
        Curve("random play inside the core", seats, [row.random.median for row in speeds.tables]),
        Curve("rules driven from Python", seats, [row.rules.median for row in speeds.tables]),
        Curve("call bots in a match", seats, [row.bots.median for row in speeds.tables]),
        Curve(
            "published: call bots",
            [2, 6],
            [
                published["heads_up_hands_per_second"].value,
                published["six_seat_hands_per_second"].value,
            ],
            dashed=True,
        ),
    ]


def _evaluations(speeds: Speeds) -> tuple[Text | Table | Picture, ...]:
    fewest, most = min(speeds.batch), max(speeds.batch)
    longer = speeds.batch[fewest].median / speeds.batch[most].median
    return (
        Text(
            "All figures are of one core, by its own time: the median of several rounds, and in "
            "brackets the slowest and the fastest round. A round takes at least 10 ms for "
            f"evaluations, of {speeds.hands:,} random hands in turn, and 0.1 s for play, always "
            "with other deals. The authors' evaluator takes time in proportion to the number of "
            "cards. Ours looks the hand up: in one call for many, a hand of "
            f"{most} cards takes {number(longer)} times as long as one of {fewest}."
        ),
        Table(
            "Evaluations a second",
            ("cards", "one call each, from Python", "many in one call"),
            tuple(
                (str(cards), speeds.one_by_one[cards].text(), batch.text())
                for cards, batch in speeds.batch.items()
            ),
        ),
        Picture("evaluations.png", "Evaluations a second by number of cards."),
    )


def _hands(speeds: Speeds) -> tuple[Text | Table | Picture, ...]:
    published = husky().published
    known = {
        2: published["heads_up_hands_per_second"].value,
        6: published["six_seat_hands_per_second"].value,
    }
    return (
        Text(
            "The authors timed call bots inside their C++ engine and found the figures low "
            "themselves; another section of their document speaks of more than "
            f"{number(published['claimed_hands_per_second'].value)} hands a second. Our call bots "
            "are Python objects in a whole match: each gets its view of the table, its answer is "
            "checked and timed, and every deal is played from all seats."
        ),
        Table(
            "Hands a second by seats",
            (
                "seats",
                "published",
                "call bots in a match",
                "rules driven from Python",
                "random play inside the core",
            ),
            tuple(
                (
                    str(row.seats),
                    number(known.get(row.seats)),
                    row.bots.text(),
                    row.rules.text(),
                    row.random.text(),
                )
                for row in speeds.tables
            ),
        ),
        Picture("seats-speed.png", "Hands a second by number of seats; both of theirs dashed."),
    )
