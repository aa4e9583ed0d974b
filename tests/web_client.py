"""A client of a server without a network, and functions that play."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

from fastapi.testclient import TestClient

from riverboat.cards import cards_text
from riverboat.web import Access, House, _tables, make_app

if TYPE_CHECKING:
    import pytest

    from riverboat.table import Session

API = "/api/v1"
HOST = "localhost:8765"
HEADERS = {"host": HOST}


def client_of(house: House, **access: object) -> TestClient:
    """Return a client of a new server; enter it to start the server."""
    settings = Access(hosts=frozenset({HOST}), **access)  # type: ignore[arg-type]
    return TestClient(make_app(house, settings), base_url=f"http://{HOST}")


def new_table(client: TestClient, **asked: Any) -> dict[str, Any]:
    """Set up a table; return its state."""
    found = client.post(f"{API}/tables", json=asked)
    assert found.status_code == 200, found.text
    state: dict[str, Any] = found.json()
    return state


def try_move(client: TestClient, state: dict[str, Any], what: str) -> dict[str, Any]:
    """Make a move that may be refused; return the state or the refusal."""
    body = {"version": state["version"], "move": what}
    found: dict[str, Any] = client.post(f"{API}/tables/{state['id']}/move", json=body).json()
    return found


def move(client: TestClient, state: dict[str, Any], what: str) -> dict[str, Any]:
    """Make a move; return the next state."""
    after = try_move(client, state, what)
    assert "error" not in after
    return after


def some_move(state: dict[str, Any], choice: random.Random) -> str:
    """Make a legal move, or start the next deal."""
    if state["phase"] != "yours":
        return "deal"
    legal = state["legal"]
    free = zip("fks", (legal["fold"], legal["check"], legal["stand"]), strict=True)
    moves = [name for name, allowed in free if allowed]
    moves += ["c"] * (2 * (legal["call"] is not None))
    moves += [f"b{preset['to']}" for preset in state["presets"]]
    moves += [f"d {card}" for card in legal["discards"]]
    return choice.choice(moves)


def play_hands(client: TestClient, state: dict[str, Any], hands: int) -> list[dict[str, Any]]:
    """Play a number of hands; return all states that the page received."""
    choice, states = random.Random(1), [state]
    while (state["results"] or {"hands": 0})["hands"] < hands or state["phase"] == "yours":
        state = move(client, state, some_move(state, choice))
        states.append(state)
    return states


def keep_tables(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that receives every new table, with all cards."""
    tables: list[Any] = []
    create = _tables.Tables._create

    def create_and_keep(self: Any, *given: Any) -> Any:
        tables.append(create(self, *given))
        return tables[-1]

    monkeypatch.setattr(_tables.Tables, "_create", create_and_keep)
    return tables


def check_nothing_hidden(session: Session, told: str) -> None:
    """Check that a text contains only cards that the person may know."""
    if not session.dealt:
        return
    told = re.sub(r"b\d+", "b", told)  # b57c is no seven of clubs
    told = re.sub(r'"(id|session)": ?"[^"]*"', "", told)
    hand, mine = session.hand, session.seat_of(0)
    view = hand.view(mine)
    known = {*view.hole, *view.board, *(card for cards in view.shown for card in cards)}
    hidden = {
        card for seat in range(hand.spec.players) if seat != mine for card in hand.hole_cards(seat)
    }
    assert not [text for card in hidden - known if (text := cards_text((card,))) in told]
