"""What all tests share: a cache folder of their own, and the tables built in it once."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from riverboat.buckets import _kinds
from riverboat.cards import HandStrength

# Programs started in the background ignore Ctrl-C, and so do all that they start: the tests
# that press it need it back.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# A busy machine is no finding.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests out of the user's cache folder, and of his ledger."""
    folder = tmp_path_factory.mktemp("cache")
    places = {"RIVERBOAT_CACHE": str(folder), "RIVERBOAT_LEDGER": str(folder / "ledger.sqlite")}
    before = {name: os.environ.get(name) for name in places}
    os.environ.update(places)
    yield folder
    shutil.rmtree(folder)  # a gigabyte
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


# With pytest-xdist (`-n 2`) the workers share one build of the tables.
_SHARED = "RIVERBOAT_TEST_TABLES"


def pytest_configure(config: pytest.Config) -> None:
    """Name the folder of shared tables before workers start."""
    if getattr(config.option, "numprocesses", None) and _SHARED not in os.environ:
        folder = tempfile.mkdtemp(prefix="riverboat-tables-")
        os.environ[_SHARED] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder))


@pytest.fixture(scope="session")
def tables(cache: Path) -> HandStrength:
    """The hand-strength tables, built in the tests' own cache folder."""
    if _SHARED in os.environ:
        _link_shared_tables(Path(os.environ[_SHARED]), cache)
    return HandStrength(cache)


def _link_shared_tables(shared: Path, cache: Path) -> None:
    """Build the tables if no other worker has; no test writes into a table's file."""
    import fcntl  # noqa: PLC0415 - not every system has it

    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = HandStrength(shared)
    for table in built.folder.glob("hand-strength-*"):
        (cache / table.name).unlink(missing_ok=True)
        os.link(table, cache / table.name)


@pytest.fixture(autouse=True)
def _forget_kinds() -> Iterator[None]:
    """Forget the kinds of buckets that a test or an example registers."""
    kinds, rules = set(_kinds._KINDS), set(_kinds._RULES)
    yield
    for kind in set(_kinds._KINDS) - kinds:
        del _kinds._KINDS[kind]
    for rule in set(_kinds._RULES) - rules:
        del _kinds._RULES[rule]
