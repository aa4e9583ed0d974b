"""Shell completion of bots, recipes, games, reproductions and files.

Each function takes an incomplete word and returns its completions; packages are imported only when
a shell asks. `install` writes a shell's script to the place where the shell reads it.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import click

from riverboat.errors import RiverboatError


def bots(incomplete: str) -> list[str]:
    """Bots by name, Python files, and the strategy file of a bot that takes one.

    Examples
    --------
    >>> bots("shar"), bots("blue")
    (['shark'], ['blueprint'])
    """
    from riverboat.bots import BotRef, bot_names  # noqa: PLC0415 - only a shell that asks waits

    ref = BotRef.parse(incomplete)
    if ref.form == "named" and ":" in incomplete:
        return [f"{ref.name}:{found}" for found in strategies(ref.settings)]
    return _named([*bot_names(), "default"], incomplete) + _files(incomplete, ".py")


def opponents(incomplete: str) -> list[str]:
    """Several bots with commas between them.

    Examples
    --------
    >>> opponents("fish,shar")
    ['fish,shark']
    """
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in bots(last)]


def recipes(incomplete: str) -> list[str]:
    """Recipes by name, and TOML files."""
    from riverboat.training import recipe_names  # noqa: PLC0415 - only a shell that asks waits

    return _named(recipe_names(), incomplete) + _files(incomplete, ".toml")


def games(incomplete: str) -> list[str]:
    """Games of the catalogue, and files that define one.

    Examples
    --------
    >>> games("ku")
    ['kuhn', 'kuhn3']
    """
    from riverboat.game import game_names  # noqa: PLC0415 - only a shell that asks waits

    return _named(game_names(), incomplete) + _files(incomplete, ".game", ".toml")


def menus(incomplete: str) -> list[str]:
    """Bet menus that have a name."""
    from riverboat.tree import menu_names  # noqa: PLC0415 - only a shell that asks waits

    return _named(menu_names(), incomplete)


def reproductions(incomplete: str) -> list[str]:
    """Names of reproductions."""
    from riverboat.reproductions import NAMES  # noqa: PLC0415 - only a shell that asks waits

    return _named([*NAMES, "all"], incomplete)


def lbr_sets(incomplete: str) -> list[str]:
    """Settings of a local best response; after a `-` the sets of the next street."""
    from riverboat.evaluate import LBR_PRESETS, LBR_STREET_SETS  # noqa: PLC0415 - only a shell that asks waits

    before = incomplete[: incomplete.rfind("-") + 1]
    names = [f"{before}{name}" for name in LBR_STREET_SETS] if before else [*LBR_PRESETS]
    return _named(names, incomplete)


def strategies(incomplete: str) -> list[str]:
    """Strategy files, and the shipped ones."""
    from riverboat.blueprint import shipped_blueprints  # noqa: PLC0415 - only a shell that asks waits

    return _named(shipped_blueprints(), incomplete) + _files(incomplete, ".blueprint")


def decisions(incomplete: str) -> list[str]:
    """Files whose decisions can be shown: strategies and solutions."""
    return strategies(incomplete) + solutions(incomplete)


def solutions(incomplete: str) -> list[str]:
    """Solutions of spots."""
    return _files(incomplete, ".solution")


def _named(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, *suffixes: str) -> list[str]:
    """Files with these suffixes, and folders that may contain them."""
    folder = incomplete[: incomplete.rfind("/") + 1]
    start = incomplete[len(folder) :]
    try:
        entries = sorted(Path(folder or ".").iterdir())
    except OSError:
        return []
    seen = [entry for entry in entries if entry.name.startswith(start)]
    return [
        f"{folder}{entry.name}{'/' if entry.is_dir() else ''}"
        for entry in seen
        if (entry.is_dir() and (start or entry.name[0] != ".")) or entry.suffix in suffixes
    ]


#: Default completion of parameters and settings, by name.
BY_NAME: Final[dict[str, Callable[[str], list[str]]]] = {
    "against": bots,
    "bot": bots,
    "bots": bots,
    "game": games,
    "menu": menus,
    "opponents": opponents,
    "recipe": recipes,
}


#: By shell: the path of the script, the start file, and the line there that reads the script.
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
            f"no completion for the shell {name!r} ($SHELL): it works with {', '.join(_PLACES)}"
        )
    return name


def _script(shell: str) -> str:
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - rarely needed

    kind = get_completion_class(shell)
    if kind is None:
        raise RiverboatError(f"this version of click has no completion for {shell}")
    return kind(click.Command("riverboat"), {}, "riverboat", "_RIVERBOAT_COMPLETE").source()
