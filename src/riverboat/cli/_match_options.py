"""The options that `riverboat match` and `riverboat tournament` share, written once."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, get_type_hints

from riverboat.arena import Match, MatchSettings
from riverboat.cli._arena_options import (
    DuplicateOption,
    GamesOption,
    HandsOption,
    LedgerOption,
    ResumeOption,
    RoundsOption,
    SeedOption,
    SessionOption,
    SureOption,
    TableGameOption,
    TimeLimitOption,
    WorkersOption,
    chosen_seed,
    hands_or_games,
    opened_ledger,
)

__all__ = ["MatchOptions", "with_match_options"]

_HANDS = 10_000


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How matches are played; each field is an option of the command line."""

    game: TableGameOption = "nolimit-100bb"
    hands: HandsOption = None
    games: GamesOption = None
    rounds: RoundsOption = 1_000
    seed: SeedOption = None
    workers: WorkersOption = None
    session: SessionOption = 0
    duplicate: DuplicateOption = True
    until_sure: SureOption = False
    time_limit: TimeLimitOption = 35.0
    resume: ResumeOption = False
    ledger: LedgerOption = True

    def counts(self) -> tuple[int, int]:
        """Return the numbers of hands and of games, one of which is 0."""
        return hands_or_games(self.hands, self.games, _HANDS)

    def settings(self, bots: Sequence[str], record: bool = False) -> MatchSettings:
        """Return the match of these bots; a seed that was not given is drawn and told.

        Examples
        --------
        >>> MatchOptions(game="leduc", seed=3).settings(["random", "checkcall"]).hands
        10000
        """
        hands, games = self.counts()
        return MatchSettings(
            bots=tuple(bots),
            game=self.game,
            hands=hands,
            games=games,
            rounds=self.rounds,
            seed=chosen_seed(self.seed),
            duplicate=self.duplicate,
            session=self.session,
            time_limit=self.time_limit,
            record=record,
        )

    def matches(self, settings: Sequence[MatchSettings]) -> list[Match]:
        """Return matches that are ready to be played, or resumed, with one ledger for all."""
        ledger = opened_ledger(self.ledger)
        return [
            Match(each, until_sure=self.until_sure, ledger=ledger, resume=self.resume)
            for each in settings
        ]


def with_match_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one option for each field of `MatchOptions`, in place of `options`.

    Typer reads a command's options from its signature; it knows no group of them.
    """
    hints = get_type_hints(MatchOptions, include_extras=True)
    shared = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=hints[field.name],
        )
        for field in fields(MatchOptions)
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        mine = {field.name: given.pop(field.name) for field in fields(MatchOptions)}
        command(options=MatchOptions(**mine), **given)

    own = inspect.signature(command).parameters.values()
    parameters = [new for old in own for new in (shared if old.name == "options" else [old])]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what `signature` returns
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    )
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
