"""What CONTRIBUTING adds works: its command, bot, engine, sampling and kind of buckets."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs.pages import ROOT, blocks_of
from riverboat.cards import HOLES
from riverboat.cli._command import make_command
from riverboat.game import Hand, catalogue
from riverboat.settings import read_settings


@pytest.fixture(scope="module")
def added() -> dict[str, Any]:
    """The names that the Python of the page makes."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "contributing"}
    for block in blocks_of(text, "CONTRIBUTING.md"):
        if block.language == "python":
            exec(compile(block.text, block.place, "exec"), names)  # noqa: S102 - our own page
    return names


def test_the_command(added: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    command = make_command("combos", added["combos_command"])
    command.main(["QQ+", "--dead", "Ah"], standalone_mode=False)
    assert capsys.readouterr().out == "QQ+: 15 combinations\n"  # AA loses 3 of its 6
    command.main(["QQ+", "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["combos"] == 18


def test_the_bot(added: dict[str, Any]) -> None:
    kind = added["COIN"]
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    for heads, action in (("0", "c"), ("1", "b30")):
        bot = kind.make(7, read_settings(kind.settings, f"heads={heads}", "coin"))
        assert bot.act(view) == action


def test_the_engine(added: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("b50 x")
    bot = added["ENGINE"].make(str(tmp_path / "moves.txt"), 1)
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    assert [bot.act(view) for _ in range(3)] == ["b50", "c", "c"]


def test_the_kind_of_buckets(added: dict[str, Any]) -> None:
    rule = added["Suited"]().rules[0]()
    table = np.zeros((2, len(HOLES)), np.uint8)
    rule.fill(None, 0, table)
    assert table.tolist() == [[rule.bucket(hole, ()) for hole in HOLES.tolist()]] * 2
    assert table[0].sum() == 4 * 78  # pairs of 13 ranks in each suit
