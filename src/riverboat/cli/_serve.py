"""`riverboat serve`: pages in a browser."""

from pathlib import Path
from typing import Annotated

from riverboat.cli._command import argument, option
from riverboat.cli._output import console
from riverboat.errors import RiverboatError


def serve_command(
    folders: Annotated[
        list[Path] | None,
        argument("Folders of strategies and solutions to look at.", metavar="folder"),
    ] = None,
    host: Annotated[
        str, option("Address to listen on; any but this machine's own needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, option("8765, or the next that is free.", least=0, most=65535)
    ] = None,
    data: Annotated[
        Path | None, option("Where tables and solves are kept, across restarts.")
    ] = None,
    open_browser: Annotated[bool, option("Open a browser.", "--open")] = False,
) -> None:
    """Serve pages in a browser: play, study, solve, review hands and train."""
    try:
        from riverboat.web import serve  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise RiverboatError(
            f"{error.name} is missing: pip install 'riverboat[web]' brings what pages need"
        ) from error
    missing = [str(folder) for folder in folders or () if not folder.is_dir()]
    if missing:
        raise RiverboatError(f"there is no folder {missing[0]!r}")

    def tell(text: str) -> None:
        console.print(text, soft_wrap=True, highlight=False)

    serve(
        host=host,
        port=port,
        folders=tuple(folders or (Path.cwd(),)),
        data=data,
        browser=open_browser,
        tell=tell,
    )
