"""OnGame network (bwin, Betfair and others)."""

from riverboat.histories.sites._grammar import Grammar

_A = r" \({amount}\)"

ONGAME = Grammar(
    name="ongame",
    site="OnGame",
    opening=r"\*{5} History for hand [A-Z0-9-]+ (?:\(TOURNAMENT: .*\) )?\*{5}.*",
    info=(
        r"History for hand (?P<id>[A-Z0-9-]+)",
        r"Start hand: [A-Z][a-z]{2} (?P<mo>[A-Z][a-z]{2}) (?P<d>\d\d?) (?P<h>\d\d):(?P<mi>\d\d):"
        r"(?P<s>\d\d) (?P<zone>[A-Z]+)(?P<offset>[+-]\d{4})? (?P<y>\d{4})",
        r"^Table: (?P<table>.*?) \[\d+\] \((?P<limit>[A-Z_]+) (?P<game>[A-Z_0-9]+) "
        r"(?P<sign>[$€£]?)(?P<small>[0-9.,]+)/[$€£]?(?P<big>[0-9.,]*[0-9])",
        r"^Button: seat (?P<button>\d+)",
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \({stack}\)"),
        ("hole", r"Dealing to {player}: \[{cards}\]"),
        ("board", r"--- Dealing (?:flop|turn|river) \[{cards}\]"),
        ("summary", r"Summary:"),
        ("rake", r"Rake taken: {amount}"),
        ("pot", r"(?:Main pot|Side pot [0-9]+): {amount} won by {winners}"),
        ("seat-knows", r"Seat {chair}: .*?, net: .*?, \[{cards}\].*"),
    ),
    acts=(
        ("fold", r"folds"),
        ("check", r"checks"),
        ("call", r"calls {amount}(?: \(all in\)| \[all in\])?"),
        ("add", r"bets {amount}(?: \(all in\)| \[all in\])?"),
        ("raise", r"raises [^ ]+ to {to}(?: \(all in\)| \[all in\])?"),
        ("ante", rf"posts ante{_A}.*"),
        ("small", rf"posts small blind{_A}.*"),
        ("big", rf"posts big blind{_A}.*"),
        ("dead", rf"posts dead blind{_A}.*"),
        ("show", r"shows \[{cards}\].*"),
        ("muck", r"mucks.*"),
    ),
)
