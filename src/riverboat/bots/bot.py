"""The face of every bot: one method."""

from typing import Protocol, runtime_checkable

from riverboat.game import Action, View

__all__ = ["Bot"]


@runtime_checkable
class Bot(Protocol):
    """Anything that can be asked for a move.

    Examples
    --------
    >>> class Folder:
    ...     def act(self, view: View) -> str:
    ...         return "f" if view.legal.fold else next(iter(view.legal))
    >>> isinstance(Folder(), Bot)
    True
    """

    def act(self, view: View) -> str | Action:
        """Choose one of `view.legal`; the view holds all that this seat may know."""
        ...
