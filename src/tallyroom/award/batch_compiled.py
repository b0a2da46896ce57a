"""The loop of `batch_kernel` as machine code: the one place that touches the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numba
import numba.extending

from tallyroom.award import batch_kernel

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function, called: tuple[Callable[..., object], ...]) -> Function:
    """Compile a function and those it calls at its first call; the machine code is kept on disk where that can be."""
    for inner in called:
        numba.extending.register_jitable(inner)
    try:
        made = numba.njit(cache=True, error_model="numpy", nogil=True)(function)
    except RuntimeError:  # no folder in which to keep it
        made = numba.njit(error_model="numpy", nogil=True)(function)
    return cast("Function", made)  # what comes out is called exactly as what went in


award_units = compiled(batch_kernel.award_units, batch_kernel.CALLED)
"""`batch_kernel.award_units` compiled; other threads run on while it works."""
