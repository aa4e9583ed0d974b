"""What the commands of the arena share: matches from options, a bar over them, their files.

A match may take hours. A wrong file name is told before it, and a disk that fails afterwards does
not hide the result.
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
    int | None, option("Hands, seat rotations counted.", "--hands", "-n", least=1, most=MOST_HANDS)
]
GamesOption = Annotated[
    int | None,
    option("Instead of --hands: freeze-outs, stacks carried on.", least=1, most=MOST_HANDS),
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
    until_sure: Annotated[bool, option("Stop when the sign of the result is sure (95 %).")] = False
    resume: ResumeOption = False
    ledger: LedgerOption = True

    def settings(self, bots: Sequence[str], **more: Any) -> MatchSettings:
        """Return the match of these bots; a seed that was not given is drawn.

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
        """Return matches that are ready to be played, or resumed, with one ledger for all."""
        ledger = Ledger() if self.ledger else None
        return [
            Match(each, until_sure=self.until_sure, ledger=ledger, resume=self.resume)
            for each in settings
        ]


def chosen_seed(seed: int | None) -> int:
    """Return the seed that was given, or one nobody chose."""
    return secrets.randbits(31) if seed is None else seed


def tell_seed(seed: int, given: int | None) -> None:
    """Tell a seed that nobody chose, to resume by; before play, but not of what is refused."""
    if given is None:
        status.print(f"Random seed {seed} (drawn).")


def read_deal_seed(path: Path | None) -> DealSeed | None:
    """Return the deal seed of a file, if one was named."""
    return None if path is None else DealSeed.read(path)


def tell_lacks(bots: Iterable[BotMaker], sandbox: Mode) -> None:
    """Say what does not protect this system from bots of files, if one sits; `off` was asked for.

    With `required` a bot is refused where something is missing.
    """
    if sandbox == "auto" and any(map(is_outside, bots)) and (lacks := missing(protections())):
        status.print(f"Bots of files are not fully confined; missing: {lacks}", soft_wrap=True)


def _tell_damaged(matches: Iterable[Match]) -> None:
    """Name sessions that are played again."""
    for match in matches:
        if match.damaged:
            status.print(
                f"{len(match.damaged):,} damaged sessions of match {match.number} are played again."
            )


def hands_or_games(hands: int | None, games: int | None) -> tuple[int, int]:
    """Return the numbers of hands and of games, one of which is 0."""
    if games is None:
        return hands or _HANDS, 0
    if hands is not None:
        raise ArenaError("--hands or --games, not both: games count freeze-outs, not hands")
    return 0, games


def run_matches(
    matches: Sequence[Match], workers: int | None, seed: int, given: int | None, on: str = "local"
) -> None:
    """Play matches with a progress bar on standard error.

    The seed is that of the command; `given` is what was typed of it, None if it was drawn; `on`
    is where they are played.
    """
    check_on(on)
    total = sum(match.settings.num_deals for match in matches)
    _build_tables(matches)
    _tell_damaged(matches)
    left = [match.settings for match in matches if not match.over]
    if left:
        tell_lacks([bot for each in left for bot in each.bots], left[0].sandbox)
    try:
        with (
            ended_as_interrupted(),
            opened(on),
            bar() as shown,
            closing(play_matches(matches, workers, lambda: tell_seed(seed, given))) as reports,
        ):
            task = shown.add_task("playing", total=total, completed=_done(matches))
            for report in reports:
                names = " v ".join(report.match.settings.names)
                shown.update(task, completed=_done(matches), description=names[:22])
            shown.update(task, completed=total, description="played")
    except KeyboardInterrupt:
        if any(match.ledger is not None for match in matches):
            status.print(f"Stopped. The same command with --resume --seed {seed} goes on.")
        raise
    finally:
        tell_prints(bot for match in matches for bot in match.settings.bots)


def tell_prints(bots: Iterable[BotMaker]) -> None:
    """Name the files with what people's own bots printed, each once."""
    for bot in dict.fromkeys(bots):
        if not isinstance(bot, str) or not BotRef.parse(bot).untrusted:
            continue
        path = prints_file(bot)
        if path.is_file() and path.stat().st_size:
            status.print(f"What {bot} printed is in {path}", soft_wrap=True)


def _build_tables(matches: Sequence[Match]) -> None:
    """Build the card buckets that long matches need, with a progress bar."""
    missing = missing_tables(match.settings for match in matches)
    for file in missing:
        status.print(f"Building the card buckets of {file.name}: about 20 seconds, once.")
    with abstraction_bar() as progress:
        build_tables(missing, progress)
    for match in matches:
        if match.settings.aivat and not match.over:
            _build_values(match.settings)


def _build_values(settings: MatchSettings) -> None:
    """Make the table of AIVAT's values if it is missing, with a progress bar."""
    from riverboat.evaluate import aivat_value, missing_aivat_table  # noqa: PLC0415 - most matches need none

    files = strategy_files(settings.bots)
    if (file := missing_aivat_table(settings.spec, files)) is None:
        return
    status.print(f"Valuing {file.name} for AIVAT: a minute or two, once.")
    with counted("boards") as walked:
        aivat_value(settings.spec, files, walked)


def _done(matches: Sequence[Match]) -> int:
    """Deals that are played, or will not be because the match is over."""
    return sum(m.settings.num_deals if m.over else m.done for m in matches)


def check_plot(path: Path | None) -> None:
    """Refuse a picture that could not be written."""
    if path is not None:
        check_plot_path(path)
        check_place(path)


def check_histories(path: Path | None, name: str | None, hands: int) -> None:
    """Refuse a file of hands that could not be written.

    Parameters
    ----------
    path
        The file, if one is wanted.
    name
        The format, if it is named.
    hands
        How many it is to hold, or 2 if only that it may be several is known.
    """
    if path is None:
        if name is not None:
            raise ArenaError("--format is for --histories FILE")
        return
    chosen = format_of_path(path, name)
    if chosen == "phh" and path.suffix.lower() == ".phh" and hands != 1:
        raise HistoryError(f"{path.name!r}: a .phh file holds one hand; .phhs holds many")
    check_place(path)
