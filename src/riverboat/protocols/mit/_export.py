"""Export a bot as a folder that the engine runs as a player."""

import argparse
import ast
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile

from riverboat.bots import BotRef, sit, try_to_sit
from riverboat.errors import GameError, ProtocolError, one_line
from riverboat.files import atomic_path, read_text
from riverboat.game import Hand
from riverboat.protocols.client import (
    Player,
    TimeBank,
    Transcript,
    accept,
    connect,
    join,
    listen,
)
from riverboat.protocols.mit._bot import clauses_of, read_answer
from riverboat.protocols.mit._player import MitPlayer
from riverboat.protocols.mit._variants import Variant, find_variant, variant_for

_ENGINE_SECONDS = 10.0  # the engines' limit to connect
_PLAYER = '''"""A player for MIT Pokerbots ({year}): {bot}. It needs the package riverboat only."""

from riverboat.protocols.mit import main

main(bot={bot!r}, year={year!r})
'''


def export_player(  # noqa: PLR0913 - options by name
    bot: str,
    year: str,
    folder: Path,
    python: str = sys.executable,
    files: Sequence[Path] = (),
    *,
    tried: bool = True,
) -> None:
    """Write a folder that a Pokerbots engine runs as a player.

    Parameters
    ----------
    bot
        A bot as `make_bot` reads it; its file is copied into the folder, with the modules beside
        it that it imports.
    year
        One of `VARIANTS`.
    folder
        Folder to write. It may exist, but must be empty.
    python
        The engine's Python command; that Python must have Riverboat installed.
    files
        Further files of the bot, such as tables.
    tried
        Whether to start the player as the engine does, with 10 seconds to connect, and ask it for a
        move. If it fails, the folder is removed.

    Raises
    ------
    RiverboatError
        If the bot does not play the year's game, or the exported player fails.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     export_player("fish", "2023", Path(place) / "us", "python3", tried=False)
    ...     print((Path(place) / "us" / "commands.json").read_text())
    {"build": [], "run": ["python3", "player.py"]}
    """
    variant = find_variant(year)
    if not BotRef.parse(bot).untrusted:
        variant = variant_for(bot, year)
        try_to_sit(bot, variant.spec)  # refuses a game that the bot does not play
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ProtocolError(f"{folder} is not empty")
    try:
        named = _with_its_files(bot, folder, files)
        commands = {"build": [], "run": [python, "player.py"]}
        for name, text in (
            ("commands.json", json.dumps(commands)),
            ("player.py", _PLAYER.format(bot=named, year=year)),
        ):
            with atomic_path(folder / name) as path:
                path.write_text(text, encoding="utf-8")
        if tried:
            try_player(folder, variant)
    except BaseException:
        _empty(folder, existed)
        raise


def _empty(folder: Path, existed: bool) -> None:
    """Remove what was written."""
    shutil.rmtree(folder)
    if existed:
        folder.mkdir()


def _with_its_files(bot: str, folder: Path, files: Sequence[Path]) -> str:
    """Copy the bot's files to the folder, and return the bot's name with the copied file."""
    ref = BotRef.parse(bot)
    file = ref.file
    for each in files:
        if not each.is_file():
            raise GameError(f"there is no file {str(each)!r}")
        shutil.copyfile(each, folder / each.name)
    if file is None or str(file) not in bot:  # no file, or the file that ships with the package
        return bot
    if not file.is_file():
        raise GameError(f"there is no file {str(file)!r}")
    modules = modules_of(file) if file.suffix == ".py" else [Path(file.name)]
    for module in modules:
        (folder / module).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.parent / module, folder / module)
    return bot.replace(str(file), file.name, 1)


def modules_of(file: Path) -> list[Path]:
    """Return a Python file and the modules in its folder that it imports, relative to the folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     for name, text in (("a", "import b, json"), ("b", "from c.d import x"), ("e", "")):
    ...         _ = (Path(place) / f"{name}.py").write_text(text)
    ...     (Path(place) / "c").mkdir()
    ...     _ = (Path(place) / "c" / "d.py").write_text("")
    ...     [path.as_posix() for path in modules_of(Path(place) / "a.py")]
    ['a.py', 'b.py', 'c/d.py']
    """
    found: dict[Path, None] = {}
    waiting = [Path(file.name)]
    while waiting:
        path = waiting.pop(0)
        if path in found:
            continue
        found[path] = None
        for name in _imported(file.parent / path, path):
            parts = name.split(".")
            places = [Path(*parts[: end + 1]) for end in range(len(parts))]
            wanted = [each for place in places for each in (place / "__init__.py", _py(place))]
            waiting += [each for each in wanted if (file.parent / each).is_file()]
    return list(found)


def _py(path: Path) -> Path:
    return path.with_name(f"{path.name}.py")


def _imported(file: Path, path: Path) -> Iterator[str]:
    """Yield the full names of modules, or of names within them, that a file imports."""
    try:
        tree = ast.parse(read_text(file, str(file), GameError))
    except SyntaxError as error:
        raise GameError(f"{file} is not Python: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.parts[: -node.level] if node.level else ()
            base = ".".join((*package, *filter(None, [node.module])))
            yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names)


def try_player(folder: Path, variant: Variant) -> None:
    """Start a player as the engine does, and ask it for the first move of a hand.

    Raises
    ------
    ProtocolError
        If it does not connect within 10 seconds, ends, or fails.
    """
    run = json.loads((folder / "commands.json").read_text(encoding="utf-8"))["run"]
    view = Hand(variant.spec, seed=1).view(0)
    with listen() as server, TemporaryFile("w+", errors="replace") as printed:
        words = [*run, str(server.getsockname()[1])]
        no_cache = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            process = subprocess.Popen(  # noqa: S603 - the player that was just written
                words, cwd=folder, env=no_cache, stdout=printed, stderr=printed
            )
        except OSError as error:
            raise ProtocolError(f"{run[0]!r} cannot be started: {error.strerror}") from error
        problem = "failed"
        try:
            with closing(accept(server, _ENGINE_SECONDS)) as link:
                link.send(" ".join([f"T{variant.clock:.3f}", *clauses_of(view, variant.name)]))
                read_answer(link.receive(variant.clock).strip(), view)
                link.send("Q")
                failed = process.wait(_ENGINE_SECONDS) != 0
        except TimeoutError:
            problem, failed = "did not connect or answer in time", True
        except (OSError, EOFError, ProtocolError, subprocess.TimeoutExpired):
            failed = True
        finally:
            process.kill()
            process.wait()
        if failed:
            printed.seek(0)
            said = printed.read().strip().splitlines()
            why = one_line(said[-1]) if said else "it printed nothing"
            raise ProtocolError(
                f"the exported player {problem}: {why}. Is everything that the bot needs in the "
                "folder (--file), and has that Python Riverboat (--python)?"
            )


def main(bot: str, year: str) -> None:
    """Play a match for the engine that started this program with a port number.

    It connects first, because engines wait 10 seconds for that and loading a bot may take longer on
    a busy machine. Loading then uses some of the match's clock; only where that is shorter than
    those 10 seconds, the bot is loaded first.
    """
    parser = argparse.ArgumentParser(description="A player for MIT Pokerbots.")
    parser.add_argument("--host", default="127.0.0.1", help="address of the engine")
    parser.add_argument("--log", type=Path, help="log file of all lines, sent and received")
    parser.add_argument("port", type=int, help="port of the engine")
    given = parser.parse_args()
    link = None
    if find_variant(year).clock >= _ENGINE_SECONDS:
        link = connect(given.host, given.port)
    variant = variant_for(bot, year)
    try_to_sit(bot, variant.spec)  # loads the bot's tables
    made = sit(bot, secrets.randbits(48))
    player = Player(made, bank=TimeBank(variant.rounds))
    try:
        with Transcript(given.log) as transcript:
            joined = join(
                MitPlayer(player, variant),
                lambda: link or connect(given.host, given.port),
                transcript=transcript,
            )
    finally:
        player.close()
    print(f"{joined.hands} rounds, {joined.won:+.1f} bb: {joined.ended}")
    for kind, count in joined.errors.items():
        print(f"{count} times {kind}: {joined.said[kind]}")
    if joined.decisions and joined.errors.total() >= joined.decisions:
        sys.exit(1)
