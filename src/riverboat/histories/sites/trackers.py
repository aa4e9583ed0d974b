"""Exports of trackers: PokerTracker's forms for iPoker, Merge and Microgaming.

Exports for other sites, and those of Hold'em Manager, keep the form of the site.
"""

from riverboat.histories.sites._grammar import Grammar

_CARD = r"(?:(?:10|[2-9TJQKA])[cdhs]|[CDHScdhs](?:10|[2-9TJQKA]))"

TRACKER = Grammar(
    name="tracker",
    site="",
    opening=r"(?:MERGE_|)GAME #[0-9-]+:? .*|Merge Game #[0-9-]+ .*",
    info=(
        r"(?i:game) #(?P<id>[0-9-]+)",
        r"(?P<game>Texas Hold'em|Holdem|Omaha[A-Za-z /-]*|[A-Z0-9][A-Za-z0-9 -]*Stud[A-Za-z /-]*)"
        r" *\|? *(?P<limit>NL|PL|FL|SL|L)?",
        r"(?P<sign>[$€£]?)(?P<small>[0-9][0-9.,]*)/[$€£]?(?P<big>[0-9][0-9.,]*)[ )]",
        r"(?P<y>\d{4})[-/](?P<mo>\d\d)[-/](?P<d>\d\d) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)"
        r"(?:/(?P<zone>[A-Z]+))?",
        r"(?P<mo>\d\d)/(?P<d>\d\d)/(?P<y>\d{4}) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)"
        r"(?: (?P<zone>[A-Z]+))?",
        r"^Table (?P<table>.*?)(?: \(Tournament: .*\))?(?:, Seats (?P<size>\d+))?$",
    ),
    rules=(
        ("seat-button", r"Seat {chair}: {name} \({stack} in chips\) DEALER"),
        ("seat", r"Seat {chair}: {name} \({stack} in chips\)"),
        ("hole", r"Dealt to {player} \[{cards}\]"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\]"),
        ("summary", r"\*\*\* SUMMARY \*\*\*"),
        ("rake", r"Total pot {total}.*Rake {amount}"),
    ),
    acts=(
        ("fold", r"Fold"),
        ("check", r"Check"),
        ("call", r"Call (?:\([A-Z]+\) )?{amount}"),
        ("add", r"Bet (?:\([A-Z]+\) )?{amount}"),
        ("raise", r"Raise (?:\([A-Z]+\) )?{to}"),
        ("all-in", r"Allin {amount}"),
        ("ante", r"(?:Post )?Ante {amount}"),
        ("small", r"(?:Post )?SB (?:Allin )?{amount}"),
        ("big", r"(?:Post )?BB (?:Allin )?{amount}"),
        ("post", r"(?:Post )?DB {amount}"),
        ("post", r"Post {amount}"),
        ("show", r"Shows \[{cards}\].*"),
        ("muck", r"Mucks.*"),
        ("skip", r"wins {amount} \(uncalled\)"),
        ("win", r"wins {amount}"),
    ),
    after_name=": ",
    card=_CARD,
)

_SPELT_CARD = r"(?:10|[2-9TJQKA]) of [cdhs]"

MICROGAMING = Grammar(
    name="microgaming",
    site="Microgaming",
    opening=r"\*\* (?:Game ID|Hand #) [0-9]+ .*",
    info=(
        r"(?:Game ID|Hand #) (?P<id>[0-9]+)",
        r"(?P<y>\d{4})-(?P<mo>\d\d)-(?P<d>\d\d) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)",
        r"^\*\* (?P<table>.*?) \[(?P<game>[^\]]*)\] \((?P<small>[0-9.]+)\|(?P<big>[0-9.]+) "
        r"(?P<limit>NL|PL|FL|L)",
        r"- (?P<sign>[$€£]) Cash Game",
        r"seats:(?P<size>\d+)",
    ),
    rules=(
        (
            "seat-button",
            r"(?:- )?{name} sitting in seat {chair} with {stack}(?: at end [^ ]+)? ?\[Dealer\]",
        ),
        ("skip", r"(?:- )?{player} sitting in seat {chair} with {stack} \[Sitting out\]"),
        (
            "seat",
            r"(?:- )?{name} sitting in seat {chair} with {stack}(?: at end [^ ]+)?(?: \[.*\])?",
        ),
        ("hole", r"\*\* Dealing card to {player}: {cards}"),
        ("board", r"\*\* Dealing the (?:flop|turn|river): {cards}"),
    ),
    acts=(
        ("fold", r"folded"),
        ("check", r"checked"),
        ("call", r"called - {amount}"),
        ("add", r"bet - {amount}"),
        ("raise", r"raised to {to}"),
        ("add", r"raised - {amount}"),
        ("all-in", r"went all-in - {amount}"),
        ("ante", r"posted the ante - {amount}"),
        ("small", r"posted the small blind - {amount}"),
        ("big", r"posted the big blind - {amount}"),
        ("post", r"posted to play - {amount}"),
        ("show", r"shows: {cards}.*"),
        ("muck", r"mucks:.*"),
        ("win", r"wins {amount}(?: from .*)?"),
    ),
    card=_SPELT_CARD,
    cards=((" of ", ""),),
    head_ends=r"^(?:- )?.* sitting in seat ",
)
