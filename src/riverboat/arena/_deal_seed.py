"""The deal seed: secret random bits that cards come from if an outside bot plays.

The match's own seed is in the command line and in the ledger: a bot from a file could compute every
card from it. Such a match is dealt from 256 random bits that only the dealing processes know. They
are written to the ledger when the last card is dealt.
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
    """32 random bytes that no bot can guess; `repr` and errors do not show them.

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
        """Check the length."""
        if not isinstance(self.key, bytes) or len(self.key) != _BYTES:
            raise ArenaError(f"a deal seed has {_BYTES} bytes")

    def __repr__(self) -> str:
        """Hide the bytes."""
        return "DealSeed(...)"

    @classmethod
    def draw(cls) -> "DealSeed":
        """Draw a new deal seed from the operating system."""
        return cls(os.urandom(_BYTES))

    @classmethod
    def from_hex(cls, text: str) -> "DealSeed":
        """Read the text of `hex`."""
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            raise ArenaError(f"a deal seed must have {2 * _BYTES} digits from 0-9 and a-f")
        return cls(bytes.fromhex(text))

    @classmethod
    def read(cls, path: Path) -> "DealSeed":
        """Read a file with a deal seed: its digits alone, or the JSON result of a match.

        Raises
        ------
        ArenaError
            If the file has no deal seed, or more than one: a resumed match has one for each run.
        """
        with suppress(OSError, UnicodeDecodeError):  # reported below
            if path.stat().st_size <= 2 * _BYTES + 2:
                return cls.from_hex(path.read_text(encoding="utf-8").strip())
        seeds = {seed for seed in _seeds_in(path) if seed is not None}
        if len(seeds) != 1:
            raise ArenaError(
                f"{str(path)!r} has {len(seeds)} deal seeds: a match needs exactly one"
            )
        return cls.from_hex(str(seeds.pop()))

    def hex(self) -> str:
        """Return the bytes in hexadecimal, to publish them when the match is over."""
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
    """The sessions of one run of a match, and their deal seed."""

    seed: str | None
    """In hexadecimal; None during the run, and also later if the run was killed."""
    sessions: tuple[int, ...] = ()

    @classmethod
    def in_one_run(cls, seed: DealSeed | None, sessions: int) -> "tuple[Dealt, ...]":
        """Return the deal seed of a match of one run; empty without a deal seed.

        Examples
        --------
        >>> Dealt.in_one_run(DealSeed(bytes(32)), 3)[0].sessions, Dealt.in_one_run(None, 3)
        ((0, 1, 2), ())
        """
        return () if seed is None else (cls(seed.hex(), tuple(range(sessions))),)

    def as_values(self) -> dict[str, Any]:
        """Return the run for JSON; sessions are pairs of first and last."""
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
            raise ArenaError(f"{str(path)!r} is too large for the result of a match")
        values = json.loads(path.read_text(encoding="utf-8"))
        results = [values, *values.get("matches", [])]
        # Version 0.2 wrote `secrets`, each with a `secret`.
        new = [run["seed"] for result in results for run in result.get("deal_seeds", [])]
        return new + [run["secret"] for result in results for run in result.get("secrets", [])]
    except ArenaError:
        raise
    except (OSError, ValueError, RecursionError, TypeError, AttributeError, KeyError) as error:
        raise ArenaError(f"{str(path)!r} is not the result of a match") from error
