"""Hostile bots: the match ends, in time; it is counted; nothing is left, read, written or sent."""

from __future__ import annotations

import hashlib
import math
import os
import socket
import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from arena.table_bots import Fish
from hostile.bots import HOSTILE, KINDS, NOTES, Hostile, tries
from hostile.trial import tried
from riverboat.arena import Chair, Ledger, play_hand, play_match
from riverboat.bots import BotError, OutsideBot, prints_file
from riverboat.bots._prints import MOST_PRINTED
from riverboat.errors import ArenaError
from riverboat.game import Hand, catalogue
from riverboat.sandbox import protections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.arena import MatchResult

MARK = "RIVERBOAT_HOSTILE_MARK"
MOST_SECONDS = 120.0  # of a match of four hands with a limit of one second, on a busy machine
MOST_LEDGER = 200_000  # bytes


@cache
def in_force() -> frozenset[str]:
    return frozenset(each.name for each in protections() if each.on)


class Scene:
    """What a bot could harm, and whether it did."""

    def __init__(self, folder: Path, bot: Hostile, stack: ExitStack) -> None:
        self.bots, self.victim = folder / "bots", folder / "victim"
        self.bots.mkdir()
        self.victim.mkdir()
        (self.victim / "key").write_text("secret")
        self.ledger = Ledger(self.bots / "ledger.sqlite")  # it can hardly lie nearer
        self.ledger.entries()
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for place in (
            str(self.victim / "socket"),
            f"\0riverboat-hostile-{server.getsockname()[1]}",
        ):
            listening = stack.enter_context(socket.socket(socket.AF_UNIX))
            listening.bind(place)
            listening.listen()
        self.bot = str(self.bots / "mine.py")
        filled = {"arena": os.getpid(), "ledger": str(self.ledger.path), "folder": str(self.bots)}
        source = bot.source(**filled, victim=str(self.victim), port=server.getsockname()[1])
        Path(self.bot).write_text(source, encoding="utf-8")
        self.before = self._files()

    def _files(self) -> dict[str, str]:
        """All files with their contents, but for the ledger."""
        places = [*self.bots.rglob("*"), *self.victim.rglob("*")]
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            for path in places
            if "ledger" not in path.name and "__pycache__" not in str(path)
        }

    def check(self) -> None:
        """Nothing is left, nothing was got, nothing was changed."""
        assert marked_processes() == []
        printed = prints_file(self.bot)
        assert printed.stat().st_size <= 2 * MOST_PRINTED + 1 if printed.exists() else True
        words = printed.read_bytes() if printed.exists() else b""
        assert b"BROKEN" not in words, words[:200]
        assert self._files() == self.before
        assert self.ledger.path.stat().st_size < MOST_LEDGER


def marked_processes() -> list[int]:
    """Processes that descend from this test, but itself, after a moment to end."""
    mark = f"{MARK}={os.environ[MARK]}".encode()
    end = time.monotonic() + 5.0
    while found := list(_with_environment(mark)):
        if time.monotonic() > end:
            return found
        time.sleep(0.05)
    return []


def _with_environment(mark: bytes) -> Iterator[int]:
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(name) != os.getpid() and mark in Path(f"/proc/{name}/environ").read_bytes():
                yield int(name)
        except OSError:
            pass


@pytest.fixture
def scene_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    if not Path("/proc/self/environ").exists():
        pytest.skip("processes that are left cannot be found here: there is no /proc")
    monkeypatch.setenv(MARK, uuid4().hex)
    monkeypatch.setenv("HOSTILE_TOKEN", "secret")
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "bots" / "ledger.sqlite"))
    (tmp_path / "here").mkdir()  # where the match is played may be read, too
    monkeypatch.chdir(tmp_path / "here")
    with ExitStack() as stack:
        yield lambda bot: Scene(tmp_path, bot, stack)


def play(scene: Scene, time_limit: float) -> MatchResult | str:
    """Play four hands; return the result, or why there is none."""
    try:
        return play_match(
            [scene.bot, Fish],
            "leduc",
            hands=4,
            seed=1,
            duplicate=False,
            keep_going=True,
            time_limit=time_limit,
            memory_limit=1 << 30,
            ledger=scene.ledger,
        )
    except ArenaError as error:
        return str(error)


@pytest.mark.hostile
@pytest.mark.parametrize("bot", HOSTILE, ids=lambda bot: bot.name)
def test_a_hostile_bot_harms_nobody(bot: Hostile, scene_of: Any) -> None:
    if lacking := set(bot.needs) - in_force():
        pytest.skip(f"this system does not protect {', '.join(sorted(lacking))}")
    scene = scene_of(bot)
    with tried("bots", bot.name) as trial:
        start = time.monotonic()
        # On a busy machine a bot that is not to be late needs time.
        result = play(scene, 1.0 if "timeout" in bot.fails or bot.refused else 30.0)
        if isinstance(result, str):
            assert "cannot be created" in result
            assert bot.refused is not False, result
        else:
            assert not bot.refused
            check_counts(bot, result)
        trial.seconds = time.monotonic() - start
        assert trial.seconds < MOST_SECONDS
        scene.check()


def check_counts(bot: Hostile, result: MatchResult) -> None:
    """The match is whole, and what the bot did is counted under few names, in short words."""
    errors, said = result.errors(0), result.said(0)
    assert result.hands == 4
    assert set(errors) <= KINDS
    assert set(said) == set(errors)
    assert all(len(text) <= 300 and text.isprintable() for text in said.values())
    if bot.fails:
        assert set(errors) & set(bot.fails) or (not errors and "" in bot.fails), errors
    else:
        assert errors == {}, said
    assert result.errors(1) == {}


#: The short form: a kind of each sort.
SHORT = (
    "half a message",
    "new kinds of errors",
    "a daemon",
    "reads its ancestors' command lines",
    "writes into other people's folders",
)


@pytest.mark.parametrize("name", SHORT)
def test_the_worst_in_short(name: str, scene_of: Any) -> None:
    [bot] = [each for each in HOSTILE if each.name == name]
    if lacking := set(bot.needs) - in_force():
        pytest.skip(f"this system does not protect {', '.join(sorted(lacking))}")
    scene = scene_of(bot)
    outside = OutsideBot(scene.bot, 1, 0.5, 1 << 30)
    chair = Chair(outside, math.inf)
    outside._failures = 2  # the next is the last
    play_hand(hand := Hand(catalogue("leduc"), seed=1), [chair, Chair(Fish(), math.inf)])
    outside.close()
    assert hand.finished
    assert set(chair.errors) <= {*bot.fails, "absent"}
    scene.check()


def need_files() -> None:
    if "files" not in in_force():
        pytest.skip("this system does not protect files")


def test_a_bot_leaves_itself_no_notes(scene_of: Any) -> None:
    need_files()
    scene = scene_of(NOTES)
    play_match([scene.bot, Fish], "leduc", hands=2, duplicate=True, ledger=scene.ledger)
    scene.check()
    assert prints_file(scene.bot).read_text().count("note-of-an-earlier-life") >= 3  # it was there


LISTS = """
names = os.listdir({folder})
if [each for each in names if "ledger" in each]: broken(names)
if "mine.py" not in names or "link" not in names: broken(names)
"""


def test_a_ledger_and_its_journals_are_not_there_whenever_they_are_made(scene_of: Any) -> None:
    """Also one that is not the user's; and a link in the folder shows nothing more."""
    need_files()
    seen = tries("assert os.listdir(os.path.join({folder}, 'link'))")
    scene = scene_of(Hostile("lists", LISTS + seen))
    (scene.bots / "link").symlink_to(scene.victim)
    other = scene.bots / "other-ledger.sqlite"
    bot = OutsideBot(scene.bot, 1, 30.0, 1 << 30, hide=(str(other),))
    for path in (Path(f"{scene.ledger.path}-journal"), Path(f"{other}-wal"), other):
        path.write_text("x")
    try:
        bot.act(Hand(catalogue("leduc"), seed=1).view(0))
    finally:
        bot.close()
    printed = prints_file(scene.bot)
    assert "BROKEN" not in printed.read_text()


@pytest.mark.hostile
def test_processor_time_has_an_end(scene_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if "limits" not in in_force():
        pytest.skip("this system has no limits")
    monkeypatch.setattr("riverboat.bots._policy._LEAST_SECONDS", 2)
    monkeypatch.setattr("riverboat.bots._policy._DECISIONS", 0)
    with tried("bots", "more processor time than it may have"):
        scene = scene_of(Hostile("burns", "while True: pass"))
        bot = OutsideBot(scene.bot, 1, 60.0, 1 << 30)
        try:
            with pytest.raises(BotError, match=r"its process ended \(exit code 137\)"):
                bot.act(Hand(catalogue("leduc"), seed=1).view(0))
        finally:
            bot.close()


def test_there_are_sixty_kinds_and_no_two_of_a_name() -> None:
    assert len({bot.name for bot in HOSTILE}) == len(HOSTILE) >= 60
