"""How often Python looks for garbage in cycles: seldom, because terms, which are most of what we make, form none."""

import gc
from typing import Final

_ALLOCATIONS: Final = 200_000


def relax() -> None:
    """Called once by each program. Reading a large text takes a third less time with it."""
    gc.set_threshold(_ALLOCATIONS, 20, 20)
