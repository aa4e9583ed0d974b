"""The header of a blueprint: what was trained, on which game, and how; enough to do it again.

It is JSON in the metadata of the file. A file of another format version is refused before
anything else is read from it.
"""

import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

import msgspec
import numpy as np

from riverboat import __version__
from riverboat.errors import BlueprintError, RiverboatError
from riverboat.game import GameSpec
from riverboat.tree import Tree

__all__ = ["FORMAT", "LOSSLESS", "Header", "Training", "TreeFacts", "parse_header"]

#: Raised whenever arrays or header change their meaning; other formats are refused.
FORMAT: Final = 1

#: What `cards` says of games whose deals are enumerated: a bucket is what a player has seen.
LOSSLESS: Final = "lossless"

_KIND: Final = "riverboat-blueprint"


class Training(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a strategy came about."""

    scheme: dict[str, Any] = {}
    """The algorithm: every setting as a plain value. Older files leave defaults out."""
    seed: int = 0
    threads: int = 1
    iterations: int = 0
    seconds: float = 0.0
    """Spent iterating."""
    recipe: dict[str, Any] = {}
    """Whatever it was trained from."""


class TreeFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The betting tree that the arrays belong to."""

    nodes: int
    group_entries: tuple[int, ...]
    """By group, strategy entries of one bucket."""
    group_decisions: tuple[int, ...]
    """By group, decision nodes."""
    checksum: int
    """CRC-32 of the tree's arrays: a tree that came out otherwise is noticed."""

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
    """What a blueprint file says of itself. `Header.of` makes one for a tree."""

    format: int = FORMAT
    riverboat: str = __version__
    """The version of Riverboat that wrote the file."""
    date: str = ""
    """When, UTC, ISO 8601."""
    game: dict[str, Any]
    """Every field of the GameSpec; see `spec`."""
    menu: str
    """Canonical text of the bet menu."""
    cards: Literal["lossless"] | dict[str, Any] = LOSSLESS
    """The card abstraction as plain values (its arrays are in the file), or `lossless`: the
    deals are enumerated, and a bucket is what its player has seen."""
    num_buckets: tuple[int, ...]
    """By group of the tree."""
    tree: TreeFacts
    training: Training = Training()
    values: Literal["float32", "uint8"] = "float32"
    """How probabilities are kept; uint8 are 255ths."""
    pruned: bool = False
    """Whether only trained infosets are in the file."""
    fallback: str = ""
    """The bot that decides where the strategy is untrained, as the recipe says."""
    notes: tuple[str, ...] = ()
    """What was done to the strategy after training."""
    parents: tuple[dict[str, Any], ...] = ()
    """The headers of the files that it was made from."""

    @classmethod
    def of(
        cls,
        tree: Tree,
        num_buckets: Sequence[int],
        training: Training | None = None,
        **fields: Any,
    ) -> Self:
        """Make a header for a strategy on a tree, dated now.

        Parameters
        ----------
        tree
            The betting tree.
        num_buckets
            By group of the tree, as `Deals.num_buckets` has them.
        training
            How the strategy came about.
        **fields
            Others that are not at their defaults.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> header = Header.of(Tree(catalogue("kuhn"), "min"), (3, 3), Training(iterations=7))
        >>> header.game_name, header.menu, header.entries, header.infosets
        ('kuhn', 'min', 24, 12)
        """
        tree.require_whole("a blueprint")
        facts = TreeFacts.of(tree)
        if len(num_buckets) != len(facts.group_entries):
            raise BlueprintError(
                f"the tree has {len(facts.group_entries)} groups, but numbers of buckets are given "
                f"for {len(num_buckets)}"
            )
        header = cls(
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            game=msgspec.to_builtins(tree.spec),
            menu=str(tree.menu),
            num_buckets=tuple(int(count) for count in num_buckets),
            tree=facts,
            training=training or Training(),
            **fields,
        )
        # As it will be read: JSON knows no tuples.
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
        except (msgspec.ValidationError, RiverboatError) as error:
            raise BlueprintError(f"the header's game cannot be played: {error}") from error

    @property
    def entries(self) -> int:
        """Strategy entries: actions of all infosets."""
        return sum(map(int.__mul__, self.num_buckets, self.tree.group_entries))

    @property
    def infosets(self) -> int:
        """Infosets: decisions times buckets."""
        return sum(map(int.__mul__, self.num_buckets, self.tree.group_decisions))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    def metadata(self) -> dict[str, str]:
        """Return what goes into the file's header."""
        text = msgspec.json.encode(self).decode()
        return {"kind": _KIND, "format": str(self.format), "header": text}


def parse_header(metadata: Mapping[str, str] | object) -> Header:
    """Read a header from a file's metadata, or say in a sentence why not."""
    if not isinstance(metadata, dict) or metadata.get("kind") != _KIND:
        raise BlueprintError("this is a file of arrays, but not a strategy file")
    if metadata.get("format") != str(FORMAT):
        raise BlueprintError(
            f"this blueprint has format {metadata.get('format')}, and Riverboat {__version__} "
            f"reads format {FORMAT} only; read it with the version of Riverboat that wrote it"
        )
    try:
        header = msgspec.json.decode(str(metadata.get("header")), type=Header)
    except msgspec.DecodeError as error:  # of JSON, or of what is in it
        raise BlueprintError(f"the header of this blueprint cannot be used: {error}") from error
    _check(header)
    return header


def _check(header: Header) -> None:
    facts = header.tree
    groups = {len(header.num_buckets), len(facts.group_entries), len(facts.group_decisions)}
    numbers = (*header.num_buckets, *facts.group_entries, *facts.group_decisions, facts.nodes)
    if len(groups) != 1 or min(numbers) < 1:
        raise BlueprintError(
            "the header of this blueprint cannot be used: buckets, entries and decisions are "
            "numbers above 0, one for each group of the tree"
        )
