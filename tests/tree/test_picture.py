"""Pictures of trees: what is drawn, and what is left out."""

from xml.etree import ElementTree

import pytest

from riverboat.errors import GameError
from riverboat.game import catalogue
from riverboat.tree import Tree, draw_tree

SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314 - our own


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in drawn(picture).iter(f"{SVG}text")]


def test_kuhn_as_books_draw_it() -> None:
    """Six deals, four decisions and five ends each; twelve information sets of two nodes."""
    root = drawn(draw_tree(Tree(catalogue("kuhn"), "min"), deals=True))
    assert len(list(root.iter(f"{SVG}circle"))) == 6 * 4
    assert len(list(root.iter(f"{SVG}rect"))) == 6 * 5
    dotted = [each for each in root.iter(f"{SVG}path") if each.get("class") == "d"]
    assert len(dotted) == 12
    said = [each.text for each in root.iter(f"{SVG}text")]
    assert {"J Q", "J K", "Q J", "Q K", "K J", "K Q"} <= set(said)
    # The better card wins 1 after two checks, 2 after a call; a fold loses the ante.
    assert sorted(said.count(pays) for pays in ("+2 -2", "-2 +2")) == [6, 6]


def test_a_small_tree_is_drawn_whole() -> None:
    tree = Tree(catalogue("leduc"), "min")
    picture = draw_tree(tree)
    assert "…" not in texts(picture)
    assert picture.count("<circle") == sum(tree.num_decisions)
    assert picture.count("<rect") == sum(tree.num_folds) + sum(tree.num_showdowns)


def test_chance_nodes_are_diamonds() -> None:
    tree = Tree(catalogue("leduc"), "min", chance=True)
    assert texts(draw_tree(tree)).count("cards") == sum(tree.num_chances)


def test_of_a_large_tree_the_first_levels() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "laptop")
    two = draw_tree(tree, 2)
    children = list(tree.children(0))
    shown = 1 + len(children) + sum(len(tree.children(child)) for child in children)
    assert two.count("<circle") + two.count("<rect") == shown
    assert "…" in texts(two)
    whole = draw_tree(tree)
    assert shown <= whole.count("<circle") + whole.count("<rect") <= 400


def test_positions_do_not_collide() -> None:
    root = drawn(draw_tree(Tree(catalogue("leduc"), "min")))
    places = [(each.get("cx"), each.get("cy")) for each in root.iter(f"{SVG}circle")]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("game", "more", "words"),
    [
        ("leduc", {"deals": True}, "such as kuhn"),
        ("kuhn", {"levels": 0}, "levels must be a whole number from 1 on, not 0"),
    ],
)
def test_what_cannot_be_drawn(game: str, more: dict[str, int], words: str) -> None:
    with pytest.raises(GameError, match=words):
        draw_tree(Tree(catalogue(game), "min"), **more)  # type: ignore[arg-type]
