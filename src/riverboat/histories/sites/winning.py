"""Winning Poker Network (Americas Cardroom, Black Chip): the forms before and since 2017."""

from riverboat.histories.sites._grammar import CARD, Grammar
from riverboat.histories.sites.pokerstars import DATE

_ALL_IN = r"(?: and is all-in)?"

WINNING = Grammar(
    name="winning",
    site="Winning Poker Network",
    opening=r"(?:Game )?Hand #[0-9]+ - .*",
    info=(
        r"Hand #(?P<id>[0-9]+)",
        r"Hand #[0-9]+ - (?:.*?Tournament #[^ ]+ - )?(?P<game>.*?)\((?P<limit>.*?)\)",
        r"(?P<sign>[$€£]?)(?P<small>[0-9][0-9.,]*)/[$€£]?(?P<big>[0-9][0-9.,]*)",
        DATE + r" (?P<zone>UTC)",
        r"^(?P<table>.*) (?P<size>\d{1,2})-max Seat #(?P<button>\d{1,4}) is the button",
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \({stack}\)(?: is sitting out)?"),
        ("hole", r"Dealt to {player} \[{cards}\]"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\]"),
        ("summary", r"\*\*\* SUMMARY \*\*\*"),
        ("rake", r"Total pot {total}.*\| Rake {amount} \| JP [Ff]ee {dead}"),
        ("rake", r"Total pot {total}.*\| Rake {amount}.*"),
        ("seat-knows", r"Seat {chair}: .*? showed \[{cards}\].*"),
    ),
    acts=(
        ("fold", r"folds"),
        ("check", r"checks"),
        ("call", rf"calls {{amount}}{_ALL_IN}"),
        ("add", rf"bets {{amount}}{_ALL_IN}"),
        ("raise", rf"raises [^ ]+ to {{to}}{_ALL_IN}"),
        ("ante", rf"posts (?:the )?ante {{amount}}{_ALL_IN}"),
        ("small", rf"posts (?:the )?small blind {{amount}}{_ALL_IN}"),
        ("big", rf"posts (?:the )?big blind {{amount}}{_ALL_IN}"),
        ("post", rf"posts dead {{amount}}{_ALL_IN}"),
        ("straddle", rf"(?:posts )?(?:the )?straddles? {{amount}}{_ALL_IN}"),
        ("post", rf"posts {{amount}}{_ALL_IN}"),
        ("show", r"shows \[{cards}\].*"),
        ("muck", r"does not show|mucks hand"),
        ("win", r"collected {amount} from .*pot.*"),
    ),
)

WINNING_OLD = Grammar(
    name="winning-old",
    site="Winning Poker Network",
    opening=r"Game started at: .*",
    info=(
        DATE,
        r"Game ID: (?P<id>[0-9]+)",
        r"Game ID: [0-9]+ (?P<small>[0-9.,]+)/(?P<big>[0-9.,]+)(?P<table>.*)"
        r"\((?P<game>(?:Hold'em|Omaha|7Stud|Stud|PLO|.*?))\)",
        r"(?P<size>\d{1,2})-max",
        r"Seat (?P<button>\d{1,4}) is the button",
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \({stack}\)\.?"),
        ("fold", r"Player {player} folds"),
        ("check", r"Player {player} checks"),
        ("call", r"Player {player} calls \({amount}\)"),
        ("add", r"Player {player} (?:bets|raises) \({amount}\)"),
        ("all-in", r"Player {player} allin \({amount}\)"),
        ("ante", r"Player {player} ante \({amount}\)"),
        ("small", r"Player {player} has small blind \({amount}\)"),
        ("big", r"Player {player} has big blind \({amount}\)"),
        ("dead", r"Player {player} posts \({amount}\) as a dead bet"),
        ("straddle", r"Player {player} straddle \({amount}\)"),
        ("post", r"Player {player} posts \({amount}\)"),
        ("hole", rf"Player {{player}} received card: \[({CARD})\]".replace(f"({CARD})", "{cards}")),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\*:? ?(?:\[.*\] ?)?\[{cards}\]"),
        ("summary", r"-+ Summary -+"),
        ("rake", r"Pot: .*\. Rake {amount}\. JP [Ff]ee {dead}.*"),
        ("rake", r"Pot: .*\. Rake {amount}.*"),
        (
            "result",
            r"\*?Player {player} (?:shows|mucks)[^\[]*\[{cards}\].*?Collects: {amount}\. .*",
        ),
        (
            "result",
            r"\*?Player {player} (?:shows|mucks|does not show|mucks).*?Collects: {amount}\. .*",
        ),
    ),
    acts=(),
    after_name=r"(?!)",
)
