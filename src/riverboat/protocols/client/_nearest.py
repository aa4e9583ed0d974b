"""A move of another engine's rules as one of ours."""

from riverboat.game import Hand


def nearest_bet(hand: Hand, amount: int) -> str:
    """Return a bet to `amount` on this street, or the nearest move that our rules allow.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"))
    >>> nearest_bet(hand, 30), nearest_bet(hand, 11), nearest_bet(hand, 5000)
    ('b30', 'b20', 'b1000')
    """
    legal = hand.legal()
    if legal.raise_to is None:
        return "k" if legal.check else "c"
    least, most = legal.raise_to
    return f"b{min(max(amount, least), most)}"


def nearest_move(hand: Hand, letter: str) -> str:
    """Return a fold, check or call, or the nearest that our rules allow.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> nearest_move(Hand(catalogue("nolimit-100bb")), "k")
    'c'
    """
    legal = hand.legal()
    if letter == "f" and legal.fold:
        return "f"
    return "k" if legal.check else "c"
