"""Matches, tournaments and sessions of the ledger: winnings with intervals, time left."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.arena import Ledger, unit_of
from riverboat.errors import RiverboatError
from riverboat.files import ledger_path
from riverboat.statistics import mean_estimate
from riverboat.web._watch import FRESH, Cell, CrossTable, Watched, newest, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.arena import Entry

_ENTRIES: Final = 400  # a tournament of many bots has many


@dataclass(frozen=True, slots=True)
class _Match:
    """The progress of a match."""

    entry: Entry
    done: int
    """Hands played."""
    won: tuple[dict[str, Any] | None, ...]
    """Winnings of each bot, mbb/hand."""
    age: float

    @property
    def over(self) -> bool:
        return self.entry.finished is not None

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the hands played since the start; None if unknown."""
        left = self.entry.hands - self.done
        began = datetime.fromisoformat(self.entry.started).timestamp()
        if self.over or not self.done or left < 0 or self.age > FRESH:
            return None
        return (time.time() - began) * left / self.done


class LedgerWatch:
    """Reads the ledger repeatedly: a match that grows between two reads is running."""

    def __init__(self) -> None:
        self._grown: dict[int, tuple[int, float]] = {}

    def runs(self) -> Iterator[Watched]:
        """Yield the entries of the ledger, newest first."""
        path = ledger_path()
        if not path.is_file():
            return
        try:
            ledger = Ledger()
            entries = [each for each in ledger.entries(_ENTRIES) if not each.damage]
            changed = newest(path, path.with_name(f"{path.name}-wal"))
            found = [self._match(ledger, each, changed) for each in reversed(entries)]
        except (OSError, RiverboatError):
            return
        for _, part in sorted(_grouped(found).items(), key=lambda each: -each[1][0].entry.id):
            yield _tournament(part) if "tournament" in part[0].entry.settings else _single(part[0])

    def _match(self, ledger: Ledger, entry: Entry, changed: float) -> _Match:
        if entry.finished is not None:
            bots = (entry.result or {}).get("bots", [])
            won = tuple(bot.get("mbb_per_hand") for bot in bots if isinstance(bot, dict))
            return _Match(entry, entry.hands, won, _since(entry.finished))
        sessions = ledger.saved(entry.id).sessions.values()
        done = sum(int(each.hands.sum()) for each in sessions)
        before, at = self._grown.get(entry.id, (-1, 0.0))
        if before < 0:  # the first read: use the time of the ledger file
            at = max(datetime.fromisoformat(entry.started).timestamp(), changed if done else 0.0)
        elif done > before:
            at = time.time()
        self._grown[entry.id] = done, at
        return _Match(entry, done, _won(entry, list(sessions)), max(0.0, time.time() - at))


def _since(text: str) -> float:
    return max(0.0, time.time() - datetime.fromisoformat(text).timestamp())


def _won(entry: Entry, sessions: Sequence[Any]) -> tuple[dict[str, Any] | None, ...]:
    """Return the winnings of each bot so far, mbb/hand."""
    if not sessions or entry.spec is None:
        return (None,) * len(entry.bots)
    hands = np.concatenate([each.hands for each in sessions])
    chips = np.concatenate([each.corrected for each in sessions])[hands > 0]
    blind = unit_of(entry.spec)[0]
    each_hand = chips / hands[hands > 0][:, None]
    return tuple(
        mean_estimate(each_hand[:, bot]).scaled(1000 / blind).as_values()
        for bot in range(each_hand.shape[1])
    )


def _grouped(matches: Sequence[_Match]) -> dict[object, list[_Match]]:
    """Group the matches of each tournament; other matches form groups of one."""
    groups: dict[object, list[_Match]] = {}
    for match in matches:
        entry = match.entry
        seed = entry.settings.get("tournament")
        key = entry.id if seed is None else (seed, entry.game, entry.version, entry.started[:10])
        groups.setdefault(key, []).append(match)
    return groups


def _single(match: _Match) -> Watched:
    entry = match.entry
    facts: dict[str, Any] = {"game": entry.game, "hands": entry.hands, "started": entry.started}
    if not match.over:
        facts |= {"hands_done": match.done, "seconds_left": match.seconds_left}
    facts["bots"] = [
        {"bot": bot, "mbb_per_hand": won} for bot, won in zip(entry.bots, match.won, strict=False)
    ]
    name = " against ".join(entry.bots)
    state = "failed" if entry.problem else state_of(match.over, match.age)
    share = min(1.0, match.done / entry.hands) if entry.hands and not match.over else None
    place = f"ledger:{entry.id}"
    return Watched(
        entry.kind, name, place, state, match.age, facts, problem=entry.problem, share=share
    )


def _tournament(matches: Sequence[_Match]) -> Watched:
    """Return the matches of a tournament as one cross table."""
    bots = list(dict.fromkeys(bot for match in reversed(matches) for bot in match.entry.bots))
    cells: list[list[Cell | None]] = [[None] * len(bots) for _ in bots]
    for match in matches:
        places = [bots.index(bot) for bot in match.entry.bots]
        for own, other, won in zip(places, reversed(places), match.won, strict=False):
            cells[own][other] = _cell(won)
    entry, age = matches[-1].entry, min(match.age for match in matches)
    times = [match.seconds_left for match in matches if match.seconds_left is not None]
    over = sum(match.over for match in matches)
    hands, done = sum(m.entry.hands for m in matches), sum(match.done for match in matches)
    facts = {
        "game": entry.game,
        "matches": f"{over} of {len(matches)}",
        "hands": hands,
        "hands_done": done,
        "seconds_left": max(times, default=None),
        "started": entry.started,
    }
    problem = next((match.entry.problem for match in matches if match.entry.problem), "")
    state = "failed" if problem else state_of(over == len(matches), age)
    name, share = f"tournament of {len(bots)} bots", done / max(1, hands)
    table = CrossTable(bots, cells)
    place = f"ledger:{entry.id}-{matches[0].entry.id}"
    return Watched(
        "tournament", name, place, state, age, facts,
        table=table, problem=problem, share=None if over == len(matches) else share,
    )  # fmt: skip


def _cell(won: dict[str, Any] | None) -> Cell | None:
    if won is None:
        return None
    low, high = won.get("interval_95") or (None, None)
    return Cell(won["mean"], low, high)
