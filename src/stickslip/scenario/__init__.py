"""SAY: a world, a start, a controller and a duration, as one thing that can be run."""

from stickslip.scenario.scenario import Scenario, ScenarioError

__all__ = ["Scenario", "ScenarioError"]
