"""Draw a betting tree as SVG: a small tree completely, a large one down to some level.

For games with one card per player and no board, such as Kuhn poker, the deals can be drawn too: a
chance node at the top, a copy of the betting for each deal, and dotted lines between the decisions
of one information set.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Final

from riverboat.errors import GameError
from riverboat.report import COLOURS, action_colour, hex_colour
from riverboat.tree._arrays import BET_ACTION, CHANCE, DECISION, SHOWDOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.tree._tree import Tree

#: Maximum number of nodes of a readable picture.
_MOST: Final = 400
_WIDE, _HIGH, _EDGE, _RADIUS = 44.0, 84.0, 40.0, 13.0
_KINDS: Final = {0: "fold", 1: "check", 2: "call", BET_ACTION: "bet"}
_STYLE: Final = (
    "text{font:11px sans-serif;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3}"
    ".e{fill:none;stroke-width:2}"
    ".d{fill:none;stroke:#555;stroke-dasharray:2 4}.w{fill:#fff;font-weight:bold;stroke:none}"
)


@dataclass(slots=True)
class _Vertex:
    """A drawn node."""

    node: int
    level: int
    deal: tuple[int, ...] = ()
    """Ranks by seat, if deals are drawn."""
    text: str = ""
    """Label of the edge from its parent."""
    below: list[_Vertex] = field(default_factory=list)
    x: float = 0.0

    def walk(self) -> Iterator[_Vertex]:
        """Yield the vertex and all below it, parents first."""
        yield self
        for child in self.below:
            yield from child.walk()


def draw_tree(tree: Tree, levels: int | None = None, *, deals: bool = False) -> str:
    """Draw a tree as SVG.

    Parameters
    ----------
    tree
        The tree. Circles are decisions with the number of the seat, squares are terminals with the
        payoffs by seat, or, at showdowns without cards, each seat's chips in the pot.
    levels
        Number of levels below the root; None = as many as are readable. Dots mark omitted parts.
    deals
        Whether to draw the deals, for games with one private card each and no board.

    Returns
    -------
    str
        An SVG file.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> picture = draw_tree(Tree(catalogue("kuhn"), "min"), deals=True)
    >>> picture.count("<circle"), picture.count("<rect"), picture.count('class="d"')
    (24, 30, 12)
    """
    if levels is not None and (type(levels) is not int or levels < 1):
        raise GameError(f"levels must be a whole number from 1 on, not {levels!r}")
    dealt = _deals(tree) if deals else [()]
    num_levels = _readable_levels(tree, len(dealt)) if levels is None else levels
    root = _grow(tree, dealt, num_levels)
    width = _place(root)
    depth = max(vertex.level for vertex in root.walk())
    body = "\n".join(_shapes(tree, root))
    size = f"{width + 2 * _EDGE:.0f} {depth * _HIGH + 2 * _EDGE + 30:.0f}"
    title = escape(f"{tree.spec.name}, menu {tree.menu}", quote=False)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img">'
    return f"{head}\n<title>{title}</title>\n<style>{_STYLE}</style>\n{body}\n</svg>\n"


def _deals(tree: Tree) -> list[tuple[int, ...]]:
    """Return all deals of one card each, as ranks by seat."""
    spec = tree.spec
    streets = [(street.hole, street.board) for street in spec.streets]
    if streets != [(1, 0)] or len(spec.suits) != 1:
        raise GameError(
            f"the deals of '{spec.name}' cannot be drawn: this needs a game with one private card "
            "each, one suit and no board, such as kuhn"
        )
    return list(permutations(range(len(spec.ranks)), tree.num_players))


def _readable_levels(tree: Tree, copies: int) -> int:
    """Return how many levels keep the picture readable, at least one."""
    levels, front, total = 0, [0], copies
    while front:
        front = [child for node in front for child in tree.children(node)]
        total += copies * len(front)
        if total > _MOST:
            break
        levels += 1
    return max(1, levels)


def _grow(tree: Tree, dealt: Sequence[tuple[int, ...]], levels: int) -> _Vertex:
    """Return the drawn tree: the betting, or a chance node with a copy of it for each deal."""
    if dealt == [()]:
        return _below(tree, _Vertex(0, 0), levels)
    root, ranks = _Vertex(-1, 0), tree.spec.ranks
    for deal in dealt:
        first = _Vertex(0, 1, deal, " ".join(ranks[rank] for rank in deal))
        root.below.append(_below(tree, first, levels + 1))
    return root


def _below(tree: Tree, vertex: _Vertex, levels: int) -> _Vertex:
    """Add the drawn part of the tree below a vertex."""
    if vertex.level < levels:
        children = tree.children(vertex.node)
        chance = tree.kind[vertex.node] == CHANCE
        texts = ["cards"] if chance else tree.actions(vertex.node) if children else []
        for child, text in zip(children, texts, strict=True):
            below = _Vertex(child, vertex.level + 1, vertex.deal, text)
            vertex.below.append(_below(tree, below, levels))
    return vertex


def _place(root: _Vertex) -> float:
    """Place leaves side by side and parents above their children's middle; return the width."""
    leaves = 0
    for vertex in reversed(list(root.walk())):
        if vertex.below:
            vertex.x = (vertex.below[0].x + vertex.below[-1].x) / 2
        else:
            vertex.x, leaves = -leaves * _WIDE, leaves + 1
    width = (leaves - 1) * _WIDE
    for vertex in root.walk():
        vertex.x += width
    return width


def _shapes(tree: Tree, root: _Vertex) -> Iterator[str]:
    """Yield edges, then the lines of information sets, then nodes, which lie on top."""
    for vertex in root.walk():
        yield from (_edge(tree, vertex, child) for child in vertex.below)
    yield from _information_sets(tree, root)
    for vertex in root.walk():
        yield from _node(tree, vertex)


def _at(vertex: _Vertex) -> tuple[float, float]:
    return vertex.x + _EDGE, vertex.level * _HIGH + _EDGE


def _edge(tree: Tree, above: _Vertex, below: _Vertex) -> str:
    (x, y), (end_x, end_y) = _at(above), _at(below)
    middle = f'x="{x + 0.62 * (end_x - x):.1f}" y="{y + 0.62 * (end_y - y) - 3:.1f}"'
    line = f'<path class="e" stroke="{_colour(tree, above, below)}" d="M{x:.1f} {y:.1f}'
    return (
        f'{line}L{end_x:.1f} {end_y:.1f}"/><text {middle}>{escape(below.text, quote=False)}</text>'
    )


def _colour(tree: Tree, above: _Vertex, below: _Vertex) -> str:
    """Return the colour of an action."""
    if above.node < 0 or tree.kind[above.node] == CHANCE:
        return hex_colour(action_colour("other"))
    pot, later = (int(tree.contributions[node].sum()) for node in (above.node, below.node))
    kind = _KINDS.get(int(tree.action_kind[below.node]), "other")
    return hex_colour(action_colour(kind, (later - pot) / max(1, pot)))


def _information_sets(tree: Tree, root: _Vertex) -> Iterator[str]:
    """Yield dotted lines between decisions that differ in other players' cards only."""
    sets: dict[tuple[int, int], list[_Vertex]] = {}
    for vertex in root.walk():
        if vertex.deal and tree.kind[vertex.node] == DECISION:
            card = vertex.deal[int(tree.player[vertex.node])]
            sets.setdefault((vertex.node, card), []).append(vertex)
    for same in sets.values():
        for left, right in pairwise(same):
            (x, y), (end_x, _) = _at(left), _at(right)
            bend = y + 8 + (end_x - x) / 12
            curve = f"Q{(x + end_x) / 2:.1f} {bend:.1f} {end_x:.1f} {y:.1f}"
            yield f'<path class="d" d="M{x:.1f} {y:.1f}{curve}"/>'


def _node(tree: Tree, vertex: _Vertex) -> Iterator[str]:
    x, y = _at(vertex)
    kind = CHANCE if vertex.node < 0 else int(tree.kind[vertex.node])
    if kind == CHANCE:
        yield f'<path fill="#969696" d="M{x:.1f} {y - 12:.1f}l12 12l-12 12l-12 -12z"/>'
    elif kind == DECISION:
        seat = int(tree.player[vertex.node])
        fill = COLOURS[seat % len(COLOURS)]
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="{fill}"/>'
        yield f'<text class="w" x="{x:.1f}" y="{y + 4:.1f}">{seat + 1}</text>'
    else:
        yield f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10" fill="#333"/>'
        yield f'<text x="{x:.1f}" y="{y + 20:.1f}">{_paid(tree, vertex, kind)}</text>'
    if kind in {DECISION, CHANCE} and not vertex.below:
        yield f'<text x="{x:.1f}" y="{y + 26:.1f}">…</text>'


def _paid(tree: Tree, vertex: _Vertex, kind: int) -> str:
    """Return the payoffs by seat; at a showdown without cards the chips at stake."""
    if kind == SHOWDOWN and not vertex.deal:
        return "±" + " ±".join(f"{chips}" for chips in tree.contributions[vertex.node])
    strengths = vertex.deal or (0,) * tree.num_players
    return " ".join(f"{won:+g}" for won in tree.settle(vertex.node, strengths).tolist())
