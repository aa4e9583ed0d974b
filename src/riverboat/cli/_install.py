"""Shell completion: the script of a shell, written where that shell reads it."""

import os
from pathlib import Path
from typing import Final

import click

from riverboat.errors import RiverboatError

__all__ = ["install", "show"]

#: Where a shell's script goes, and the lines of its start file that read it.
_PLACES: Final = {
    "bash": (".bash_completions/riverboat.sh", ".bashrc", "source ~/{script}"),
    "zsh": (".zfunc/_riverboat", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/riverboat.fish", None, ""),
}


def show() -> None:
    """Print the script of this shell."""
    click.echo(_script(_shell()))


def install() -> None:
    """Write the script of this shell into the home folder, and a line that reads it."""
    shell = _shell()
    name, start, line = _PLACES[shell]
    path = Path.home() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_script(shell), encoding="utf-8")
    if start is not None:
        line, file = line.format(script=name), Path.home() / start
        before = file.read_text(encoding="utf-8") if file.is_file() else ""
        if line not in before.splitlines():
            file.write_text(f"{before.rstrip()}\n{line}\n".lstrip(), encoding="utf-8")
    click.echo(f"{shell} completion is installed in {path}: open a new shell.")


def _shell() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name not in _PLACES:
        raise RiverboatError(
            f"there is no completion for the shell {name!r} ($SHELL): use {', '.join(_PLACES)}"
        )
    return name


def _script(shell: str) -> str:
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - rarely needed

    kind = get_completion_class(shell)
    if kind is None:
        raise RiverboatError(f"this version of click has no completion for {shell}")
    return kind(click.Command("riverboat"), {}, "riverboat", "_RIVERBOAT_COMPLETE").source()
