"""The seed that deals come from where an outside bot sits.

The match's own seed is in the command line and in the ledger: a bot of a file could deal itself
every card. Such a match is dealt from 256 random bits that only the dealing processes know; the
ledger holds them once the last card is dealt.
"""

import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from riverboat.errors import ArenaError

_BYTES: Final = 32
_HEX = re.compile(rf"[0-9a-f]{{{2 * _BYTES}}}")
_LONGEST_FILE: Final = 64 << 20


@dataclass(frozen=True, slots=True, repr=False)
class DealSeed:
    """32 bytes that no bot can guess; `repr` and errors do not show them.

    Examples
    --------
    >>> seed = DealSeed(bytes(32))
    >>> seed
    DealSeed(...)
    >>> DealSeed.from_hex(seed.hex()) == seed
    True
    """

    key: bytes

    def __post_init__(self) -> None:
        """Refuse what could be guessed."""
        if not isinstance(self.key, bytes) or len(self.key) != _BYTES:
            raise ArenaError(f"a deal seed is {_BYTES} bytes")

    def __repr__(self) -> str:
        """Show nothing of it."""
        return "DealSeed(...)"

    @classmethod
    def draw(cls) -> "DealSeed":
        """Draw a new one from the system."""
        return cls(os.urandom(_BYTES))

    @classmethod
    def from_hex(cls, text: str) -> "DealSeed":
        """Read what `hex` wrote."""
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            raise ArenaError(f"a deal seed is written as {2 * _BYTES} digits 0-9 and a-f")
        return cls(bytes.fromhex(text))

    @classmethod
    def read(cls, path: Path) -> "DealSeed":
        """Read a file with a deal seed: its digits alone, or the JSON result of a match.

        Raises
        ------
        ArenaError
            If there is none, or more than one: a match that was stopped and resumed has one for
            each run.
        """
        with suppress(OSError, UnicodeDecodeError):  # reported below
            if path.stat().st_size <= 2 * _BYTES + 2:
                return cls.from_hex(path.read_text(encoding="utf-8").strip())
        found = {seed for seed in _seeds_in(path) if seed is not None}
        if len(found) != 1:
            raise ArenaError(f"{str(path)!r} has {len(found)} deal seeds: a match has one")
        return cls.from_hex(str(found.pop()))

    def hex(self) -> str:
        """Return the bytes in hexadecimal, for when the match is over."""
        return self.key.hex()

    def numbers(self, count: int, *place: int) -> list[int]:
        """Return numbers below 2^63 that say nothing about each other.

        Number i is BLAKE2b of 8 bytes, with the seed as its key, of `place` and i, each 8 bytes,
        the highest first; without its last bit.

        Examples
        --------
        >>> DealSeed(bytes(32)).numbers(2, 7, 1, 0, 0)
        [8137511439342941644, 7452884108038228625]
        """
        head = b"".join(number.to_bytes(8, "big") for number in place)
        digests = (
            hashlib.blake2b(head + i.to_bytes(8, "big"), digest_size=8, key=self.key).digest()
            for i in range(count)
        )
        return [int.from_bytes(digest, "big") >> 1 for digest in digests]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The sessions of one run of a match, and the deal seed they came from."""

    seed: str | None
    """In hexadecimal; None while the run is going on, and for ever if it was killed."""
    sessions: tuple[int, ...] = ()

    @classmethod
    def in_one_run(cls, seed: DealSeed | None, sessions: int) -> "tuple[Dealt, ...]":
        """Return what a match of one run was dealt from; nothing if from its own seed.

        Examples
        --------
        >>> Dealt.in_one_run(DealSeed(bytes(32)), 3)[0].sessions, Dealt.in_one_run(None, 3)
        ((0, 1, 2), ())
        """
        return () if seed is None else (cls(seed.hex(), tuple(range(sessions))),)

    def as_values(self) -> dict[str, Any]:
        """Return it for JSON, sessions as pairs of first and last."""
        spans: list[list[int]] = []
        for session in self.sessions:
            if spans and spans[-1][1] == session - 1:
                spans[-1][1] = session
            else:
                spans.append([session, session])
        return {"seed": self.seed, "sessions": spans}


def _seeds_in(path: Path) -> list[Any]:
    """List the deal seeds in the JSON result of a match, or of several."""
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise ArenaError(f"{str(path)!r} is too long for the result of a match")
        values = json.loads(path.read_text(encoding="utf-8"))
        results = [values, *values.get("matches", [])]
        # Version 0.2 wrote `secrets`, each with a `secret`.
        new = [run["seed"] for result in results for run in result.get("deal_seeds", [])]
        return new + [run["secret"] for result in results for run in result.get("secrets", [])]
    except ArenaError:
        raise
    except (OSError, ValueError, RecursionError, TypeError, AttributeError, KeyError) as error:
        raise ArenaError(f"{str(path)!r} is no result of a match") from error
