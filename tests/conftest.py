"""What all tests share: a cache folder of their own, and the tables built in it once."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.cards import HandStrength

# Programs started in the background ignore Ctrl-C, and so do all that they start: the tests
# that press it need it back.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests out of the user's cache folder."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("RIVERBOAT_CACHE")
    os.environ["RIVERBOAT_CACHE"] = str(folder)
    yield folder
    shutil.rmtree(folder)  # a gigabyte
    if before is None:
        del os.environ["RIVERBOAT_CACHE"]
    else:
        os.environ["RIVERBOAT_CACHE"] = before


@pytest.fixture(scope="session")
def tables(cache: Path) -> HandStrength:
    """The hand-strength tables, built in the tests' own cache folder."""
    return HandStrength(cache)
