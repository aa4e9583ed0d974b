"""`Blueprint`: a strategy file, opened by memory map."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from riverboat.blueprint._buckets import EnumeratedBuckets, HoldemBuckets, bucket_texts
from riverboat.blueprint._default import no_such_strategy
from riverboat.blueprint._header import (
    Header,
    TreeFacts,
    parse_header,
)
from riverboat.blueprint._layout import Layout, NodeSpan
from riverboat.blueprint._query import Query
from riverboat.blueprint._rare_actions import block_without_rare, shown_as
from riverboat.blueprint._store import CARDS, open_store
from riverboat.blueprint._visits import VisitScale, visit_scale
from riverboat.buckets import bucket_tables
from riverboat.errors import (
    BlueprintError,
    DamagedFileError,
    MenuError,
    OtherFileError,
    RiverboatError,
)
from riverboat.files import ArrayFile
from riverboat.game import Hand
from riverboat.report import Columns, Framed, FrameLibrary, frame_of
from riverboat.solve import Deals, FixedSwaps, enumerate_deals, holdem_deals
from riverboat.translation import Tracker
from riverboat.tree import DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint._layout import Chunk, GroupRows
    from riverboat.blueprint._query import Answer
    from riverboat.buckets import BucketTables, CardAbstraction
    from riverboat.cards import HandStrength
    from riverboat.game import View
    from riverboat.translation import Translation


class Blueprint(Framed):
    """A strategy file. Opening it reads the header; rows are read on demand.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    path, header, file
        The path, the header, the arrays.

    Raises
    ------
    BlueprintError
        If the file is not a blueprint, or has another format.
    DamagedFileError
        If header or structure are wrong; on reading, if a block does not match its checksum.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> _ = solver.run_all(iterations=10)
    >>> tree, path = solver.deals.tree, Path(tempfile.mkdtemp()) / "kuhn.blueprint"
    >>> header = Header.of(tree, solver.deals.num_buckets)
    >>> _ = write_blueprint(path, header, tree, solver.average)
    >>> blueprint = Blueprint.open(path)
    >>> blueprint.row(tree.node("b1"), 0).shape
    (2,)
    """

    #: Builds an Arrow table of the strategy; set by `_arrow`, which imports this module.
    _arrow_table: ClassVar[Callable[[Blueprint, bool, float], Any]]

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.file = ArrayFile(self.path)
        except FileNotFoundError as error:
            raise BlueprintError(no_such_strategy(path)) from error
        except OSError as error:
            raise BlueprintError(
                f"{self.path} cannot be read: {error.strerror or error}"
            ) from error
        except OtherFileError as error:
            raise BlueprintError(f"{error}: `riverboat train` writes strategy files") from error
        except DamagedFileError as error:
            raise DamagedFileError(f"{error}; or it is not a strategy file") from error
        try:
            self.header: Header = parse_header(self.file.metadata)
        except (BlueprintError, DamagedFileError) as error:
            raise type(error)(f"{self.path}: {error}") from error
        self._store = open_store(self.file, self.header)
        self._spans: dict[int, NodeSpan] = {}

    def frame_columns(self) -> Columns:
        """Return the main facts of the file, in rows of a name and a text."""
        training = self.header.training
        facts = {
            "game": self.tree.spec.name,
            "infosets": f"{self.header.infosets:,}",
            "buckets": "/".join(map(str, self.num_buckets)),
            "iterations": f"{training.iterations:,}" if training else "unknown",
            "fallback": self.header.fallback,
            "played": shown_as(self.threshold),
        }
        return {"": list(facts), self.path.name: list(facts.values())}

    def to_frame(
        self,
        library: FrameLibrary | None = None,
        *,
        untrained: bool = False,
        as_played: bool = False,
    ) -> Any:
        """Return the whole strategy as a data frame, one row per action of each infoset.

        Columns are those of `export_arrow`, which also handles strategies larger than memory.
        """
        threshold = self.threshold if as_played else 0.0
        return frame_of(self._arrow_table(untrained, threshold), library)

    @classmethod
    def open(cls, path: Path | str) -> Blueprint:
        """Open a file."""
        return cls(path)

    def __repr__(self) -> str:
        header = self.header
        return f"<Blueprint of {header.game_name or 'a game'}: {header.infosets:,} infosets>"

    @cached_property
    def tree(self) -> Tree:
        """The betting tree, built on first use."""
        facts = self.header.tree
        try:
            tree = Tree(self.header.tree_spec, self.header.menu, max_nodes=max(1, facts.nodes))
        except RiverboatError as error:
            raise BlueprintError(f"{self.path}: {error}") from error
        if TreeFacts.of(tree) != facts:
            raise BlueprintError(
                f"{self.path}: Riverboat now builds another betting tree than version "
                f"{self.header.riverboat}, which wrote the file: read it with that version"
            )
        return tree

    @cached_property
    def layout(self) -> Layout:
        """Positions of infosets in the tables."""
        return Layout(self.tree, self.header.num_buckets)

    @cached_property
    def bucket_texts(self) -> tuple[tuple[str, ...] | None, ...]:
        """Text of each bucket by group of the tree; None if a bucket has several hands."""
        return bucket_texts(self.tree, self.cards)

    def find_node(self, line: str) -> int:
        """Return the decision at the end of a line; off-tree bets count as the nearest bet size.

        Examples
        --------
        >>> from riverboat.blueprint import default_blueprint
        >>> blueprint = Blueprint.open(default_blueprint())
        >>> blueprint.tree.line(blueprint.find_node("b25c/kb30"))
        'b25c/kb25'
        """
        tree = self.tree
        try:
            node = tree.node(line)
        except MenuError:
            hand = Hand(tree.spec)
            hand.play(line)
            if hand.actor is None:
                raise BlueprintError(
                    f"the hand is over after '{line}': there is no decision"
                ) from None
            place = Tracker(tree, "nearest-ratio").find(hand.view(hand.actor))
            if place.node < 0:
                raise BlueprintError(f"'{line}' leaves the tree: {place.reason}") from None
            return place.node
        if tree.kind[node] != DECISION:
            raise BlueprintError(f"the hand is over after '{line}': there is no decision")
        return node

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Number of buckets by group of the tree."""
        return self.header.num_buckets

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:
        """Return the probabilities of the actions of an infoset.

        Parameters
        ----------
        node
            A decision of the tree.
        bucket
            The player's bucket there.

        Returns
        -------
        [actions] float32, in the order of `tree.actions(node)`; None if the infoset is untrained
        or pruned.
        """
        span = self._span(node, bucket)
        return self._store.row(
            span.infoset + bucket * span.bucket_infosets,
            span.entry + bucket * span.bucket_entries,
            span.num_actions,
        )

    def node_rows(self, node: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the rows of all buckets at once.

        Returns
        -------
        strategy : [buckets, actions] float32
            Undefined where untrained.
        trained : [buckets] bool
        """
        return self._store.node_rows(self.layout.span(node))

    def weight(self, node: int, bucket: int) -> float:
        """Return the averaging weight of an infoset; 0 if it is untrained or pruned."""
        span = self._span(node, bucket)
        return self._store.weight(span.infoset + bucket * span.bucket_infosets)

    @cached_property
    def visit_scale(self) -> VisitScale | None:
        """Scale from weights to visits; None if unknown."""
        return visit_scale(self.header)

    def visits(self, node: int, bucket: int) -> float | None:
        """Return how often training visited an infoset; None if unknown.

        If the scheme weights visits by the player's reach, this number does so, too.
        """
        scale = self.visit_scale
        return None if scale is None else self.weight(node, bucket) / scale.weight

    @property
    def threshold(self) -> float:
        """A bot that plays this strategy leaves out rarer bets and folds; 0 = none."""
        return float(self.header.training.recipe.get("threshold", 0.0))

    def _span(self, node: int, bucket: int) -> NodeSpan:
        span = self._spans.get(node)
        if span is None:
            span = self._spans[node] = self.layout.span(int(node))
        if not 0 <= bucket < span.num_buckets:
            raise BlueprintError(
                f"bucket must be 0 to {span.num_buckets - 1} at node {node}, not {bucket!r}"
            )
        return span

    def read(self, chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        """Read a chunk of the layout.

        Returns
        -------
        [buckets, entries] float32 probabilities, uniform where untrained, and
        [buckets, decisions] float32 weights, 0 where untrained.
        """
        return self._store.read(chunk, rows)

    def chunks(self) -> Iterator[tuple[Chunk, GroupRows, NDArray[Any], NDArray[Any]]]:
        """Yield the whole strategy: each chunk, its rows, probabilities and weights (`read`)."""
        for chunk in self.layout.chunks():
            rows = self.layout.groups[chunk.group]
            yield chunk, rows, *self.read(chunk, rows)

    def dense(
        self,
        dtype: type[np.float32] | type[np.float64] = np.float32,
        threshold: float = 0.0,
    ) -> NDArray[Any]:
        """Return the whole strategy: [entries] probabilities, uniform where untrained.

        `riverboat.evaluate` takes this array. `threshold=self.threshold`: as played.
        """
        strategy: NDArray[Any] = np.empty(self.header.entries, dtype)
        for chunk, rows, block, _ in self.chunks():
            strategy[chunk.entries] = block_without_rare(block, rows, threshold).ravel()
        return strategy

    def weights(self) -> NDArray[np.float32]:
        """Return all averaging weights, [infosets] float32; 0 where untrained."""
        weights = np.empty(self.header.infosets, np.float32)
        for chunk, _, _, block in self.chunks():
            weights[chunk.infosets] = block.ravel()
        return weights

    def card_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the card abstraction, by name."""
        names = [name for name in self.file.names if name.startswith(CARDS)]
        return {name.removeprefix(CARDS): np.asarray(self.file.array(name)) for name in names}

    @cached_property
    def cards(self) -> CardAbstraction | None:
        """The card abstraction; None where deals are enumerated (Kuhn, Leduc)."""
        tree = self.tree
        try:
            cards = self.header.restore_cards(self.card_arrays())
            self.header.check_cards(tree, cards)
        except DamagedFileError:  # which names the file
            raise
        except RiverboatError as error:
            raise BlueprintError(f"{self.path}: {error}") from error
        return cards

    def deals(
        self, buckets: BucketTables | None = None, tables: HandStrength | None = None
    ) -> Deals:
        """Return a dealer for the game with the buckets of this strategy.

        Parameters
        ----------
        buckets
            The tables of `cards`. Default: those in the cache folder, built if they are missing.
            Ignored if deals are enumerated.
        tables
            The hand-strength tables. Default: those in the cache folder.
        """
        if self.cards is None:
            deals = enumerate_deals(self.tree)
        else:
            compiled = bucket_tables(self.cards, tables) if buckets is None else buckets
            gain = self.header.swap_gain
            fixed = None if gain is msgspec.UNSET else FixedSwaps(self.header.spec, gain)
            deals = holdem_deals(self.tree, compiled, tables, fixed)
        if deals.num_buckets != self.num_buckets:
            raise BlueprintError(
                f"{self.path} has {self.num_buckets} buckets by group, but its cards have "
                f"{deals.num_buckets}"
            )
        return deals

    def query(
        self,
        translation: Translation = "pseudo-harmonic",
        seed: int = 0,
        folder: Path | str | None = None,
        tables: HandStrength | None = None,
        threshold: float = 0.0,
    ) -> Query:
        """Return an object that answers queries of this strategy at real tables.

        Parameters
        ----------
        translation, seed
            Action translation of off-tree bets, and the random seed of its draws.
        folder
            Folder of bucket tables; by default the cache folder. Without tables buckets are
            computed on the fly.
        tables
            The hand-strength tables. Without them a choice between two swaps on the flop takes
            some tenths of a second.
        threshold
            Rarer bets and folds are left out: 0 = as trained, `self.threshold` = as played.
        """
        if self.cards is None:
            return Query(self, EnumeratedBuckets(self.tree), translation, seed, None, threshold)
        finder = HoldemBuckets(self.cards, self.header.spec, folder)
        query = Query(self, finder, translation, seed, tables, threshold)
        gain = self.header.swap_gain
        query.swap_gain = None if gain is msgspec.UNSET else gain
        return query

    def strategy(self, view: View) -> Answer:
        """Return this strategy's answer at a real table, as trained; `query` has options.

        Parameters
        ----------
        view
            View of the seat to act.
        """
        return self._query.strategy(view)

    @cached_property
    def _query(self) -> Query:
        return self.query()
