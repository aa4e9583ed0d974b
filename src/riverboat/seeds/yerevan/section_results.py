"""The summary and the trained bot, as sections."""

from riverboat.report import (
    Curve,
    Picture,
    Section,
    Table,
    Text,
    draw_curves,
    duration,
    number,
    plus_minus,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.data import recipe
from riverboat.seeds.yerevan.exact import Exact
from riverboat.seeds.yerevan.isomorphism import Isomorphism
from riverboat.seeds.yerevan.same_time import SameTime
from riverboat.seeds.yerevan.section_algorithms import (
    about_the_bound,
    signs_at_size,
    signs_exactly,
)
from riverboat.seeds.yerevan.section_cards import claim_of_speed
from riverboat.seeds.yerevan.speed import Pace, Speed
from riverboat.seeds.yerevan.training import Training

__all__ = [
    "claim_texts",
    "summary_section",
    "training_section",
]

_NOTHING = "; the responses won nothing, so the bound tells nothing here"


def summary_section(
    training: Training, speed: Speed, exact: Exact, same: SameTime, cards: Isomorphism
) -> Section:
    """Put the thesis's figures and claims beside ours."""
    end = training.trial.last
    rows = (
        ("iterations a second of the clock", number(speed.all_threads.clock),
         f"{_threads(speed.threads)}, first {duration(speed.seconds)}"),
        ("exploitability in the abstraction, at least", _mbb(end.exploitability, end.margin),
         f"after {duration(end.seconds)} of processor time; it depends on how the responses "
         f"start, see below{'' if end.margin else _NOTHING}"),
        ("value of the small blind", _mbb(training.value, training.value_margin),
         "under the average strategy; in the solved game it wins 87.7 to 89.7 (Bowling and "
         "others 2015)"),
    )  # fmt: skip
    beside = recipe().open_pure_cfr
    return Section(
        "Published and ours",
        (
            _amounts(training),
            Table("What the thesis does not tell", ("", "here", "note"), rows),
            *claim_texts(exact, same, cards),
            Text(
                "The thesis follows the program Open Pure CFR. Its speeds below were measured on a "
                "machine of this kind, not in this run, and are not the author's; ours are those "
                "of this run. The ratio is by the clock, so whatever else ran counts against us."
            ),
            Table(
                "Pure CFR on one thread: iterations a second",
                ("game", "Open Pure CFR", "ours, by the clock", "ratio",
                 "ours, a processor second"),
                (
                    _speed_row("Leduc hold'em", beside.leduc, speed.leduc),
                    _speed_row("limit hold'em, blind cards", beside.blind_cards, speed.blind_cards),
                    _speed_row("limit hold'em, our buckets", None, speed.one_thread),
                ),
            ),
        ),
    )  # fmt: skip


_FORGETS = (
    ". Ours has imperfect recall: its strategy knows the bucket of the present street, not those "
    "of earlier ones"
)


def _amounts(training: Training) -> Table:
    """Show the thesis's two figures; neither is a merit, so there is no ratio."""
    rounds, states = (recipe().published[name].value for name in ("rounds", "states"))
    return Table(
        "The thesis's figures, and what runs here",
        ("", "the thesis", "here", "note"),
        (
            (
                "rounds of self-play", f"{rounds:,.0f}", f"{training.trial.iterations:,}",
                "abstract; perhaps it means millions. Ours is what the time allowed",
            ),
            (
                "size of the abstract game", f"{_power(states)} states",
                f"{training.trial.infosets:,} information sets",
                "abstract; its reference 1 has the same number, and what a state is remains open. "
                f"So the two cannot be compared{'' if training.recall else _FORGETS}",
            ),
        ),
    )  # fmt: skip


def _power(value: float) -> str:
    """Write a great number with a power of ten.

    Examples
    --------
    >>> _power(1e12), _power(1.04e22)
    ('1 x 10^12', '1.04 x 10^22')
    """
    digits, exponent = f"{value:.2e}".split("e")
    return f"{number(float(digits))} x 10^{int(exponent)}"


def _mbb(value: float, margin: float) -> str:
    """Write a value with half its interval, where it has one."""
    return f"{plus_minus(value, margin)} mbb a hand" if margin else f"{number(value)} mbb a hand"


def _threads(count: int) -> str:
    return f"{count} thread{'s' if count > 1 else ''}"


def _speed_row(game: str, theirs: float | None, ours: Pace) -> tuple[str, ...]:
    ratio = "-" if theirs is None else f"{number(ours.clock / theirs)}x"
    return game, number(theirs), number(ours.clock), ratio, number(ours.processor)


def claim_texts(exact: Exact, same: SameTime, cards: Isomorphism) -> tuple[Text, ...]:
    """Write each claim of the thesis's chapter 4 beside what was found."""
    return (
        Text(
            "Claim 1 (chapter 4): Pure CFR is at its best in two-player limit poker, and faster "
            "than other variants there. Measured exactly, with few buckets and at equal time: "
            f"{signs_exactly(exact)} With many buckets, in matches after equal time: "
            f"{signs_at_size(same)}"
        ),
        Text(
            "Claim 2 (chapter 4): buckets and isomorphism make it much faster. "
            f"{claim_of_speed(cards)}"
        ),
    )


def training_section(run: Reproduction, training: Training, speed: Speed) -> Section:
    """Show the long run of Pure CFR."""
    points = training.trial.points
    draw_curves(
        run.path("pure.png"),
        [
            Curve(
                "",
                [point.seconds for point in points],
                [point.exploitability for point in points],
                [point.exploitability - point.margin for point in points],
                [point.exploitability + point.margin for point in points],
            )
        ],
        title="Pure CFR on limit hold'em: exploitability in the abstraction",
        x_label=f"processor seconds of {training.threads} threads together",
        y_label="at least, mbb a hand",
        x_log=True,
    )
    buckets = "/".join(str(number) for number in training.buckets)
    trial = training.trial
    return Section(
        "Pure CFR over time",
        (
            Text(
                f"{training.decisions:,} betting decisions, {buckets} buckets, "
                f"{trial.infosets:,} information sets of which "
                f"{100 * trial.visited / trial.infosets:.1f} % were visited; "
                f"{trial.table_bytes / 1e6:,.0f} MB of tables, "
                f"{duration(training.preparing)} to prepare the cards, a strategy file of "
                f"{training.blueprint_bytes / 1e6:,.1f} MB. {_pace(speed)}"
            ),
            Picture(
                "pure.png",
                "Exploitability against training time, which is logarithmic. A lower bound: what "
                "responses win that were trained against the frozen strategy, on fresh deals, "
                "with 95 % intervals, of one training.",
            ),
            Text(about_the_bound()),
            Table(
                "The same in numbers",
                ("processor time", "iterations", "iterations a processor second",
                 "exploitability at least"),
                tuple(
                    (
                        duration(point.seconds),
                        f"{point.iterations:,}",
                        number(point.iterations / point.seconds),
                        _mbb(point.exploitability, point.margin)
                        if point.margin
                        else f"0{_NOTHING}",
                    )
                    for point in points
                ),
            ),
        ),
    )  # fmt: skip


def _pace(speed: Speed) -> str:
    """Say how fast limit hold'em ran, on one thread and on all."""
    one, all_of_them = speed.one_thread, speed.all_threads
    text = (
        f"Measured by the clock over {duration(speed.seconds)}, limit hold'em ran at "
        f"{number(one.clock)} iterations a second on one thread"
    )
    if speed.threads == 1:
        return f"{text}, {number(one.processor)} a processor second."
    return (
        f"{text} and at {number(all_of_them.clock)} on {speed.threads}: "
        f"{number(all_of_them.clock / one.clock)} times as fast. A processor second gave "
        f"{number(one.processor)} on one thread and {number(all_of_them.processor)} on "
        f"{speed.threads}. Other programs that run meanwhile lower the first pair."
    )
