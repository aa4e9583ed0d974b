"""Every example in a docstring is run."""

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import riverboat
import twins

#: Modules that need an extra are tested if the extra is installed.
LEFT_OUT = ("riverboat._core.",) + (
    () if importlib.util.find_spec("fastapi") else ("riverboat.web",)
)
MODULES = sorted(
    info.name
    for package in (riverboat, twins)
    for info in pkgutil.walk_packages(
        package.__path__, f"{package.__name__}.", onerror=lambda _: None
    )
    if not info.name.startswith(LEFT_OUT)
)


@pytest.mark.usefixtures("tables")  # some examples open them
@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where examples write
    # At each docstring the runner asks whether any source file of this process has changed.
    monkeypatch.setattr("linecache.checkcache", lambda *_: None)
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        runner.run(test)
    assert runner.failures == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in tests) > 30
