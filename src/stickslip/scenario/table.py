"""What every table of a scenario file obeys: no unknown key, no word for a number, nothing that is not finite."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from stickslip.mechanism.errors import did_you_mean
from stickslip.mechanism.numbers import shown

UNKNOWN_KEY = "unknown_key"  # the type of that mistake

Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
Vector = Annotated[list[float], Field(min_length=3, max_length=3)]
Matrix = Annotated[list[Vector], Field(min_length=3, max_length=3)]


class Table(BaseModel):
    """A table of a scenario file."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, given: Any) -> Any:
        for key in given if isinstance(given, dict) else ():
            if key not in cls.model_fields:
                near = did_you_mean(key, cls.model_fields)
                cure = near if near != "." else f"; it may have {', '.join(cls.model_fields)}."
                raise PydanticCustomError(UNKNOWN_KEY, "has no key {key}{cure}", {"key": shown(key), "cure": cure})
        return given
