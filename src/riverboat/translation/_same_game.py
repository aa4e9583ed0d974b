"""Whether a table plays the kind of game that a tree was built for."""

from riverboat.game import GameSpec

__all__ = ["chip_scale", "kind_difference", "same_rules"]


def _unit(spec: GameSpec) -> int:
    """What chips are counted in: big blinds, or least bets or antes where there are none."""
    return spec.big_blind or spec.compiled.min_bet or max(spec.antes) or 1


def chip_scale(tree: GameSpec, table: GameSpec) -> float:
    """Chips of the table for one chip of the tree."""
    return _unit(table) / _unit(tree)


def kind_difference(tree: GameSpec, table: GameSpec) -> str:
    """Say why a tree cannot serve a table; empty if it can.

    Seats, deck and showdown must be the same, blinds and antes in proportion, and the streets
    of the tree must deal as the first streets of the table do. Stacks, betting and caps on
    raises may differ.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> kind_difference(catalogue("cardiff"), catalogue("nolimit-100bb"))
    ''
    >>> kind_difference(catalogue("leduc"), catalogue("nolimit-100bb"))
    'the tree is for another deck or showdown'
    """
    if tree.players != table.players:
        return f"the tree is for {tree.players} players, the table has {table.players}"
    if (tree.showdown, tree.deck) != (table.showdown, table.deck):
        return "the tree is for another deck or showdown"
    scale = _unit(table), _unit(tree)
    for what in ("blinds", "antes"):
        ours, theirs = getattr(tree, what), getattr(table, what)
        if any(a * scale[0] != b * scale[1] for a, b in zip(ours, theirs, strict=True)):
            return f"the tree is for {what} of {ours}, the table has {theirs}"
    if len(tree.streets) > len(table.streets) or any(
        (a.hole, a.board, a.discard) != (b.hole, b.board, b.discard)
        for a, b in zip(tree.streets, table.streets, strict=False)
    ):
        return "the tree deals its streets differently"
    return ""


def same_rules(tree: GameSpec, table: GameSpec) -> bool:
    """Whether the games are one, but for names, rake and stacks."""
    return table.replace(name=tree.name, rake=tree.rake, stacks=tree.stacks) == tree
