"""Round robins, leaderboards, freeze-outs, sweeps and fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from arena.table_bots import AllIn, Fish, Folder
from riverboat.arena import (
    Match,
    MatchSettings,
    PlayedHand,
    Sweep,
    TournamentResult,
    pairings,
    parse_grid,
    play_match,
    play_matches,
    plot_cross_table,
    plot_match,
    plot_sweeps,
)
from riverboat.errors import ArenaError
from riverboat.reproductions import husky_game
from riverboat.statistics import fit_power_law

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from riverboat.arena import BotMaker
    from riverboat.game import View


def tournament() -> TournamentResult:
    bots = [Fish, AllIn, Folder]
    first = MatchSettings((Fish, AllIn), hands=400, seed=8)
    matches = [Match(settings) for settings in pairings(bots, first)]
    list(play_matches(matches, workers=1))
    return TournamentResult.of(["fish", "all-in", "folder"], matches)


def test_cross_table_and_leaderboard(tmp_path: Path) -> None:
    result = tournament()
    table = result.cross_table()
    means = [[None if cell is None else cell.mean for cell in row] for row in table]
    assert means[0][0] is None
    assert means[1][2] == 1.5  # half a blind and a whole one
    assert means[2][1] == -1.5
    assert means[0][1] == means[1][0] == 0
    board = result.leaderboard()
    assert board[-1].bot == "folder"
    assert (board[-1].beats, board[-1].loses_to) == (0, 2)
    assert min(line.beats for line in board[:2]) == 1
    plot_cross_table(result, tmp_path / "table.svg")
    # Beside the outlines of a text, the file has its words.
    assert "nolimit-100bb, 1,200 hands, seed 8" in (tmp_path / "table.svg").read_text()
    assert result.summary()["matches"][1]["bots"][0]["bot"] == "Fish"


def test_every_pair_has_cards_of_its_own() -> None:
    matches = pairings(["a", "b", "c"], MatchSettings(("a", "b"), hands=10, seed=1))
    assert [match.bots for match in matches] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len({match.seed for match in matches}) == 3
    for bots in (["a"], ["a", "a"]):
        with pytest.raises(ArenaError, match="different bots"):
            pairings(bots, matches[0])


class SmallWins(Fish):
    """Wins the blinds of four deals in five, and in the fifth loses its stack, going all-in."""

    def act(self, view: View) -> str:
        """Go all-in with two cards that are likely to lose, fold nothing else."""
        weak = max(card // 4 for card in view.hole) < 9
        if weak and view.legal.raise_to is not None:
            return f"b{view.legal.raise_to[1]}"
        return "k" if view.legal.check else "c" if weak else "f"


def test_who_loses_to_everybody_is_last() -> None:
    """Ranked by money: many won deals do not help a bot that loses more chips."""
    names = ["small wins", "folder", "fish"]
    settings = MatchSettings((SmallWins, Folder), hands=400, seed=2)
    matches = [Match(pair) for pair in pairings([SmallWins, Folder, Fish], settings)]
    list(play_matches(matches, workers=1))
    board = TournamentResult.of(names, matches).leaderboard()
    means = [line.mbb_per_hand.mean for line in board]
    assert means == sorted(means, reverse=True)
    for line in board:
        bot = names.index(line.bot)
        signs = [
            cell.sign
            for other in range(3)
            if (cell := TournamentResult.of(names, matches).cell(bot, other)) is not None
        ]
        assert (line.beats, line.loses_to) == (signs.count(1), signs.count(-1))
    assert sum(line.beats for line in board) == sum(line.loses_to for line in board) >= 1


def test_games_are_won_by_who_has_the_chips(tmp_path: Path) -> None:
    result = play_match([AllIn, Folder], husky_game(), games=40, rounds=500, seed=1)
    assert result.games_won(0).mean == 1  # the folder bleeds to death
    low, high = result.games_won(0).interval
    assert 0.8 < low < high == 1  # 20 duplicate games prove no more than Wilson's 84 %
    assert result.unit_chips[:, 0].tolist() == [200] * 20  # 100 chips in both games of a pair
    assert 40 * 13 <= result.hands < 40 * 50  # 7.5 chips a hand, until a blind is all-in
    plot_match(result, tmp_path / "match.svg")
    assert (tmp_path / "match.svg").stat().st_size > 1000


def test_players_without_chips_are_out() -> None:
    result = play_match([AllIn, AllIn, AllIn, Folder], husky_game(4), games=40, seed=1)
    shares = [result.games_won(bot).mean for bot in range(4)]
    assert sum(shares) == pytest.approx(1)
    assert result.unit_chips.sum() == 0
    assert {len(hand.bots) for hand in _recorded(4)} == {2, 3, 4}


def _recorded(players: int) -> list[PlayedHand]:
    bots = [AllIn] * (players - 1) + [Folder]
    return list(play_match(bots, husky_game(players), games=8, seed=1, record=True).records())


def test_husky_protocol_ends_after_ten_rounds() -> None:
    result = play_match([Fish, Fish], husky_game(), games=20, rounds=10, seed=1)
    assert result.hands == 20 * 10
    assert result.games_won(0).interval == (0.5, 0.5)  # duplicate games


class SometimesAllIn(Fish):
    """All-in with some part of the deals, else gives up."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def act(self, view: View) -> str:
        """Choose."""
        bold = view.hole[0] < 52 * self.share
        return AllIn().act(view) if bold else Folder().act(view)


def make_sometimes(parameters: Mapping[str, float]) -> BotMaker:
    if parameters["share"] > 1:
        raise ArenaError("a share is 1 at most")
    return lambda seed: SometimesAllIn(parameters["share"])  # noqa: ARG005 - it needs none


def test_a_sweep_finds_the_best_point(tmp_path: Path) -> None:
    grid = {"share": parse_grid("share=0:1.5:0.5")[1]}
    sweep = Sweep(make_sometimes, grid, MatchSettings((Fish, Folder), hands=400, seed=1))
    matches = sweep.matches()
    list(play_matches([match for match in matches if isinstance(match, Match)], workers=1))
    points = sweep.points(matches)
    assert [point.parameters["share"] for point in points] == [0, 0.5, 1, 1.5]
    assert points[3].refused == "a share is 1 at most"
    assert points.best.parameters == {"share": 1}
    assert [point.parameters["share"] for point in points.as_good_as_best] == [1]
    plot_sweeps({"": points}, "mbb/h", tmp_path / "sweep.png")
    with pytest.raises(ArenaError, match="cannot write a plot"):
        plot_sweeps({"": points}, "mbb/h", tmp_path / "sweep.doc")


def test_grids_are_read() -> None:
    assert parse_grid("low=0:1:0.1")[1] == tuple(round(i / 10, 10) for i in range(11))
    for bad in (
        "low",
        "low=",
        "low=a:b:c",
        "low=0:1:0",
        "=1",
        "low=nan",
        "low=1:0:0.1",
        "l=0:1:1e-9",
    ):
        with pytest.raises(ArenaError):
            parse_grid(bad)


def test_the_fit_covers_the_exponent() -> None:
    generator = np.random.default_rng(2)
    x = np.arange(1, 10)
    inside = 0
    for _ in range(300):
        y = 0.65 * x**-0.25 * np.exp(generator.normal(0, 0.05, len(x)))
        low, high = fit_power_law(list(x), list(y)).exponent_interval
        inside += low <= -0.25 <= high
    assert inside / 300 > 0.95 - 4 * 0.0126
    with pytest.raises(ArenaError, match="positive"):
        fit_power_law([1, 2], [1, -1])
