"""ACPC STATE lines: the logs of the Annual Computer Poker Competition's dealer.

`STATE:hand:betting:cards:values:names`, everything by *position*. With two players
and blinds position 0 is the big blind and position 1 the small blind on the button
("reverse blinds"), our seats 1 and 0; with more, position and seat are the same.
Amounts: `r<n>` is the chips that a player has put in over the whole *hand*. Values
are chips won or lost.

The lines do not say which game it is. Files written here carry its definition as a
comment before the first hand and wherever it changes; other programs skip it. For
other files say `game=`: a spec, a catalogue name, or the text of a definition.
Without any of these the game is guessed: a raise without a number means the
catalogue's limit hold'em, else no-limit 50/100 with 20,000 chips for two players
(ACPC, DeepStack) and 10,000 for more (Pluribus).
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from riverboat.errors import GameError, HistoryError
from riverboat.files import bounded
from riverboat.game import GameSpec, catalogue, read_acpc_game, seat_of_position, write_acpc_game
from riverboat.histories._carry import refuse_unfinished
from riverboat.histories._record import HandRecord, record_of
from riverboat.histories._replay import (
    Deal,
    Move,
    Rebuild,
    read_cards,
    stated_winnings,
    steps,
    write_cards,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.game import Hand

NAME = "an ACPC line"
_TOKEN = re.compile(r"[fck]|[rb][0-9]{0,15}", re.ASCII)
_VALUE = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?", re.ASCII)
_LONGEST, _MOST_LINES = 200, 50  # of a game definition
_CANDIDATES = {
    "pot-limit betting": "PHH, PokerStars text and OHH do",
    "short-deck showdowns": "PHH does",
    "a rake": "PHH, PokerStars text and OHH do",
    "antes": "PHH, PokerStars text and OHH do",
    "minimum bet": "PHH does",
}


# ---- Writing -----------------------------------------------------------------


def to_text(record: HandRecord) -> str:
    r"""Write one hand as a line; the game is left out.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    >>> hand.play("b25c/kb30c/kk/kk")
    >>> to_text(record_of(hand, names=["Ada", "Bob"], hand_id="3"))
    'STATE:3:r25c/cr55c/cc/cc:QsQc|AhKd/2c7d9h/Ts/Js:55|-55:Bob|Ada\n'
    """
    _definition(record.spec)
    hand = record.hand()
    refuse_unfinished(hand, NAME)
    order = [seat_of_position(record.spec, i) for i in range(record.players)]
    payoffs = record.payoffs()
    if payoffs is None:
        raise HistoryError(f"{NAME} needs the cards that decide the pot, or who took it")
    parts = [
        _hand_number(record.hand_id),
        _betting(record, hand),
        _cards(record, order),
        "|".join(str(payoffs[seat]) for seat in order),
        "|".join(_name(record.names[seat]) for seat in order),
    ]
    return f"STATE:{':'.join(parts)}\n"


def file_parts(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write lines, with the game as a comment wherever it changes."""
    current = ""
    for record in records:
        definition = _definition(record.spec)
        if definition != current:
            yield from (f"# {line}\n" for line in definition.splitlines())
            current = definition
        yield to_text(record)


def _definition(spec: GameSpec) -> str:
    """Return the game definition, or raise a sentence with the formats that can do more.

    Caps on the raises of each seat are left out: a hand that kept to them is
    the same hand without them.
    """
    streets = tuple(replace(street, max_raises_per_seat=None) for street in spec.streets)
    try:
        return write_acpc_game(spec.replace(streets=streets))
    except GameError as error:
        others = (text for word, text in _CANDIDATES.items() if word in str(error))
        hint = next(others, ".jsonl lines do" if "discards" in str(error) else "PHH may")
        raise HistoryError(f"{NAME} cannot carry this game: {error}; {hint}") from error


def _hand_number(text: str) -> str:
    """Return the hand's number; a line has no room for other names."""
    if text and not (text.isascii() and text.isdigit()):
        raise HistoryError(f"{NAME} numbers its hands; {text[:40]!r} is no number")
    return text or "0"


def _name(name: str) -> str:
    """Return a name that does not break the line."""
    if any(c in name for c in ":|"):
        raise HistoryError(f"{NAME} cannot carry the name {name[:40]!r}: it has a ':' or '|'")
    return name


def _betting(record: HandRecord, hand: Hand) -> str:
    """Return the actions; a street that nobody can act on is an empty one."""
    limit = record.spec.betting == "fixed-limit"
    rounds = [""] * (hand.street + 1)
    for step in steps(record):
        if isinstance(step, Move):
            words = {
                "fold": "f",
                "check": "c",
                "call": "c",
                "bet": "r" if limit else f"r{step.total}",
            }
            rounds[step.street] += words[step.kind]
    return "/".join(rounds)


def _cards(record: HandRecord, order: Sequence[int]) -> str:
    """Return the hole cards by position, then the board street by street."""
    count = record.spec.compiled.hole_cards
    holes = []
    for seat in order:
        cards = record.deal[count * seat : count * (seat + 1)]
        holes.append(write_cards(cards) if min(cards) >= 0 else "")
    boards = [f"/{write_cards(step.cards)}" for step in steps(record) if isinstance(step, Deal)]
    return "|".join(holes) + "".join(boards)


# ---- Reading -----------------------------------------------------------------


def _uncommented(line: str) -> str:
    """Return what a comment says; a comment inside of it (the deck) stays one."""
    return line[1:].strip()


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Cut a file into hands: (line number from 1, text) for each.

    A game definition in comments goes before every line that it is for.
    """
    parts, comment, game = list[tuple[int, str]](), list[str](), ""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text.startswith(("#", ";")):
            words = _uncommented(text)
            if words == "GAMEDEF":
                comment = [words]
            elif comment:
                comment.append(bounded(words, "a line of the game", HistoryError, _LONGEST))
            if len(comment) > _MOST_LINES:  # it stands before every hand
                raise HistoryError(f"a game has at most {_MOST_LINES} lines")
            if words == "END GAMEDEF" and comment:
                game, comment = "".join(f"# {part}\n" for part in comment), []
        elif text and not text.startswith("SCORE:"):
            parts.append((number, game + text))
    return parts


def from_text(text: str, game: GameSpec | str | None = None) -> HandRecord:
    """Read one line, possibly after comments with the game definition.

    Parameters
    ----------
    text
        The line.
    game
        A spec, a catalogue name, or the text of a game definition; it goes
        before a definition in comments.

    Examples
    --------
    >>> record = from_text("STATE:0:cr300f:7c2d|AhKh:100|-100:Bob|Ada")
    >>> record.line, record.names, record.payoffs()
    ('cb300f', ('Ada', 'Bob'), (-100, 100))
    """
    lines = [line.strip() for line in re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))]
    states = [line for line in lines if line and not line.startswith(("#", ";"))]
    if len(states) != 1:
        raise HistoryError(f"one STATE line is wanted, not {len(states)}")
    comment = "\n".join(_uncommented(line) for line in lines if line.startswith(("#", ";")))
    if game is None and comment.startswith("GAMEDEF"):
        game = comment
    return _Line(states[0], game).record()


class _Line:
    """The parts of a line."""

    def __init__(self, line: str, game: GameSpec | str | None) -> None:
        parts = line.split(":")
        if len(parts) != 6 or parts[0] != "STATE":
            raise HistoryError(f"{line[:80]!r} is not STATE:hand:betting:cards:values:names")
        self.number = _hand_number(parts[1])
        self.betting = parts[2].split("/")
        holes, *self.boards = parts[3].split("/")
        self.holes = holes.split("|")
        self.values = parts[4].split("|")
        self.names = parts[5].split("|")
        self.spec = _game(game, len(self.holes), parts[2])
        n = self.spec.players
        for what, found in (("hands", self.holes), ("values", self.values), ("names", self.names)):
            if len(found) != n:
                raise HistoryError(f"a game of {n} players needs {n} {what}, not {len(found)}")
        self.order = [seat_of_position(self.spec, i) for i in range(n)]

    def by_seat(self, values: Sequence[str]) -> list[str]:
        """Put values by position into the order of the seats."""
        return [values[position] for position in self.order]  # swapping two is its own inverse

    def record(self) -> HandRecord:
        count = self.spec.compiled.hole_cards
        hole = [
            read_cards(cards, count) if cards else (-1,) * count
            for cards in self.by_seat(self.holes)
        ]
        board = [card for cards in self.boards for card in read_cards(cards, len(cards) // 2)]
        rebuild = Rebuild(self.spec, hole, board)
        self.play(rebuild)
        rebuild.check_finished()
        won = self.stated(rebuild.hand)
        names = [name.strip() for name in self.by_seat(self.names)]
        return record_of(rebuild.hand, names=names, hand_id=self.number, won=won)

    def play(self, rebuild: Rebuild) -> None:
        """Make the moves, street by street."""
        hand = rebuild.hand
        for street, text in enumerate(self.betting):
            tokens = _TOKEN.findall(text)
            if "".join(tokens) != text:
                raise HistoryError(f"{text[:60]!r} is not a betting round such as cr300c")
            for token in tokens:
                if hand.actor is None or hand.street != street:
                    raise HistoryError(f"{token!r} on street {street}: the betting there is over")
                rebuild.do(hand.actor, self.action(hand, hand.actor, token), token)

    def action(self, hand: Hand, seat: int, token: str) -> str:
        """Translate one action; `r` counts the chips of the whole hand."""
        if token[0] == "f":
            return "f"
        if token in ("c", "k"):
            return "c" if hand.to_call else "k"
        if self.spec.betting == "fixed-limit":
            return f"b{hand.min_raise_to or 0}"
        earlier = hand.contributions[seat] - hand.bets[seat]
        return f"b{max(0, int(token[1:] or 0) - earlier)}"

    def stated(self, hand: Hand) -> tuple[tuple[int, ...], ...] | None:
        """Compare the values with the rules; split pots may have halves of a chip."""
        for value in self.values:
            if not _VALUE.fullmatch(value):
                raise HistoryError(f"{value[:40]!r} is not a number of chips")
        values = [Decimal(value) for value in self.by_seat(self.values)]
        if all(value == int(value) for value in values):
            paid = zip(values, hand.contributions, strict=True)
            return stated_winnings(hand, [[int(value) + chips for value, chips in paid]], 0)
        if not hand.settled:
            raise HistoryError("a pot is split into parts of a chip and the cards are unknown")
        payoffs, room = hand.payoffs(), len(hand.pots())
        if any(abs(value - payoffs[seat]) >= room for seat, value in enumerate(values)):
            ruled = "|".join(str(payoffs[seat]) for seat in self.order)
            raise HistoryError(f"the values are {'|'.join(self.values)}, but by the rules {ruled}")
        return None


def checked_game(game: GameSpec | str | None) -> GameSpec | str | None:
    """Return the game if it is one, a definition as its spec, or raise a sentence."""
    if game is None or isinstance(game, GameSpec):
        return game
    if not isinstance(game, str):
        raise HistoryError(
            "the game must be a GameSpec, a catalogue name or the text of a game definition, "
            f"not {type(game).__name__}"
        )
    if "\n" in game:
        return read_acpc_game(game)
    catalogue(game)
    return game


def _game(game: GameSpec | str | None, players: int, betting: str) -> GameSpec:
    """Return the game that is named, or guess it."""
    game = checked_game(game)
    if isinstance(game, GameSpec):
        return game
    if game is not None:
        spec = catalogue(game)
        return spec if spec.players == players else catalogue(game, players=players)
    if not 2 <= players <= 10:
        raise HistoryError(f"a hand has 2 to 10 players, not {players}")
    if re.search(r"r(?![0-9])", betting):
        return catalogue("limit", players=players)
    spec = catalogue("nolimit-200bb", players=players)
    return spec if players == 2 else spec.replace(stacks=(10000,) * players)
