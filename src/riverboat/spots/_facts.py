"""What a solution file says of itself: the spot in full, and how it was solved."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

import msgspec

from riverboat import __version__
from riverboat.blueprint import TreeFacts
from riverboat.errors import DamagedFileError, SpotError
from riverboat.files import check_json
from riverboat.gpu import Bits  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: A player of a spot: out of position, or in position.
Side = Literal["oop", "ip"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)

#: Raised whenever arrays or header change their meaning; other formats are refused.
FORMAT: Final = 1
KIND: Final = "riverboat-solution"
_LONGEST: Final = 1_000_000  # characters: two ranges, and many locks


class Facts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a solution besides its strategies."""

    riverboat: str = __version__
    """The version of Riverboat that solved it."""
    date: str = ""
    """When, UTC, ISO 8601."""
    spot: dict[str, Any]
    """The settings of the spot."""
    tree: TreeFacts
    locks: tuple[str, ...] = ()
    schedule: str
    bits: Bits = 32
    """Of the tables that were solved, and of the probabilities in the file."""
    isomorphism: bool = True
    """Whether run-outs that renamed suits make equal stand in the file once."""
    own_reach: bool = True
    """Whether the average weighs strategies by the player's own reach."""
    iterations: int
    seconds: float
    target: float
    """Part of the pot."""
    exploitability: float
    """Chips."""
    values: tuple[float, float]
    """Chips that each player wins, his share of the pot included: oop, ip."""
    exploited: Literal["", Side] = ""
    """Who plays the best response to the other instead of his average."""
    against: str = ""
    """The strategy that the other then follows; empty: his own average."""
    rivers: bool = True
    """Whether the strategies of the river are in the file."""

    @classmethod
    def of(cls, spot: Spot, tree: Tree, **fields: Any) -> Self:
        """Make the facts of a spot that was solved now."""
        return cls(
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            # As it will be read: JSON knows no tuples.
            spot=msgspec.json.decode(msgspec.json.encode(spot.as_dict())),
            tree=TreeFacts.of(tree),
            **fields,
        )

    def note(self, share: float) -> str:
        """Say how it was solved, and how exploitable it is as a part of the pot."""
        locked = f", {len(self.locks)} locked" if self.locks else ""
        if self.against:
            return f"{self.exploited} plays the best response to {self.against}{locked}"
        best = f"; {self.exploited} plays the best response" if self.exploited else ""
        return (
            f"{self.iterations:,} iterations, exploitable by {100 * share:.3g} % of the pot"
            f"{locked}{best}"
        )

    def metadata(self) -> dict[str, str]:
        """Return what goes into the file's header."""
        return {"kind": KIND, "format": str(FORMAT), "header": msgspec.json.encode(self).decode()}


def parse_facts(path: Path, metadata: Mapping[str, str] | object) -> Facts:
    """Read the facts from a file's metadata, or say in a sentence why not."""
    if not isinstance(metadata, dict) or metadata.get("kind") != KIND:
        raise SpotError(f"{path} is a file of arrays, but no solution")
    if metadata.get("format") != str(FORMAT):
        raise SpotError(
            f"{path} has format {str(metadata.get('format'))[:20]}, and Riverboat {__version__} "
            f"reads solutions of format {FORMAT}"
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
