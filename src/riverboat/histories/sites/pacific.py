"""888poker and its network (Pacific, Cassava): several languages and number formats."""

from riverboat.histories.sites._grammar import CARD, SPACED_AMOUNT, Grammar

_SUITS = (
    ("Pik", "s"), ("Herz", "h"), ("Karo", "d"), ("Kreuz", "c"),
    ("\u0432", "Q"), ("\u0412", "J"), ("\u041a", "K"), ("\u0422", "T"), ("\u0414", "Q"),
)  # fmt: skip
_ANY_CARDS = r"[^\[\]]+"

PACIFIC = Grammar(
    name="888",
    site="888poker",
    opening=r"\*{5} [^H\n].*Hand History for Game [0-9]+ \*{5}.*",
    info=(
        r"Hand History for Game (?P<id>[0-9]+)",
        r"Blinds (?P<game>(?P<limit>No Limit|Pot Limit|Fix(?:ed)? Limit|Limit)?.*?) - \*\*\*",
        r"^(?P<sign>[A-Z]{0,2}[$€£]?)(?P<small>[0-9][0-9., \xa0\u202f]*?) ?[$€£]?/[A-Z]{0,2}[$€£]?"
        r"(?P<big>[0-9][0-9., \xa0\u202f]*?) ?(?P<currency_sign>[$€£]?) Blinds",
        r"\*\*\* (?P<d>\d\d) (?P<mo>\d\d) (?P<y>\d{4}) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)",
        r"^(?:Table|Tournament) (?P<table>.*?) \((?:Real Money|Practice Play)\)",
        r"(?P<size>\d{1,2}) Max ",
        r"^Seat (?P<button>\d{1,2}) is the button",
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \( {stack} \)"),
        ("hole", r"Dealt to {player} \[ ?{cards} ?\]"),
        ("board", r"\*\* Dealing (?:flop|turn|river) \*\* \[ ?{cards} ?\]"),
        ("summary", r"\*\* Summary \*\*"),
    ),
    acts=(
        ("fold", r"folds"),
        ("check", r"checks"),
        ("call", r"calls \[{amount}\]"),
        ("add", r"(?:bets|raises) \[{amount}\]"),
        ("ante", r"posts (?:the )?ante \[{amount}\]"),
        ("small", r"posts small blind \[{amount}\]"),
        ("big", r"posts big blind \[{amount}\]"),
        ("both", r"posts dead blind \[{dead} \+ {amount}\]"),
        ("post", r"posts dead blind \[{amount}\]"),
        ("show", r"(?:shows|mucks) \[ ?{cards} ?\]"),
        ("muck", r"did not show .* hand"),
        ("win", r"collected \[ {amount} \]"),
    ),
    amount=SPACED_AMOUNT,
    card=rf"(?:{CARD}|(?:10|[2-9TJQKA\u0432\u0412\u041a\u0422\u0414])(?:[cdhs]|Pik|Herz|Karo|Kreuz))",
    cards=_SUITS,
    dots=True,
    limit_by_blinds=True,
    head_ends=r"^Seat [0-9]+: ",
)
