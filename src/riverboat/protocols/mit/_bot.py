"""A Pokerbots player, given as a folder, as a bot at our table.

The player gets the lines that the engine would send, and answers each line. Illegal answers count
as failures, as for any bot.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from riverboat.bots import Engine
from riverboat.cards import card_text, cards_text
from riverboat.errors import GameError, ProtocolError
from riverboat.files import read_text
from riverboat.game import Action, GameSpec, Hand, View, actions_of
from riverboat.protocols.client import Link, Program
from riverboat.protocols.mit._variants import VARIANTS

_CONNECT_SECONDS = 30.0
_ACKNOWLEDGE_SECONDS = 30.0
_PATIENT = 86_400.0  # the arena's limit is shorter
_CLOCK = "T60.000"  # the arena's limit holds, not a clock
_LETTERS = {"f": "F", "c": "C", "k": "K"}
_CHIPS = re.compile(r"^(STARTING_STACK|BIG_BLIND|SMALL_BLIND)\s*=\s*(\d{1,9})\s*$", re.MULTILINE)
_BID = "?"  # not a clause: marks where the engine asks for a bid


def _make(path: str, seed: int) -> "MitBot":
    """Create the bot of `mit:folder`, or `mit:folder@2025` for a skeleton of that year."""
    del seed  # the program has its own random seed
    folder, year = _folder_and_year(path)
    return MitBot(folder, year)


def _folder_and_year(path: str) -> tuple[Path, str]:
    folder, _, year = path.rpartition("@")
    return (Path(folder), year) if year in VARIANTS else (Path(path), "")


def _file(path: str) -> Path:
    folder = _folder_and_year(path)[0]
    return folder / "commands.json" if folder.is_dir() else folder


class MitBot:
    """A player that is a program with a `commands.json`.

    Parameters
    ----------
    folder
        Folder of the player. Its build commands must have been run.
    year
        Year of its skeleton. With 2024 the player is asked for a bid after the flop, and is told
        that the opponent won the auction for free. With 2025 no bounty is ever hit.
    """

    def __init__(self, folder: Path, year: str = "") -> None:
        self._program = Program(_command(folder), folder.absolute())
        self._year = year
        self._chips = skeleton_chips(folder)
        self._link: Link | None = None
        self._last: View | None = None
        self._told = 0

    def act(self, view: View) -> str:
        """Send the new clauses to the player and return its answer."""
        _check_game(view.spec)
        _check_chips(view, self._chips)
        new = self._news(view, clauses_of(view, self._year))
        if _BID in new:
            place = new.index(_BID)
            self._exchange(new[:place], _PATIENT)
            new = new[place + 1 :]
        return read_answer(self._exchange(new, _PATIENT), view)

    def hand_started(self, view: View) -> None:
        """Start a hand."""
        self._last, self._told = view, 0

    def hand_over(self, view: View) -> None:
        """Send the end of the hand to the player, and wait for its answer."""
        if view.payoffs is None:
            return
        clauses = clauses_of(view, self._year)
        shown = view.shown[1 - view.seat]
        if shown:
            clauses.append(f"O{_cards(shown)}")
        clauses.append(f"{_result(view.spec)}{view.payoffs[view.seat]}")
        if self._year == "2025":
            clauses.append("Y00")
        new = [clause for clause in self._news(view, clauses) if clause != _BID]
        self._exchange(new, _ACKNOWLEDGE_SECONDS)
        self._last = None

    def close(self) -> None:
        """Send the end of the match, and stop the program."""
        if self._link is not None:
            self._link.close()
            self._link = None
        self._program.end()

    def _news(self, view: View, clauses: list[str]) -> list[str]:
        """Return the clauses that were not sent yet."""
        last = self._last
        if last is None or (last.seat, last.hole[:1]) != (view.seat, view.hole[:1]):
            self._told = 0
        self._last = view
        new, self._told = clauses[self._told :], len(clauses)
        return new

    def _exchange(self, clauses: list[str], seconds: float) -> str:
        """Send a line and return the answer."""
        if self._link is None:
            self._link = self._program.by_port((), _CONNECT_SECONDS)
        self._link.send(" ".join([_CLOCK, *clauses]))
        return self._link.receive(seconds).strip()


def _command(folder: Path) -> list[str]:
    """Return the command that runs a player."""
    file = folder / "commands.json"
    try:
        run = json.loads(file.read_text(encoding="utf-8"))["run"]
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise GameError(f'{file} has no command "run"') from error
    if not isinstance(run, list) or not run or not all(isinstance(word, str) for word in run):
        raise GameError(f'"run" in {file} must be a list of words')
    return run


def _check_game(spec: GameSpec) -> None:
    plays = _tosses(spec) or spec.runs_on or spec.is_holdem
    if spec.players != 2 or spec.betting != "no-limit" or not plays:
        raise GameError(
            "players of Pokerbots play no-limit hold'em, river-of-blood-2023 or tossem-2026 for "
            f"two, not {spec.name or 'this game'}"
        )
    if spec.has_swaps:
        raise GameError("players of Pokerbots 2017 use another protocol, which is not supported")


def skeleton_chips(folder: Path) -> dict[str, int]:
    """Return the stack and the blinds of a skeleton's `states.py`; empty if it has none."""
    found = {}
    for file in (folder / "skeleton" / "states.py", folder / "config.py"):
        if file.is_file():
            text = read_text(file, str(file), GameError)
            found.update({name: int(number) for name, number in _CHIPS.findall(text)})
    return found


def _check_chips(view: View, chips: Mapping[str, int]) -> None:
    """Refuse a game with other chips than those that the player's skeleton has as constants."""
    spec = view.spec
    known = {"STARTING_STACK": spec.stacks[0], "BIG_BLIND": spec.big_blind}
    known["SMALL_BLIND"] = spec.small_blind
    if any(known[name] != number for name, number in chips.items()):
        stack, big, small = (chips.get(name, known[name]) for name in known)
        raise GameError(
            f"the player's folder says stacks of {stack} and blinds {small}/{big}, and the game "
            f"has {spec.stacks[0]} and {spec.small_blind}/{spec.big_blind}: give --game a file "
            f"with [game] stacks = [{stack}, {stack}], blinds = [{small}, {big}]"
        )


def _tosses(spec: GameSpec) -> bool:
    return spec.has_tosses and spec.streets[0].hole == 3


def _result(spec: GameSpec) -> str:
    return "A" if _tosses(spec) else "D"


def clauses_of(view: View, year: str) -> list[str]:
    """Return all clauses that a seat has received in a hand; `_BID` where it is asked for a bid."""
    hole = (*view.hole, *view.discarded)
    found = [f"P{view.seat}", f"H{_cards(hole)}"]
    if _tosses(view.spec):
        found.append("G")
    elif year == "2025":
        found.append("G2")
    board = view.board if view.spec.runs_on else None  # the board tells the number of streets
    hand = Hand(view.spec, stacks=view.starting_stacks, board=board)
    told = _Board(view)
    for action in actions_of(view.line):
        street = hand.street
        move = Action(action)
        hand.do(move if move.kind != "discard" else "d")
        found += told.after(move, hole)
        if hand.street > street and not hand.finished:
            found += told.street(hand.street, year)
    if hand.finished and len(hand.live) > 1:
        found += told.rest(hand.street, year)
    return found


class _Board:
    """Writes board clauses as the board grows; tossed cards count."""

    def __init__(self, view: View) -> None:
        self._view, self._board, self._sizes = view, view.board, view.spec.board_sizes
        self._tosses = 0
        self._street = 0

    def street(self, number: int, year: str) -> list[str]:
        self._street = number
        board = f"B{_cards(self._board[: self._sizes[number] + self._tosses])}"
        return [board, *self._auction(), board] if number == 1 and year == "2024" else [board]

    def _auction(self) -> list[str]:
        """Return the clauses of an auction that the opponent wins with 1 chip, which is free."""
        seat, hand = self._view.seat, Hand(self._view.spec, stacks=self._view.starting_stacks)
        for action in actions_of(self._view.line):
            if hand.street or hand.actor is None:
                break
            hand.do(action)
        stacks = ",".join(str(chips) for chips in hand.stacks)
        bids = ["A0", "A1"] if seat == 1 else ["A1", "A0"]  # the big blind bids first
        bids.insert(1 - seat, _BID)
        cards = _cards(self._view.hole)
        return [*bids, f"P{seat}", f"N{stacks}_{'0,1' if seat == 0 else '1,0'}_{cards}"]

    def after(self, action: Action, hole: tuple[int, ...]) -> list[str]:
        """Return the clauses of an action."""
        if action.kind == "bet":
            return [f"R{action.amount}"]
        if action.kind != "discard":
            return [_LETTERS[str(action)]]
        index = hole.index(action.card) if action.card in hole else 0
        self._tosses += 1
        # The opponent sees the toss and checks; then the engine sends the board again.
        return [f"D{index}", "K", f"B{_cards(self._board[: 2 + self._tosses])}"]

    def rest(self, last: int, year: str) -> list[str]:
        """Return the clauses after the last action: both players check on every street."""
        found: list[str] = []
        for number in range(self._street + 1, last + 1):
            found += [*self.street(number, year), "K", "K"]
        return found


def read_answer(answer: str, view: View) -> str:
    """Convert an answer to a move; refuse what the engine would refuse."""
    letter, rest = answer[:1], answer[1:]
    if letter == "R" and rest.isdecimal() and len(rest) < 10:
        return f"b{int(rest)}"
    if letter == "D" and rest in ("0", "1", "2") and view.legal.discards:
        return f"d{card_text((*view.hole, *view.discarded)[int(rest)])}"
    for move, said in _LETTERS.items():
        if answer == said:
            return move
    raise ProtocolError(f"{answer[:40]!r} is not an answer: use F, C, K, or R with an amount")


def _cards(cards: tuple[int, ...]) -> str:
    return cards_text(cards, ",")


ENGINE = Engine(_make, _file, uses_network=True)
