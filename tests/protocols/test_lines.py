"""JSON lines: a bot in C, and programs that do wrong."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.arena import Chair, play_match
from riverboat.bots import make_bot
from riverboat.errors import GameError, ProtocolError
from riverboat.game import Hand, catalogue
from riverboat.protocols.lines import LinesBot, describe

SOURCE = Path(__file__).parents[2] / "examples" / "lines" / "caller.c"
COMPILER = shutil.which("cc")


class Scripted:
    """A link with answers that are already there."""

    def __init__(self, *lines: str, ready: str = '{"type": "ready", "version": 1}') -> None:
        self.lines = [ready, *lines]
        self.sent: list[dict[str, object]] = []

    def send(self, line: str) -> None:
        """Keep it."""
        self.sent.append(json.loads(line))

    def receive(self, seconds: float = 0.0) -> str:
        """Return the next one."""
        del seconds
        return self.lines.pop(0)

    def close(self) -> None:
        """Do nothing."""


def test_what_is_said() -> None:
    link = Scripted('{"type": "move", "move": "b30"}', '{"type": "move", "move": "f"}')
    bot = LinesBot(lambda: link, seed=3)
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    assert [bot.act(view), bot.act(view)] == ["b30", "f"]
    assert [message["type"] for message in link.sent] == ["hello", "game", "act", "act"]
    assert link.sent[0] == {
        "type": "hello", "protocol": "riverboat-lines", "version": 1, "seed": 3,
    }  # fmt: skip
    assert link.sent[2]["view"] == describe(view)
    assert not hasattr(bot, "hand_over")


def test_a_bot_that_hears() -> None:
    link = Scripted(ready='{"type": "ready", "version": 1, "hears": true, "learns": true}')
    bot = LinesBot(lambda: link, seed=3)
    bot.hand_over(Hand.from_line(catalogue("nolimit-100bb"), "f", seed=1).view(0))
    assert bot.learns
    assert link.sent[-1]["view"]["payoffs"] == [-5, 5]  # type: ignore[index]


@pytest.mark.parametrize(
    "answer",
    ["", "garbage", "[]", '{"type": "moves"}', '{"type": "move", "move": 3}', "[" * 10_000],
)
def test_what_is_no_answer(answer: str) -> None:
    bot = LinesBot(lambda: Scripted(answer), seed=1)
    with pytest.raises(ProtocolError):
        bot.act(Hand(catalogue("leduc"), seed=1).view(0))


def test_another_version() -> None:
    with pytest.raises(GameError, match="version 2, not 1"):
        LinesBot(lambda: Scripted(ready='{"type": "ready", "version": 2}'), seed=1)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_the_example_in_c(tmp_path: Path) -> None:
    program = tmp_path / "caller"
    command = [str(COMPILER), "-Wall", "-Wextra", "-Werror", "-o", str(program), str(SOURCE)]
    subprocess.run(command, check=True)
    bot = make_bot(f"lines:{program}", seed=1)
    chair = Chair(bot, 30.0)
    moves = []
    for hole in ("7h7d", "AhKd"):
        for line in ("", "c", "b30"):
            hand = Hand.from_line(catalogue("nolimit-100bb"), line, hole=[hole, "7s7c"])
            moves.append(chair.ask(hand.view(hand.actor or 0)))
    assert moves == ["b20", "b20", "b50", "c", "b20", "b50"]
    assert not chair.errors
    bot.close()  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_the_example_in_a_match(tmp_path: Path) -> None:
    program = tmp_path / "caller"
    subprocess.run([str(COMPILER), "-o", str(program), str(SOURCE)], check=True)
    result = play_match([f"lines:{program}", "fish"], "nolimit-100bb", hands=100, seed=1)
    assert not any(errors for session in result.sessions for errors in session.errors)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("print('nonsense', flush=True)", {"raised"}),
        ("sys.exit(1)", {"raised"}),
        ("time.sleep(600)", {"timeout", "absent"}),
        ('print(\'{"type":"move","move":"b1"}\', flush=True)', {"illegal"}),
    ],
)
def test_programs_that_do_wrong(tmp_path: Path, body: str, kinds: set[str]) -> None:
    file = tmp_path / "bot"
    ready = '{\\"type\\": \\"ready\\", \\"version\\": 1}'
    text = f'import sys, time\ninput()\nprint("{ready}", flush=True)\n'
    text += f"for line in sys.stdin:\n    if '\"act\"' in line:\n        {body}\n"
    file.write_text(f"#!{sys.executable}\n{text}")
    file.chmod(0o755)
    result = play_match(
        [f"lines:{file}", "fish"], "nolimit-100bb", hands=20, seed=1, time_limit=8.0,
        keep_going=True,
    )  # fmt: skip
    found = set().union(*(set(session.errors[0]) for session in result.sessions))
    assert found
    assert found <= kinds


def test_a_player_of_pypokerengine_in_a_file(tmp_path: Path) -> None:
    methods = ["game_start", "round_start", "street_start", "game_update", "round_result"]
    hooks = "".join(f"    def receive_{name}_message(self, *told): pass\n" for name in methods)
    file = tmp_path / "theirs.py"
    file.write_text(
        "class Caller:\n    def declare_action(self, valid, hole, state):\n"
        f"        return 'call', valid[1]['amount']\n{hooks}"
    )
    bot = make_bot(f"pypokerengine:{file}:Caller", seed=1)
    assert bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0)) == "c"
    with pytest.raises(GameError, match="has no bot 'Other'"):
        make_bot(f"pypokerengine:{file}:Other", seed=1)
