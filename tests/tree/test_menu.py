"""Bet menus: the grammar both ways, and which amounts a menu offers."""

from __future__ import annotations

import pickle
from functools import cache
from random import Random

import pytest

from riverboat.errors import GameError, MenuError
from riverboat.game import GameSpec, Street, catalogue
from riverboat.tree import BetMenu, BetSize, StreetMenu, Tree, find_menu, menu_names
from sizes import few_or_many

NOLIMIT = catalogue("nolimit-100bb")


@cache
def tree_of(spec: GameSpec, menu: str) -> Tree:
    return Tree(spec, menu, max_nodes=2_000_000)


def actions(menu: str, line: str = "", spec: GameSpec = NOLIMIT) -> str:
    tree = tree_of(spec, menu)
    return " ".join(tree.actions(tree.node(line)))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("min", "min"),
        ("A", "a"),
        ("all-in,allin", "a"),
        ("100% 50%,a", "50%, 100%, a"),
        (" 2.50X ;cap 3", "2.5x ; cap 3"),
        ("50 %, 8 bb", "8bb, 50%"),
        ("50%|100%|100%", "50% | 100%"),
        ("min / a / a", "min / a"),
        ("none / a | NONE", "none / a | none"),
        ("a; cap 2 each; cap 3", "a ; cap 3 ; cap 2 each"),
        ("a ; cap 0 / min ; force 12.5%", "a ; cap 0 / min ; force 12.5%"),
        ("3e, a, E, 2 e", "e, 2e, 3e, a"),
        ("50% ; donk none ; ip a|min ; cap 2", "50% ; ip a | min ; donk none ; cap 2"),
        ("50% | a ; ip 50% | a ; donk 50%", "50% | a"),
        (
            "a ; near 10% ; force 20% ; FORCE 15% called; add 150%",
            "a ; add 150% ; near 10% ; force 20% ; force 15% called",
        ),
        (".5x", "0.5x"),
        ("a ; Recall raises ; cap 1 ; add 5%", "a ; cap 1 ; add 5% ; recall raises"),
        ("0.00001%", "0.00001%"),
        ("a; FLOP 3; limp SB; cap 2; sb 3x / a", "a ; sb 3x ; cap 2 ; limp sb ; flop 3 / a"),
        ("a ; sb a ; limp never / min", "a ; limp never / min"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    menu = BetMenu.parse(text)
    assert str(menu) == canonical
    assert BetMenu.parse(canonical) == menu
    assert pickle.loads(pickle.dumps(menu)) == menu


@pytest.mark.parametrize(
    ("text", "token", "reason"),
    [
        ("", "", "sizes are missing"),
        ("50%, 60", "60", "a number needs a unit"),
        ("50%, pot", "pot", "it is not a size"),
        ("0%", "0%", "more than 0"),
        ("2000000x", "2000000x", "at most 1,000,000"),
        ("-5%", "-5%", "more than 0"),
        ("50% |", "", "sizes are missing"),
        ("50% / / a", "/", "sizes are missing"),
        ("none, a", "a", "none cannot be combined"),
        ("a none", "none", "none cannot be combined"),
        ("a cap 3", "cap", "a semicolon is missing"),
        ("a ; cap", "", "whole number from 0 to 250"),
        ("a ; cap 251", "251", "whole number from 0 to 250"),
        ("a ; cap 3 ; cap 4", "cap", "a second time"),
        ("a ; limit 3", "limit", "a semicolon must be followed by"),
        ("a ; force 3x", "3x", "percentage"),
        ("a ; force 20% ; cap 1 / a", "force", "at the end of the menu"),
        ("a ; force 10% ; force 20%", "force", "a second time"),
        ("a ; force 20% called ; force 15% called", "force", "a second time"),
        ("a ; ip 50% ; ip 50%", "ip", "a second time"),
        ("a ; donk", "", "sizes are missing"),
        ("a ; donk 50% | a", "|", "a semicolon must be followed by"),
        ("a ip 50%", "ip", "a semicolon is missing"),
        ("a ; force 20% ; called", "called", "a semicolon must be followed by"),
        ("50% called", "called", "write called after force"),
        ("1.5e", "1.5e", "whole number of bets"),
        ("a ; recall line", "line", "recall must be followed by raises"),
        ("a ; recall raises ; recall raises", "recall", "a second time"),
        ("a ; recall raises / a", "recall", "at the end of the menu"),
        ("a recall raises", "recall", "a semicolon is missing"),
        ("21e", "21e", "from 1 to 20"),
        ("a ; cap 3 50%", "50%", "a semicolon must be followed by"),
        ("a ; flop 1", "1", "flop must be a number of players from 2 to 10"),
        ("a ; flop 11", "11", "flop must be a number of players from 2 to 10"),
        ("a ; flop", "", "flop must be a number of players from 2 to 10"),
        ("a ; limp x", "x", "limp must be followed by never or sb"),
        ("a ; limp sb ; limp never", "limp", "a second time"),
        ("a ; sb 3x | 2x", "|", "a semicolon must be followed by"),
        ("a / min ; flop 3", "flop", "flop is for the first street"),
        ("a / min ; sb 3x", "sb", "sb is for the first street"),
        ("a limp sb", "limp", "a semicolon is missing"),
    ],
)
def test_mistakes_are_pointed_at(text: str, token: str, reason: str) -> None:
    with pytest.raises(MenuError) as caught:
        BetMenu.parse(text)
    first, shown, carets, _ = str(caught.value).split("\n")
    assert reason in first
    start = carets.index("^")
    assert shown[start : start + carets.count("^")].strip() == token


@pytest.mark.parametrize(
    "make",
    [
        lambda: BetSize("pot", 1),  # type: ignore[arg-type]  # wrong on purpose
        lambda: BetSize("%"),
        lambda: BetSize("a", 3),
        lambda: BetSize("x", float("nan")),
        lambda: StreetMenu(()),
        lambda: StreetMenu((("a",),)),  # type: ignore[arg-type]  # wrong on purpose
        lambda: StreetMenu(((),), cap=-1),
        lambda: BetMenu(()),
        lambda: BetMenu((StreetMenu(((),)),), force=-1),
        lambda: BetMenu((StreetMenu(((),)),), near=float("nan")),
        lambda: BetSize("e", 1.5),
        lambda: StreetMenu(((),), limp="button"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: StreetMenu(((),), flop=1),
        lambda: BetMenu((StreetMenu(((),)), StreetMenu(((),), flop=3))),
        lambda: BetMenu.parse("a " * 20_001),
        lambda: BetMenu.parse(5),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_parts_that_are_no_menu(make: object) -> None:
    assert callable(make)
    with pytest.raises(MenuError):
        make()


def test_names() -> None:
    assert menu_names() == ("laptop", "fcpa", "cardiff", "pineapple", "yerevan", "caltech")
    for name in menu_names():
        menu = find_menu(name)
        assert find_menu(menu) is menu
        assert find_menu(str(menu)) == menu == find_menu(name.upper())
    with pytest.raises(MenuError, match="menus with a name are laptop"):
        find_menu("desktop")


def test_named_menus_offer_what_their_studies_did() -> None:
    # Settings of the five studies; amounts by hand for stacks of 1000 and blinds of 5/10.
    assert actions("cardiff") == "f c b20"
    assert actions("cardiff", "b20b30b40b50b60") == "f c b70"
    assert actions("cardiff", "b20b30b40b50b60b70") == "f c"  # each has raised three times
    assert actions("caltech") == "f c b20 b40 b80 b160"  # to 1 bb is no raise
    assert actions("caltech", "b20b40") == "f c"
    assert actions("caltech", "b20c") == "k b12 b20 b28 b40 b60 b80"
    assert actions("pineapple", "cb20c") == "k b20 b40 b980"
    assert actions("pineapple", "cb20c/b20b100b340") == "f c"  # a bet, then two raises
    assert actions("fcpa", "b30b90") == "f c b270 b1000"
    assert actions("yerevan", "b20b30", catalogue("limit")) == "f c b40"
    assert actions("yerevan", "b20b30b40", catalogue("limit")) == "f c"  # the game's own cap


def test_sizes() -> None:
    # Before the flop the pot after calling is 20: half of it on top of 10.
    assert actions("50% ; cap 2") == "f c b20"
    assert actions("75% ; cap 2") == "f c b25"
    assert actions("2.5x ; cap 2") == "f c b25"
    assert actions("2.5x ; cap 2", "b25") == "f c b63"  # 62.5 is rounded up
    assert actions("2.5x ; cap 2", "ck") == "k b25"  # big blinds, as there is no bet
    assert actions("3bb ; cap 1 / 2bb ; cap 1", "b30c") == "k b20"


def test_bounds() -> None:
    # Sizes of pot and price below the minimum raise become it, above the stack all-in.
    assert actions("10% ; cap 1") == "f c b20"
    assert actions("1x, 1000x ; cap 1") == "f c b20 b1000"
    assert actions("1000000% ; cap 1") == "f c b1000"
    # Sizes in big blinds that are not allowed are left out.
    assert actions("1bb, 1.9bb, 2bb, 100bb, 101bb ; cap 1") == "f c b20 b1000"
    # The same amount stands once.
    assert actions("min, 50%, 2x, 2bb ; cap 1") == "f c b20"
    deep = NOLIMIT.replace(stacks=(10**12,) * 2)
    assert actions("a ; cap 1", spec=deep) == f"f c b{10**12}"
    assert actions("1000000x | a ; cap 2", "b10000000", deep) == f"f c b{10**12}"


def test_depths_and_streets() -> None:
    text = "min | none / a ; cap 1 / none"
    assert actions(text) == "f c b20"
    assert actions(text, "b20") == "f c"
    assert actions(text, "ck") == "k b990"
    assert actions(text, "ck/b990") == "f c"
    assert actions(text, "ck/kk") == "k"
    assert actions("none", spec=catalogue("limit")) == "f c"
    assert actions("50% ; cap 0") == "f c"


def test_caps() -> None:
    assert actions("min ; cap 2", "b20") == "f c b30"
    assert actions("min ; cap 2", "b20b30") == "f c"
    assert actions("min ; cap 1 each", "b20b30") == "f c"
    # Each street counts from zero.
    assert actions("min ; cap 1", "b20c") == "k b10"


SIX = catalogue("nolimit-100bb", players=6)


def test_who_may_limp() -> None:
    assert actions("2.5x ; sb 3x ; cap 1 / none", spec=SIX) == "f c b25"
    assert actions("2.5x ; cap 1 ; limp sb / none", spec=SIX) == "f b25"
    assert actions("2.5x ; sb 3x ; cap 1 ; limp sb / none", "ffff", SIX) == "f c b30"
    assert actions("2.5x ; cap 1 ; limp never / none", "ffff", SIX) == "f b25"
    # The big blind may check, and everybody may call a raise.
    assert actions("2.5x ; cap 1 ; limp sb / none", "ffffc", SIX) == "k b25"
    assert actions("2.5x ; cap 1 ; limp never / none", "b25", SIX) == "f c"


def test_players_to_the_flop() -> None:
    menu = "2.5x | 3.5x ; cap 2 ; flop 3 / none"
    # Limpers and the big blind count.
    assert actions(menu, "c", SIX) == "f c b25"
    assert actions(menu, "cc", SIX) == "f b25"
    # The opener and two callers; a fourth may raise.
    assert actions(menu, "b25c", SIX) == "f c b88"
    assert actions(menu, "b25cc", SIX) == "f b88"
    # Only those who have put in more than the big blind may call that raise.
    assert actions(menu, "b25ccb88", SIX) == "f"
    assert actions(menu, "b25ccb88ff", SIX) == "f c"
    assert actions(menu, "b25ccb88ffcc", SIX) == "f c"


@pytest.mark.parametrize("rule", ["limp never", "limp sb", "flop 2", "sb 3x"])
@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (NOLIMIT, "for three or more players, not for 2"),
        (catalogue("kuhn3"), "for games with blinds and a second street"),
    ],
)
def test_rules_for_many_players(rule: str, spec: GameSpec, why: str) -> None:
    with pytest.raises(GameError, match=why):
        Tree(spec, f"min ; {rule}")


def test_force() -> None:
    spec = NOLIMIT.replace(stacks=(100, 100))
    # Pot raises: to 30; then to 90, which leaves 10 of a pot of 120: less than 20 %.
    assert actions("100%", "b30", spec) == "f c b90"
    assert actions("100% ; force 20%", "b30", spec) == "f c b100"
    assert actions("100% ; force 8%", "b30", spec) == "f c b90"
    # A bet to 30 leaves 70 of a pot of 40: all-in only where more is asked for.
    assert actions("100% ; force 175%", spec=spec) == "f c b30"
    assert actions("100% ; force 176%", spec=spec) == "f c b100"
    assert actions("100%, a ; force 500%", spec=spec) == "f c b100"


def test_antes_only() -> None:
    # Without blinds big blinds are minimum bets; the pot is 4.
    spec = GameSpec(stacks=(50, 50), antes=(2, 2), min_bet=3, streets=(Street(hole=2, board=3),))
    assert actions("2x, 3bb, 100% ; cap 1", spec=spec) == "k b4 b6 b9"


# What the grammar is made of, and what looks like it but is not.
PIECES = [
    *"/|;,. \n\t%xabXAB0159-+",
    *"\u00a0\u2028\u0661\uff21\u0130\u200b\x00\ud800",
    *("min", "50%", "2.5x", "8bb", "a", "allin", "all-in", "none", "cap", "each", "100%"),
    *("e", "2e", "ip", "donk", "; ip a", "; donk 50%", "; add 9%", "; near 9%", "called"),
    *("; limp sb", "; flop 3", "never", "; sb a"),
    *("; cap 3", "; cap 2 each", "; force 20%", " / ", " | ", "1e5x", "nan%", "inf", "9" * 40),
]


def random_text(random: Random) -> str:
    """Pieces in any order, or a good text spoiled in up to three places."""
    if random.random() < 0.5:
        return "".join(random.choices(PIECES, k=random.randrange(9)))
    text = str(find_menu(random.choice(menu_names())))
    for _ in range(random.randrange(4)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(PIECES) + text[at + random.randrange(4) :]
    return text


def fuzz(count: int) -> None:
    random, accepted = Random(20261115), 0
    for _ in range(count):
        text = random_text(random)
        try:
            menu = BetMenu.parse(text)
        except MenuError as error:
            if "cannot be read" not in str(error) or not str(error).encode():
                pytest.fail(f"a bad sentence for {text!r}")
            continue
        except Exception as error:  # the text is what one needs to repeat it
            pytest.fail(f"{text!r} raised {error!r}")
        accepted += 1
        assert BetMenu.parse(str(menu)) == menu, text
    assert count / 20 < accepted < count


@pytest.mark.parametrize("count", few_or_many(3_000, 1_000_000))
def test_many_texts(count: int) -> None:
    fuzz(count)
