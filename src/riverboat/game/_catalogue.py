"""The usual games by name.

>>> catalogue("nolimit-100bb").stacks
(1000, 1000)
>>> catalogue("nolimit-100bb", players=6).players
6
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import GameError, did_you_mean
from riverboat.game._spec import HOLDEM_STREETS, GameSpec, Street

if TYPE_CHECKING:
    from collections.abc import Callable


def _holdem(
    name: str,
    players: int,
    chips: tuple[int, int, int],
    streets: tuple[Street, ...] = HOLDEM_STREETS,
) -> GameSpec:
    """Hold'em with equal stacks and two blinds; `chips` are stack, small and big blind."""
    stack, small, big = chips
    return GameSpec(
        name=name,
        stacks=(stack,) * players,
        blinds=(small, big) + (0,) * (players - 2),
        betting="fixed-limit" if streets[0].bet_size else "no-limit",
        streets=streets,
    )


def _kuhn(name: str, players: int) -> GameSpec:
    """Kuhn poker: one card, one bet (Kuhn 1950; three players: Abou Risk & Szafron 2010)."""
    return GameSpec(
        name=name,
        stacks=(2,) * players,
        antes=(1,) * players,
        betting="fixed-limit",
        streets=(Street(hole=1, bet_size=1, max_raises=1, first=0),),
        showdown="one-card",
        ranks="JQK" if players == 2 else "TJQKA"[-1 - players :],
        suits="s",
    )


def _leduc(name: str, players: int) -> GameSpec:
    """Leduc hold'em: two suits of one rank more than players (Southey et al. 2005)."""
    return GameSpec(
        name=name,
        stacks=(100,) * players,
        antes=(1,) * players,
        betting="fixed-limit",
        streets=(
            Street(hole=1, bet_size=2, max_raises=2, first=0),
            Street(board=1, bet_size=4, max_raises=2, first=0),
        ),
        showdown="leduc",
        ranks="JQK" if players == 2 else "TJQKA"[-1 - players :],
        suits="hs",
    )


def _limit(name: str, players: int) -> GameSpec:
    """Limit hold'em as in the Annual Computer Poker Competition."""
    sizes = ((2, 0, 10, 3), (0, 3, 10, 4), (0, 1, 20, 4), (0, 1, 20, 4))
    streets = tuple(
        Street(hole=hole, board=board, bet_size=size, max_raises=cap)
        for hole, board, size, cap in sizes
    )
    # The most that four streets can cost is 240: nobody is ever all-in.
    return _holdem(name, players, (1000, 5, 10), streets)


def _pot_limit(name: str, players: int) -> GameSpec:
    """Pot-limit hold'em."""
    return _holdem(name, players, (1000, 5, 10)).replace(betting="pot-limit")


def _short_deck(name: str, players: int) -> GameSpec:
    """No-limit hold'em with the 36 cards from the six up."""
    return _holdem(name, players, (1000, 5, 10)).replace(showdown="short-deck", ranks="6789TJQKA")


def _cardiff(name: str, players: int) -> GameSpec:
    """Make the two-street toy game of the Cardiff thesis: showdown on the flop.

    Its moves are fold, call and the least raise. When nobody raises more, the
    least raise is always one big blind: a fixed limit of 10 on both streets.
    """
    streets = (
        Street(hole=2, bet_size=10, max_raises_per_seat=3),
        Street(board=3, bet_size=10, max_raises_per_seat=3),
    )
    return _holdem(name, players, (1000, 5, 10), streets)


def _discard_2017(name: str, players: int) -> GameSpec:
    """MIT Pokerbots 2017: a swap after the flop and after the turn is dealt."""
    streets = (
        Street(hole=2),
        Street(board=3, discard="swap"),
        Street(board=1, discard="swap"),
        Street(board=1),
    )
    return _holdem(name, players, (200, 1, 2), streets)


def _tossem_2026(name: str, players: int) -> GameSpec:
    """MIT Pokerbots 2026: three hole cards, one tossed face up onto the board of two."""
    streets = (
        Street(hole=3),
        Street(board=2, discard="toss"),
        Street(board=1),
        Street(board=1),
    )
    return _holdem(name, players, (400, 1, 2), streets)


# Name: (maker, players by default, least and most players).
_GAMES: dict[str, tuple[Callable[[str, int], GameSpec], int, int, int]] = {
    "kuhn": (_kuhn, 2, 2, 4),
    "kuhn3": (_kuhn, 3, 3, 3),
    "leduc": (_leduc, 2, 2, 4),
    "limit": (_limit, 2, 2, 10),
    "nolimit-100bb": (lambda name, n: _holdem(name, n, (1000, 5, 10)), 2, 2, 10),
    "nolimit-200bb": (lambda name, n: _holdem(name, n, (20000, 50, 100)), 2, 2, 10),
    "potlimit": (_pot_limit, 2, 2, 10),
    "short-deck": (_short_deck, 2, 2, 10),
    "cardiff": (_cardiff, 2, 2, 10),
    "discard-2017": (_discard_2017, 2, 2, 6),
    "tossem-2026": (_tossem_2026, 2, 2, 3),
}

_ALIASES = {
    "kuhn2": "kuhn",
    "fixedlimit": "limit",
    "fl": "limit",
    "lhe": "limit",
    "hulhe": "limit",
    "nolimit": "nolimit-100bb",
    "holdem": "nolimit-100bb",
    "nl": "nolimit-100bb",
    "nlhe": "nolimit-100bb",
    "hunl": "nolimit-200bb",
    "slumbot": "nolimit-200bb",
    "acpcnolimit": "nolimit-200bb",
    "pl": "potlimit",
    "plhe": "potlimit",
    "sixplus": "short-deck",
    "6plus": "short-deck",
    "discard": "discard-2017",
    "discards": "discard-2017",
    "pokerbots2017": "discard-2017",
    "tossem": "tossem-2026",
    "pokerbots2026": "tossem-2026",
}


def _plain(name: str) -> str:
    """Return a name as it is compared: lower case, letters and digits only."""
    return "".join(c for c in name.lower() if c.isalnum())


def _without(name: str, words: tuple[str, ...]) -> str:
    """Return a name without words that say nothing more."""
    for word in words:
        name = name.replace(word, "")
    return name


_BY_PLAIN_NAME = {_plain(name): name for name in _GAMES} | _ALIASES


def catalogue_names() -> tuple[str, ...]:
    """Return the names of all games in the catalogue."""
    return tuple(_GAMES)


def catalogue(name: str, players: int | None = None) -> GameSpec:
    """Return the game of that name.

    Parameters
    ----------
    name
        One of `catalogue_names()` or a usual other name; case, blanks and
        hyphens do not matter.
    players
        Number of seats, if not the game's usual one.

    Examples
    --------
    >>> catalogue("Leduc").antes
    (1, 1)
    """
    plain = _plain(name) if isinstance(name, str) else ""
    known = _BY_PLAIN_NAME.get(plain) or _BY_PLAIN_NAME.get(
        _without(plain, ("texas", "holdem", "poker", "headsup"))
    )
    if known is None:
        near = did_you_mean(name, _GAMES)
        raise GameError(f"{name!r} is no game of the catalogue{near}: it has {', '.join(_GAMES)}")
    make, usual, least, most = _GAMES[known]
    seats = usual if players is None else players
    if isinstance(seats, bool) or not isinstance(seats, int) or not least <= seats <= most:
        allowed = str(most) if least == most else f"{least} to {most}"
        raise GameError(f"{known} is for {allowed} players, not {players!r}")
    return make(known, seats)
