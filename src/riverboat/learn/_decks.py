"""Sources of questions for the trainer: a strategy that plays itself, or solutions of spots."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from riverboat.blueprint import default_depth
from riverboat.cards import cards_text, hole_index, hole_text, parse_cards, parse_hole
from riverboat.errors import ReviewError, RiverboatError
from riverboat.game import Hand, position_names
from riverboat.learn._bots import bot_grader
from riverboat.learn._grade import OWN_CHOICE, Grade, Grader
from riverboat.learn._hands import pot_type
from riverboat.spots import Library, Solution
from riverboat.tree import CHANCE, DECISION

if TYPE_CHECKING:
    import random

    from riverboat.decision import Decision
    from riverboat.game import GameSpec

#: Separates the folder and the solution in the source of a question.
OF_FOLDER: Final = "#"
_MOST_TRIES: Final = 4_000
_STOP: Final = 0.4  # probability of asking about a decision on the way through a solution


class Wanted(msgspec.Struct, frozen=True):
    """A filter of questions; empty = any."""

    street: str = ""
    position: str = ""
    pot_type: str = ""
    close: float | None = None
    """The best two actions differ by at most this fraction of the pot."""

    def takes(self, question: Question) -> bool:
        """Return whether a question passes the filter, except `close`."""
        pairs = (
            (self.street, question.street),
            (self.position, question.position),
            (self.pot_type, question.pot_type),
        )
        return all(not wanted or wanted == own for wanted, own in pairs)

    def check(self, spec: GameSpec) -> None:
        """Refuse a street or a position that the game does not have."""
        _check(self.street, "street", spec.street_names)
        if any(spec.blinds):
            _check(self.position, "position", position_names(spec))


class Question(msgspec.Struct, frozen=True):
    """A question: a decision with the hole cards of the player to act."""

    source: str
    line: str
    board: str
    hole: str
    street: str
    position: str
    pot_type: str
    pot: float
    to_call: float
    big_blind: float
    options: tuple[str, ...]

    @property
    def key(self) -> str:
        """Unique text of source, line and cards."""
        return "|".join((self.source, self.line, self.board, self.hole))


class StrategyDeck:
    """Decisions of a strategy that plays against itself.

    Parameters
    ----------
    name
        Name of the strategy.
    grader
        A grader with the strategy.
    """

    def __init__(self, name: str, grader: Grader) -> None:
        self.name, self.grader = name, grader
        self.spec = grader.query.tree.spec

    def draw(self, rng: random.Random, wanted: Wanted) -> Question:
        """Play hands until one has a wanted decision; return a random one of that hand."""
        wanted.check(self.spec)
        for _ in range(_MOST_TRIES):
            questions = [each for each in self._hand(rng) if wanted.takes(each)]
            if not questions:
                continue
            question = rng.choice(questions)
            if wanted.close is None or self._gap(question) <= wanted.close * question.pot:
                return question
        raise ReviewError(f"{self.name} almost never reaches such a decision: use fewer filters")

    def _hand(self, rng: random.Random) -> list[Question]:
        """Play one hand and return its decisions."""
        hand, found = Hand(self.spec, seed=rng.getrandbits(48)), []
        while hand.actor is not None:
            actions = self.grader.query.strategy(hand.view(hand.actor)).actions
            if not actions:
                break
            found.append(self._question(hand))
            names, shares = zip(*actions, strict=True)
            hand.do(rng.choices(names, shares)[0])
        return found

    def again(self, line: str, board: str, hole: str, source: str = "") -> Question:
        """Return the question for a line and cards."""
        del source
        return self._question(self.hand(line, board, hole))

    def hand(self, line: str, board: str, hole: str) -> Hand:
        """Return the hand at a decision."""
        seat = Hand(self.spec)
        seat.play(line)
        if seat.actor is None:
            raise ReviewError(f"the hand is over after '{line}': there is no decision")
        held: list[str | None] = [None] * self.spec.players
        held[seat.actor] = hole
        found = Hand(self.spec, hole=held, board=board or None)
        found.play(line)
        return found

    def _question(self, hand: Hand) -> Question:
        view = hand.view(hand.actor or 0)
        spec = self.spec
        position = position_names(spec)[view.seat] if any(spec.blinds) else f"seat {view.seat}"
        place = self.grader.query.menu(view)
        return Question(
            self.name,
            view.line,
            view.board_text,
            view.hole_text,
            spec.street_names[view.street],
            position,
            pot_type(view.line),
            float(view.pot),
            float(view.to_call),
            float(max(*spec.blinds, *spec.antes, 1)),
            tuple(action for action, _ in place),
        )

    def _gap(self, question: Question) -> float:
        """Return the EV difference of the best two actions in chips; infinite if unknown."""
        hand = self.hand(question.line, question.board, question.hole)
        view = hand.view(hand.actor or 0)
        values = sorted(self.grader.grade(view, question.options[0], values=True).values.values())
        return values[-1] - values[-2] if len(values) > 1 else math.inf

    def grade(self, question: Question, did: str) -> Grade:
        """Grade an answer; without the EV table, only mistakes get EVs."""
        hand = self.hand(question.line, question.board, question.hole)
        every = self.grader.values_at_hand
        return self.grader.grade(hand.view(hand.actor or 0), did, values=every)


class SolutionDeck:
    """Decisions of solved spots, drawn by reach.

    Parameters
    ----------
    name
        Name of the file or folder.
    paths
        Solution files.
    """

    def __init__(self, name: str, paths: list[Path]) -> None:
        if not paths:
            raise ReviewError(f"there is no solution in {name!r}")
        self.name, self.paths = name, paths

    def draw(self, rng: random.Random, wanted: Wanted) -> Question:
        """Sample lines of solutions until one has a wanted decision."""
        _check(wanted.street, "street", ("flop", "turn", "river"))
        _check(wanted.position, "position", ("OOP", "IP"))
        for _ in range(_MOST_TRIES // 100):
            path = rng.choice(self.paths)
            found = self._walk(path, rng, wanted)
            if found is not None:
                return found
        raise ReviewError(f"{self.name} almost never reaches such a decision: use fewer filters")

    def _walk(self, path: Path, rng: random.Random, wanted: Wanted) -> Question | None:
        """Sample one line of a solution; return a wanted decision on it, or None."""
        solution, line = _opened(str(path)), ""
        cards: list[int] = []
        while True:
            node = solution.node(line, cards)
            question = self._question(path, node, _drawn(node, rng))
            action = _action(node, rng)
            line = f"{line}{action}"
            after = _after(solution, node.line, action)
            if wanted.takes(question) and (after is None or rng.random() < _STOP):
                if wanted.close is None or self._gap(node, question) <= wanted.close * node.pot:
                    return question
                return None
            if after is None:
                return None
            if int(solution.tree.street[after]) > len(cards):
                cards = [*cards, rng.choice(solution.next_cards(cards))]
                line += "/"

    def again(self, line: str, board: str, hole: str, source: str = "") -> Question:
        """Return the question for a line and cards."""
        path = self._path(source, board)
        return self._question(path, self._node(path, line, board), parse_hole(hole))

    def source_of(self, path: Path) -> str:
        """Return the source of a solution's questions; in a folder it names the file."""
        return self.name if len(self.paths) == 1 else f"{self.name}{OF_FOLDER}{path.name}"

    def _path(self, source: str, board: str) -> Path:
        """Return the solution of a source; if it names none, the first with the board."""
        own = [path for path in self.paths if source == self.source_of(path)]
        for path in own or self.paths:
            if board.startswith(_opened(str(path)).spot.board):
                return path
        raise ReviewError(f"no solution in {self.name} has the board {board}")

    def grade(self, question: Question, did: str) -> Grade:
        """Grade an answer with the solution."""
        path = self._path(question.source, question.board)
        node = self._node(path, question.line, question.board)
        if did not in node.actions:
            return Grade(did, reason=f"the solution has {', '.join(node.actions)} here, not {did}")
        hand = node.hand(question.hole)
        taken = node.actions.index(did)
        own = float(hand.strategy[taken]) >= OWN_CHOICE
        best = float(np.nanmax(hand.action_values))
        return Grade(
            did,
            graded=True,
            frequency=float(hand.strategy[taken]),
            actions=dict(zip(node.actions, hand.strategy.round(6).tolist(), strict=True)),
            values=dict(zip(node.actions, hand.action_values.round(3).tolist(), strict=True)),
            loss=0.0 if own else best - float(hand.action_values[taken]),
            error=_opened(str(path)).facts.exploitability,
            source="solved",
            exact=True,
            line=question.line,
        )

    def _node(self, path: Path, line: str, board: str) -> Decision:
        solution = _opened(str(path))
        return solution.node(line, parse_cards(board)[len(solution.spot.cards) :])

    def _gap(self, node: Decision, question: Question) -> float:
        values = np.sort(node.pair(hole_index(*parse_cards(question.hole))).action_values)
        return float(values[-1] - values[-2]) if len(values) > 1 else math.inf

    def _question(self, path: Path, node: Decision, hole: int) -> Question:
        spot = _opened(str(path)).spot
        board = spot.board + cards_text(node.board[len(spot.cards) :])
        return Question(
            self.source_of(path),
            node.line,
            board,
            hole_text(hole),
            ("flop", "turn", "river")[len(node.board) - 3],
            node.side.upper(),
            "",
            float(node.pot),
            float(node.to_call),
            float(spot.big_blind or 1),
            node.actions,
        )


#: A source of questions that also grades the answers.
Deck = StrategyDeck | SolutionDeck


def open_deck(name: str, grader: Grader | None = None) -> Deck:
    """Open a source of questions.

    Parameters
    ----------
    name
        A solution, a folder of solutions, a strategy file, or a bot.
    grader
        The grader of the strategy, if it exists already.
    """
    path = Path(name)
    if path.is_dir():
        return SolutionDeck(name, Library.files(path))
    if path.is_file() and Solution.recognises(path):
        return SolutionDeck(name, [path])
    is_strategy = path.is_file() or default_depth(name) is not None
    bot = f"blueprint:{name}" if is_strategy else name
    own = grader or bot_grader(bot)
    if own is None:
        raise ReviewError(f"{name!r} is neither a strategy file nor a bot that plays from one")
    return StrategyDeck(name, own)


def _check(value: str, name: str, allowed: tuple[str, ...]) -> None:
    if value and value not in allowed:
        raise ReviewError(f"the {name} must be one of {', '.join(allowed)}, not {value[:40]!r}")


@lru_cache(maxsize=8)
def _opened(path: str) -> Solution:
    return Solution.open(path)


def _drawn(node: Decision, rng: random.Random) -> int:
    """Draw a hand of the player to act, weighted by reach."""
    weights = np.where(node.alive, np.nan_to_num(node.reach[node.player]), 0.0)
    if not weights.sum() > 0:
        weights = node.alive.astype(float)
    return rng.choices(range(len(weights)), weights.tolist())[0]


def _action(node: Decision, rng: random.Random) -> str:
    shares = np.nan_to_num(node.frequencies())
    if not shares.sum() > 0:
        shares = np.ones(len(node.actions))
    return rng.choices(node.actions, shares.tolist())[0]


def _after(solution: Solution, line: str, action: str) -> int | None:
    """Return the decision that an action leads to; None if the hand ends."""
    tree = solution.tree
    try:
        node = tree.node(line)
    except RiverboatError:
        return None
    child = tree.children(node)[tree.actions(node).index(action)]
    while tree.kind[child] == CHANCE:
        child = tree.children(child)[0]
    return int(child) if tree.kind[child] == DECISION else None
