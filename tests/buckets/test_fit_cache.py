"""Fitted abstractions are kept: one fit for each text, seed and version."""

import functools
from pathlib import Path
from typing import Any

import pytest

from riverboat.buckets import (
    KINDS,
    AbstractionText,
    CardAbstraction,
    abstraction_files,
    fitted_abstraction,
    make_abstraction,
    parse_abstraction,
)
from riverboat.buckets import _abstraction as fit_cache
from riverboat.cards import HandStrength

TEXT = "distribution 9"  # before the flop: quickly fitted, and by a seed


def fit(tables: HandStrength, folder: Path, seed: int = 1) -> bytes:
    """Everything in the abstraction."""
    values, arrays = fitted_abstraction(TEXT, tables, seed, folder=folder).save()
    return repr(values).encode() + b"".join(arrays[name].tobytes() for name in sorted(arrays))


@functools.cache
def _made(text: str, *more: Any) -> CardAbstraction:
    """One fit for all tests: here it only counts when one is asked for."""
    return make_abstraction(text, *more)


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were really fitted, and not read."""
    texts: list[str] = []

    def fitting(text: AbstractionText, *more: Any) -> CardAbstraction:
        texts.append(str(text))
        return _made(str(text), *more)

    monkeypatch.setattr(fit_cache, "make_abstraction", fitting)
    return texts


def test_a_fit_is_done_once(tables: HandStrength, tmp_path: Path, fits: list[str]) -> None:
    first = fit(tables, tmp_path)
    assert fit(tables, tmp_path) == first
    assert fits == [TEXT]
    assert fit(tables, tmp_path, seed=2) != first
    assert fits == [TEXT] * 2
    assert len(abstraction_files(tmp_path)) == 2


def test_a_damaged_fit_is_done_again(tables: HandStrength, tmp_path: Path, fits: list[str]) -> None:
    first = fit(tables, tmp_path)
    (path,) = abstraction_files(tmp_path)
    whole = path.read_bytes()
    spoilt = (b"", whole[:-1], whole[:200] + b"?" + whole[201:], whole[:-90] + b"?" * 90)
    for number, damaged in enumerate(spoilt, start=2):
        path.write_bytes(damaged)
        assert fit(tables, tmp_path) == first
        assert len(fits) == number
        assert path.read_bytes() == whole


def test_where_nothing_can_be_kept_it_is_fitted(
    tables: HandStrength, tmp_path: Path, fits: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert fit(tables, tmp_path / "file") == fit(tables, tmp_path)
    assert len(fits) == 2


@pytest.mark.parametrize("kind", ["lossless", "suitless", "semantic 2"])
def test_numbers_that_are_known_are_those_of_the_fit(kind: str) -> None:
    assert parse_abstraction(kind).num_buckets == make_abstraction(kind).num_buckets
    assert KINDS[kind.split(maxsplit=1)[0]].numbers


@pytest.mark.slow
def test_numbers_of_semantic_buckets() -> None:
    assert parse_abstraction("semantic").num_buckets == make_abstraction("semantic").num_buckets
