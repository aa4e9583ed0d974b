"""Packages with entry points, laid out in a folder as an installer lays them out."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["EXAMPLE", "install", "install_example"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "riverboat-example"

Groups = Mapping[str, Mapping[str, str]]


def install(folder: Path, package: str, groups: Groups) -> None:
    """Write what an installer writes of a package's entry points."""
    info = folder / f"{package.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1.0\n")
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install_example(folder: Path) -> None:
    """Install the example as its pyproject.toml says."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(folder, project["name"], project["entry-points"])
    shutil.copytree(EXAMPLE / "src" / "riverboat_example", folder / "riverboat_example")
