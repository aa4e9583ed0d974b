"""Times of hands: names of months and zones, and US Eastern time.

The American rules of 1987 and 2007 are built in, because not every system has a database of time
zones. A text without a zone is read as UTC; a zone that is not known here gives no time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: Hours from UTC of the zones that sites write, besides US Eastern time.
_HOURS = {
    "": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1,
    "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "ICT": 7, "EST": -5, "EDT": -4, "CST": -6,
    "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "BRT": -3, "BRST": -2,
}  # fmt: skip


def time_of(parts: dict[str, str | None], zone: str = "") -> datetime | None:
    """Return the time in UTC of year `y`, month `mo`, day `d`, `h`, `mi`, `s` and `zone`, as text.

    >>> time_of({"y": "2012", "mo": "Jul", "d": "1", "h": "12", "mi": "0", "zone": "CEST"}).hour
    10
    """
    try:
        month = str(parts["mo"])
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        hour = int(parts["h"] or 0)
        half = (parts.get("half") or "").upper()
        if half:
            hour = hour % 12 + (12 if half == "PM" else 0)
        local = datetime(
            int(parts["y"] or 0), number, int(parts["d"] or 0), hour,
            int(parts["mi"] or 0), int(parts.get("s") or 0),
        )  # fmt: skip
        name = parts.get("zone") or zone
        if name == "ET":
            return from_eastern(local)
        if parts.get("offset"):
            hours = int(str(parts["offset"])[:3])
        elif name in _HOURS:
            hours = _HOURS[name]
        else:
            return None
        return (local - timedelta(hours=hours)).replace(tzinfo=UTC)
    except (KeyError, ValueError, OverflowError):
        return None


_STANDARD = timedelta(hours=-5)
_SUMMER = timedelta(hours=-4)


def _sunday(year: int, month: int, count: int) -> datetime:
    """Return 2 o'clock on the count-th Sunday of a month."""
    first = datetime(year, month, 1, 2)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (count - 1))


def _summer(year: int) -> tuple[datetime, datetime]:
    """Return begin and end of summer time, in the local time before each change."""
    if year >= 2007:
        return _sunday(year, 3, 2), _sunday(year, 11, 1)
    return _sunday(year, 4, 1), _sunday(year, 11, 1) - timedelta(days=7)


def from_eastern(local: datetime) -> datetime:
    """Return the time in UTC; the repeated hour in autumn counts as summer time.

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
