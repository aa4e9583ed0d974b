"""The header of a blueprint: game, bet menu, cards and training, enough to repeat the training.

It is JSON in the metadata of the file. A file of another format version is refused first.
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat import __version__
from riverboat.buckets import CardAbstraction
from riverboat.cards import BOARD_CARDS
from riverboat.errors import BlueprintError, DamagedFileError, MenuError, RiverboatError
from riverboat.files import check_json
from riverboat.game import GameSpec
from riverboat.settings import shown
from riverboat.tree import MAX_NODES, BetMenu, Tree

#: Incremented when arrays or header change their meaning; other formats are refused.
FORMAT: Final = 1
#: The format of files with 8-bit weights; all others have format 1.
BYTE_WEIGHTS: Final = 2

#: Bounds of a file's greatest weight: within them every byte except 0 is a float32 above 0.
LEAST_GREATEST: Final = 2.0**-90
MOST_GREATEST: Final = float(np.finfo(np.float32).max)
#: Value of `cards` for enumerated deals, where a bucket is the cards that a player has seen.
LOSSLESS: Final = "lossless"

_KIND: Final = "riverboat-blueprint"
_LONGEST: Final = 16 << 20

#: A bot's name with optional settings; nothing that could name a file or module.
_FALLBACK: Final = re.compile(r"[\w -]{0,60}(:[\w=.,+ -]{0,200})?", re.ASCII)
#: Control characters: terminals interpret them.
_CONTROLS: Final = re.compile(r"\\u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])")

#: Precision of probabilities: float32, or uint8 as 255ths.
Precision = Literal["float32", "uint8"]

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
_Gain = Annotated[float, msgspec.Meta(ge=0, le=1)]
_Greatest = Annotated[float, msgspec.Meta(ge=LEAST_GREATEST, le=MOST_GREATEST)]


class Training(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a strategy was trained."""

    scheme: dict[str, Any] = {}
    """Settings of the scheme as plain values. Older files leave defaults out."""
    seed: int = 0
    threads: _Count = 1
    iterations: _Count = 0
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Seconds of iterations."""
    recipe: dict[str, Any] = {}
    """The recipe."""


class TreeFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The betting tree that the arrays belong to."""

    nodes: _Count
    group_entries: tuple[_Count, ...]
    """Strategy entries of one bucket, by group."""
    group_decisions: tuple[_Count, ...]
    """Decision nodes, by group; nodes that share entries count once."""
    checksum: _Count
    """CRC-32 of the tree's arrays, which detects a changed tree."""

    @classmethod
    def of(cls, tree: Tree) -> Self:
        """Return the facts of a tree."""
        checksum = 0
        for array in (tree.first_child, tree.group, tree.offset, tree.action_kind):
            checksum = zlib.crc32(np.ascontiguousarray(array).data, checksum)
        return cls(
            nodes=tree.num_nodes,
            group_entries=tuple(tree.group_entries.tolist()),
            group_decisions=tuple(tree.group_decisions.tolist()),
            checksum=zlib.crc32(np.ascontiguousarray(tree.action_amount).data, checksum),
        )


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Header of a blueprint file; `Header.of` creates one for a tree."""

    format: int = FORMAT
    riverboat: str = __version__
    """Version of Riverboat that wrote the file."""
    date: str = ""
    """UTC, ISO 8601."""
    game: dict[str, Any]
    """Every field of the GameSpec; see `spec`."""
    menu: str
    """Canonical text of the bet menu."""
    cards: Literal["lossless"] | dict[str, Any] = LOSSLESS
    """The card abstraction as plain values (its arrays are in the file), or `lossless`: deals
    are enumerated, and a bucket is the cards that a player has seen."""
    num_buckets: tuple[_Count, ...]
    """Number of buckets, by group of the tree."""
    tree: TreeFacts
    training: Training = Training()
    values: Precision = "float32"
    """Precision of probabilities; uint8 are 255ths."""
    swap_gain: _Gain | msgspec.UnsetType = msgspec.UNSET
    """Swaps by a fixed rule, which are not decisions of the tree: minimum gain of equity."""
    greatest_weight: _Greatest | msgspec.UnsetType = msgspec.UNSET
    """Weight of byte 255 if weights have 8 bits; unset if they are float32."""
    pruned: bool = False
    """Whether the file has trained infosets only."""
    fallback: str = ""
    """The bot that decides where the strategy is untrained, from the recipe."""
    notes: tuple[str, ...] = ()
    """Changes of the strategy after training."""
    parents: tuple[dict[str, Any], ...] = ()
    """Headers of the files that it was derived from."""

    @classmethod
    def of(
        cls,
        tree: Tree,
        buckets: Sequence[int] | CardAbstraction,
        training: Training | None = None,
        game: GameSpec | None = None,
        **fields: Any,
    ) -> Self:
        """Return a header for a strategy on a tree, dated now.

        Parameters
        ----------
        tree
            The betting tree.
        buckets
            Number of buckets by group of the tree, such as `Deals.num_buckets`; or the card
            abstraction of hold'em.
        training
            How the strategy was trained.
        game
            The game, if it is not the tree's: with `swap_gain` the tree has no swaps.
        **fields
            Other fields of the header.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> header = Header.of(Tree(catalogue("kuhn"), "min"), (3, 3), Training(iterations=7))
        >>> header.game_name, header.menu, header.entries, header.infosets
        ('kuhn', 'min', 24, 12)
        """
        tree.require_whole("a blueprint")
        if isinstance(buckets, CardAbstraction):
            buckets = group_buckets(tree, buckets)
        facts = TreeFacts.of(tree)
        if len(buckets) != len(facts.group_entries):
            raise BlueprintError(
                f"the tree has {len(facts.group_entries)} groups, but {len(buckets)} numbers of "
                "buckets are given"
            )
        header = cls(
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            game=msgspec.to_builtins(game or tree.spec),
            menu=str(tree.menu),
            num_buckets=tuple(int(count) for count in buckets),
            tree=facts,
            training=training or Training(),
            **fields,
        )
        # Lists in place of tuples, as JSON returns them.
        return msgspec.json.decode(msgspec.json.encode(header), type=cls)

    @property
    def game_name(self) -> str:
        """The game's name; empty if it has none."""
        return str(self.game.get("name", ""))

    @property
    def spec(self) -> GameSpec:
        """The game."""
        try:
            return msgspec.convert(self.game, GameSpec)
        except (msgspec.ValidationError, RiverboatError, OverflowError) as error:
            raise BlueprintError(f"the header's game cannot be played: {error}") from error

    @property
    def tree_spec(self) -> GameSpec:
        """The game of the tree: without swaps if a rule decides them."""
        return self.spec if self.swap_gain is msgspec.UNSET else self.spec.without_swaps()

    @property
    def entries(self) -> int:
        """Strategy entries: actions of all infosets."""
        return sum(map(int.__mul__, self.num_buckets, self.tree.group_entries))

    @property
    def infosets(self) -> int:
        """Infosets: decisions times buckets."""
        return sum(map(int.__mul__, self.num_buckets, self.tree.group_decisions))

    @property
    def byte_weights(self) -> bool:
        """Whether weights have 8 bits."""
        return self.greatest_weight is not msgspec.UNSET

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    def restore_cards(self, arrays: Mapping[str, NDArray[Any]]) -> CardAbstraction | None:
        """Return the card abstraction of a file; None if deals are enumerated."""
        return None if isinstance(self.cards, str) else CardAbstraction.restore(self.cards, arrays)

    def check_cards(self, tree: Tree, cards: CardAbstraction | None) -> None:
        """Refuse a card abstraction whose numbers of buckets differ from the header's."""
        if cards is None:
            if self.cards != LOSSLESS:
                raise BlueprintError("the header has a card abstraction: pass it as `cards`")
            return
        buckets = group_buckets(tree, cards)
        if buckets != self.num_buckets:
            raise BlueprintError(
                f"'{cards.name}' has {buckets} buckets by group, but the header has "
                f"{self.num_buckets}"
            )

    def metadata(self) -> dict[str, str]:
        """Return the metadata of the file's header."""
        text = msgspec.json.encode(self).decode()
        return {"kind": _KIND, "format": str(self.format), "header": text}


def parse_header(metadata: Mapping[str, str] | object) -> Header:
    """Read the header from a file's metadata.

    Raises
    ------
    BlueprintError, DamagedFileError
        If the metadata is not that of a blueprint, or is invalid.
    """
    if not isinstance(metadata, dict) or metadata.get("kind") != _KIND:
        raise BlueprintError("this is a file of arrays, but not a strategy file")
    if metadata.get("format") not in (str(FORMAT), str(BYTE_WEIGHTS)):
        raise BlueprintError(
            f"this blueprint has format {metadata.get('format')}, but Riverboat {__version__} "
            f"reads formats {FORMAT} and {BYTE_WEIGHTS}: use the version that wrote it"
        )
    text = metadata.get("header", "")
    check_json(text, "the header of this blueprint", DamagedFileError, _LONGEST)
    if _CONTROLS.search(text):
        raise _damaged("it has control characters")
    try:
        header = msgspec.json.decode(text, type=Header)
        _ = header.spec
        menu = BetMenu.parse(header.menu)
    except (msgspec.DecodeError, BlueprintError, MenuError, UnicodeEncodeError) as error:
        raise _damaged(str(error)[:400]) from error
    if header.format == FORMAT and header.riverboat.startswith("0.1."):
        raise BlueprintError(
            "this blueprint was written by Riverboat 0.1, whose files are no longer read: train "
            "its recipe again"
        )
    if metadata["format"] != str(header.format):
        raise _damaged(f"it has format {header.format}, its file format {metadata['format']}")
    _check_numbers(header, menu)
    _check_values(header)
    return header


def _damaged(reason: str) -> DamagedFileError:
    return DamagedFileError(f"the header of this blueprint cannot be used: {reason}")


def _check_numbers(header: Header, menu: BetMenu) -> None:
    """Refuse numbers that are impossible for a tree."""
    facts = header.tree
    groups = {len(header.num_buckets), len(facts.group_entries), len(facts.group_decisions)}
    numbers = (*header.num_buckets, *facts.group_entries, *facts.group_decisions, facts.nodes)
    if len(groups) != 1 or min(numbers) < 1:
        raise _damaged(
            "buckets, entries and decisions must be numbers above 0, one per group of the tree"
        )
    # An action leads to one node, after at most one chance node; if decisions share entries, only
    # the limit of all trees applies.
    most = MAX_NODES if menu.recall == "raises" else 1 + 2 * sum(facts.group_entries)
    if facts.nodes > most:
        raise _damaged(f"{facts.nodes:,} nodes are more than its actions can lead to")


def _check_values(header: Header) -> None:
    """Refuse values of types that training never writes, and names of files."""
    if header.format != (BYTE_WEIGHTS if header.byte_weights else FORMAT):
        raise _damaged(f"8-bit weights have format {BYTE_WEIGHTS}, others {FORMAT}")
    if header.byte_weights != (header.values == "uint8"):
        raise _damaged("8-bit weights need 8-bit probabilities, and the reverse")
    if not _FALLBACK.fullmatch(header.fallback) or ".py" in header.fallback.lower():
        raise _damaged(f"its fallback {shown(header.fallback)} is not the name of a bot")
    threshold = header.training.recipe.get("threshold", 0.0)
    if type(threshold) not in (int, float) or not 0 <= threshold <= 1:
        raise _damaged(f"its threshold {shown(threshold)} is not a number from 0 to 1")
    if isinstance(header.cards, str):
        return
    streets, needed = header.cards.get("streets", []), len(header.spec.streets)
    if not isinstance(streets, list):
        raise _damaged(f"the streets of its cards are {shown(streets)}, not a list")
    if len(streets) < needed:
        raise BlueprintError(
            f"the header's cards, '{header.cards.get('name')}', are for {len(streets)} streets, "
            f"but its game has {needed}"
        )


def group_buckets(tree: Tree, cards: CardAbstraction) -> tuple[int, ...]:
    """Return the numbers of buckets of a hold'em card abstraction, by group of a tree.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> from riverboat.game import catalogue
    >>> group_buckets(Tree(catalogue("cardiff"), "cardiff"), make_abstraction("suitless 2"))
    (169, 169, 76895, 76895)
    """
    boards, counts = tree.spec.board_sizes, cards.num_buckets
    known = BOARD_CARDS[: len(counts)]
    if any(board not in known for board in boards):
        raise BlueprintError(
            f"{tree.spec.name or 'the game'} has boards of {', '.join(map(str, boards))} cards, "
            f"but '{cards.name}' is for boards of {', '.join(map(str, known))} cards"
        )
    return tuple(counts[known.index(boards[street])] for street in tree.group_street.tolist())
