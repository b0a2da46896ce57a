"""Which kind of workbook a zipped file is."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from tallyroom.importer.ods import ods
from tallyroom.importer.packed import Packed
from tallyroom.importer.sheet import SAVE_AS, unreadable
from tallyroom.importer.xlsx import xlsx

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.importer.sheet import Limits, Sheet


def workbook(stream: BinaryIO, file: str, limits: Limits) -> Iterator[Sheet]:
    """Give the sheets of an XLSX or ODS workbook.

    Raises:
        UnreadableError: it is neither.
    """
    packed = Packed(stream, file, limits)
    if b"opendocument.spreadsheet" in packed.beginning("mimetype", 200):
        return ods(packed, limits)
    if "xl/workbook.bin" in packed.names:
        raise unreadable("this is a binary workbook (XLSB)", SAVE_AS, file)
    if "xl/workbook.xml" in packed.names:
        return xlsx(packed, limits)
    if "content.xml" in packed.names and "META-INF/manifest.xml" in packed.names:
        return ods(packed, limits)
    raise unreadable("this is a packed file, but no workbook", "Unpack it, and import the tables in it.", file)
