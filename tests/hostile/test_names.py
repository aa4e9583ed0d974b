"""Names that files and people give: none leads where it should not, none ends in a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.arena import MatchSettings, Sweep
from riverboat.bots import make_bot, named_bot
from riverboat.errors import ArenaError, DamagedFileError, GameError, HistoryError, RunError
from riverboat.game import catalogue, find_game, write_acpc_game
from riverboat.histories import read
from riverboat.reproductions import reproduce
from riverboat.training import load_recipe


@pytest.mark.parametrize(
    "name", ["mine.py", "mine.py:Bot", "./mine.py", "blueprint", "blueprint:x", "cfrv1:x"]
)
def test_a_file_names_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("open('run', 'w')\nclass Bot:\n    def act(self, view): ...\n")
    with pytest.raises(DamagedFileError, match=r"my\.blueprint names the bot"):
        named_bot(name, 0, "my.blueprint")
    assert not Path("run").exists()


def test_a_bot_of_a_file_never_runs_in_the_arenas_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("open('run', 'w')\nclass Bot:\n    def act(self, view): ...\n")
    sweep = Sweep("mine.py", {"low": (0.1,)}, MatchSettings(("mine.py", "fish"), "leduc", hands=2))
    matches = sweep.matches()
    with pytest.raises(ArenaError, match=r"'mine\.py' is a Python file, which has no parameters"):
        sweep.points(matches)
    with pytest.raises(GameError, match=r"fallback='mine\.py' is a Python file: use a built-in"):
        make_bot("blueprint:fallback=mine.py,streets=2", 0)
    assert not Path("run").exists()


@pytest.mark.parametrize("name", ["os", "riverboat.bots:Fish", "../evil", "evil\x00", "\ud800"])
def test_what_is_no_bot_is_none(name: str) -> None:
    with pytest.raises(GameError, match="is not a bot"):
        named_bot(name, 0, "my.blueprint")


def test_a_recipe_names_what_lies_beside_it(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "own.game").write_text(write_acpc_game(catalogue("leduc")))
    recipe = inner / "recipe.toml"
    recipe.write_text('game = "own.game"\nmenu = "min"\n')
    assert load_recipe(recipe).spec.players == 2
    for path in ("../own.game", str(tmp_path / "own.game"), "a\\\\own.game", "x" * 400):
        recipe.write_text(f'game = "{path}"\nmenu = "min"\n')
        with pytest.raises(RunError, match="is a path: a file may name a catalogue game"):
            load_recipe(recipe)
    recipe.write_text('game = "own.game"\n')
    assert find_game(str(recipe)).players == 2
    recipe.write_text('game = "../own.game"\n')
    with pytest.raises(GameError, match="is a path"):
        find_game(str(recipe))


def test_the_note_of_a_run_removes_nothing_elsewhere(tmp_path: Path) -> None:
    run, kept = tmp_path / "run", tmp_path / "kept.txt"
    (run / "steps").mkdir(parents=True)
    for file in (kept, run / "own.png", run / "run.json"):
        file.touch()
    (run / "steps" / "files.txt").write_text(
        f"own.png\n../kept.txt\n{kept}\nsteps/../../kept.txt\n\n"
    )

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", run, force=True, prepare=stop)
    assert kept.exists()
    assert not (run / "own.png").exists()


def test_a_game_that_stands_before_every_hand_is_short() -> None:
    text = "# GAMEDEF\n" + "# limit\n" * 100 + "# END GAMEDEF\nSTATE:0:cr300f:7c2d|AhKh:1|-1:B|A\n"
    with pytest.raises(HistoryError, match="at most 50 lines"):
        read(text, "acpc")


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX")
@pytest.mark.parametrize(
    "command",
    ["bots {}", pytest.param("train kuhn --iterations 50 -o {}", marks=pytest.mark.hostile)],
)
def test_bytes_that_are_no_text_in_a_strict_locale(command: str, tmp_path: Path) -> None:
    strict = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = [os.fsencode(word) for word in command.split()]
    done = subprocess.run(
        [sys.executable, "-m", "riverboat", *(word.replace(b"{}", b"\xff\xe9") for word in words)],
        env={**os.environ, **strict},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == (0 if b"-o" in words else 2)
    assert b"Traceback" not in done.stderr
    assert b"\\udcff" in done.stdout + done.stderr
