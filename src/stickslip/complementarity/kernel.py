"""Kernels for problems so small that counting references to arrays would take most of their time.

Numba counts a reference for each array and each function that it is handed to, unless it can prove that this comes to nothing,
which it often cannot where a function has branches: for one contact that was more than half of the time. These
kernels count none. They cannot allocate either: that does not compile.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from stickslip.dynamics.kernel import AnnouncedCache, KernelCache, compiled

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function that other kernels call; always inlined."""
    return compiled(function, KernelCache, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True, _nrt=False)


def routine(function: F) -> F:
    """Compile a long function that several kernels call: kept apart."""
    return compiled(function, KernelCache, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


def entry(function: F) -> F:
    """Compile a function that Python calls."""
    return compiled(function, AnnouncedCache, _nrt=False)
