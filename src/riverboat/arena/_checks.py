"""Parts of checking what was dealt from a secret: what was checked, and how two things compare."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.arena._ledger import SavedSessions
from riverboat.arena._secret import Dealt
from riverboat.arena._session import PlayedHand, SessionResult

__all__ = [
    "SUMS",
    "Check",
    "MatchCheck",
    "commitments",
    "in_short",
    "same",
    "same_figures",
    "same_hands",
    "same_sums",
    "sound",
]

#: Fields of a session that follow from its hands.
SUMS: Final = ("hands", "chips", "corrected", "wins", "seats", "ends")
_CLOCK: Final = frozenset(
    ("seconds", "hands_per_second", "seconds_mean", "seconds_99", "seconds_max")
)
_NOT_COMPARED: Final = _CLOCK | {"secrets", "played_with", "curve"}


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


def commitments(runs: Iterable[Dealt]) -> Iterator[Check]:
    """Check that secrets are those that were promised."""
    for run in runs:
        if run.secret is None:
            text = "its secret was lost when a run was killed: its sessions cannot be checked"
        elif run.kept:
            text = "the secret is the one that was promised"
        else:
            text = "the secret is not the one that was promised"
        yield Check("commitment", run.kept, f"{run.commitment}: {text}")


def sound(saved: SavedSessions) -> Iterator[Check]:
    """Tell the sessions that are damaged."""
    for session, reason in saved.damaged.items():
        yield Check("sessions", False, f"session {session} is damaged: {reason}")


def same_hands(
    place: str, dealt: tuple[PlayedHand, ...], recorded: tuple[PlayedHand, ...]
) -> Check:
    """Compare hands that were dealt again with those recorded."""
    pairs = zip(dealt, recorded, strict=False)
    wrong = next((i for i, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
    if wrong is None and len(dealt) != len(recorded):
        wrong = min(len(dealt), len(recorded))
    text = f"{place}: hand {wrong} was not dealt from the secret"
    return Check("cards", wrong is None, place if wrong is None else text)


def same_sums(place: str, sums: Mapping[str, Any], played: SessionResult) -> Check:
    """Compare the sums of hands that were played again with those of a session."""
    wrong = [name for name in SUMS if not _close(sums[name], getattr(played, name))]
    text = f"{place}: its hands do not give its {', '.join(wrong)}"
    return Check("sessions", not wrong, text if wrong else place)


def _close(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9))


def same_figures(today: Mapping[str, Any], result: Mapping[str, Any]) -> Check:
    """Compare a result, as JSON has it, with what its sessions give today."""
    both = ((today.keys() & result.keys()) | {"hands", "bots"}) - _NOT_COMPARED
    wrong = sorted(name for name in both if not same(today[name], result[name]))
    text = f"the sessions do not give its {', '.join(wrong)}"
    return Check("result", not wrong, text if wrong else "the figures follow from the sessions")


def same(one: Any, other: Any) -> bool:
    """Whether two values of JSON agree, but for clocks, rounding and keys that one lacks."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one[k], other[k]) for k in (one.keys() & other.keys()) - _NOT_COMPARED)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return (
            one is not None
            and other is not None
            and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
        )
    return bool(one == other)


def in_short(checks: Iterable[Check]) -> tuple[Check, ...]:
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
