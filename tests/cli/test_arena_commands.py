"""Commands of the arena as a user types them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from cli.typed import riverboat
from riverboat.arena import Ledger, MatchSettings, Verdict
from riverboat.cli._app import make_app
from riverboat.cli._match_report import unit_named, verdict_text
from riverboat.cli._output import console
from riverboat.game import catalogue, write_acpc_game
from riverboat.histories import read
from riverboat.statistics import Estimate
from sizes import slowly

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tests out of the user's ledger."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(path))
    return path


def run(*words: str) -> str:
    result = CliRunner().invoke(make_app(), list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*words: str) -> dict[str, Any]:
    values = json.loads(run(*words, "--json"))
    _check_keys(words[0], values)
    return dict(values)


def _check_keys(command: str, values: dict[str, Any]) -> None:
    """Every key is named among the rows of the command."""
    _, _, rest = PAGE.partition(f"| `{command}` |")
    rows = rest.split("\n| `", 1)[0]
    for key, value in values.items():
        if key == "version":
            continue
        assert f"`{key}" in rows, key
        if isinstance(value, list) and value and isinstance(value[0], dict) and key != "matches":
            for part in value[0]:
                assert f".{part}`" in rows or f"`{part}`" in rows, (key, part)


def match(*more: str, hands: int = 200) -> tuple[str, ...]:
    words = ("match", "random", "checkcall", "--hands", str(hands), "--seed", "3")
    return (*words, "--workers", "1", *more)


def test_match(ledger: Path) -> None:
    values = run_json(*match("--game", "limit"))
    assert (values["hands"], values["units"], values["unit"]) == (200, 100, "duplicate deal")
    first, second = values["bots"]
    assert first["chips"] == -second["chips"]
    assert first["showdown_chips"] + first["non_showdown_chips"] == first["chips"]
    assert sum(row["hands"] for row in first["by_end"]) == 200
    low, high = first["mbb_per_hand"]["interval_95"]
    assert low < first["mbb_per_hand"]["mean"] < high
    assert values["ledger"] == 1
    assert Ledger(ledger).entry(1).result is not None


def test_match_for_people() -> None:
    text = run(*match("--until-sure", "--no-ledger", "--details"))
    words = ("200 hands", "seed 3", "mbb/hand", "in the big blind", "showdown", "99 % ms")
    for each in (*words, "are over 100 duplicate deals", "Inconclusive after 200 hands. To"):
        assert each in text
    lines = run(*match("--no-ledger")).rstrip().splitlines()
    assert sum("checkcall" in line for line in lines) == 1  # what one wins the other loses
    assert "99 % ms" not in "\n".join(lines)
    detect = "Inconclusive after 200 hands. To detect a difference of 100 mbb/hand you need about "
    assert lines[-1].startswith(detect)


def test_the_head_of_a_match_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "width", 60)
    words = ("--workers", "1", "--no-ledger", "--seed", str(2**31 - 1))
    head, blank, *_ = run("match", "fold", "fish", "--hands", "10000", *words).splitlines()
    assert head.startswith("nolimit-100bb: 10,000 hands, seed 2147483647, ")
    assert not blank.strip()


def test_a_match_ends_with_its_winner() -> None:
    # It wins the small and the big blind in turn.
    words = ["match", "all-in", "fold", "--hands", "400", "--seed", "3", "--workers", "1"]
    for unit, won in (("mbb", "750 mbb/hand"), ("bb", "75.00 bb/100"), ("chips", "7.50 chips")):
        last = run(*words, "--unit", unit).rstrip().splitlines()[-1]
        assert last.startswith(f"all-in wins: +{won}"), last
    verdict = run_json(*words)["verdict"]
    assert (verdict["winner"], verdict["mean"], verdict["hands_needed"]) == ("all-in", 750, None)
    even = run("match", "checkcall", "fish", "--hands", "40", "--workers", "1")
    assert "Even: exactly equal results after 40 hands." in even
    refused = CliRunner().invoke(make_app(), [*words, "--game", "leduc", "--unit", "sb"])
    assert "--unit must be one of mbb, bb, chips" in str(refused.exception)


def test_a_larger_table_has_a_verdict_too() -> None:
    words = ["match", "all-in", "fold", "fold", "--hands", "600", "--seed", "3", "--workers", "1"]
    text = run(*words, "--details")
    # From each seat in turn it wins 15, 10 or 5 chips: a big blind a hand.
    assert text.rstrip().splitlines()[-1].startswith("all-in wins: +1,000 mbb/hand")
    assert "mbb/hand by seat" in text
    games = ["match", "all-in", "fold", "--games", "40", "--rounds", "3", "--workers", "1"]
    assert "all-in wins: 100.0 % of games" in run(*games)


def test_a_sweep_and_the_ledger_end_with_a_verdict() -> None:
    words = ["--against", "fish", "--hands", "40", "--seed", "2", "--workers", "1"]
    alone = run("sweep", "shark", "--param", "high=0.5", *words).rstrip().splitlines()[-1]
    assert re.fullmatch(r"high=0\.5 is best: \+[\d,]+ mbb/hand \(-?[\d,]+ to [\d,]+\)", alone)
    close = run("sweep", "shark", "--param", "high=0.5,0.51,0.52", *words).rstrip().splitlines()[-1]
    assert re.fullmatch(
        r"Inconclusive: high=0\.5\d? is ahead, but 2 other points may be as good \(95 %\)\.", close
    )
    run("match", "all-in", "fold", "--hands", "400", "--seed", "3", "--workers", "1")
    number = str(run_json("ledger")["matches"][-1]["id"])
    last = run("ledger", number).rstrip().splitlines()[-1]
    assert last.startswith("all-in wins: +750 mbb/hand")
    games = ["match", "all-in", "fold", "--games", "40", "--rounds", "3", "--workers", "1"]
    run(*games)
    assert "all-in wins: 100.0 % of games" in run("ledger", str(int(number) + 1))


def test_an_inconclusive_verdict_names_the_hands_needed() -> None:
    unit = unit_named("mbb", catalogue("nolimit-100bb"))
    detect = "To detect a difference of 100 mbb/hand you need about"
    too_large = "The variance is too large for any practical number of hands."
    for hands, needed, said in (
        (4_000, 31_000, f"Inconclusive after 4,000 hands. {detect} 31,000."),
        (20, 5_200_000, f"Inconclusive after 20 hands. {detect} 5.2 million."),
        (1, 10**9, f"Inconclusive after 1 hand. {too_large}"),
        (1, None, "Inconclusive after 1 hand."),
    ):
        won = Estimate.with_margin(1.0, 2.0)
        tells = None if needed is None else 100
        verdict = Verdict("fish", False, won, won.interval, hands, False, tells, needed)
        assert verdict_text(verdict, unit) == said
    won = Estimate.with_margin(412.0, 59.0)
    you = Verdict("You", True, won, won.interval, 4_000)
    assert verdict_text(you, unit) == "You win: +412 mbb/hand (353 to 471)"


@pytest.mark.parametrize(
    "command",
    [
        "match mine.py fish",
        *slowly("tournament mine.py fish", "sweep shark --param low=0.1 --against mine.py"),
    ],
)
def test_failing_bots_end_all(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = "class Mine:\n    def act(self, view):\n        return print('hm')\n"
    Path("mine.py").write_text(own)
    words = [*command.split(), "--hands", "4", "--seed", "1", "--workers", "1"]
    result = CliRunner().invoke(make_app(), words)
    assert "mine.py failed" in str(result.exception)
    assert result.exit_code != 0
    assert "Output of mine.py: " in result.stderr
    shown = run(*words, "--keep-going")
    assert "illegal" in shown or "sweep" in command


def test_own_games_are_played(tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    table.write_text("[game]\nstacks = [300, 300]\nblinds = [1, 3]\n")
    acpc = tmp_path / "limit.game"
    acpc.write_text(write_acpc_game(catalogue("limit")))
    for file, game in ((table, "mine"), (acpc, "limit")):
        words = ["--game", str(file), "--hands", "8", "--seed", "1", "--workers", "1"]
        assert run_json("match", "random", "fish", *words)["game"] == game
        assert run_json("tournament", "random", "fish", *words)["game"] == game
        sweep = ["sweep", "shark", "--param", "low=0.1", "--against", "fish"]
        assert run_json(*sweep, *words)["game"] == game


@pytest.mark.parametrize("game", ["kuhn", "leduc", "limit", "potlimit", "short-deck", "cardiff"])
def test_match_in_other_games(game: str) -> None:
    values = run_json(*match("--game", game, "--no-ledger", hands=40))
    assert values["hands"] == 40
    assert values["bots"][0]["errors"] == {}


@pytest.mark.parametrize("game", ["kuhn3", "discard-2017", "tossem-2026", "nolimit-200bb"])
def test_match_with_more_seats_and_discards(game: str) -> None:
    seats = {"kuhn3": 3, "nolimit-200bb": 10}.get(game, 2)
    bots = ["random"] * (seats - 1) + ["checkcall"]
    values = run_json("match", *bots, "--game", game, "--hands", "60", "--workers", "1")
    assert len(values["bots"]) == seats
    assert sum(bot["chips"] for bot in values["bots"]) == 0
    assert all(bot["errors"] == {} for bot in values["bots"])


@pytest.mark.parametrize("name", ["phh", "pokerstars", "ohh", "acpc", "lines"])
def test_histories_of_a_match(tmp_path: Path, name: str) -> None:
    path = tmp_path / "hands.txt"
    run(*match("--histories", str(path), "--format", name, hands=20))
    game = "nolimit-100bb" if name == "acpc" else None
    hands = read(path, name, game=game).hands
    assert len(hands) == 20
    total = 0
    for hand in hands:
        payoffs = hand.payoffs()
        assert payoffs is not None
        total += payoffs[hand.names.index("random")]
    assert total == run_json(*match(hands=20))["bots"][0]["chips"]


@pytest.mark.usefixtures("plain_pictures")
def test_tournament(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("class Mine:\n    def act(self, view):\n        return 'zzz'\n")
    plot = tmp_path / "table.png"
    words = ["tournament", "random", "checkcall", str(own), "--hands", "20", "--seed", "1"]
    values = run_json(
        *words, "--no-duplicate", "--workers", "1", "--plot", str(plot), "--keep-going"
    )
    assert values["sb_per_hand"][0][0] is None
    cell, mirror = values["sb_per_hand"][0][1], values["sb_per_hand"][1][0]
    assert cell["mean"] == -mirror["mean"]
    assert {line["bot"] for line in values["leaderboard"]} == {"random", "checkcall", str(own)}
    assert values["matches"][2]["bots"][1]["errors"]["illegal"] > 0
    assert plot.stat().st_size > 1000


def test_tournament_for_people() -> None:
    words = ["tournament", "random", "checkcall", "--hands", "20", "--seed", "1", "--workers", "1"]
    text = run(*words, "--game", "leduc")
    assert text.startswith("20 hands in 1 match, seed 1\n")
    assert "Ranked by mean winnings; beats and loses to: significantly" in text
    assert text.rstrip().splitlines()[-1].startswith("Inconclusive after 20 hands")
    assert "1 (tournament)" in run("ledger")
    entry = Ledger().entries()[-1]
    assert f"seed {entry.seed} (of tournament 1)" in run("ledger", str(entry.id))
    # The pair played alone is the same match, and can be resumed as such.
    alone = MatchSettings(("random", "checkcall"), "leduc", hands=20, seed=entry.seed)
    assert alone.key == msgspec.structs.replace(alone, tournament=1).key == entry.key


def test_a_tournament_has_a_winner() -> None:
    words = ["--hands", "20", "--seed", "1", "--workers", "1"]
    three = run("tournament", "all-in", "checkcall", "fold", *words)
    assert "mbb/hand of each row against each column" in three
    assert run_json("tournament", "all-in", "fold", *words)["verdict"]["winner"] == "all-in"


@pytest.mark.usefixtures("plain_pictures")
def test_games(tmp_path: Path) -> None:
    plot = str(tmp_path / "curve.png")
    words = ["match", "random", "checkcall", "--games", "20", "--rounds", "10", "--seed", "1"]
    values = run_json(*words, "--workers", "1", "--plot", plot)
    shares = [bot["games_won"]["mean"] for bot in values["bots"]]
    assert sum(shares) == pytest.approx(1)
    assert values["unit"] == "duplicate game"


def test_the_ledger_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    run("match", "all-in", "fold", "--hands", "40", "--seed", "3", "--workers", "1")
    monkeypatch.setattr(console, "width", 60)
    lines = run("ledger").splitlines()
    assert any("nolimit-100bb" in line and "all-in v fold" in line for line in lines)
    assert all(len(line) <= 60 for line in lines[:-1])  # the last is a path


def test_the_ledger_is_listed() -> None:
    run(*match(hands=20))
    values = run_json("ledger")
    assert values["matches"][0]["bots"] == ["random", "checkcall"]
    assert values["matches"][0]["result"]["hands"] == 20
    assert "random v" in run("ledger")
    one = run("ledger", "1")
    assert "Match 1: random v checkcall" in one
    assert "mbb/hand (95 %)" in one
    assert "checkcall: " not in one  # it won what random lost


def test_bad_words_become_sentences() -> None:
    for words, sentence in [
        (["match", "random"], "2 to 10 bots"),
        (["match", "random", "nobody"], "is not a bot"),
        (["match", "random", "random", "--game", "chess"], "is not a game"),
        (["match", "random", "random", "--histories", "x.xyz"], "xyz"),
        (["sweep", "random", "--param", "low", "--against", "random"], "is not a grid"),
        (["sweep", "random", "--param", "low=1", "--against", "random"], "random"),
        (["tournament", "random", "random"], "different bots"),
        (["ledger", "99"], "no match 99"),
    ]:
        result = CliRunner().invoke(make_app(), words)
        assert result.exit_code != 0
        assert sentence in str(result.exception) + result.output, words


@pytest.mark.parametrize("workers", ["2", *slowly("1")])
def test_ctrl_c_and_resume(ledger: Path, workers: str) -> None:
    start = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    words = ["match", "random", "random", "--hands", "1000000", "--seed", "1"]
    with subprocess.Popen(
        [*start, *words, "--workers", workers, "--session", "50", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not _sessions(ledger) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        shown, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume --seed 1 " in said
    so_far = json.loads(shown)
    assert so_far["stopped"]
    assert 0 < so_far["hands"] < 1_000_000
    assert "Traceback" not in said
    assert _sessions(ledger) > 0
    assert _ends(process.pid)


def _ends(group: int) -> bool:
    """Whether no process of a group is left; the dead may wait a little to be collected."""
    for _ in range(400):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def _sessions(path: Path) -> int:
    if not path.exists():
        return 0
    ledger = Ledger(path)
    return len(ledger.sessions(1)) if ledger.entries() else 0


@pytest.mark.parametrize(
    "words",
    [
        ("match", "sharkk", "random"),
        ("match", "shark", "random", "--game", "leducc"),
        ("tournament", "shark", "random", "fishh"),
        ("match", "random", "checkcall", "--hands", "0"),
    ],
)
def test_wrong_names_are_refused_before_the_ledger_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Opening it costs more CPU time than the refusal."""
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "ledger.sqlite"))
    riverboat(*words, code=2)
    assert not list(tmp_path.iterdir())
