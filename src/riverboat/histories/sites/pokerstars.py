"""PokerStars text: cash games, Zoom, tournaments, home games; sites and converters that copy it."""

from riverboat.histories.sites._grammar import Grammar

ALL_IN = r"(?: and is all-in)?"
_CAPPED = rf"{ALL_IN}(?: and has reached the {{cap}} cap)?"
DATE = (
    r"(?P<y>20\d\d|19\d\d)[/-](?P<mo>\d\d?)[/-](?P<d>\d\d?) (?P<h>\d\d?):(?P<mi>\d\d):(?P<s>\d\d)"
)
STAKES = (
    r"\((?P<sign>[A-Z]{0,3}[$€£₹]?) ?(?P<small>[0-9][0-9.,]*)/"
    r"[A-Z]{0,3}[$€£₹]? ?(?P<big>[0-9][0-9.,]*)"
)
TABLE = r"^Table '(?P<table>.*)' (?P<size>\d{1,2})-max"
BUTTON = r"Seat #(?P<button>\d{1,4}) is the button"

#: Acts after `NAME: `, which several sites share.
COLON_ACTS = (
    ("fold", r": folds(?: \[.*\])?"),
    ("check", r": checks"),
    ("call", rf": calls {{amount}}{_CAPPED}"),
    ("add", rf": bets {{amount}}{_CAPPED}"),
    ("raise", rf": raises [^ ]+ to {{to}}{_CAPPED}"),
    ("ante", rf": posts (?:the )?ante {{amount}}{ALL_IN}"),
    ("small", rf": posts small blind {{amount}}{ALL_IN}"),
    ("big", rf": posts big blind {{amount}}{ALL_IN}"),
    ("both", rf": posts small (?:&|and) big blinds? {{amount}}{ALL_IN}"),
    ("straddle", rf": (?:posts )?(?:a )?[Ss]traddle {{amount}}{ALL_IN}"),
    ("straddle", rf": posts straddle {{amount}}{ALL_IN}"),
    ("dead", rf": posts (?:a )?dead blind {{amount}}{ALL_IN}"),
    ("extra", rf": posts missed blind {{amount}}{ALL_IN}"),
    ("skip", r": (?:shows|showed) \[(?:..|XX ..|.. XX)\].*"),
    ("show", r": shows \[{cards}\].*"),
    ("muck", r": mucks hand.*|: doesn't show hand"),
    ("win", r" collected {amount} from (?:the )?{pot}"),
    ("win", r" (?:wins|cashed out the hand for) {amount}(?: from .*| \| .*)?"),
    ("skip", r": (?:is |has |was |sits |will ).*"),
)
#: Lines that several sites share.
STAR_RULES = (
    (
        "seat",
        r"Seat {chair}: {name} \({stack} in chips\b[^()]*\)(?: is sitting out| out of hand.*)?",
    ),
    ("hole", r"Dealt to {player} \[{cards}\]"),
    ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\].*"),
    ("board", r"\*\*\* FIRST (?:FLOP|TURN|RIVER) \*\*\* (?:\[.*\] ?)?\[{cards}\]"),
    ("run", r"\*\*\* (?:SECOND|THIRD) (?:FLOP|TURN|RIVER) \*\*\* \[{before}\] ?\[{cards}\]"),
    ("run", r"\*\*\* (?:SECOND|THIRD) (?:FLOP|TURN|RIVER) \*\*\* \[{cards}\]"),
    ("summary", r"\*\*\* SUMMARY \*\*\*"),
    ("rake", r"Total pot {total}.* \| (?i:no rake).*"),
    ("rake", r"Total pot {total}.*\| Rake {amount}(?: \|.*)?"),
    ("seat-knows", r"Seat {chair}: .*? (?:mucked|showed) \[{cards}\].*"),
    ("cancelled", r"Hand cancelled.*"),
)

# Sites, clubs and converters that copy the form.
_SITES = "PokerStars|Run It Once Poker|PokerBros|PokerMaster|Full Tilt(?! ?Poker)"

POKERSTARS = Grammar(
    name="pokerstars",
    site="PokerStars",
    opening=rf"(?:{_SITES}|POKERSTARS)(?: [A-Za-z. ]*)? ?#[^:\n]*:.*",
    info=(
        rf"(?P<site>{_SITES})?(?: [A-Za-z. ]*)? ?#(?P<id>[^:\n]*):",
        r"#[^:]*:\s+(?P<game>.*?(?:Limit|Omaha|Stud|Razz|Draw|Badugi|Hold'em)[^(\n]*)",
        r"(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit|NL|PL)",
        STAKES + r"(?:[^)\n]*?\b(?P<currency>USD|EUR|GBP|CAD|INR)\b)?",
        DATE + r" (?P<zone>UTC|GMT)",
        DATE + r" (?P<zone>[A-Z]+)",
        TABLE,
        BUTTON,
        r"- [$€£]?(?P<cap>[0-9.,]+)(?: [A-Z]{3})? Cap",
    ),
    rules=STAR_RULES,
    acts=COLON_ACTS,
    after_name="",
    summary=True,
    strict_acts=True,
    after_blank=True,
)
