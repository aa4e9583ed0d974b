"""`riverboat solve --sampled`, and `show` of its file, as a user types them."""

import json
from pathlib import Path

from cli.test_solve_command import keys_are_told
from cli.typed import riverboat
from riverboat.spots import SampledSettings, Spot, forecast_flop

SPOT = Spot(
    board="8s2dJs", pot=50, stack=975, oop="QQ, 99, AJs", ip="KK, TT, KJs", menu="50%, 100% | 3x"
)


def test_a_flop_is_solved_and_shown(tmp_path: Path) -> None:
    SPOT.write(tmp_path / "spot.toml")
    solve = ("solve", "--file", str(tmp_path / "spot.toml"), "--sampled", "--threads", "1")
    more = ("--iterations", "40", "--seed", "7", "-o", str(tmp_path / "mine"))
    told = riverboat(*solve, *more, "--json")
    values = json.loads(told.stdout)
    keys_are_told("solve --sampled", values)
    assert (values["event"], values["iterations"], values["boards"]) == ("finished", 40, 80)
    again = riverboat(*solve, *more, code=2)
    assert "already exists" in again.stderr
    words = riverboat(*solve, *more, "--force").stdout
    assert "Solved for the flop: iteration 40, 80 boards" in words
    assert "solve turn and river when they are dealt" in words
    shown = riverboat("show", str(tmp_path / "mine.flop"), "k", "--hole", "KK", "--json")
    keys_are_told("show (flop strategy)", json.loads(shown.stdout))
    read = riverboat("show", str(tmp_path / "mine.flop"), "k").stdout
    assert "After k on 8s2dJs: ip decides, pot 50" in read
    assert "40 iterations on 80 sampled boards" in read.replace("\n", " ")


def test_an_estimate_needs_no_solve(tmp_path: Path) -> None:
    SPOT.write(tmp_path / "spot.toml")
    solve = ("solve", "--file", str(tmp_path / "spot.toml"), "--sampled", "--threads", "1")
    limit = ("--iterations", "40", "--estimate", "-o", str(tmp_path / "mine"))
    values = json.loads(riverboat(*solve, *limit, "--json").stdout)
    keys_are_told("solve --sampled --estimate", values)
    plan = forecast_flop(SPOT, SampledSettings(threads=1))
    assert (values["iterations"], values["boards"], values["threads"]) == (40, 80, 1)
    assert values["nodes"] == SPOT.tree().num_nodes
    assert values["memory_bytes"] == plan.memory_bytes
    assert values["estimated_seconds"] == plan.seconds(40)
    words = " ".join(riverboat(*solve, *limit).stdout.split())
    assert "for 40 iterations with 1 thread" in words
    assert not (tmp_path / "mine.flop").exists()


def test_what_does_not_go_together(tmp_path: Path) -> None:
    SPOT.write(tmp_path / "spot.toml")
    solve = ("solve", "--file", str(tmp_path / "spot.toml"), "--sampled")
    for more, words in (
        (("--bits", "16"), "--bits"),
        (("--target", "1%"), "--target"),
        (("--lock", "k: KK = k 100"), "--lock"),
        (("--board", "8s2dJs3c"), "must have 3 cards, not 4"),
    ):
        out = str(tmp_path / "x.flop")
        assert words in riverboat(*solve, *more, "-o", out, code=2).stderr
    riverboat(*solve, "--iterations", "20", "--threads", "1", "-o", str(tmp_path / "y"))
    for wrong in (("k", "--ev"), ("kk/",), ("k", "--board", "8s2dJs3c")):
        assert "flop" in riverboat("show", str(tmp_path / "y.flop"), *wrong, code=2).stderr
