"""Figures: scales, and ticks that are whole where the places are."""

from pathlib import Path
from typing import Any

import pytest

from riverboat.report import Axes, Curve, _figures, draw_curves, new_panels


@pytest.mark.parametrize("shared", [True, False])
def test_panels_share_their_scales_or_not(shared: bool) -> None:
    _, (left, right) = new_panels(1, 2, (4.0, 2.0), shared=shared)
    left.set_ylim(0, 50)
    assert (right.get_ylim() == left.get_ylim()) == shared


@pytest.mark.parametrize(("places", "whole"), [([5, 6, 7], True), ([5.0, 5.5, 7.0], False)])
def test_whole_places_have_whole_ticks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, places: list[float], whole: bool
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(_figures, "save_figure", lambda figure, _: drawn.append(figure))
    draw_curves(tmp_path / "x.png", [Curve("", places, [1, 2, 3])], Axes())
    (axes,) = drawn[0].axes
    assert all(tick == int(tick) for tick in axes.get_xticks()) == whole
