"""Shared by the commands that play matches: options, progress bar, tables, files.

A match may take hours. Therefore file names are checked before it begins, and the result is
printed before files are written.
"""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import msgspec

from riverboat.arena import (
    MOST_HANDS,
    BotMaker,
    DealSeed,
    Ledger,
    Match,
    MatchSettings,
    build_tables,
    check_plot_path,
    is_outside,
    missing_tables,
    play_matches,
    strategy_files,
)
from riverboat.bots import BotRef, prints_file
from riverboat.cli._command import fields_of, option
from riverboat.cli._options import (
    DealSeedOption,
    LedgerOption,
    OnOption,
    ResumeOption,
    SeedOption,
    WorkersOption,
    check_on,
    opened,
)
from riverboat.cli._output import check_place, status
from riverboat.cli._progress import abstraction_bar, bar, counted
from riverboat.errors import ArenaError, HistoryError
from riverboat.histories import format_of_path
from riverboat.runs import ended_as_interrupted
from riverboat.sandbox import Mode, missing, protections

_HANDS = 10_000

HandsOption = Annotated[
    int | None,
    option("Number of hands, all seat orders counted.", "--hands", "-n", least=1, most=MOST_HANDS),
]
GamesOption = Annotated[
    int | None,
    option(
        "Number of freeze-outs (stacks carry over) instead of --hands.", least=1, most=MOST_HANDS
    ),
]


class MatchOptions(msgspec.Struct, frozen=True):
    """How matches are played."""

    fixed: Annotated[
        dict[str, Any],
        fields_of(
            MatchSettings,
            *("game", "rounds", "session", "duplicate", "time_limit", "keep_going", "sandbox"),
        ),
    ]
    hands: HandsOption = None
    games: GamesOption = None
    seed: SeedOption = None
    deal_seed: DealSeedOption = None
    workers: WorkersOption = None
    on: OnOption = "local"
    until_sure: Annotated[bool, option("Stop when the difference is significant (95 %).")] = False
    resume: ResumeOption = False
    ledger: LedgerOption = True

    def settings(self, bots: Sequence[str], **more: Any) -> MatchSettings:
        """Return the settings of a match of these bots; a missing seed is drawn.

        Examples
        --------
        >>> MatchOptions({"game": "leduc"}, seed=3).settings(["random", "checkcall"]).hands
        10000
        """
        hands, games = hands_or_games(self.hands, self.games)
        return MatchSettings(
            bots=tuple(bots),
            hands=hands,
            games=games,
            seed=chosen_seed(self.seed),
            deal_seed=read_deal_seed(self.deal_seed),
            **self.fixed,
            **more,
        )

    def matches(self, settings: Sequence[MatchSettings]) -> list[Match]:
        """Return the matches, ready to play or resume, with one ledger for all."""
        for bot in {bot for one in settings for bot in one.bots if isinstance(bot, str)}:
            if not (ref := BotRef.parse(bot)).untrusted:
                _ = ref.kind  # an unknown one is refused before the ledger is opened
        ledger = Ledger() if self.ledger else None
        return [
            Match(one, until_sure=self.until_sure, ledger=ledger, resume=self.resume)
            for one in settings
        ]


def chosen_seed(seed: int | None) -> int:
    """Return the given seed, or draw one."""
    return secrets.randbits(31) if seed is None else seed


def print_seed(seed: int, given: int | None) -> None:
    """Print a drawn seed, which --resume needs; called once nothing can be refused any more."""
    if given is None:
        status.print(f"Random seed {seed} (drawn).")


def read_deal_seed(path: Path | None) -> DealSeed | None:
    """Return the deal seed of a file, if one was named."""
    return None if path is None else DealSeed.read(path)


def warn_of_sandbox(bots: Iterable[BotMaker], sandbox: Mode) -> None:
    """Warn of missing protections if a bot from a file plays with the sandbox `auto`.

    With `off` the user wants no protection; with `required` a missing one is an error elsewhere.
    """
    if sandbox == "auto" and any(map(is_outside, bots)) and (lacks := missing(protections())):
        status.print(
            f"Warning: the sandbox for bots from files is incomplete; missing: {lacks}",
            soft_wrap=True,
        )


def _report_damaged(matches: Iterable[Match]) -> None:
    """Report damaged sessions, which are played again."""
    for match in matches:
        if match.damaged:
            status.print(
                f"Replaying {len(match.damaged):,} damaged sessions of match {match.number}."
            )


def hands_or_games(hands: int | None, games: int | None) -> tuple[int, int]:
    """Return the numbers of hands and of games, one of which is 0."""
    if games is None:
        return hands or _HANDS, 0
    if hands is not None:
        raise ArenaError("give --hands or --games, not both: --games counts freeze-outs, not hands")
    return 0, games


def run_matches(
    matches: Sequence[Match], workers: int | None, seed: int, given: int | None, on: str = "local"
) -> None:
    """Play matches with a progress bar on standard error.

    `seed` is the seed in use, `given` the one that was typed (None if it was drawn); `on` is the
    place where the matches are played.
    """
    check_on(on)
    total = sum(match.settings.num_deals for match in matches)
    _build_tables(matches)
    _report_damaged(matches)
    left = [match.settings for match in matches if not match.over]
    if left:
        warn_of_sandbox([bot for settings in left for bot in settings.bots], left[0].sandbox)
    try:
        with (
            ended_as_interrupted(),
            opened(on),
            bar() as shown,
            closing(play_matches(matches, workers, lambda: print_seed(seed, given))) as reports,
        ):
            task = shown.add_task("playing", total=total, completed=_done(matches))
            for report in reports:
                names = " v ".join(report.match.settings.names)
                shown.update(task, completed=_done(matches), description=names[:22])
            shown.update(task, completed=total, description="played")
    except KeyboardInterrupt:
        if any(match.ledger is not None for match in matches):
            status.print(f"Stopped. To continue, add --resume --seed {seed} to the same command.")
        raise
    finally:
        name_outputs(bot for match in matches for bot in match.settings.bots)


def name_outputs(bots: Iterable[BotMaker]) -> None:
    """Name the files with the output of bots from files, each once."""
    for bot in dict.fromkeys(bots):
        if not isinstance(bot, str) or not BotRef.parse(bot).untrusted:
            continue
        path = prints_file(bot)
        if path.is_file() and path.stat().st_size:
            status.print(f"Output of {bot}: {path}", soft_wrap=True)


def _build_tables(matches: Sequence[Match]) -> None:
    """Build the card buckets that long matches need, with a progress bar."""
    missing = missing_tables(match.settings for match in matches)
    for file in missing:
        status.print(f"Building the card buckets of {file.name}: about 20 seconds, only this time.")
    with abstraction_bar() as progress:
        build_tables(missing, progress)
    for match in matches:
        if match.settings.aivat and not match.over:
            _build_values(match.settings)


def _build_values(settings: MatchSettings) -> None:
    """Build the table of AIVAT values if it is missing, with a progress bar."""
    from riverboat.evaluate import aivat_value, missing_aivat_table  # noqa: PLC0415 - most matches need none

    files = strategy_files(settings.bots, settings.spec)
    if (file := missing_aivat_table(settings.spec, files)) is None:
        return
    status.print(f"Computing AIVAT values of {file.name}: a minute or two, only this time.")
    with counted("boards") as walked:
        aivat_value(settings.spec, files, walked)


def _done(matches: Sequence[Match]) -> int:
    """Number of deals that are played; all deals of a match that is over."""
    return sum(m.settings.num_deals if m.over else m.done for m in matches)


def check_plot(path: Path | None) -> None:
    """Refuse a plot file that cannot be written."""
    if path is not None:
        check_plot_path(path)
        check_place(path)


def check_histories(path: Path | None, name: str | None, hands: int) -> None:
    """Refuse a hand history file that cannot be written.

    `name` is the format, if it is given; `hands` is the number of hands, or 2 if it is not known
    to be 1.
    """
    if path is None:
        if name is not None:
            raise ArenaError("--format needs --histories FILE")
        return
    chosen = format_of_path(path, name)
    if chosen == "phh" and path.suffix.lower() == ".phh" and hands != 1:
        raise HistoryError(f"{path.name!r}: a .phh file holds one hand; name a .phhs file for many")
    check_place(path)
