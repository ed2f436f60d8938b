"""What can go wrong, by kind. Every message is a sentence that names the culprit and what was expected."""

from collections.abc import Iterable


class StickslipError(Exception):
    """The root of all errors that stickslip raises on purpose."""


class MechanismError(StickslipError, ValueError):
    """A description of a mechanism is not physical, not a tree, or not complete."""


class InertiaError(MechanismError):
    """An inertia that no distribution of mass can have."""


class MasslessError(MechanismError):
    """A body moves although neither it nor anything that it carries has mass; the part after the semicolon says what to do."""


class UrdfError(MechanismError):
    """A URDF file, or a mesh that it names, cannot be read as a mechanism."""


class MjcfError(MechanismError):
    """An MJCF file cannot be read, or uses a feature that stickslip does not have."""


class ArgumentError(StickslipError, ValueError):
    """A method was given an argument of the wrong shape, type or range."""


class SingularInertiaError(StickslipError, ArithmeticError):
    """The mass matrix is singular, so that accelerations do not follow from forces alone."""


class MissingExtraError(StickslipError, ImportError):
    """An optional package is needed and not installed."""


class InertiaWarning(UserWarning):
    """A file gave a body an impossible inertia, which was replaced by a possible one as it was asked for."""


class UrdfWarning(UserWarning):
    """A URDF file says something that is hardly meant; the message says what follows from it."""


class MjcfWarning(UserWarning):
    """An MJCF file holds things that are no part of a mechanism; the message names those that were left out."""


LONGEST_GUESS = 100  # letters of a name, beyond which the search for a nearer one, quadratic in them, would take long


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about an unknown `name`: the nearest of the known `names`, if one is near, and a full stop."""
    import difflib

    known = [other for other in names if len(other) <= LONGEST_GUESS]
    close = difflib.get_close_matches(name, known, n=1) if len(name) <= LONGEST_GUESS else []
    return f"; did you mean {close[0]!r}?" if close else "."
