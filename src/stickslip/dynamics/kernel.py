"""Compiled kernels, and a disk cache of them that never runs stale code.

Numba's own cache looks only at the file in which a kernel stands, and so misses a change in a kernel that it calls. Ours is
keyed by everything that the kernel's module imports from this package, directly or not, besides Numba's version and the CPU.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

BYTECODE_HEADER = 16  # bytes at the start of a .pyc file: its version and the source's time and size
PACKAGE = Path(__file__).resolve().parent.parent

FORGOTTEN = 30 * 24 * 3600  # seconds after which compiled code of other sources is deleted

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function that other kernels call.

    It gets no wrappers for Python and C, which would only have to be compiled, and is always inlined: left to itself LLVM
    passes the larger tuples through memory.
    """
    return compiled(function, KernelCache, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def routine(function: F) -> F:
    """Compile a long function that several kernels call: kept apart, where inlining it everywhere would only take time."""
    return compiled(function, KernelCache, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: F) -> F:
    """Compile a function that Python calls: a kernel whose compilation is announced, because somebody waits for it."""
    return compiled(function, AnnouncedCache)


def compiled(function: F, kind: type[FunctionCache], **options: bool) -> F:
    """Compile with options of Numba's, kept in a cache of this kind."""
    dispatcher: Any = numba.njit(error_model="numpy", nogil=True, **options)(function)
    if _source(function.__module__) and cache_folder():  # what stands outside the package has sources that we cannot know
        dispatcher._cache = kind(function)
    return dispatcher


# ---- where compiled code is kept ---------------------------------------------------------------------------------


@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels: STICKSLIP_CACHE_DIR, else beside the package, else the user's own; None if none can be
    written."""
    named = os.environ.get("STICKSLIP_CACHE_DIR")
    for folder in [Path(named).resolve()] if named else [PACKAGE / "__pycache__" / "kernels", *_users_folder()]:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    print("stickslip: no folder for compiled kernels can be written; set STICKSLIP_CACHE_DIR.", file=sys.stderr)
    return None


def _users_folder() -> list[Path]:
    """The place in the user's cache for this installation; none for a user without a home, as in some containers."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    install = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]
    return [Path(base, "stickslip", f"kernels-{install}")] if os.path.isabs(base) else []


class _Locator(_CacheLocator):
    """One folder for each module and state of its sources, so that old and new code never share a file."""

    def __init__(self, function: Callable[..., Any]) -> None:
        folder = cache_folder()
        assert folder is not None
        self.module = function.__module__
        self.path = folder / f"{self.module}-{sources_digest(self.module)}"
        self.line = function.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        if not self.path.is_dir():
            for other in self.path.parent.glob(f"{self.module}-*"):
                if time.time() - other.stat().st_mtime > FORGOTTEN:  # a younger one may be in use by another process
                    rmtree(other, ignore_errors=True)
        super().ensure_cache_path()

    def get_cache_path(self) -> str:
        return str(self.path)

    def get_source_stamp(self) -> str:
        return self.path.name

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> _Locator:
        return cls(function)


class _Implementation(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class KernelCache(FunctionCache):
    """Numba's function cache, in our folder and with our key."""

    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a file that broke off, as in a power cut, fails in any way when it is unpickled
            self._cache_file.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a full disk costs the next process its time, not this one its result
            super().save_overload(sig, data)


class AnnouncedCache(KernelCache):
    """A kernel cache that says on stderr what is being compiled and how long it took."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            self._started = time.perf_counter()
            print(f"stickslip: compiling {self._py_func.__name__}, once on this machine …", file=sys.stderr, flush=True)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)
        print(f"stickslip: … {time.perf_counter() - self._started:.1f} s", file=sys.stderr, flush=True)


# ---- what a kernel's machine code depends on ---------------------------------------------------------------------


@cache
def sources_digest(module: str) -> str:
    """A hash of the sources of `module` and of all that it imports from this package, directly or not."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(dependencies(module)):
        digest.update(str(path.relative_to(PACKAGE)).encode())
        digest.update(path.read_bytes())
        bytecode = Path(cache_from_source(path))
        if bytecode.is_file():  # what Python runs, should it take an edited file for the old one
            digest.update(bytecode.read_bytes()[BYTECODE_HEADER:])
    return digest.hexdigest()[:16]


def dependencies(module: str) -> set[Path]:
    """The source files of `module` and of all that it imports from this package, directly or not."""
    seen: set[Path] = set()
    waiting = [_source(module)]
    while waiting:
        path = waiting.pop()
        if path is not None and path not in seen:
            seen.add(path)
            waiting.extend(_imported(path))
    return seen


@cache
def _imported(path: Path) -> tuple[Path | None, ...]:
    return tuple(_source(name) for name in _imported_names(ast.parse(path.read_bytes())))


def _imported_names(tree: ast.AST) -> Iterator[str]:
    """Module names in every import statement; `from a import b` may mean the module a or the module a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _source(module: str) -> Path | None:
    package, _, rest = module.partition(".")
    if package != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*rest.split(".")) if rest else PACKAGE
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
