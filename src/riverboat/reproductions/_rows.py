"""Results as rows: each quantity that an experiment measured, with its unit.

An experiment returns a `Found`: quantities by name, nested where they have labels. It is stored
as one `Row` for each quantity, and read again by the same names: the row of experiment `table`
with `what` ["won", "CFRv2", "Fish"] is `found.table.won.CFRv2.Fish`, in templates too. A number
as a label counts the entries of a list where the labels are 0, 1, 2 and so on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from riverboat.errors import RunError
from riverboat.files import atomic_path
from riverboat.statistics import Estimate

Scalar = bool | int | float | str | None
Value = Estimate | Scalar | list[Scalar]
Label = str | int | float

#: Units by the name of the quantity; a reproduction's recipe.toml has its own besides.
UNITS: Final[Mapping[str, str]] = {
    "blueprint_bytes": "bytes",
    "cost": "s",
    "decisions": "decisions",
    "exploitability": "chips/hand",
    "file_bytes": "bytes",
    "hands": "hands",
    "high": "chips/hand",
    "infosets": "infosets",
    "iterations": "iterations",
    "iterations_per_second": "iterations/s",
    "low": "chips/hand",
    "nodes": "decisions",
    "resident_bytes": "bytes",
    "seconds": "s",
    "table_bytes": "bytes",
    "threads": "threads",
    "value": "chips/hand",
    "visited": "infosets",
}


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measured quantity."""

    experiment: str
    """The step that measured it."""
    what: tuple[Label, ...]
    """Name of the quantity and labels, from the general to the particular."""
    value: Value
    """An estimate has mean, standard error, independent units and the kind of its interval."""
    unit: str = ""
    """"" of a share, a ratio or a text."""
    published: float | None = None
    """The author's figure for the same quantity."""
    where: str = ""
    """Where that stands in the source document."""


class Found(dict[Any, Any]):
    """What was measured, by name.

    Examples
    --------
    >>> found = Found(hands=100, won={"Fish": Estimate.exact(1.5)})
    >>> found.hands, found.won["Fish"].mean
    (100, 1.5)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no result is named {name!r}: {', '.join(self)}") from None


def rows_of(experiment: str, found: Mapping[Any, Any], units: Mapping[str, str]) -> list[Row]:
    """Return the rows of an experiment, each with the unit of its quantity.

    Raises
    ------
    RunError
        If no unit is declared for a number: `units` names all quantities. What stands last in
        the path counts, and `a.b` before `b`.

    Examples
    --------
    >>> rows_of("table", Found(hands={"Fish": 40}), UNITS)[0].unit
    'hands'
    """
    return [
        Row(experiment, what, value, _unit(experiment, what, value, units))
        for what, value in _leaves((), found)
    ]


def found_in(rows: Iterable[Row]) -> Found:
    """Return the quantities of one experiment by name, as they were before `rows_of`."""
    whole = Found()
    for row in rows:
        place = whole
        for label in row.what[:-1]:
            place = place.setdefault(label, Found())
        place[row.what[-1]] = row.value
    return Found({name: _listed(value) for name, value in whole.items()})


def write_rows(path: Path, rows: Sequence[Row], **header: object) -> None:
    """Write rows as JSON, a line each."""
    lines = [f"{_json(name)}: {_json(value)}," for name, value in header.items()]
    listed = ",\n".join(_json(row) for row in rows)
    with atomic_path(path) as temporary:
        temporary.write_text("\n".join(["{", *lines, f'"rows": [\n{listed}\n]\n}}\n']), "utf-8")


class _Rows(msgspec.Struct):
    rows: list[Row]


def read_rows(path: Path) -> list[Row]:
    """Read the rows that a step has left, or say why that fails."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Rows).rows
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RunError(
            f"{path} cannot be read ({error}): remove it, and the step is done again"
        ) from error


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _leaves(what: tuple[Label, ...], value: Any) -> Iterator[tuple[tuple[Label, ...], Value]]:
    """Go through all quantities, with the names and labels that lead there."""
    if isinstance(value, Mapping):
        for label, each in value.items():
            yield from _leaves((*what, label), each)
    elif isinstance(value, list | tuple) and not all(isinstance(each, Scalar) for each in value):
        for index, each in enumerate(value):
            yield from _leaves((*what, index), each)
    else:
        yield what, list(value) if isinstance(value, tuple) else value


def _unit(experiment: str, what: tuple[Label, ...], value: Value, units: Mapping[str, str]) -> str:
    for place in reversed(range(len(what))):
        for name in (".".join(map(str, what[place - 1 : place + 1])), what[place]):
            if name in units:
                return units[str(name)]
    if _is_text(value) or (isinstance(value, list) and all(map(_is_text, value))):
        return ""
    named = ".".join(map(str, (experiment, *what)))
    raise RunError(f"{named} has no unit: declare it under [units] of recipe.toml")


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, bool | str)


def _listed(value: Any) -> Any:
    """Return a list for what is labelled 0, 1, 2 and so on."""
    if not isinstance(value, Found):
        return value
    inside = {label: _listed(each) for label, each in value.items()}
    in_order = list(inside) == list(range(len(inside)))
    return list(inside.values()) if in_order else Found(inside)
