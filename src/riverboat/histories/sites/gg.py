"""GGPoker: cash games, Rush & Cash, tournaments; close to PokerStars text."""

from riverboat.histories.sites._grammar import Grammar
from riverboat.histories.sites.pokerstars import (
    BUTTON,
    COLON_ACTS,
    DATE,
    STAKES,
    STAR_RULES,
    TABLE,
)

GG = Grammar(
    name="gg",
    site="GGPoker",
    opening=r"Poker Hand #.*",
    info=(
        r"Poker Hand #(?P<id>[^:]*):",
        r"(?P<game>(?:Short ?Deck|6\+)?\s*(?:Hold'em|Hold'Em|PLO|Omaha|ShortDeck)[^(\n]*)",
        r"(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit)",
        STAKES,
        DATE,
        TABLE,
        BUTTON,
    ),
    rules=(
        (
            "rake",
            r"Total pot {total} \| Rake {amount} \| Jackpot {small} \| Bingo {big}"
            r"(?: \| Fortune {dead})?(?: \| Tax {to})?",
        ),
        *STAR_RULES,
        ("skip", r"Dealt to .*"),
    ),
    acts=COLON_ACTS,
    after_name="",
    zone="UTC",
    summary=True,
    strict_acts=True,
    after_blank=True,
)
