"""Export a bot as a folder that the engine runs as a player."""

import argparse
import json
import secrets
import shutil
from pathlib import Path

from riverboat.bots import BotRef, sit, try_to_sit
from riverboat.errors import GameError, ProtocolError
from riverboat.files import atomic_path
from riverboat.protocols.client import Player, TimeBank, Transcript, connect, join
from riverboat.protocols.mit._player import MitPlayer
from riverboat.protocols.mit._variants import find_variant, variant_for

_PLAYER = '''"""A player for MIT Pokerbots ({year}): {bot}. It needs the package riverboat only."""

from riverboat.protocols.mit import main

main(bot={bot!r}, year={year!r})
'''


def export_player(bot: str, year: str, folder: Path, python: str = "python3") -> None:
    """Write a folder that a Pokerbots engine runs as a player.

    Parameters
    ----------
    bot
        A bot as `make_bot` reads it; its strategy file is copied into the folder.
    year
        One of `VARIANTS`.
    folder
        Folder to write. It may exist, but must be empty.
    python
        The engine's Python command; that Python must have Riverboat installed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     export_player("fish", "2023", Path(place) / "us")
    ...     print((Path(place) / "us" / "commands.json").read_text())
    {"build": [], "run": ["python3", "player.py"]}
    """
    find_variant(year)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ProtocolError(f"{folder} is not empty")
    named = _with_its_file(bot, folder)
    commands = {"build": [], "run": [python, "player.py"]}
    for name, text in (
        ("commands.json", json.dumps(commands)),
        ("player.py", _PLAYER.format(bot=named, year=year)),
    ):
        with atomic_path(folder / name) as path:
            path.write_text(text, encoding="utf-8")


def _with_its_file(bot: str, folder: Path) -> str:
    """Copy the bot's file to the folder, and return the bot's name with the copied file."""
    file = BotRef.parse(bot).file
    if file is None or str(file) not in bot:  # no file, or the file that ships with the package
        return bot
    if not file.is_file():
        raise GameError(f"there is no file {str(file)!r}")
    shutil.copyfile(file, folder / file.name)
    return bot.replace(str(file), file.name, 1)


def main(bot: str, year: str) -> None:
    """Play a match for the engine that started this program with a port number.

    The bot is created and makes one decision before it connects, because then its clock starts.
    """
    parser = argparse.ArgumentParser(description="A player for MIT Pokerbots.")
    parser.add_argument("--host", default="127.0.0.1", help="address of the engine")
    parser.add_argument("--log", type=Path, help="log file of all lines, sent and received")
    parser.add_argument("port", type=int, help="port of the engine")
    given = parser.parse_args()
    variant = variant_for(bot, year)
    try_to_sit(bot, variant.spec)  # loads the bot's tables
    made = sit(bot, secrets.randbits(48))
    player = Player(made, bank=TimeBank(variant.rounds))
    try:
        with Transcript(given.log) as transcript:
            joined = join(
                MitPlayer(player, variant),
                lambda: connect(given.host, given.port),
                transcript=transcript,
            )
    finally:
        player.close()
    print(f"{joined.hands} rounds, {joined.won:+.1f} bb: {joined.ended}")
    for kind, count in joined.errors.items():
        print(f"{count} times {kind}: {joined.said[kind]}")
