"""Moves and observations as numbers.

`ActionMenu` numbers the moves of any game: an agent's action is a number of that list. `Encoder`
converts the `View` of a seat to numbers from 0 to 1, so hidden cards cannot leak.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import card_text
from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import Action, GameSpec, View, parse_line
from riverboat.tree import BetMenu, BetSize, StreetMenu, find_menu

_FOLD: Final = 0
_PASSIVE: Final = 1
_FIRST_BET: Final = 2


class ActionMenu:
    """Numbers for moves: fold, check or call, the bets, then stand and a discard for each card.

    Parameters
    ----------
    spec
        The game. Fixed-limit games have only the bet of the rules; games without discards have
        no numbers for stand and discard.
    bets
        Bet sizes as in a bet menu (docs/tree.md), the same on all streets. Each size is limited
        to the legal bounds; of sizes with the same amount only the first is offered.

    Attributes
    ----------
    names
        Name of each number.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> ActionMenu(catalogue("leduc")).names
    ('fold', 'check or call', 'bet min')
    >>> ActionMenu(catalogue("discard-2017"), "100%, a").names[3:]
    ('bet a', 'stand', 'discard card 1', 'discard card 2')
    """

    def __init__(self, spec: GameSpec, bets: str = "min, 50%, 100%, a") -> None:
        self._sizes = _sizes("min" if spec.betting == "fixed-limit" else bets)
        named = ["fold", "check or call", *(f"bet {size}" for size in self._sizes)]
        if any(street.discard != "none" for street in spec.streets):
            cards = sum(street.hole for street in spec.streets)
            named += ["stand", *(f"discard card {number + 1}" for number in range(cards))]
        self.names = tuple(named)

    def moves(self, view: View) -> tuple[str | None, ...]:
        """Return the current move of each number; None where it is not allowed."""
        legal = view.legal
        moves: list[str | None] = [None] * len(self.names)
        if legal.fold:
            moves[_FOLD] = "f"
        if legal.check or legal.call is not None:
            moves[_PASSIVE] = "k" if legal.check else "c"
        for index, size in enumerate(self._sizes, _FIRST_BET):
            bet = _bet(size, view)
            moves[index] = None if bet in moves else bet
        stand = _FIRST_BET + len(self._sizes)
        if legal.stand:
            moves[stand] = "s"
        for index, card in enumerate(view.hole, stand + 1):
            if card in legal.discards:
                moves[index] = f"d{card_text(card)}"
        return tuple(moves)

    def number(self, view: View, move: str | Action) -> int:
        """Return the number of a legal move; for a bet, the number of the nearest size.

        With it any bot can play for an agent: `menu.number(view, bot.act(view))`.

        Examples
        --------
        >>> from riverboat.game import Hand, catalogue
        >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
        >>> ActionMenu(view.spec).number(view, "b32")
        4
        """
        if move not in view.legal:
            raise IllegalActionError(f"{str(move)!r} is not allowed: {view.legal}")
        moves, wanted = self.moves(view), str(move)
        if wanted in moves:
            return moves.index(wanted)
        done = [(index, Action(each)) for index, each in enumerate(moves) if each]
        bets = {each.amount: index for index, each in done if each.kind == "bet"}
        return bets[min(bets, key=lambda amount: abs(amount - Action(wanted).amount))]


def _sizes(bets: str) -> tuple[BetSize, ...]:
    menu = find_menu(bets)
    sizes = menu.streets[0].by_depth[0]
    known = all(size.unit != "e" for size in sizes)
    if not sizes or not known or menu != BetMenu((StreetMenu((sizes,)),)):
        raise MenuError(f"an agent's bets must be sizes with min, %, x, bb or a, not {bets!r}")
    return sizes


def _bet(size: BetSize, view: View) -> str | None:
    """Return the legal bet of a size; None if no bet is allowed."""
    if view.legal.raise_to is None:
        return None
    least, most = view.legal.raise_to
    price, unit = max(view.bets), view.spec.big_blind or view.spec.min_bet
    value = Fraction(size.value)
    wanted = {
        "min": Fraction(least),
        "%": price + value / 100 * (view.pot + view.to_call),
        "x": value * (price or unit),
        "bb": value * unit,
        "a": Fraction(most),
    }[size.unit]
    return f"b{min(max(floor(wanted + Fraction(1, 2)), least), most)}"


_CARDS: Final = 52
_KINDS: Final = ("fold", "check", "call", "bet", "stand", "discard")
_MOVE: Final = len(_KINDS) + 2  # kind, amount, whether it opens a street
_LONGEST: Final = 1000


class Field(NamedTuple):
    """A part of an observation: its name, and the indices of its start and end."""

    name: str
    begin: int
    end: int


class Encoder:
    """Converts views of a game to arrays of fixed length.

    Seats are ordered clockwise from the view's seat; chips are fractions of all chips in play.

    Parameters
    ----------
    spec
        The game.
    history
        Number of latest moves in an observation, the newest first.

    Attributes
    ----------
    fields
        The parts of an observation, in order.
    size
        Length of an observation.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> encoder = Encoder(catalogue("leduc"), history=2)
    >>> [field.name for field in encoder.fields]
    ['hole', 'board', 'discarded', 'street', 'button', 'live', 'stacks', 'bets', 'pot', 'to_call', \
'history']
    >>> encoder.encode(Hand(catalogue("leduc"), seed=1).view(0)).shape
    (184,)
    """

    def __init__(self, spec: GameSpec, history: int = 16) -> None:
        if type(history) is not int or not 0 <= history <= _LONGEST:
            raise GameError(f"a history must have 0 to {_LONGEST:,} moves, not {history!r}")
        seats = spec.players
        sizes = {"hole": _CARDS, "board": _CARDS, "discarded": _CARDS, "street": len(spec.streets)}
        sizes |= {"button": seats, "live": seats, "stacks": seats, "bets": seats}
        sizes |= {"pot": 1, "to_call": 1, "history": history * _MOVE}
        ends = np.cumsum(list(sizes.values())).tolist()
        starts = [0, *ends[:-1]]
        self.fields = tuple(map(Field, sizes, starts, ends))
        self.size = ends[-1]
        self._history = history

    def encode(self, view: View) -> NDArray[np.float32]:
        """Return the observation of the view's seat: [size] float32, 0 to 1."""
        seats = [(view.seat + step) % view.spec.players for step in range(view.spec.players)]
        chips = sum(view.starting_stacks)
        parts = (
            _marked(view.hole, _CARDS),
            _marked(view.board, _CARDS),
            _marked(view.discarded, _CARDS),
            _marked((view.street,), len(view.spec.streets)),
            [seat == view.button for seat in seats],
            [seat in view.live for seat in seats],
            [view.stacks[seat] / chips for seat in seats],
            [view.bets[seat] / chips for seat in seats],
            [view.pot / chips, view.to_call / chips],
            self._moves(view.line, chips),
        )
        return np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])

    def _moves(self, line: str, chips: int) -> NDArray[np.float32]:
        """[history, (kind, amount, start of street)]: the latest moves, the newest first."""
        told = np.zeros((self._history, _MOVE), np.float32)
        rows = list(_rows(line, chips))[::-1][: self._history]
        if rows:
            told[: len(rows)] = rows
        return told


def _marked(indices: tuple[int, ...], size: int) -> NDArray[np.float32]:
    """[size] 1 at the indices, else 0."""
    marks = np.zeros(size, np.float32)
    marks[[index for index in indices if index >= 0]] = 1
    return marks


def _rows(line: str, chips: int) -> Iterator[list[float]]:
    """Yield each move of a line, in order."""
    for street in parse_line(line):
        for place, action in enumerate(street):
            kinds = [float(action.kind == kind) for kind in _KINDS]
            yield [*kinds, action.amount / chips, float(place == 0)]
