"""What a session is set up with: whom a person meets, and what the ledger says of it."""

from dataclasses import asdict
from typing import Any

from riverboat.blueprint import DEFAULT_GAME
from riverboat.game import GameSpec, catalogue
from riverboat.table._session import Session

#: Bots for every game.
USUAL_OPPONENTS = "checkcall,random"


def usual_opponents(spec: GameSpec, trained: str) -> str:
    """Name the opponents of a person who names none.

    Parameters
    ----------
    spec
        The game.
    trained
        The bot to meet in the game whose strategy ships with Riverboat.

    Examples
    --------
    >>> usual_opponents(catalogue("nolimit-100bb"), "search")
    'search'
    >>> usual_opponents(catalogue("nolimit-100bb", 3), "search")
    'checkcall,random'
    """
    return trained if spec == catalogue(DEFAULT_GAME) else USUAL_OPPONENTS


def session_settings(session: Session, seed: int) -> dict[str, Any]:
    """Return what the ledger says of a session that is over.

    Parameters
    ----------
    session
        All its bots have left: its deal seed, if it has one, is published here.
    seed
        What it was begun with.

    Examples
    --------
    >>> values = session_settings(Session("kuhn", [None, "checkcall"], seed=1), seed=1)
    >>> [values[key] for key in ("game", "bots", "seed", "carry")]
    ['kuhn', ['You', 'checkcall'], 1, False]
    """
    values = {
        "game": session.spec.name,
        "bots": list(session.names),
        "seed": seed,
        "carry": session.carry,
        "rules": asdict(session.spec),
    }
    return values | ({"deal_seed": session.deal_seed.hex()} if session.deal_seed else {})
