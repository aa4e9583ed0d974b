"""Search from the flop on, and on a card: the kernels' twin stands in where none is."""

from typing import Any

import numpy as np
import pytest

from gpu.made import TwinEngine
from riverboat.bots import make_bot
from riverboat.cards import parse_cards
from riverboat.errors import GpuError, SpotError
from riverboat.game import Hand, View, catalogue
from riverboat.search import Plan, Pool, Search, SearchBot, Searcher
from riverboat.search import _plan as device
from riverboat.search import _subgame as subgame
from riverboat.search._bounds import spread
from riverboat.spots import DeviceEngine, Engine, gpu_notice

SHORT = catalogue("short-deck")
NOLIMIT = catalogue("nolimit-100bb")
SMALL = Search(flop="100% ; cap 1 / none / none", turn="100% ; cap 1 / none", river="100%")
FEWEST = "none / none"
ONE = Plan(1)


@pytest.fixture
def twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subgame, "DeviceEngine", TwinEngine)
    monkeypatch.setattr(TwinEngine, "made", 0)


def view(line: str, board: str = "AsKsQs7h6d") -> View:
    """What the seat to act sees: suits of this flop can be renamed, so that it is small."""
    hand = Hand(SHORT, board=parse_cards(board))
    hand.play(line)
    assert hand.actor is not None
    return hand.view(hand.actor)


def searcher(**changes: Any) -> Searcher:
    """Without a strategy before the flop."""
    menus = {"flop": SMALL.flop, "turn": SMALL.turn, "river": SMALL.river}
    return Searcher(None, Search(**{**menus, **changes}), pool=Pool())


def test_a_flop_gives_the_turn_its_ranges() -> None:
    bot = searcher()
    assert [SMALL.first, SMALL.menu(1), SMALL.menu(3)] == [1, SMALL.flop, "100%"]
    turn = bot.subgame(view("ck/kb40c/"), ONE)
    assert [facts.street for facts in bot.facts] == ["flop", "flop", "turn"]
    assert [facts.added for facts in bot.facts] == ["", "kb40", ""]  # a bet that no menu has
    flop, live = bot.subgame(view("ck/kb40"), ONE), SHORT.live_holes(view("ck/kk/").board)
    for player, found in enumerate(turn.ranges):
        expected = spread(flop.ranges_after("kb40c")[player], live, 1e-3)
        assert np.allclose(found, expected, atol=1e-9)


@pytest.mark.usefixtures("twin")
def test_a_card_solves_what_it_should() -> None:
    for name, made in (("cpu", 0), ("auto", 1), ("gpu", 2)):
        TwinEngine.made = 0
        searcher(flop="", turn=FEWEST, device=name).rows(view("ck/kk/kk/"), ONE)
        assert TwinEngine.made == made  # auto: a turn, not a river
    TwinEngine.made = 0
    safe = searcher(flop="", turn=FEWEST, device="gpu", mode="resolve")
    assert safe.subgame(view("ck/kk/kk/"), Plan(3)).engine.gadget is not None
    assert TwinEngine.made == 2  # the river's too, which has a gadget


@pytest.mark.usefixtures("twin")
def test_the_card_plays_as_the_cpu() -> None:
    """After four iterations: strategies of all hands, of a bet that was put in, too."""
    at = view("ck/kk/kk/kb40")
    found = [searcher(flop="", turn="", device=name).subgame(at, ONE) for name in ("cpu", "gpu")]
    cpu, card = found
    assert isinstance(card.engine, TwinEngine)
    live = SHORT.live_holes(at.board)
    for line in ("", "k", "kb40"):
        mine, other = card.rows(line).rows[live], cpu.rows(line).rows[live]
        assert np.median(np.abs(mine - other)) < 1e-5
        assert np.mean(np.abs(mine - other) > 1e-3) < 0.02  # what is indifferent, rounding decides
    assert card.exploitability() == pytest.approx(cpu.exploitability(), rel=1e-4)
    assert card.facts is not None
    assert card.facts.memory > 0


def test_where_a_card_has_no_room_the_cpu_solves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> Any:
        raise SpotError("this spot needs 9 GB of GPU memory, and 1 GB are free")

    monkeypatch.setattr(DeviceEngine, "_allocate", full)
    searcher(flop="", turn="", device="gpu").rows(view("ck/kk/kk/"), ONE)
    assert "search solves a river on the CPU: this spot needs 9 GB" in caplog.text


def test_a_flop_that_the_cpu_samples_for_a_card_is_solved_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though a gadget wants values of the flop, which sampled runouts do not have."""

    def full(*_: Any) -> Any:
        raise SpotError("this spot needs 9 GB of GPU memory, and 1 GB are free")

    monkeypatch.setattr(DeviceEngine, "_allocate", full)
    bot = searcher(device="gpu", mode="resolve")
    for board in ("AsKsQs7h", "AsKsQs8d"):
        turn = bot.subgame(view("ck/kk/", board), ONE)
        assert isinstance(turn.engine, Engine)
    assert [facts.street for facts in bot.facts] == ["flop", "turn", "turn"]
    flop = bot.subgame(view("ck/", "AsKsQs"), ONE, whole=True)
    assert flop.solver == "sampled"
    assert len(bot.facts) == 3


@pytest.mark.usefixtures("twin")
def test_where_room_ends_in_a_solve_the_cpu_solves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> Any:
        raise GpuError("this spot does not fit into GPU memory")

    monkeypatch.setattr(TwinEngine, "run", full)
    found = searcher(flop="", turn="", device="gpu").subgame(view("ck/kk/kk/"), ONE)
    assert not isinstance(found.engine, TwinEngine)
    assert "search solves a river on the CPU: this spot does not fit" in caplog.text


def test_without_a_card_it_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(device, "gpu_notice", lambda: "no NVIDIA card is there")
    assert device.device_for("auto") == "cpu"
    assert not caplog.text
    assert device.device_for("gpu") == "cpu"
    assert "search solves on the CPU: no NVIDIA card is there." in caplog.text
    monkeypatch.setattr(device, "gpu_notice", lambda: "")
    assert device.device_for("gpu") == "gpu"


def test_it_begins_on_the_flop() -> None:
    for betting in ("no-limit", "pot-limit", "fixed-limit"):
        assert all(device.menus_for(betting, "auto", "gpu"))
        assert all(device.menus_for(betting, "auto", "cpu"))
        assert all(device.menus_for(betting, "flop", "cpu"))
        assert device.menus_for(betting, "river", "gpu")[:2] == ("", "")


def test_streets_that_a_card_solves_have_more_sizes() -> None:
    cases: list[tuple[Any, Any, list[bool]]] = [
        ("flop", "cpu", [False, False]),
        ("flop", "gpu", [True, True]),
        ("turn", "gpu", [True, True]),
        ("flop", "auto", [True, False]),  # rivers are the CPU's
        ("river", "auto", [False, False]),
    ]
    for betting in ("no-limit", "pot-limit"):
        plain = device.menus_for(betting, "flop", "cpu")
        for first, name, expected in cases:
            found = device.menus_for(betting, first, name)
            sizes = [menu.count("%") for menu in found[1:]]
            richer = [a > b.count("%") for a, b in zip(sizes, plain[1:], strict=True)]
            assert richer == expected


@pytest.mark.gpu
@pytest.mark.skipif(bool(gpu_notice()), reason=gpu_notice() or "there is a card")
@pytest.mark.usefixtures("tables")
def test_on_a_card_answers_repeat() -> None:
    """From the flop on, and within its time."""
    hand = Hand.from_line(NOLIMIT, "b25c/", seed=1)
    rows = []
    for _ in range(2):
        bot = make_bot("search:device=gpu,iterations=20", seed=1)
        assert isinstance(bot, SearchBot)
        searcher = bot.searcher(NOLIMIT)
        assert searcher is not None
        searcher.pool.clear()
        rows.append(bot.strategies(hand.view(1)).rows)
        assert (bot.solves[-1].street, bot.solves[-1].iterations) == ("flop", 20)
    assert rows[0].tobytes() == rows[1].tobytes()
