"""Each paper's figures and tables as functions, which give the paper's numbers and ours side by side."""

from stickslip.studies.registry import STUDIES, study
from stickslip.studies.study import Compared, Finding, Item, Study, Table

__all__ = ["STUDIES", "Compared", "Finding", "Item", "Study", "Table", "study"]
