"""Paper 2, section V-E: a pendulum of spheres in minimal and in redundant coordinates. docs/papers.md says how it is read."""

from stickslip.studies.study import Item, Study

STUDY = Study(
    "minimal-coordinates",
    "paper 2, section V-E: contact in minimal and in redundant coordinates, by a pendulum that swings into a wall",
    (
        Item("figure-1", "15 links swing into the ground and the wall: a time-lapse", f"{__name__}.sequence:figure_1"),
        Item("figure-2", "the height of the last of 3 links, by both techniques", f"{__name__}.height:figure_2"),
        Item("table-1", "what 5 s cost by both techniques, for 3 to 30 links", f"{__name__}.cost:table_1"),
    ),
)
