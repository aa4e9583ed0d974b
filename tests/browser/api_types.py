"""Types of the API for TypeScript's checker, made from what the server itself says of it.

`python tests/browser/api_types.py` writes `api.d.ts`; a test finds out when it is old.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from riverboat.web import Access, House, make_app

__all__ = ["declarations"]

FILE = Path(__file__).parent / "api.d.ts"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def declarations() -> str:
    """Return a namespace with an interface for each type of the API."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(House(Path(folder)), Access(hosts=frozenset()))
        schemas: dict[str, Any] = app.openapi()["components"]["schemas"]
    asked = _asked(app.openapi())
    lines = [
        "// Made by api_types.py from the server's own description.",
        "declare namespace Api {",
    ]
    for name in sorted(schemas):
        if "Validation" not in name:
            lines += _interface(name, schemas[name], name in asked)
    return "\n".join([*lines, "}", ""])


def _asked(openapi: dict[str, Any]) -> set[str]:
    """The types of requests: what has a default may be left out there."""
    found: set[str] = {"Spot"}
    for path in openapi["paths"].values():
        for method in path.values():
            body = method.get("requestBody")
            if body:
                reference = body["content"]["application/json"]["schema"]["$ref"]
                found.add(reference.rpartition("/")[2])
    return found


def _interface(name: str, schema: dict[str, Any], asked: bool) -> list[str]:
    required = schema.get("required", [])
    rows = [f"  interface {name} {{"]
    for field, kind in schema.get("properties", {}).items():
        optional = "?" if asked and field not in required else ""
        rows.append(f"    {field}{optional}: {_type(kind)};")
    return [*rows, "  }"]


def _type(kind: dict[str, Any]) -> str:
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if "anyOf" in kind:
        return " | ".join(_type(each) for each in kind["anyOf"])
    if "enum" in kind or "const" in kind:
        values = kind.get("enum") or [kind["const"]]
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in values)
    if kind.get("type") == "array":
        if "prefixItems" in kind:
            return f"[{', '.join(_type(each) for each in kind['prefixItems'])}]"
        inner = _type(kind["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind.get("type") == "object":
        inner = kind.get("additionalProperties", True)
        return f"Record<string, {'unknown' if inner is True else _type(inner)}>"
    return _PLAIN.get(kind.get("type", ""), "null" if kind.get("type") == "null" else "unknown")


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8")
