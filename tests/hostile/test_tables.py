"""Tables of the server: forged and damaged journals and sessions, and hostile requests of two."""

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from hostile.forged import damage
from hostile.mutations import json_texts, spoilt_values, texts
from hostile.trial import tried
from riverboat.cards import cards_text

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from riverboat.web import House

pytest.importorskip("fastapi")
pytest.importorskip("httpx2")
SEED = int(os.environ.get("RIVERBOAT_FUZZ_SEED") or Random().randrange(2**32))
SERVERS, REQUESTS, SHORT = 300, 10_000, 12
LONGEST = 500  # characters of a sentence
MOVES = ("f", "k", "c", "s", "deal", "b10", "b99999999999", "half")
TABLES: list[dict[str, Any]] = [
    {"opponents": "checkcall", "seed": 1, "game": "leduc"},
    {"opponents": "random", "seed": 2, "seats": 4, "carry": True},
    {"opponents": "fish", "people": 2, "seats": 3},
]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The data folder of a server that was killed: three tables, with journals and sessions."""
    from riverboat.web import House  # noqa: PLC0415 - an extra
    from web_client import API, client_of, move, new_table, some_move  # noqa: PLC0415

    choice, folder = random.Random(1), tmp_path / "kept"
    with client_of(House(folder)) as client:
        for asked in TABLES:
            state = new_table(client, **asked)
            people = [*filter(None, [state["invite"]]), state["id"]]  # the second one joins first
            for _ in range(40):
                states = [client.get(f"{API}/tables/{person}").json() for person in people]
                acting = next((each for each in states if each["phase"] == "yours"), states[-1])
                state = move(client, acting, some_move(acting, choice))
        client.get(f"{API}/home")
    assert len(list((folder / "tables").glob("*.table.jsonl"))) == 3
    assert len(list((folder / "tables").iterdir())) == 6
    return folder


def spoil(path: Path, random: Random) -> None:
    """Damage a file, or put values of other types into a line of it."""
    data = path.read_bytes()
    if not path.name.endswith(".table.jsonl") and random.random() < 0.5:
        [text] = texts([data.decode()], ("You", "Player 2"), 1, random.randrange(2**32))
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return
    if path.suffix != ".jsonl" or random.random() < 0.3:
        path.write_bytes(damage(data, random))
        return
    lines = [line for line in data.split(b"\n") if line]
    for _ in range(random.choice((1, 1, 3))):
        at = random.randrange(len(lines)) if random.random() < 0.5 else 0
        try:
            value = json.loads(lines[at])
        except (ValueError, RecursionError):  # it is spoilt already
            continue
        lines[at] = json_texts(spoilt_values(value, random)).encode("utf-8", "surrogatepass")
    path.write_bytes(b"\n".join(lines) + b"\n")


def check(answer: Any) -> None:
    """A page gets a result, or a sentence."""
    assert answer.status_code < 500, answer.text[:300]
    if answer.status_code >= 400:
        assert 0 < len(answer.json()["error"]) <= LONGEST


def use(house: "House", ids: list[str], choice: random.Random) -> None:
    """Start a server with these files; look at all of it, play on, and leave the tables."""
    from web_client import API, client_of, some_move, try_move  # noqa: PLC0415 - an extra

    with client_of(house, per_second=1e9, burst=1e9) as client:
        check(client.get(f"{API}/home"))
        sessions = client.get(f"{API}/sessions")
        check(sessions)
        for number in (row["id"] for row in sessions.json()):
            check(client.get(f"{API}/sessions/{number}"))
            for place in (1, 2, 999):
                check(client.get(f"{API}/sessions/{number}/hands/{place}"))
            for name in ("phh", "pokerstars"):
                check(client.get(f"{API}/sessions/{number}/export?format={name}"))
        for number in ids:
            found = client.get(f"{API}/tables/{number}")
            check(found)
            state = found.json()
            for _ in range(8):
                if "phase" not in state:
                    break
                state = try_move(client, state, some_move(state, choice))
            check(client.delete(f"{API}/tables/{number}"))


def spoilt_servers(kept: Path, folder: Path, seed: int, count: int) -> int:
    """Start servers over spoilt files; return how often one was set aside."""
    from riverboat.web import House  # noqa: PLC0415 - an extra

    set_aside, names = 0, sorted(path.name for path in (kept / "tables").iterdir())
    for number in range(count):
        draw, place = Random(f"{seed} {number}"), folder / str(number)
        shutil.copytree(kept, place)
        ids = [name.partition(".")[0] for name in names if name.endswith(".table.jsonl")]
        for name in draw.sample(names, draw.choice((1, 1, 2))):
            spoil(place / "tables" / name, draw)
        told: list[str] = []
        try:
            use(House(place, tell=told.append), ids, draw)
        except Exception as error:
            pytest.fail(f"seed {seed}, server {number}: {error!r:.300}", pytrace=False)
        set_aside += any("damaged" in line for line in map(str, told))
        shutil.rmtree(place)
    return set_aside


@pytest.mark.browser
def test_a_few_spoilt_files(kept: Path, quick_folder: Path) -> None:
    assert spoilt_servers(kept, quick_folder, 1, SHORT)


@pytest.mark.hostile
def test_many_spoilt_files(kept: Path, quick_folder: Path) -> None:
    with tried("damage", "tables and sessions", SEED) as trial:
        trial.attempts = SERVERS
        assert spoilt_servers(kept, quick_folder, SEED, SERVERS) > SERVERS // 10


@pytest.mark.browser
@pytest.mark.parametrize("bot", ["evil.py", "evil.py:Bot", "blueprint:evil.py", "lines:./evil.py"])
def test_a_journal_names_no_program(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    from riverboat.web import House  # noqa: PLC0415 - an extra

    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('run', 'w').close()\nclass Bot: ...\n")
    for path in (kept / "tables").glob("*.table.jsonl"):
        first, *rest = (line for line in path.read_bytes().split(b"\n") if line)
        begun = json.loads(first)
        begun["bots"] = [bot] * len(begun["bots"])
        path.write_bytes(b"\n".join([json.dumps(begun).encode(), *rest]) + b"\n")
    told: list[str] = []
    use(House(kept, tell=told.append), [], random.Random(1))
    assert len(told) == 3
    assert not (tmp_path / "run").exists()


@pytest.mark.browser
@pytest.mark.parametrize("change", [{"began": -1e300}, {"began": 1e300}, {"seed": 2**70}])
def test_a_journal_of_impossible_numbers_is_set_aside(kept: Path, change: dict[str, Any]) -> None:
    from riverboat.web import House  # noqa: PLC0415 - an extra

    paths = list((kept / "tables").glob("*.table.jsonl"))
    for path in paths:
        first, *rest = (line for line in path.read_bytes().split(b"\n") if line)
        changed = json.dumps({**json.loads(first), **change}).encode()
        path.write_bytes(b"\n".join([changed, *rest]) + b"\n")
    told: list[str] = []
    ids = [path.name.partition(".")[0] for path in paths]
    use(House(kept, tell=told.append), ids, random.Random(1))
    assert [line for line in told if "damaged" in line] == told
    assert len(told) == 3


# ---- Requests to a table of two people


def hidden_from(session: Any, chair: int) -> set[str]:
    """The cards that the person of a chair may not know."""
    if not session.dealt:
        return set()
    hand, mine = session.hand, session.seat_of(chair)
    view = hand.view(mine)
    known = {*view.hole, *view.board, *(card for cards in view.shown for card in cards)}
    others = (hand.hole_cards(seat) for seat in range(hand.spec.players) if seat != mine)
    return {cards_text((card,)) for cards in others for card in cards if card not in known}


def requests(table: dict[str, Any], key: str, draw: Random) -> Iterator[tuple[str, str, Any]]:
    """Yield method, path and body of hostile requests about a table."""
    people = [table["id"], key, "none", "../x", "%00", table["session"], key[:-1], key.upper()]
    while True:
        person = draw.choice(people if draw.random() < 0.5 else people[:2])
        body: Any = {"version": draw.randrange(40), "move": draw.choice(MOVES)}
        if draw.random() < 0.5:
            body = spoilt_values(body, draw)
        end = draw.choice(("", "/move", "/move", "/move", "/choices", "/nothing"))
        last = "GET" if person == people[0] else "DELETE"  # the first one may close the table
        method = draw.choice(("POST", "POST", "GET", "PUT", last))
        yield method, f"/tables/{person}{end}", body


def ask_without_end(client: "TestClient", tables: list[Any], seed: int, count: int) -> int:
    """Send hostile requests between two people's moves; return how many hands were dealt."""
    from web_client import API, new_table, some_move, try_move  # noqa: PLC0415 - an extra

    draw = Random(seed)
    table = new_table(client, opponents="random", people=2, seats=3)
    key, stream = table["invite"], requests(table, table["invite"], draw)
    client.get(f"{API}/tables/{key}")
    for number in range(count):
        method, path, body = next(stream)
        text = json_texts(body).encode("utf-8", "surrogatepass")
        kind = {"content-type": draw.choice(("application/json",) * 5 + ("text/plain", ""))}
        answer = client.request(method, f"{API}{path}", content=text, headers=kind)
        check(answer)
        session = tables[-1].session
        for chair, person in enumerate((table["id"], key)):
            state = client.get(f"{API}/tables/{person}")
            assert state.status_code == 200, state.text
            seen = json.dumps(state.json()["chairs"] + state.json()["board"])
            assert not [card for card in hidden_from(session, chair) if f'"{card}"' in seen], number
            if number % 5 == 0 and state.json()["phase"] in {"yours", "new", "over"}:
                try_move(client, state.json(), some_move(state.json(), draw))
    assert client.get(f"{API}/tables/{table['id']}").json()["id"] == table["id"]
    hands: int = tables[-1].session.dealt
    return hands


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server, and a list of its tables, with all cards."""
    from riverboat.web import House  # noqa: PLC0415 - an extra
    from web_client import client_of, keep_tables  # noqa: PLC0415

    tables = keep_tables(monkeypatch)
    with client_of(House(tmp_path / "data"), per_second=1e9, burst=1e9) as client:
        yield client, tables


@pytest.mark.browser
def test_a_few_requests_to_a_table_of_two(asked: Any) -> None:
    client, tables = asked
    assert ask_without_end(client, tables, 1, 300) > 3


@pytest.mark.hostile
def test_many_requests_to_a_table_of_two(asked: Any) -> None:
    client, tables = asked
    with tried("requests", "table of two people", SEED) as trial:
        trial.attempts = REQUESTS
        assert ask_without_end(client, tables, SEED, REQUESTS) > REQUESTS // 100
