"""The robots of the papers, each as a function that gives a scenario.

    pendulum           paper 2: a chain of spheres that swings into a floor and a wall
    double_pendulum    paper 4: two bars whose tip strikes a floor
    bicycle            paper 4: two wheels on a bar that fall on a wedge

>>> import stickslip as ss
>>> print(ss.robots.pendulum(links=15))
pendulum of 15 links: a chain of spheres swings from the left into a floor and a wall (paper 2, reading B).
"""

from stickslip.robots.bicycle import bicycle
from stickslip.robots.double_pendulum import double_pendulum
from stickslip.robots.pendulum import pendulum

__all__ = ["bicycle", "double_pendulum", "pendulum"]
