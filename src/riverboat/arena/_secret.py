"""The secret that deals come from where an outside bot sits.

A seed is in the command line and in the ledger: a bot of a file could deal itself every card of
the match. So such a match is dealt from 32 random bytes that only the dealing processes know. Their
hash, the *commitment*, is told before the first card; the secret itself after the last one, so that
everybody can deal again what was dealt, and nobody could choose it afterwards.
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

__all__ = ["Dealt", "Secret", "read_result"]

_BYTES: Final = 32
_HEX = re.compile(rf"[0-9a-f]{{{2 * _BYTES}}}")
_LONGEST_FILE: Final = 64 << 20


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """32 bytes that nobody can guess; `repr` and errors show their hash alone.

    Parameters
    ----------
    key
        The bytes; `Secret.draw()` takes them from the system.

    Examples
    --------
    >>> secret = Secret(bytes(32))
    >>> secret
    Secret(commitment='66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925')
    >>> Secret.from_hex(secret.reveal()) == secret
    True
    """

    key: bytes

    def __post_init__(self) -> None:
        """Refuse what could be guessed."""
        if not isinstance(self.key, bytes) or len(self.key) != _BYTES:
            raise ArenaError(f"a secret is {_BYTES} bytes")

    def __repr__(self) -> str:
        """Show the commitment."""
        return f"Secret(commitment={self.commitment!r})"

    @classmethod
    def draw(cls) -> "Secret":
        """Draw a new one."""
        return cls(os.urandom(_BYTES))

    @classmethod
    def from_hex(cls, text: str) -> "Secret":
        """Read what `reveal` wrote."""
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            raise ArenaError(f"a secret is written as {2 * _BYTES} digits 0-9 and a-f")
        return cls(bytes.fromhex(text))

    @classmethod
    def read(cls, path: Path) -> "Secret":
        """Read a file with a secret: its digits alone, or the JSON result of a match.

        Raises
        ------
        ArenaError
            If there is none, or more than one: a match that was stopped and went on has a secret
            for each run.
        """
        with suppress(OSError, UnicodeDecodeError):  # told below
            if path.stat().st_size <= 2 * _BYTES + 2:
                return cls.from_hex(path.read_text(encoding="utf-8").strip())
        found = {secret for secret in _secrets_in(path) if secret is not None}
        if len(found) != 1:
            raise ArenaError(f"{str(path)!r} has {len(found)} secrets: a match is dealt from one")
        return cls.from_hex(str(found.pop()))

    @property
    def commitment(self) -> str:
        """SHA-256 of the bytes, in hexadecimal: says nothing, and binds."""
        return hashlib.sha256(self.key).hexdigest()

    def reveal(self) -> str:
        """Return the bytes in hexadecimal, for when the match is over."""
        return self.key.hex()

    def numbers(self, count: int, *place: int) -> list[int]:
        """Return numbers below 2^63 that say nothing about each other.

        Number i is BLAKE2b of 8 bytes, with the secret as its key, of `place` and i, each 8
        bytes, the highest first; without its last bit.

        Examples
        --------
        >>> Secret(bytes(32)).numbers(2, 7, 1, 0, 0)
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
    """Sessions of a match that were dealt from one secret: those of one run of it."""

    commitment: str
    secret: str | None
    """In hexadecimal; None while the run goes on, and for ever if it was killed."""
    sessions: tuple[int, ...] = ()

    @classmethod
    def in_one_run(cls, secret: Secret | None, sessions: int) -> "tuple[Dealt, ...]":
        """Return what a match of one run was dealt from; nothing if from its seed.

        Examples
        --------
        >>> Dealt.in_one_run(Secret(bytes(32)), 3)[0].sessions, Dealt.in_one_run(None, 3)
        ((0, 1, 2), ())
        """
        if secret is None:
            return ()
        return (cls(secret.commitment, secret.reveal(), tuple(range(sessions))),)

    @property
    def kept(self) -> bool:
        """Whether the secret is the one that was promised."""
        try:
            return Secret.from_hex(self.secret or "").commitment == self.commitment
        except ArenaError:
            return False

    def as_values(self) -> dict[str, Any]:
        """Return it for JSON, sessions as pairs of first and last."""
        spans: list[list[int]] = []
        for session in self.sessions:
            if spans and spans[-1][1] == session - 1:
                spans[-1][1] = session
            else:
                spans.append([session, session])
        return {"commitment": self.commitment, "secret": self.secret, "sessions": spans}


def read_result(path: Path) -> dict[str, Any]:
    """Read the JSON result of a match, or of several.

    Raises
    ------
    ArenaError
        If it is none.
    """
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise ArenaError(f"{str(path)!r} is too long for the result of a match")
        values = json.loads(path.read_text(encoding="utf-8"))
    except ArenaError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise ArenaError(f"{str(path)!r} is no result of a match: {error}") from error
    if not isinstance(values, dict):
        raise ArenaError(f"{str(path)!r} is no result of a match")
    return values


def _secrets_in(path: Path) -> list[Any]:
    """List the secrets of a match's or a tournament's result."""
    values = read_result(path)
    try:
        results = [values, *values.get("matches", [])]
        return [run["secret"] for result in results for run in result.get("secrets", [])]
    except (TypeError, AttributeError, KeyError) as error:
        raise ArenaError(f"{str(path)!r} is no result of a match") from error
