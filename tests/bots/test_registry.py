"""Bots by name, with settings, and from files."""

from pathlib import Path
from typing import Annotated

import pytest

from riverboat.bots import (
    Bot,
    BotKind,
    BotRef,
    BotSettings,
    all_bots,
    bot_names,
    make_bot,
    register,
    split_bots,
)
from riverboat.bots import _registry as registry
from riverboat.bots._equity_bots import Shark
from riverboat.bots._simple_bots import Fish
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue
from riverboat.settings import meaning

VIEW = Hand(catalogue("nolimit-100bb"), seed=1).view(0)


def test_every_bot_can_be_made_and_says_what_it_does(strategy_files: dict[str, Path]) -> None:
    assert len(bot_names()) == len(set(bot_names())) >= 21
    for kind in all_bots():
        text = f"{kind.name}:{strategy_files[kind.name]}" if kind.takes_file else kind.name
        bot = make_bot(text, seed=1)
        assert BotRef.parse(text).file == strategy_files.get(kind.name)
        assert isinstance(bot, Bot)
        assert kind.line
        assert kind.source in ("husky", "cardiff", "pineapple", "pypokerengine", "riverboat")
        assert getattr(bot, "learns", False) == kind.learns
        assert all(parameter.text for parameter in kind.parameters)


def test_defaults_are_the_seeds() -> None:
    # shared settings of the seeds: husky's table of heuristic bots, cardiff's experiments.
    values = {
        (kind.name, parameter.name): parameter.default
        for kind in all_bots()
        for parameter in kind.parameters
    }
    assert values["angry-fish", "high"] == 0.65
    assert values["honest", "low"] == 0.375
    assert (values["shark", "low"], values["shark", "high"]) == (0.1, 0.6)
    assert values["shark", "exponent"] == -0.25
    assert (values["killer", "bins"], values["killer", "learning_rate"]) == (5, 0.1)
    assert (values["killer", "ties"], values["montecarlo", "ties"]) == ("loss", "win")
    assert values["montecarlo", "samples"] == 10_000
    assert values["honest-pypokerengine", "samples"] == 1000


def test_settings_from_text() -> None:
    bot = make_bot("Shark: low=0.2 , high = 0.7, size=max, samples=1_000", seed=0)
    assert isinstance(bot, Shark)
    assert (bot.settings.low, bot.settings.high) == (0.2, 0.7)
    assert (bot.settings.size, bot.settings.samples) == ("max", 1000)
    assert BotRef.parse("ANGRY FISH").kind is BotRef.parse("angry-fish").kind


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("shark:low=2", "low=2.0 is not allowed: it must be a number from 0 to 1"),
        ("shark:low=nan", "low=nan is not allowed: it must be a number from 0 to 1"),
        ("shark:low=much", "low=much is not allowed: it must be a number from 0 to 1"),
        ("shark:samples=1.5", "samples=1.5 is not allowed: it must be a whole number from 0 to"),
        ("shark:size=huge", "size=huge is not allowed: it must be min, double, mid or max"),
        (
            "shark:depth=3",
            "shark has no setting 'depth'; the settings of shark are samples .*, low .*high",
        ),
        ("shark:0.1", "'0.1' needs a name, as in name=value; the settings of shark are samples"),
        ("fish:low=1", "fish has no setting 'low'; fish has no settings"),
        ("killer:line=maybe", "line=maybe is not allowed: it must be yes or no"),
        ("", "'' is not a bot: there are checkcall, random, fish"),
        ("nowhere/bot.py", "there is no file 'nowhere/bot.py'"),
        ("cfrv2", "cfrv2 plays from a strategy file: give one, as in cfrv2:FILE"),
        ("blueprint:nowhere", "there is no strategy file 'nowhere'"),
        ("blueprint:nowhere,style=wild", "style=wild is not allowed: it must be plain, aggressive"),
        ("cfrv1:nowhere,streets=3", "no setting 'streets'; the settings of cfrv1 are file"),
    ],
)
def test_wrong_text(text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make_bot(text, seed=0)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, None])
def test_wrong_seed(seed: object) -> None:
    with pytest.raises(GameError, match="a seed must be a whole number from 0 to 2"):
        make_bot("shark", seed)  # type: ignore[arg-type]  # wrong on purpose


def test_wrong_values_are_refused_in_python_too() -> None:
    shark = BotRef.parse("shark").kind.settings
    for wrong in (2, "0.5", True, float("nan")):
        with pytest.raises(GameError, match="it must be a number from 0 to 1"):
            shark(low=wrong)


@pytest.mark.parametrize(
    ("text", "parsed", "file"),
    [
        ("fish", ("named", "fish", ""), None),
        ("Shark: low=0.1", ("named", "Shark", " low=0.1"), None),
        ("blueprint:a.blueprint", ("named", "blueprint", "a.blueprint"), Path("a.blueprint")),
        ("mine.py", ("python", "mine.py", ""), Path("mine.py")),
        ("a:b/mine.py:Mine", ("python", "a:b/mine.py", "Mine"), Path("a:b/mine.py")),
        ("acpc:./startme.sh", ("engine", "acpc", "./startme.sh"), Path("startme.sh")),
        ("mit:player@2025", ("engine", "mit", "player@2025"), Path("player")),
        ("pypokerengine:a.py:Fish", ("engine", "pypokerengine", "a.py:Fish"), Path("a.py")),
        ("lines", ("named", "lines", ""), None),
    ],
)
def test_references(text: str, parsed: tuple[str, str, str], file: Path | None) -> None:
    ref = BotRef.parse(text)
    assert (ref.form, ref.name, ref.settings) == parsed
    assert ref.untrusted == (ref.form != "named")
    assert ref.uses_network == (ref.name in ("acpc", "mit"))
    if text == "lines":
        with pytest.raises(GameError, match="'lines' is not a bot"):
            ref.make(0)
    else:
        assert ref.file == file


def test_references_take_more_settings() -> None:
    shark = BotRef.parse("shark").with_settings({"low": 0.1, "samples": 1_000_000})
    assert shark.text == "shark:low=0.1,samples=1000000"
    assert shark.with_settings({"high": 0.5}).settings == "low=0.1,samples=1000000,high=0.5"
    assert shark.with_settings({}) is shark


def test_lists_of_bots() -> None:
    assert split_bots("fish") == ["fish"]
    assert split_bots("shark:low=0.1,high=0.5,fish") == ["shark:low=0.1,high=0.5", "fish"]
    assert split_bots("mybot.py:Mine, killer:line=yes") == ["mybot.py:Mine", "killer:line=yes"]
    assert split_bots("random,") == ["random", ""]


class FileSettings(BotSettings, frozen=True, kw_only=True):
    """As a bot with a strategy file would have."""

    file: Annotated[str, meaning("the file", positional=True)] = ""
    fallback: Annotated[str, meaning("who plays where it is untrained")] = "fish"


class FileBot(Fish):
    """Keeps its settings."""

    def __init__(self, seed: int, settings: FileSettings) -> None:
        super().__init__(seed)
        self.given = settings


def test_other_packages_can_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register(BotKind("strategy-file", "plays a file", "riverboat", FileBot, FileSettings))
    bot = make_bot("strategy-file:runs/a.blueprint,fallback=honest", seed=0)
    assert isinstance(bot, FileBot)
    assert bot.given == FileSettings(file="runs/a.blueprint", fallback="honest")
    with pytest.raises(GameError, match="there is already a bot 'Strategy File'"):
        register(BotKind("Strategy File", "again", "riverboat", FileBot, FileSettings))


TWO_BOTS = """
import helper_of_my_bot

class First:
    def __init__(self, seed):
        self.seed = seed
    def act(self, view):
        return helper_of_my_bot.MOVE

class Second:
    def act(self, view):
        return "f"

class NoBot:
    pass
"""


def test_bots_from_files(tmp_path: Path) -> None:
    (tmp_path / "helper_of_my_bot.py").write_text('MOVE = "c"\n')
    file = tmp_path / "two.py"
    file.write_text(TWO_BOTS)
    first = make_bot(f"{file}:First", seed=7)
    assert vars(first) == {"seed": 7}
    assert first.act(VIEW) == "c"
    assert make_bot(f"{file}:Second", seed=7).act(VIEW) == "f"
    with pytest.raises(GameError, match=r"one class with act\(view\).*it has First, Second"):
        make_bot(str(file), seed=7)
    with pytest.raises(GameError, match=r"has no bot 'NoBot'; .* First, Second"):
        make_bot(f"{file}:NoBot", seed=7)
    file.write_text(TWO_BOTS[: TWO_BOTS.index("class Second")])
    assert make_bot(str(file), seed=3).act(VIEW) == "c"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("def broken(", "cannot be loaded: syntax error"),
        ("1 / 0", "cannot be loaded: zero division error: division by zero"),
        (
            "class A:\n    def act(self, view): ...\n    def __init__(self): 1 / 0",
            "cannot be created",
        ),
        ("x = 1", "must have exactly one class with act"),
    ],
)
def test_files_that_do_not_work(tmp_path: Path, code: str, sentence: str) -> None:
    file = tmp_path / "bad.py"
    file.write_text(code)
    with pytest.raises(GameError, match=sentence):
        make_bot(str(file), seed=0)
