"""The setting, the summary, the trained bot and its matches, as sections."""

from riverboat.recipes.figures import Curve, draw_bars, draw_curves
from riverboat.recipes.report import Compared, Comparison, Picture, Section, Table, Text
from riverboat.recipes.run import Run
from riverboat.recipes.words import duration, number
from riverboat.recipes.yerevan.data import recipe
from riverboat.recipes.yerevan.exact import Exact
from riverboat.recipes.yerevan.isomorphism import Isomorphism
from riverboat.recipes.yerevan.matches import Played, Rivals
from riverboat.recipes.yerevan.same_time import SameTime
from riverboat.recipes.yerevan.section_algorithms import signs_at_size, signs_exactly
from riverboat.recipes.yerevan.section_cards import claim_of_cards
from riverboat.recipes.yerevan.speed import Speed
from riverboat.recipes.yerevan.training import Training
from riverboat.recipes.yerevan.verdict import joined

__all__ = [
    "claim_texts",
    "differs_section",
    "matches_section",
    "setting_section",
    "summary_section",
    "training_section",
]

_TRILLION = 1e12


def setting_section() -> Section:
    """Show what the author ran and what runs here."""
    return Section(
        "The setting",
        (
            Text(
                "A master's thesis of the American University of Armenia (2018): Pure CFR for "
                "two-player limit Texas Hold'em, with isomorphism and buckets, in C++. Its results "
                "are half a page of claims without figures. Here the system runs, the figures that "
                "it lacks are measured, and its claims are tested."
            ),
            Table(
                "What the author ran, and what runs here",
                ("", "the thesis", "here"),
                tuple((row.what, row.author, row.ours) for row in recipe().setting),
            ),
        ),
    )


def summary_section(
    training: Training, speed: Speed, exact: Exact, same: SameTime, cards: Isomorphism
) -> Section:
    """Put the thesis's figures and claims beside ours."""
    published, end = recipe().published, training.trial.last
    rows = (
        Compared("rounds of self-play", published.rounds, training.trial.iterations,
                 better="higher", note="abstract; perhaps it means millions"),
        Compared("states of the abstract game, at most", published.states / _TRILLION,
                 training.states / _TRILLION, "x 10^12", better="higher",
                 note="abstract; its reference 1 has the same number. Ours are all pairs of "
                 "sequences of buckets; as earlier buckets are forgotten, they share "
                 f"{training.trial.infosets:,} information sets"),
        Compared("iterations a second", None, speed.all_threads,
                 note=f"{speed.threads} threads, first {duration(speed.seconds)}"),
        Compared("exploitability in the abstraction, at least", None, end.exploitability,
                 "mbb a hand", margin=end.margin,
                 note=f"after {duration(end.seconds)} of processor time"),
        Compared("value of the small blind", None, training.value, "mbb a hand",
                 margin=training.value_margin,
                 note="under the average strategy; in the solved game it wins 87.7 to 89.7 "
                 "(Bowling and others 2015)"),
    )  # fmt: skip
    beside = recipe().open_pure_cfr
    return Section(
        "Published and ours",
        (
            Comparison("The thesis's figures, and those that it lacks", rows),
            *claim_texts(exact, same, cards),
            Text(
                "The thesis follows the program Open Pure CFR. Its speeds below were measured on a "
                "machine of this kind, not in this run, and are not the author's; ours are those "
                "of this run, by processor time."
            ),
            Table(
                "Pure CFR on one thread: iterations a second",
                ("game", "Open Pure CFR", "ours", "ratio"),
                (
                    _speed_row("Leduc hold'em", beside.leduc, speed.leduc),
                    _speed_row("limit hold'em, blind cards", beside.blind_cards, speed.blind_cards),
                    ("limit hold'em, our buckets", "-", number(speed.one_thread), "-"),
                ),
            ),
        ),
    )


def _speed_row(game: str, theirs: float, ours: float) -> tuple[str, str, str, str]:
    return game, number(theirs), number(ours), f"{number(ours / theirs)}x"


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
            f"{claim_of_cards(cards)}"
        ),
    )


def training_section(run: Run, training: Training, speed: Speed) -> Section:
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
                f"{trial.visited / trial.infosets:.1%} were visited; "
                f"{trial.table_bytes / 1e6:,.0f} MB of tables, "
                f"{duration(training.preparing)} to prepare the cards, a strategy file of "
                f"{training.blueprint_bytes / 1e6:,.1f} MB. Limit hold'em on one thread ran at "
                f"{number(speed.one_thread)} iterations a second, on {speed.threads} at "
                f"{number(speed.all_threads)}: {number(speed.all_threads / speed.one_thread)} "
                "times as fast."
            ),
            Picture(
                "pure.png",
                "Exploitability against training time, which is logarithmic. A lower bound: what "
                "responses win that were trained against the frozen strategy, on fresh deals, "
                "with 95 % intervals.",
            ),
            Table(
                "The same in numbers",
                ("processor time", "iterations", "iterations/s", "exploitability at least"),
                tuple(
                    (
                        duration(point.seconds),
                        f"{point.iterations:,}",
                        number(point.iterations / point.seconds),
                        f"{number(point.exploitability)} ± {number(point.margin)} mbb a hand",
                    )
                    for point in points
                ),
            ),
        ),
    )


def matches_section(run: Run, played: Played, rivals: Rivals) -> Section:
    """Show what the trained bot wins."""
    won = dict(sorted(played.won.items(), key=lambda pair: -pair[1].mean))
    draw_bars(
        run.path("matches.png"),
        list(won),
        [each.mean for each in won.values()],
        [max(each.margin, 0.0) for each in won.values()],
        title="What the Pure CFR bot wins at the limit table",
        x_label="mbb a hand, with 95 % intervals",
    )
    by_sign = {
        sign: [name for name, each in won.items() if each.sign == sign] for sign in (1, 0, -1)
    }
    words = []
    if by_sign[1]:
        words.append(f"The bot beats {joined(by_sign[1])}.")
    if by_sign[0]:
        words.append(f"Not settled is its match against {joined(by_sign[0])}.")
    if by_sign[-1]:
        words.append(f"It loses to {joined(by_sign[-1])}.")
    times = [
        f"{name} ({trained.iterations:,} iterations)" for name, trained in rivals.trained.items()
    ]
    return Section(
        "Against limit versions of the other bots",
        (
            Text(
                f"{played.hands:,} hands each at the limit table, every deal in both seats. The "
                "other seeds' rules play as they are, with every raise of the fixed size. "
                "Bots that learn are judged by whole sessions, so their intervals are wide. "
                + (f"Their CFR bots were trained anew for limit, with their own cards and "
                   f"algorithm: {joined(times)}. " if times else "")
                + f"Answers of our bot that were refused: {played.failures}."
            ),
            Picture("matches.png", "Winnings by opponent; a big blind is 1,000 mbb."),
            Table(
                "The same in numbers",
                ("opponent", "mbb a hand", "hands"),
                tuple((name, each.text(0), f"{each.hands:,}") for name, each in won.items()),
            ),
            Text(" ".join(words)),
        ),
    )  # fmt: skip


def differs_section() -> Section:
    """Say what differs from the original, and why."""
    return Section(
        "What differs and why",
        (
            Text(
                "The thesis's buckets and its isomorphism are not described, and its code was not "
                "published; ours are percentiles of hand strength over boards up to suits. It "
                "calls its algorithm Pure CFR, but describes another: probabilities kept for each "
                "bucket, the whole tree walked, an update only where the regret is positive, no "
                "average strategy. Here it is Pure CFR as its name says: purified choices, integer "
                "regrets, and counts of the choices as the average, which is what is played. Its "
                "leaf pays half of the pot to the winner; that is wrong where somebody folds to a "
                "bet, because then both have not paid the same. Ours pays what the loser put in. "
                "Open Pure CFR, which it follows, picks actions with a 32-bit number modulo a "
                "64-bit sum, which is biased once regrets are large; it skips updates that would "
                "overflow and stops when a count is full. Ours draws without that bias and halves "
                "a row whose count is full. Times are processor times, because the algorithms "
                "differ in how many threads they can use."
            ),
        ),
    )
