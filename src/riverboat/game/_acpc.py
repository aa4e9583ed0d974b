"""Read and write game definitions of the Annual Computer Poker Competition (ACPC).

The format has *positions*. With blinds and two players position 0 is the big
blind and position 1 the small blind on the button ("reverse blinds"): our seats
1 and 0. With more players position and seat are the same, and position 0 has the
small blind. Files with blinds in another order are refused. Blinds that are
equal for all positions become antes.

The format does not name cards: a deck consists of the highest ranks and suits.
For another deck `write_acpc_game` adds comments that only Riverboat reads,
`# ranks JQK` and `# suits hs`, on separate lines.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from riverboat.cards import RANKS, SUITS
from riverboat.errors import GameError
from riverboat.files import LONGEST_TEXT, bounded
from riverboat.game._spec import GameSpec, Showdown, Street

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEP = 2**31 - 1  # the format's default stack
_NO_CAP = 255  # the format's number for "no cap"
_MOST_ROUNDS = 4
_DECK = re.compile(r"\s*#\s*(ranks\s+[2-9TJQKA]+|suits\s+[cdhs]+)\s*", re.ASCII)

# Key: whether it has one number, one per player or one per round.
_KEYS = {
    "numplayers": "one",
    "numrounds": "one",
    "numsuits": "one",
    "numranks": "one",
    "numholecards": "one",
    "stack": "player",
    "blind": "player",
    "raisesize": "round",
    "firstplayer": "round",
    "maxraises": "round",
    "numboardcards": "round",
}


def seat_of_position(spec: GameSpec, position: int) -> int:
    """Return the seat of an ACPC position, or the position of a seat; both are the same mapping.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> seat_of_position(catalogue("nolimit-200bb"), 0)
    1
    """
    _check_spec(spec)
    if isinstance(position, bool) or not hasattr(position, "__index__"):
        raise GameError(f"a position must be a whole number, not {position!r}")
    if not 0 <= position < spec.players:
        raise GameError(f"there is no position {position}: positions are 0 to {spec.players - 1}")
    return 1 - position if spec.players == 2 and spec.big_blind else position


def _check_spec(spec: object) -> None:
    if not isinstance(spec, GameSpec):
        raise GameError(f"the game must be a GameSpec, not {type(spec).__name__}")


def _numbers(words: Sequence[str], number: int) -> list[int]:
    """Return whole numbers of at most 15 digits, or raise GameError with the line."""
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 15):
            raise GameError(f"line {number}: {word[:40]!r} is not a whole number")
    return [int(word) for word in words]


def _read_lines(text: str) -> tuple[str, dict[str, tuple[int, list[int]]]]:
    """Return the betting word, and each key's line number and values."""
    betting, values, begun = "", dict[str, tuple[int, list[int]]](), False
    for number, raw in enumerate(text.splitlines(), start=1):
        words = raw.split("#", 1)[0].replace("=", " ").split()
        if not words:
            continue
        key = words[0].lower()
        if not begun:
            if key != "gamedef":
                raise GameError(
                    f"line {number}: a game file must start with GAMEDEF, not {words[0][:40]!r}"
                )
            begun = True
        elif key == "end":
            return betting, values
        elif key in ("limit", "nolimit"):
            betting = key
        elif key not in _KEYS:
            raise GameError(
                f"line {number}: {words[0][:40]!r} is not a key of a game file; "
                f"the keys are limit, nolimit, {', '.join(_KEYS)}"
            )
        elif key in values:
            raise GameError(f"line {number}: {words[0]} appears a second time")
        else:
            values[key] = (number, _numbers(words[1:], number))
    raise GameError("the game file has no line END GAMEDEF")


def _read_deck(text: str, values: _Values) -> tuple[str, str]:
    """Return ranks and suits: from Riverboat's comments, else the highest."""
    deck = {
        "ranks": RANKS[-values.one("numranks", 1, 13) :],
        "suits": SUITS[-values.one("numsuits", 1, 4) :],
    }
    for number, raw in enumerate(text.splitlines(), start=1):
        if not _DECK.fullmatch(raw):
            continue
        what, letters = raw.replace("#", " ").split()
        if len(letters) != len(deck[what]):
            raise GameError(
                f"line {number}: {letters} is not {len(deck[what])} {what}, as num{what} says"
            )
        deck[what] = letters
    return deck["ranks"], deck["suits"]


class _Values:
    """The numbers of a game file; each read checks how many there are."""

    def __init__(self, values: dict[str, tuple[int, list[int]]]) -> None:
        self.values = values
        self.players = self.one("numplayers", 2, 10)
        self.rounds = self.one("numrounds", 1, _MOST_ROUNDS)

    def line(self, key: str) -> int:
        return self.values[key][0]

    def one(self, key: str, least: int, most: int) -> int:
        """Return one number between two bounds."""
        if key not in self.values:
            raise GameError(f"the game file has no line {key}")
        line, numbers = self.values[key]
        if len(numbers) != 1 or not least <= numbers[0] <= most:
            given = " ".join(map(str, numbers))
            raise GameError(
                f"line {line}: {key} must be a number between {least} and {most}, not '{given}'"
            )
        return numbers[0]

    def several(self, key: str, default: int | None) -> list[int]:
        """Return one number per player or round; additional ones are ignored, as ACPC does."""
        count = self.players if _KEYS[key] == "player" else self.rounds
        if key not in self.values:
            if default is None:
                raise GameError(f"the game file has no line {key}")
            return [default] * count
        line, numbers = self.values[key]
        if len(numbers) < count:
            raise GameError(f"line {line}: {key} needs {count} numbers, not {len(numbers)}")
        return numbers[:count]


def _streets(values: _Values, limit: bool, order: list[int]) -> tuple[Street, ...]:
    """Build the streets; `order[position]` is the seat."""
    firsts = values.several("firstplayer", 1)
    if any(not 1 <= first <= values.players for first in firsts):
        raise GameError(
            f"line {values.line('firstplayer')}: players are 1 to {values.players}, "
            f"not {' '.join(map(str, firsts))}"
        )
    board = values.several("numboardcards", 0)
    sizes = values.several("raisesize", None) if limit else [0] * values.rounds
    caps = values.several("maxraises", _NO_CAP)
    hole = values.one("numholecards", 1, 4)
    return tuple(
        Street(
            hole=hole if i == 0 else 0,
            board=board[i],
            bet_size=sizes[i],
            max_raises=None if caps[i] >= _NO_CAP else caps[i],
            first=order[firsts[i] - 1],
        )
        for i in range(values.rounds)
    )


def _showdown(hole: int, board: int) -> Showdown:
    """Return the showdown for numbers of cards: with one hole card it is a toy game."""
    if hole == 1 and board == 0:
        return "one-card"
    return "leduc" if hole == 1 and board == 1 else "high"


def _standard_blinds(posted: Sequence[int]) -> bool:
    """Whether blinds by position are in the standard order, which maps to our seats.

    Two players: the big blind first. More: small, big, then possibly straddles that
    rise; with a small blind of 0 no straddle, because `0 5 10` is another order.
    """
    small, big, *others = posted
    if not others:
        return small > big
    straddles = [chips for chips in others if chips]
    run = [big, *straddles]
    return (
        small <= big > 0
        and others[: len(straddles)] == straddles
        and run == sorted(run)
        and (small > 0 or not straddles)
    )


def _with_default_seats(spec: GameSpec) -> GameSpec:
    """Remove the first seats of streets if they are the default."""
    plain = spec.replace(streets=tuple(replace(street, first=None) for street in spec.streets))
    same = all(plain.first_seat(i) == spec.first_seat(i) for i in range(len(spec.streets)))
    return plain if same and spec.big_blind else spec


def read_acpc_game(text: str, name: str = "") -> GameSpec:
    """Read an ACPC game definition.

    Parameters
    ----------
    text
        The content of the file. Keys are case-insensitive; `#` starts a comment.
    name
        Name of the game.

    Raises
    ------
    GameError
        If the file is not a game definition, or its blinds are not in the
        standard order. The message contains the line number.

    Examples
    --------
    >>> spec = read_acpc_game('''GAMEDEF
    ... nolimit
    ... numPlayers = 2
    ... numRounds = 4
    ... stack = 20000 20000
    ... blind = 100 50
    ... firstPlayer = 2 1 1 1
    ... numSuits = 4
    ... numRanks = 13
    ... numHoleCards = 2
    ... numBoardCards = 0 3 1 1
    ... END GAMEDEF''')
    >>> spec.blinds, spec.first_seat(0), spec.first_seat(1)
    ((50, 100), 0, 1)
    """
    betting, raw = _read_lines(bounded(text, "a game file", GameError, LONGEST_TEXT))
    if not betting:
        raise GameError("the game file has no line limit or nolimit")
    values = _Values(raw)
    n = values.players
    posted = values.several("blind", None)
    stacks = values.several("stack", _DEEP)
    is_ante = len(set(posted)) == 1
    if not is_ante and not _standard_blinds(posted):
        raise GameError(
            f"line {values.line('blind')}: the blinds {' '.join(map(str, posted))} are not in the "
            "standard order: big, small for two players, else small, big, others"
        )
    order = [1, 0] if n == 2 and not is_ante else list(range(n))
    by_seat = sorted(range(n), key=order.__getitem__)
    chips = tuple(posted[position] for position in by_seat)
    streets = _streets(values, betting == "limit", order)
    ranks, suits = _read_deck(text, values)
    spec = GameSpec(
        name=name,
        stacks=tuple(stacks[position] for position in by_seat),
        blinds=(0,) * n if is_ante else chips,
        antes=chips if is_ante else (0,) * n,
        betting="fixed-limit" if betting == "limit" else "no-limit",
        streets=streets,
        showdown=_showdown(streets[0].hole, sum(street.board for street in streets)),
        ranks=ranks,
        suits=suits,
        min_bet=chips[0] if is_ante and betting == "nolimit" else 0,
    )
    return _with_default_seats(spec)


def _refuse_unwritable(spec: GameSpec) -> None:
    """Raise GameError if the format cannot express the game."""
    later_hole = any(street.hole for street in spec.streets[1:])
    ante_only = spec.big_blind == 0 and len(set(spec.antes)) == 1
    order = [seat_of_position(spec, position) for position in range(spec.players)]
    blinds = [spec.blinds[seat] for seat in order]
    board = spec.board_sizes[-1]
    reasons = {
        "pot-limit betting": spec.betting == "pot-limit",
        "short-deck showdowns": spec.showdown == "short-deck",
        "showdowns other than the standard one for the number of cards": spec.showdown
        not in ("short-deck", _showdown(spec.streets[0].hole, board)),
        "discards": spec.has_discards,
        "raise caps for each seat": any(s.max_raises_per_seat is not None for s in spec.streets),
        "hole cards after the first street": later_hole,
        "a rake": spec.rake.percent > 0,
        "antes besides blinds, or unequal antes": any(spec.antes) and not ante_only,
        "blinds that are equal for all": len(set(blinds)) == 1 and spec.big_blind > 0,
        "blinds that are not in the standard order": spec.big_blind > 0
        and not _standard_blinds(blinds),
        "more than four streets": len(spec.streets) > _MOST_ROUNDS,
        "a minimum bet other than the largest blind or ante": spec.betting == "no-limit"
        and spec.compiled.min_bet != max(*spec.blinds, *spec.antes),
    }
    for reason, applies in reasons.items():
        if applies:
            raise GameError(f"an ACPC game file cannot express {reason}")


def write_acpc_game(spec: GameSpec) -> str:
    """Write a game as an ACPC game definition.

    Raises GameError if the format cannot express the game. A deck other than the
    highest ranks and suits is written as comments, which other programs skip.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> print(write_acpc_game(catalogue("nolimit-200bb")).splitlines()[5])
    blind = 100 50
    """
    _check_spec(spec)
    _refuse_unwritable(spec)
    order = [seat_of_position(spec, position) for position in range(spec.players)]
    posted = spec.blinds if spec.big_blind else spec.antes
    rounds = range(len(spec.streets))

    def row(key: str, numbers: Sequence[int]) -> str:
        return f"{key} = {' '.join(map(str, numbers))}"

    lines = ["GAMEDEF", "limit" if spec.betting == "fixed-limit" else "nolimit"]
    lines.append(row("numPlayers", [spec.players]))
    lines.append(row("numRounds", [len(spec.streets)]))
    lines.append(row("stack", [spec.stacks[seat] for seat in order]))
    lines.append(row("blind", [posted[seat] for seat in order]))
    if spec.betting == "fixed-limit":
        lines.append(row("raiseSize", [street.bet_size for street in spec.streets]))
    lines.append(row("firstPlayer", [order.index(spec.first_seat(i)) + 1 for i in rounds]))
    caps = [street.max_raises for street in spec.streets]
    if any(cap is not None for cap in caps):
        lines.append(row("maxRaises", [_NO_CAP if cap is None else cap for cap in caps]))
    lines.append(row("numSuits", [len(spec.suits)]))
    lines.append(row("numRanks", [len(spec.ranks)]))
    lines.append(row("numHoleCards", [spec.streets[0].hole]))
    lines.append(row("numBoardCards", [street.board for street in spec.streets]))
    for what, letters, allowed in (("ranks", spec.ranks, RANKS), ("suits", spec.suits, SUITS)):
        if letters != allowed[-len(letters) :]:
            lines.append(f"# {what} {letters}")
    lines.append("END GAMEDEF")
    return "\n".join(lines) + "\n"
