"""MIT Pokerbots: our player, their folders, and sessions recorded in the real engines."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.arena import Chair, play_hand
from riverboat.bots import make_bot
from riverboat.cards import HandStrength
from riverboat.errors import GameError, ProtocolError, RiverboatError
from riverboat.game import GameSpec, Hand, View, catalogue
from riverboat.protocols.client import Player, TimeBank, accept, listen, read_transcript
from riverboat.protocols.mit import (
    VARIANTS,
    MitBot,
    MitPlayer,
    export_player,
    find_variant,
    variant_for,
)

DATA = Path(__file__).parent / "data"
#: Chips that the engines' logs say of the recorded sessions.
FINAL = {"2023": -2437, "2024": -511, "2025": -3754, "2026": 3724, "husky": -1710}


def joined(year: str, bot: str = "fish") -> MitPlayer:
    return MitPlayer(Player(make_bot(bot, seed=0), bank=TimeBank(1000)), find_variant(year))


class Watcher:
    """Keeps what it sees, and calls."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.last: View | None = None

    def act(self, view: View) -> str:
        """Call."""
        self.views.append(view)
        return "k" if view.legal.check else "c" if view.legal.call else next(iter(view.legal))

    def hand_over(self, view: View) -> None:
        """Keep the end."""
        self.last = view


def watched(year: str) -> tuple[MitPlayer, Watcher]:
    bot = Watcher()
    return MitPlayer(Player(bot), find_variant(year)), bot


@pytest.mark.parametrize("year", FINAL)
def test_recorded_sessions_get_the_same_answers(year: str) -> None:
    ours = joined(year, "random")
    told = read_transcript((DATA / f"mit_{year}.txt").read_text().splitlines())
    chips = 0
    for line, answers in told:
        assert ours.hear(line) == answers
        found = re.search(rf" {find_variant(year).result}(-?\d+)(?: Y..)?$", line)
        chips += int(found.group(1)) if found else 0
    assert ours.over
    assert not ours.player.chair.errors
    assert chips == FINAL[year]


def test_cards_seats_and_amounts() -> None:
    ours, bot = watched("2025")
    assert ours.hear("T60.000 P1 HAs,Kd GQ R6") == ("C",)
    assert ours.hear("T59.000 C B2c,3d,4h") == ("K",)
    assert ours.hear("T59.000 K R30") == ("C",)
    assert [(view.hole_text, view.board_text, view.line) for view in bot.views] == [
        ("AsKd", "", "b6"),
        ("AsKd", "2c3d4h", "b6c"),
        ("AsKd", "2c3d4h", "b6c/kb30"),
    ]
    assert (bot.views[2].pot, bot.views[2].to_call) == (42, 30)
    assert ours.hear("T59.000 C B2c,3d,4h,9s K R50 F D36 Y1#") == ("K",)
    assert ours.player.won == [18.0]
    assert bot.last is not None
    assert bot.last.payoffs == (-36, 36)
    assert ours.hear("Q") == ()
    assert ours.over


def test_all_in_is_checked_down() -> None:
    ours, bot = watched("2023")
    assert ours.hear("T30.000 P0 HAs,Kd") == ("C",)
    assert ours.hear("T30.000 C R400") == ("C",)
    assert ours.hear("T30.000 C B2c,3d,4h K") == ("K",)
    assert ours.hear("T30.000 K B2c,3d,4h,9s K") == ("K",)
    assert len(bot.views) == 2
    assert ours.hear("T30.000 K B2c,3d,4h,9s,Ts K K OQs,Qd D-400") == ("K",)


def test_a_red_river_goes_on() -> None:
    ours, bot = watched("2023")
    ours.hear("T30.000 P1 HAs,Kd C")
    ours.hear("T30.000 K B2c,3d,4h")
    assert ours.hear("T30.000 K K B2c,3d,4h,9s") == ("K",)
    assert ours.hear("T30.000 K R10") == ("C",)
    assert ours.hear("T30.000 C B2c,3d,4h,9s,Th") == ("K",)
    assert ours.hear("T30.000 K R20") == ("C",)
    assert ours.hear("T30.000 C B2c,3d,4h,9s,Th,5c") == ("K",)
    assert ours.hear("T30.000 K R30") == ("C",)
    view = bot.views[-1]
    assert (view.street, view.pot, view.to_call) == (3, 4 + 20 + 40 + 30, 30)
    assert {"2c", "3d", "4h", "5c"} <= {view.board_text[i : i + 2] for i in range(0, 10, 2)}
    assert view.line == "ck/kk/kb30c/kb30"


def test_the_own_game_of_2023_where_the_bot_plays_it() -> None:
    bot = Watcher()
    ours = MitPlayer(Player(bot), variant_for("fish", "2023"))
    ours.hear("T30.000 P1 HAs,Kd C")
    ours.hear("T30.000 K B2c,3d,4h")
    ours.hear("T30.000 K K B2c,3d,4h,9s")
    ours.hear("T30.000 K R10")
    ours.hear("T30.000 C B2c,3d,4h,9s,Th")
    ours.hear("T30.000 K K B2c,3d,4h,9s,Th,5c")
    assert ours.hear("T30.000 K R30") == ("C",)
    view = bot.views[-1]
    assert (view.spec.name, view.street, view.pot) == ("river-of-blood-2023", 4, 4 + 20 + 30)
    assert (view.board_text, view.line) == ("2c3d4h9sTh5c", "ck/kk/kb10c/kk/kb30")
    ours.hear("T30.000 C OQs,Qd D32")
    assert bot.last is not None
    assert bot.last.payoffs == (-32, 32)
    assert variant_for("shark", "2023").spec.name == "pokerbots-2023"


def test_a_bid_is_the_same_with_and_without_tables(
    monkeypatch: pytest.MonkeyPatch, tables: HandStrength
) -> None:
    def bids() -> list[str]:
        found: list[str] = []
        for flop in ("2c,Ad,4h", "9s,8s,7s", "Kc,Kh,2d"):
            ours, _ = watched("2024")
            ours.hear("T30.000 P1 HAs,Kd R200")
            found += ours.hear(f"T30.000 C B{flop}")
        return found

    place = "riverboat.protocols.mit._player.built_strength"
    monkeypatch.setattr(place, lambda: None)
    counted = bids()
    monkeypatch.setattr(place, lambda: tables)
    assert bids() == counted


def test_chips_count_though_the_round_makes_no_sense() -> None:
    ours = joined("2025")
    ours.hear("T60.000 P0 HAs,Kd GQ")
    with pytest.raises(ProtocolError):
        ours.hear("T60.000 C BAs,2d,3h F D-2 Y00")
    assert ours.player.won == [-1.0]


def test_an_auction() -> None:
    ours, bot = watched("2024")
    ours.hear("T30.000 P1 HAs,Kd R10")
    answer = ours.hear("T30.000 C B2c,Ad,4h")
    assert re.fullmatch(r"A[1-5]", answer[0])
    assert ours.hear("T30.000 A4 A2 P1 N390,388_2,4_As,Kd,Ah B2c,Ad,4h") == ("K",)
    view = bot.views[-1]
    assert (view.hole_text, view.stacks, view.pot) == ("AsAh", (390, 388), 22)
    assert view.legal.raise_to == (2, 388)


def test_tosses() -> None:
    ours, bot = watched("2026")
    assert ours.hear("T60.000 P1 HAs,Kd,2h G C") == ("K",)
    assert ours.hear("T60.000 K B9c,9d") == ("D0",)
    assert ours.hear("T60.000 D0 K B9c,9d,As D2") == ("K",)
    assert ours.hear("T60.000 K B9c,9d,As,7c") == ("K",)
    view = bot.views[-1]
    assert (view.hole_text, view.board_text) == ("Kd2h", "9c9dAs7c")
    assert ours.hear("T60.000 K K B9c,9d,As,7c,Jh K F A-2") == ("K",)
    assert ours.player.won == [-1.0]
    other, seen = watched("2026")
    assert other.hear("T60.000 P0 HAs,Kd,2h G") == ("C",)
    assert other.hear("T60.000 C K B9c,9d D1") == ("K",)
    assert other.hear("T60.000 K B9c,9d,7c") == ("D0",)
    assert seen.views[-1].board_text == "9c9d7c"


def test_husky_blinds_are_counted() -> None:
    ours, bot = watched("husky")
    for number in range(1, 201):
        ours.hear("T5.000 P0 HAs,Kd")
        ours.hear("T5.000 C R40 F D-20" if number < 200 else "T5.000 C K B2c,3d,4h")
    assert bot.views[0].spec.blinds == (10, 20)
    assert bot.views[-1].spec.blinds == (25, 50)


def test_husky_beyond_the_stacks_is_called_and_checked() -> None:
    ours, bot = watched("husky")
    for _ in range(4000):
        ours.hear("T5.000 P1 HAs,Kd F D10")
    seen = len(bot.views)
    assert ours.hear("T5.000 P0 HAs,Kd") == ("C",)
    assert ours.hear("T5.000 C B2c,3d,4h K") == ("K",)
    assert ours.hear("T5.000 K B2c,3d,4h,9s,Ts OQs,Qd D-1000") == ("K",)
    assert len(bot.views) == seen


@pytest.mark.parametrize(
    "line", ["garbage", "T1.0 K", "P7", "Tx", "T1.0 P0 HAs", "T1.0 P0 HAs,Kd Rx", "T1.0 P0 HAs,As"]
)
def test_wrong_lines_are_told_and_answered(line: str) -> None:
    ours = joined("2023")
    with pytest.raises(ProtocolError):
        ours.hear(line)
    assert ours.shrug(line) == ("K",)
    assert ours.hear("T30.000 P0 HAs,Kd") == ("C",)


def test_a_year_that_is_none() -> None:
    with pytest.raises(ProtocolError, match="use 2023, 2024"):
        find_variant("1999")


def test_an_exported_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return 'f'\n")
    bot = f"{tmp_path / 'mine.py'}:Mine"
    export_player(bot, "2024", tmp_path / "us", "python3.12", tried=False)
    assert json.loads((tmp_path / "us" / "commands.json").read_text()) == {
        "build": [],
        "run": ["python3.12", "player.py"],
    }
    assert "bot='mine.py:Mine', year='2024'" in (tmp_path / "us" / "player.py").read_text()
    assert (tmp_path / "us" / "mine.py").is_file()
    with pytest.raises(ProtocolError, match="is not empty"):
        export_player("fish", "2023", tmp_path / "us")


@pytest.mark.parametrize("year", ["2020", "2021", "2022"])
def test_years_that_riverboat_does_not_have(year: str) -> None:
    with pytest.raises(ProtocolError, match=f"Pokerbots {year} is .*: use 2023, 2024"):
        find_variant(year)


HELPED = """import json
from pathlib import Path
from helper.moves import move
TABLE = json.loads((Path(__file__).parent / "table.json").read_text())

class Mine:
    def act(self, view):
        return move(view, TABLE)
"""


@pytest.fixture
def helped(tmp_path: Path) -> Path:
    """A bot with a module of its own and a table."""
    (tmp_path / "mine.py").write_text(HELPED)
    (tmp_path / "helper").mkdir()
    (tmp_path / "helper" / "__init__.py").touch()
    (tmp_path / "helper" / "moves.py").write_text(
        "def move(view, table):\n    return table['move'] if view.legal.check else 'c'\n"
    )
    (tmp_path / "table.json").write_text('{"move": "k"}')
    (tmp_path / "private.txt").write_text("mine")
    return tmp_path


def test_an_exported_bot_has_its_modules_and_tables(helped: Path) -> None:
    folder = helped / "us"
    export_player(str(helped / "mine.py"), "2024", folder, files=[helped / "table.json"])
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    modules = {"mine.py", "helper/__init__.py", "helper/moves.py"}
    assert found == {"commands.json", "player.py", "table.json", *modules}


def test_an_export_that_cannot_play_is_refused(helped: Path) -> None:
    """Its table was not copied; the folder is tried where it lies, and removed."""
    with pytest.raises(ProtocolError, match=r"the exported player failed: .*table\.json"):
        export_player(str(helped / "mine.py"), "2024", helped / "us")
    assert not (helped / "us").exists()
    with pytest.raises(RiverboatError, match=r"does not play .tossem-2026"):
        export_player("blueprint", "2026", helped / "us")
    assert not (helped / "us").exists()
    with pytest.raises(ProtocolError, match="'nopython' cannot be started"):
        export_player("fish", "2023", helped / "us", "nopython")


def test_an_exported_player_connects_before_it_loads(tmp_path: Path) -> None:
    """Engines wait 10 seconds for a connection; a bot may take longer to load."""
    (tmp_path / "mine.py").write_text(
        "import time\nfrom pathlib import Path\n"
        "while not Path(__file__).with_name('go').exists():\n    time.sleep(0.01)\n"
        "class Mine:\n    def act(self, view):\n        return 'f'\n"
    )
    folder = tmp_path / "us"
    export_player(str(tmp_path / "mine.py"), "2025", folder, tried=False)
    with listen() as server:
        words = [sys.executable, "player.py", str(server.getsockname()[1])]
        with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            link = accept(server, 60)
            (folder / "go").touch()
            link.send("Q")
            assert process.stdout is not None
            assert "0 rounds" in process.stdout.read()
        link.close()


def test_the_exported_game_is_one_of_the_catalogue() -> None:
    for variant in VARIANTS.values():
        catalogue(variant.game.split()[0])


def test_a_skeletons_chips_are_read_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "commands.json").write_text('{"run": ["true"]}')
    (tmp_path / "skeleton").mkdir()
    (tmp_path / "skeleton" / "states.py").write_text(
        "NUM_ROUNDS = 1000\nSTARTING_STACK = 400\nBIG_BLIND = 2\nSMALL_BLIND = 1\n"
    )
    bot = make_bot(f"mit:{tmp_path}", 0)
    with pytest.raises(GameError, match=r"stacks = \[400, 400\], blinds = \[1, 2\]"):
        bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))


# ---- Their folders ------------------------------------------------------------------------

GAMES = {"2025": find_variant("2025").spec, "2026": catalogue("tossem-2026")}


@pytest.mark.slow
@pytest.mark.parametrize(("year", "spec"), GAMES.items())
def test_our_folder_at_our_table_plays_as_the_bot_itself(
    tmp_path: Path, year: str, spec: GameSpec
) -> None:
    export_player("random", year, tmp_path / "us", sys.executable)
    lines = []
    for first in (f"mit:{tmp_path / 'us'}@{year}", "random"):
        chairs = [Chair(make_bot(first, 0), 60.0), Chair(make_bot("random", 5), 60.0)]
        for number in range(40):
            hand = Hand(spec, seed=number)
            seated = chairs if number % 2 else chairs[::-1]
            play_hand(hand, seated, tell=True)
            lines.append(hand.full_line)
        assert not chairs[0].errors
        if first != "random":
            chairs[0].bot.close()
    assert lines[:40] == lines[40:]


class Inside:
    """A link to a player of ours, without a process."""

    def __init__(self, year: str, bot: str) -> None:
        self.player = MitPlayer(Player(make_bot(bot, 0)), variant_for(bot, year))
        self.heard: list[str] = []
        self.answers: list[str] = []

    def send(self, line: str) -> None:
        """Have it answered."""
        self.heard.append(line)
        self.answers += self.player.hear(line)

    def receive(self, seconds: float = 0.0) -> str:
        """Return the answer."""
        del seconds
        return self.answers.pop(0)

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("year", ["2023", "2024", "2025", "2026"])
def test_both_sides_of_the_protocol_fit(tmp_path: Path, year: str) -> None:
    (tmp_path / "commands.json").write_text('{"run": ["true"]}')
    theirs, inside = MitBot(tmp_path, year), Inside(year, "random")
    theirs._link = inside
    chairs = [Chair(theirs, 60.0), Chair(make_bot("random", 5), 60.0)]
    spec = variant_for("random", year).spec
    won = 0
    for number in range(60):
        hand = Hand(spec, seed=number)
        seated = chairs if number % 2 else chairs[::-1]
        play_hand(hand, seated, tell=True)
        won += hand.payoffs()[0 if number % 2 else 1]
    assert not chairs[0].errors
    assert not inside.player.player.chair.errors
    assert sum(inside.player.player.won) == won / 2
    assert ("N" in {word[0] for line in inside.heard for word in line.split()}) == (year == "2024")
    if year == "2023":
        assert max(line.count(",") for line in inside.heard) > 5  # boards beyond the river


def test_a_folder_with_a_year(tmp_path: Path) -> None:
    folder = tmp_path / "us@home"
    folder.mkdir()
    (folder / "commands.json").write_text('{"run": ["true"]}')
    for name, year in ((f"{folder}@2024", "2024"), (str(folder), "")):
        bot = make_bot(f"mit:{name}", 0)
        assert isinstance(bot, MitBot)
        assert bot._year == year


def test_an_auction_that_nobody_pays_for(tmp_path: Path) -> None:
    (tmp_path / "commands.json").write_text('{"run": ["true"]}')
    bot, inside = MitBot(tmp_path, "2024"), Inside("2024", "fish")
    bot._link = inside
    hand = Hand(find_variant("2024").spec, hole=["AsKd", "QhQs"], board="2c7d9h4s5s")
    hand.play("b6c/k")
    assert bot.act(hand.view(0)) == "k"
    assert inside.heard == [
        "T60.000 P0 HAs,Kd R6 C B2c,7d,9h A1",
        "T60.000 A0 P0 N394,394_0,1_As,Kd B2c,7d,9h K",
    ]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"commands\.json cannot be read"):
        make_bot(f"mit:{tmp_path}", 0)
    (tmp_path / "commands.json").write_text('{"build": []}')
    with pytest.raises(GameError, match='has no command "run"'):
        make_bot(f"mit:{tmp_path}", 0)
    (tmp_path / "commands.json").write_text('{"run": "player.py"}')
    with pytest.raises(GameError, match="must be a list of words"):
        make_bot(f"mit:{tmp_path}", 0)


def test_a_game_that_it_has_no_words_for(tmp_path: Path) -> None:
    (tmp_path / "commands.json").write_text('{"run": ["true"]}')
    bot = make_bot(f"mit:{tmp_path}", 0)
    with pytest.raises(GameError, match="not leduc"):
        bot.act(Hand(catalogue("leduc"), seed=1).view(0))


# ---- The real engines ------------------------------------------------------------------------

ENGINES = os.environ.get("RIVERBOAT_MIT_ENGINES", "")
FOLDERS = {year: f"engine-{year}" for year in VARIANTS} | {"husky": "huskyholdem-engine"}
BAD = ("illegal", "misformatted", "ran out", "disconnected", "invalid")


@pytest.mark.peer
@pytest.mark.skipif(not ENGINES, reason="RIVERBOAT_MIT_ENGINES names no folder with their engines")
@pytest.mark.parametrize("year", FINAL)
def test_10_000_rounds_in_the_real_engine(tmp_path: Path, year: str) -> None:
    source = Path(ENGINES) / FOLDERS[year]
    shutil.copy(source / "engine.py", tmp_path)
    settings = (source / "config.py").read_text()
    for number in (1, 2):
        export_player("random", year, tmp_path / f"us{number}", sys.executable)
        path = f"PLAYER_{number}_PATH = './us{number}'"
        settings = re.sub(rf"PLAYER_{number}_PATH = .*", path, settings)
    settings = re.sub("NUM_ROUNDS = .*", "NUM_ROUNDS = 10000", settings)
    settings = re.sub("STARTING_GAME_CLOCK = .*", "STARTING_GAME_CLOCK = 300.", settings)
    (tmp_path / "config.py").write_text(settings)
    place = os.pathsep.join(filter(None, [ENGINES, os.environ.get("PYTHONPATH", "")]))
    subprocess.run(
        [sys.executable, "engine.py"], cwd=tmp_path, check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": place},
    )  # fmt: skip
    log = (tmp_path / "gamelog.txt").read_text().splitlines()
    assert sum(line.startswith("Round #") for line in log) == 10_000
    assert [line for line in log if any(word in line for word in BAD)] == []
