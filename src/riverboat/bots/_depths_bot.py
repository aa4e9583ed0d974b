"""The bot that plays each stack depth from the strategy files that were trained nearest to it.

Between the depths of two files, if they are not too far apart, each hand is played from one of
them, drawn at the start of the hand. The probability of a file is linear in the logarithm of the
depth: 1 at its own depth, 0 at the other file's. So a line is never continued by a file that did
not begin it, and the strategy of all hands follows by Bayes' rule.
"""

from __future__ import annotations

import logging
import math
import random
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np

from riverboat.bots._all_hands import HandStrategies, merged_rows
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.game import Hand, line_prefixes
from riverboat.runs import warn_once
from riverboat.translation import kind_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.bots._blueprint_bot import BlueprintBot
    from riverboat.buckets import ProgressCall
    from riverboat.game import Action, GameSpec, View

_log: Final = logging.getLogger("riverboat.bots")
#: A file that would play fewer hands than this is left out.
_LEAST_SHARE: Final = 0.1
#: Hands are drawn from two files only if their depths differ by no more than this factor.
_APART: Final = 3.0
#: A stack is far from the depth of the only file that plays it if they differ by more than this.
_NEAR: Final = 1.25
_HEADS_UP: Final = 2


class FileShare(NamedTuple):
    """A strategy file, and the share of hands that is played from it."""

    file: Path
    share: float


def depth_of(spec: GameSpec, stacks: Sequence[int]) -> float:
    """Return the shortest stack, in big blinds.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> depth_of(catalogue("nolimit-100bb"), (1000, 750))
    75.0
    """
    return min(stacks) / (spec.big_blind or 1)


def depth_shares(depths: Sequence[float], depth: float) -> dict[float, float]:
    """Return the depths to play from at a depth, with the share of hands of each: one or two.

    Examples
    --------
    >>> depth_shares([20, 50, 100], 50), depth_shares([20, 50, 100], 300)
    ({50: 1.0}, {100: 1.0})
    >>> depth_shares([20, 100], 50)  # too far apart
    {100: 1.0}
    >>> {depth: round(share, 2) for depth, share in depth_shares([20, 50, 100], 25).items()}
    {20: 0.76, 50: 0.24}
    """
    low = max((each for each in depths if each <= depth), default=min(depths))
    high = min((each for each in depths if each >= depth), default=max(depths))
    if low >= high:
        return {low: 1.0}
    share = math.log(depth / low) / math.log(high / low)
    shares = {low: 1 - share, high: share}
    most = max(shares, key=lambda each: shares[each])
    mixed = high / low <= _APART and min(shares.values()) >= _LEAST_SHARE
    return shares if mixed else {most: 1.0}


def files_at(
    files: Sequence[Path], spec: GameSpec, stacks: Sequence[int] | None = None
) -> list[FileShare]:
    """Return the files to play a game from, the nearest depth first; none if no file plays it."""
    by_depth = {
        depth_of(game, game.stacks): file
        for file, game in zip(files, map(_game_in, files), strict=True)
        if not kind_difference(game, spec)
    }
    if not by_depth:
        return []
    shares = depth_shares(list(by_depth), depth_of(spec, stacks or spec.stacks))
    found = [FileShare(by_depth[depth], share) for depth, share in shares.items()]
    return sorted(found, key=lambda each: -each.share)


class DepthsBot:
    """Plays each hand from one of the strategies whose stack depths are next to the table's.

    Parameters
    ----------
    files
        Strategy files, each for another stack depth.
    make
        Makes the bot of a file; files that are not needed are not opened.
    seed
        Seed of the choices between two files.
    """

    def __init__(
        self, files: Sequence[Path], make: Callable[[Path], BlueprintBot], seed: int
    ) -> None:
        if not files:
            raise GameError("a bot for several stack depths needs at least one strategy")
        self.files = tuple(files)
        self._make = make
        self._bots: dict[Path, BlueprintBot] = {}
        self._random = random.Random(f"depths of {seed}")  # noqa: S311 - a game, no secret
        self._draw = self._random.random()
        self._shares: dict[tuple[GameSpec, int], list[FileShare]] = {}

    def at(self, spec: GameSpec, stacks: Sequence[int] | None = None) -> BlueprintBot:
        """Return the bot of the file with the nearest depth."""
        return self._bot(self._files_at(spec, stacks or spec.stacks)[0].file)

    def chosen(self, view: View) -> BlueprintBot:
        """Return the bot that plays this hand."""
        nearest, *others = self._files_at(view.spec, view.starting_stacks)
        other = others and self._draw >= nearest.share
        return self._bot(others[0].file if other else nearest.file)

    @property
    def sources(self) -> tuple[object, ...]:
        """What the bot plays from: the files."""
        return self.files

    def difference(self, spec: GameSpec) -> str:
        """Return why none of the files plays a game; empty if one does."""
        return "" if files_at(self.files, spec) else self._why_not(spec)

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        return self.chosen(view).act(view)

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move by the file that plays this hand."""
        return self.chosen(view).strategy(view)

    def strategies(self, view: View) -> HandStrategies:
        """Return the strategy with every hole pair, averaged over the files that may play."""
        files = self._files_at(view.spec, view.starting_stacks)
        if len(files) == 1:
            return self._bot(files[0].file).strategies(view)
        parts = [self._bot(each.file).strategies(view) for each in files]
        reaches = [each.share * _own_reach(self._bot(each.file), view) for each in files]
        total = sum(reaches, np.zeros(NUM_HOLES))
        reached, scale = total > 0, np.where(total > 0, total, 1.0)
        weights = [
            np.where(reached, reach / scale, each.share)
            for reach, each in zip(reaches, files, strict=True)
        ]
        return merged_rows(list(zip(parts, weights, strict=True)))

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions of the bet menus of all files that may play."""
        menus = [
            self._bot(each.file).menu(view)
            for each in self._files_at(view.spec, view.starting_stacks)
        ]
        return tuple(dict.fromkeys(action for menu in menus for action in menu))

    def build_tables(
        self, progress: ProgressCall | None = None, spec: GameSpec | None = None
    ) -> None:
        """Build the bucket tables of the strategies that play a game, or of all."""
        files = self.files if spec is None else [s.file for s in self._files_at(spec, spec.stacks)]
        for file in files:
            self._bot(file).build_tables(progress)

    def hand_started(self, view: View) -> None:
        """Choose the file of a hand, and start the hand."""
        self._draw = self._random.random()
        self.chosen(view).hand_started(view)

    def hand_over(self, view: View) -> None:
        """End a hand."""
        self.chosen(view).hand_over(view)

    def _why_not(self, spec: GameSpec) -> str:
        """Return why no file plays a game: the difference from the file with the nearest seats."""
        games = [_game_in(file) for file in self.files]
        return kind_difference(min(games, key=lambda game: abs(game.players - spec.players)), spec)

    def _bot(self, file: Path) -> BlueprintBot:
        if file not in self._bots:
            self._bots[file] = self._make(file)
        return self._bots[file]

    def _files_at(self, spec: GameSpec, stacks: Sequence[int]) -> list[FileShare]:
        key = spec, min(stacks)
        found = self._shares.get(key)
        if found is None:
            found = files_at(self.files, spec, stacks)
            if not found:
                why = self._why_not(spec)
                raise GameError(f"this strategy does not play '{spec.name}': {why}")
            self._shares[key] = found
            if len(found) == 1:
                self._warn(found[0].file, spec, depth_of(spec, stacks))
        return found

    def _warn(self, file: Path, spec: GameSpec, depth: float) -> None:
        """Warn once if a stack is far from the depth of the file that plays it."""
        game = _game_in(file)
        played = depth_of(game, game.stacks)
        if played / _NEAR <= depth <= played * _NEAR:
            return
        from riverboat.blueprint import default_name, six_max_name  # noqa: PLC0415 - slow to import

        games = [game for game in map(_game_in, self.files) if not kind_difference(game, spec)]
        listed = ", ".join(f"{each:g}" for each in sorted(depth_of(g, g.stacks) for g in games))
        name = (default_name if spec.players == _HEADS_UP else six_max_name)(max(2, round(depth)))
        warn_once(
            _log,
            f"Stacks of {depth:.3g} big blinds are played by the strategy for {played:g}; there "
            f"are strategies for {listed}. `riverboat train {name}` trains one for these stacks "
            "(with --estimate: how long that takes).",
            about=("stacks outside", played, listed),
        )


def _own_reach(bot: BlueprintBot, view: View) -> NDArray[np.float64]:
    """Return the reach of the seat's own earlier actions by one strategy, [1326]."""
    reach = np.ones(NUM_HOLES)
    hand = Hand(view.spec, stacks=view.starting_stacks)
    for action, _ in line_prefixes(view.line):
        if hand.actor == view.seat:
            board = view.board[: view.spec.board_sizes[hand.street]]
            earlier = msgspec.structs.replace(hand.view(view.seat), board=board)
            reach *= bot.strategies(earlier).column(action)
        hand.do(action)
    return reach


def _game_in(file: Path) -> GameSpec:
    """Return the game of a strategy file."""
    return _game_of(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _game_of(file: Path, changed: int) -> GameSpec:
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - slow to import

    del changed
    return Blueprint.open(file).header.spec
