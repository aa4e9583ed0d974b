"""`riverboat schema`: by what an editor completes and checks a recipe or a spot file."""

import json
from typing import Annotated, Literal

from riverboat.cli._command import argument


def schema_command(
    kind: Annotated[Literal["recipe", "spot"], argument("What the file describes.")],
) -> None:
    """Print the JSON schema of recipe or spot files, for editors."""
    if kind == "recipe":
        from riverboat.training import Recipe as File  # noqa: PLC0415 - one kind a command
    else:
        from riverboat.spots import Spot as File  # type: ignore[assignment]  # noqa: PLC0415
    print(json.dumps(File.schema(), indent=2))
