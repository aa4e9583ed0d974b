"""The API's answers to single questions are the package's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from riverboat.bots import StrategyBot, make_bot
from riverboat.cards import equity
from riverboat.game import Hand, catalogue

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

pytestmark = pytest.mark.browser

API = "/api/v1"


def test_a_strategy_is_the_bots_own(client: TestClient) -> None:
    found = client.post(f"{API}/strategy", json={"hole": "AhKh", "line": "b25"}).json()
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b25", hole=[None, "AhKh"])
    bot = make_bot("blueprint", 0)
    assert isinstance(bot, StrategyBot)
    assert found["actions"] == bot.strategy(hand.view(1))
    assert (found["pot"], found["to_call"]) == (35, 15)


@pytest.mark.parametrize("bad", ["seconds=40", "flop_seconds=3600", "iterations=1000000"])
def test_a_search_without_end_is_refused(client: TestClient, bad: str) -> None:
    """Before it begins: nothing ends a search."""
    asked = {"hole": "AhKh", "line": "b25c/", "board": "Qh7c2d", "bot": f"search:{bad}"}
    refused = client.post(f"{API}/strategy", json=asked)
    assert refused.status_code == 400
    assert f"{bad.partition('=')[0]}=" in refused.json()["error"]
    assert "takes too long" in refused.json()["error"]
    refused = client.post(f"{API}/tables", json={"opponents": f"search:{bad}"})
    assert "takes too long" in refused.json()["error"]


def test_equities_and_strengths(client: TestClient) -> None:
    found = client.post(f"{API}/equity", json={"players": ["AhKh", "QQ"]}).json()
    assert [each["equity"] for each in found["players"]] == [
        each.equity for each in equity("AhKh", "QQ").players
    ]
    worth = client.post(f"{API}/evaluate", json={"cards": "AhKhQhJhTh"}).json()
    assert worth == {"strength": 7461, "words": "royal flush"}  # the best of 7,462


def test_ranges_come_back(client: TestClient) -> None:
    first = client.post(f"{API}/range", json={"text": "QQ+, AKs:0.5"}).json()
    again = client.post(f"{API}/range", json={"weights": first["weights"]}).json()
    assert first == again
    assert first["combos"] == 18 + 2


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("strategy", {"hole": "AhKh", "line": "b25f"}, "the hand is over after 'b25f'"),
        ("strategy", {"hole": "AhXx"}, "Xx"),
        ("strategy", {"hole": "AhKh", "bot": "nobody"}, "nobody"),
        ("strategy", {"hole": "AhKh", "bot": "./mine.py"}, "is a file"),
        ("equity", {"players": ["AhKh"]}, "players"),
        ("evaluate", {"cards": "Ah"}, "cards"),
        ("evaluate", {"card": "Ah"}, "cards"),
        ("range", {"text": "ZZ"}, "ZZ"),
        ("node", {"strategy": "../../etc/passwd"}, "there is no strategy"),
        ("node", {"line": "b26x"}, "b26x"),
        ("spot", {"line": "", "board": ""}, "flop"),
    ],
)
def test_bad_questions_get_a_sentence(
    client: TestClient, path: str, body: dict[str, Any], sentence: str
) -> None:
    found = client.post(f"{API}/{path}", json=body)
    assert found.status_code in {400, 422}
    assert sentence in found.json()["error"]


def test_lists(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get(f"{API}/games").json()}
    assert games["nolimit-100bb"]["board_sizes"] == [0, 3, 4, 5]
    bots = {bot["name"]: bot for bot in client.get(f"{API}/bots").json()}
    assert "samples" in bots["montecarlo"]["settings"]
    assert client.get(f"{API}/strategies").json()[0]["name"] == "default"


def test_the_page_of_the_api_knows_every_field(client: TestClient) -> None:
    page = client.get(f"{API}/openapi.json").json()
    assert page["info"]["version"] == "1"
    spot = page["components"]["schemas"]["Spot"]["properties"]
    assert spot["pot"]["minimum"] == 1
    assert spot["board"]["description"] == "board of three to five cards, such as Ks7h2d"
    for path, methods in page["paths"].items():
        for method, route in methods.items():
            if not path.endswith(("/page", "/export")):  # files to keep
                assert route["responses"]["200"]["content"]["application/json"]["schema"], path
            assert method in {"get", "post", "delete"}


def test_a_menu_is_read_both_ways(client: TestClient) -> None:
    text = "50%, 100% | 3x ; cap 3 / 50% ; ip 33% | 2.5x ; donk 25% ; add 150% ; near 10%"
    found = client.post("/api/v1/menu", json={"text": text}).json()
    assert found["streets"][1] == {
        "oop": "50%", "ip": "33% | 2.5x", "donk": "25%", "cap": None, "cap_each": None
    }  # fmt: skip
    assert found["rules"]["add"] == 150
    again = {"streets": found["streets"], "rules": found["rules"]}
    assert client.post("/api/v1/menu", json=again).json() == found
    wrong = client.post("/api/v1/menu", json={"streets": [{"oop": "50% of it"}]})
    assert wrong.status_code == 400
    assert "of" in wrong.json()["error"]
