"""SOLVE: contact problems as plain arrays; complementarity problems, all of their solutions, and certificates."""

from stickslip.complementarity.status import Status

__all__ = ["Status"]
