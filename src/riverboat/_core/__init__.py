"""The compiled kernels, in the fastest build that this CPU can run.

`ISA` names the build that was loaded. Setting the environment variable
`RIVERBOAT_ISA=baseline` before the import forces the plain one.
"""

import os

from riverboat._core import _cpu
from riverboat.errors import RiverboatError

_wanted = os.environ.get("RIVERBOAT_ISA", "")
if _wanted not in ("", "baseline", "x86-64-v3"):
    raise RiverboatError(
        f"RIVERBOAT_ISA={_wanted!r} is not known: it is baseline, x86-64-v3 or empty"
    )
if _wanted == "x86-64-v3" and not _cpu.has_x86_64_v3():
    raise RiverboatError("RIVERBOAT_ISA is x86-64-v3, which this CPU lacks: use baseline")
if _cpu.has_x86_64_v3() and _wanted != "baseline":
    from riverboat._core._x86_64_v3 import *  # noqa: F403 - one of two builds of the same names

    ISA = "x86-64-v3"
else:
    from riverboat._core._baseline import *  # noqa: F403 - one of two builds of the same names

    ISA = "baseline"
