"""`riverboat play` against bots from files, each in its own process."""

import re
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.sandbox import Protection
from sizes import slowly

CALLER = "class Mine:\n    def act(self, view):\n        return 'k' if view.legal.check else 'c'\n"


def test_a_bot_that_fails_at_the_table_ends_it_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    body = "class Mine:\n    def act(self, view):\n        return {moves}[view.street]\n"
    for moves, sentence in (
        ("['k']", "failed after"),
        ("['k', 'zzz']", "made an illegal move after"),
    ):
        file.write_text(body.format(moves=moves))
        typed = "c\nk\nk\n"
        result = riverboat("play", "-o", str(file), "--seed", "1", typed=typed, code=2)
        assert f"mine.py {sentence} 'ck" in result.stdout
        assert "Played 0 hands" in result.stdout
    file.write_text("class Mine:\n    def act(self, view):\n        raise KeyError('lost')\n")
    refused = riverboat("play", "-o", str(file), code=2).stderr
    assert "mine.py fails at its first decision: key error: 'lost'" in refused


def test_prints_of_own_bots_go_to_a_file_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "loud.py"
    file.write_text(
        "import sys\nprint('awake')\nclass Loud:\n"
        "    def hand_over(self, view):\n        print('aha', file=sys.stderr)\n"
        "    def act(self, view):\n        print('I have', view.hole_text)\n"
        "        return 'k' if view.legal.check else 'c'\n"
    )
    options = ("-o", str(file), "--seed", "1", "--hands", "1", "--no-histories")
    result = riverboat("play", *options, typed="c\nk\nk\nk\nk\n")
    shown = result.stdout + result.stderr
    assert "Played 1 hand:" in shown
    assert not [word for word in ("awake", "I have", "aha") if word in shown]
    printed = tmp_path / "cache" / "prints" / "loud.txt"
    assert f"Output of {file}: {printed}" in result.stderr
    words = printed.read_text().split()
    assert {"awake", "have", "aha"} <= set(words)


def test_the_deal_seed_against_a_bot_of_a_file_repeats_the_cards(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(CALLER)
    options = ("-g", "leduc", "-o", str(file), "--seed", "1", "--hands", "1", "--no-histories")
    first = riverboat("play", *options, typed="k\nk\nk\nk\n")
    [told] = re.findall(r"Deal seed: ([0-9a-f]{64})", first.stderr)
    assert "; seed" not in first.stdout
    (tmp_path / "seed").write_text(told)
    again = riverboat("play", *options, "--deal-seed", str(tmp_path / "seed"), typed="k\nk\nk\nk\n")
    assert again.stdout == first.stdout


@pytest.mark.parametrize("command", ["play", "match", "check-bot"])
def test_what_does_not_confine_a_bot_is_said_once(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = [Protection("network", "", "refused"), Protection("files", "Landlock")]
    monkeypatch.setattr("riverboat.cli._arena.protections", lambda: lacking)
    file = tmp_path / "mine.py"
    file.write_text(CALLER)
    words = {
        "play": ("-o", str(file), "--no-histories"),
        "match": (str(file), "random", "--hands", "2", "--workers", "1", "--no-ledger"),
        "check-bot": (str(file), "--hands", "1"),
    }[command]
    said = "Warning: the sandbox for bots from files is incomplete; missing: network (refused)\n"
    assert riverboat(command, *words, "-g", "kuhn", code=None).stderr.count(said) == 1
    if command == "play":  # the others ask in the same place
        off = riverboat(command, *words, "-g", "kuhn", "--sandbox", "off", code=None)
        assert "sandbox for bots from files is incomplete" not in off.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["match", "check-bot"])
def test_a_bot_is_not_confined_where_one_says_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = [Protection("network", "", "refused")]
    monkeypatch.setattr("riverboat.cli._arena.protections", lambda: lacking)
    file, note = tmp_path / "mine.py", tmp_path / "elsewhere" / "note"
    note.parent.mkdir()
    file.write_text(f"open({str(note)!r}, 'w').close()\n{CALLER}")
    words = {
        "match": (str(file), "random", "--hands", "2", "--workers", "1", "--no-ledger"),
        "check-bot": (str(file), "--hands", "1"),
    }[command]
    ended = riverboat(command, *words, "-g", "kuhn", "--sandbox", "off")
    assert "sandbox for bots from files is incomplete" not in ended.stderr
    assert note.exists()


@pytest.mark.parametrize("method", ["act", *slowly("hand_started", "hand_over")])
def test_a_bot_that_ends_its_program_does_not_end_ours(method: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"import sys\n{CALLER}"
        f"class Gone(Mine):\n    def {method}(self, view):\n"
        "        if view.street or not view.legal or view.seat:\n            sys.exit('bye')\n"
        "        return super().act(view)\n"
    )
    typed = "c\nk\nk\nk\nk\n"
    result = riverboat("play", "-o", f"{file}:Gone", "--seed", "1", typed=typed, code=2)
    assert "Gone failed after" in result.stdout
    assert "its process ended (exit code 1)" in result.stdout
