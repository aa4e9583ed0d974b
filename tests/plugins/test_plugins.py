"""Names of other packages: found late, refused with a sentence, and harmless when broken."""

import sys
import zipfile
from pathlib import Path

import pytest

from plugins.installed import install
from riverboat.bots import BotKind, BotRef, all_bots, bot_faults, bot_names, make_bot
from riverboat.buckets import KINDS, kind_faults, make_abstraction
from riverboat.cli import main
from riverboat.errors import AbstractionError, GameError, SolveError
from riverboat.evaluate import compare
from riverboat.game import Hand, catalogue, game_names
from riverboat.plain import rule_faults


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_nothing_is_imported_before_it_is_asked_for(site: Path) -> None:
    (site / "late_bot.py").write_text("class Late:\n    def act(self, view):\n        return 'c'\n")
    install(site, "late", {"riverboat.bots": {"late": "late_bot:Late"}})
    assert "late" in bot_names()
    make_bot("fish", seed=0)
    assert "late_bot" not in sys.modules
    assert make_bot("LATE", seed=0).act(None) == "c"  # type: ignore[arg-type]  # it does not look
    assert BotRef.parse("late").kind.source == "late"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import nowhere_at_all\n", "module not found error: No module named 'nowhere_at_all'"),
        ("raise SystemExit('gone')\n", "system exit: gone"),
        ("Broken = 3\n", "3 is neither a BotKind nor a class with act"),
        (
            "from riverboat.bots import BotKind\nBroken = BotKind('other', '', '', print)\n",
            "its BotKind has another name, 'other'",
        ),
    ],
)
def test_a_broken_bot_harms_nothing_else(site: Path, source: str, sentence: str) -> None:
    (site / "broken_bot.py").write_text(source)
    sys.modules.pop("broken_bot", None)
    install(site, "broken", {"riverboat.bots": {"broken": "broken_bot:Broken"}})
    whole = f"the bot 'broken' of the package broken cannot be loaded: {sentence}"
    with pytest.raises(GameError, match=whole):
        make_bot("broken", seed=0)
    assert "broken" not in [kind.name for kind in all_bots()]
    assert len(bot_faults()) == 1
    make_bot("shark", seed=0)
    sys.modules.pop("broken_bot", None)


def test_names_of_our_own_are_refused(site: Path) -> None:
    groups = {
        "riverboat.bots": {"Search": "os:path", "Shark": "os:path"},
        "riverboat.engines": {"acpc": "os:path"},
        "riverboat.games": {"hunl": "os:path"},
        "riverboat.buckets": {"lossless": "os:path"},
    }
    install(site, "rude", groups)
    assert bot_faults() == tuple(
        f"the bot {name!r} of the package rude is refused: "
        "Riverboat has a built-in bot of that name"
        for name in ("Search", "Shark")
    )
    assert BotRef.parse("search").kind.source == "riverboat"
    assert [kind.name for kind in all_bots()].count("search") == 1
    assert BotRef.parse("acpc:./startme.sh").uses_network
    assert [fault.partition(" of ")[2][:7] for fault in kind_faults()] == ["buckets"]
    assert BotRef.parse("shark").kind.source == "husky"
    assert catalogue("hunl").name == "nolimit-200bb"
    assert KINDS["lossless"].sentence
    assert "hunl" not in game_names()


def test_two_packages_with_one_name(site: Path) -> None:
    for package in ("one", "two"):
        install(site, package, {"riverboat.bots": {"twin": "os:path"}})
    with pytest.raises(GameError, match="'twin' is offered by the packages one and two: uninstall"):
        make_bot("twin", seed=0)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("game = 3\n", "3 is neither a GameSpec nor a function that returns one"),
        ("def game(players=2):\n    return 7\n", "is not a GameSpec: 7"),
        ("def game(players=2):\n    raise KeyError('deck')\n", "cannot be made: key error: 'deck'"),
        (
            "from riverboat.game import catalogue\ngame = catalogue('kuhn')\n",
            "own-game is for 2 players, not 3",
        ),
    ],
)
def test_wrong_games(site: Path, source: str, sentence: str) -> None:
    (site / "own_game.py").write_text(source)
    sys.modules.pop("own_game", None)
    install(site, f"games-{abs(hash(source))}", {"riverboat.games": {"own-game": "own_game:game"}})
    with pytest.raises(GameError, match=sentence):
        catalogue("own-game", 3)
    sys.modules.pop("own_game", None)


def test_wrong_kinds_of_buckets(site: Path) -> None:
    install(site, "kinds", {"riverboat.buckets": {"wrong": "os:path"}})
    with pytest.raises(AbstractionError, match="the kind of buckets 'wrong' of the package kinds"):
        make_abstraction("wrong 5")
    assert "wrong" not in list(KINDS)
    assert make_abstraction("suitless 1").num_buckets == (169,)


def test_wrong_regret_rules(site: Path) -> None:
    install(site, "rules", {"riverboat.rules": {"wrong": "os:path", "dcfr": "os:path"}})
    sentence = "the regret rule 'wrong' of the package rules .* it has no strategy and no update"
    with pytest.raises(SolveError, match=sentence):
        compare("kuhn", "wrong", iterations=1)
    assert "'dcfr' of the package rules is refused" in rule_faults()[0]
    assert compare("kuhn", "dcfr", iterations=1).finished


def test_the_lists_say_what_is_broken(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(
        site,
        "missing",
        {"riverboat.bots": {"gone": "gone:Gone"}, "riverboat.buckets": {"away": "gone:Gone"}},
    )
    for words in (["bots", "--json"], ["buckets", "kinds", "--json"]):
        monkeypatch.setattr(sys, "argv", ["riverboat", *words])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        shown = capsys.readouterr()
        assert shown.out.startswith("{")
        assert "of the package missing cannot be" in " ".join(shown.err.split())


def test_a_kind_may_be_given_whole(site: Path) -> None:
    (site / "whole_kind.py").write_text(
        "from riverboat.bots import BotKind, make_bot\n"
        "def make(seed, settings):\n    return make_bot('checkcall', seed)\n"
        "KIND = BotKind('whole', 'checks', 'me', make)\n"
    )
    install(site, "whole", {"riverboat.bots": {"whole": "whole_kind:KIND"}})
    assert isinstance(BotRef.parse("whole").kind, BotKind)
    assert BotRef.parse("whole").kind.line == "checks"


def test_another_package_may_add_an_engine(site: Path) -> None:
    (site / "tin_engine.py").write_text(
        "from riverboat.bots import Engine, make_bot\n"
        "TIN = Engine(lambda place, seed: make_bot('checkcall', seed))\n"
        "WRONG = 3\n"
    )
    groups = {"riverboat.engines": {"tin": "tin_engine:TIN", "bent": "tin_engine:WRONG"}}
    install(site, "tin", groups)
    ref = BotRef.parse("tin:players/one")
    assert (ref.form, ref.file, ref.uses_network) == ("engine", Path("players/one"), False)
    assert ref.untrusted
    assert ref.make(0).act(Hand(catalogue("kuhn"), seed=1).view(0)) == "k"
    with pytest.raises(GameError, match=r"'bent' of the package tin .* 3 is not an Engine"):
        make_bot("bent:x", 0)


def test_a_package_that_comes_twice_counts_once(
    site: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first on the path, as `importlib.metadata.entry_points` says; and packages of a ZIP."""
    later = tmp_path_factory.mktemp("later")
    monkeypatch.setattr(sys, "path", [*sys.path, str(later)])
    for folder, value in ((site, "twice_bot:First"), (later, "twice_bot:Second")):
        install(folder, "twice", {"riverboat.bots": {"twice": value}})
    (site / "twice_bot.py").write_text(
        "class First:\n    def act(self, view):\n        return 'c'\n"
    )
    assert make_bot("twice", seed=0).act(None) == "c"  # type: ignore[arg-type]
    packed = tmp_path_factory.mktemp("packed") / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("packed-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\n")
        archive.writestr("packed-1.dist-info/entry_points.txt", "[riverboat.bots]\npacked = a:B\n")
    monkeypatch.syspath_prepend(packed)
    assert {"packed", "twice"} <= set(bot_names())
