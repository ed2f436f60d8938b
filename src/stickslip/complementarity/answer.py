"""What a certificate can say."""

from enum import StrEnum


class Answer(StrEnum):
    """Of existence `yes` or `no`; of uniqueness `unique`, `ambiguous` or `none`; `undecided` where nothing was proved."""

    YES = "yes"
    NO = "no"
    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    NONE = "none"
    UNDECIDED = "undecided"
