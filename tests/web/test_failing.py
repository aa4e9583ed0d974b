"""Bots that raise, answer nonsense or do not answer: the table goes on and says so."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from riverboat.bots import BotKind, BotSettings, register
from riverboat.bots import _registry as registry
from riverboat.web import _table
from web_client import API, client_of, move, new_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.testclient import TestClient

    from riverboat.game import View
    from riverboat.web import House

pytestmark = pytest.mark.browser
NAME = "failing"


class Plain(BotSettings, frozen=True, kw_only=True):
    """No settings."""


class Failing:
    """Goes along once, when it is tried, and then does what is told to it here."""

    behave: Callable[[], str]
    asked = 0

    def __init__(self, seed: int, settings: Plain) -> None:
        del seed, settings

    def act(self, view: View) -> str:
        """Go along, then behave."""
        type(self).asked += 1
        if type(self).asked == 1:
            return "k" if view.legal.check else "c"
        return type(self).behave()


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    Failing.asked = 0
    register(BotKind(NAME, "fails", "tests", Failing, Plain))
    yield
    del registry._KINDS[NAME]


def lost() -> str:
    raise ValueError("lost its way")


def ends() -> str:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (lost, "failed after"),
        (ends, "failed after"),
        (lambda: "b999999", "made an illegal move"),
        (lambda: "nonsense", "made an illegal move"),
    ],
)
def test_it_checks_or_folds_and_the_table_goes_on(
    client: TestClient, behave: Callable[[], str], said: str
) -> None:
    Failing.behave = staticmethod(behave)
    state = new_table(client, seed=1, opponents=NAME)
    for _ in range(3):
        state = move(client, state, "deal")
        if state["phase"] == "yours":
            state = move(client, state, "b30")  # not free: it folds
        assert state["phase"] == "over"
        assert said in state["problem"]
    assert state["results"]["hands"] == 3
    assert state["results"]["chips"] > 0


def test_it_is_late_and_comes_back(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, thought = threading.Event(), threading.Event()

    def late() -> str:
        answers.wait(30)
        thought.set()
        return "c"

    monkeypatch.setattr(_table, "_PATIENCE", 0.05)
    Failing.behave = staticmethod(late)
    state = move(client, new_table(client, seed=1, opponents=NAME), "deal")
    state = move(client, state, "b30")
    assert "no answer within 0.05 s" in state["problem"]
    state = move(client, state, "deal")  # it is first to act now
    assert "still busy" in state["problem"]
    assert (state["phase"], state["results"]["hands"]) == ("over", 2)
    answers.set()
    thought.wait(30)
    state = move(client, move(client, state, "deal"), "b30")
    assert state["line"].startswith("b30c/")


def test_what_was_done_for_it_is_done_again_after_a_restart(house: House) -> None:
    Failing.behave = staticmethod(lost)
    with client_of(house) as client:
        state = move(client, new_table(client, seed=1, seats=3, opponents=NAME), "deal")
        line = state["line"]
    with client_of(house) as client:
        assert client.get(f"{API}/tables/{state['id']}").json()["line"] == line
