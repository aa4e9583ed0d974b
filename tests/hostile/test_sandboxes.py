"""The sandbox under other conditions: an unprivileged user, a system that refuses namespaces."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hostile.bots import MEDDLING, NOTES
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
from riverboat.arena import OutsideBot
for _ in range(2):
    OutsideBot(sys.argv[1], 1, 60.0, 1 << 32).close()
"""


def without_namespaces(code: str, *words: str) -> str:
    """Run Python where namespaces are refused; return what it printed."""
    # In a user namespace the number of further ones can be set to none.
    refuse = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    start = ["unshare", "-U", "-r", "sh", "-c", refuse, "sh", sys.executable, "-c", code, *words]
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


#: Asks a bot of a file for one move.
ASKS = """
import sys
from riverboat.arena import OutsideBot
from riverboat.game import Hand, catalogue
bot = OutsideBot(sys.argv[1], 1, 60.0, 1 << 32)
bot.act(Hand(catalogue("leduc"), seed=1).view(0))
bot.close()
"""


@pytest.mark.hostile
def test_a_bot_slows_down_and_signals_nobody_without_namespaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "processes | Landlock and seccomp" not in without_namespaces(SAYS):
        pytest.skip("there is no Landlock here")
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    bot = tmp_path / "mine.py"
    bot.write_text(MEDDLING.source())
    with tried("bots", MEDDLING.name):
        without_namespaces(ASKS, str(bot))
        printed = (tmp_path / "cache" / "prints" / "mine.txt").read_text()
        assert "it was asked" in printed
        assert "BROKEN" not in printed


@pytest.mark.hostile
def test_without_namespaces_there_is_landlock() -> None:
    done = without_namespaces(SAYS)
    with tried("bots", "the sandbox without namespaces"):
        assert "files | Landlock" in done
        assert "network | seccomp" in done
