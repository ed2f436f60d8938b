"""Contacts in space, part of whose normal impulse is given whatever happens, as in an impact's second phase."""

import numpy as np
import pytest

from random_cones import point_rows, touching_bodies
from stickslip.complementarity.cone import TOLERANCE, Scratch, contact_rows
from stickslip.complementarity.cone_search import NO

AXES = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])


def solved(G, c, friction, given):
    """Impulses (3k,), the given ones (k,) among them, and velocities (3k,); c is the motion under the given ones."""
    k = len(given)
    scratch = Scratch.of_this_thread(k)
    scratch.given[::3] = given
    try:
        assert scratch.run(G, c, contact_rows(k, friction), NO, TOLERANCE)
        return scratch.f.copy(), scratch.u.copy()
    finally:
        scratch.given[:] = 0.0


def worst_line(G, friction, given, f, u):
    """The worst violation of the law, impulses as the velocities that they cause; friction by the maximal dissipation."""
    worst = 0.0
    for i, mu in enumerate(friction):
        n, t = 3 * i, slice(3 * i + 1, 3 * i + 3)
        g = G.diagonal()[n : n + 3].max()
        worst = max(worst, abs(min(g * (f[n] - given[i]), u[n])), g * (np.hypot(*f[t]) - mu * f[n]))
        speed = np.hypot(*u[t])
        lost = f[t] @ u[t] + mu * f[n] * speed
        worst = max(worst, g * lost / max(g * mu * f[n], speed) if lost else 0.0)
    return worst


@pytest.mark.parametrize("k", range(1, 9))
def test_friction_is_bounded_by_what_is_given_and_what_is_added(k):
    rng = np.random.default_rng(k)
    rubbing = 0
    for _ in range(100):
        problem = touching_bodies(rng, k)
        given = rng.uniform(0.0, 1.0, k) * (rng.random(k) < 0.7) / problem.G.diagonal()[::3]
        pushed = np.zeros(3 * k)
        pushed[::3] = given
        c = rng.choice([0.0, 0.1, 1.0]) * problem.c + problem.G @ pushed
        f, u = solved(problem.G, c, problem.friction, given)
        scale = max(np.abs(c).max(), 1e-5 * np.abs(problem.G * (f - pushed)).max())
        assert np.abs(problem.G @ (f - pushed) + c - u).max() <= 1e-12 * max(scale, np.abs(problem.G * (f - pushed)).max())
        assert worst_line(problem.G, problem.friction, given, f, u) <= 2 * TOLERANCE * scale
        rubbing += int(((f[::3] == given) & (np.hypot(f[1::3], f[2::3]) > 0)).sum())
    assert rubbing > 20  # parting contacts with friction: those that an ordinary cone has not


@pytest.mark.parametrize(("friction", "expected"), [(0.2, 0.2), (2.0, 0.5)])
def test_a_body_that_is_sent_off_rubs_with_what_sends_it_off(friction, expected):
    """A mass of 1 kg slides at 0.5 m/s and gets 1 N s from the floor: it loses 0.2 m/s or all that it has."""
    f, u = solved(np.eye(3), np.array([1.0, 0.3, 0.4]), [friction], np.array([1.0]))
    np.testing.assert_allclose(f, [1.0, -expected * 0.6, -expected * 0.8], atol=1e-15)
    np.testing.assert_allclose(u, [1.0, (0.5 - expected) * 0.6, (0.5 - expected) * 0.8], atol=1e-15)


def test_more_is_added_where_friction_pulls_the_body_down():
    """The tip of a leaning rod slides with so much friction that what is given does not keep it off the floor."""
    J = point_rows(AXES, np.array([0.3, 0.0, -1.0]))
    G = J @ np.diag([1.0, 1.0, 1.0, 12.0, 12.0, 12.0]) @ J.T
    friction, given = 1.2, 0.1
    assert G[0, 0] + friction * G[0, 1] * np.sign(-G[0, 1]) < 0 < G[0, 0]  # friction against this slip pulls the tip down
    slip = -10.0 * np.sign(-G[0, 1])
    c = np.array([0.0, slip, 0.0]) + given * G[:, 0]
    f, u = solved(G, c, [friction], np.array([given]))
    assert f[0] > given
    assert u[0] == pytest.approx(0.0, abs=1e-12)
    assert np.hypot(u[1], u[2]) == pytest.approx(0.0, abs=1e-12)  # caught
