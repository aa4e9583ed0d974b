"""`riverboat serve`: web pages."""

from pathlib import Path
from typing import Annotated

from riverboat.cli._command import argument, option
from riverboat.cli._output import console
from riverboat.errors import RiverboatError


def serve_command(
    folders: Annotated[
        list[Path] | None,
        argument("Folders with strategies and solutions to show.", metavar="folder"),
    ] = None,
    host: Annotated[
        str, option("Address to listen on; from other machines a token is required.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, option("Port (default: 8765, or the next free one).", least=0, most=65535)
    ] = None,
    data: Annotated[
        Path | None, option("Folder that keeps tables and solves across restarts.")
    ] = None,
    open_browser: Annotated[bool, option("Open the pages in a browser.", "--open")] = False,
) -> None:
    """Serve web pages: play, study, solve, review hands and train."""
    from riverboat.web import serve  # noqa: PLC0415 - slow

    missing = [str(folder) for folder in folders or () if not folder.is_dir()]
    if missing:
        raise RiverboatError(f"the folder {missing[0]!r} does not exist")

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
