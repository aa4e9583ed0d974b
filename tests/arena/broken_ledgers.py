"""Ledgers to be damaged, and everything that one tells."""

import itertools
import json
import random
from pathlib import Path
from typing import Any

from riverboat.arena import DealSeed, Ledger, Match, MatchSettings, play_match, play_matches
from riverboat.errors import ArenaError

STOPPED = MatchSettings(("random", "checkcall"), "leduc", hands=80, seed=3, session=10)


def write_ledger(path: Path) -> None:
    """Write a ledger with a finished match, one from a secret, and one that was stopped."""
    ledger = Ledger(path)
    play_match(["random", "checkcall"], "leduc", hands=40, seed=1, ledger=ledger)
    secret = DealSeed(bytes(32))
    play_match(["random", "fold"], "leduc", hands=40, session=10, deal_seed=secret, ledger=ledger)
    reports = play_matches([Match(STOPPED, ledger=ledger)], workers=1)
    assert len(list(itertools.islice(reports, 3))) == 3
    reports.close()


def read_all(path: Path) -> dict[str, Any]:
    """Return everything that a ledger tells, of sound rows."""
    ledger = Ledger(path)
    told: dict[str, Any] = {}
    for entry in ledger.entries():
        if not entry.damage:
            told[f"match {entry.id}"] = json.dumps([entry.settings, entry.result, entry.hands])
            for number, session in ledger.sessions(entry.id).items():
                told[f"session {entry.id} {number}"] = session.chips.tolist()
    list(ledger.damage())
    Match(STOPPED, ledger=ledger, resume=True)
    return told


def flip_bits(path: Path, times: int, seed: int) -> tuple[int, int]:
    """Damage a ledger in ever new ways; return how often it was refused, and how often in part.

    Anything but a sentence, and any wrong figure, is an error.
    """
    sound, truth = path.read_bytes(), read_all(path)
    draw = random.Random(seed)
    refused = in_part = 0
    for _ in range(times):
        bad = bytearray(sound)
        for _ in range(draw.choice((1, 4, 64))):
            bad[draw.randrange(len(bad))] ^= 1 << draw.randrange(8)
        path.write_bytes(bad)
        try:
            told = read_all(path)
        except ArenaError:
            refused += 1
            continue
        assert all(truth.get(name) == value for name, value in told.items())
        in_part += told != truth
    return refused, in_part
