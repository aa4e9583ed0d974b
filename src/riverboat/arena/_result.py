"""The result of a match: winnings with confidence intervals, decision times and failures."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat import __version__
from riverboat.arena._chair import TimeTally
from riverboat.arena._deal_seed import Dealt
from riverboat.arena._session import PlayedHand, SessionResult
from riverboat.arena._settings import MatchSettings
from riverboat.arena._verdict import Verdict, judge_units
from riverboat.cards import BOARD_CARDS, STREETS
from riverboat.game import GameSpec
from riverboat.report import Columns, Framed
from riverboat.statistics import (
    NORMAL_95,
    ConfidenceSequence,
    Estimate,
    estimate_columns,
    moments_estimate,
    ratio_estimate,
)


def unit_of(spec: GameSpec) -> tuple[int, str]:
    """Return the unit of results: chips and name of the big blind, or of the ante without blinds.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> unit_of(catalogue("nolimit-100bb")), unit_of(catalogue("leduc"))
    ((10, 'bb'), (1, 'ante'))
    """
    if spec.big_blind:
        return spec.big_blind, "bb"
    return max(*spec.antes, 1), "ante"


def street_names(spec: GameSpec) -> tuple[str, ...]:
    """Return the names of the streets: `preflop` and so on in hold'em, else numbers."""
    boards = spec.board_sizes
    if boards == BOARD_CARDS[: len(boards)]:
        return STREETS[: len(boards)]
    return tuple(f"street {number}" for number in range(len(boards)))


def chips_at_stake(spec: GameSpec) -> int:
    """Return the largest possible loss of a seat in a hand, in chips.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> chips_at_stake(catalogue("limit")), chips_at_stake(catalogue("nolimit-100bb"))
    (240, 1000)
    """
    most = max(spec.stacks)
    if spec.betting == "fixed-limit" and all(s.max_raises is not None for s in spec.streets):
        raises = sum(s.bet_size * (s.max_raises or 0) for s in spec.streets)
        most = min(most, max(spec.antes) + spec.big_blind + raises)
    return most


@dataclass(frozen=True, slots=True)
class Part:
    """The winnings of a bot in some of the hands, such as those from one seat."""

    hands: int
    chips: float
    per_hand: Estimate
    """Chips a hand, of these hands."""

    def as_values(self, blind: int) -> dict[str, Any]:
        """Return it for JSON, in thousandths of a blind a hand."""
        values = self.per_hand.scaled(1000 / blind).as_values()
        return {"hands": self.hands, "chips": self.chips, **values}


@dataclass(frozen=True)
class MatchResult(Framed):
    """The result of a match, from its sessions in order.

    Bots have the order of `settings.bots`.
    """

    settings: MatchSettings
    sessions: tuple[SessionResult, ...]
    seconds: float = 0.0
    """Elapsed time of the last run."""
    sequence: ConfidenceSequence | None = None
    """Confidence sequence of the first bot's chips per hand, with `until_sure`."""
    hands_before: int = 0
    """Hands of earlier runs of a resumed match; `seconds` does not count them."""
    dealt: tuple[Dealt, ...] = ()
    """The deal seeds of the runs; empty if all hands were dealt from the match's seed."""

    @cached_property
    def learns(self) -> bool:
        """Whether a bot learns; then sessions are the units of all intervals."""
        return any(any(session.learns) for session in self.sessions)

    @cached_property
    def unit_hands(self) -> NDArray[np.int64]:
        """[units] hands of each unit."""
        return np.concatenate([self._units(s.hands[:, None])[:, 0] for s in self.sessions])

    @cached_property
    def unit_chips(self) -> NDArray[np.float64]:
        """[units, bots] chips won in each unit."""
        return np.concatenate([self._units(s.chips) for s in self.sessions])

    @cached_property
    def unit_corrected(self) -> NDArray[np.float64]:
        """[units, bots] chips won, with all-in EV."""
        return np.concatenate([self._units(s.corrected) for s in self.sessions])

    @cached_property
    def unit_aivat(self) -> NDArray[np.float64] | None:
        """[units, bots] chips by AIVAT; None without AIVAT."""
        sums = [session.aivat.chips for session in self.sessions if session.aivat is not None]
        if len(sums) < len(self.sessions):
            return None
        return np.concatenate([self._units(chips) for chips in sums])

    def _units(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of a session, or their sum if the session is the unit."""
        return values.sum(axis=0, keepdims=True) if self.learns else values

    @property
    def hands(self) -> int:
        """Hands played; a deal counts once for each seat rotation."""
        return int(self.unit_hands.sum())

    @property
    def hands_per_second(self) -> float | None:
        """Speed of the last run; None if it played no hand."""
        played = self.hands - self.hands_before
        return played / self.seconds if played and self.seconds else None

    @property
    def unit(self) -> str:
        """Name of the independent unit that the intervals count."""
        if self.learns:
            return "session"
        unit = "game" if self.settings.carried else "deal"
        return f"duplicate {unit}" if self.settings.duplicate else unit

    def chips_per_hand(self, bot: int = 0) -> Estimate:
        """Return a bot's winnings in chips per hand, as played."""
        return ratio_estimate(self.unit_chips[:, bot], self.unit_hands)

    def corrected_per_hand(self, bot: int = 0) -> Estimate:
        """Return a bot's winnings in chips per hand, with all-in EV."""
        return ratio_estimate(self.unit_corrected[:, bot], self.unit_hands)

    def aivat_per_hand(self, bot: int = 0) -> Estimate | None:
        """Return a bot's winnings in chips per hand by AIVAT; None without AIVAT."""
        if self.unit_aivat is None:
            return None
        return ratio_estimate(self.unit_aivat[:, bot], self.unit_hands)

    def aivat_reduction(self, bot: int = 0) -> float | None:
        """Return the factor by which AIVAT reduces the variance."""
        plain, scored = self.chips_per_hand(bot).error, self.aivat_per_hand(bot)
        if scored is None or plain is None or not scored.error:
            return None
        return (plain / scored.error) ** 2

    def best_estimate(self, bot: int = 0) -> Estimate:
        """Return the estimate with the least variance, in chips per hand: by AIVAT or all-in EV."""
        scored = self.aivat_per_hand(bot)
        if scored is not None:
            return scored
        return self.corrected_per_hand(bot) if self.run_outs else self.chips_per_hand(bot)

    def mbb_per_hand(self, bot: int = 0, *, corrected: bool = False) -> Estimate:
        """Return a bot's winnings in mbb/hand (or thousandths of an ante).

        Examples
        --------
        >>> from riverboat.arena import play_match
        >>> result = play_match(["checkcall", "checkcall"], hands=100, seed=1)
        >>> result.mbb_per_hand().interval  # duplicate deals: exactly equal
        (0.0, 0.0)
        """
        chips = self.corrected_per_hand(bot) if corrected else self.chips_per_hand(bot)
        return chips.scaled(1000 / unit_of(self.settings.spec)[0])

    def games_won(self, bot: int = 0) -> Estimate:
        """Return the share of freeze-outs that a bot won; ties are shared."""
        wins, sizes = self._unit_wins
        value = ratio_estimate(wins[:, bot], sizes)
        return Estimate(value.mean, value.error, value.units, "share")

    @cached_property
    def _unit_wins(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """[units, bots] freeze-outs won, and [units] freeze-outs."""
        games = [np.full((len(s.wins), 1), self.settings.rotations) for s in self.sessions]
        sizes = np.concatenate([self._units(numbers)[:, 0] for numbers in games])
        return np.concatenate([self._units(s.wins) for s in self.sessions]), sizes

    def verdict(self) -> Verdict | None:
        """Return the winner by AIVAT or else by all-in EV; with carried stacks by games won.

        With `until_sure` the verdict is None for freeze-outs and for more than two bots: only
        `sequence`, about the first bot's chips, is valid then.

        Examples
        --------
        >>> from riverboat.arena import play_match
        >>> verdict = play_match(["random", "checkcall"], "leduc", hands=40, seed=1).verdict()
        >>> verdict.decided, verdict.tells, verdict.needed
        (False, 100, 1900)
        """
        settings, names = self.settings, self.settings.names
        if self.sequence is not None and (settings.carried or len(names) > 2):
            return None
        if settings.carried:
            verdict = judge_units(names, *self._unit_wins)
            won = self.games_won(names.index(verdict.leader))
            return replace(verdict, won=won, interval=won.interval, tells=None, needed=None)
        chips = self.unit_corrected if self.run_outs else self.unit_chips
        if self.unit_aivat is not None and self.sequence is None:
            chips = self.unit_aivat
        factor = 1000 / unit_of(settings.spec)[0]
        verdict = judge_units(names, chips, self.unit_hands, factor)
        if self.sequence is None:
            return verdict
        # The match looked after every session: only a confidence sequence is valid then.
        low, high = (bound * factor for bound in self.sequence.interval)
        interval = (low, high) if verdict.leader == names[0] else (-high, -low)
        return replace(verdict, interval=interval, decided=interval[0] > 0)

    @cached_property
    def run_outs(self) -> int:
        """Number of hands that were scored by all-in EV."""
        return sum(session.run_outs for session in self.sessions)

    def variance_reduction(self, bot: int = 0) -> float | None:
        """Return the factor by which all-in EV reduces the variance."""
        plain = self.chips_per_hand(bot).error
        corrected = self.corrected_per_hand(bot).error
        if not self.run_outs or plain is None or not corrected:
            return None
        return (plain / corrected) ** 2

    def times(self, bot: int) -> TimeTally:
        """Return the times of a bot's decisions."""
        return sum((session.times[bot] for session in self.sessions), TimeTally())

    def errors(self, bot: int) -> dict[str, int]:
        """Return the number of a bot's failures by kind."""
        return dict(sum((session.errors[bot] for session in self.sessions), Counter[str]()))

    def said(self, bot: int) -> dict[str, str]:
        """Return an example of each kind of failure."""
        return {k: v for session in reversed(self.sessions) for k, v in session.said[bot].items()}

    def by_seat(self, bot: int) -> list[Part]:
        """Return chips per hand by seat, the small blind first."""
        return self._by_row([session.seats[bot] for session in self.sessions])

    def by_end(self, bot: int) -> dict[str, Part]:
        """Return chips per hand by how hands ended: by a fold on each street, or at showdown."""
        rows = self._by_row([session.ends[:, bot] for session in self.sessions])
        return dict(zip((*street_names(self.settings.spec), "showdown"), rows, strict=True))

    def _by_row(self, tables: Sequence[NDArray[np.float64]]) -> list[Part]:
        """Sum each row of (hands, chips, squared chips), [sessions, rows, 3].

        Sessions are the units if hands depend on each other: a bot learns, or stacks are carried.
        """
        dependent = self.learns or self.settings.carried
        parts = []
        for rows in np.stack(tables).transpose(1, 0, 2):
            hands, chips, squares = rows.sum(axis=0).tolist()
            per_hand = (
                ratio_estimate(rows[:, 1], rows[:, 0].astype(np.int64))
                if dependent
                else moments_estimate(hands, chips, squares)
            )
            parts.append(Part(int(hands), chips, per_hand))
        return parts

    def curve(self, bot: int = 0, points: int = 200) -> dict[str, list[float]]:
        """Return cumulative winnings in chips, with the 95 % band of the total at each point."""
        hands, chips = np.cumsum(self.unit_hands), np.cumsum(self.unit_chips[:, bot])
        count = np.arange(1, len(hands) + 1)
        squares = np.cumsum(self.unit_chips[:, bot] ** 2)
        variance = np.maximum(squares - chips**2 / count, 0) / np.maximum(count - 1, 1)
        half = NORMAL_95 * np.sqrt(variance * count)
        chosen = np.unique(np.linspace(0, len(hands) - 1, min(points, len(hands))).astype(int))
        return {
            "hands": hands[chosen].tolist(),
            "chips": chips[chosen].tolist(),
            "low": (chips - half)[chosen].tolist(),
            "high": (chips + half)[chosen].tolist(),
        }

    def records(self) -> Sequence[PlayedHand]:
        """Return the recorded hands."""
        return [hand for session in self.sessions for hand in session.records]

    def frame_columns(self) -> Columns:
        """Return a row for each bot: chips, and mbb/hand with its 95 % interval."""
        bots = range(len(self.settings.bots))
        values = {
            "bot": self.settings.names,
            "hands": [self.hands for _ in bots],
            "chips": [float(self.unit_chips[:, bot].sum()) for bot in bots],
            **estimate_columns("mbb_per_hand", [self.mbb_per_hand(bot) for bot in bots]),
            "errors": [sum(self.errors(bot).values()) for bot in bots],
        }
        if self.run_outs:
            scored = [self.mbb_per_hand(bot, corrected=True) for bot in bots]
            values |= estimate_columns("corrected_mbb_per_hand", scored)
        return values

    def summary(self) -> dict[str, Any]:
        """Return all figures for JSON; docs/json.md explains the keys."""
        settings, spec = self.settings, self.settings.spec
        return {
            "game": spec.name,
            "seed": settings.seed,
            "hands": self.hands,
            "units": len(self.unit_hands),
            "unit": self.unit,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
            "all_in_hands": self.run_outs,
            "blind": unit_of(spec)[1],
            "bots": [self._bot_values(bot) for bot in range(len(settings.bots))],
            "sure": None if self.sequence is None else self._sure_values(self.sequence),
            "deal_seeds": [run.as_values() for run in self.dealt],
            "played_with": __version__,
            **self._aivat_values(),
        }

    def _aivat_values(self) -> dict[str, Any]:
        """Return the AIVAT result of the first bot; empty without AIVAT."""
        scored, sums = self.aivat_per_hand(), self.sessions[0].aivat
        if scored is None or sums is None:
            return {}
        pairs = zip(self.settings.names, sums.known, strict=True)
        values = {
            "value": sums.value,
            "known": [name for name, known in pairs if known],
            "mbb_per_hand": scored.scaled(1000 / unit_of(self.settings.spec)[0]).as_values(),
            "variance_reduction": self.aivat_reduction(),
            "left_out": self.aivat_left_out,
        }
        return {"aivat": values}

    @property
    def aivat_left_out(self) -> int:
        """Number of hands that AIVAT counts as played, because a known bot failed in them."""
        return sum(s.aivat.left_out for s in self.sessions if s.aivat is not None)

    def _sure_values(self, sequence: ConfidenceSequence) -> dict[str, Any]:
        return {
            "sign": sequence.sign,
            "chips_per_hand_interval_95": list(sequence.interval),
            "method": "predictable plug-in empirical Bernstein",
        }

    def _bot_values(self, bot: int) -> dict[str, Any]:
        spec, chips = self.settings.spec, self.chips_per_hand(bot)
        blind, times = unit_of(spec)[0], self.times(bot)
        small = spec.small_blind
        ends = self.by_end(bot)
        return {
            "bot": self.settings.names[bot],
            "learns": any(session.learns[bot] for session in self.sessions),
            "chips": float(self.unit_chips[:, bot].sum()),
            "sb_per_hand": chips.scaled(1 / small).as_values() if small else None,
            "bb_per_100": chips.scaled(100 / blind).as_values(),
            "mbb_per_hand": chips.scaled(1000 / blind).as_values(),
            "corrected_mbb_per_hand": self.mbb_per_hand(bot, corrected=True).as_values()
            if self.run_outs
            else None,
            "variance_reduction": self.variance_reduction(bot),
            "games_won": self.games_won(bot).as_values() if self.settings.carried else None,
            "by_seat": [
                {"seat": seat, **part.as_values(blind)}
                for seat, part in enumerate(self.by_seat(bot))
            ],
            "by_end": [{"end": name, **part.as_values(blind)} for name, part in ends.items()],
            "showdown_chips": ends["showdown"].chips,
            "non_showdown_chips": sum(part.chips for part in ends.values())
            - ends["showdown"].chips,
            "decisions": times.decisions,
            "seconds_mean": times.mean,
            "seconds_99": times.percentile(0.99),
            "seconds_max": times.longest,
            "errors": self.errors(bot),
            "error_examples": self.said(bot),
        }
