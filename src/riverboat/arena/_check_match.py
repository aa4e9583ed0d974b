"""Checking a match that was dealt from a secret: deal it again, play the recorded moves, compare.

What is checked: the secret is the one that was promised before the first card; the hands that the
ledger recorded are those that follow from it; the chips of every session follow from the hands, and
the figures of the result from the sessions.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec.structs import replace

from riverboat.arena._chair import Chair
from riverboat.arena._check_play import check_play
from riverboat.arena._checks import (
    Check,
    MatchCheck,
    commitments,
    in_short,
    same,
    same_figures,
    same_hands,
    same_sums,
    sound,
)
from riverboat.arena._ledger import Entry, Ledger
from riverboat.arena._match import Match
from riverboat.arena._secret import Dealt, Secret, read_result
from riverboat.arena._session import HandLog, PlayedHand, SessionResult, Table, sum_hands
from riverboat.arena._settings import MatchSettings
from riverboat.errors import ArenaError, RiverboatError
from riverboat.game import GameSpec, Hand, View

__all__ = ["check_file", "check_result", "verify_match"]

_SQLITE: Final = b"SQLite format 3"
_SETTINGS: Final = (
    *("hands", "games", "rounds", "seed", "duplicate", "session"),
    *("time_limit", "memory_limit", "correct", "record"),
)


def verify_match(ledger: Ledger, match: int) -> MatchCheck:
    """Deal a match, or a person's session, of the ledger again from its secrets, and compare.

    Raises
    ------
    ArenaError
        If it is not finished, or was dealt from its seed: then playing it again checks it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from riverboat.arena import play_match
    >>> ledger = Ledger(Path(tempfile.mkdtemp()) / "ledger.sqlite")
    >>> _ = play_match(["random", "fish"], hands=20, secret=Secret.draw(), ledger=ledger)
    >>> check = verify_match(ledger, 1)
    >>> check.passed, check.hands
    (True, 20)
    """
    entry = ledger.entry(match)
    if not entry.secrets and "secret" in entry.settings:
        raise ArenaError(f"the hands of match {match} were not kept: its secret deals them again")
    if not entry.secrets:
        raise ArenaError(
            f"match {match} was dealt from its seed, {entry.seed}, and not from a secret: the same "
            "match with the same seed checks it"
        )
    if entry.result is None:
        raise ArenaError(f"match {match} is not finished: its secret may not be known yet")
    check = check_play if entry.kind == "play" else _check_match
    checks: list[Check] = []
    hands = 0
    try:
        for each, played in check(ledger, entry, entry.result):
            checks.append(each)
            hands += played
    except (KeyError, TypeError, ValueError, IndexError) as error:  # a forged row, well summed
        checks.append(Check("result", False, f"the ledger's row makes no sense: {error}"))
    return MatchCheck(match, in_short(checks), hands)


def _check_match(
    ledger: Ledger, entry: Entry, result: Mapping[str, Any]
) -> Iterator[tuple[Check, int]]:
    """Check the sessions of a match; yield what was checked, and hands that it took."""
    settings = _settings_of(entry)
    saved = ledger.saved(entry.id, settings)
    used = [run for n, run in enumerate(entry.secrets) if n in saved.runs.values()]
    for check in (*commitments(used or entry.secrets), *sound(saved)):
        yield check, 0
    for session, played in saved.sessions.items():
        run = entry.secrets[saved.runs[session]]
        if run.kept:
            cards, *sums = _replayed(_with(settings, run), played)
            yield cards, len(played.records)
            yield from ((each, 0) for each in sums)
    yield _figures(settings, saved.sessions, result), 0


def check_file(path: Path, match: int | None = None) -> MatchCheck:
    """Check a file: a match of a ledger (the last that can be checked), or a JSON result."""
    with path.open("rb") as file:
        if file.read(len(_SQLITE)) != _SQLITE:
            return check_result(read_result(path))
    ledger = Ledger(path)
    if match is None:
        found = [each.id for each in ledger.entries() if each.secrets and each.finished]
        if not found:
            raise ArenaError(f"{str(path)!r} has no finished match that was dealt from a secret")
        match = found[-1]
    return verify_match(ledger, match)


def check_result(values: Mapping[str, Any]) -> MatchCheck:
    """Check what a result says without its hands: the commitments, and that its parts add up.

    Parameters
    ----------
    values
        As `riverboat match --json` prints them.

    Raises
    ------
    ArenaError
        If it is no result of a match that was dealt from a secret.
    """
    try:
        runs = [Dealt(str(run["commitment"]), run["secret"]) for run in values["secrets"]]
        bots = [(str(bot["bot"]), bot) for bot in values["bots"]]
        sums = [(name, _parts(bot)) for name, bot in bots]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArenaError(
            "this is not the result of a match, as `match --json` prints it"
        ) from error
    if not runs:
        raise ArenaError("this match was dealt from its seed: the same seed checks it")
    wrong = [name for name, parts in sums if not all(same(parts[0], each) for each in parts)]
    text = f"chips do not add up: {', '.join(wrong)}" if wrong else "chips add up"
    return MatchCheck(None, (*commitments(runs), Check("result", not wrong, text)))


def _parts(bot: Mapping[str, Any]) -> tuple[float, ...]:
    """A bot's chips, as all parts of its result say them."""
    by_seat = sum(float(row["chips"]) for row in bot["by_seat"])
    by_end = sum(float(row["chips"]) for row in bot["by_end"])
    shown = float(bot["showdown_chips"]) + float(bot["non_showdown_chips"])
    return float(bot["chips"]), by_seat, by_end, shown


def _settings_of(entry: Entry) -> MatchSettings:
    """Make the settings of a match again."""
    values = entry.settings
    return MatchSettings(
        bots=tuple(values["bots"]),
        game=msgspec.convert(values["game"], GameSpec),
        aivat="aivat" in values,
        **{name: values[name] for name in _SETTINGS},
    )


def _with(settings: MatchSettings, run: Dealt) -> MatchSettings:
    return replace(settings, secret=Secret.from_hex(run.secret or ""))


class _Nobody:
    """Sits there while recorded moves are made."""

    def act(self, view: View) -> str:  # noqa: ARG002 - it is never asked
        raise ArenaError("nobody decides when recorded hands are played again")


class _Replay(Table):
    """A table at which recorded moves are made."""

    def __init__(
        self,
        settings: MatchSettings,
        log: HandLog,
        place: tuple[int, int],
        records: Iterator[PlayedHand],
    ) -> None:
        super().__init__(settings, [Chair(_Nobody(), 1.0) for _ in settings.bots], log, *place)
        self._records = records

    def _play(self, hand: Hand, chairs: list[Chair]) -> None:  # noqa: ARG002 - moves are known
        hand.play(next(self._records).line)


def _replayed(settings: MatchSettings, played: SessionResult) -> Iterator[Check]:
    """Deal a session again, make its recorded moves, and compare hands and sums."""
    log, records = HandLog(), iter(played.records)
    seeds = settings.deal_seeds(played.session)
    wins = np.zeros((len(seeds), len(settings.bots)))
    place = f"session {played.session}"
    try:
        for rotation in range(settings.rotations):
            first = played.session * settings.session_length
            table = _Replay(settings, log, (first, rotation), records)
            for deal, seed in enumerate(seeds):
                if settings.carried:
                    wins[deal] += table.play_game(deal, seed)
                else:
                    table.play_deal(deal, seed)
    except (RiverboatError, StopIteration) as error:
        reason = str(error) or "hands are missing"
        yield Check("cards", False, f"{place}: hand {len(log.deals)} is not as dealt: {reason}")
        return
    yield same_hands(place, tuple(log.hands), played.records)
    yield same_sums(place, sum_hands(settings, log, len(seeds)) | {"wins": wins}, played)


def _figures(
    settings: MatchSettings, sessions: Mapping[int, SessionResult], result: Mapping[str, Any]
) -> Check:
    """Compare the result with what the sessions give, and whether the match was over with them."""
    match = Match(settings, until_sure=result["sure"] is not None)
    for _, session in sorted(sessions.items()):
        match.add(session)
    if not match.over or len(match.sessions) != len(sessions):
        return Check("result", False, "sessions of the match are missing, or too many")
    return same_figures(json.loads(json.dumps(match.result().summary())), result)
