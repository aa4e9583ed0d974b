"""Commands of the arena: invalid settings are refused before play, with a clear message."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cli.typed import riverboat
from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.cli._app import make_app
from riverboat.cli._sweep import SweepOptions, _run, _without_own_scaling
from riverboat.errors import GameError
from riverboat.files import ledger_path
from riverboat.reproductions import husky_game

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tests out of the user's ledger."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(path))
    return path


def run(*words: str) -> Any:
    return CliRunner().invoke(make_app(), list(words))


def refusal(*words: str) -> str:
    """Run a command that must fail; return its error message."""
    result = run(*words)
    assert result.exit_code != 0, result.output
    return f"{result.exception} {result.output}"


def small(*more: str) -> tuple[str, ...]:
    return ("match", "random", "checkcall", "--game", "leduc", "--workers", "1", *more)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_drawn_seed_is_told(command: str) -> None:
    words = [command, "random", "checkcall", "--game", "leduc", "--hands", "20", "--workers", "1"]
    done = riverboat(*words, "--json")
    told = re.search(r"Random seed (\d+)", done.stderr)
    assert told is not None
    assert int(told[1]) == json.loads(done.stdout)["seed"]


def test_the_ledger_shows_whole_seeds() -> None:
    seed = 2**63 - 1
    assert run(*small("--hands", "20", "--seed", str(seed))).exit_code == 0
    assert str(seed) in run("ledger").stdout


def test_a_bot_that_does_not_play_the_game_is_refused(ledger: Path) -> None:
    assert "plays only hold'em" in refusal("match", "rule-based", "random", "--game", "kuhn")
    assert Ledger(ledger).entries() == []


def test_nothing_is_booked_for_bad_settings(ledger: Path) -> None:
    assert "is not a bot" in refusal("match", "random", "nobody")
    assert "workers=0" in refusal(*small("--workers", "0"))
    assert Ledger(ledger).entries() == []


def test_a_refusal_in_one_of_several_matches(ledger: Path) -> None:
    book = Ledger(ledger)
    matches = [
        Match(MatchSettings(bots, "kuhn", hands=10), ledger=book)
        for bots in (("random", "checkcall"), ("random", "rule-based"))
    ]
    with pytest.raises(GameError, match="hold'em"):
        list(play_matches(matches, 1))
    assert book.entries() == []


def test_outputs_are_checked_before_the_match(ledger: Path, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    for words, sentence in [
        (("--histories", str(missing / "x.phhs")), "folder does not exist"),
        (("--histories", str(tmp_path / "x.phh")), "holds one hand"),
        (("--plot", str(missing / "x.png")), "folder does not exist"),
        (("--plot", str(tmp_path / "x.doc")), "cannot write a plot"),
        (("--plot", str(tmp_path)), "cannot write a plot"),
        (("--format", "phh"), "--histories"),
    ]:
        assert sentence in refusal(*small("--hands", "20", *words))
    assert Ledger(ledger).entries() == []


def test_a_file_that_fails_comes_after_the_result(tmp_path: Path) -> None:
    # Leduc's cards are not those of PokerStars: found only when the hands are written.
    path = tmp_path / "x.txt"
    result = run(*small("--hands", "20", "--seed", "1", "--histories", str(path), "--json"))
    assert result.exit_code != 0
    assert json.loads(result.stdout)["hands"] == 20
    assert "the result is complete" in str(result.exception)
    assert not path.exists()


def test_hands_or_games() -> None:
    assert "not both" in refusal(*small("--hands", "20", "--games", "2"))
    assert "'--games': '0' is not allowed" in refusal(*small("--games", "0"))
    assert "'0' is not allowed" in refusal(*small("--hands", "0"))


def sweep(*more: str, param: str = "low=0.1,0.2") -> tuple[str, ...]:
    words = ("sweep", "shark:samples=20", "--param", param, "--against", "fish", "--seed", "1")
    return (*words, "--protocol", "husky", "--games", "4", "--workers", "1", *more)


def test_settings_of_a_sweep(tmp_path: Path) -> None:
    assert "given twice" in refusal(*sweep("--param", "low=0.3"))
    assert "not both" in refusal(*sweep("--hands", "20"))
    three = ("--param", "high=0.6", "--param", "samples=10", "--plot", str(tmp_path / "x.png"))
    assert "over 3 parameters" in refusal(*sweep(*three))
    assert "'maybe' is not allowed: it must be auto, off or required" in refusal(
        *sweep("--sandbox", "maybe")
    )


def test_a_sweep_confines_as_it_is_told() -> None:
    fixed = {"game": "leduc", "sandbox": "required"}
    options = SweepOptions(fixed, param=["low=0.1"], against="fish")
    planned = _run("shark", {"low": (0.1,)}, options, 1, (20, 0), seed=1)
    assert planned.sweep.settings.sandbox == "required"


def strict(text: str) -> Any:
    """Read JSON that has no Infinity and no NaN."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def test_the_power_law_of_a_sweep(tmp_path: Path) -> None:
    plot = tmp_path / "curves.svg"
    result = run(*sweep("--opponents", "1,2", "--json", "--plot", str(plot)))
    assert result.exit_code == 0, result.output
    values = strict(result.stdout)
    # The bot's own opponents ** -1/4 is switched off.
    assert values["bot"] == "shark:samples=20,exponent=0"
    assert values["power_law"]["exponent_interval_95"] == [None, None]
    assert plot.stat().st_size > 1000


def test_a_sweep_goes_on_where_it_was_stopped() -> None:
    words = sweep("--json")
    whole = strict(run(*words, "--no-ledger").stdout)
    assert not Ledger().entries()
    # Stopped after the first of its two points: that is played and not finished.
    settings = MatchSettings(
        ("shark:samples=20,low=0.1", "fish"), husky_game(), hands=0, games=4, rounds=10, seed=1
    )
    stopped = Match(settings, ledger=Ledger())
    for _ in play_matches([stopped], workers=1):
        pass
    assert strict(run(*words, "--resume").stdout) == whole
    entries = Ledger().entries()
    assert len(entries) == 2
    assert all(entry.finished for entry in entries)
    assert strict(run(*words, "--resume").stdout) == whole  # nothing is left to resume
    assert len(Ledger().entries()) == 2


@pytest.mark.parametrize(
    ("bot", "named"),
    [
        ("shark", "shark:exponent=0"),
        ("shark:exponent=-0.5", "shark:exponent=-0.5"),
        ("killer", "killer"),
    ],
)
def test_the_bots_own_scaling(bot: str, named: str) -> None:
    assert _without_own_scaling(bot, {"low": ()}) == named


def test_a_sweep_without_a_power_law_shows_its_points() -> None:
    values = strict(run(*sweep("--opponents", "1,2", "--json", param="low=0")).stdout)
    assert values["power_law"] is None
    assert "positive numbers" in values["power_law_refused"]
    assert len(values["sweeps"]) == 2
    text = run(*sweep("--opponents", "1,2", param="low=0")).stdout
    assert "low=0 is best: " in text
    assert "no power law" in text


def test_numbers_that_no_ledger_holds() -> None:
    for number in ("0", str(2**63), str(10**30)):
        assert f"no match {number}" in refusal("ledger", number)
    assert "from 0 to 2^63" in refusal("ledger", "--last", str(10**30))


def test_the_place_of_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my.books"
    monkeypatch.setenv("RIVERBOAT_LEDGER", f"{folder}/")
    assert ledger_path() == folder / "ledger.sqlite"
    folder.mkdir()
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(folder))
    assert ledger_path() == folder / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "new"))
    assert ledger_path() == tmp_path / "new" / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "new.db"))
    assert ledger_path() == tmp_path / "new.db"
