"""`riverboat play` as a user or a script runs it."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from blueprint.strategies import leduc_solver, save
from cli.typed import riverboat
from riverboat.arena import Ledger
from riverboat.bots import make_bot
from riverboat.errors import HistoryError
from riverboat.game import Hand, View, catalogue, catalogue_names
from riverboat.histories import read, record_of
from riverboat.search import SearchBot
from riverboat.table import HistoryFile
from sizes import few_or_many, slowly

START = [sys.executable, "-c", "from riverboat.cli import main; main()"]


def play(typed: str | bytes, *arguments: str, code: int = 0, encoding: str = "utf-8") -> str:
    """Play a scripted session; return what was printed.

    Hands are not graded: by the shipped strategy without its tables that takes seconds each.
    """
    words = ("play", "--no-grade", *arguments)
    result = riverboat(*words, typed=typed, code=code, encoding=encoding)
    return result.stdout if code == 0 else result.stderr


def test_a_scripted_session(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    typed = "pot\nfish\nk\nhalf\nk\nallin\nc\nk\nk\nk\nk\nk\nk\nk\nk\n"
    shown = play(typed, "--seed", "5", "-o", "checkcall", "--histories", str(path), "--hands", "2")
    assert "You play against Ann (checkcall); seed 5." in shown
    assert "To call 5: pot odds 3.0 to 1, needs 25.0 % equity. Stack 995, SPR 66.0" in shown
    assert "f fold   c call 5   b20 raise to 20 .. 1,000   half 20   pot 30   ? help" in shown
    assert "preflop: Ann calls 20" in shown
    assert "'fish' is not a move: bet a size such as 30, 3bb" in shown
    assert "; type ? for a list" in " ".join(shown.split())
    assert "Your move: half" in shown  # what was typed is in the transcript
    assert "Pot of " in shown
    assert "Played 2 hands: " in shown
    assert f"Hands are saved in {path}" in shown
    result = read(path)
    assert (len(result.hands), result.refused) == (2, ())
    assert [hand.names[0] for hand in result.hands] == ["You", "Ann (checkcall)"]
    assert result.hands[0].line == "b30c/kk/kb30c/kk"  # pot, k, half, k
    total = sum((record.payoffs() or ())[record.names.index("You")] for record in result.hands)
    assert f"Played 2 hands: {total:+,} chips" in shown
    assert not [entry for entry in tmp_path.iterdir() if entry != path]


def test_search_has_its_tables_before_the_first_card(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    monkeypatch.setattr(SearchBot, "build_tables", lambda bot, *_: built.append(bot.settings.file))
    shown = play("f\n", "--seed", "5", "--hands", "1", "--no-histories")
    assert "You play against Ann (search); seed 5." in shown
    assert len(built) == 1
    play("f\n", "--seed", "5", "--hands", "1", "--no-histories", "-o", "blueprint")
    assert len(built) == 1


def test_a_seed_repeats() -> None:
    typed = "c\nk\nb30\nk\nc\nk\nc\nf\n" * 2
    sessions = [play(typed, "--seed", "9", "-s", "4", "--no-histories") for _ in range(2)]
    assert sessions[0] == sessions[1]
    assert play(typed, "--seed", "8", "-s", "4", "--no-histories") != sessions[0]


@pytest.mark.parametrize("rounds", few_or_many(3, 10))
def test_screens_fit_80_columns_without_colours(rounds: int) -> None:
    typed = "c\nk\nmin\nk\nc\nk\nc\nf\n?\n" * rounds
    for game, seats in (("nolimit-200bb", "9"), ("tossem-2026", "3")):
        shown = play(typed, "-g", game, "-s", seats, "--seed", "3", "--no-histories")
        assert "\x1b" not in shown
        assert all(len(line) <= 80 for line in shown.splitlines())


def test_a_narrow_screen_breaks_between_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = play("c\nq\n", "-o", "fish", "--seed", "1", "--no-histories", "--no-ledger")
    lines = shown.splitlines()
    assert all(len(line) <= 60 for line in lines)
    head = lines.index("Hand 1  nolimit-100bb, blinds 5/10")
    assert lines[head + 1] == "result 0 (+0.0 bb/100, 0 hands)"
    odds = lines.index("To call 5: pot odds 3.0 to 1, needs 25.0 % equity.")
    assert lines[odds + 1 : odds + 4] == [
        "Stack 995, SPR 66.0",
        "f fold   c call 5   b20 raise to 20 .. 1,000   half 20",
        "pot 30   ? help",
    ]


def test_a_terminal_without_suits() -> None:
    shown = play("c\nk\n", "--seed", "5", "-o", "fish", "--no-histories", encoding="ascii")
    assert shown.isascii()
    assert re.search(r"You hold [2-9TJQKA][cdhs] [2-9TJQKA][cdhs]\n", shown)


def test_a_session_goes_into_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(path))
    options = ("--seed", "5", "-o", "fish", "--no-histories")
    shown = play("allin\n" * 20, *options, "--hands", "4")
    assert re.search(r"^Played 4 hands: \+[\d,]+ chips\.$", shown, re.MULTILINE)
    assert re.search(r"^Result: \+[\d,.]+ ± [\d,.]+ mbb/hand \(95 %\)\.$", shown, re.MULTILINE)
    assert "Inconclusive after 4 hands. To detect a difference " in " ".join(shown.split())
    assert "All-in EV: " in shown
    (entry,) = Ledger(path).entries()
    assert (entry.kind, entry.bots, entry.seed, entry.hands) == ("play", ("You", "fish"), 5, 4)
    assert entry.settings["carry"] is False
    # One that is not wanted is not entered; nor is one without a hand: test_terminal_control_d.
    assert "ledger" not in play("allin\n" * 9, *options, "--hands", "2", "--no-ledger")
    assert len(Ledger(path).entries()) == 1
    # A ledger that cannot be used does not hide the result.
    path.write_text("this is no database, and long enough to be seen as none")
    shown = play("allin\n" * 9, *options, "--hands", "2")
    assert "Played 2 hands" in shown
    assert "The result was not recorded in the ledger: " in " ".join(shown.split())


def test_hands_are_graded_unless_it_is_not_wanted(tmp_path: Path) -> None:
    bot = f"blueprint:{save(leduc_solver(50), tmp_path / 'a.blueprint')}"
    words = ["-g", "leduc", "-o", bot, "--seed", "5", "--hands", "1"]
    words += ["--no-histories", "--no-ledger"]
    shown = play("k\nc\n" * 6, *words, "--grade")
    assert re.search(r"^EV loss this hand: \d+\.\d\d bb$", shown, re.MULTILINE)
    assert "EV loss this hand" not in play("k\nc\n" * 6, *words)


def test_settings_of_opponents_do_not_crowd_the_table() -> None:
    options = ("--seed", "5", "--hands", "2", "--no-histories")
    shown = play("f\n" * 9, "-o", "rule-based:call_points=6,raise_points=9", *options)
    assert "You play against Ann (rule-based:call_points=6,raise_points=9); seed 5." in shown
    assert re.search(r"^   Ann \(rule-based\) +BB", shown, re.MULTILINE)


@pytest.mark.parametrize("game", catalogue_names())
def test_every_game_is_saved(game: str, tmp_path: Path) -> None:
    typed = "s\nk\nc\nd Ah\nmin\nallin\n" * 60
    # Toss'em asks for one of the own cards; a person would read them from the screen.
    tosses = "".join(f"d {rank}{suit}\n" for rank in "23456789TJQKA" for suit in "cdhs")
    if game == "tossem-2026":
        typed = (tosses + "k\nc\n") * 20
    words = ("-o", "checkcall,random", "--seed", "4", "--hands", "3", "--histories", str(tmp_path))
    shown = play(typed, "-g", game, *words)
    assert "Played 3 hands" in shown
    (path,) = tmp_path.iterdir()
    result = read(path)
    assert (len(result.hands), result.refused) == (3, ())
    assert all(record.hand().settled for record in result.hands)
    assert ("one hand per line" in shown) == (path.suffix == ".jsonl")


@pytest.mark.parametrize("typed", ["", "c\nq\n", b"c\n\n\xff\xfe\x00\n"])
def test_leaving_early(typed: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "new" / "h.phhs"
    shown = play(typed, "--seed", "2", "-o", "checkcall", "--histories", str(path))
    assert list(tmp_path.glob("**/*.phhs")) == [path]
    (record,) = read(path).hands
    lost = -record.hand().contributions[record.names.index("You")]
    assert lost < 0
    assert f"The hand that you left counts as folded: {lost:+,}." in shown
    assert f"Played 1 hand: {lost:+,} chips" in shown


@pytest.mark.parametrize("seed", range(4))  # with a better hand and a worse one
def test_leaving_where_checking_is_free(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "h.phhs"
    words = ("-o", "checkcall", "--histories", str(path))
    shown = play("c\nk\nq\n", "--seed", str(seed), *words)
    (record,) = read(path).hands
    assert (record.line, record.hand().finished) == ("ck/kk/k", False)
    assert "The hand that you left counts as folded: -10." in shown
    assert "Played 1 hand: -10 chips." in shown


def test_leaving_while_all_in_is_no_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a bot thinks about an all-in bet."""
    asked: list[View] = []

    def act(_bot: object, view: View) -> str:
        if view.to_call > 900 and not asked:
            asked.append(view)
            raise KeyboardInterrupt
        return "c"

    monkeypatch.setattr(type(make_bot("checkcall", 0)), "act", act)
    words = ("--seed", "2", "-o", "checkcall", "--no-histories")
    done = riverboat("play", *words, typed="allin\n", code=130)
    assert re.search(r"The hand that you left was finished: [+-]1,000\.", done.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "bridge"], "'bridge' is not a game of the catalogue"),
        (["--game", "kuhn", "--seats", "7"], "kuhn is for 2 to 4 players, not 7"),
        (["--opponents", "random,"], "'' is not a bot: there are checkcall, random"),
        (["--opponents", "blueprint:no.blueprint"], "there is no strategy file 'no.blueprint'"),
        (["--histories", "hands.txt"], "saved in a .phhs file, not in 'hands.txt'"),
    ],
)
def test_mistakes_get_a_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in play("", *arguments, code=2)


def test_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("the data folder is moved by a variable on Linux only")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    play("f\n", "--seed", "1", "--hands", "1", "-o", "fish")
    (path,) = (tmp_path / "riverboat" / "hands").iterdir()
    assert path.name.endswith("-nolimit-100bb.phhs")
    assert len(read(path).hands) == 1


def test_appending(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    play("f\nf\nf\nf\nc\nk\nk\nk\nk\n", "--seed", "1", "-o", "checkcall", "--histories", str(path))
    before = len(read(path).hands)
    assert before >= 2
    play("f\n", "--seed", "4", "-o", "fish", "--histories", str(path), "--hands", "1")
    assert len(read(path).hands) == before + 1
    assert f"[{before + 1}]\n" in path.read_text()
    other = tmp_path / "notes.phhs"
    other.write_text("shopping list\n")
    assert "is not a hand history" in play("f\n", "--histories", str(other), code=2)
    assert other.read_text() == "shopping list\n"


def test_history_file_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    spec = catalogue("nolimit-100bb")
    hand = Hand.from_line(spec, "f", seed=1)
    with pytest.raises(HistoryError, match="cannot be"):
        HistoryFile(blocked / "hands.phhs", spec).save(record_of(hand))
    # The game goes on without.
    words = ("--seed", "1", "--hands", "1", "-o", "fish", "--histories", str(blocked / "h.phhs"))
    shown = play("f\n", *words)
    assert "This hand was not saved: " in shown
    assert "Played 1 hand" in shown


def test_the_screens_of_the_documentation_are_real() -> None:
    page = Path(__file__).parents[2] / "docs" / "play.md"
    decision, result = re.findall(
        r"```text\n(.*?)\n```", page.read_text(encoding="utf-8"), re.DOTALL
    )
    usual = ("--no-histories", "--hands", "1")
    shown = play("pot\n", "--seats", "4", "--seed", "12", "-o", "checkcall,random", *usual)
    shown += play("pot\nhalf\nhalf\nk\n", "-s", "3", "--seed", "23", "-o", "checkcall", *usual)
    plain = "\n".join(line.rstrip() for line in shown.splitlines())
    assert decision in plain
    assert result in plain


class Terminal:
    """A real pseudo-terminal with `riverboat play` in it."""

    def __init__(self, *arguments: str) -> None:
        self.process, self.handle = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [*START, "play", "--no-grade", *arguments])  # noqa: S606 - our own program
        self.shown = ""

    def wait_for(self, text: str) -> None:
        """Read until `text` is on the screen."""
        start, deadline = len(self.shown), time.monotonic() + 60
        while text not in self.shown[start:]:
            assert time.monotonic() < deadline, self.shown[-2000:]
            if select.select([self.handle], [], [], 1.0)[0]:
                try:
                    self.shown += os.read(self.handle, 65536).decode(errors="replace")
                except OSError as error:  # the other end is closed
                    raise AssertionError(self.shown[-2000:]) from error

    def type(self, text: str) -> None:
        """Send keys; Ctrl-C a moment later than others.

        Between the prompt and its first look at the keyboard Python takes note of Ctrl-C only with
        the next key, for which nobody would wait at a real table.
        """
        if "\x03" in text:
            time.sleep(0.5)
        os.write(self.handle, text.encode())

    def code(self) -> int:
        """Read to the end; return the exit code."""
        while True:
            if not select.select([self.handle], [], [], 60.0)[0]:
                os.kill(self.process, signal.SIGKILL)  # it hangs: fail, do not wait for ever
            try:
                data = os.read(self.handle, 65536)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode(errors="replace")
        os.close(self.handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def test_terminal_session_and_control_c(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    terminal = Terminal("--seed", "5", "-o", "checkcall", "--histories", str(path))
    terminal.wait_for("Press Enter to deal the first hand: ")
    terminal.type("\n")
    terminal.wait_for("Your move: ")
    assert "\x1b[" in terminal.shown  # a terminal gets colours
    terminal.type("f\n")
    terminal.wait_for("Press Enter to deal the next hand, q to leave: ")
    terminal.type("\n")
    terminal.wait_for("Your move: ")
    terminal.type("hal\x03")  # in the middle of a word
    assert terminal.code() == 130
    end = terminal.shown[-600:]
    assert "The hand that you left counts as folded: -10." in end
    assert "Played 2 hands: " in end
    assert "Traceback" not in terminal.shown
    assert len(read(path).hands) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["hands.phhs"]


def test_terminal_control_d(tmp_path: Path) -> None:
    terminal = Terminal("--seed", "5", "-o", "fish", "--histories", str(tmp_path))
    terminal.wait_for("Press Enter to deal the first hand: ")
    terminal.type("\x04")
    assert terminal.code() == 0
    assert "Played 0 hands" in terminal.shown
    assert "ledger" not in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("pause", [0.01, *slowly(0.0, 0.05)])
def test_control_c_while_saving(pause: float, tmp_path: Path) -> None:
    """After an interruption at any moment the file is complete, without leftovers."""
    path = tmp_path / "hands.phhs"
    process = subprocess.Popen(
        [*START, "play", "--no-grade", "--seed", "1", "--histories", str(path), "-o", "checkcall"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"f\nk\nf\nk\n" * 2000)
    process.stdin.flush()
    while b"is over" not in process.stdout.readline():
        pass
    time.sleep(pause)
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130), errors
    assert b"Traceback" not in errors
    assert b"Played " in shown
    result = read(path)
    assert result.hands
    assert not result.refused
    assert [entry.name for entry in tmp_path.iterdir()] == ["hands.phhs"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "blueprint", "-s", "3"], "the tree is for 2 players, the table has 3"),
        (["-o", "blueprint", "-g", "kuhn"], "this strategy does not play 'kuhn'"),
        (["-o", "fish,rule-based", "-g", "kuhn"], "rule-based plays only hold'em"),
    ],
)
def test_who_cannot_sit_there_is_refused_before_the_first_hand(
    words: list[str], sentence: str
) -> None:
    result = riverboat("play", *words, "--seed", "1", typed="c\n", code=2)
    assert sentence in result.stderr
    assert "You play against" not in result.stdout


def test_own_games_are_played_saved_and_read_again(tmp_path: Path) -> None:
    game = tmp_path / "mine.toml"
    game.write_text(
        '[game]\nname = "my kuhn"\nstacks = [4, 4]\nantes = [1, 1]\nbetting = "fixed-limit"\n'
        'ranks = "TJQK"\nsuits = "s"\nshowdown = "one-card"\n'
        "[[game.streets]]\nhole = 1\nbet_size = 1\nmax_raises = 2\n"
    )
    path = tmp_path / "hands.jsonl"
    words = ["--game", str(game), "-o", "checkcall", "--hands", "1", "--histories", str(path)]
    assert "my kuhn, ante 1" in play("k\n", *words, "--seed", "1")
    [record] = read(path).hands
    assert (record.spec.ranks, record.spec.name, record.line) == ("TJQK", "my kuhn", "kk")
