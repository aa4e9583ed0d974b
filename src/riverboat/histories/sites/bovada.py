"""Bovada, Ignition and Bodog: anonymous tables, where the names are positions."""

from riverboat.histories.sites._grammar import Grammar
from riverboat.histories.sites.pokerstars import DATE

_NAME = r"(?: +\[ME\])? *: "

BOVADA = Grammar(
    name="bovada",
    site="Bovada",
    opening=r"(?:Bovada|Ignition|Bodog(?:\.[a-z]+| UK| Canada)?|BodogUK|BodogCanada) Hand #.*",
    info=(
        r"Hand #(?P<id>[0-9]+)",
        r"Hand #[^\n]*? (?P<game>(?:HOLDEM|OMAHA|7CARD|STUD|[A-Z0-9]+ ?H/L)[A-Za-z/]*)",
        r"Hand #[^\n]*?(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit|Normal|Turbo)",
        r"Stakes: (?P<sign>[$€£]?)(?P<small>[0-9][0-9.]*)-[$€£]?(?P<big>[0-9][0-9.]*)",
        r"\((?P<small>[0-9.,]+)/(?P<big>[0-9.,]+)\)",
        r"(?P<table>(?:TBL|Zone Poker ID)#[^ ,\n]+)",
        DATE,
    ),
    rules=(
        ("seat", r"Seat {chair}: {player}(?: \[ME\])? \({stack} in chips\)"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\]"),
        ("summary", r"\*\*\* SUMMARY \*\*\*"),
        ("hero-hole", r"{player} +\[ME\] *: Card dealt to a spot \[{cards}\].*"),
    ),
    acts=(
        ("button", r"Set dealer(?:/Bring in spot)? \[.*\]"),
        ("hole", r"Card dealt to a spot \[{cards}\].*"),
        ("fold", r"Folds?(?: ?\(.*\)| & shows.*)?"),
        ("check", r"Checks?(?: ?\(.*\))?"),
        ("call", r"Calls? ?(?:\(.*\))? ?{amount}"),
        ("add", r"Bets ?(?:\(.*\))? ?{amount}"),
        ("raise", r"Raises? ?(?:\(.*\))? ?[^ ]+ to {to}"),
        ("raise", r"All-in ?\(raise\) ?[^ ]+ to {to}"),
        ("raise", r"All-in ?\(raise-timeout\) ?[^ ]+ to {to}"),
        ("all-in", r"All-in ?(?:\(.*\))? ?{amount}"),
        ("ante", r"Ante chip {amount}"),
        ("small", r"(?:Ante/)?[Ss]mall [Bb]lind {amount}"),
        ("big", r"[Bb]ig [Bb]lind(?:/Bring in)? {amount}"),
        ("post", r"Posts dead chip {amount}"),
        ("post", r"Posts chip {amount}"),
        ("know", r"(?:Does not show|Mucks) \[{cards}\].*"),
        ("show", r"Showdown ?\[{cards}\].*"),
        ("win", r"Hand (?i:result(?:-side pot)?) ?{amount}"),
    ),
    after_name=_NAME,
    repeats=True,
    positions=True,
    limit_by_blinds=True,
)
