"""Games by name: the catalogue, games of other packages, and game files.

Other packages add games with an entry point of the group `riverboat.games`: a `GameSpec`, or a
function that returns one for a number of players, which has a default.

>>> catalogue("nolimit-100bb").stacks
(1000, 1000)
>>> catalogue("nolimit-100bb", players=6).players
6
>>> catalogue("nolimit-30bb").stacks  # any depth from 2 to 1,000 big blinds
(300, 300)
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.errors import GameError, did_you_mean, in_words
from riverboat.files import is_file, read_text, toml_table
from riverboat.game._acpc import read_acpc_game
from riverboat.game._spec import HOLDEM_STREETS, GameSpec, Rake, Street
from riverboat.settings import PlugIns, plain_name, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LONGEST_PATH = 300  # characters in an error message, which ends with the file's name
_DEPTHS: Final = range(2, 1001)


def _holdem(
    name: str,
    players: int,
    chips: tuple[int, int, int],
    streets: tuple[Street, ...] = HOLDEM_STREETS,
) -> GameSpec:
    """Return hold'em with equal stacks; `chips` are stack, small blind and big blind."""
    stack, small, big = chips
    return GameSpec(
        name=name,
        stacks=(stack,) * players,
        blinds=(small, big) + (0,) * (players - 2),
        betting="fixed-limit" if streets[0].bet_size else "no-limit",
        streets=streets,
    )


def _kuhn(name: str, players: int) -> GameSpec:
    """Return Kuhn poker: one card, one bet (Kuhn 1950; three players: Abou Risk & Szafron 2010)."""
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
    """Return Leduc hold'em: two suits, one rank more than players (Southey et al. 2005)."""
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
    """Return limit hold'em as in the Annual Computer Poker Competition."""
    sizes = ((2, 0, 10, 3), (0, 3, 10, 4), (0, 1, 20, 4), (0, 1, 20, 4))
    streets = tuple(
        Street(hole=hole, board=board, bet_size=size, max_raises=cap)
        for hole, board, size, cap in sizes
    )
    # Four streets cost at most 240 chips: nobody is ever all-in.
    return _holdem(name, players, (1000, 5, 10), streets)


def _pot_limit(name: str, players: int) -> GameSpec:
    """Return pot-limit hold'em."""
    return _holdem(name, players, (1000, 5, 10)).replace(betting="pot-limit")


def _short_deck(name: str, players: int) -> GameSpec:
    """Return no-limit hold'em with the 36 cards from the six up."""
    return _holdem(name, players, (1000, 5, 10)).replace(showdown="short-deck", ranks="6789TJQKA")


def _cardiff(name: str, players: int) -> GameSpec:
    """Return the two-street toy game of the Cardiff thesis: showdown on the flop.

    Its actions are fold, call and the minimum raise. If nobody raises more, the
    minimum raise is always one big blind: a fixed limit of 10 on both streets.
    """
    streets = (
        Street(hole=2, bet_size=10, max_raises_per_seat=3),
        Street(board=3, bet_size=10, max_raises_per_seat=3),
    )
    return _holdem(name, players, (1000, 5, 10), streets)


def _discard_2017(name: str, players: int) -> GameSpec:
    """Return the game of MIT Pokerbots 2017: a swap on the flop and on the turn."""
    streets = (
        Street(hole=2),
        Street(board=3, discard="swap"),
        Street(board=1, discard="swap"),
        Street(board=1),
    )
    return _holdem(name, players, (200, 1, 2), streets)


def _tossem_2026(name: str, players: int) -> GameSpec:
    """Return the game of MIT Pokerbots 2026: one of three hole cards is tossed onto the board."""
    streets = (
        Street(hole=3),
        Street(board=2, discard="toss"),
        Street(board=1),
        Street(board=1),
    )
    return _holdem(name, players, (400, 1, 2), streets)


def _river_of_blood_2023(name: str, players: int) -> GameSpec:
    """Return the game of MIT Pokerbots 2023: after a red river, betting goes on to a black card."""
    runs = (Street(board=1),) * 26  # there are no more red cards
    spec = _holdem(name, players, (400, 1, 2))
    return spec.replace(streets=HOLDEM_STREETS + runs, showdown="high-on-black")


# Name: (function, default players, minimum players, maximum players).
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
    "river-of-blood-2023": (_river_of_blood_2023, 2, 2, 10),
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
    "riverofblood": "river-of-blood-2023",
    "pokerbots2023": "river-of-blood-2023",
    "tossem": "tossem-2026",
    "pokerbots2026": "tossem-2026",
}


def _without(name: str, words: tuple[str, ...]) -> str:
    """Return a name without some redundant words."""
    for word in words:
        name = name.replace(word, "")
    return name


_BY_PLAIN_NAME = {plain_name(name): name for name in _GAMES} | _ALIASES


def _known(name: str) -> str | None:
    """Return the catalogue's name of a game."""
    plain = plain_name(name)
    short = _without(plain, ("texas", "holdem", "poker", "headsup"))
    return _BY_PLAIN_NAME.get(plain) or _BY_PLAIN_NAME.get(short) or _at_depth(plain)


def _at_depth(plain: str) -> str | None:
    """Return the name of no-limit hold'em at a depth such as nolimit30bb."""
    found = re.fullmatch(r"nolimit([1-9]\d{0,3})bb", plain)
    return f"nolimit-{found[1]}bb" if found and int(found[1]) in _DEPTHS else None


def _made(known: str) -> tuple[Callable[[str, int], GameSpec], int, int, int]:
    """Return function, default, minimum and maximum players of a known game."""
    if known in _GAMES:
        return _GAMES[known]
    depth = int(known.removeprefix("nolimit-").removesuffix("bb"))
    return (lambda name, n: _holdem(name, n, (10 * depth, 5, 10))), 2, 2, 10


def _accept(name: str, value: Any, package: str) -> Callable[[int | None], GameSpec]:
    """Return a function that makes the game of an entry point, which is a game or a function."""
    if not isinstance(value, GameSpec) and not callable(value):
        raise GameError(f"{value!r} is neither a GameSpec nor a function that returns one")

    def make(players: int | None) -> GameSpec:
        what = f"the game {name!r} of the package {package}"
        try:
            given = () if players is None else (players,)
            spec = value if isinstance(value, GameSpec) else value(*given)
        except Exception as error:
            raise GameError(f"{what} cannot be made: {in_words(error)}") from error
        if not isinstance(spec, GameSpec):
            raise GameError(f"{what} is not a GameSpec: {spec!r}")
        if players not in (None, spec.players):
            raise GameError(f"{name} is for {spec.players} players, not {players!r}")
        return spec.replace(name=name)

    return make


_PLUG_INS = PlugIns(
    "riverboat.games", "game", GameError, _accept, lambda name: _known(name) is not None
)


def catalogue_names() -> tuple[str, ...]:
    """Return the names of all games in Riverboat's own catalogue."""
    return tuple(_GAMES)


def game_names() -> tuple[str, ...]:
    """Return the names of all games: the catalogue's and those of other packages.

    Examples
    --------
    >>> game_names()[:3]
    ('kuhn', 'kuhn3', 'leduc')
    """
    return (*_GAMES, *_PLUG_INS.names())


def catalogue(name: str, players: int | None = None) -> GameSpec:
    """Return the game of that name.

    Parameters
    ----------
    name
        One of `game_names()`, an alias, or `nolimit-30bb` for any depth; case, blanks and hyphens
        do not matter.
    players
        Number of seats; the game's default if None.

    Examples
    --------
    >>> catalogue("Leduc").antes
    (1, 1)
    """
    known = _known(name) if isinstance(name, str) else None
    if known is None:
        if isinstance(name, str) and (plug_in := _PLUG_INS.get(name)):
            return plug_in(players)
        listed, near = ", ".join(game_names()), did_you_mean(name, game_names())
        raise GameError(
            f"{shown(name)} is not a game of the catalogue{near}: it has {listed}, and no-limit "
            "hold'em at other depths, such as nolimit-30bb (2 to 1,000 big blinds)"
        )
    make, default, least, most = _made(known)
    seats = default if players is None else players
    if isinstance(seats, bool) or not isinstance(seats, int) or not least <= seats <= most:
        allowed = str(most) if least == most else f"{least} to {most}"
        raise GameError(f"{known} is for {allowed} players, not {players!r}")
    return make(known, seats)


def find_game(text: str, players: int | None = None, folder: Path | None = None) -> GameSpec:
    """Return the game of a name or of a file.

    Parameters
    ----------
    text
        A name of the catalogue; a TOML file with a table `[game]`, such as a recipe; or an ACPC
        game file.
    players
        Number of seats; the game's default if None. A file defines its own number of seats.
    folder
        The folder of the file that names the game, if a file does: only game files in the same
        folder are read. None allows any path.

    Raises
    ------
    GameError
        If the game does not exist or cannot be read.

    Examples
    --------
    >>> find_game("leduc").players, find_game("nolimit-100bb", 6).players
    (2, 6)
    """
    if folder is not None and not _is_beside(text):
        raise GameError(
            f"{shown(text)} is a path: a file may name a catalogue game, or a game file in its "
            "own folder"
        )
    file = (folder or Path()) / text if isinstance(text, str) else None
    if file is None or text in catalogue_names() or not is_file(file):
        return catalogue(text, players)
    try:
        spec = _read(file, players)
    except GameError as error:
        raise GameError(
            f"the game file {shown(text, _LONGEST_PATH)} cannot be read: {error}"
        ) from error
    if players is not None and spec.players != players:
        raise GameError(f"the game of {shown(text)} is for {spec.players} players, not {players}")
    readable = file.stem.encode(errors="backslashreplace").decode()  # a name of other bytes
    return spec if spec.name else spec.replace(name=readable)


def _is_beside(name: object) -> bool:
    """Whether a name is a plain file name without folders."""
    return isinstance(name, str) and len(name) < 256 and not set(name) & set("/\\:\0")


def game_from_table(table: Mapping[str, Any]) -> GameSpec:
    """Return the game of a TOML or JSON table with the fields of `GameSpec`.

    Raises
    ------
    GameError
        If a key or a value is wrong.

    Examples
    --------
    >>> game_from_table({"stacks": [500, 500], "blinds": [5, 10], "name": "short"}).stacks
    (500, 500)
    """
    _check_keys(table, GameSpec, "a game")
    streets = table.get("streets", ())
    for street in streets if isinstance(streets, list | tuple) else ():
        _check_keys(street, Street, "a street")
    _check_keys(table.get("rake", {}), Rake, "a rake")
    try:
        return msgspec.convert(table, GameSpec)
    except msgspec.ValidationError as error:
        raise GameError(f"{error}: a game is a table with stacks, blinds, streets, ..") from error


def _read(file: Path, players: int | None) -> GameSpec:
    text = read_text(file, "it", GameError)
    if file.suffix.lower() != ".toml":
        return read_acpc_game(text)
    game = toml_table(text, "it", GameError).get("game")
    if isinstance(game, str) and not game.lower().endswith(".toml"):  # as in recipes
        return find_game(game, players, file.parent)
    if not isinstance(game, dict):
        raise GameError("the file has no table [game]")
    return game_from_table(game)


def _check_keys(table: object, kind: type[GameSpec | Street | Rake], what: str) -> None:
    known = [field.name for field in dataclasses.fields(kind)]
    for key in table if isinstance(table, dict) else ():
        if key not in known:
            raise GameError(f"{what} has no key {shown(key)}: its keys are {', '.join(known)}")
