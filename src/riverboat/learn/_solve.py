"""Solves turn and river decisions in heads-up pots, to grade them.

A street of a hand is solved once, from its start to the end of the hand; this grades all decisions
of the player on it. The ranges come from the strategy, and the tree contains the actual bets. The
EV loss of an action is the EV of the best action minus its own, both followed by optimal play; it
is exact to the accuracy of the solve. An action of the solution has an EV loss of 0.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

import msgspec
import numpy as np

from riverboat.blueprint import Blueprint, line_reach
from riverboat.cards import STREETS, built_strength, hole_index
from riverboat.errors import ReviewError, RiverboatError, SpotError
from riverboat.files import atomic_path, cache_folder
from riverboat.game import Hand
from riverboat.learn._grade import OWN_CHOICE, Grade
from riverboat.report import how_many
from riverboat.spots import SolveSettings, Spot, gpu_notice, solve, solve_many
from riverboat.tree import PublicState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint import Query
    from riverboat.game import View
    from riverboat.spots import Solving

_VERSION: Final = 2
#: Minimum weight of the actual hand in the player's range; the largest weight is 1.
_OWN_LEAST: Final = 0.01
_TWO: Final = 2
_TURN: Final = 2  # street index
_MENUS: Final = {2: "66%, a | a", 3: "50%, 100%, a | 3x, a"}


class SolveBudget(NamedTuple):
    """When a solve stops."""

    target: float = 0.005
    """Exploitability of a river, fraction of the pot; twice that for a turn."""
    turn_seconds: float = 10.0
    river_seconds: float = 2.0
    threads: int = 0

    def of(self, street: int) -> SolveSettings:
        """Return the settings of a solve that starts on a street."""
        turn = street == _TURN
        return SolveSettings(
            target=self.target * (2 if turn else 1),
            seconds=self.turn_seconds if turn else self.river_seconds,
            threads=self.threads,
            device="auto",
        )


def can_solve(view: View) -> bool:
    """Return whether a decision is on the turn or river of a heads-up pot in hold'em.

    The hand may have started with more players.
    """
    spec = view.spec
    heads_up = spec.deals_as_holdem and not spec.has_discards and len(view.live) == _TWO
    known = min((*view.board, *view.hole), default=-1) >= 0
    return heads_up and view.street >= _TURN and known


def solve_street(
    query: Query,
    decisions: Sequence[tuple[View, str]],
    line: str,
    budget: SolveBudget | None = None,
) -> list[Grade]:
    """Grade all decisions of a seat on one street with one solve.

    Parameters
    ----------
    query
        The strategy that determines the ranges.
    decisions
        Views and actions of the seat, accepted by `can_solve`.
    line
        The line to the end of the street.
    budget
        When to stop.

    Raises
    ------
    ReviewError
        If the line is not in the strategy's tree.
    """
    view = decisions[0][0]
    settings = (budget or SolveBudget()).of(view.street)
    solving = solve(_spot(query, view, line), settings)
    solving.finish()
    return [_graded(solving, *each) for each in decisions]


def solve_together(
    query: Query, streets: Sequence[tuple[Sequence[tuple[View, str]], str]], budget: SolveBudget
) -> Iterator[tuple[int, list[Grade]]]:
    """Grade many hands of one street together on a GPU, if there is one; yield index and grades.

    Each item has the decisions and the line that `solve_street` takes. Items that cannot be solved
    are skipped.
    """
    if len(streets) < 2 or gpu_notice():
        return
    spots: dict[int, Spot] = {}
    for place, (decisions, line) in enumerate(streets):
        with suppress(RiverboatError):  # `solve_street` raises the error
            spots[place] = _spot(query, decisions[0][0], line)
    settings = budget.of(streets[0][0][0][0].street).changed(device="gpu")
    found = solve_many(list(spots.values()), settings)
    for place, solving in zip(spots, found, strict=True):
        yield place, [_graded(solving, *each) for each in streets[place][0]]


def _graded(solving: Solving, view: View, did: str) -> Grade:
    tree, engine, state = solving.engine.tree, solving.engine, solving.spot.state
    line, did_here = state.line(_street_line(view)), state.line(did)
    node, hole = tree.node(line), hole_index(*view.hole)
    player = int(tree.player[node])
    put_in = tree.contributions[:, player]
    values = [
        float(engine.best_values(player, child)[hole]) - int(put_in[child] - put_in[node])
        for child in tree.children(node)
    ]
    actions = tree.actions(node)
    shares = engine.strategy(node)[:, hole]
    taken = actions.index(did_here)
    names = [did if action == did_here else action for action in actions]  # as at the table
    return Grade(
        did,
        graded=True,
        frequency=float(shares[taken]),
        actions=dict(zip(names, np.round(shares, 6).tolist(), strict=True)),
        values=dict(zip(names, np.round(values, 3).tolist(), strict=True)),
        loss=0.0 if shares[taken] >= OWN_CHOICE else round(max(values) - values[taken], 6),
        error=round(solving.solution.facts.exploitability, 6),
        source="solved",
        exact=True,
        line=view.line,
        limited=not solving.finished,
    )


def _street_line(view: View) -> str:
    """Return the actions so far on the current street."""
    lines = view.line.split("/")
    return lines[view.street] if len(lines) > view.street else ""


def _played(view: View, line: str, cards: tuple[int, ...]) -> Hand:
    hand = Hand(view.spec, stacks=view.starting_stacks, board=list(cards))
    hand.play(line)
    return hand


def _file(query: Query) -> Blueprint:
    if not isinstance(query.source, Blueprint):
        raise ReviewError("solving needs a strategy file")
    return query.source


def _spot(query: Query, view: View, line: str) -> Spot:
    """Return the spot at the start of a street, with the actual bets in its tree."""
    before = "/".join(view.line.split("/")[: view.street])
    start = _played(view, before, view.board)
    after = _played(view, line, view.board)
    place = query.tracker.find(start.view(start.actor or 0))
    if place.node < 0:
        raise ReviewError(f"the line is not in the strategy's tree: {place.reason}")
    reach = line_reach(_file(query), place.node, view.board, built_strength, query.threshold)
    street = STREETS[view.street]
    first, second = (
        _range(reach[seat], view if seat == view.seat else None)
        for seat in PublicState.at(start, view.board, view.street).seats
    )
    return Spot.from_hand(after, (first, second), _MENUS[view.street], street)


def _range(reach: NDArray[np.float64], view: View | None) -> list[float]:
    """Return weights of a range, at most 1, with a minimum for the actual hand."""
    most = float(reach.max())
    if most <= 0:
        raise SpotError("the strategy never reaches this line")
    weights = reach / most
    if view is not None:
        held = hole_index(*view.hole)
        weights[held] = max(weights[held], _OWN_LEAST)
    range_weights: list[float] = weights.tolist()
    return range_weights


class SolvedStore:
    """Solved decisions on disk, so that none is solved twice.

    Each line is the CRC-32 of its JSON in hexadecimal, a space, and the JSON. A line without a
    valid checksum is dropped, and its decision is solved again. Version 0.2 wrote no checksums.

    Parameters
    ----------
    path
        The file; None = a file in the cache folder.

    Attributes
    ----------
    notice
        Message about dropped lines; empty if there are none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_folder() / f"solved-decisions-v{_VERSION}.jsonl"
        self.notice = ""
        self._good: list[bytes] = []
        self._found: dict[str, Grade] = {}
        if self.path.is_file():
            self._read()

    def _read(self) -> None:
        lines = self.path.read_bytes().splitlines(keepends=True)
        self._good = [line for line in lines if self._read_line(line)]
        if len(self._good) < len(lines):
            dropped = how_many(len(lines) - len(self._good), "line")
            self.notice = (
                f"{dropped} of {self.path} without a valid checksum (version 0.2 wrote none): "
                "those decisions are solved again."
            )

    def _read_line(self, line: bytes) -> bool:
        """Read the decision of a line; return whether the line is complete and undamaged."""
        checksum, _, text = line[:-1].partition(b" ")
        if checksum != _checksum(text) or not line.endswith(b"\n"):
            return False
        entry = msgspec.json.decode(text, type=_Solved)
        self._found[entry.key] = entry.grade
        return True

    def get(self, key: str) -> Grade | None:
        """Return a solved decision; None if it is not stored."""
        return self._found.get(key)

    def keep(self, key: str, grade: Grade) -> None:
        """Store a solved decision."""
        self._found[key] = grade
        self._drop()
        text = msgspec.json.encode(_Solved(key, grade))
        with self.path.open("ab") as file:
            file.write(_checksum(text) + b" " + text + b"\n")

    def _drop(self) -> None:
        """Rewrite the file without dropped lines before the first append."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.notice:
            with atomic_path(self.path) as temporary:
                temporary.write_bytes(b"".join(self._good))
            self.notice, self._good = "", []


class _Solved(msgspec.Struct, frozen=True):
    """A line of the store."""

    key: str
    grade: Grade


def _checksum(text: bytes) -> bytes:
    return b"%08x" % crc32(text)


def solve_key(query: Query, view: View, did: str, line: str, budget: SolveBudget) -> str:
    """Return a hash of everything that a solved decision depends on."""
    header = _file(query).header
    facts = [
        _VERSION,
        header.date,
        header.tree.checksum,
        query.threshold,
        [*view.starting_stacks, *view.spec.blinds, *view.spec.antes],
        [view.line, did, line, view.board, view.hole, view.seat],
        budget[:3],
        _MENUS[view.street],
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]
