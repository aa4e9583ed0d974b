"""US Eastern time, in which PokerStars dates its hands, by the rules of 1987 and 2007."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_STANDARD = timedelta(hours=-5)
_SUMMER = timedelta(hours=-4)


def _sunday(year: int, month: int, count: int) -> datetime:
    """Return 2 o'clock on the count-th Sunday of a month."""
    first = datetime(year, month, 1, 2)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (count - 1))


def _summer(year: int) -> tuple[datetime, datetime]:
    """Return begin and end of summer time, each by the clock that was valid before."""
    if year >= 2007:
        return _sunday(year, 3, 2), _sunday(year, 11, 1)
    return _sunday(year, 4, 1), _sunday(year, 11, 1) - timedelta(days=7)


def from_eastern(local: datetime) -> datetime:
    """Return the time in UTC. The hour that comes twice a year is taken as summer time.

    >>> from_eastern(datetime(2024, 7, 1, 12)).hour, from_eastern(datetime(2024, 1, 1, 12)).hour
    (16, 17)
    """
    begin, end = _summer(local.year)
    offset = _SUMMER if begin <= local < end else _STANDARD
    return (local - offset).replace(tzinfo=UTC)


def to_eastern(utc: datetime) -> datetime:
    """Return the local time, without a zone."""
    plain = utc.replace(tzinfo=None)
    begin, end = _summer(plain.year)
    is_summer = begin - _STANDARD <= plain < end - _SUMMER
    return plain + (_SUMMER if is_summer else _STANDARD)
