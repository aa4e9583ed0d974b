"""First contact of a newcomer: misspelt names, hints, help, completion, clear errors."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.typed import riverboat
from docs.command_names import wrong_words
from docs.shell import words_of
from riverboat import __version__
from riverboat.cli import _completion, _output
from riverboat.cli._app import COMMANDS, GROUPS, load
from riverboat.cli._help import EXAMPLES
from riverboat.cli._train import next_steps
from riverboat.game import GameSpec, catalogue
from sizes import slowly


def refusal(*words: str) -> str:
    return " ".join(riverboat(*words, code=2).stderr.split())


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["bots", "shrak"], "shark"),
        (["show", "defalt"], "default"),
        (["match", "mont-carlo", "fish", "--no-ledger"], "montecarlo"),
        (["match", "shark:hihg=0.7", "fish", "--no-ledger"], "high"),
        (["train", "lapotp"], "laptop"),
        (["tree", "-g", "leducc", "-m", "min"], "leduc"),
        (["tree", "-g", "nolimit-100bb", "-m", "lapotp"], "laptop"),
        (["reproduce", "cardif"], "cardiff"),
        (["buckets", "percentil 9/9/9/9"], "percentile"),
    ],
)
def test_did_you_mean(words: list[str], meant: str) -> None:
    assert f"(did you mean '{meant}'?)" in refusal(*words)


def test_a_key_of_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('game = "leduc"\nmenu = "min"\nsede = 3\n')
    assert "has no setting 'sede' (did you mean 'seed'?)" in refusal("train", str(path))


@pytest.mark.parametrize(
    "words",
    [
        ("show", "lptop.blueprint"),
        ("blueprint", "info", "lptop.blueprint"),
        ("blueprint", "compare", "default", "lptop.blueprint"),
        ("match", "fish", "blueprint:lptop.blueprint"),
        ("play", "--opponents", "blueprint:lptop.blueprint"),
    ],
)
def test_did_you_mean_a_file(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "laptop.blueprint").write_bytes(b"")
    said = "there is no strategy file 'lptop.blueprint' (did you mean 'laptop.blueprint'?)"
    assert said in refusal(*words)


def test_did_you_mean_a_file_of_another_folder(tmp_path: Path) -> None:
    (tmp_path / "laptop.blueprint").write_bytes(b"")
    meant = str(tmp_path / "laptop.blueprint")
    said = refusal("blueprint", "verify", str(tmp_path / "lptop.blueprint"))
    assert f"(did you mean {meant!r}?)" in said


@pytest.mark.parametrize("group", ["blueprint", "cache"])
def test_a_group_alone_shows_its_page(group: str) -> None:
    done = riverboat(group, code=None)
    assert f"Usage: riverboat {group} [OPTIONS] COMMAND" in done.stdout + done.stderr
    assert "Missing command" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("match", "fish", "hark"),
        ("match", "fish", "blueprint", "--game", "kuhn"),
        ("tournament", "fish", "shark", "hark"),
        ("sweep", "shark", "--param", "high=0.5,0.6", "--against", "hark"),
        ("pypokerengine", "fish", "hark"),
    ],
)
def test_no_seed_is_drawn_for_what_is_refused(words: tuple[str, ...]) -> None:
    if words[0] == "pypokerengine":
        pytest.importorskip("pypokerengine")
    assert "Random seed" not in refusal(*words)


def test_a_drawn_seed_is_told() -> None:
    words = ("match", "fish", "checkcall", "--game", "leduc", "--hands", "20", "--no-ledger")
    done = riverboat(*words, "--workers", "1")
    told = re.search(r"^Random seed (\d+) \(drawn\)\.$", done.stderr, re.MULTILINE)
    assert told
    assert f"seed {told[1]}" in done.stdout
    assert "drawn" not in riverboat(*words, "--workers", "1", "--seed", "3").stderr


@pytest.mark.parametrize("words", [("doctor",), ("cache", "show")])
def test_no_heavy_boxes(words: tuple[str, ...]) -> None:
    assert not set("┃┏│┌") & set(riverboat(*words).stdout)


def test_a_strategy_file_given_as_a_bot() -> None:
    assert "(did you mean 'blueprint:my.blueprint'?)" in refusal("bots", "my.blueprint")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "is a PNG picture"),
        (b"%PDF-1.7 and so on", "is a PDF document"),
        ("hand,fold,call\nAKs,0.1,0.9 é\n".encode() * 20, "is a text file"),
    ],
)
def test_another_file_is_not_called_damaged(content: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.blueprint"
    path.write_bytes(content)
    for words in (["show", str(path)], ["match", f"blueprint:{path}", "fish", "--no-ledger"]):
        said = refusal(*words)
        assert kind in said
        assert "damaged" not in said
    path.write_bytes(bytes([200, 0, 0, 0, 0, 0, 0, 0]) + b"{")
    assert "damaged" in refusal("show", str(path))


def test_default_is_the_shipped_strategy_everywhere() -> None:
    shown = riverboat("blueprint", "info", "default").stdout
    assert "default.blueprint" in "".join(shown.split())  # long paths are broken
    assert "all" in riverboat("blueprint", "compare", "default", "default").stdout
    words = ("--hands", "2", "--seed", "1", "--no-ledger", "--workers", "1")
    for bot in ("default", "blueprint:default"):
        assert bot in riverboat("match", bot, "fold", *words).stdout
    assert "nolimit-100bb" in riverboat("show", "default").stdout


@pytest.mark.slow
def test_default_is_combined(tmp_path: Path) -> None:
    path = tmp_path / "both.blueprint"
    riverboat("blueprint", "combine", "default", "default", "-o", str(path))
    assert path.exists()


def test_show_makes_no_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "chart.png"
    assert "its folder does not exist" in refusal("show", "default", "--plot", str(path))
    assert not path.parent.exists()


def test_a_bet_without_an_amount() -> None:
    typed = "b\nraise to\nbet\nq\n"
    words = ("--seed", "5", "-o", "checkcall", "--no-histories", "--no-ledger")
    shown = riverboat("play", *words, typed=typed).stdout
    for word in ("b", "raise to", "bet"):
        assert f"{word} needs an amount: 20 to 1,000, as in b20; or min, half, pot" in shown


def test_a_range_of_nothing() -> None:
    assert "a range of no hands" in refusal("range", "")
    assert "a range of no hands" in refusal("range", "  ")


def test_python_m_riverboat() -> None:
    start = [sys.executable, "-m", "riverboat", "--version"]
    done = subprocess.run(start, check=True, capture_output=True, text=True)
    assert done.stdout == f"riverboat {__version__}\n"


@pytest.mark.parametrize("count", ["0", "-5", "99999999999999999999"])
def test_hands_say_their_bounds(count: str) -> None:
    said = refusal("match", "fish", "random", "--hands", count, "--no-ledger")
    assert f"'{count}' is not allowed: it must be a whole number from 1 to 10,000,000,000" in said


def test_own_cards_begin_with_the_highest() -> None:
    """Seed 3 deals the six before the jack."""
    words = ("--seed", "3", "-o", "checkcall", "--no-histories", "--no-ledger")
    assert "You hold J♠ 6♥" in riverboat("play", *words, typed="q\n").stdout


def names_of(command: object, path: str) -> dict[str, object]:
    below = getattr(command, "commands", None)
    found = {path: command}
    for name, each in (below or {}).items():
        found |= names_of(each, f"{path} {name}")
    return found


PAGES = {words: page for name in COMMANDS for words, page in names_of(load(name), name).items()}


def test_the_groups() -> None:
    titles = ["Play", "Study", "Train", "Measure", "Reproduce", "Cards and files"]
    assert list(GROUPS) == titles
    page = riverboat("--help").stdout
    assert [title for title in titles if f"─ {title} ─" in page] == titles


@pytest.mark.parametrize("words", PAGES)
def test_every_command_has_two_examples(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = riverboat(*words.split(), "--help").stdout
    assert "<bool>" not in page
    assert len(EXAMPLES[words]) >= 2
    for example in EXAMPLES[words]:
        assert f"   riverboat {example}\n" in page  # on one line, however narrow the terminal
        assert example.startswith(words)
        assert wrong_words(words_of(example)) == []


def test_examples_are_of_commands() -> None:
    assert set(EXAMPLES) == {"", *PAGES}


def completed(*words: str) -> list[str]:
    """Completions of the last word."""
    code = "from riverboat.cli import main; import sys; sys.argv = ['riverboat']; main()"
    env = {
        "_RIVERBOAT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["riverboat", *words]),
        "COMP_CWORD": str(len(words)),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )
    return [line.removeprefix("plain,") for line in done.stdout.split()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("repl",), ["replay"]),
        (("match", "montecarlo-"), ["montecarlo-plus"]),
        *slowly(
            (("train", "lap"), ["laptop"]),
            (("tree", "--game", "led"), ["leduc"]),
            (("reproduce", "yer"), ["yerevan"]),
        ),
    ],
)
def test_the_shell_completes(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


def test_completion_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "mine.toml", "mine.blueprint", "mine.txt"):
        (tmp_path / name).touch()
    (tmp_path / "minor").mkdir()
    assert _completion.bots("min") == ["mine.py", "minor/"]
    assert _completion.recipes("mine") == ["mine.toml"]
    assert _completion.strategies("mine") == ["mine.blueprint"]
    assert _completion.bots("blueprint:min") == ["blueprint:mine.blueprint", "blueprint:minor/"]
    assert _completion.opponents("fish,mine") == ["fish,mine.py"]
    assert _completion.menus("fc") == ["fcpa"]
    assert _completion.strategies("nowhere/") == []


@pytest.mark.parametrize(("uv", "checkout"), [(True, True), (True, False), (False, True)])
def test_hints_work_where_the_reader_stands(
    uv: bool, checkout: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH", raising=False)
    if uv:
        monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    if checkout:
        (tmp_path / "src" / "riverboat").mkdir(parents=True)
        (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    _output._within_uv.cache_clear()
    try:
        start = "uv run riverboat" if uv and checkout else "riverboat"
        assert _output.hint("show", "a b") == f"{start} show 'a b'"
    finally:
        _output._within_uv.cache_clear()


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        (catalogue("nolimit-100bb"), 3),
        (catalogue("kuhn3"), 3),
        (catalogue("nolimit-100bb").replace(name="mine", blinds=(1, 2)), 1),
    ],
)
def test_next_steps_are_commands(spec: GameSpec, lines: int) -> None:
    steps = next_steps(Path("my bot.blueprint"), spec)
    assert len(steps) == lines
    for line in steps:
        words = words_of(line.partition("riverboat ")[2])
        assert wrong_words(words) == []
        assert any("my bot.blueprint" in word for word in words)


def test_faults_are_told_without_the_names_of_exceptions(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    said = refusal("match", str(path), "fish", "--no-ledger")
    assert "zero division error: division by zero" in said
    assert "ZeroDivisionError" not in said


@pytest.mark.parametrize(
    ("shell", "script", "start"),
    [
        ("bash", ".bash_completions/riverboat.sh", ".bashrc"),
        ("zsh", ".zfunc/_riverboat", ".zshrc"),
        ("fish", ".config/fish/completions/riverboat.fish", None),
    ],
)
def test_completion_is_installed_once(
    shell: str,
    script: str,
    start: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    for _ in range(2):
        assert str(tmp_path / script) in riverboat("--install-completion").stdout
    assert f"_RIVERBOAT_COMPLETE={shell}_complete" in (tmp_path / script).read_text()
    assert riverboat("--show-completion").stdout.strip() == (tmp_path / script).read_text().strip()
    if start is not None:
        assert len((tmp_path / start).read_text().splitlines()) == 1


def test_a_shell_without_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert "no completion for the shell 'tcsh' ($SHELL): it works with bash, zsh, fish" in refusal(
        "--install-completion"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("play", "--seats", "33"),
            "'--seats': '33' is not allowed: it must be a whole number from 2",
        ),
        (
            ("match", "fish", "--hands", "x"),
            "'--hands': 'x' is not allowed: it must be a whole number",
        ),
        (("blueprint", "prune"), "Missing argument 'file'"),
        (("blueprint", "combine", "--method", "x"), "it must be sum or weighted"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(words: tuple[str, ...], said: str) -> None:
    assert said in refusal(*words)
