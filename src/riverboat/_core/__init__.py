"""The compiled kernels, in the fastest build that this CPU can run.

`ISA` is the name of the loaded build. Set the environment variable
`RIVERBOAT_ISA=baseline` before the import to force the baseline build.
"""

import os

from riverboat._core import _cpu
from riverboat.errors import RiverboatError

_requested = os.environ.get("RIVERBOAT_ISA", "")
if _requested not in ("", "baseline", "x86-64-v3"):
    raise RiverboatError(
        f"RIVERBOAT_ISA={_requested!r} is not known: use baseline, x86-64-v3 or leave it empty"
    )
if _requested == "x86-64-v3" and not _cpu.has_x86_64_v3():
    raise RiverboatError("this CPU does not support RIVERBOAT_ISA=x86-64-v3: use baseline")
if _cpu.has_x86_64_v3() and _requested != "baseline":
    from riverboat._core._x86_64_v3 import *  # noqa: F403 - one of two builds of the same names

    ISA = "x86-64-v3"
else:
    from riverboat._core._baseline import *  # noqa: F403 - one of two builds of the same names

    ISA = "baseline"
