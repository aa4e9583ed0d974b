"""Evaluation of strategies: exact values, exploitability, lower bounds on it, and AIVAT."""

from riverboat.evaluate._action_values import ActionValues, action_values, missing_action_values
from riverboat.evaluate._aivat_holdem import AivatScorer, CheckDown, check_aivat_game, is_known
from riverboat.evaluate._aivat_values import aivat_value, aivat_value_name, missing_aivat_table
from riverboat.evaluate._audit import Audit, PreflopAudit, audit
from riverboat.evaluate._compare import Convergence, check_comparison_path, compare
from riverboat.evaluate._exact import Exploitability, exploitability, exploitability_at
from riverboat.evaluate._lbr_hand import LBR_PRESETS, LBR_STREET_SETS, parse_lbr_set
from riverboat.evaluate._local_best_response import NO_PROOF, LbrResult, local_best_response
from riverboat.evaluate._responses import (
    RESPONSE_BYTES,
    ResponseBound,
    duel,
    response_bound,
    sampled_value,
)

__all__ = [
    "LBR_PRESETS",
    "LBR_STREET_SETS",
    "NO_PROOF",
    "RESPONSE_BYTES",
    "ActionValues",
    "AivatScorer",
    "Audit",
    "CheckDown",
    "Convergence",
    "Exploitability",
    "LbrResult",
    "PreflopAudit",
    "ResponseBound",
    "action_values",
    "aivat_value",
    "aivat_value_name",
    "audit",
    "check_aivat_game",
    "check_comparison_path",
    "compare",
    "duel",
    "exploitability",
    "exploitability_at",
    "is_known",
    "local_best_response",
    "missing_action_values",
    "missing_aivat_table",
    "parse_lbr_set",
    "response_bound",
    "sampled_value",
]
