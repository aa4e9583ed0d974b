"""Other people's players, each in its process, in `match`, `tournament` and `play`."""

import json
import sys
from pathlib import Path

import pytest

from cli.typed import riverboat

pytestmark = pytest.mark.slow

LINES = """
import json
for line in __import__("sys").stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type": "ready", "version": 1}', flush=True)
    elif said["type"] == "act":
        move = "k" if said["view"]["legal"]["check"] else "c"
        print(json.dumps({"type": "move", "move": move}), flush=True)
"""
ACPC = """
import socket, sys
link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
said = link.makefile("r", newline="\\r\\n")
link.sendall(b"VERSION:2.0.0\\r\\n")
for line in said:
    state = line.strip()
    link.sendall(f"{state}:c\\r\\n".encode())  # the dealer skips answers out of turn
"""
MIT = """
import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for line in link.makefile("r"):
    if line.startswith("Q"):
        break
    free = "R" not in line.split("B")[-1] and not ("P0" in line and "D" not in line)
    link.sendall(b"K\\n" if free else b"C\\n")
"""
PYPOKERENGINE = """
class Caller:
    def declare_action(self, valid, hole, state):
        return "call", valid[1]["amount"]
    def receive_game_start_message(self, *told): pass
    def receive_round_start_message(self, *told): pass
    def receive_street_start_message(self, *told): pass
    def receive_game_update_message(self, *told): pass
    def receive_round_result_message(self, *told): pass
"""


def program(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{body}")
    path.chmod(0o755)
    return path


@pytest.fixture
def callers(tmp_path: Path) -> dict[str, str]:
    """A player that only checks and calls, in each protocol."""
    (tmp_path / "mit").mkdir()
    program(tmp_path / "mit" / "player.py", MIT)
    commands = {"build": [], "run": [sys.executable, "player.py"]}
    (tmp_path / "mit" / "commands.json").write_text(json.dumps(commands))
    (tmp_path / "theirs.py").write_text(PYPOKERENGINE)
    return {
        "lines": f"lines:{program(tmp_path / 'lines', LINES)}",
        "acpc": f"acpc:{program(tmp_path / 'acpc.sh', ACPC)}",
        "mit": f"mit:{tmp_path / 'mit'}",
        "pypokerengine": f"pypokerengine:{tmp_path / 'theirs.py'}:Caller",
    }


def test_a_tournament_of_all_of_them(callers: dict[str, str]) -> None:
    words = ["tournament", *callers.values(), "--hands", "2", "--seed", "1", "--json"]
    told = json.loads(riverboat(*words, "--workers", "1").stdout)
    assert len(told["matches"]) == 6
    assert not [bot for match in told["matches"] for bot in match["bots"] if bot["errors"]]


@pytest.mark.parametrize("kind", ["lines", "acpc", "mit", "pypokerengine"])
def test_a_person_plays_against_each(callers: dict[str, str], kind: str) -> None:
    words = ["play", "--no-grade", "-o", callers[kind], "--seed", "5", "--hands", "2"]
    shown = riverboat(*words, typed="c\nk\nk\nk\nk\n" * 4).stdout
    assert "Played 2 hands: " in shown
