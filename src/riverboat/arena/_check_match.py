"""Checking a match that was dealt from a secret: deal it again, play the recorded moves, compare.

What is checked: the secret is the one that was promised before the first card; the hands that the
ledger recorded are those that follow from it; the chips of every session follow from the hands, and
the figures of the result from the sessions.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from riverboat.arena._chair import Chair
from riverboat.arena._ledger import Entry, Ledger, SavedSessions
from riverboat.arena._match import Match
from riverboat.arena._secret import Dealt, Secret, read_result
from riverboat.arena._session import HandLog, PlayedHand, SessionResult, Table, sum_hands
from riverboat.arena._settings import MatchSettings
from riverboat.errors import ArenaError, RiverboatError
from riverboat.game import GameSpec, Hand, View

__all__ = ["Check", "MatchCheck", "check_file", "check_result", "verify_match"]

_SQLITE: Final = b"SQLite format 3"
_CLOCK: Final = frozenset(
    ("seconds", "hands_per_second", "seconds_mean", "seconds_99", "seconds_max")
)
_NOT_COMPARED: Final = _CLOCK | {"secrets", "played_with", "curve"}
_SETTINGS: Final = (
    *("hands", "games", "rounds", "seed", "duplicate", "session"),
    *("time_limit", "memory_limit", "correct", "record"),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked."""

    check: str
    """`commitment`, `cards`, `sessions` or `result`."""
    passed: bool
    text: str


@dataclass(frozen=True, slots=True)
class MatchCheck:
    """What came of checking a match."""

    match: int | None
    """Its number in the ledger; None of a result alone."""
    checks: tuple[Check, ...]
    hands: int = 0
    """Hands that were dealt and played again."""

    @property
    def passed(self) -> bool:
        """Whether all is as it should be."""
        return all(check.passed for check in self.checks)

    def as_values(self) -> dict[str, Any]:
        """Return it for JSON."""
        checks = [msgspec.to_builtins(check) for check in self.checks]
        return {"match": self.match, "passed": self.passed, "hands": self.hands, "checks": checks}


def verify_match(ledger: Ledger, match: int) -> MatchCheck:
    """Deal a match of the ledger again from its secrets, and compare.

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
    if not entry.secrets:
        raise ArenaError(
            f"match {match} was dealt from its seed, {entry.seed}, and not from a secret: the same "
            "match with the same seed checks it"
        )
    if entry.result is None:
        raise ArenaError(f"match {match} is not finished: its secret may not be known yet")
    saved = ledger.saved(match)
    used = [run for n, run in enumerate(entry.secrets) if n in saved.runs.values()]
    checks = [*_commitments(used or entry.secrets), *_sound(saved)]
    hands = 0
    try:
        settings = _settings_of(entry)
        for session, played in saved.sessions.items():
            run = entry.secrets[saved.runs[session]]
            if run.kept:
                checks += _replayed(_with(settings, run), played)
                hands += len(played.records)
        checks.append(_figures(settings, saved.sessions, entry.result))
    except (KeyError, TypeError, ValueError, IndexError) as error:  # a forged row, well summed
        checks.append(Check("result", False, f"the ledger's row makes no sense: {error}"))
    return MatchCheck(match, _in_short(checks), hands)


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
    wrong = [name for name, parts in sums if not all(_same(parts[0], each) for each in parts)]
    text = f"chips do not add up: {', '.join(wrong)}" if wrong else "chips add up"
    return MatchCheck(None, (*_commitments(runs), Check("result", not wrong, text)))


def _parts(bot: Mapping[str, Any]) -> tuple[float, ...]:
    """A bot's chips, as all parts of its result say them."""
    by_seat = sum(float(row["chips"]) for row in bot["by_seat"])
    by_end = sum(float(row["chips"]) for row in bot["by_end"])
    shown = float(bot["showdown_chips"]) + float(bot["non_showdown_chips"])
    return float(bot["chips"]), by_seat, by_end, shown


def _commitments(runs: Iterable[Dealt]) -> Iterator[Check]:
    for run in runs:
        if run.secret is None:
            text = "its secret was lost when a run was killed: its sessions cannot be checked"
        elif run.kept:
            text = "the secret is the one that was promised"
        else:
            text = "the secret is not the one that was promised"
        yield Check("commitment", run.kept, f"{run.commitment}: {text}")


def _sound(saved: SavedSessions) -> Iterator[Check]:
    for session, reason in saved.damaged.items():
        yield Check("sessions", False, f"session {session} is damaged: {reason}")


def _settings_of(entry: Entry) -> MatchSettings:
    """Make the settings of a match again."""
    values = entry.settings
    return MatchSettings(
        bots=tuple(values["bots"]),
        game=msgspec.convert(values["game"], GameSpec),
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
    yield _same_hands(place, tuple(log.hands), played.records)
    yield _same_sums(place, sum_hands(settings, log, len(seeds)) | {"wins": wins}, played)


def _same_hands(
    place: str, dealt: tuple[PlayedHand, ...], recorded: tuple[PlayedHand, ...]
) -> Check:
    pairs = zip(dealt, recorded, strict=False)
    wrong = next((i for i, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
    if wrong is None and len(dealt) != len(recorded):
        wrong = min(len(dealt), len(recorded))
    text = f"{place}: hand {wrong} was not dealt from the secret"
    return Check("cards", wrong is None, place if wrong is None else text)


def _same_sums(place: str, sums: Mapping[str, Any], played: SessionResult) -> Check:
    names = ("hands", "chips", "corrected", "wins", "seats", "ends")
    wrong = [name for name in names if not _close(sums[name], getattr(played, name))]
    text = f"{place}: its hands do not give its {', '.join(wrong)}"
    return Check("sessions", not wrong, text if wrong else place)


def _close(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9))


def _figures(
    settings: MatchSettings, sessions: Mapping[int, SessionResult], result: Mapping[str, Any]
) -> Check:
    """Compare the result with what the sessions give, and whether the match was over with them."""
    match = Match(settings, until_sure=result["sure"] is not None)
    for _, session in sorted(sessions.items()):
        match.add(session)
    if not match.over or len(match.sessions) != len(sessions):
        return Check("result", False, "sessions of the match are missing, or too many")
    today = json.loads(json.dumps(match.result().summary()))
    both = ((today.keys() & result.keys()) | {"hands", "bots"}) - _NOT_COMPARED
    wrong = sorted(name for name in both if not _same(today[name], result[name]))
    text = f"the sessions do not give its {', '.join(wrong)}"
    return Check("result", not wrong, text if wrong else "the figures follow from the sessions")


def _same(one: Any, other: Any) -> bool:
    """Whether two values of JSON agree, but for clocks, rounding and keys that one lacks."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_same(one[k], other[k]) for k in (one.keys() & other.keys()) - _NOT_COMPARED)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return (
            one is not None
            and other is not None
            and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
        )
    return bool(one == other)


def _in_short(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Put the sessions that passed a check into one line."""
    kept, counts = [], {"cards": 0, "sessions": 0}
    words = {"cards": "dealt from the secret", "sessions": "summed up from their hands"}
    for check in checks:
        if check.passed and check.check in counts:
            counts[check.check] += 1
        else:
            kept.append(check)
    kept += [
        Check(name, True, f"{count:,} sessions {words[name]}")
        for name, count in counts.items()
        if count
    ]
    return tuple(kept)
