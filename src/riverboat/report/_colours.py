"""The colours used everywhere: of actions, and of the lines and bars of plots.

Fold is blue, check and call green, bets go from amber over red to purple by their size relative
to the pot, all-in is pink. The second palette is Okabe & Ito's (2008), told apart by colour-blind
people too.
"""

import math
from typing import Final, Literal, NamedTuple

Palette = Literal["usual", "colour-blind"]
Rgb = tuple[int, int, int]

#: Okabe & Ito (2008).
COLOURS: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000",
)  # fmt: skip
#: Up to these shares of the pot a bet has the colour of its place; beyond them the last.
_LIMITS: Final = (0.4, 0.8, 1.2)


class ActionColours(NamedTuple):
    """The colours of a palette."""

    fold: Rgb
    call: Rgb
    """Check, too."""
    bets: tuple[Rgb, Rgb, Rgb, Rgb]
    """Up to 40 %, 80 % and 120 % of the pot, and larger."""
    all_in: Rgb
    other: Rgb
    """Discards, and what is not known."""


ACTION_COLOURS: Final[dict[Palette, ActionColours]] = {
    "usual": ActionColours(
        fold=(58, 134, 224),
        call=(60, 176, 92),
        bets=((247, 197, 60), (240, 140, 40), (222, 62, 52), (146, 84, 190)),
        all_in=(240, 120, 190),
        other=(150, 150, 150),
    ),
    "colour-blind": ActionColours(
        fold=(0, 114, 178),
        call=(0, 158, 115),
        bets=((240, 228, 66), (230, 159, 0), (213, 94, 0), (204, 121, 167)),
        all_in=(86, 180, 233),
        other=(150, 150, 150),
    ),
}


def action_colour(kind: str, pot_share: float = 0.0, palette: Palette = "usual") -> Rgb:
    """Return the colour of an action.

    Parameters
    ----------
    kind
        `fold`, `check`, `call`, `bet` (raises, too) or anything else.
    pot_share
        Size of a bet relative to the pot; infinite for all-in.
    palette
        Whose eyes it is for.

    Examples
    --------
    >>> action_colour("fold"), action_colour("bet", 0.5), action_colour("bet", float("inf"))
    ((58, 134, 224), (240, 140, 40), (240, 120, 190))
    """
    colours = ACTION_COLOURS[palette]
    if kind == "bet" and math.isinf(pot_share):
        return colours.all_in
    if kind == "bet":
        return colours.bets[sum(pot_share > limit for limit in _LIMITS)]
    return {"fold": colours.fold, "check": colours.call, "call": colours.call}.get(
        kind, colours.other
    )


def hex_colour(colour: Rgb) -> str:
    """Write a colour as pages and plots take it.

    Examples
    --------
    >>> hex_colour((58, 134, 224))
    '#3a86e0'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
