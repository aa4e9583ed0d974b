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
from riverboat.errors import BlueprintError
from riverboat.files import is_file
from riverboat.spots import Solution

if TYPE_CHECKING:
    from riverboat.report import Palette


def show_command(
    strategy: Annotated[
        str,
        argument(
            "A strategy file, a bot that plays from one (default, blueprint:FILE), or a solution.",
            metavar="file",
            complete=decisions,
        ),
    ],
    path: Annotated[str, argument("Line of play, such as b25c/k.")] = "",
    board: Annotated[
        str,
        option("Public cards, such as Qh7c2d; of a solution the new ones.", "--board", "--cards"),
    ] = "",
    hands: Annotated[str, option("Hands to list: AhKh, QQ, A5s+.", "--hole")] = "",
    as_played: AsPlayedOption = None,
    other: Annotated[
        str,
        option(
            "Of a solution: a strategy to put beside it, and the line that leads it to the "
            "spot: 'default b25c'.",
            "--with",
        ),
    ] = "",
    ev: Annotated[
        bool, option("What each action is worth, chips; a solution always says.")
    ] = False,
    samples: Annotated[
        int | None,
        option(
            "With --ev: run-outs to draw where more than one card is to come (200); 0 takes "
            "all, from the flop on.",
            least=0,
        ),
    ] = None,
    plot: Annotated[Path | None, option("Draw it: a .png, .svg or .pdf.")] = None,
    colour_blind: ColourBlindOption = False,
) -> Answer:
    """Show what a strategy or a solution does at one decision."""
    if plot is not None:
        check_place(plot)
    if samples is not None and not ev:
        raise BlueprintError(f"--samples {samples} is for --ev: say that as well")
    palette: Palette = "colour-blind" if colour_blind else "usual"
    if is_file(Path(strategy)) and Solution.recognises(Path(strategy)):
        beside = _beside(other, path) if other else None
        solution = Solution.open(strategy)
        decision = solution.node(path, board, palette)
        put_beside = None if beside is None else beside(decision.board)
        found = _Shown(decision, _solution_facts(strategy, solution, decision), put_beside)
        return found.answer(hands, plot, ev)
    if other:
        raise BlueprintError(f"--with is for solutions: {strategy} is none")
    blueprint, threshold = opened(strategy, as_played)
    node = blueprint.find_node(path)
    facts = _facts(blueprint, node, path, threshold)
    if blueprint.cards is None:
        if board or hands or plot is not None:
            raise BlueprintError(
                f"{strategy} is a strategy of {facts['game'] or 'a small game'}: --board, --hole "
                "and --plot are for hold'em with card buckets; all buckets are listed"
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
    """A decision, what else is known, and another strategy's on the same board."""

    decision: Decision
    facts: dict[str, Any]
    other: Decision | None = None

    def answer(self, hands: str, plot: Path | None, ev: bool) -> Answer:
        """Return it with the hands that are wanted, drawn into a file, with values."""
        decision, other = self.decision, self.other
        rows = decision.hands(hands)
        if plot is not None:
            decision.draw(plot)
            status.print(f"{plot} is written.", soft_wrap=True)
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
    """Add what each action is worth; tables that are missing are built first."""
    values = blueprint.query(threshold=decision.facts["threshold"]).all_values
    with abstraction_bar() as show:
        values.build_tables(show)
    found = values.actions(node, decision.board, samples=samples)
    return replace(
        decision,
        values=found.values,
        action_values=found.action_values,
        errors=found.errors,
        action_errors=found.action_errors,
        samples=found.samples,
    )


def _facts(blueprint: Blueprint, node: int, path: str, threshold: float) -> dict[str, Any]:
    """What is known of a blueprint and a decision whatever the cards."""
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
    """What is known of a solution."""
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


def _hints(facts: dict[str, Any]) -> Iterator[str]:
    """Say how the line was read, and how to see the strategy the other way."""
    if "path" in facts and facts["path"].rstrip("/") != facts["line"].rstrip("/"):
        yield f"{facts['path']} is read as {facts['line'] or 'the start'}."
    if facts.get("threshold"):
        yield "--as-trained shows the strategy as it is in the file."
    elif facts.get("played_threshold"):
        yield "--as-played shows what a bot does."


# ---- Beside another strategy


def _beside(text: str, line: str) -> Callable[[tuple[int, ...]], Decision]:
    """Find a strategy's decision after the line that leads to a spot, and then on."""
    blueprint, threshold, before = opened_at(text, "--with")
    node = blueprint.find_node(f"{before}/{line}".strip("/"))

    def find(board: tuple[int, ...]) -> Decision:
        size = blueprint.tree.spec.board_sizes[int(blueprint.tree.street[node])]
        if len(board) != size:
            raise BlueprintError(
                f"'{before}' of --with leads to a board of {size} cards, and this decision is on "
                f"{cards_text(board)}: give the line from the start of the hand to the spot"
            )
        with counted("hands on this board") as progress:
            return decision_at(
                blueprint, node, board, built_strength, progress, threshold=threshold
            )

    return find


def _other_shares(decision: Decision, other: Decision) -> dict[str, float | None]:
    """How often another strategy takes each action with the hands that come here."""
    total = decision.mean(decision.player, other.trained.astype(np.float64))
    if not total > 0:
        return dict.fromkeys(other.actions)
    shares = [decision.mean(decision.player, column) / total for column in other.strategy.T]
    return dict(zip(other.actions, shares, strict=True))


def _other_table(decision: Decision, other: Decision) -> Table:
    """Both strategies side by side; bets that only one has are in a row of their own."""
    own = dict(zip(decision.actions, map(_number, decision.frequencies()), strict=True))
    others = _other_shares(decision, other)
    names = [*own, *(action for action in others if action not in own)]
    rows = [(name, _share(own.get(name)), _share(others.get(name))) for name in names]
    return grid(["action", "solution, %", "strategy, %"], rows)


def _share(value: float | None) -> str:
    return "-" if value is None else share(value)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
