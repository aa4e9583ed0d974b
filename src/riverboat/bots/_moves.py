"""Legal moves for what a bot wants to do.

A bot that gives up checks if that is free. A bot that cannot raise calls. Amounts are brought
within the legal limits.

>>> from riverboat.game import Hand, catalogue
>>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
>>> give_up(view), go_along(view), raise_to(view, 5), raise_by(view, "max")
('f', 'c', 'b20', 'b1000')
"""

from typing import Literal

from riverboat.cards import card_text
from riverboat.game import View, actions_of

#: Raise sizes: the minimum, twice the minimum, the mean of minimum and maximum, the maximum.
Size = Literal["min", "double", "mid", "max"]


def give_up(view: View) -> str:
    """Check if that is free, else fold.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> give_up(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'f'
    """
    return "k" if view.legal.check else "f"


def go_along(view: View) -> str:
    """Check if that is free, else call.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> go_along(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """
    return "k" if view.legal.check else "c"


def raise_to(view: View, amount: float) -> str:
    """Bet or raise to `amount` chips on this street; call if raising is illegal.

    The amount is rounded down to whole chips and brought within the legal limits.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> raise_to(view, 35.9), raise_to(view, 5)
    ('b35', 'b20')
    """
    bounds = view.legal.raise_to
    if bounds is None:
        return go_along(view)
    return f"b{min(max(int(amount), bounds[0]), bounds[1])}"


def raise_by(view: View, size: Size) -> str:
    """Bet or raise by a `Size`; call if raising is illegal."""
    bounds = view.legal.raise_to
    if bounds is None:
        return go_along(view)
    least, most = bounds
    if size == "min":
        return f"b{least}"
    if size == "max":
        return f"b{most}"
    return raise_to(view, 2 * least if size == "double" else (least + most) / 2)


def raise_pot_share(view: View, share: float) -> str:
    """Bet or raise by a share of the pot after a call; call if raising is illegal.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> raise_pot_share(Hand(catalogue("nolimit-100bb"), seed=1).view(0), 1)  # to 10 + 20
    'b30'
    """
    price = view.bets[view.seat] + view.to_call
    return raise_to(view, price + share * (view.pot + view.to_call))


def keep_cards(view: View) -> str:
    """Stand pat in a discard phase, or discard the lowest card if standing is illegal."""
    if view.legal.stand:
        return "s"
    lowest = min(view.legal.discards)
    return "d" if lowest < 0 else f"d{card_text(lowest)}"


def last_action(view: View) -> str:
    """Return the letter of the last bet, check, call or fold on this street; empty without one.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> last_action(Hand.from_line(catalogue("nolimit-100bb"), "b25", seed=1).view(1))
    'b'
    """
    if view.line.count("/") < view.street:  # no action on this street yet
        return ""
    actions = actions_of(view.line.rpartition("/")[2])
    return actions[-1][0] if actions and actions[-1][0] in "kcbf" else ""
