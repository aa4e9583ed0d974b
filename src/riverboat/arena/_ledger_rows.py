"""The rows of a ledger: sessions as bytes, a checksum for each row, what is wrong with one."""

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

import msgspec
import numpy as np

from riverboat.arena._aivat import AivatSums
from riverboat.arena._session import PlayedHand, SessionResult
from riverboat.arena._settings import MatchSettings
from riverboat.arena._times import TimeTally
from riverboat.errors import ArenaError

_ARRAYS = ("hands", "chips", "corrected", "wins", "seats", "ends")
_NO_SESSION: Final = (
    *(zlib.error, msgspec.MsgspecError, LookupError, TypeError, ValueError),
    *(AttributeError, OverflowError, RecursionError),
)
# What a session can hold: sums of 10^6 deals of 10 bots, which may be all zeros, and hands. These
# have seeds of their own: in sessions of bots that always fold, bytes become eight times as many.
_MOST_SUMS: Final = 10**6 * 8 * (1 + 3 * 10)
_MOST_GROWTH: Final = 100

Packed = tuple[str, tuple[int, ...], bytes]


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
        "aivat": _aivat_row(result.aivat),
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
        most = _MOST_SUMS + _MOST_GROWTH * len(data)
        return _decoded(zlib.decompressobj().decompress(data, most))
    except _NO_SESSION as error:
        raise ArenaError(f"a session in the ledger is damaged: {error}") from error


class _AivatRow(msgspec.Struct):
    """What AIVAT says of a session."""

    value: str
    known: tuple[bool, ...]
    chips: Packed
    left_out: int

    def sums(self) -> AivatSums:
        """Return it as sessions have it."""
        return AivatSums(self.value, self.known, _unpack(self.chips), self.left_out)


class _Row(msgspec.Struct):
    """A session as it is packed; types are checked while it is read, before it takes memory."""

    session: int
    learns: tuple[bool, ...]
    run_outs: int
    times: tuple[tuple[int, float, float, Packed], ...]
    errors: tuple[dict[str, int], ...]
    said: tuple[dict[str, str], ...]
    records: tuple[PlayedHand, ...]
    hands: Packed
    chips: Packed
    corrected: Packed
    wins: Packed
    seats: Packed
    ends: Packed
    aivat: _AivatRow | None = None


def _aivat_row(sums: AivatSums | None) -> _AivatRow | None:
    if sums is None:
        return None
    return _AivatRow(sums.value, sums.known, _pack(sums.chips), sums.left_out)


def _decoded(packed: bytes) -> SessionResult:
    row = msgspec.msgpack.decode(packed, type=_Row)
    return SessionResult(
        session=row.session,
        learns=row.learns,
        run_outs=row.run_outs,
        times=tuple(TimeTally(n, s, most, _unpack(c)) for n, s, most, c in row.times),
        errors=tuple(Counter(errors) for errors in row.errors),
        said=row.said,
        records=row.records,
        aivat=None if row.aivat is None else row.aivat.sums(),
        **{name: _unpack(getattr(row, name)) for name in _ARRAYS},
    )


def misfit(settings: MatchSettings, result: SessionResult) -> str:
    """Return why a session of the ledger is none of a match; nothing if it can be one.

    Checksums find damage. A row that was forged with them must not end in a traceback, nor count
    deals that the match does not have.
    """
    bots = len(settings.bots)
    deals = min(
        settings.session_length, settings.num_deals - result.session * settings.session_length
    )
    by_deal = (deals, bots)
    shapes = {
        "hands": (deals,),
        **dict.fromkeys(("chips", "corrected", "wins"), by_deal),
        "seats": (bots, bots, 3),
        "ends": (len(settings.spec.streets) + 1, bots, 3),
    }
    for name, shape in shapes.items():
        array = getattr(result, name)
        if array.shape != shape or array.dtype.kind not in "if" or not np.isfinite(array).all():
            return f"its {name} are not those of {deals} deals of {bots} bots"
    aivat = result.aivat
    if (aivat is not None) != settings.aivat:
        return "it has what AIVAT says where that was not asked for, or lacks it"
    if aivat is not None and not _sound_aivat(aivat, by_deal):
        return f"its sums of AIVAT are not those of {deals} deals of {bots} bots"
    if any(len(each) != bots for each in (result.learns, result.times, result.errors, result.said)):
        return f"it is not of {bots} bots"
    if any(each.counts.shape != TimeTally().counts.shape for each in result.times):
        return "its times are not counted as they should be"
    return "" if (result.hands > 0).all() else "it has deals without hands"


def _sound_aivat(aivat: AivatSums, shape: tuple[int, int]) -> bool:
    chips = aivat.chips
    whole = chips.shape == shape and chips.dtype.kind == "f" and len(aivat.known) == shape[1]
    return whole and bool(np.isfinite(chips).all())


def _pack(array: np.ndarray[Any, Any]) -> Packed:
    return array.dtype.str, array.shape, array.tobytes()


def _unpack(packed: Packed) -> np.ndarray[Any, Any]:
    return np.frombuffer(packed[2], np.dtype(packed[0])).reshape(packed[1])
