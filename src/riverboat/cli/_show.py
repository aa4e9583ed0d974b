"""`riverboat show`: one decision of a strategy or a solution, as matrix, frequencies and hands."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from rich.table import Table

from riverboat.blueprint import Blueprint, decision_at
from riverboat.cards import built_strength, cards_text
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._opened import opened, opened_at
from riverboat.cli._options import AsPlayedOption, ColourBlindOption
from riverboat.cli._output import Answer, check_place, grid, status
from riverboat.cli._progress import abstraction_bar, counted
from riverboat.cli._show_rows import BucketNode, hand_lines, share, value_lines
from riverboat.decision import Decision, action_keys, public_state, state_in_words
from riverboat.errors import BlueprintError, SpotError
from riverboat.files import is_file
from riverboat.spots import FlopSolution, Solution

if TYPE_CHECKING:
    from riverboat.report import Palette


def show_command(
    strategy: Annotated[
        str,
        argument(
            "Strategy file, bot that plays from one (such as default), or solution.",
            metavar="file",
            complete=decisions,
        ),
    ],
    path: Annotated[str, argument("Line to the decision, such as b25c/k.")] = "",
    board: Annotated[
        str,
        option(
            "Board, such as Qh7c2d; for a solution the cards after its board.", "--board", "--cards"
        ),
    ] = "",
    hands: Annotated[str, option("Hands to list, such as AhKh, QQ, A5s+.", "--hole")] = "",
    as_played: AsPlayedOption = None,
    other: Annotated[
        str,
        option(
            "Strategy and line to compare a solution with, such as 'default b25c'.",
            "--with",
        ),
    ] = "",
    ev: Annotated[bool, option("Show the EV of each action in chips (solutions: always).")] = False,
    samples: Annotated[
        int | None,
        option(
            "Runouts to sample for --ev (default: 200; 0 = all, after the flop).",
            least=0,
        ),
    ] = None,
    plot: Annotated[
        Path | None, option("Plot the decision into a .png, .svg or .pdf file.")
    ] = None,
    colour_blind: ColourBlindOption = False,
) -> Answer:
    """Show what a strategy or a solution does at one decision."""
    if plot is not None:
        check_place(plot)
    if samples is not None and not ev:
        raise BlueprintError(f"--samples {samples} needs --ev")
    palette: Palette = "colour-blind" if colour_blind else "usual"
    if is_file(Path(strategy)) and Solution.recognises(Path(strategy)):
        find_other = _find_other(other, path) if other else None
        solution = Solution.open(strategy)
        decision = solution.node(path, board, palette)
        compared = None if find_other is None else find_other(decision.board)
        shown = _Shown(decision, _solution_facts(strategy, solution, decision), compared)
        return shown.answer(hands, plot, ev)
    if is_file(Path(strategy)) and FlopSolution.recognises(Path(strategy)):
        if other or ev:
            raise SpotError(f"{strategy} is a flop strategy: --with and --ev need a solution")
        flop = FlopSolution.open(strategy)
        decision = flop.node(path, board, palette)
        return _Shown(decision, _flop_facts(strategy, flop, decision)).answer(hands, plot, ev)
    if other:
        raise BlueprintError(f"--with needs a solution, but {strategy} is a strategy")
    blueprint, threshold = opened(strategy, as_played)
    node = blueprint.find_node(path)
    facts = _facts(blueprint, node, path, threshold)
    if blueprint.cards is None:
        if board or hands or plot is not None:
            raise BlueprintError(
                f"{strategy} is a strategy of {facts['game'] or 'a small game'}: --board, --hole "
                "and --plot are only for hold'em with card buckets; without them all buckets are "
                "listed"
            )
        keys = action_keys(blueprint.tree, node, palette)
        buckets = BucketNode.of(blueprint, node, keys, threshold, ev)
        game, line, pot, price = (facts[name] for name in ("game", "line", "pot", "to_call"))
        where = state_in_words(game, line, pot, price, f"seat {facts['player']}")
        return Answer({**facts, **buckets.as_dict()}, where, *_hints(facts), *buckets.parts())
    with counted("hands on this board") as progress:
        decision = decision_at(
            blueprint, node, board, built_strength, progress, threshold=threshold, palette=palette
        )
    if ev:
        decision = _with_values(decision, blueprint, node, samples)
        facts |= {"ev": _number(decision.value(decision.player))}
        facts |= {"found": decision.found, "samples": decision.samples}
    return _Shown(decision, {**facts, "visited": decision.share_visited()}).answer(hands, plot, ev)


class _Shown(NamedTuple):
    """A decision, further facts, and another strategy's decision on the same board."""

    decision: Decision
    facts: dict[str, Any]
    other: Decision | None = None

    def answer(self, hands: str, plot: Path | None, ev: bool) -> Answer:
        """Return the decision with these hands; plot it; with EVs if `ev`."""
        decision, other = self.decision, self.other
        rows = decision.hands(hands)
        if plot is not None:
            decision.draw(plot)
            status.print(f"Wrote {plot}.", soft_wrap=True)
        values = {**decision.as_dict(), **self.facts}
        values["hands"] = [decision.row_dict(row) for row in rows]
        if decision.source == "solution":
            values["other"] = None if other is None else _other_shares(decision, other)
        return Answer(
            values,
            decision,
            *_hints(self.facts),
            *(value_lines(decision) if ev else ()),
            *hand_lines(decision, rows),
            *([] if other is None else [_other_table(decision, other)]),
        )


def _with_values(
    decision: Decision, blueprint: Blueprint, node: int, samples: int | None
) -> Decision:
    """Add the EV of each action; missing tables are built first."""
    values = blueprint.query(threshold=decision.facts["threshold"]).all_values
    with abstraction_bar() as show:
        values.build_tables(show)
    evs = values.actions(node, decision.board, samples=samples)
    return replace(
        decision,
        values=evs.values,
        action_values=evs.action_values,
        errors=evs.errors,
        action_errors=evs.action_errors,
        samples=evs.samples,
    )


def _facts(blueprint: Blueprint, node: int, path: str, threshold: float) -> dict[str, Any]:
    """Facts about a blueprint and a decision that do not depend on the cards."""
    tree, scale = blueprint.tree, blueprint.visit_scale
    state = public_state(tree, node)
    return {
        "file": str(blueprint.path),
        "game": blueprint.header.game_name,
        "menu": blueprint.header.menu,
        "path": path,
        "node": node,
        "street": int(tree.street[node]),
        **{name: state[name] for name in ("line", "player", "pot", "to_call")},
        "shown": "as played" if threshold else "as trained",
        "threshold": threshold,
        "played_threshold": blueprint.threshold,
        "few_visits_below": None if scale is None else scale.few,
    }


def _solution_facts(file: str, solution: Solution, decision: Decision) -> dict[str, Any]:
    """Facts about a solution."""
    facts = solution.facts
    return {
        "file": file,
        "spot": facts.spot,
        "iterations": facts.iterations,
        "exploitability": facts.exploitability,
        "share": solution.share,
        "locks": list(facts.locks),
        "exploited": facts.exploited or None,
        "against": facts.against or None,
        "player": decision.side,
    }


def _flop_facts(file: str, flop: FlopSolution, decision: Decision) -> dict[str, Any]:
    """Facts about a flop strategy."""
    facts = flop.facts
    return {
        "file": file,
        "spot": facts.spot,
        "iterations": facts.iterations,
        "boards": facts.boards,
        "gain": facts.gain,
        "margin": facts.margin,
        "share": flop.share,
        "player": decision.side,
    }


def _hints(facts: dict[str, Any]) -> Iterator[str]:
    """Report how the line was read, and the option for the strategy as trained or as played."""
    if "path" in facts and facts["path"].rstrip("/") != facts["line"].rstrip("/"):
        yield f"{facts['path']} is read as {facts['line'] or 'the start'}."
    if facts.get("threshold"):
        yield "--as-trained shows the strategy as it is in the file."
    elif facts.get("played_threshold"):
        yield "--as-played shows the strategy as a bot plays it."


# ---- Comparison with another strategy


def _find_other(text: str, line: str) -> Callable[[tuple[int, ...]], Decision]:
    """Return a function from a board to the strategy's decision at the same line."""
    blueprint, threshold, before = opened_at(text, "--with")
    node = blueprint.find_node(f"{before}/{line}".strip("/"))

    def find(board: tuple[int, ...]) -> Decision:
        size = blueprint.tree.spec.board_sizes[int(blueprint.tree.street[node])]
        if len(board) != size:
            raise BlueprintError(
                f"the line '{before}' of --with leads to a board of {size} cards, but this "
                f"decision is on {cards_text(board)}: give the line from the start of the hand to "
                "the spot"
            )
        with counted("hands on this board") as progress:
            return decision_at(
                blueprint, node, board, built_strength, progress, threshold=threshold
            )

    return find


def _other_shares(decision: Decision, other: Decision) -> dict[str, float | None]:
    """Another strategy's action frequencies, weighted by the reach of this decision."""
    total = decision.mean(decision.player, other.trained.astype(np.float64))
    if not total > 0:
        return dict.fromkeys(other.actions)
    shares = [decision.mean(decision.player, column) / total for column in other.strategy.T]
    return dict(zip(other.actions, shares, strict=True))


def _other_table(decision: Decision, other: Decision) -> Table:
    """Both strategies side by side; a bet size that only one has gets a row of its own."""
    own = dict(zip(decision.actions, map(_number, decision.frequencies()), strict=True))
    others = _other_shares(decision, other)
    names = [*own, *(action for action in others if action not in own)]
    rows = [(name, _share(own.get(name)), _share(others.get(name))) for name in names]
    return grid(["action", "solution, %", "strategy, %"], rows)


def _share(value: float | None) -> str:
    return "-" if value is None else share(value)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
