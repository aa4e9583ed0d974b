"""`FlopSolution`: the flop strategy of a sampled solve, in memory or in a file."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import numpy as np

from riverboat import __version__
from riverboat.blueprint import TreeFacts
from riverboat.cards import NUM_HOLES, as_cards
from riverboat.decision import Decision, public_state
from riverboat.errors import DamagedFileError, RiverboatError, SpotError
from riverboat.files import ArrayFile, ArraySpec, check_json
from riverboat.report import Columns, Framed
from riverboat.spots._sampled import SampledSettings  # noqa: TC001 - msgspec reads it
from riverboat.spots._settings import SIDES, decision_at
from riverboat.spots._sources import line_reach
from riverboat.spots._spot import Spot
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from riverboat.cards import CardsLike
    from riverboat.report import Palette
    from riverboat.tree import Tree

FORMAT: Final = 1
KIND: Final = "riverboat-flop"
_LONGEST: Final = 1_000_000  # characters: two ranges
MOST_NODES: Final = 2_000_000
_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class FlopFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Metadata of a flop strategy."""

    riverboat: str = __version__
    """Version of Riverboat that solved the spot."""
    date: str = ""
    """UTC, ISO 8601."""
    spot: dict[str, object]
    """The settings of the spot."""
    tree: TreeFacts
    settings: SampledSettings
    iterations: _Count
    boards: _Count
    """Sampled boards of five cards."""
    seconds: float
    values: tuple[float, float]
    """Estimated EV of each player in chips, pot share included: oop, ip."""
    gain: float
    """Estimated gain of the best deviation on the flop, mean of both players in chips."""
    margin: float
    """Half the width of its 95 % confidence interval."""

    def note(self, share: float) -> str:
        """Return a line on the solve; `share` is the gain as a fraction of the pot."""
        return (
            f"{self.iterations:,} iterations on {self.boards:,} sampled boards; deviations on the "
            f"flop gain about {100 * max(0, share):.2g} % of the pot"
        )


class FlopSolution(Framed):
    """A strategy of the flop, from `solve_flop` or, with `FlopSolution.open`, from a file.

    There is no strategy for turn and river: solve them when they are dealt.

    Attributes
    ----------
    spot, tree
        The spot and its tree.
    facts
        Iterations, estimates and other metadata.
    """

    def __init__(
        self, spot: Spot, tree: Tree, facts: FlopFacts, rows: NDArray[np.float32], name: str = ""
    ) -> None:
        self.spot, self.tree, self.facts = spot, tree, facts
        self.name = name or spot.board
        self._rows = rows
        self._weights = [held.weights for held in spot.ranges]
        self._first = dict(zip(decisions(tree), _begins(tree), strict=True))

    @property
    def share(self) -> float:
        """The gain of the best deviation on the flop as a fraction of the pot."""
        return self.facts.gain / self.spot.pot

    def __repr__(self) -> str:
        return f"<FlopSolution of {self.spot.board}, pot {self.spot.pot}>"

    def frame_columns(self) -> Columns:
        """Return the first decision as columns."""
        return self.node().frame_columns()

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[actions, 1326]` of a flop decision; nan for dead hands."""
        if cards or node not in self._first:
            raise SpotError("this file has a strategy for the flop only")
        begin = self._first[node]
        rows = self._rows[begin : begin + int(self.tree.num_actions[node])]
        return rows.astype(np.float64)

    def node(self, line: str = "", cards: CardsLike = "", palette: Palette = "usual") -> Decision:
        """Return a decision on the flop: strategy and reach of all hands."""
        node = decision_at(self.tree, line)
        given = set(as_cards(cards)) - set(self.spot.cards)
        if given or node not in self._first:
            raise SpotError(
                f"{self.name} has a strategy for the flop only: solve the turn when it is dealt"
            )
        strategy = np.ascontiguousarray(self.strategy(node).T)
        return Decision(
            **public_state(self.tree, node, palette) | {"players": SIDES},
            board=self.spot.cards,
            strategy=strategy,
            reach=np.array(line_reach(self.tree, self, self._weights, node, ())),
            alive=~np.isnan(strategy[:, 0]),
            source="solution",
            note=self.facts.note(self.share),
        )

    # ---- Files

    @staticmethod
    def recognises(path: Path) -> bool:
        """Return whether a file's header is that of a flop strategy; the file may be damaged."""
        return ArrayFile.has_kind(path, KIND, ".flop")

    @classmethod
    def open(cls, path: Path | str) -> FlopSolution:
        """Open a file.

        Raises
        ------
        SpotError, DamagedFileError
            If the file is not a flop strategy, or is damaged.
        """
        place = Path(path)
        if not place.is_file():
            raise SpotError(f"there is no flop strategy {str(path)!r}")
        file = ArrayFile(place)
        facts = _parse_facts(place, file.metadata)
        try:
            spot = msgspec.convert(facts.spot, Spot)
            if len(spot.cards) != 3 or facts.tree.nodes > MOST_NODES:
                raise SpotError(f"its spot is {spot.board}, with {facts.tree.nodes:,} nodes")
            tree = spot.tree(facts.tree.nodes)
        except (msgspec.ValidationError, RiverboatError) as error:
            raise DamagedFileError(
                f"{path} is damaged: its spot cannot be used: {error}"
            ) from error
        if TreeFacts.of(tree) != facts.tree:
            raise DamagedFileError(f"{path} is damaged: its tree is not that of its spot")
        rows = _checked_rows(place, file, tree)
        return cls(spot, tree, facts, rows, place.name)

    def write(self, path: Path | str) -> None:
        """Write the strategy into a file atomically."""
        header = msgspec.json.encode(self.facts).decode()
        metadata = {"kind": KIND, "format": str(FORMAT), "header": header}
        ArrayFile.save(Path(path), {"strategy": self._rows}, metadata)


def decisions(tree: Tree) -> list[int]:
    """Return the decisions of the flop."""
    nodes: list[int] = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist()
    return nodes


def _begins(tree: Tree) -> list[int]:
    """Return the first row of each decision of the flop."""
    counts = [int(tree.num_actions[node]) for node in decisions(tree)]
    return [sum(counts[:place]) for place in range(len(counts))]


def flop_facts(spot: Spot, tree: Tree, **fields: Any) -> FlopFacts:
    """Return the facts of a spot solved just now."""
    return FlopFacts(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        spot=msgspec.json.decode(msgspec.json.encode(spot.as_dict())),
        tree=TreeFacts.of(tree),
        **fields,
    )


def _parse_facts(path: Path, metadata: dict[str, str]) -> FlopFacts:
    if metadata.get("kind") != KIND:
        raise SpotError(f"{path} is a file of arrays, but not a flop strategy")
    if metadata.get("format") != str(FORMAT):
        raise SpotError(
            f"{path} is a flop strategy of format {metadata.get('format', '')[:20]}, but Riverboat "
            f"{__version__} reads format {FORMAT}"
        )
    text = metadata.get("header", "")
    check_json(text, f"the header of {path}", DamagedFileError, _LONGEST)
    try:
        facts = msgspec.json.decode(text, type=FlopFacts)
    except (msgspec.DecodeError, UnicodeEncodeError, RiverboatError) as error:
        raise DamagedFileError(f"{path} is damaged: {str(error)[:400]}") from error
    if not all(map(math.isfinite, (facts.seconds, facts.gain, facts.margin, *facts.values))):
        raise DamagedFileError(f"{path} is damaged: its header has impossible numbers")
    return facts


def _checked_rows(path: Path, file: ArrayFile, tree: Tree) -> NDArray[np.float32]:
    """Return the probabilities of all decisions, `[entries, 1326]`."""
    entries = sum(int(tree.num_actions[node]) for node in decisions(tree))
    wanted = ArraySpec(np.dtype(np.float32), (entries, NUM_HOLES))
    if file.names != ["strategy"] or file.spec("strategy") != wanted:
        raise DamagedFileError(f"{path} is damaged: its arrays are not those of its tree")
    rows: NDArray[np.float32] = file.array("strategy")
    if not bool(((rows >= 0) & (rows <= 1) | np.isnan(rows)).all()):
        raise DamagedFileError(f"{path} is damaged: its probabilities are not from 0 to 1")
    return rows
