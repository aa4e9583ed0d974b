"""What the others did since a bot's last move, read from the public line."""

from riverboat.game import Action, View, actions_of


class Rivals:
    """Follows one seat's hand; all actions between its own moves are others'.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25", seed=1)
    >>> rivals = Rivals()
    >>> rivals.news(hand.view(1))
    [(0, 'b25')]
    >>> rivals.moved(hand.view(1), "c")
    >>> hand.call()
    >>> rivals.moved(hand.view(1), "k")
    >>> hand.play("/kb30")
    >>> rivals.news(hand.view(1))
    [(1, 'b30')]
    """

    def __init__(self) -> None:
        self._past = ""
        self._cards: frozenset[int] = frozenset()

    def is_new_hand(self, view: View) -> bool:
        """Whether the view cannot belong to the hand of the last move."""
        if self._past == "" or not view.line.startswith(self._past):
            return True
        return not self._cards <= {*view.hole, *view.discarded}  # a swap changes the hand

    def news(self, view: View) -> list[tuple[int, str]]:
        """Return streets and actions since the own last move, or since the deal of a new hand."""
        past = "" if self.is_new_hand(view) else self._past
        streets = view.line[len(past) :].split("/")
        return [
            (street, action)
            for street, part in enumerate(streets, past.count("/"))
            for action in actions_of(part)
        ]

    def moved(self, view: View, move: str) -> None:
        """Remember an own move; the public line hides which card was swapped."""
        hidden = Action(move).kind == "discard" and view.legal.stand
        slashes = "/" * (view.street - view.line.count("/"))  # of a street that is opened
        self._past = view.line + slashes + ("d" if hidden else move)
        self._cards = frozenset(view.hole)

    def forget(self) -> None:
        """Expect a new hand."""
        self._past = ""
