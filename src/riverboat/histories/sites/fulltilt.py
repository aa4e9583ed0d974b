"""Full Tilt Poker, and the sites and exports that kept its form."""

from riverboat.histories.sites._grammar import Grammar

_ALL_IN = r"(?:, and is all in)?(?:, and is capped.*)?"
_NUMBER = r"[0-9][0-9.,]*[KM]?"

FULLTILT = Grammar(
    name="fulltilt",
    site="Full Tilt Poker",
    opening=r"(?:Full ?Tilt ?Poker|EverestPoker|Unibet)(?:\.fr)? Game #[0-9]+: .*",
    info=(
        r"^[ \ufeff]*(?P<site>[A-Za-z. ]+?) Game #(?P<id>[0-9]+):",
        r"- (?P<game>(?:CAP )?(?P<limit>No Limit|Pot Limit|Limit|NL|PL|FL|Fixed Limit)[^\n]*?) - ",
        rf"- (?P<sign>[$€£]?)(?P<small>{_NUMBER})/[$€£]?(?P<big>{_NUMBER})(?: Ante .*?)? - ",
        r"- (?P<h>\d\d?):(?P<mi>\d\d)(?::(?P<s>\d\d))? ?(?P<zone>[A-Z]*) - "
        r"(?P<y>\d{4})/(?P<mo>\d\d)/(?P<d>\d\d)",
        r"- (?P<h>\d\d?):(?P<mi>\d\d) ?(?P<zone>[A-Z]*) - [A-Z][a-z]{2}, (?P<mo>[A-Z][a-z]+) "
        r"(?P<d>\d\d?), (?P<y>\d{4})",
        r"Game #[0-9]+: (?P<table>.*?)(?: \((?P<size>\d) max.*?\)| \(.*?\))? - ",
    ),
    rules=(
        ("seat", r"Seat {chair}: {name} \({stack}\)(?:, is sitting out)?"),
        ("button", r"The button is in seat #{chair}"),
        ("hole", r"Dealt to {player} \[{cards}\]"),
        (
            "board",
            r"\*\*\* (?:FLOP|TURN|RIVER)(?: 1)? \*\*\* (?:\[.*?\] ?)?\[{cards}\](?: \(.*\))?",
        ),
        ("run", r"\*\*\* (?:FLOP|TURN|RIVER) [23] \*\*\* \[{before}\] \[{cards}\](?: \(.*\))?"),
        ("run", r"\*\*\* (?:FLOP|TURN|RIVER) [23] \*\*\* \[{cards}\](?: \(.*\))?"),
        ("summary", r"\*\*\* SUMMARY \*\*\*"),
        ("rake", r"Total pot {total}.*\| Rake {amount}.*"),
        ("seat-knows", r"Seat {chair}: .*?(?:mucked|showed) \[{cards}\].*"),
        ("cancelled", r"(?:Hand #\S+ has been|Game) cancel(?:l)?ed.*|Hand .* is cancel(?:l)?ed.*"),
    ),
    acts=(
        ("fold", r"folds(?: \[.*\])?"),
        ("check", r"checks"),
        ("call", rf"calls {{amount}}{_ALL_IN}"),
        ("add", rf"bets {{amount}}{_ALL_IN}"),
        ("raise", rf"raises to {{to}}{_ALL_IN}"),
        ("ante", rf"antes {{amount}}{_ALL_IN}"),
        ("small", rf"posts the small blind of {{amount}}{_ALL_IN}"),
        ("big", rf"posts the big blind of {{amount}}{_ALL_IN}"),
        ("dead", rf"posts a dead (?:small |big )?blind of {{amount}}{_ALL_IN}"),
        ("straddle", rf"(?:posts the )?straddles? (?:of )?{{amount}}{_ALL_IN}"),
        ("post", rf"posts {{amount}}{_ALL_IN}"),
        ("show", r"shows \[{cards}\].*"),
        ("muck", r"mucks"),
        ("win", r"(?:wins|ties for) .*?pot.*?\({amount}\).*"),
        ("win", r"collects {amount}"),
        ("skip", r"has reached the cap.*"),
    ),
)
