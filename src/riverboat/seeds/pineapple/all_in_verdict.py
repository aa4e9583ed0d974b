"""What is said of all-ins where the strategy was hardly trained: by intervals, not by means."""

import msgspec

from riverboat.seeds.pineapple.all_in import AllIn
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.watch import Offer, Watching
from riverboat.seeds.pineapple.words import apart, digits_beside, interval, percent

__all__ = ["Chosen", "Held", "chosen", "held", "in_play", "in_tables"]

Bounds = tuple[int, int]
"""Least and greatest number of tenths of the training."""

_BARELY: Bounds = (1, 1)
_WELL: Bounds = (7, 10)


class Held(msgspec.Struct, frozen=True):
    """Infosets with all-in on the menu; means over them."""

    infosets: int
    probability: float
    uniform: float
    near_uniform: float

    @property
    def excess(self) -> tuple[float, float]:
        """95 % interval of the probability of all-in above that of uniform play; too wide."""
        low, high = interval(self.probability * self.infosets, self.infosets)
        return low - self.uniform, high - self.uniform

    @property
    def near(self) -> tuple[float, float]:
        """95 % interval of the share that is nearly uniform."""
        return interval(self.near_uniform * self.infosets, self.infosets)


class Chosen(msgspec.Struct, frozen=True):
    """Decisions in play with all-in on the menu."""

    decisions: int
    chosen: int
    uniform: float

    @property
    def span(self) -> tuple[float, float]:
        """95 % interval of the share of all-ins, as if decisions were independent."""
        return interval(self.chosen, self.decisions)

    @property
    def digits(self) -> int:
        """How many digits keep uniform play beside the interval where it lies beside it."""
        return digits_beside(self.span, self.uniform)

    @property
    def text(self) -> str:
        """How often it was chosen, with the interval."""
        if not self.decisions:
            return "-"
        share, low, high = (
            percent(each, self.digits) for each in (self.chosen / self.decisions, *self.span)
        )
        return f"{share} ({low} to {high})"

    @property
    def uniform_text(self) -> str:
        """How often uniform play would choose it at these decisions."""
        return percent(self.uniform, self.digits) if self.decisions else "-"


def held(rows: tuple[AllIn, ...], bounds: Bounds) -> Held:
    """Pool infosets that were reached in so many tenths of the training.

    Examples
    --------
    >>> rows = (AllIn(2, 10, 0.5, 0.25, 1.0), AllIn(3, 30, 0.1, 0.25, 0.0))
    >>> held(rows, (2, 3))
    Held(infosets=40, probability=0.2, uniform=0.25, near_uniform=0.25)
    """
    inside = [row for row in rows if bounds[0] <= row.tenths <= bounds[1]]
    count = sum(row.infosets for row in inside)
    sums = (
        sum(row.infosets * row.probability for row in inside),
        sum(row.infosets * row.uniform for row in inside),
        sum(row.infosets * row.near_uniform for row in inside),
    )
    probability, uniform, near = (each / max(1, count) for each in sums)
    return Held(count, probability, uniform, near)


def chosen(offers: tuple[Offer, ...], bounds: Bounds) -> Chosen:
    """Pool decisions in play by how many tenths of the training reached them.

    Examples
    --------
    >>> chosen((Offer(1, 10, 0.5, 0.25, 4), Offer(2, 30, 0.1, 0.25, 3)), (1, 1)).text
    '40 % (17 % to 69 %)'
    """
    inside = [row for row in offers if bounds[0] <= row.tenths <= bounds[1]]
    count = sum(row.decisions for row in inside)
    uniform = sum(row.decisions * row.uniform for row in inside) / max(1, count)
    return Chosen(count, sum(row.chosen for row in inside), uniform)


def in_tables(training: Training) -> str:
    """Say what the strategy's tables hold."""
    barely, well = held(training.all_in, _BARELY), held(training.all_in, _WELL)
    if not barely.infosets or not well.infosets:
        return "This training is too short to tell barely trained infosets from well trained ones."
    near = {
        1: "Barely trained ones are nearly uniform more often, as the authors saw.",
        -1: "Barely trained ones are nearly uniform less often, not as the authors saw.",
        0: "Which are nearly uniform more often is not told apart.",
    }[apart(barely.near, well.near)]
    more = {
        1: "All-in exceeds uniform play more where an infoset is barely trained.",
        -1: "All-in exceeds uniform play less where an infoset is barely trained: training does "
        "not take all-ins away from the tables here.",
        0: "Where all-in exceeds uniform play more is not told apart.",
    }[apart(barely.excess, well.excess)]
    return (
        f"In the tables all-in has {_points(barely)} where barely trained, and {_points(well)} "
        f"where well trained (seven tenths and more). {near} {more}"
    )


def _points(rows: Held) -> str:
    low, high = rows.excess
    return (
        f"{percent(rows.probability)} ({100 * low:+.1f} to {100 * high:+.1f} points above uniform "
        f"play; {percent(rows.near_uniform)} of these infosets are nearly uniform)"
    )


def in_play(watching: Watching) -> str:
    """Say what the bot chose at the table."""
    offers = watching.last.offers
    barely, well = chosen(offers, _BARELY), chosen(offers, _WELL)
    if not barely.decisions or not well.decisions:
        return "The hands that were watched did not meet both kinds of infosets."
    found = {
        1: "So in play it goes all-in more often where barely trained, as the authors saw.",
        -1: "So in play it goes all-in less often where barely trained, not as the authors saw.",
        0: "So these decisions do not tell where it goes all-in more often.",
    }[apart(barely.span, well.span)]
    return (
        f"At the table it chose all-in in {barely.text} of {barely.decisions:,} decisions where "
        f"barely trained, {_beside_uniform(barely)}, and in {well.text} of {well.decisions:,} "
        f"where well trained, {_beside_uniform(well)}. {found} That holds of this one training; "
        "the intervals take decisions as independent."
    )


def _beside_uniform(rows: Chosen) -> str:
    word = {1: "more than", -1: "less than", 0: "not told apart from"}
    sign = apart(rows.span, (rows.uniform, rows.uniform))
    return f"{word[sign]} the {rows.uniform_text} of uniform play at these decisions"
