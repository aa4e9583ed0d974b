"""The errors Riverboat raises: sentences that name the bad value and what is allowed."""

__all__ = [
    "AbstractionError",
    "ArenaError",
    "BlueprintError",
    "CardError",
    "DamagedFileError",
    "GameError",
    "HistoryError",
    "IllegalActionError",
    "MenuError",
    "RangeError",
    "RecipeError",
    "ReportError",
    "RiverboatError",
    "SolveError",
    "TrainingError",
    "WorkError",
]


class RiverboatError(ValueError):
    """Base of every error that Riverboat raises on purpose."""


class CardError(RiverboatError):
    """A card, hand, board or hole pair that does not exist."""


class RangeError(RiverboatError):
    """Text or numbers that are not a range of hands."""


class DamagedFileError(RiverboatError):
    """A file whose header, structure or checksums are wrong."""


class GameError(RiverboatError):
    """A game that cannot be played, or a question that a hand cannot answer."""


class IllegalActionError(GameError):
    """A move that the rules do not allow; the hand is unchanged."""


class MenuError(RiverboatError):
    """A bet menu that cannot be read, or a line of play that is not on it."""


class SolveError(RiverboatError):
    """A solver that cannot run as asked."""


class AbstractionError(RiverboatError):
    """A card abstraction that cannot be made, or that does not fit."""


class BlueprintError(RiverboatError):
    """A blueprint that cannot be read, written or asked."""


class TrainingError(RiverboatError):
    """A training run that cannot be started or resumed as asked."""


class HistoryError(RiverboatError):
    """A recorded hand that cannot be read, or that a format cannot carry."""


class ArenaError(RiverboatError):
    """A match that cannot be played as asked, or a ledger that cannot be read."""


class RecipeError(RiverboatError):
    """A reproduction that cannot be run or resumed as asked."""


class ReportError(RiverboatError):
    """A report that cannot be made of its template."""


class WorkError(RiverboatError):
    """A job that could not be done by its worker."""
