"""temporary"""
from riverboat import _core
class Tree:
    def __init__(self, spec, menu="min"):
        self.spec=spec
        self.compiled=_core.CompiledTree(spec.compiled, [([[(0,0.0)]],255,255)], 0.0, 10_000_000)
        self.group_players=self.compiled.group_player; self.group_streets=self.compiled.group_street
