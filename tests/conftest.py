"""Fixtures of all tests: a separate cache folder, and tables that are built there once."""

import gc
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import Any

import pytest
from hypothesis import settings

from riverboat.buckets import _kinds, bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.runs import num_cores
from riverboat.search import SearchBot
from riverboat.training import _cost
from sizes import BUCKETS

# Background programs and their children ignore Ctrl-C: tests that send it need the default handler.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# No deadline, because the machine may be busy. The same few examples each time; `make test-slow`
# takes many random ones.
settings.register_profile("few", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=500)
settings.load_profile("few")


# Workers of pytest-xdist share one build of the tables, in a folder named here.
_SHARED = "RIVERBOAT_TEST_TABLES"
_BUILT = "built"
_OTHER_SUITES = (
    ("browser", "not browser"), ("web", "not browser"), ("test_pokerkit.py", "not peer"),
)  # fmt: skip
_MOST_WORKERS = 8  # matches and trainings start more processes and threads


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled modules in pytest's cache if Python writes none beside the source.

    Otherwise each of the hundreds of processes of the tests compiles its imports.
    """
    cache: pytest.Cache | None = getattr(config, "cache", None)
    if sys.dont_write_bytecode and cache is not None:
        sys.dont_write_bytecode = False
        sys.pycache_prefix = str(cache.mkdir("bytecode"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return a worker per usable core for the whole suite, none for a part of it."""
    tests = Path(__file__).parent
    everything = any(tests.is_relative_to(Path(path).absolute()) for path in config.args)
    return min(num_cores(), _MOST_WORKERS) if everything else 0


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import tests of other suites: their packages take seconds."""
    other = (collection_path.name == name and mark in config.getoption("markexpr")
             for name, mark in _OTHER_SUITES)  # fmt: skip
    return True if any(other) else None


@pytest.fixture(autouse=True)
def nothing_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test the warnings that a process logs once."""
    monkeypatch.setattr("riverboat.runs._place._warned", set())


def pytest_collection_finish() -> None:
    """Exclude the tests themselves from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Build the tables while workers start."""
    stack = ExitStack()
    config.add_cleanup(stack.close)
    folder = stack.enter_context(_folder_of_this_process())
    os.environ[_SHARED] = str(folder)
    stack.callback(os.environ.pop, _SHARED)
    builder = Thread(target=_build, args=[folder])
    builder.start()
    stack.callback(builder.join)


def _build(folder: Path) -> None:
    """Build the tables that workers share; workers build missing ones themselves."""
    try:
        tables = HandStrength(folder)
        bucket_tables(make_abstraction(BUCKETS, tables), tables, folder)
    finally:
        (folder / _BUILT).touch()


@contextmanager
def _folder_of_this_process() -> Iterator[Path]:
    """Yield a folder of about a gigabyte that is deleted when the process ends in any way."""
    folder = tempfile.mkdtemp(prefix="riverboat-tests-")
    delete_at_end = 'read -r _; exec rm -rf -- "$0"'
    with Popen(["/bin/sh", "-c", delete_at_end, folder], stdin=PIPE, start_new_session=True):
        yield Path(folder)


@pytest.fixture(scope="session", autouse=True)
def cache() -> Iterator[Path]:
    """Keep the tests away from the user's cache folder and ledger."""
    with ExitStack() as stack:
        # One per worker: a killed process may still be building a table, which would create the
        # shared folder again after the end of the session.
        folder = stack.enter_context(_folder_of_this_process())
        if _SHARED in os.environ:
            shared = Path(os.environ[_SHARED])
            while shared.exists() and not (shared / _BUILT).exists():
                time.sleep(0.05)
            for table in shared.glob("*.safetensors"):
                os.link(table, folder / table.name)  # no test writes into it
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("RIVERBOAT_CACHE", str(folder))
        patch.setenv("RIVERBOAT_LEDGER", str(folder / "ledger.sqlite"))
        # Tests kill processes, not the machine.
        patch.setattr("os.fsync", lambda _: None)
        yield folder


@pytest.fixture(scope="session")
def tables(cache: Path) -> HandStrength:
    """Return the hand-strength tables, built in the tests' cache folder."""
    return HandStrength(cache)


@pytest.fixture(scope="session", autouse=True)
def _no_tables_for_search(pytestconfig: pytest.Config) -> Iterator[None]:
    """Skip tables in the default suite that only make `search` faster and take 15 seconds."""
    with pytest.MonkeyPatch.context() as patch:
        if "not slow" in pytestconfig.getoption("markexpr"):
            patch.setattr(SearchBot, "build_tables", lambda *_: None)
        yield


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw at low resolution, without ticks and fitted margins, to save time."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import
    from matplotlib.ticker import NullLocator  # noqa: PLC0415 - slow to import

    save = Figure.savefig

    def plainly(figure: Figure, *args: Any, **settings: Any) -> None:
        figure.set_layout_engine("none")
        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
            axis.set_major_locator(NullLocator())
            axis.set_minor_locator(NullLocator())
        save(figure, *args, **{**settings, "dpi": 30})

    monkeypatch.setattr(Figure, "savefig", plainly)


@pytest.fixture
def brief_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the speed of a training for 0.1 s instead of three seconds."""
    calibrate = _cost._calibrate
    monkeypatch.setattr(_cost, "_calibrate", lambda recipe, setup, _: calibrate(recipe, setup, 0.1))


@pytest.fixture(autouse=True)
def _forget_kinds() -> Iterator[None]:
    """Forget the kinds of buckets that a test or an example registers."""
    kinds, rules = set(_kinds._KINDS), set(_kinds._RULES)
    yield
    for kind in set(_kinds._KINDS) - kinds:
        del _kinds._KINDS[kind]
    for rule in set(_kinds._RULES) - rules:
        del _kinds._RULES[rule]
