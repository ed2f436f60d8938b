"""Painleve's rod: a uniform rod of mass 1 and length 1 that slides on its lower tip, its angle counted from the floor.

In coordinates (x, y, angle) of the centre the tip has the rows n = (0, 1, -c), t = (1, 0, s) with c, s half the cosine and
sine, and M = diag(1, 1, 1/12). Where the tip slides towards -t, friction is +mu f_n and

    a_n = A f_n + b,   A = n W (n + mu t) = 1 + 3 cos^2 - 3 mu sin cos,   b = -g + rate^2 sin / 2

so that there is one solution where A > 0: sliding for b < 0, leaving for b > 0. Where A < 0 there are two for b > 0, both
sliding and leaving, and none for b < 0. A = 0 first happens at mu = 4/3, where tan(angle) = 2.
"""

from math import atan, cos, pi, sin

import numpy as np
import pytest

from stickslip.complementarity import Answer, ContactProblem, Status

G = 9.81


def rod(angle: float, friction: float, *, rate: float = 0.0, slip: float = -1.0) -> ContactProblem:
    c, s = cos(angle) / 2, sin(angle) / 2
    return ContactProblem(
        mass=np.diag([1.0, 1.0, 1 / 12]),
        bias=[0.0, G, 0.0],
        jacobian=[[0.0, 1.0, -c], [1.0, 0.0, s]],
        drift=[rate**2 * s, rate**2 * c],
        velocity=[0.0, slip],
        friction=[friction],
        names=["tip"],
    )


def expected(angle: float, friction: float, rate: float) -> dict[str, float]:
    """Normal force by letter, of all solutions of a rod that slides towards -t."""
    A = 1 + 3 * cos(angle) ** 2 - 3 * friction * sin(angle) * cos(angle)
    b = -G + rate**2 * sin(angle) / 2
    solutions = {"S": 0.0} if b > 0 else {}
    if -b / A > 0:
        solutions["L"] = -b / A
    return solutions


ANGLES = np.linspace(0.05, pi / 2 - 0.05, 23)
FRICTIONS = np.linspace(0.0, 3.0, 26)


def test_the_map_of_0_1_or_2_solutions():
    """Over angle, friction and rate: every solution that the closed form has, and no other."""
    seen = set()
    for angle in ANGLES:
        for friction in FRICTIONS:
            for rate in (0.0, 9.0):
                solutions = {sol.word: sol for sol in rod(angle, friction, rate=rate).solutions()}
                closed_form = expected(angle, friction, rate)
                assert set(solutions) == set(closed_form)
                for word, normal in closed_form.items():
                    assert solutions[word].force == pytest.approx([normal, friction * normal], rel=1e-9)
                seen.add(len(closed_form))
    assert seen == {0, 1, 2}


def test_the_paradox_begins_at_four_thirds():
    assert len(rod(atan(2), 4 / 3 - 1e-9).solutions()) == 1
    assert rod(atan(2), 4 / 3 + 1e-9).solutions() == []
    for angle in ANGLES:
        assert len(rod(angle, 4 / 3 - 1e-9).solutions()) == 1  # at all other angles it begins later


@pytest.mark.parametrize("rate", [0.0, 9.0])
def test_certificates_agree_with_the_map(rate):
    for angle in ANGLES[::4]:
        for friction in FRICTIONS[::3]:
            sol = rod(angle, friction, rate=rate).solve()
            closed_form = expected(angle, friction, rate)
            certificate = sol.certificate
            assert certificate.verify()
            if not closed_form:
                assert sol.status is Status.NO_SOLUTION
                assert certificate.existence is Answer.NO
            else:
                assert sol.word in closed_form
                assert certificate.existence is Answer.YES
                wanted = Answer.UNIQUE if len(closed_form) == 1 else Answer.AMBIGUOUS
                assert (certificate.motion, certificate.force) == (wanted, wanted)


def test_below_the_paradox_uniqueness_is_proved_by_the_p_matrix_and_not_by_search():
    certificate = rod(atan(2), 1.3).solve().certificate
    assert "determinants of all 2 words" in certificate.proofs["motion"].sentence
    certificate = rod(atan(2), 1.4, rate=9.0).solve().certificate
    assert "different solutions" in certificate.proofs["motion"].sentence


def test_at_rest_the_rod_may_stick_fall_or_jam():
    """At rest every word is possible in principle; with friction above the paradox a rod at rest can stick."""
    assert rod(atan(2), 1.0, slip=0.0).solve().word == "F"
    light = rod(atan(2), 0.1, slip=0.0).solve()
    assert light.word == "L" if light.contact_acceleration[1] < 0 else "R"
    assert light.certificate.motion is Answer.UNIQUE


@pytest.mark.parametrize("power", range(3, 15))
def test_nothing_wrong_is_said_next_to_the_paradox(power):
    """Forces grow like one over the distance to it. Beyond 1e4 times the weight proofs speak of a part, and say so."""
    for side in (-1.0, 1.0):
        for rate in (0.0, 9.0):
            friction = 4 / 3 * (1.0 + side * 10.0**-power)
            closed_form = expected(atan(2), friction, rate)
            sol = rod(atan(2), friction, rate=rate).solve()
            certificate = sol.certificate
            assert certificate.verify()
            if sol:
                assert sol.word in closed_form
                assert certificate.existence is not Answer.NO
                if certificate.motion is Answer.UNIQUE and len(closed_form) > 1:
                    assert sol.word == "S"
                    assert "up to 10,000 times" in certificate.proofs["motion"].sentence
            elif closed_form:
                assert sol.status is Status.INACCURATE
                assert power >= 12
            else:
                assert sol.status is Status.NO_SOLUTION
                assert certificate.existence is Answer.NO
                assert str(certificate).endswith("motion: none\nforce: none")
