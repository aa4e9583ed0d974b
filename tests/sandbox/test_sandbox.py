"""What a sandbox gives, where the system has it, and what is said where it does not."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from riverboat.bots import OutsideBot
from riverboat.bots._policy import bot_policy
from riverboat.errors import ArenaError
from riverboat.sandbox import Policy, Protection, _keeping, missing, protections
from riverboat.sandbox._confine import PROTECTIONS, _report
from riverboat.sandbox._files import _visible
from riverboat.sandbox._keeping import holds_too_much, remove
from riverboat.sandbox._policy import readable
from riverboat.sandbox._seccomp import _MACHINES, _program
from riverboat.sandbox._stranger import _code, _environment


def test_what_is_switched_off_is_named() -> None:
    found = protections(Policy(mode="off"))
    assert [each.name for each in found] == list(PROTECTIONS)
    assert {each.reason for each in found} == {"switched off"}


def test_the_better_way_is_taken_and_the_reason_told() -> None:
    whole = {each.name: each.by for each in _report("", "", "", "")}
    assert whole["files"] == "a mount namespace"
    weaker = {each.name: each for each in _report("refused", "refused", "", "")}
    assert weaker["files"] == Protection("files", "Landlock", "refused")
    assert weaker["network"].by == "seccomp"
    nothing = _report("no a", "no b", "no c", "no d")
    assert missing(nothing).startswith("processes (no a; no c; no d), network (no a; no d), files")


def test_a_sandbox_that_is_required_and_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('it was run')\n")
    off = Policy(mode="off")
    monkeypatch.setattr("riverboat.bots._outside.bot_policy", lambda *_: off)
    with pytest.raises(ArenaError, match=r"is required, but lacks processes \(switched off\), "):
        OutsideBot(str(tmp_path / "mine.py"), 1, 1.0, 1 << 30, "required")


def test_a_bot_may_read_its_folder_and_not_where_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    policy = bot_policy("bots/mine.py:Mine", "auto", 1.0, prints=7, hide=("/other.sqlite",))
    assert set(policy.read) == {str(tmp_path / "bots"), str(tmp_path / "cache")}
    assert policy.descriptors == (7,)
    assert {str(tmp_path / "cache" / "prints"), "/other.sqlite-wal"} <= set(policy.hide)


def test_a_sandbox_is_as_good_wherever_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    found = protections()
    monkeypatch.chdir(tmp_path)
    assert protections() == found


def test_all_of_the_disk_is_never_shown() -> None:
    assert "/" not in readable(Policy(read=("/", "/etc")))
    assert "/etc" in readable(Policy(read=("/", "/etc")))


def test_compiled_modules_can_be_read_where_they_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept, seen in ((tmp_path, True), (Path.home(), False)):
        monkeypatch.setattr("sys.pycache_prefix", str(kept))
        assert (str(kept) in readable(Policy())) == seen


def test_a_folder_with_something_hidden_is_shown_child_by_child(tmp_path: Path) -> None:
    for name in ("a", "b/ledger", "b/c"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "b" / "link").symlink_to("/etc")  # leads to what nobody has allowed
    found = set(_visible([str(tmp_path)], [str(tmp_path / "b" / "ledger")]))
    assert found == {str(tmp_path / "a"), str(tmp_path / "b" / "c")}


def test_what_lies_in_a_scratch_folder_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_keeping, "_open_files", lambda: iter(()))  # of other tests
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "big").write_bytes(bytes(100_000))
    (tmp_path / "link").symlink_to("/usr")
    assert not holds_too_much(str(tmp_path), 200_000)
    assert holds_too_much(str(tmp_path), 50_000)
    monkeypatch.setattr(_keeping, "_MOST_ENTRIES", 1)
    assert holds_too_much(str(tmp_path), 200_000)
    monkeypatch.undo()
    monkeypatch.setattr(_keeping, "_DEEPEST", 0)
    assert holds_too_much(str(tmp_path), 200_000)
    assert not holds_too_much(str(tmp_path / "gone"), 200_000)


def test_a_scratch_folder_goes_however_deep_it_is(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    place = os.open(scratch, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("x" * 20, dir_fd=place)
        inner = os.open("x" * 20, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.mkdir("locked", 0o000, dir_fd=place)
    os.close(place)
    (scratch / "link").symlink_to(tmp_path)
    remove(str(scratch))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system cannot look without taking")
@pytest.mark.parametrize(("ends", "code"), [("exit 3", 3), ("kill -9 $$", -9)])
def test_the_number_of_a_process_that_ended_is_kept_until_all_are_ended(
    ends: str, code: int
) -> None:
    with subprocess.Popen(["/bin/sh", "-c", ends]) as process:
        while _code(process) is None:
            time.sleep(0.01)
        os.kill(process.pid, 0)  # raises if it is nobody's
        assert _code(process) == code
    assert _code(process) == code


def test_secrets_of_the_environment_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORGE_TOKEN", "DB_PASSWORD", "API_KEY", "RIVERBOAT_CACHE"):
        monkeypatch.setenv(name, "x")
    assert {"FORGE_TOKEN", "DB_PASSWORD", "API_KEY"}.isdisjoint(_environment())
    assert "RIVERBOAT_CACHE" in _environment()


@pytest.mark.parametrize("machine", _MACHINES)
@pytest.mark.parametrize("own", [None, 42])
def test_every_jump_of_the_filter_stays_in_it(machine: str, own: int | None) -> None:
    program = _program(*_MACHINES[machine], [41, 101], own)
    jumps = [(at, max(yes, no)) for at, (_, yes, no, _) in enumerate(program) if yes or no]
    assert all(at + 1 + far < len(program) for at, far in jumps)
    assert len(program) < 4096
