"""Sentences that depend on what was computed."""

from riverboat.recipes.report import Text
from riverboat.recipes.work import Won

__all__ = ["mbb", "percent", "verdict"]


def mbb(won: Won) -> str:
    """Write a result in mbb/h.

    Examples
    --------
    >>> mbb(Won(4675.2, 243.0, 6000))
    '+4,675 ± 243'
    """
    return won.text(0)


def percent(share: float) -> str:
    """Write a share in per cent with digits enough.

    Examples
    --------
    >>> percent(0.0212), percent(0.5), percent(0.00042), percent(0)
    ('2.1 %', '50 %', '0.042 %', '0 %')
    """
    value = 100 * share
    if value == 0:
        return "0 %"
    digits = 0 if value >= 10 else 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f} %"


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
