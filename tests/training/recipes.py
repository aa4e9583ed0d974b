"""Recipes that several tests train by."""

__all__ = ["often_saved"]

_OFTEN_SAVED = """
game = "leduc"
menu = "min"
scheme = "external linear linear"
threads = 1
seed = 11
budget = {{ iterations = {iterations} }}
every = {{ report = 0.0, checkpoint = 0.005 }}
bound = {{ every = 0 }}
"""


def often_saved(iterations: int) -> str:
    """Return a small training that is saved 200 times a second, and can be killed anywhere."""
    return _OFTEN_SAVED.format(iterations=iterations)
