"""Help pages, and modules that a command must not import."""

import subprocess
import sys

import pytest

from cli.typed import riverboat
from riverboat.cli._app import COMMANDS, load

#: What only training, reports and pictures need.
HEAVY = {
    "matplotlib",
    "msgspec",
    "numpy",
    "riverboat.arena",
    "riverboat.bots",
    "riverboat.reproductions",
}
#: What draws the page itself.
PAGE = {f"riverboat.cli._{name}" for name in ("app", "help", "completion")}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_line_is_the_commands_own(name: str) -> None:
    said = " ".join((load(name).help or "").split("\n\n")[0].split())
    assert COMMANDS[name] == said


def test_the_page_has_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    page = riverboat("--help").stdout
    assert all(f"│ {name} " in page and line in page for name, line in COMMANDS.items())
    assert all(option in page for option in ("--version", "--install-completion", "-h, --help"))
    assert riverboat("-h").stdout == page


def test_an_argument_that_may_be_left_out() -> None:
    page = riverboat("serve", "--help").stdout
    assert "serve [OPTIONS] [folder]..." in page
    assert "│ folder... " in page


def test_a_wrong_word_is_told() -> None:
    assert "Did you mean 'evaluate'?" in riverboat("evalute", code=2).stderr
    assert "No such command" in riverboat("blueprint", "shw", code=2).stderr
    assert "No such option" in riverboat("--vrsion", code=2).stderr


def loaded(*words: str) -> set[str]:
    """The modules that a command imports, run in its own process."""
    code = (
        "import atexit, sys; from riverboat.cli import main\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    start = [sys.executable, "-c", code, *words]
    return set(subprocess.run(start, check=True, capture_output=True, text=True).stderr.split())


def test_help_imports_no_command() -> None:
    modules = loaded("--help")
    assert not modules & (HEAVY | {"riverboat._core"})
    assert not any(name.startswith("riverboat.cli._") for name in modules - PAGE)


@pytest.mark.parametrize(
    "words", [("evaluate", "AsKsQsJsTs"), ("equity", "AhKh", "QQ", "--board", "Qh7h2c")]
)
def test_a_card_question_waits_for_no_training(words: tuple[str, ...]) -> None:
    modules = loaded(*words)
    assert not modules & (HEAVY - {"numpy", "msgspec"})
    assert "typer" not in modules  # it would import pydantic where that is installed
    packages = {name.split(".")[1] for name in modules if name.startswith("riverboat.")}
    assert not packages & {"buckets", "game", "solve", "training", "tree", "table", "histories"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("play", "--histor", "x"), "(Did you mean one of: '--histories', '--no-histories'?)"),
        (("check-bot", "fish", "--limits", "1"), "Did you mean '--time-limit'?"),
        (("check-bot", "fish", "--time-limit", "x"), "Invalid value for '--time-limit': "),
    ],
)
def test_errors_name_options_as_the_page_does(words: tuple[str, ...], named: str) -> None:
    said = riverboat(*words, code=2).stderr
    assert named in " ".join(said.replace("│", " ").split())
