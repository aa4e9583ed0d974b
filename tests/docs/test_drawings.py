"""The drawings of the explanations are those that `scripts/drawings` makes now."""

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType
from xml.etree import ElementTree

import pytest

from docs.pages import ROOT

PICTURES = ROOT / "docs" / "pictures"
NAMES = ("public-tree", "external-sampling", "bucket-histograms", "resolving")
MOST_BYTES = 40_000


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module; it has no suffix."""
    loader = SourceFileLoader("drawings", str(ROOT / "scripts" / "drawings"))
    spec = spec_from_loader("drawings", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d*\.?\d+", text)]


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_current(script: ModuleType, name: str) -> None:
    """Solved numbers may differ in the last digit by the processor, nothing else may."""
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    drawn = script.DRAWINGS[name]()
    assert re.sub(r"[\d.]+", "", drawn) == re.sub(r"[\d.]+", "", kept), "run scripts/drawings"
    assert _numbers(drawn) == pytest.approx(_numbers(kept), abs=0.051), "run scripts/drawings"


def test_all_pictures_of_the_script_are_on_a_page(script: ModuleType) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert tuple(script.DRAWINGS) == NAMES
    assert all(f"](pictures/{name}.svg)" in pages for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_small_and_fit_light_and_dark_pages(name: str) -> None:
    text = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert len(text) < MOST_BYTES
    assert "prefers-color-scheme:dark" in text
    assert ElementTree.fromstring(text).find("{http://www.w3.org/2000/svg}title") is not None  # noqa: S314 - our own file
