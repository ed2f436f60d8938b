"""Closed chains of one degree of freedom and their textbook kinematics: a four-bar linkage, a slider-crank."""

from math import atan2, cos, sin, sqrt

import numpy as np

import stickslip as ss

G = 9.81

# ---- four-bar linkage: A + B = D + C as complex numbers, crank A, coupler B, ground D, rocker C -----------------------------

A, B, C, D = 1.0, 3.0, 2.5, 3.0  # A + B < C + D: the crank goes round
LENGTHS = {"crank": A, "coupler": B, "rocker": C}


def four_bar() -> ss.Mechanism:
    b = ss.MechanismBuilder(plane="xz")
    for name, length in LENGTHS.items():
        b.body(name, mass=length, centre=(length / 2, 0), inertia=length**3 / 12)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="coupler", at=(A, 0))
    b.revolute("d", child="rocker", at=(D, 0))
    b.close_hinge("c", first="coupler", second="rocker", first_point=(B, 0), second_point=(C, 0))
    b.motor("a")
    return ss.Mechanism(b)


def coupler_and_rocker(crank: float) -> tuple[float, float]:
    """Freudenstein's equation, D/A cos(rocker) - D/C cos(crank) + K = cos(crank - rocker), and the loop itself."""
    K = (A**2 - B**2 + C**2 + D**2) / (2 * A * C)
    a = cos(crank) - D / A - D / C * cos(crank) + K
    b = -2 * sin(crank)
    c = D / A - (D / C + 1) * cos(crank) + K
    rocker = 2 * atan2(-b - sqrt(b * b - 4 * a * c), 2 * a)
    return atan2(C * sin(rocker) - A * sin(crank), D + C * cos(rocker) - A * cos(crank)), rocker


def ratios(crank: float) -> tuple[float, float]:
    """Rates of coupler and rocker per unit of the crank's: the loop's rate, seen along the other two."""
    coupler, rocker = coupler_and_rocker(crank)
    return (
        A * sin(rocker - crank) / (B * sin(coupler - rocker)),
        A * sin(crank - coupler) / (C * sin(rocker - coupler)),
    )


def four_bar_state(crank: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    coupler, rocker = coupler_and_rocker(crank)
    of_coupler, of_rocker = ratios(crank)
    return np.array([crank, coupler - crank, rocker]), rate * np.array([1.0, of_coupler - 1, of_rocker])


def reduced_inertia(crank: float) -> float:
    """What the crank's motor has to turn: the kinetic energy at unit rate, doubled."""
    coupler, _ = coupler_and_rocker(crank)
    of_coupler, of_rocker = ratios(crank)
    middle = A * 1j * np.exp(1j * crank) + B / 2 * of_coupler * 1j * np.exp(1j * coupler)
    return A**3 / 3 + B * abs(middle) ** 2 + B**3 / 12 * of_coupler**2 + C**3 / 3 * of_rocker**2


def weight(crank: float) -> float:
    """The potential energy."""
    coupler, rocker = coupler_and_rocker(crank)
    return G * (A * A / 2 * sin(crank) + B * (A * sin(crank) + B / 2 * sin(coupler)) + C * C / 2 * sin(rocker))


# ---- slider-crank ----------------------------------------------------------------------------------------------------------

CRANK, ROD, OFFSET = 1.0, 3.0, 0.2


def slider_crank(*, guided: bool) -> ss.Mechanism:
    """The slider on a joint of its own and the rod's end on it, or at the end of the chain and guided by a loop."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("crank", mass=1.0, centre=(CRANK / 2, 0), inertia=CRANK**2 / 12)
    b.body("rod", mass=2.0, centre=(ROD / 2, 0), inertia=ROD**2 / 6)
    b.body("slider", mass=1.5, inertia=0.1)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="rod", at=(CRANK, 0))
    if guided:
        b.revolute("c", parent="rod", child="slider", at=(ROD, 0))
        b.close_slider("guide", first="world", second="slider", first_point=(0, OFFSET), second_point=(0, 0), axis=(1, 0))
    else:
        b.prismatic("guide", child="slider", at=(0, OFFSET), axis=(1, 0))
        b.close_point("c", first="rod", second="slider", first_point=(ROD, 0), second_point=(0, 0))
    b.motor("a")
    return ss.Mechanism(b)


def slider_at(crank: float) -> tuple[float, float, float]:
    """The slider's place, and its first and second derivative by the crank's angle."""
    rise, run = CRANK * sin(crank) - OFFSET, CRANK * cos(crank)
    reach = sqrt(ROD**2 - rise**2)
    return (
        run + reach,
        -CRANK * sin(crank) - rise * run / reach,
        -run - (run**2 - rise * CRANK * sin(crank)) / reach - (rise * run) ** 2 / reach**3,
    )


def slider_crank_state(crank: float, rate: float, *, guided: bool) -> tuple[np.ndarray, np.ndarray]:
    x, slope, _ = slider_at(crank)
    rod = atan2(OFFSET - CRANK * sin(crank), x - CRANK * cos(crank))
    turning = -CRANK * cos(crank) / (ROD * cos(rod)) * rate  # the rod's end stays at its height
    if guided:
        return np.array([crank, rod - crank, -rod]), np.array([rate, turning - rate, -turning])
    return np.array([crank, rod - crank, x]), np.array([rate, turning - rate, slope * rate])
