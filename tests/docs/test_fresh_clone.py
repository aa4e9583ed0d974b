"""The README as a newcomer follows it: a fresh clone, and no command of ours on the PATH."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.pages import ROOT, SHELL, Block, blocks_of
from docs.prepared import PREPARED
from docs.running import TYPED
from docs.shell import Command, commands_of

README = tuple(blocks_of((ROOT / "README.md").read_text(encoding="utf-8"), "README.md"))
SYSTEM = "/usr/local/bin:/usr/bin:/bin"  # git and the compiler that the README asks for


class Newcomer:
    """Somebody in a checkout of his own, with uv and what the README asks for."""

    def __init__(self, folder: Path) -> None:
        self.clone = folder / "riverboat"
        uv, self.tools = shutil.which("uv"), folder / "tools"
        assert uv is not None
        (folder / "bin").mkdir()
        (folder / "bin" / "uv").symlink_to(Path(uv).resolve())
        ours = {"RIVERBOAT", "VIRTUAL_ENV", "UV_PROJECT", "UV_RUN", "PYTHON"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith((*ours,))}
        self.env = {
            **kept,
            "PATH": f"{folder / 'bin'}:{self.tools}:{SYSTEM}",
            "UV_TOOL_DIR": str(folder / "tool-venvs"),
            "UV_TOOL_BIN_DIR": str(self.tools),
            "XDG_DATA_HOME": str(folder / "data"),
            "RIVERBOAT_CACHE": str(folder / "cache"),
        }
        assert shutil.which("riverboat", path=self.env["PATH"]) is None
        subprocess.run(["/usr/bin/env", "git", "clone", "-q", ROOT, self.clone], check=True)

    def run(self, words: tuple[str, ...], typed: str = "") -> str:
        """Run a command in the clone; return what it prints."""
        program = shutil.which(words[0], path=self.env["PATH"])
        assert program is not None, f"{words[0]} is not on the PATH"
        done = subprocess.run(
            [program, *words[1:]],
            cwd=self.clone,
            env=self.env,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def follow(self, command: Command) -> None:
        """Run a command of the README; make the files that it takes as given."""
        for name, make in PREPARED.items():
            if name in command.words and not (self.clone / name).exists():
                make(self.clone / name)
        self.run(command.words, TYPED.get(command.words[1], ""))


def first_screen(block: Block) -> list[tuple[str, ...]]:
    """The commands of the first block, but for those that install uv and run the tests."""
    words = [command.words for command in commands_of(block)]
    return [each for each in words if each[0] == "uv" and each[-1] != "pytest"]


@pytest.mark.slow
@pytest.mark.usefixtures("tables")
def test_the_readme_in_a_fresh_clone(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    demo, install = first_screen(README[0])
    shown = newcomer.run((*demo, "--quick"))
    hints = re.findall(r"^(?:Look at|Measure|Play against) it: +(.+)$", shown, re.MULTILINE)
    assert len(hints) == 3
    for hint in hints:
        words = tuple(shlex.split(hint))
        assert words[:3] == ("uv", "run", "riverboat")
        newcomer.run(words, TYPED.get(words[3], ""))
    newcomer.run(install)
    for block in README[1:]:
        if block.language in SHELL and block.mark in ("", "slow"):
            for command in commands_of(block):
                newcomer.follow(command)


def test_the_first_screen_is_demo_tests_and_install() -> None:
    """What follows on the page is `riverboat`, which the third line puts on the PATH."""
    assert first_screen(README[0]) == [
        ("uv", "run", "riverboat", "demo"),
        ("uv", "tool", "install", "."),
    ]
    later = [
        command.words[0]
        for block in README[1:]
        if block.language in SHELL
        for command in commands_of(block)
    ]
    assert set(later) == {"riverboat"}
