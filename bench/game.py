"""Speed of the game rules: hands per second, alone and compared with other packages.

    uv run --group peers --with pokers --with rlcard --with clubs \
        --with pypokerengine python bench/game.py

A package that is not installed, or does not run, is left out and named. All figures are from one
run on one core; compare ratios, not absolute numbers.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
import warnings
from functools import partial
from typing import TYPE_CHECKING

from peer_callers import pypokerengine_callers
from riverboat.game import Hand, catalogue, simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from riverboat.game import GameSpec

SECONDS = 2.0  # for each figure


def hands_per_second(play: Callable[[int], None], batch: int) -> float:
    """Run batches of hands until the time is up; the best batch counts."""
    play(max(1, batch // 10))
    best, end = 0.0, time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        play(batch)
        best = max(best, batch / (time.perf_counter() - start))
    return best


def random_play(spec: GameSpec, hands: int) -> None:
    """Play inside the core."""
    simulate(spec, hands, seed=1)


def riverboat_methods(hands: int) -> None:
    """Drive each action by a method call."""
    spec = catalogue("nolimit-200bb")
    for seed in range(hands):
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.check_or_call()
        hand.payoffs()


def riverboat_texts(hands: int) -> None:
    """Play each action as text, chosen by the price of a call."""
    spec = catalogue("nolimit-200bb")
    for seed in range(hands):
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.do("c" if hand.to_call else "k")
        hand.payoffs()


def riverboat_legal(hands: int) -> None:
    """Ask for the legal actions before each move."""
    spec = catalogue("nolimit-200bb")
    for seed in range(hands):
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.do("k" if hand.legal().check else "c")
        hand.payoffs()


def riverboat_views(hands: int) -> None:
    """Build the seat's whole view before each move."""
    spec = catalogue("nolimit-200bb")
    for seed in range(hands):
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            view = hand.view(hand.actor or 0)
            hand.do("k" if view.legal.check else "c")
        hand.payoffs()


def open_spiel() -> Callable[[int], None]:
    """OpenSpiel's universal_poker with the betting abstraction fcpa."""
    spiel = importlib.import_module("pyspiel")
    rng = importlib.import_module("random").Random(1)
    game = spiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,"
        "firstPlayer=2 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        "stack=20000 20000,bettingAbstraction=fcpa)"
    )

    def play(hands: int) -> None:
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
                else:
                    state.apply_action(1)
            state.returns()

    return play


def pokers() -> Callable[[int], None]:
    """Set up the Rust engine `pokers`."""
    module = importlib.import_module("pokers")
    enum = module.ActionEnum

    def play(hands: int) -> None:
        for seed in range(hands):
            state = module.State.from_seed(
                n_players=2, button=0, sb=50.0, bb=100.0, stake=20000.0, seed=seed
            )
            while not state.final_state:
                check = enum.Check in state.legal_actions
                state = state.apply_action(module.Action(enum.Check if check else enum.Call))

    return play


def pokerkit() -> Callable[[int], None]:
    """PokerKit with everything automated but the actions."""
    module = importlib.import_module("pokerkit")
    auto = tuple(module.Automation)

    def play(hands: int) -> None:
        for _ in range(hands):
            state = module.NoLimitTexasHoldem.create_state(
                auto, True, 0, (50, 100), 100, (20000, 20000), 2
            )
            while state.status:
                state.check_or_call()

    return play


def rlcard() -> Callable[[int], None]:
    """RLCard's no-limit hold'em environment."""
    module = importlib.import_module("rlcard")
    env = module.make("no-limit-holdem", config={"seed": 1})

    def play(hands: int) -> None:
        for _ in range(hands):
            env.reset()
            while not env.is_over():
                env.step(1)  # check or call
            env.get_payoffs()

    return play


def clubs() -> Callable[[int], None]:
    """Set up the package clubs."""
    module = importlib.import_module("clubs")
    config = module.configs.NO_LIMIT_HOLDEM_TWO_PLAYER
    dealer = module.poker.Dealer(**config)

    def play(hands: int) -> None:
        for _ in range(hands):
            observation = dealer.reset(reset_stacks=True)
            done = [False]
            while not all(done):
                observation, _, done = dealer.step(observation["call"])

    return play


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Discard standard output, also that of compiled peers."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


PEERS: dict[str, tuple[Callable[[], Callable[[int], None]], int]] = {
    "open_spiel universal_poker fcpa": (open_spiel, 2000),
    "pokers": (pokers, 2000),
    "clubs": (clubs, 300),
    "rlcard": (rlcard, 200),
    "pypokerengine": (partial(pypokerengine_callers, 20_000, 50), 50),
    "pokerkit": (pokerkit, 50),
}


def peer_figures() -> dict[str, float]:
    """Measure every peer that runs."""
    figures = {}
    for name, (make, batch) in PEERS.items():
        try:
            with silence(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                figures[name] = hands_per_second(make(), batch)
        except Exception as error:  # a peer may fail in any way
            print(f"  {name}: left out ({type(error).__name__}: {str(error)[:80]})")
    return figures


def main() -> None:
    """Print the figures and their ratios."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # standard output is a text file
    print("Inside the core, uniformly random legal actions, one core:")
    for name in ("nolimit-100bb", "nolimit-200bb", "limit", "discard-2017"):
        spec = catalogue(name)
        speed = hands_per_second(partial(random_play, spec), 200_000)
        print(f"  {name:34} {speed:12,.0f} hands/s")
    six = catalogue("nolimit-100bb", players=6)
    speed = hands_per_second(partial(random_play, six), 100_000)
    print(f"  {'nolimit-100bb, six seats':34} {speed:12,.0f} hands/s")

    print("Driven action by action from Python, heads-up no-limit, both check and call:")
    figures = peer_figures()
    fastest = max(figures.values(), default=0.0)
    for name, speed in sorted(figures.items(), key=lambda item: -item[1]):
        print(f"  {name:34} {speed:12,.0f} hands/s")
    own = {
        "riverboat, check_or_call()": riverboat_methods,
        "riverboat, do('c')": riverboat_texts,
        "riverboat, legal() and do()": riverboat_legal,
        "riverboat, view() and do()": riverboat_views,
    }
    for name, play in own.items():
        speed = hands_per_second(play, 10_000)
        ratio = f"{speed / fastest:6.1f} x the fastest peer" if fastest else ""
        print(f"  {name:34} {speed:12,.0f} hands/s {ratio}")


if __name__ == "__main__":
    main()
