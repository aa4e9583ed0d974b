"""Pydantic models of msgspec types: the API's pages know every field, and none is written twice."""

from __future__ import annotations

from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, Field, create_model

__all__ = ["model_of"]


@lru_cache(maxsize=256)
def model_of(struct: type[msgspec.Struct]) -> type[BaseModel]:
    """Return the pydantic model with a struct's fields, bounds, descriptions and defaults.

    Examples
    --------
    >>> class Size(msgspec.Struct, frozen=True):
    ...     chips: Annotated[int, msgspec.Meta(ge=1, description="in the pot")] = 3
    >>> model_of(Size).model_json_schema()["properties"]["chips"]["minimum"]
    1
    """
    hints = get_type_hints(struct, include_extras=True)
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        fields[field.encode_name] = (_translated(hints[field.name]), _default(field))
    config = struct.__struct_config__
    if config.tag is not None:
        fields = {str(config.tag_field): (Literal[config.tag], ...), **fields}
    extra: Literal["forbid", "ignore"] = "forbid" if config.forbid_unknown_fields else "ignore"
    return create_model(
        struct.__name__,
        __config__=ConfigDict(extra=extra),
        __doc__=(struct.__doc__ or "").split("\n\n")[0],
        **fields,
    )


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return Field(default_factory=field.default_factory)
    return ...


def _translated(kind: Any) -> Any:
    """The type as pydantic reads it: structs as models, bounds as fields."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return model_of(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(_translated(inner[0]), *map(_field, inner[1:]))]
    if origin is None or origin is Literal:
        return kind
    parts = tuple(each if each is ... else _translated(each) for each in inner)
    if origin in {Union, UnionType}:
        return Union[parts]  # noqa: UP007 - made at run time
    return origin[parts]


def _field(note: Any) -> Any:
    """The bounds and words of `msgspec.Meta`."""
    if not isinstance(note, msgspec.Meta):
        return note
    names = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length")
    told = {name: getattr(note, name) for name in (*names, "title", "description")}
    return Field(**{name: value for name, value in told.items() if value is not None})
