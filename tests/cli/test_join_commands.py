"""`riverboat join` and `riverboat deal` over real sockets."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from cli.typed import riverboat
from riverboat.bots import make_bot
from riverboat.game import catalogue
from riverboat.protocols.acpc import AcpcPlayer, deal, remote
from riverboat.protocols.client import Player, connect, join, listen


def test_join_acpc(tmp_path: Path) -> None:
    spec = catalogue("limit")
    with listen() as server:
        there = remote(server, 10.0, 10.0)
        found: list[Any] = []

        def play() -> None:
            found.append(deal(spec, [there, make_bot("fish", 1)], hands=10, seed=1))
            there.close()

        thread = threading.Thread(target=play, daemon=True)
        thread.start()
        port = str(server.getsockname()[1])
        log = tmp_path / "said.txt"
        shown = riverboat(
            "join", "acpc", "--port", port, "--game", "limit", "--bot", "random", "--seed", "1",
            "--log", str(log), "--json", "--hands", "10", "--time-bank", "70",
        )  # fmt: skip
        thread.join(10)
    told = json.loads(shown.stdout)
    assert (told["hands"], told["ended"], told["errors"]) == (10, "hung up", {})
    assert told["won_bb"] * 10 == found[0].chips[0]
    assert log.read_text().startswith("> VERSION:2.0.0\n< MATCHSTATE:0:0:")


def test_nobody_to_join() -> None:
    with listen() as server:
        port = str(server.getsockname()[1])
    shown = riverboat("join", "acpc", "--port", port, "--bot", "mistake", code=2)
    assert "'mistake' is not a bot" in shown.stderr


@pytest.mark.parametrize("seconds", ["0", "-1"])
def test_a_time_limit_is_a_time(seconds: str) -> None:
    words = ["join", "acpc", "--port", "1", "--bot", "random", "--time-limit", seconds]
    shown = riverboat(*words, code=2)
    assert f"--time-limit must be more than 0 seconds, not {seconds}" in shown.stderr


def test_deal_acpc(tmp_path: Path) -> None:
    with listen() as server:
        port = server.getsockname()[1]
    spec = catalogue("nolimit-200bb")
    ours = AcpcPlayer(Player(make_bot("random", seed=1)), spec)
    thread = threading.Thread(
        target=lambda: join(ours, lambda: connect("127.0.0.1", port, end="\r\n")), daemon=True
    )
    thread.start()
    log = tmp_path / "match.log"
    shown = riverboat(
        "deal", "acpc", "fish", "-", "--hands", "10", "--seed", "1", "--ports", str(port),
        "--log", str(log), "--json",
    )  # fmt: skip
    thread.join(10)
    told = json.loads(shown.stdout)
    assert told["hands"] == 10
    assert [each["name"] for each in told["players"]] == ["fish", "player 2"]
    assert sum(each["chips"] for each in told["players"]) == 0
    assert sum(line.startswith("STATE:") for line in log.read_text().splitlines()) == 10
    assert round(100 * sum(ours.player.won)) == told["players"][1]["chips"]


def test_ports_that_do_not_fit() -> None:
    shown = riverboat("deal", "acpc", "fish", "-", "--ports", "1,2", code=2)
    assert "--ports needs 1 number," in shown.stderr
