"""`Decision`: the strategy of every hand of a player at one public state.

Blueprints, solved spots, searches and typed ranges all return decisions. A decision can be shown in
a terminal (`rich.print`), in a notebook or as a picture, and written as JSON (`as_dict`).

>>> from riverboat.blueprint import Blueprint, decision_at, default_blueprint
>>> decision = decision_at(Blueprint.open(default_blueprint()), "b25")
>>> decision.actions, decision.hand("AhAd").bucket
(('f', 'c', 'b75', 'b1000'), 0)
"""

from riverboat.decision._action_keys import ActionKey, action_keys, public_state, table_keys
from riverboat.decision._decision import (
    Decision,
    found_by,
    state_in_words,
)
from riverboat.decision._hand_arrays import ClassCell, Source
from riverboat.decision._hands import HandRow
from riverboat.decision._picture import cell_style
from riverboat.decision._ranges import of_ranges

__all__ = [
    "ActionKey",
    "ClassCell",
    "Decision",
    "HandRow",
    "Source",
    "action_keys",
    "cell_style",
    "found_by",
    "of_ranges",
    "public_state",
    "state_in_words",
    "table_keys",
]
