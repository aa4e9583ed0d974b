"""The rows of a ledger: sessions as bytes, a checksum for each row, what is wrong with one."""

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

import msgspec
import numpy as np

from riverboat.arena._session import PlayedHand, SessionResult
from riverboat.arena._times import TimeTally
from riverboat.errors import ArenaError

__all__ = ["checksum", "decode_session", "encode_session"]

_ARRAYS = ("hands", "chips", "corrected", "wins", "seats", "ends")
_NO_SESSION: Final = (
    *(zlib.error, msgspec.MsgspecError, LookupError, TypeError, ValueError),
    *(AttributeError, OverflowError, RecursionError),
)
_LONGEST_SESSION: Final = 1 << 32  # bytes: 10^6 deals of 10 bots, with their hands


def checksum(values: Iterable[object]) -> str:
    """Return a checksum of a row: of numbers, texts and bytes, in their order.

    Examples
    --------
    >>> checksum([1, "fish", None]) == checksum([1, "fish", None]) != checksum([1, "fish", ""])
    True
    """
    return hashlib.blake2b(msgspec.msgpack.encode(list(values)), digest_size=16).hexdigest()


def encode_session(result: SessionResult) -> bytes:
    """Write a session as compressed msgpack."""
    values = {name: _pack(getattr(result, name)) for name in _ARRAYS} | {
        "session": result.session,
        "learns": result.learns,
        "run_outs": result.run_outs,
        "times": [[t.decisions, t.seconds, t.longest, _pack(t.counts)] for t in result.times],
        "errors": result.errors,
        "said": result.said,
        "records": [asdict(record) for record in result.records],
    }
    return zlib.compress(msgspec.msgpack.encode(values), 1)


def decode_session(data: bytes) -> SessionResult:
    """Read a session.

    Raises
    ------
    ArenaError
        If the bytes are none.
    """
    try:
        return _decoded(zlib.decompressobj().decompress(data, _LONGEST_SESSION))
    except _NO_SESSION as error:
        raise ArenaError(f"a session in the ledger is damaged: {error}") from error


def _decoded(packed: bytes) -> SessionResult:
    values: dict[str, Any] = msgspec.msgpack.decode(packed)
    return SessionResult(
        session=values["session"],
        learns=tuple(values["learns"]),
        run_outs=values["run_outs"],
        times=tuple(TimeTally(n, s, most, _unpack(c)) for n, s, most, c in values["times"]),
        errors=tuple(Counter(errors) for errors in values["errors"]),
        said=tuple(values["said"]),
        records=msgspec.convert(values["records"], tuple[PlayedHand, ...]),
        **{name: _unpack(values[name]) for name in _ARRAYS},
    )


def _pack(array: np.ndarray[Any, Any]) -> list[Any]:
    return [array.dtype.str, list(array.shape), array.tobytes()]


def _unpack(packed: list[Any]) -> np.ndarray[Any, Any]:
    return np.frombuffer(packed[2], np.dtype(packed[0])).reshape(packed[1])
