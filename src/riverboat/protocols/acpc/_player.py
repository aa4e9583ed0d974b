"""Our bot at an ACPC dealer.

The dealer sends a state after every action. If it is our turn, the answer is the same line, a colon
and the action.
"""

from riverboat.errors import ProtocolError
from riverboat.game import GameSpec, Hand, View, seat_of_position
from riverboat.protocols.acpc._states import MatchState, hand_of, read_state, word_of
from riverboat.protocols.client import Dialect, Player

VERSION = "VERSION:2.0.0"


class AcpcPlayer(Dialect):
    """The player's side of the protocol, as `riverboat.protocols.client.join` carries it.

    Parameters
    ----------
    player
        Our bot.
    spec
        The game that the dealer deals: it never says which.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import catalogue
    >>> ours = AcpcPlayer(Player(make_bot("fish", seed=1)), catalogue("nolimit-200bb"))
    >>> ours.greet()
    ('VERSION:2.0.0',)
    >>> ours.hear("MATCHSTATE:1:0::|TdAs")
    ('MATCHSTATE:1:0::|TdAs:c',)
    """

    def __init__(self, player: Player, spec: GameSpec) -> None:
        super().__init__(player)
        self._spec = spec
        self._number: int | None = None

    def greet(self) -> tuple[str, ...]:
        """Return the version."""
        return (VERSION,)

    def hear(self, line: str) -> tuple[str, ...]:
        """Answer a state if it is our turn; comments are skipped."""
        if not line.strip() or line[0] in "#;":
            return ()
        state = read_state(line)
        if state.position >= self._spec.players:
            raise ProtocolError(
                f"position {state.position}: the game has {self._spec.players} players"
            )
        seat = seat_of_position(self._spec, state.position)
        hand = hand_of(self._spec, state)
        self._begin(state, hand, seat)
        if hand.actor == seat:
            view = hand.view(seat)
            return (f"{line}:{word_of(hand, self.player.decide(view))}",)
        if hand.settled and self.in_hand:
            self.in_hand = False
            self.player.score(self._spec, hand.payoffs()[seat])
            self.player.finish(hand.view(seat))
        return ()

    def _begin(self, state: MatchState, hand: Hand, seat: int) -> None:
        """Start a new hand; a state that is repeated after a lost connection is not new."""
        if state.number != self._number:
            self._number, self.in_hand = state.number, True
            self.player.begin(_beginning(self._spec, hand, seat))


def _beginning(spec: GameSpec, hand: Hand, seat: int) -> View:
    holes = [hand.hole_cards(seat) if i == seat else None for i in range(spec.players)]
    return Hand(spec, hole=holes).view(seat)
