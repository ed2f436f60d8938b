"""Paper 2's figures and table: that both techniques are the same scene, what must come out of it, and honest flags."""

import numpy as np
import pytest

from stickslip.studies import study
from stickslip.studies.minimal_coordinates import cost, height, sequence
from stickslip.studies.minimal_coordinates.techniques import in_redundant_coordinates, path_of_last, pendulum, run_of


@pytest.mark.parametrize("links", [1, 3, 5])
def test_both_techniques_are_the_same_scene(links):
    minimal, redundant = (pendulum(links, technique) for technique in ("minimal", "redundant"))
    assert redundant.world.mechanism.nv == 3 * links
    assert redundant.world.mechanism.loop_rows == 2 * links
    assert redundant.world.pairs == minimal.world.pairs
    assert all(redundant.world.material_of(*pair) == minimal.world.material_of(*pair) for pair in minimal.world.pairs)
    assert redundant.world.mechanism.energy(redundant.q, redundant.v) == pytest.approx(
        minimal.world.mechanism.energy(minimal.q, minimal.v), rel=1e-12
    )
    assert redundant.settings == minimal.settings


def test_friction_is_carried_over():
    scenario = in_redundant_coordinates(pendulum(3, "minimal"))
    assert scenario.world.material_of("link_3", "wall").friction == 0.5


@pytest.mark.parametrize("technique", ["minimal", "redundant"])
def test_where_the_last_link_is(technique):
    """Level, to the left of a hinge 5 m high; three diameters of 2 m."""
    scenario = pendulum(3, technique)
    assert path_of_last(scenario.world, scenario.q[None])[0] == pytest.approx([-5, 5], abs=1e-12)


def test_a_study_is_not_made_of_a_run_that_was_interrupted():
    def stop(_time, _hits):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_of(pendulum(3, "minimal"), progress=stop)


@pytest.fixture(scope="module")
def figure_2():
    return height.figure_2()


def ours(finding):
    return {name: quantity.ours for name, quantity in finding.quantities.items()}


def test_figure_2_both_techniques_converge_to_one_motion(figure_2):
    """Of first order or better, and within 15 mm at 1 ms."""
    found = ours(figure_2)
    apart, closer = found["largest distance between both (m)"], found["the same with a tenth of the step (m)"]
    assert found["largest difference of the heights (m)"] <= apart < 0.015
    assert closer < apart / 7
    assert found["simulated (s)"] == pytest.approx(5.0)
    assert figure_2.flags == ()


def test_figure_2_the_last_link_ends_on_the_floor(figure_2):
    """Its sphere of radius 1 m rests on the floor, whose surface is at 0.1 m."""
    found = ours(figure_2)
    assert found["height at the end, minimal (m)"] == pytest.approx(1.1, abs=1e-9)
    assert found["height at the end, redundant (m)"] == pytest.approx(1.1, abs=1e-9)


def test_figure_2_its_data_are_what_is_compared(figure_2):
    data = np.array(figure_2.data.rows)
    assert data.shape == (5001, len(figure_2.data.columns)) == (5001, 9)
    assert data[0].tolist() == pytest.approx([0.0, *4 * [-5.0, 5.0]])
    difference = np.abs(data[:, 2] - data[:, 6]).max()  # heights by both techniques, in steps of 1 ms
    assert difference == ours(figure_2)["largest difference of the heights (m)"]


def test_figure_1_order_of_events():
    """Ground, then wall, at the times that docs/papers.md gives for reading B."""
    finding = sequence.figure_1()
    found = ours(finding)
    assert found["first the ground, then the wall"] is True
    assert found["first meets the ground (s)"] == pytest.approx(0.62, abs=0.005)
    assert found["first meets the wall (s)"] == pytest.approx(1.27, abs=0.005)
    assert bool(finding.flags) == (found["simulated (s)"] < 5)
    assert finding.data.rows[0] == (found["first meets the ground (s)"], "link_15 on floor")


def test_table_1_of_the_smallest_pendulum():
    """Redundant coordinates cost more; a second is simulated in less than one. (What the paper's machine took is a record.)"""
    finding = cost.table_1(links=(3,), repeats=1)
    found = ours(finding)
    assert 0 < found["3 links, minimal (s)"] < found["3 links, redundant (s)"] < 5
    assert found["3 links, redundant / minimal"] == found["3 links, redundant (s)"] / found["3 links, minimal (s)"]
    assert finding.flags == ()


def test_table_1_the_papers_ratios_are_those_that_it_speaks_of():
    """It says 3 to 40 times, which for 30 links it rounds down."""
    ratios = {links: redundant / minimal for links, (minimal, redundant) in cost.PRINTED.items()}
    assert ratios[3] == pytest.approx(3.8, abs=0.05)
    assert ratios[30] == pytest.approx(44.5, abs=0.05)
    assert list(ratios.values()) == sorted(ratios.values())


def test_table_1_a_run_that_stops_gives_no_time_for_the_whole(monkeypatch):
    """The pendulum of 12 links stops where two contacts close at once, for which it is given no room."""
    monkeypatch.setattr(cost, "pendulum", lambda links, technique: pendulum(links, technique).changed(most_contacts=1))
    finding = cost.table_1(links=(12,), repeats=1)
    found = ours(finding)
    assert found["12 links, minimal (s)"] is None
    assert found["12 links, redundant (s)"] is None
    assert 0 < found["12 links, minimal, per simulated second (s)"] < found["12 links, redundant, per simulated second (s)"]
    assert 0 < found["12 links, simulated by both (s)"] < 5
    assert finding.quantities["12 links, minimal, per simulated second (s)"].paper == 3.231113 / 5
    assert len(finding.flags) == 2
    assert finding.flags[0].startswith("12 links in minimal coordinates stopped after ")


@pytest.mark.parametrize(("name", "panels"), [("figure-1", 1), ("figure-2", 2)])
def test_figures_are_drawn(name, panels, figure_2, tmp_path):
    finding = figure_2 if name == "figure-2" else study("minimal-coordinates").item(name).find()
    figure = finding.draw()
    assert len(figure.axes) == panels
    assert all(axes.get_xlabel() or axes.get_ylabel() for axes in figure.axes)
    figure.savefig(tmp_path / "figure.png")


def test_the_table_is_drawn():
    figure = cost.table_1(links=(3,), repeats=1).draw()
    assert [len(axes.lines) for axes in figure.axes] == [4, 2]


@pytest.mark.verify
@pytest.mark.parametrize("technique", ["minimal", "redundant"])
@pytest.mark.parametrize("links", [3, 6, 12, 15, 24, 30])
def test_every_run_of_table_1_comes_to_its_end(links, technique):
    """And nothing overlaps by a micrometre on the way, nor does energy rise by more than the ripple of a whip."""
    scenario = pendulum(links, technique)
    run = scenario.run(dt=1e-3)
    assert run.outcome.name == "FINISHED", run.trouble
    assert min(scenario.world.gap(q) for q in run.q) > -1e-6
    energy = run.energy.sum(axis=1)
    assert (energy - np.minimum.accumulate(energy)).max() < 1e-3 * energy[0]
