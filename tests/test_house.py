"""Structure: every package has a public surface, and no other package uses its private modules."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Imports of private modules that the tests had when new ones were first refused: lower it.
MOST_DEEP = 203
DEEP = re.compile(r"\b(?:from|import)\s+(riverboat\.\w+(?:\.\w+)*\._\w+)")


def test_every_package_has_a_contract_for_its_surface() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    protected = {
        contract["allowed_importers"][0]
        for contract in contracts
        if contract["type"] == "protected" and contract["name"].startswith("Surface of ")
    }
    packages = (path.parent.name for path in ROOT.glob("src/riverboat/*/__init__.py"))
    assert protected == {f"riverboat.{name}" for name in packages if name != "_core"}


def test_no_string_names_a_module_of_a_higher_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert not any("ignore_imports" in contract for contract in contracts)
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    depth = {
        package: level
        for level, layer in enumerate(layers)
        for package in re.findall(r"riverboat\.(\w+)", layer)
    }
    found = []
    for path in sorted(ROOT.glob("src/riverboat/**/*.py")):
        own = path.relative_to(ROOT / "src" / "riverboat").parts[0].removesuffix(".py")
        found += [
            f"{path.relative_to(ROOT)}: {text!r}"
            for text in _strings(path)
            for named in re.findall(r"\briverboat\.(\w+)", text)
            if depth.get(named, len(layers)) < depth.get(own, 0)
        ]
    assert found == []


def _strings(path: Path) -> list[str]:
    """Yield the text constants of a file, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
    ]


@pytest.mark.parametrize("place", ["bench/**/*.py", "docs/**/*.md", "*.md", "scripts/*"])
def test_examples_and_benches_use_the_surface_only(place: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {deep}"
        for path in sorted(ROOT.glob(place))
        if path.is_file()
        for deep in DEEP.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_tests_import_no_more_private_modules() -> None:
    """Tests use the public surface, except tests of a kernel."""
    own = re.compile(DEEP.pattern + r"|\bfrom\s+riverboat\.\w+\s+import\s+_\w+")
    found = [
        path
        for path in sorted(ROOT.glob("tests/**/*.py"))
        for _ in own.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) <= MOST_DEEP


def test_every_package_has_its_page_of_reference() -> None:
    places = [*ROOT.glob("src/riverboat/[a-z]*/__init__.py"), *ROOT.glob("src/riverboat/[a-z]*.py")]
    names = {path.parent.name if path.stem == "__init__" else path.stem for path in places}
    protocols = {
        f"protocols.{path.parent.name}"
        for path in ROOT.glob("src/riverboat/protocols/*/__init__.py")
    }
    wanted = names - {"cli", "protocols"} | protocols
    assert {path.stem for path in ROOT.glob("docs/reference/*.md")} == wanted
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^reference/(\S+)$", index, re.MULTILINE)) == wanted


def _surface(name: str) -> Path:
    """Return the file that lists the contents of a reference page."""
    place = ROOT / "src" / Path(*name.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


PAGES = sorted(f"riverboat.{path.stem}" for path in ROOT.glob("docs/reference/*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_every_public_name_is_in_a_sorted_all(name: str) -> None:
    body = ast.parse(_surface(name).read_text(encoding="utf-8")).body
    lists = [
        [str(each.value) for each in node.value.elts if isinstance(each, ast.Constant)]
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple)
        if [each.id for each in node.targets if isinstance(each, ast.Name)] == ["__all__"]
    ]
    [names] = lists
    # Constants, then classes, then the rest, each sorted: what ruff's RUF022 asks for.
    assert names == sorted(names, key=lambda n: (n.upper() != n, n[0].islower(), n))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(ast.Module(body, []))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(name + ".")
        for alias in node.names
    }
    defined = {
        node.name
        for node in body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    }
    deleted = {
        target.id
        for node in body
        if isinstance(node, ast.Delete)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert (imported | defined) - deleted <= set(names)
