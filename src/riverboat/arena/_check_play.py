"""Checking a person's session that was dealt from a secret, as a match is checked."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from riverboat.arena._checks import (
    SUMS,
    Check,
    commitments,
    same_figures,
    same_hands,
    same_sums,
    sound,
)
from riverboat.arena._ledger import Entry, Ledger
from riverboat.arena._person import PersonLog, PersonTable
from riverboat.arena._result import MatchResult
from riverboat.arena._secret import Dealt, Secret
from riverboat.arena._session import PlayedHand
from riverboat.errors import ArenaError, RiverboatError
from riverboat.game import GameSpec, Hand

__all__ = ["check_play"]

_PLACE = "the session"


def check_play(
    ledger: Ledger, entry: Entry, result: Mapping[str, Any]
) -> Iterator[tuple[Check, int]]:
    """Check a person's session; yield what was checked, and hands that it took."""
    saved = ledger.saved(entry.id)
    for check in (*commitments(entry.secrets), *sound(saved)):
        yield check, 0
    [dealt] = entry.secrets
    if not dealt.kept:
        return
    recorded = saved.sessions.get(0)
    if recorded is None or not recorded.records:
        yield Check("cards", False, f"{_PLACE} has no hands"), 0
        return
    try:
        again = _replayed(entry, dealt, recorded.records)
    except ArenaError as error:
        yield Check("cards", False, f"{_PLACE}: {error}"), 0
        return
    [session] = again.sessions
    yield same_hands(_PLACE, session.records, recorded.records), len(recorded.records)
    sums = {name: getattr(session, name) for name in SUMS}
    yield same_sums(_PLACE, sums, recorded), 0
    yield same_figures(json.loads(json.dumps(again.summary())), result), 0


def _replayed(entry: Entry, dealt: Dealt, records: tuple[PlayedHand, ...]) -> MatchResult:
    """Deal the hands of a session again and make their recorded moves."""
    spec = msgspec.convert(entry.settings["rules"], GameSpec)
    secret = Secret.from_hex(dealt.secret or "")
    table = PersonTable(spec, entry.seed, secret, carry=bool(entry.settings["carry"]))
    log = PersonLog(spec, entry.bots, entry.seed)
    for number, record in enumerate(records):
        seed, chairs, stacks, _ = table.deal()
        hand = Hand(spec, seed=seed, stacks=stacks)
        try:
            hand.play(record.line)
            log.add(hand, chairs, seed)
        except RiverboatError as error:
            raise ArenaError(f"hand {number} is not as dealt: {error}") from error
        table.settle(hand)
    return log.result(seconds=1.0)
