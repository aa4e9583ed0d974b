"""Six algorithms at equal time, as sections."""

from collections.abc import Sequence

from riverboat.report import (
    Curve,
    Picture,
    Section,
    Table,
    Text,
    draw_curves,
    duration,
    listed,
    number,
    plus_minus,
    short,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.data import Trial, recipe
from riverboat.seeds.yerevan.exact import Exact
from riverboat.seeds.yerevan.same_time import SameTime
from riverboat.seeds.yerevan.verdict import Versus, mean_and_margin, sorted_out, versus

__all__ = [
    "about_the_bound",
    "by_scheme",
    "exact_section",
    "signs_at_size",
    "signs_exactly",
    "size_section",
]

_CLAIM = "the best of the six for two-player limit here"
_CLAIM_OF_TRAININGS = "the best of these trainings"


def by_scheme(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """Group trials by their scheme, in the order of the recipe."""
    return {name: [trial for trial in trials if trial.scheme == name] for name in recipe().schemes}


def _against_pure(exact: Exact) -> dict[str, Versus]:
    ends = {
        name: [trial.last.exploitability for trial in trials]
        for name, trials in by_scheme(exact.trials).items()
    }
    return {name: versus(ends["pure"], ends[name]) for name in ends if name != "pure"}


def signs_exactly(exact: Exact) -> str:
    """Say what the exact comparison found."""
    names = recipe().schemes
    signs = {names[name]: each.sign for name, each in _against_pure(exact).items()}
    return sorted_out("Pure", signs, _CLAIM)


def exact_section(run: Reproduction, exact: Exact) -> Section:
    """Show the comparison that is measured exactly."""
    draw_curves(
        run.path("algorithms.png"),
        [_curve(name, trials) for name, trials in by_scheme(exact.trials).items()],
        title="Limit hold'em with few buckets: exact exploitability at equal cost",
        x_label="processor seconds, one thread",
        y_label="exploitability, mbb a hand",
        x_log=True,
        y_log=True,
    )
    groups = by_scheme(exact.trials)
    cost = max(trial.last.seconds for trial in exact.trials if trial.scheme == "pure")
    return Section(
        "Pure against external, outcome, chance, public-chance and vanilla at equal time",
        (
            Text(
                f"The whole betting tree of limit hold'em, with cards `{exact.cards}`: "
                f"{exact.sequences} sequences of buckets a player, {exact.infosets:,} information "
                "sets. \"Vanilla at equal time\" here means full-width CFR on this abstraction "
                f"with a tabulated distribution of the cards, counted on {exact.counted:,} "
                f"deals from the real deck ({exact.deals:,} different ones). The others draw from "
                "the same table, but for public-chance sampling, which draws boards from the "
                "deck. Buckets never forget, so exploitability is exact in the table's game. Each "
                "algorithm had the same processor time on one thread, and ended with a whole "
                "iteration; the bands and intervals are over seeds."
            ),
            Picture("algorithms.png", "Exploitability against processor time; lower is better. "
                    "Both axes are logarithmic."),
            Table(
                f"After {duration(cost)} of processor time",
                ("algorithm", "runs", "time of one", "iterations a processor second",
                 "decision nodes a processor second", "exploitability, mbb a hand",
                 "times Pure's (95 %)"),
                tuple(_row(name, trials, exact) for name, trials in groups.items()),
            ),
            Text(signs_exactly(exact)),
            Text(_current(exact)),
            Text(
                "The average strategy of Pure's first seed, measured on a table that was counted "
                "on other deals: "
                f"{number(exact.elsewhere[1])} instead of {number(exact.elsewhere[0])} mbb a hand. "
                "The difference is the error of the table."
            ),
        ),
    )  # fmt: skip


def _curve(name: str, trials: list[Trial]) -> Curve:
    """Draw the mean over seeds, with a band from the least to the greatest."""
    count = min(len(trial.points) for trial in trials)
    columns = [[trial.points[at] for trial in trials] for at in range(count)]
    values = [[point.exploitability for point in column] for column in columns]
    return Curve(
        recipe().schemes[name],
        [sum(point.seconds for point in column) / len(column) for column in columns],
        [sum(each) / len(each) for each in values],
        [min(each) for each in values],
        [max(each) for each in values],
    )


def _row(name: str, trials: list[Trial], exact: Exact) -> tuple[str, ...]:
    seconds = sum(trial.seconds for trial in trials)
    mean, margin = mean_and_margin([trial.last.exploitability for trial in trials])
    against = "1" if name == "pure" else _against_pure(exact)[name].text()
    return (
        recipe().schemes[name],
        str(len(trials)),
        duration(seconds / len(trials)),
        number(sum(trial.iterations for trial in trials) / seconds),
        short(sum(trial.nodes for trial in trials) / seconds),
        number(mean) if margin is None else plus_minus(mean, margin),
        against,
    )


def _current(exact: Exact) -> str:
    """Say what the thesis's omission of an average costs."""
    averages = [trial.last.exploitability for trial in by_scheme(exact.trials)["pure"]]
    found = versus(averages, exact.current)
    mean, _ = mean_and_margin(exact.current)
    start = (
        "The thesis speaks of the strategy that the regrets stand for, and never of an average. "
        f"That last strategy of Pure has {number(mean)} mbb a hand, {found.text()} times the "
        "average's: "
    )
    return (
        start
        + {
            1: "the average is what must be played.",
            0: "this run does not settle which is better.",
            -1: "here the last one is even better, for which there is no guarantee.",
        }[found.sign]
    )


def signs_at_size(same: SameTime) -> str:
    """Say what Pure's duels found; they tell of the trainings, one of each algorithm."""
    names = recipe().schemes
    signs = {
        f"{names[other]}'s": same.duels[f"pure v {other}"].sign
        for other in names
        if other != "pure"
    }
    return (
        "each algorithm was trained once, with one seed, so this tells of these trainings only. "
        + sorted_out("Pure's", signs, _CLAIM_OF_TRAININGS)
    )


def about_the_bound() -> str:
    """Say that the lower bound depends on how its responses start."""
    bound = recipe().bound
    tried = listed([f"{each:g}" for each in bound.tried])
    return (
        "A response starts from the measured strategy, which counts as much as "
        f"{bound.prior:g} visits. This number was chosen after a look at {tried}; every number "
        "gives a lower bound, but the bound depends on it, and more for some strategies than for "
        "others. No verdict here rests on it."
    )


def size_section(same: SameTime, cards: str) -> Section:
    """Show the comparison with the seed's number of buckets."""
    names = recipe().schemes
    cost = same.trials[0].seconds
    return Section(
        "The same with as many buckets as the bot has",
        (
            Text(
                f"Cards `{cards}`, {same.trials[0].infosets:,} information sets, about "
                f"{duration(cost)} of processor time each. Vanilla CFR walks a table of "
                f"{same.table_deals:,} deals in every iteration; it learns those deals, not the "
                "deck. Exploitability cannot be had exactly here: the figure is what trained "
                "responses win on fresh deals, a lower bound. "
                f"{about_the_bound()} Therefore the strategies also play each other inside the "
                "abstraction: every action of both walked, in both seats, on the same deals. The "
                "intervals are over deals, not over trainings."
            ),
            Table(
                "After equal processor time",
                ("algorithm", "time", "iterations", "iterations a processor second",
                 "information sets visited", "tables", "exploitability at least, mbb a hand"),
                tuple(_size_row(trial) for trial in same.trials),
            ),
            Table(
                "What the row wins from the column, mbb a hand, with 95 % intervals",
                ("", *names.values()),
                tuple(_duel_row(same, name) for name in names),
            ),
            Text(f"By these matches: {signs_at_size(same)}"),
        ),
    )  # fmt: skip


def _size_row(trial: Trial) -> tuple[str, ...]:
    end = trial.last
    return (
        recipe().schemes[trial.scheme],
        duration(trial.seconds),
        f"{trial.iterations:,}",
        number(trial.speed),
        f"{100 * trial.visited / trial.infosets:.0f} %",
        f"{trial.table_bytes / 1e6:,.0f} MB",
        plus_minus(end.exploitability, end.margin),
    )


def _duel_row(same: SameTime, row: str) -> tuple[str, ...]:
    cells = [recipe().schemes[row]]
    for column in recipe().schemes:
        won = same.duels.get(f"{row} v {column}")
        lost = same.duels.get(f"{column} v {row}")
        if won is not None:
            cells.append(won.text(0))
        elif lost is not None:
            cells.append(f"{-lost.mean:+,.0f} ± {lost.margin:,.0f}")
        else:
            cells.append("")
    return tuple(cells)
