"""Fitted abstractions are kept: one fit for each text, seed and version."""

from pathlib import Path

import pytest

from riverboat.abstraction import (
    KINDS,
    AbstractionProgress,
    fitted_abstraction,
    make_abstraction,
    parse_abstraction,
    save_abstraction,
)
from riverboat.abstraction.fitted import fitted_files
from riverboat.cards import HandStrength

TEXT = "distribution 9"  # before the flop: quickly fitted, and by a seed


def fit(tables: HandStrength, folder: Path, seed: int = 1) -> tuple[bytes, int]:
    """Everything in the abstraction, and how often fitting reported."""
    reports: list[AbstractionProgress] = []
    made = fitted_abstraction(TEXT, tables, seed, reports.append, folder)
    values, arrays = save_abstraction(made)
    whole = repr(values).encode() + b"".join(arrays[name].tobytes() for name in sorted(arrays))
    return whole, len(reports)


def test_a_fit_is_done_once(tables: HandStrength, tmp_path: Path) -> None:
    first, reports = fit(tables, tmp_path)
    assert reports > 0
    assert fit(tables, tmp_path) == (first, 0)
    other, reports = fit(tables, tmp_path, seed=2)
    assert other != first
    assert reports > 0
    assert len(fitted_files(tmp_path)) == 2


def test_a_damaged_fit_is_done_again(tables: HandStrength, tmp_path: Path) -> None:
    first, _ = fit(tables, tmp_path)
    (path,) = fitted_files(tmp_path)
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:200] + b"?" + whole[201:], whole[:-90] + b"?" * 90):
        path.write_bytes(damaged)
        again, reports = fit(tables, tmp_path)
        assert again == first
        assert reports > 0
        assert path.read_bytes() == whole


def test_where_nothing_can_be_kept_it_is_fitted(tables: HandStrength, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    whole, reports = fit(tables, tmp_path / "file")
    assert reports > 0
    assert whole == fit(tables, tmp_path)[0]


@pytest.mark.parametrize("kind", ["lossless", "suitless", "semantic 2"])
def test_numbers_that_are_known_are_those_of_the_fit(kind: str) -> None:
    assert parse_abstraction(kind).num_buckets == make_abstraction(kind).num_buckets
    assert KINDS[kind.split(maxsplit=1)[0]].numbers


@pytest.mark.slow
def test_numbers_of_semantic_buckets() -> None:
    assert parse_abstraction("semantic").num_buckets == make_abstraction("semantic").num_buckets
