"""Descriptions of a settings class: a JSON schema for editors, a Markdown table for the docs."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from riverboat.settings._settings import Setting, Settings, settings_of, table_of


def schema_of(
    kind: type[Settings],
    tables: Mapping[str, type[Any]] | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the JSON schema of a settings class, with which editors complete and check a file.

    Parameters
    ----------
    kind
        The settings class.
    tables
        Classes of the settings that are tables without a class of their own, by name.
    more
        Schemas of additional keys of the file.

    Examples
    --------
    >>> class Taste(Settings, frozen=True):
    ...     high: float = 0.6
    >>> schema_of(Taste)["$defs"]["Taste"]["properties"]
    {'high': {'type': 'number', 'default': 0.6}}
    """
    tables = tables or {}
    kinds = (kind, *tables.values())
    references, schemas = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for schema in schemas.values():
        schema["description"] = " ".join(schema.get("description", "").split("\n\n")[0].split())
        schema.setdefault("additionalProperties", False)  # reading refuses unknown keys, too
    properties = schemas[kind.__name__]["properties"]
    for name, reference in zip(tables, references[1:], strict=True):
        choices = properties[name]["anyOf"]
        properties[name]["anyOf"] = [
            reference if choice.get("type") == "object" else choice for choice in choices
        ]
    properties |= more or {}
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, **references[0], "$defs": schemas}


def settings_table(kind: type[msgspec.Struct]) -> str:
    """Return a Markdown table of settings: name, meaning, allowed values, default.

    Examples
    --------
    >>> class Taste(Settings, frozen=True):
    ...     high: float = 0.6
    >>> print(settings_table(Taste))
    | setting | meaning | values | default |
    | --- | --- | --- | --- |
    | `high` |  | a number | 0.6 |
    """
    rows = ["| setting | meaning | values | default |", "| --- | --- | --- | --- |"]
    for name, setting in _settings(kind):
        default = "required" if setting.required else _written(setting.default)
        cells = (f"`{name}`", setting.text, setting.allowed, default)
        rows.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    return "\n".join(rows)


def _settings(kind: type[msgspec.Struct], before: str = "") -> Iterator[tuple[str, Setting]]:
    """List settings and those of the tables within them."""
    for setting in settings_of(kind):
        table = table_of(setting.type)
        if table is None:
            yield before + setting.name, setting
        else:
            yield from _settings(table, f"{before}{setting.name}.")


def _written(value: object) -> str:
    """Write a default as a user types it; an empty default as an empty text."""
    if value is None or value in ("", ()):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
