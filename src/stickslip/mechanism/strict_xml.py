"""XML that cannot hurt: no document type, hence no entities to expand, and no bottomless nesting.

Namespaces stay unresolved, so that a tag reads as it is written in the file.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from stickslip.mechanism.errors import MechanismError


def parse(data: bytes, deepest: int) -> Element:
    """The root element of an XML document whose elements stand at most `deepest` inside each other."""
    builder = _BoundedBuilder(deepest)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.tree.data
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise MechanismError(
            f"the file is not well-formed XML: {reason} in line {error.lineno}, column {error.offset + 1}."
        ) from None
    except MechanismError:
        raise
    except (LookupError, ValueError) as error:  # a declared encoding that Python does not know, or of several bytes
        raise MechanismError(f"the file is not XML in an encoding that can be read: {error}; save it as UTF-8.") from None
    return builder.tree.close()


class _BoundedBuilder:
    def __init__(self, deepest: int) -> None:
        self.tree = TreeBuilder()
        self.deepest = deepest
        self.depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > self.deepest:
            raise MechanismError(f"<{tag}> is nested more than {self.deepest} elements deep; that is no robot.")
        self.tree.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.tree.end(tag)


def _refuse_doctype(name: str, *_: object) -> None:
    raise MechanismError(f"the file declares a document type (<!DOCTYPE {name}>), which may hide entities; remove it.")
