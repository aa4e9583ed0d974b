"""What a local best response may do, street by street: `c-c-nine-nine`, `c-c-33%,a-33%,a`."""

import re
from typing import Final, NamedTuple

from riverboat.errors import GameError
from riverboat.game import Hand


class StreetSet(NamedTuple):
    """What may be done on one street, beside checking and calling."""

    folds: bool = False
    shares: tuple[float, ...] = ()
    """Bets, as shares of the pot after calling."""
    least: bool = False
    all_in: bool = False
    own: bool = False
    """The bets of the bot's own menu."""


#: By name; 56 is that of Lisy and Bowling (2017).
LBR_STREET_SETS: Final = {
    "c": StreetSet(),
    "fc": StreetSet(folds=True),
    "fcpa": StreetSet(folds=True, shares=(1.0,), all_in=True),
    "nine": StreetSet(
        folds=True, shares=(0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0), least=True, all_in=True
    ),
    # Between and beyond what menus of strategies usually hold.
    "odd": StreetSet(folds=True, shares=(0.15, 0.35, 0.65, 0.85, 1.25, 1.75, 2.75, 4.5, 8.0)),
    "56": StreetSet(folds=True, shares=tuple(0.05 * 1.15**k for k in range(55)), all_in=True),
    "own": StreetSet(folds=True, own=True),
}

#: Short names of whole settings.
LBR_PRESETS: Final = {
    "fc": "fc-fc-fc-fc",
    "fcpa": "c-c-fcpa-fcpa",
    "nine": "c-c-nine-nine",
    "flop": "fc-nine-nine-nine",
    "odd": "c-c-odd-odd",
    "56": "c-c-56-56",
    "own": "c-c-own-own",
}

_NUM_STREETS: Final = 4
_PERCENT: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)%")


def parse_lbr_set(text: str) -> tuple[StreetSet, ...]:
    """Read a setting: a preset's name, or the sets of the four streets with `-` between.

    A set is one of `LBR_STREET_SETS`, or bets with commas between: parts of the pot in per cent,
    `min` for the least and `a` for all chips.

    Examples
    --------
    >>> parse_lbr_set("nine") == parse_lbr_set("c-c-nine-nine")
    True
    >>> parse_lbr_set("fc-fcpa-fcpa-fcpa")[1].shares
    (1.0,)
    >>> parse_lbr_set("c-c-c-40%,130%,a")[3]
    StreetSet(folds=True, shares=(0.4, 1.3), least=False, all_in=True, own=False)
    """
    streets = [_street_set(name) for name in LBR_PRESETS.get(text, text).split("-")]
    found = tuple(street for street in streets if street is not None)
    if len(found) != _NUM_STREETS or len(streets) != _NUM_STREETS:
        raise GameError(
            f"{text!r} is no setting of a local best response: take {', '.join(LBR_PRESETS)}, or "
            f"four of {', '.join(LBR_STREET_SETS)} with - between, such as c-c-nine-nine; or bets "
            "in their place, such as c-c-c-40%,130%,a"
        )
    return found


def _street_set(text: str) -> StreetSet | None:
    """One street; None where nothing is meant."""
    if text in LBR_STREET_SETS:
        return LBR_STREET_SETS[text]
    bets = [bet.strip() for bet in text.split(",")]
    sizes = [_PERCENT.fullmatch(bet) for bet in bets if bet not in {"min", "a"}]
    shares = tuple(float(size[1]) / 100 for size in sizes if size is not None)
    if len(shares) < len(sizes) or not all(shares):
        return None
    return StreetSet(folds=True, shares=shares, least="min" in bets, all_in="a" in bets)


def bet_amounts(allowed: StreetSet, hand: Hand) -> list[int]:
    """Return the legal bets of a set, as chips in on this street, rising; not those of `own`.

    A size below the least raise, or of all chips and more, is no bet of that size: it is left
    out.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"))
    >>> bet_amounts(LBR_STREET_SETS["fcpa"], hand), bet_amounts(LBR_STREET_SETS["nine"], hand)
    ([30, 1000], [20, 25, 30, 40, 50, 70, 1000])
    """
    bounds = hand.legal().raise_to
    if bounds is None:
        return []
    least, most = bounds
    pot = hand.pot + hand.to_call
    sizes = {hand.price + int(share * pot + 0.5) for share in allowed.shares}
    amounts = {size for size in sizes if least <= size < most}
    if allowed.least:
        amounts.add(least)
    if allowed.all_in:
        amounts.add(most)
    return sorted(amounts)
