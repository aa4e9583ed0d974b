"""`--on`: where the work of a command is done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from riverboat.cli._output import status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.cluster import RayPlace

__all__ = ["check_on", "opened"]


def check_on(on: str) -> None:
    """Refuse a place that there cannot be, before anything is done."""
    if on != "local":
        from riverboat.cluster import parse_address  # noqa: PLC0415 - slow to import

        parse_address(on)


@contextmanager
def opened(on: str) -> Iterator[RayPlace | None]:
    """Have jobs done where `--on` says while the block runs; None = here."""
    if on == "local":
        yield None
        return
    from riverboat import cluster  # noqa: PLC0415 - slow to import

    with cluster.opened(on) as place:
        try:
            yield place
        finally:
            for why in dict.fromkeys(place.left_out.values() if place else ()):
                status.print(f"warning: a node was left out: {why}")
