"""The worked example of docs/extend.md, installed and used: by name, in workers, from files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plugins.installed import EXAMPLE, install_example
from riverboat.arena import play_match
from riverboat.blueprint import Blueprint
from riverboat.bots import all_bots, bot_faults, check_bot, make_bot
from riverboat.buckets import (
    KINDS,
    CardAbstraction,
    bucket_tables,
    kind_faults,
    make_abstraction,
)
from riverboat.cards import HOLES, board_cards
from riverboat.errors import GameError, SolveError
from riverboat.evaluate import compare
from riverboat.game import Hand, catalogue, game_names
from riverboat.plain import rule_faults, solver_maker
from riverboat.training import load_recipe, train


@pytest.fixture(autouse=True)
def _example(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package into a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    install_example(folder)
    monkeypatch.syspath_prepend(folder)
    for name in [name for name in sys.modules if name.startswith("riverboat_example")]:
        monkeypatch.delitem(sys.modules, name)


def test_everything_is_found_by_name() -> None:
    assert {"match-maker", "moody"} <= {kind.name for kind in all_bots()}
    assert "matches" in KINDS
    assert "kuhn-five" in game_names()
    assert solver_maker("hedge") is not None
    assert bot_faults() == kind_faults() == rule_faults() == ()


def test_its_bots_keep_to_the_rules() -> None:
    for name in ("match-maker", "moody"):
        checks = check_bot(name, hands=2, games=[("nolimit-100bb", 2), ("kuhn-five", 2)])
        assert [check.outcome for check in checks] == ["passed", "passed"]
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    assert make_bot("moody:temper=1", seed=3).act(view) == "b20"
    assert make_bot("moody:temper=0", seed=3).act(view) == "c"
    with pytest.raises(
        GameError, match=r"temper=2\.0 is not allowed: it must be a number from 0 to 1"
    ):
        make_bot("moody:temper=2", seed=3)


def test_workers_find_its_bots_and_games() -> None:
    alone, together = (
        play_match(
            ["match-maker", "moody"], "kuhn-five", hands=200, session=50, seed=1, workers=workers
        )
        for workers in (1, 2)
    )
    assert alone.mbb_per_hand() == together.mbb_per_hand()


def test_its_game_is_solved(tmp_path: Path) -> None:
    recipe = load_recipe(
        {
            "game": "kuhn-five",
            "menu": "min",
            "scheme": "full cfr+ linear",
            "threads": 1,
            "budget": {"iterations": 2000},
        }
    )
    *_, last = train(recipe, tmp_path / "five", plot=False)
    assert last.event == "finished"
    assert last.measured is not None
    assert last.measured.exact
    assert last.measured.exploitability < 0.001  # of an ante: uniform play loses most of one
    assert Blueprint.open(tmp_path / "five.blueprint").tree.spec == catalogue("kuhn-five")


def test_its_rule_is_compared_by_name() -> None:
    names = ["dcfr", "hedge", "external hedge"]
    dcfr, hedge, sampled = compare("kuhn-five", names, iterations=200, marks=1).curves
    assert dcfr.points[-1].exploitability < hedge.points[-1].exploitability < 0.05
    assert sampled.points[-1].nodes < hedge.points[-1].nodes
    with pytest.raises(SolveError, match="there is no scheme 'hegde'"):
        compare("kuhn-five", "hegde", iterations=1)


def test_its_buckets_are_the_same_from_the_table_and_on_the_fly() -> None:
    cards = make_abstraction("matches 2")
    assert cards.num_buckets == (5, 5)
    assert [cards.street_bucket(*hand) for hand in (("AhKd", "Ac7h2s"), ("7c7d", "7h2s3d"))] == [
        1,
        4,
    ]
    flops = bucket_tables(cards).tables[1]
    draw = np.random.default_rng(1)
    for board, hole in zip(draw.integers(1755, size=50), draw.integers(1326, size=50), strict=True):
        held, table = HOLES[hole].tolist(), board_cards(3)[board].tolist()
        if not set(held) & set(table):
            assert flops[board, hole] == cards.street_bucket(held, table)
    again = CardAbstraction.restore(*cards.save())
    assert again.street_bucket("AhKd", "AcKh2s") == 2


def test_another_process_lists_it() -> None:
    path = next(each for each in sys.path if (Path(each) / "riverboat_example").is_dir())
    words = [sys.executable, "-c", "from riverboat.cli import main; main()", "bots", "moody"]
    done = subprocess.run(
        words, env={"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert "probability of a raise" in done.stdout


def test_the_page_shows_the_files_as_they_are() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "extend.md").read_text(encoding="utf-8")
    for name in ("pyproject.toml", "bots.py", "games.py", "rules.py"):
        path = EXAMPLE / name if name.endswith("toml") else EXAMPLE / "src/riverboat_example" / name
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("[project.entry", "class ", "MOODY", "def ")):
                assert line in page
