"""The hands of a match as hand histories."""

import re
from pathlib import Path

from riverboat.arena import MatchResult, fewer_seats
from riverboat.game import Hand
from riverboat.histories import HandRecord, record_of, write

__all__ = ["match_records", "write_histories"]


def match_records(result: MatchResult) -> list[HandRecord]:
    """Play the recorded hands of a match again and return them as records."""
    settings = result.settings
    names = _plain_names(settings.names)
    records = []
    for number, played in enumerate(result.records(), start=1):
        spec = fewer_seats(settings.spec, len(played.bots))
        hand = Hand(spec, seed=played.seed, stacks=played.stacks)
        hand.play(played.line)
        seated = tuple(names[chair] for chair in played.bots)
        records.append(record_of(hand, names=seated, hand_id=str(number)))
    return records


def _plain_names(names: tuple[str, ...]) -> list[str]:
    """Return names that every format can carry."""
    plain = [re.sub(r"[^A-Za-z0-9.=-]+", "_", name).strip("_") for name in names]
    return plain if len(set(plain)) == len(plain) else [f"{p}_{i}" for i, p in enumerate(plain, 1)]


def write_histories(result: MatchResult, path: Path, name: str | None) -> int:
    """Write the hands of a match; return how many."""
    records = match_records(result)
    write(records, path, name)
    return len(records)
