"""The sandbox under other conditions: an unprivileged user, a system that refuses namespaces."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hostile.bots import MEDDLING, NOTES, Hostile
from hostile.trial import tried
from riverboat.sandbox import missing, protections

ROOT = Path(__file__).parents[2]
#: Says what is in force; run under other conditions than this process.
SAYS = """
from riverboat.sandbox import protections
for each in protections():
    print(each.name, "|", each.by)
"""


def python_of_nobody() -> list[str]:
    """A command with which nobody runs this Python, if root may ask for that."""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("only root can become another user, and this is not root")
    packages = [each for each in sys.path if "site-packages" in each]
    path = os.pathsep.join((str(ROOT / "src"), *packages))
    become = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    for python in (sys.executable, "/usr/bin/python3"):
        command = [*become, "env", f"PYTHONPATH={path}", python]
        probe = [*command, "-c", "import riverboat.sandbox"]
        try:
            done = subprocess.run(probe, capture_output=True, check=False, cwd="/")
        except OSError:
            pytest.skip("there is no setpriv here")
        if done.returncode == 0:
            return command
    pytest.skip("nobody may run this Python or the system's")


@pytest.mark.hostile
def test_an_unprivileged_user_has_a_sandbox() -> None:
    if missing(protections()):
        pytest.skip(f"root lacks {missing(protections())}")
    command = [*python_of_nobody(), "-c", SAYS]
    with tried("bots", "the sandbox of an unprivileged user"):
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout
        assert "| \n" not in said
        assert "files | a mount namespace" in said


#: Makes a bot of a file twice, one after the other.
TWICE = """
import sys
from riverboat.bots import OutsideBot
for _ in range(2):
    OutsideBot(sys.argv[1], 1, 60.0, 1 << 32).close()
"""


def refusing_namespaces(*words: str) -> list[str]:
    """A command that runs Python where namespaces are refused."""
    # In a user namespace the number of further ones can be set to none.
    refuse = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    return ["unshare", "-U", "-r", "sh", "-c", refuse, "sh", sys.executable, *words]


def without_namespaces(code: str, *words: str) -> str:
    """Run Python where namespaces are refused; return what it printed."""
    start = refusing_namespaces("-c", code, *words)
    try:
        done = subprocess.run(start, capture_output=True, text=True, check=False)
    except OSError:
        pytest.skip("there is no unshare here")
    if done.returncode:
        pytest.skip(f"namespaces cannot be refused here: {done.stderr.strip()}")
    return done.stdout


@pytest.mark.hostile
def test_a_bot_leaves_itself_no_notes_without_namespaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "files | Landlock" not in without_namespaces(SAYS):
        pytest.skip("there is no Landlock here")
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    for name in ("bots", "victim"):
        (tmp_path / name).mkdir()
    bot = tmp_path / "bots" / "mine.py"
    bot.write_text(NOTES.source(folder=str(bot.parent), victim=str(tmp_path / "victim")))
    with tried("bots", "notes without namespaces"):
        without_namespaces(TWICE, str(bot))
        printed = (tmp_path / "cache" / "prints" / "mine.txt").read_text()
        assert printed.count("note-of-an-earlier-life") >= 2
        assert "BROKEN" not in printed


#: Asks a bot of a file for one move, and says what came of it.
ASKS = """
import sys
from riverboat.bots import BotError, OutsideBot
from riverboat.game import Hand, catalogue
bot = OutsideBot(sys.argv[1], 1, 60.0, 1 << 32)
try:
    print(bot.act(Hand(catalogue("leduc"), seed=1).view(0)))
except BotError as error:
    print(error)
bot.close()
"""


def asked(bot: Hostile, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Ask a bot for a move where namespaces are refused; return the answer, and what it printed."""
    if "processes | Landlock and seccomp" not in without_namespaces(SAYS):
        pytest.skip("there is no Landlock here")
    monkeypatch.setenv("RIVERBOAT_CACHE", str(folder / "cache"))
    file = folder / "mine.py"
    file.write_text(bot.source())
    answer = without_namespaces(ASKS, str(file))
    printed = (folder / "cache" / "prints" / "mine.txt").read_text()
    assert "BROKEN" not in printed
    return answer, printed


@pytest.mark.hostile
def test_a_bot_slows_down_and_signals_nobody_without_namespaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tried("bots", MEDDLING.name):
        answer, printed = asked(MEDDLING, tmp_path, monkeypatch)
        assert answer.strip() in ("k", "c")
        assert "it was asked" in printed


#: Fills the disk: with files, and with files that are not there any more.
FILLS = """
import tempfile
kept = []
print("it was asked")
for number in range(50):
    path = os.path.join(tempfile.gettempdir(), str(number))
    kept.append(open(path, "wb"))
    if {removed}: os.unlink(path)
    kept[-1].write(bytes(10 << 20))
    kept[-1].flush()
    time.sleep(0.1)
broken()
"""


@pytest.mark.hostile
@pytest.mark.parametrize("removed", [False, True])
def test_a_bot_does_not_fill_the_disk_without_namespaces(
    removed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "fills the disk with removed files" if removed else "fills the disk"
    with tried("bots", f"{name} without namespaces"):
        filled = FILLS.replace("{removed}", str(removed))
        answer, printed = asked(Hostile(name, filled), tmp_path, monkeypatch)
        assert "its process ended (exit code 137)" in answer
        assert "it was asked" in printed


#: Makes a bot of a file, and is not there any more to end it.
DIES = """
import os, signal, sys
from riverboat.bots import OutsideBot
bot = OutsideBot(sys.argv[1], 1, 60.0, 1 << 32)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.hostile
def test_nothing_is_left_of_a_bot_whose_arena_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "processes | Landlock and seccomp" not in without_namespaces(SAYS):
        pytest.skip("there is no Landlock here")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    bot = tmp_path / "mine.py"
    keeps = "open(os.environ['TMPDIR'] + '/x', 'w').write('x')\nprint('kept')"
    bot.write_text(Hostile("keeps", init=keeps).source())
    with tried("bots", "what a killed arena leaves"):
        done = subprocess.run(refusing_namespaces("-c", DIES, str(bot)), check=False)
        assert done.returncode == -signal.SIGKILL
        deadline = time.monotonic() + 60
        while list(scratch.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not list(scratch.iterdir())


@pytest.mark.hostile
def test_without_namespaces_there_is_landlock() -> None:
    done = without_namespaces(SAYS)
    with tried("bots", "the sandbox without namespaces"):
        assert "files | Landlock" in done
        assert "network | seccomp" in done
