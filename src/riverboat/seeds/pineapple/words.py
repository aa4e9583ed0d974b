"""Sentences that depend on what was computed."""

import math

from riverboat.report import Text
from riverboat.seeds._work import Won
from riverboat.statistics import wilson

__all__ = [
    "apart",
    "change",
    "digits_beside",
    "interval",
    "mbb",
    "percent",
    "spans",
    "verdict",
]


def mbb(won: Won) -> str:
    """Write a result in mbb/h.

    Examples
    --------
    >>> mbb(Won(4675.2, 243.0, 6000))
    '+4,675 ± 243'
    """
    return won.text(0)


def percent(share: float, least: int = 0) -> str:
    """Write a share in per cent with digits enough, at least so many behind the point.

    Examples
    --------
    >>> percent(0.0212), percent(0.5), percent(0.00042), percent(0), percent(0.254, 1)
    ('2.1 %', '50 %', '0.042 %', '0 %', '25.4 %')
    """
    value = 100 * share
    if value == 0:
        return "0 %"
    digits = 0 if value >= 10 else 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{max(digits, least)}f} %"


def digits_beside(span: tuple[float, float], value: float) -> int:
    """Return how many digits a share in per cent needs for a value to stay beside its interval.

    Examples
    --------
    >>> digits_beside((0.2431, 0.26), 0.2411), digits_beside((0.25, 0.26), 0.24)
    (1, 0)
    """
    if span[0] <= value <= span[1]:
        return 0
    for digits in range(4):
        low, high, beside = (round(100 * each, digits) for each in (*span, value))
        if not low <= beside <= high:
            return digits
    return 4


def spans(won: Won) -> tuple[float, float]:
    """Return the 95 % interval of a result; without end where nothing is known.

    Examples
    --------
    >>> spans(Won(10.0, 3.0, 100))
    (7.0, 13.0)
    """
    margin = won.margin if won.margin >= 0 else math.inf
    return won.mean - margin, won.mean + margin


def change(old: Won, new: Won) -> Won:
    """Return how much more the new one won, with an interval as for independent matches.

    Examples
    --------
    >>> change(Won(10.0, 3.0, 100), Won(4.0, 4.0, 50))
    Won(mean=-6.0, margin=5.0, hands=50)
    """
    known = min(old.margin, new.margin) >= 0
    margin = math.hypot(old.margin, new.margin) if known else -1.0
    return Won(new.mean - old.mean, margin, min(old.hands, new.hands))


def interval(count: float, number: float) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson's); 0 to 1 where nothing was counted.

    For the mean of probabilities it is too wide: none is further from its mean than 0 or 1 is.

    Examples
    --------
    >>> low, high = interval(17, 38)
    >>> round(low, 2), round(high, 2)
    (0.3, 0.6)
    """
    return wilson(count, number) if number else (0.0, 1.0)


def apart(one: tuple[float, float], other: tuple[float, float]) -> int:
    """Return 1 if the one interval lies above the other, -1 if below, 0 if they meet.

    Examples
    --------
    >>> apart((0.3, 0.6), (0.1, 0.2)), apart((0.3, 0.6), (0.5, 0.7))
    (1, 0)
    """
    if one[0] > other[1]:
        return 1
    return -1 if one[1] < other[0] else 0


def verdict(won: Won, who: str, whom: str) -> Text:
    """Say who won a match, as far as its interval tells.

    Examples
    --------
    >>> verdict(Won(5.0, 9.0, 100), "A", "B").text
    'A against B: +5 ± 9 mbb/h in 100 hands. The interval holds zero: neither is shown to be \
better.'
    """
    named = who[:1].lower() + who[1:] if who.startswith(("The ", "This ")) else who
    endings = {
        1: f"The interval lies above zero: a win for {named}.",
        -1: f"The interval lies below zero: a loss for {named}.",
        0: "The interval holds zero: neither is shown to be better.",
    }
    return Text(
        f"{who} against {whom}: {mbb(won)} mbb/h in {won.hands:,} hands. {endings[won.sign]}"
    )
