"""MOVE: a description compiled to a tree, and its kinematics and dynamics in compiled kernels."""

from stickslip.dynamics.mechanism import Mechanism

__all__ = ["Mechanism"]
