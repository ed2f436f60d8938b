"""Routh's construction: closed forms of a rod's oblique impact, and Coulomb's law in small steps as an oracle."""

import numpy as np
import pytest

import stickslip as ss
from random_strikes import random_strike
from stickslip.impact import routh
from stickslip.impact.slip_path import followed


def rod(angle):
    """G (n, t) at the tip of a rod of 1 kg and 2 m that leans by `angle`: its centre is at (cos, sin) from the tip, in m."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1 + 3 * c**2, -3 * s * c], [-3 * s * c, 1 + 3 * s**2]])


def stepped(G, u, mu, e, steps=20_000):
    """Coulomb's law in steps of the normal impulse, ended by work: crude, and apart from the package."""
    u, p, part = np.array(u, dtype=float), np.zeros(2), -u[0] / G[0, 0] / steps * 3
    work = taken = 0.0
    restores = False
    while not restores or work < taken * (1 - e**2):
        stop = -(u[1] + G[1, 0] * part) / G[1, 1]
        step = np.array([part, np.clip(stop, -mu * part, mu * part)])
        after = u + G @ step
        work += part * (u[0] + after[0]) / 2
        u, p = after, p + step
        if not restores and u[0] >= 0:
            restores, taken = True, work
    return u, p


def test_the_rod_slides_on():
    """Friction too small to stop it: p_t = -mu p_n, u_n turns round times e whatever the hypothesis."""
    G, mu, e = rod(np.pi / 3), 0.1, 0.6
    slope = G @ [1, -mu]
    for hypothesis in ("newton", "poisson", "energetic"):
        path = routh(G, [-1.0, 5.0], mu, e, hypothesis=hypothesis)
        assert path.modes == "R"
        assert path.impulse == pytest.approx(np.array([1, -mu]) * (1 + e) / slope[0], rel=1e-13)


def test_the_rod_sticks_on_its_way():
    """Slip ends at p_n = s / (mu G_tt - G_tn); from there on p_t = -G_nt / G_tt p_n, by hand."""
    G, mu, e, slip = rod(np.pi / 4), 0.8, 0.5, 0.3
    path = routh(G, [-1.0, slip], mu, e, hypothesis="poisson")
    assert path.modes == "RF"
    first = slip / (mu * G[1, 1] - G[1, 0])
    rate = G[0, 0] - G[0, 1] ** 2 / G[1, 1]
    compression = first + (1 - first * (G[0, 0] - mu * G[0, 1])) / rate
    whole = (1 + e) * compression
    assert path.impulse[0] == pytest.approx(whole, rel=1e-13)
    assert path.impulse[1] == pytest.approx(-mu * first - G[0, 1] / G[1, 1] * (whole - first), rel=1e-13)
    assert path.pieces[-1].velocity[1][1] == 0.0


def test_the_rod_turns_its_slip_round():
    """|G_nt| > mu G_tt: nothing holds it, and it slips back towards the sign of G_nt, here to the left."""
    G, mu, e, slip = rod(np.pi / 4), 0.3, 0.5, 0.2
    path = routh(G, [-1.0, slip], mu, e, hypothesis="poisson")
    assert path.modes == "RL"
    first = slip / (mu * G[1, 1] - G[1, 0])
    rate = G[0, 0] + mu * G[0, 1]
    compression = first + (1 - first * (G[0, 0] - mu * G[0, 1])) / rate
    whole = (1 + e) * compression
    assert path.impulse == pytest.approx([whole, -mu * first + mu * (whole - first)], rel=1e-13)
    assert path.pieces[-1].velocity[1][1] < 0.0


def test_the_energetic_law_gives_back_what_it_says():
    path = routh(rod(np.pi / 4), [-1.0, 0.2], 0.3, 0.7)
    taken, given = path.work
    assert given == pytest.approx(-(0.7**2) * taken, rel=1e-13)


@pytest.mark.parametrize("slip", [2.0, 0.3, 0.0, -0.3, -2.0])
@pytest.mark.parametrize("mu", [0.2, 0.7])
def test_against_coulombs_law_in_small_steps(slip, mu):
    G, e = rod(1.1), 0.6
    path = routh(G, [-1.0, slip], mu, e)
    u, p = stepped(G, [-1.0, slip], mu, e)
    assert path.impulse == pytest.approx(p, abs=1e-3)
    assert np.array(path.pieces[-1].velocity[1]) == pytest.approx(u, abs=2e-3)


@pytest.mark.parametrize("seed", range(40))
def test_the_impact_of_one_contact_is_rouths(seed):
    """Through the mechanism's coordinates, with the same impulses, and energy as the works say."""
    problem, v = random_strike(np.random.default_rng(seed), 1, planar=True)
    J = problem.jacobian
    path = routh(
        J @ np.linalg.solve(problem.mass, J.T),
        J @ v,
        problem.friction[0],
        problem.restitution[0],
        static_friction=problem.static_friction[0],
    )
    hit = ss.impact(problem, v, ss.Energetic())
    assert hit.impulse == pytest.approx(path.impulse, rel=1e-9)
    rubbed = sum((b.impulse[1][1] - b.impulse[0][1]) * (b.velocity[0][1] + b.velocity[1][1]) / 2 for b in path.pieces)
    assert rubbed <= 1e-14
    assert hit.energy - hit.energy_before == pytest.approx(sum(path.work) + rubbed, rel=1e-8, abs=1e-12)


def test_painleves_rod_is_drawn_in_until_it_sticks():
    """With friction above 4/3 a tip that slides left under a rod that leans right is pressed in: u_n falls at first."""
    G, mu = rod(np.arctan(2.0)), 1.8
    assert G[0, 0] + mu * G[0, 1] < 0.0
    path = routh(G, [-0.1, -1.0], mu, 0.5)
    first = path.pieces[0]
    assert first.mode == "L"
    assert first.velocity[1][0] < first.velocity[0][0]
    assert path.modes == "LF"
    assert path.pieces[-1].velocity[1][0] > 0.0
    without_collision = routh(G, [0.0, -1.0], mu, 0.0)
    assert without_collision.modes == "LF"
    assert routh(G, [0.0, 1.0], mu, 0.0).pieces == ()


def test_what_friction_holds_gives_nothing_back():
    """A bar on a hinge that strikes a wall with its tip: normal and slip end together, and friction holds it there."""
    g = np.array([0.5, 1.0])
    path = routh(np.outer(g, g), -2.0 * g, 0.8, 1.0)
    assert path.modes == "L"
    assert path.impulse == pytest.approx(np.array([1.0, 0.8]) * 2.0 / (0.5 + 0.8), rel=1e-12)
    turn = np.array([[1, 0, 0], [0, np.cos(0.7), -np.sin(0.7)], [0, np.sin(0.7), np.cos(0.7)]])
    h = turn @ [*g, 0.0]
    end = followed(np.outer(h, h), -2.0 * h, 0.8, 0.8, 1.0)
    assert turn.T @ end.impulse == pytest.approx([*path.impulse, 0.0], abs=1e-9)
    loose = routh(np.outer(g, g), -2.0 * g, 0.3, 0.5)  # friction too small to hold it: the bar returns
    assert loose.modes == "LR"
    assert loose.work[1] == pytest.approx(-0.25 * loose.work[0], rel=1e-12)


# ---- in space ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slip", [2.0, 0.3, 0.0, -0.3])
def test_a_path_in_space_that_stays_in_a_plane_is_rouths(slip):
    """The plane turned by an angle about the normal; nothing gives way sideways to it."""
    flat, mu, e = rod(1.1), 0.4, 0.6
    turn = np.array([[1, 0, 0], [0, np.cos(0.7), -np.sin(0.7)], [0, np.sin(0.7), np.cos(0.7)]])
    G = np.zeros((3, 3))
    G[:2, :2], G[2, 2] = flat, 1.3
    end = followed(turn @ G @ turn.T, turn @ [-1.0, slip, 0.0], mu, mu, e, parts=400)
    path = routh(flat, [-1.0, slip], mu, e)
    assert turn.T @ end.impulse == pytest.approx([*path.impulse, 0.0], abs=2e-3)


def test_the_path_in_space_converges_with_second_order():
    rng = np.random.default_rng(5)
    root = rng.standard_normal((3, 3))
    G, u = root @ root.T + 0.3 * np.eye(3), np.array([-1.0, 4.0, 3.0])
    fine = followed(G, u, 0.3, 0.3, 0.5, parts=3200).impulse
    errors = [np.abs(followed(G, u, 0.3, 0.3, 0.5, parts=n).impulse - fine).max() for n in (25, 50, 100)]
    assert errors[0] / errors[1] > 3.0
    assert errors[1] / errors[2] > 3.0
    assert errors[2] < 1e-4
