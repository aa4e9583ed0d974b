"""`riverboat schema`: the schema accepts all of our files and refuses what we refuse."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.typed import riverboat
from riverboat.errors import RiverboatError
from riverboat.spots import Spot
from riverboat.training import Recipe, load_recipe, recipe_names

SOURCES = Path(__file__).parents[2] / "src" / "riverboat"
RECIPES = sorted(path for path in SOURCES.glob("training/recipes/*.toml") if path.stem != "depths")
SPOT = {"board": "Td9d6hQc", "pot": 200, "stack": 900, "oop": "66+", "ip": "QQ-22"}
LEDUC = {"game": "leduc", "menu": "min", "budget": {"iterations": 10}}
KUHN = {"stacks": [2, 2], "antes": [1, 1], "betting": "no-limit"}


def faults(schema: dict[str, Any], value: Any, top: dict[str, Any]) -> list[str]:
    """Parts of a value that its schema does not allow, for the JSON schema keywords in use."""
    if reference := schema.get("$ref"):
        return faults(top["$defs"][reference.rpartition("/")[2]], value, top)
    if choices := schema.get("anyOf"):
        found = [faults(each, value, top) for each in choices]
        return [] if [] in found else [f"{value!r} is none of its kinds"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{value!r} is not in {schema['enum']}"]
    kinds = {
        "string": str, "integer": int, "number": int | float, "boolean": bool, "object": dict,
        "array": list, "null": type(None),
    }  # fmt: skip
    kind = kinds[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"{value!r} is no {schema['type']}"]
    if isinstance(value, dict):
        return _table_faults(schema, value, top)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [fault for each in value if items for fault in faults(items, each, top)]
    if isinstance(value, int | float) and not _within(schema, value):
        return [f"{value} is out of its bounds"]
    return []


def _within(schema: dict[str, Any], value: float) -> bool:
    above, below = schema.get("exclusiveMinimum", -1e99), schema.get("exclusiveMaximum", 1e99)
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    return bool(above < value < below and least <= value <= most)


def _table_faults(schema: dict[str, Any], value: dict[str, Any], top: dict[str, Any]) -> list[str]:
    known = schema.get("properties", {})
    wrong = [f"{name} is missing" for name in schema.get("required", ()) if name not in value]
    for name, each in value.items():
        if name in known:
            wrong += faults(known[name], each, top)
        elif schema.get("additionalProperties") is False:
            wrong.append(f"{name} is not known")
    return wrong


def wrong_in(kind: str, value: Any) -> list[str]:
    printed = json.loads(riverboat("schema", kind).stdout)
    return faults(printed, value, printed)


def test_there_are_recipes() -> None:
    names = {name for name in recipe_names() if not name.endswith("bb")}  # these share a file
    assert {path.stem for path in RECIPES} == names


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_our_recipes_are_accepted(path: Path) -> None:
    assert wrong_in("recipe", tomllib.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", ["default-10bb", "default-200bb"])
def test_recipes_of_all_depths_are_accepted(name: str) -> None:
    assert wrong_in("recipe", load_recipe(name).as_dict()) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"sede": 3}, "sede is not known"),
        ({"threads": -1}, "-1 is out of its bounds"),
        ({"seed": "x"}, "'x' is no integer"),
        ({"fallback": "fold"}, "'fold' is not in"),
        ({"budget": {"iterations": 0}}, "0 is none of its kinds"),
        ({"bound": {"dealz": 5}}, "dealz is not known"),
        ({"scheme": {"sampling": "externel"}}, "none of its kinds"),
        ({"game": {**KUHN, "blind": 1}}, "none of its kinds"),
        ({"game": 7}, "7 is none of its kinds"),
        ({"scheme": {"prune": {"below": 0.0}}}, "none of its kinds"),
    ],
)
def test_a_wrong_recipe_is_refused_by_both(changes: dict[str, Any], fault: str) -> None:
    assert fault in " ".join(wrong_in("recipe", LEDUC | changes))
    with pytest.raises(RiverboatError):
        load_recipe(LEDUC | changes)


def test_a_recipe_with_tables_is_accepted_by_both() -> None:
    whole = LEDUC | {"scheme": {"sampling": "external", "prune": {"below": -10.0}}}
    assert wrong_in("recipe", whole) == []
    assert isinstance(load_recipe(whole), Recipe)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"bord": "Ks7h2d"}, "bord is not known"),
        ({"pot": 0}, "0 is out of its bounds"),
        ({"deck": "half"}, "'half' is not in"),
        ({"oop": 3}, "3 is none of its kinds"),
        ({"stack": [0, 5]}, "none of its kinds"),
    ],
)
def test_a_wrong_spot_is_refused_by_both(changes: dict[str, Any], fault: str) -> None:
    assert fault in " ".join(wrong_in("spot", SPOT | changes))
    with pytest.raises(RiverboatError):
        Spot.parse("".join(f"{key} = {json.dumps(v)}\n" for key, v in (SPOT | changes).items()))


def test_a_spot_is_accepted_by_both() -> None:
    others: tuple[dict[str, Any], ...] = ({}, {"stack": [900, 800]}, {"turn_bet": "60%, a"})
    for more in others:
        assert wrong_in("spot", SPOT | more) == []
        text = "".join(f"{key} = {json.dumps(v)}\n" for key, v in (SPOT | more).items())
        assert Spot.parse(text).pot == 200


def test_a_spot_lacks_its_board() -> None:
    assert wrong_in("spot", {"pot": 1}) == [
        f"{key} is missing" for key in ("board", "stack", "oop", "ip")
    ]
