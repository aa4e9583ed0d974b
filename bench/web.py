"""Load test of the web server: sessions, decisions per second, latency, memory, first paint.

Usage: python bench/web.py [--sessions 300] [--rate 500] [--seconds 30] [--paint]

Each session is a page on its own socket that plays against the blueprint. It moves at random times,
so that all sessions together make `--rate` moves per second. A move is answered when the bot has
acted, so the latency includes the bot's decisions. Server and pages share the machine. `--seconds
3600` is the long run of docs/research/web.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import websockets

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_LOOKS = 20  # at the memory


@dataclass
class Measured:
    """The result of a run."""

    latencies: list[float] = field(default_factory=list)
    decisions: int = 0
    hands: int = 0
    problems: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """Memory of the server in MB, at regular times."""
    seconds: float = 0.0
    used: float = 0.0
    """CPU seconds of the server."""


def ask(address: str, path: str, body: object | None = None) -> Any:
    """Ask the server: GET without a body, POST with one."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{address}/api/v1{path}", data, headers)  # noqa: S310 - ours
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


async def play(address: str, table: str, think: float, until: float, told: Measured) -> None:
    """Play on one table until a time."""
    choice = random.Random(table)  # noqa: S311
    url = f"{address.replace('http', 'ws')}/api/v1/tables/{table}/play"
    async with websockets.connect(url, max_queue=4, compression=None) as socket:
        state = msgspec.json.decode(await socket.recv())
        while time.monotonic() < until:
            await asyncio.sleep(choice.expovariate(1 / think))
            move = some_move(state, choice)
            acted = bot_moves(state) if move != "deal" else 0
            began = time.perf_counter()
            await socket.send(json.dumps({"version": state["version"], "move": move}))
            after = msgspec.json.decode(await socket.recv())
            if "error" in after:
                told.problems.append(after["error"])
                continue
            told.latencies.append(time.perf_counter() - began)
            told.decisions += bot_moves(after) - acted
            told.hands += move == "deal"
            state = after


def bot_moves(state: Any) -> int:
    """How often the bot has acted in this hand."""
    return sum(note["chair"] == 1 and bool(note["street"]) for note in state["notes"])


def some_move(state: Any, choice: random.Random) -> str:
    """A typical move: mostly calls and checks, some bets, few folds."""
    if state["phase"] != "yours":
        return "deal"
    legal = state["legal"]
    if state["presets"] and choice.random() < 0.2:
        return f"b{choice.choice(state['presets'])['to']}"
    if legal["fold"] and choice.random() < 0.2:
        return "f"
    return "k" if legal["check"] else "c"


def memory(pid: int) -> int:
    """Private memory of a process in bytes."""
    _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    return (resident - shared) * _PAGE_BYTES


def seconds_used(pid: int) -> float:
    """CPU seconds of a process."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS


async def load(address: str, pid: int, *, sessions: int, rate: float, seconds: float) -> Measured:
    """Play with all sessions, and measure."""
    asked = {"opponents": "blueprint"}
    tables = [ask(address, "/tables", asked)["id"] for _ in range(sessions)]
    told, used, began = Measured(), seconds_used(pid), time.monotonic()
    pages = [
        asyncio.create_task(play(address, table, sessions / rate, began + seconds, told))
        for table in tables
    ]
    for _ in range(_LOOKS):
        await asyncio.sleep(seconds / _LOOKS)
        told.memory.append(memory(pid) / 1e6)
    await asyncio.gather(*pages)
    told.seconds, told.used = time.monotonic() - began, seconds_used(pid) - used
    return told


def say(told: Measured, sessions: int) -> None:
    """Print the result of a run."""
    moves, took = len(told.latencies), told.seconds
    p50, p99, longest = 1000 * np.percentile(told.latencies, [50, 99, 100])
    print(f"{sessions} sessions, {took:.0f} s, {told.hands:,} hands")
    print(f"{moves / took:.0f} moves and {told.decisions / took:.0f} decisions of the blueprint")
    print(f"a second; {1000 * told.used / moves:.2f} ms of the server's CPU time per move")
    print(f"latency: median {p50:.1f} ms, 99 % under {p99:.1f} ms, longest {longest:.0f} ms")
    quarter = _LOOKS // 4
    begin, end = np.mean(told.memory[quarter : 2 * quarter]), np.mean(told.memory[-quarter:])
    print(f"memory: {begin:.0f} MB in the second quarter, {end:.0f} MB in the last")
    print(f"refused: {len(told.problems)} {told.problems[:1]}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """Start a server; return its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from riverboat.cli import main; main()",
                   "serve", "--port", "0", "--data", folder]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3].rstrip("/")
            for _ in range(300):
                try:
                    ask(address, "/about")
                    break
                except OSError:
                    time.sleep(0.1)
            yield address, process.pid
        finally:
            process.terminate()
            process.communicate()


def run(*, sessions: int, rate: float, seconds: float) -> Measured:
    """Start a server and measure it."""
    with server() as (address, pid):
        return asyncio.run(load(address, pid, sessions=sessions, rate=rate, seconds=seconds))


def paint(address: str) -> None:
    """Print the time of the first paint of each page in a new browser."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("RIVERBOAT_CHROMIUM", "/usr/bin/chromium")
    script = "performance.getEntriesByType('paint').map((each) => [each.name, each.startTime])"
    with sync_playwright() as driver:
        for page_name in ("play", "study", "solve", "matches", "docs"):
            browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"{address}/{page_name}")
            while not (entries := dict(page.evaluate(script))):
                page.wait_for_timeout(20)
            print(f"{page_name}: first paint {entries['first-paint']:.0f} ms")
            browser.close()


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument(
        "--rate", type=float, default=500.0, help="moves per second of all sessions"
    )
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--paint", action="store_true", help="measure the first paint only")
    options = parser.parse_args()
    if options.paint:
        with server() as (address, _):
            paint(address)
        return
    told = run(sessions=options.sessions, rate=options.rate, seconds=options.seconds)
    say(told, options.sessions)


if __name__ == "__main__":
    main()
