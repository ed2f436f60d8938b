"""The files and commands in docs/command_line.md are good as they are written."""

import re
import shlex
from pathlib import Path

import pytest

import stickslip as ss
from command_line import called
from stickslip.cli.main import app
from stickslip.scenario.obstacle_tables import ObstacleTable
from stickslip.scenario.scenario_table import BuiltInRobot, MjcfRobot, ScenarioTable, UrdfRobot
from urdf_text import INERTIAL, link, robot

PAGE = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("toml"))
def test_scenarios_load_and_run(text, tmp_path):
    (tmp_path / "robot.urdf").write_text(
        robot(link("box", f'{INERTIAL}<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'))
    )
    (tmp_path / "drop.toml").write_text(text)
    run = ss.Scenario.load(tmp_path / "drop.toml").run(duration=0.1)
    assert run.outcome is ss.Outcome.FINISHED


def test_all_keys_of_a_file_are_on_the_page():
    table = PAGE[PAGE.index("All keys:") :]
    keys = {word for cell in re.findall(r"`([^`]+)`", table) for word in re.findall(r"\w+", cell)}
    for model in (ScenarioTable, BuiltInRobot, UrdfRobot, MjcfRobot):
        assert set(model.model_fields) <= keys | {"start"}
    for member in ObstacleTable.__origin__.__args__:
        assert set(member.model_fields) <= keys | {"kind"}
        assert member.model_fields["kind"].annotation.__args__[0] in keys


def test_all_commands_are_on_the_page():
    assert re.findall(r"^\| `stickslip (\w+)", PAGE, re.MULTILINE) == [
        command.callback.__name__ for command in app.registered_commands
    ]


@pytest.mark.parametrize("line", [line for text in blocks("sh") for line in text.splitlines()])
def test_commands_have_the_options_that_they_are_called_with(line):
    program, command, *arguments = shlex.split(line)
    assert program == "stickslip"
    told = called(command, "--help").stdout
    assert all(argument in told for argument in arguments if argument.startswith("-"))
