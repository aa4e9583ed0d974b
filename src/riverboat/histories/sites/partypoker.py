"""PartyPoker: cash games, fast forward, tournaments, emailed hands; the forms of 2005 to 2021."""

from riverboat.histories.sites._grammar import Grammar

_DATE = (
    r"(?:[A-Z][a-z]+day, ?)(?P<mo>[A-Z][a-z]+) (?P<d>\d\d?), (?P<h>\d\d?):(?P<mi>\d\d):"
    r"(?P<s>\d\d) ?(?P<zone>[A-Z]*) (?P<y>\d{4})"
)
_SHORT_DATE = (
    r"- +[A-Z][a-z]{2} (?P<mo>[A-Z][a-z]{2}) (?P<d>\d\d?) (?P<h>\d\d?):(?P<mi>\d\d):(?P<s>\d\d)"
    r" (?P<zone>[A-Z]+) (?P<y>\d{4})"
)
_END = r"\.?"

PARTYPOKER = Grammar(
    name="partypoker",
    site="PartyPoker",
    opening=r" *\*{5} Hand History [Ff]or Game [0-9a-z]+ \*{5}(?: \(.*\))?",
    info=(
        r"Hand History [Ff]or Game (?P<id>[0-9a-z]+)",
        r"\*{5}.*\n+(?P<game>.*?) +(?:-|Trny|Game Table)",
        r"\*{5}.*\n+.*?(?P<limit>\bNL\b|\bPL\b|\bFL\b|Game Table \(Limit\))",
        r"\*{5}.*\n+(?P<sign>[$€£]?)(?P<small>[0-9.,]+)/[$€£]?(?P<big>[0-9.,]+)",
        r"Blinds(?:-Antes)?\((?P<small>[0-9., ]+?)/(?P<big>[0-9., ]+?)(?: -.*?)?\)",
        r"\*{5}.*\n+[^\n]*\b(?P<currency>USD|EUR|GBP)\b",
        r"\*{5}.*\n+(?P<sign>[$€£])",
        _DATE,
        _SHORT_DATE,
        r"^ *Table (?P<table>.*?) *\( ?(?:Real|Play) Money ?\)",
        r"Seat (?P<button>\d{1,2}) is the button",
        r"Total number of players : \d+/(?P<size>\d+)",
    ),
    rules=(
        ("seat", r" *[Ss]eat {chair}: {name} \( ?{stack} ?\)(?: - .*)?"),
        ("hole", r"Dealt to {player} \[ *{cards} *\]"),
        ("board", r"\*\* Dealing (?:[Ff]lop|[Tt]urn|[Rr]iver) \*\* ?:? *\[ *{cards} *\]"),
        ("blinds", r"Blinds(?:-Antes)?\({small}/{big}(?: -.*)?\)"),
        ("summary", r"\*\* Summary \*\*"),
    ),
    acts=(
        ("fold", r"folds\.?"),
        ("check", r"checks\.?"),
        ("call", rf"calls [(\[] ?{{amount}} ?[)\]]{_END}"),
        ("raise", r"raises [0-9.,]+ to {to}"),
        ("add", rf"(?:bets|raises) [(\[] ?{{amount}} ?[)\]]{_END}"),
        ("all-in", r"is all-In *[(\[] ?{amount} ?[)\]]\.?"),
        ("skip", r"is all-In\.?"),
        ("ante", rf"posts (?:the )?ante (?:of )?[(\[] ?{{amount}} ?[)\]]{_END}"),
        ("small", rf"posts small blind [(\[] ?{{amount}} ?[)\]]{_END}"),
        ("big", rf"posts big blind [(\[] ?{{amount}} ?[)\]]{_END}"),
        ("both", rf"posts big blind \+ dead [(\[] ?{{amount}} ?[)\]]{_END}"),
        ("both", rf"posts [(\[]{{amount}} \+ {{dead}}[)\]]{_END}"),
        ("show", r"(?:shows|doesn't show) \[ *{cards} *\].*"),
        ("muck", r"does not show cards\.?"),
        ("win", r"wins {amount}(?: from.*|\.)?"),
        ("result", r"balance [^ ]+ bet .* collected {amount},? net .*"),
    ),
    implied_blinds=True,
)
