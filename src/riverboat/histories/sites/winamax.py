"""Winamax: cash games, Go Fast, tournaments and sit and go."""

from riverboat.histories.sites._grammar import Grammar
from riverboat.histories.sites.pokerstars import BUTTON, DATE

_ALL_IN = r"(?: and is all-in)?"

WINAMAX = Grammar(
    name="winamax",
    site="Winamax",
    opening=r"Winamax Poker - .*",
    info=(
        r"HandId: #(?P<id>[0-9-]+)",
        r"HandId: #[0-9-]+ - (?P<game>.*?) \(",
        r"HandId: #[0-9-]+ - .*?(?P<limit>no limit|pot limit|fixed limit|limit)",
        r"\((?:(?P<ante>[0-9.,]+)(?P<sign>€?)/)?(?P<small>[0-9.,]+)€?/(?P<big>[0-9.,]+)€?\) - 20",
        r"\([0-9.,]+(?P<sign>€)/",
        DATE + r" (?P<zone>UTC|[A-Z]+)",
        r"^Table: '(?P<table>.*)' (?P<size>\d{1,2})-max",
        BUTTON,
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \({stack}(?:, [^()]*)?\)"),
        ("hole", r"Dealt to {player} \[{cards}\]"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\]"),
        ("summary", r"\*\*\* SUMMARY \*\*\*"),
        ("rake", r"Total pot {total}.*\| No rake.*"),
        ("rake", r"Total pot {total}.*\| Rake {amount}.*"),
        ("seat-knows", r"Seat {chair}: .*? showed \[{cards}\].*"),
    ),
    acts=(
        ("fold", r"folds"),
        ("check", r"checks"),
        ("call", rf"calls {{amount}}{_ALL_IN}"),
        ("add", rf"bets {{amount}}{_ALL_IN}"),
        ("raise", rf"raises [^ ]+ to {{to}}{_ALL_IN}"),
        ("ante", rf"posts ante {{amount}}{_ALL_IN}"),
        ("dead", rf"posts small blind {{amount}} out of position{_ALL_IN}"),
        ("extra", rf"posts big blind {{amount}} out of position{_ALL_IN}"),
        ("small", rf"posts small blind {{amount}}{_ALL_IN}"),
        ("big", rf"posts big blind {{amount}}{_ALL_IN}"),
        ("straddle", rf"posts straddle {{amount}}{_ALL_IN}"),
        ("show", r"shows \[{cards}\].*"),
        ("muck", r"mucks hand.*"),
        ("win", r"collected {amount} from .*pot.*"),
    ),
    summary=True,
)
