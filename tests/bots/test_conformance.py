"""The conformance test: all built-in bots pass it, and it finds what is wrong with others."""

from pathlib import Path

import pytest

from riverboat.bots import GAMES, ConformanceReport, _outside, all_bots, check_bot
from riverboat.bots._conformance import check_game
from riverboat.cards import HandStrength
from riverboat.errors import GameError
from sanitized import not_sanitized
from sizes import slowly

GAME = (("kuhn", 2),)


WITHOUT_FILE = [kind.name for kind in all_bots() if not kind.takes_file]
FROM_FILES = [kind.name for kind in all_bots() if kind.takes_file]


@pytest.mark.parametrize("bot", [*WITHOUT_FILE, "killer:line=yes", "montecarlo:samples=50"])
def test_built_in_bots_pass(bot: str, tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    report = ConformanceReport(bot, 3, tuple(check_game(bot, game, 3, seed=3) for game in GAMES))
    assert report.passed, [check for check in report.checks if check.outcome == "failed"]
    refused = {check.game for check in report.checks if check.outcome == "refused"}
    assert refused <= {"tossem-2026", "kuhn", "leduc"}
    assert all(check.hands == 6 * check.seats for check in report.checks if not check.reason)


@pytest.mark.parametrize("bot", [*FROM_FILES, "swaps"])
def test_bots_from_strategy_files_pass(bot: str, strategy_files: dict[str, Path]) -> None:
    """A random strategy does everything that can be done in its tree, and leaves it often."""
    text = f"{'blueprint' if bot == 'swaps' else bot}:{strategy_files[bot]}"
    if bot == "search":  # by seconds it would take minutes, and not repeat itself
        text += ",iterations=1,threads=1"
    checks = tuple(check_game(text, game, 3, seed=3) for game in GAMES)
    assert ConformanceReport(text, 3, checks).passed, [c for c in checks if c.outcome == "failed"]
    played = {(check.game, check.seats) for check in checks if check.outcome == "passed"}
    assert ("discard-2017" if bot == "swaps" else "nolimit-100bb", 2) in played  # its tree's game


def written(folder: Path, act: str, extra: str = "") -> str:
    """A file with a bot that does this."""
    file = folder / "mine.py"
    body = "\n        ".join(act.splitlines())
    file.write_text(
        "import os, random, sys, time\n"
        "from riverboat.errors import GameError\n"
        "class Mine:\n"
        f"    {extra or 'pass'}\n"
        "    def act(self, view):\n"
        f"        {body}\n"
    )
    return str(file)


PASSIVE = "return 'k' if view.legal.check else 'c'"


@pytest.mark.parametrize(
    ("act", "extra", "reason"),
    [
        ("return 'k'", "", "'k' is illegal in hand .*; legal: f, c"),
        ("return 7", "", "7 is illegal in hand"),
        ("return 'nonsense'", "", "'nonsense' is illegal in hand"),
        ("return None", "", "None is illegal in hand"),
        ("1 / 0", "", "^zero division error: division by zero, in act, hand 5, seat 0, after ''"),
        (PASSIVE, "def hand_over(self, view): raise OSError('no disk')", "no disk, in hand_over"),
        (PASSIVE, "def hand_started(self, view): {}[1]", "^key error: 1, in hand_started"),
        ("return random.choice(list(view.legal))", "", "the bot is not repeatable"),
    ],
)
def test_faults_are_found(tmp_path: Path, act: str, extra: str, reason: str) -> None:
    check = check_game(written(tmp_path, act, extra), GAME[0], hands=20, seed=5)
    assert check.outcome == "failed"
    with pytest.raises(GameError, match=reason):
        raise GameError(check.reason)


def test_a_refusal_is_no_fault_unless_it_comes_late(tmp_path: Path) -> None:
    refusing = written(tmp_path, "raise GameError('I play no Kuhn')")
    check = check_game(refusing, GAME[0])
    assert (check.outcome, check.reason) == ("refused", "I play no Kuhn")
    assert not ConformanceReport(refusing, 0, (check,)).passed  # it must play something
    late = written(
        tmp_path,
        f"self.n = getattr(self, 'n', 0) + 1\nif self.n > 3: raise GameError('enough')\n{PASSIVE}",
    )
    assert check_game(late, GAME[0]).outcome == "failed"


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("time.sleep(100)", "no answer within 0.5 s"),
        ("os._exit(3)", "its process ended (exit code 3)"),
        *slowly(("sys.exit(4)", "its process ended (exit code 4)")),
    ],
)
def test_bots_that_end_or_stall(tmp_path: Path, act: str, reason: str) -> None:
    # They fail only the game in which they do it: the next has a new process.
    act = f"if len(view.stacks) == 2: {act}\n{PASSIVE}"
    games = (("kuhn", 2), ("kuhn3", 3))
    # On a busy machine a process takes its time to end; only the one that sleeps is not awaited.
    limit = 0.5 if "sleep" in act else 30.0
    checks = list(check_bot(written(tmp_path, act), games, hands=2, limit=limit))
    assert [check.outcome for check in checks] == ["failed", "passed"]
    assert checks[0].reason == reason


def test_what_a_bot_prints_does_not_matter(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bot = written(tmp_path, f"print('thinking')\n{PASSIVE}")
    (check,) = check_bot(bot, GAME, hands=1)
    assert check.outcome == "passed"
    assert capfd.readouterr().out == ""


def test_wrong_numbers() -> None:
    with pytest.raises(GameError, match="hands=0 and limit=35 must be above 0"):
        list(check_bot("fish", hands=0))
    with pytest.raises(GameError, match="'whale' is not a bot"):
        list(check_bot("whale"))
    with pytest.raises(GameError, match="limit=nan must be above 0"):
        list(check_bot("fish", limit=float("nan")))
    with pytest.raises(GameError, match="limit=inf: a decision may take at most"):
        list(check_bot("fish", limit=float("inf")))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("while True: pass", "the bot cannot be created: no answer within 1 s"),
        ("raise SystemExit(3)", "the bot cannot be created: its process ended (exit code 3)"),
        *slowly(
            ("import os; os._exit(4)", "the bot cannot be created: its process ended (exit code 4)")
        ),
    ],
)
def test_a_file_that_fails_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, reason: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(f"{line}\nclass Mine:\n    def act(self, view):\n        return 'k'\n")
    games = (("kuhn", 2), ("leduc", 2))
    if "while" in line:  # it never comes, and is waited for in each game
        monkeypatch.setattr(_outside, "_LEAST_TO_MAKE", 1.0)
    checks = list(check_bot(str(path), games, hands=1, limit=0.5))
    assert [(check.outcome, check.reason) for check in checks] == [("failed", reason)] * len(games)


@not_sanitized("there are no limits of memory")
def test_a_bot_that_eats_memory_fails(tmp_path: Path) -> None:
    # Nothing is touched: address space is what is bounded, at 4 GiB.
    bot = written(tmp_path, "import mmap\nmmap.mmap(-1, 1 << 33)\nreturn 'k'")
    (check,) = check_bot(bot, GAME, hands=1)
    assert check.outcome == "failed"
    assert "act" in check.reason
