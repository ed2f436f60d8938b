"""The robots of the papers, each as a function that gives a scenario.

    pendulum       paper 2: a chain of spheres that swings into a floor and a wall

>>> import stickslip as ss
>>> print(ss.robots.pendulum(links=15))
pendulum of 15 links: a chain of spheres swings from the left into a floor and a wall (paper 2, reading B).
"""

from stickslip.robots.pendulum import pendulum

__all__ = ["pendulum"]
