"""`PokerEnv`: the agent environment cycle of PettingZoo (Terry et al. 2021) over `Hand`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from riverboat.arena import unit_of
from riverboat.errors import GameError, IllegalActionError
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.protocols.pettingzoo._arrays import ActionMenu, Encoder

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    AECEnv = object  # PokerEnv raises an error that names the package

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.game import View

_SEEDS = 2**63


class PokerEnv(AECEnv):  # type: ignore[misc]  # the extra has no types
    """One hand of any game as an episode; the agents are `seat_0`, `seat_1`, ..

    An observation is a dictionary: `observation`, [numbers] float32 from 0 to 1 (`encoder.fields`
    names the parts), and `action_mask`, [actions] int8, 1 where an action (`menu.names`) is
    allowed. Rewards come at the end of the hand: chips won or lost, in big blinds (in antes if the
    game has no blinds). A seat that has folded stays in the episode until then.

    Parameters
    ----------
    game
        A name from the catalogue or an installed package, or a `GameSpec`.
    players
        Number of seats; None = the game's default.
    bets
        Bet sizes, as in a bet menu.
    history
        Number of latest moves in an observation.
    render_mode
        None, or `ansi`: `render` returns the table as text, with all cards.

    Raises
    ------
    GameError
        If PettingZoo is not installed, or the game does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "riverboat_poker_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | GameSpec = "nolimit-100bb",
        players: int | None = None,
        *,
        bets: str = "min, 50%, 100%, a",
        history: int = 16,
        render_mode: str | None = None,
    ) -> None:
        if AECEnv is object:
            raise GameError(
                "the environment needs the package pettingzoo: pip install 'riverboat[pettingzoo]'"
            )
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise GameError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.spec = game if isinstance(game, GameSpec) else catalogue(game, players)
        if players not in (None, self.spec.players):
            raise GameError(f"the game is for {self.spec.players} players, not {players!r}")
        self.render_mode = render_mode
        self.menu = ActionMenu(self.spec, bets)
        self.encoder = Encoder(self.spec, history)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.spec.players)]
        self.agents: list[str] = []
        self._unit = unit_of(self.spec)[0]
        self._random = np.random.default_rng()
        self._action_spaces = self._for_each(lambda: spaces.Discrete(len(self.menu.names)))
        self._observation_spaces = self._for_each(self._observations)

    def _for_each(self, make: Any) -> dict[str, Any]:
        return {agent: make() for agent in self.possible_agents}

    def _observations(self) -> Any:
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.encoder.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.menu.names),), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - as PettingZoo calls it
        """Deal a hand. A seed starts a new sequence of deals; without it the sequence continues."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.hand = Hand(self.spec, seed=int(self._random.integers(_SEEDS)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the selected agent's action, or remove an agent whose hand is over.

        Raises
        ------
        IllegalActionError
            If the action is not allowed; the state does not change.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.hand.do(self._move(agent, action))
        self._cumulative_rewards[agent] = 0.0
        self._go_on()

    def _move(self, agent: str, action: int | None) -> str:
        moves = self.menu.moves(self.view(agent))
        if isinstance(action, int | np.integer) and 0 <= action < len(moves):
            move = moves[int(action)]
            if move is not None:
                return move
        allowed = [
            f"{number} ({self.menu.names[number]})" for number, move in enumerate(moves) if move
        ]
        raise IllegalActionError(f"{agent} may do {', '.join(allowed)}, not {action!r}")

    def _go_on(self) -> None:
        """Select the next agent, or end the hand with its rewards."""
        if self.hand.actor is not None:
            self.agent_selection = self.possible_agents[self.hand.actor]
            return
        for agent, chips in zip(self.possible_agents, self.hand.payoffs(), strict=True):
            self.rewards[agent] = chips / self._unit
            self.terminations[agent] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def view(self, agent: str) -> View:
        """Return the view of the agent's seat, as a bot receives it."""
        return self.hand.view(self.possible_agents.index(agent))

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the agent's observation and its legal actions as arrays."""
        view = self.view(agent)
        mask = [move is not None for move in self.menu.moves(view)]
        return {"observation": self.encoder.encode(view), "action_mask": np.array(mask, np.int8)}

    def render(self) -> str | None:
        """Return the table as text, with all cards; None without a render mode."""
        if self.render_mode is None:
            return None
        lines = []
        for seat, agent in enumerate(self.possible_agents):
            view = self.hand.view(seat)
            turn = " <- to act" if seat == self.hand.actor else ""
            out = "" if seat in view.live else ", folded"
            lines.append(f"{agent}: {view.hole_text}, {view.stacks[seat]} chips{out}{turn}")
        board = view.board_text or "no cards yet"
        return "\n".join([f"board: {board}, pot {view.pot}, line '{view.line}'", *lines])

    def close(self) -> None:
        """Do nothing: there is no window."""
