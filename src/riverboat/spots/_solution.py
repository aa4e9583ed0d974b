"""`Solution`: a solved spot, in memory or in a file, and the header of the file."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import msgspec
import numpy as np

from riverboat import __version__
from riverboat.blueprint import TreeFacts
from riverboat.cards import as_cards, cards_text
from riverboat.decision import Decision, public_state
from riverboat.errors import DamagedFileError, RiverboatError, SpotError
from riverboat.files import ArrayFile, ArrayFileWriter, check_json
from riverboat.gpu import Bits  # noqa: TC001 - msgspec reads it
from riverboat.report import Columns, Framed
from riverboat.spots._engine import Engine
from riverboat.spots._layout import WHOLE, Layout, early_values
from riverboat.spots._settings import SIDES, Lock, Side, decision_at
from riverboat.spots._sources import (
    FileSource,
    Source,
    line_reach,
)
from riverboat.spots._spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from riverboat.cards import CardsLike
    from riverboat.report import Palette
    from riverboat.tree import Tree

#: Incremented when arrays or header change their meaning; other formats are refused.
FORMAT: Final = 1
KIND: Final = "riverboat-solution"
_LONGEST: Final = 1_000_000  # characters: two ranges, and many locks

_MOST_NODES: Final = 2_000_000


class Facts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Metadata of a solution."""

    riverboat: str = __version__
    """Version of Riverboat that solved the spot."""
    date: str = ""
    """UTC, ISO 8601."""
    spot: dict[str, Any]
    """The settings of the spot."""
    tree: TreeFacts
    locks: tuple[str, ...] = ()
    schedule: str
    bits: Bits = 32
    """Precision of the tables, and of the probabilities in the file."""
    isomorphism: bool = True
    """Whether isomorphic runouts are stored once."""
    own_reach: bool = True
    """Whether the average weights strategies by the player's own reach."""
    iterations: int
    seconds: float
    target: float
    """Fraction of the pot."""
    exploitability: float
    """Chips."""
    values: tuple[float, float]
    """EV of each player in chips, pot share included: oop, ip."""
    exploited: Literal["", Side] = ""
    """Player who plays the best response to the other player's strategy."""
    against: str = ""
    """Strategy that the other player then follows; empty = their average."""
    rivers: bool = True
    """Whether river strategies are stored in the file."""

    @classmethod
    def of(cls, spot: Spot, tree: Tree, **fields: Any) -> Self:
        """Return the facts of a spot solved just now."""
        return cls(
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            # Lists in place of tuples, as JSON returns them.
            spot=msgspec.json.decode(msgspec.json.encode(spot.as_dict())),
            tree=TreeFacts.of(tree),
            **fields,
        )

    def note(self, share: float) -> str:
        """Return a line on the solve; `share` is exploitability as a fraction of the pot."""
        locked = f", {len(self.locks)} locked" if self.locks else ""
        if self.against:
            return f"{self.exploited} plays the best response to {self.against}{locked}"
        best = f"; {self.exploited} plays the best response" if self.exploited else ""
        return (
            f"{self.iterations:,} iterations, exploitability {100 * share:.3g} % of the pot"
            f"{locked}{best}"
        )

    def metadata(self) -> dict[str, str]:
        """Return the metadata of the file's header."""
        return {"kind": KIND, "format": str(FORMAT), "header": msgspec.json.encode(self).decode()}


def parse_facts(path: Path, metadata: Mapping[str, str] | object) -> Facts:
    """Read the facts from a file's metadata.

    Raises
    ------
    SpotError, DamagedFileError
        If the metadata is not that of a solution, or is invalid.
    """
    if not isinstance(metadata, dict) or metadata.get("kind") != KIND:
        raise SpotError(f"{path} is a file of arrays, but not a solution")
    if metadata.get("format") != str(FORMAT):
        raise SpotError(
            f"{path} is a solution of format {str(metadata.get('format'))[:20]}, but Riverboat "
            f"{__version__} reads format {FORMAT}"
        )
    text = metadata.get("header", "")
    check_json(text, f"the header of {path}", DamagedFileError, _LONGEST)
    try:
        facts = msgspec.json.decode(text, type=Facts)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise DamagedFileError(f"{path} is damaged: {str(error)[:400]}") from error
    numbers = (facts.seconds, facts.target, facts.exploitability, *facts.values)
    if not all(map(math.isfinite, numbers)) or facts.iterations < 0:
        raise DamagedFileError(f"{path} is damaged: its header has impossible numbers")
    return facts


class Solution(Framed):
    """A solved spot, from `solve` or, with `Solution.open`, from a file.

    Attributes
    ----------
    spot
        The spot.
    facts
        Iterations, exploitability, EV and other metadata.

    Examples
    --------
    >>> from riverboat.spots import SolveSettings, Spot, solve
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> node = solve(spot, SolveSettings(target=0.001)).finish().node()
    >>> node.actions, [round(node.value(player), 1) for player in (0, 1)]
    (('k', 'b10'), [13.3, 6.7])
    """

    def __init__(self, spot: Spot, facts: Facts, source: Source) -> None:
        self.spot, self.facts = spot, facts
        self._source = source
        self._board = spot.cards
        if isinstance(source, Engine):
            self.tree: Tree = source.tree
        elif isinstance(source, FileSource):
            self.tree = source.layout.tree

    @cached_property
    def _weights(self) -> list[NDArray[np.float64]]:
        """Weights of both ranges; computed lazily, because many solutions are only written."""
        return [held.weights for held in self.spot.ranges]

    @property
    def share(self) -> float:
        """Exploitability as a fraction of the pot."""
        return self.facts.exploitability / self.spot.pot

    @property
    def name(self) -> str:
        """The file's name, or the board if there is no file."""
        source = self._source
        return source.file.path.name if isinstance(source, FileSource) else self.spot.board

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.spot.board}, pot {self.spot.pot}: exploitability "
            f"{100 * self.share:.3g} % of the pot>"
        )

    def frame_columns(self) -> Columns:
        """Return the first decision as columns: a row per hand of both players."""
        return self.node().frame_columns()

    def _repr_html_(self) -> str:
        """Draw the first decision in a notebook."""
        return self.node()._repr_html_()

    # ---- Queries

    def node(self, line: str = "", cards: CardsLike = "", palette: Palette = "usual") -> Decision:
        """Return a decision: strategy, reach, EV and equity of all hands.

        Parameters
        ----------
        line
            From the spot on, such as `kb60c/k`; amounts are "raise to" on the street.
        cards
            Cards dealt since the spot's board, in order; or the whole board.
        palette
            Colours of the actions.
        """
        tree, source = self.tree, self._source
        node = decision_at(tree, line)
        dealt = self._dealt(node, cards)
        strategy = np.ascontiguousarray(source.strategy(node, dealt).T, dtype=np.float64)
        return Decision(
            **public_state(tree, node, palette) | {"players": SIDES},
            board=(*self._board, *dealt),
            strategy=strategy,
            reach=np.array(line_reach(tree, source, self._weights, node, dealt)),
            alive=~np.isnan(strategy[:, 0]),
            values=np.array([source.values(p, node, dealt) for p in (0, 1)]),
            action_values=np.ascontiguousarray(source.action_values(node, dealt).T),
            source="solution",
            note=self.facts.note(self.share),
            find_equity=lambda: np.array([source.equity(p, node, dealt) for p in (0, 1)]),
        )

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[actions, 1326]` of a node of the tree; nan for dead hands."""
        return np.asarray(self._source.strategy(node, cards), dtype=np.float64)

    def _dealt(self, node: int, cards: CardsLike) -> tuple[int, ...]:
        """The cards since the spot's board."""
        given, own = tuple(as_cards(cards)), self._board
        needed = int(self.tree.street[node])
        if len(given) == len(own) + needed and set(given[: len(own)]) == set(own):
            given = given[len(own) :]
        if len(given) != needed:
            where = f"after '{self.tree.line(node)}'" if node else "at the start"
            raise SpotError(
                f"{where} {needed} card{'s are' if needed != 1 else ' is'} dealt since "
                f"{self.spot.board}, but --cards gives {cards_text(given) or 'none'}"
            )
        return given

    def next_cards(self, cards: CardsLike = "") -> list[int]:
        """Return the cards that can be dealt after `cards`."""
        dealt = {*self.spot.cards, *as_cards(cards)}
        first = 0 if self.spot.deck == "full" else 16
        return [card for card in range(first, 52) if card not in dealt]

    # ---- Files

    @staticmethod
    def recognises(path: Path) -> bool:
        """Return whether a file's header is that of a solution; the file may be damaged."""
        return ArrayFile.has_kind(path, KIND, ".solution")

    @classmethod
    def open(cls, path: Path | str) -> Solution:
        """Open a file by memory map; each block is verified when it is first read.

        Raises
        ------
        SpotError, DamagedFileError
            If the file is not a solution, or is damaged.
        """
        place = Path(path)
        if not place.is_file():
            raise SpotError(f"there is no solution {str(path)!r}")
        file = ArrayFile(place)
        facts = parse_facts(place, file.metadata)
        try:
            spot = msgspec.convert(facts.spot, Spot)
            if facts.tree.nodes > _MOST_NODES:
                raise SpotError(f"its tree has {facts.tree.nodes:,} nodes")
            tree = spot.tree(facts.tree.nodes)
            locks = [Lock.parse(text) for text in facts.locks]
        except (msgspec.ValidationError, RiverboatError) as error:
            raise DamagedFileError(
                f"{path} is damaged: its spot cannot be used: {error}"
            ) from error
        if TreeFacts.of(tree) != facts.tree:
            raise DamagedFileError(f"{path} is damaged: its tree is not that of its spot")
        layout = Layout(spot, tree, facts.isomorphism)
        source = FileSource(file, layout, locks, bits=facts.bits, rivers=facts.rivers)
        return cls(spot, facts, source)

    def write(self, path: Path | str, *, rivers: bool = True) -> None:
        """Write the solution into a file atomically.

        Parameters
        ----------
        path
            The file.
        rivers
            Whether to store river strategies. Without them the file is many times smaller, and a
            river is solved again, in milliseconds, when it is queried.
        """
        if not isinstance(self._source, Engine):
            raise SpotError("this solution was opened from a file: copy that file")
        facts = msgspec.structs.replace(self.facts, rivers=rivers)
        if not rivers:
            held = [Lock.parse(text) for text in self.facts.locks]
            check_without_rivers(self.spot, held, bool(self.facts.exploited))
        layout = Layout(self.spot, self.tree, facts.isomorphism)
        specs = layout.arrays(facts.bits, rivers=rivers)
        with ArrayFileWriter(Path(path), specs, facts.metadata()) as writer:
            for name, parts in _arrays(layout, facts, self._source):
                writer.write_all(name, parts)


def check_without_rivers(spot: Spot, locks: Iterable[Lock], exploited: bool) -> None:
    """Refuse to leave out rivers that would change if they were solved again."""
    last = 5 - len(spot.cards)
    if not last:
        raise SpotError("the spot is a river: its strategies cannot be left out")
    if exploited or any(len(lock.cards or ()) == last for lock in locks):
        raise SpotError(
            "rivers with a best response, or with locks on single cards, cannot be left out: they "
            "would be solved again without it"
        )


def _arrays(
    layout: Layout, facts: Facts, engine: Engine
) -> Iterator[tuple[str, Iterable[NDArray[Any]]]]:
    """Yield the arrays of a file, each board by board."""
    for player in (0, 1):
        yield f"strategy{player}", _strategies(layout, facts, engine, player)
    if not layout.last_street:
        return
    early: list[list[NDArray[np.float32]]] = [[], []]
    for cards, values in zip(layout.boards, early_values(layout, engine), strict=False):
        for player in (0, 1):
            worth = values[player][:, layout.holes(player, cards)]
            early[player].append(worth.astype(np.float32).ravel())
    first, hands = layout.nodes(0).tolist(), layout.hands
    for player in (0, 1):
        yield f"values{player}", early[player]
        equities = (engine.equity(player, node)[hands[player]] for node in first)
        yield f"equity{player}", (shares.astype(np.float32) for shares in equities)


def _strategies(
    layout: Layout, facts: Facts, engine: Engine, player: int
) -> Iterator[NDArray[Any]]:
    """Yield a player's strategies board by board, in the precision of the file."""
    for cards in layout.boards if facts.rivers else layout.boards[: layout.num_early]:
        shape = layout.entries(len(cards), player), len(layout.holes(player, cards))
        rows = engine.board_strategies(player, cards, shape).ravel()
        yield np.rint(rows * WHOLE).astype(np.uint16) if facts.bits == 16 else rows
