"""What makes two sweeps the same, so that one may go on from the results of the other."""

from __future__ import annotations

import dis
import functools
import hashlib
import platform
import types
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from stickslip.mechanism.errors import ArgumentError
from stickslip.simulate.plain_data import frozen, to_json

Identity = dict[str, Any]

TOLD = {
    "function": "its function is",
    "cases": "its number of cases is",
    "seed": "its seed is",
    "stickslip": "it was begun with stickslip",
    "python": "it was begun with Python",
    "code": "the code of its function, or what that closes over, has changed since",
    "case_digest": "its cases are others",
}


def identity(function: Any, cases: Sequence[Any], seed: int) -> Identity:
    """Names, numbers and digests. Of the function: its code, its defaults, what it closes over, and the constants and
    functions of its own module that it uses; not what it imports."""
    code = hashlib.sha256()
    _digest(function, code, set())
    digest = hashlib.sha256()
    for k, case in enumerate(cases):
        digest.update(to_json(frozen(case, f"case {k} of a sweep in a folder")).encode() + b"\n")
    return {
        "function": _name(function),
        "cases": len(cases),
        "seed": seed,
        "stickslip": version("stickslip"),
        "python": ".".join(platform.python_version_tuple()[:2]),
        "code": code.hexdigest(),
        "case_digest": digest.hexdigest(),
    }


def difference(theirs: Identity, ours: Identity) -> str:
    """The first thing in which two sweeps differ, as the end of a sentence; empty if they are the same."""
    for key, told in TOLD.items():
        if theirs.get(key) != ours[key]:
            return told if key in ("code", "case_digest") else f"{told} {theirs.get(key)!s:.60}, not {ours[key]!s:.60}"
    return ""


def _name(function: Any) -> str:
    inner = _inner(function)
    return f"{getattr(inner, '__module__', '')}.{getattr(inner, '__qualname__', type(inner).__qualname__)}"


def _inner(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    return function


def _digest(thing: Any, digest: Any, seen: set[int]) -> None:
    """Feed everything that decides what `thing` does or is to the digest."""
    if id(thing) in seen:
        return
    if isinstance(thing, functools.partial):
        for part in (thing.func, thing.args, sorted(thing.keywords.items())):
            _digest(part, digest, seen)
    elif isinstance(thing, types.MethodType):
        _digest(thing.__func__, digest, seen)
        _digest(thing.__self__, digest, seen)
    elif isinstance(thing, types.FunctionType):
        seen.add(id(thing))
        _digest_code(thing.__code__, digest)
        _digest(thing.__defaults__, digest, seen)
        _digest(sorted((thing.__kwdefaults__ or {}).items()), digest, seen)
        for cell in thing.__closure__ or ():
            _digest(cell.cell_contents, digest, seen)
        for name in sorted(_names(thing.__code__) & thing.__globals__.keys()):
            _digest_global(name, thing, digest, seen)
    elif isinstance(thing, (tuple, list)):
        digest.update(b"%d entries\n" % len(thing))
        for entry in thing:
            _digest(entry, digest, seen)
    else:
        digest.update(_bytes(thing) + b"\n")


def _digest_global(name: str, function: Any, digest: Any, seen: set[int]) -> None:
    """A constant or a function of the module in which a function stands."""
    value = function.__globals__[name]
    own = isinstance(value, types.FunctionType) and value.__module__ == function.__module__
    digest.update(name.encode() + b"\n")
    if own or not (callable(value) or isinstance(value, types.ModuleType)):
        _digest(value, digest, seen)


def _digest_code(code: types.CodeType, digest: Any) -> None:
    """The instructions and constants, but not in which file and line they stand."""
    digest.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _digest_code(constant, digest)
        else:
            entries = sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
            digest.update(repr(entries).encode())


def _names(code: types.CodeType) -> set[str]:
    """All global names that the code, and code within it, looks up."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))
    own = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*inner)


def _bytes(thing: Any) -> bytes:
    """Plain data as JSON, anything else as it would be sent to a worker; what cannot be sent is told by its type."""
    try:
        return to_json(frozen(thing, "it")).encode()
    except ArgumentError:
        pass
    try:
        import cloudpickle

        pickled: bytes = cloudpickle.dumps(thing)
    except Exception:
        return type(thing).__qualname__.encode()
    return pickled
