"""Hand histories: one record type, exact readers and writers of five formats, readers of sites.

>>> from riverboat.game import Hand, catalogue
>>> from riverboat.histories import from_text, record_of, to_text
>>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
>>> hand.play("b25c/kk/kb30f")
>>> record = record_of(hand, names=["Ada", "Bob"])
>>> from_text(to_text(record, "phh"), "phh").hand().payoffs() == hand.payoffs()
True
"""

from riverboat.histories._database import Added, HandDatabase, QueryResult
from riverboat.histories._reading import (
    FORMATS,
    SITES,
    ReadResult,
    Refused,
    format_of_path,
    from_text,
    read,
    to_text,
    write,
)
from riverboat.histories._record import HandRecord, record_of

__all__ = [
    "FORMATS",
    "SITES",
    "Added",
    "HandDatabase",
    "HandRecord",
    "QueryResult",
    "ReadResult",
    "Refused",
    "format_of_path",
    "from_text",
    "read",
    "record_of",
    "to_text",
    "write",
]
