"""The clients of docs/web.md, against a real server."""

from __future__ import annotations

import json
import shlex
import shutil
import socket
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest
import uvicorn

from docs.pages import ROOT, blocks_of
from riverboat.web import Access, House, make_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.pages import Block

pytestmark = pytest.mark.browser
DOCUMENTED = "http://127.0.0.1:8765"


@pytest.fixture
def address(house: House) -> Iterator[str]:
    """A server on a port of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    app = make_app(house, Access(hosts=frozenset({host})))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield f"http://{host}"
    server.should_exit = True
    thread.join()


def blocks(language: str) -> list[Block]:
    text = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    return [block for block in blocks_of(text, "docs/web.md") if block.language == language]


def test_python(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(block.text for block in blocks("python")).replace(DOCUMENTED, address)
    exec(compile(text, "docs/web.md", "exec"), {})  # noqa: S102 - our own page
    actions, table, size = capsys.readouterr().out.splitlines()
    assert "'c':" in actions
    assert "'fold': True" in table
    assert int(size) > 0


def test_curl(address: str) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("there is no curl")
    lines = [line for block in blocks("sh") for line in block.text.splitlines() if "curl" in line]
    assert len(lines) == 3
    for line in lines:
        words = [curl, *shlex.split(line.replace(DOCUMENTED, address))[1:]]
        done = subprocess.run(words, check=True, capture_output=True)
        assert "error" not in json.loads(done.stdout)
