"""The parts of a zipped workbook, unpacked piece by piece and never beyond a limit, and their XML as events."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO
from xml.parsers import expat

from tallyroom.importer.sheet import UnreadableError, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tallyroom.importer.sheet import Limits

CHUNK = 1 << 16
DAMAGED = "Open it in a spreadsheet program, save it again, or ask the sender for it again."
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, KeyError,
    OverflowError, IndexError, MemoryError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Begin:
    """A tag opens; names without their namespaces."""

    tag: str
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class End:
    """A tag closes."""

    tag: str


@dataclass(frozen=True, slots=True)
class Text:
    """Text between tags, perhaps in pieces."""

    text: str


class Packed:
    """A zip file of which parts are read within a common allowance.

    Raises:
        UnreadableError: no zip file, locked with a password, damaged, or too large when unpacked.
    """

    def __init__(self, stream: BinaryIO, file: str, limits: Limits) -> None:
        self.file, self._left, self._limits = file, limits.unpacked_bytes, limits
        try:
            self._zip = zipfile.ZipFile(stream)
            self.names = frozenset(self._zip.namelist())
        except _BROKEN as error:
            raise self.damaged(str(error)) from None
        if any(member.flag_bits & 1 for member in self._zip.infolist()):
            raise unreadable("the workbook is locked with a password", "Save it without one.", file)

    def damaged(self, why: str) -> UnreadableError:
        """Give the error of a workbook that cannot be unpacked or understood."""
        return unreadable(f"the workbook is damaged: {why[:200] or 'it breaks off'}", DAMAGED, self.file)

    def part(self, name: str) -> Iterator[bytes]:
        """Unpack a part in pieces."""
        try:
            with self._zip.open(name) as opened:
                while piece := opened.read(CHUNK):
                    self._left -= len(piece)
                    if self._left < 0:
                        what = f"unpacked, the workbook is larger than {self._limits.unpacked_bytes:,} bytes"
                        remedy = "Save only the sheets with counts, without pictures and empty rows."
                        raise unreadable(what, remedy, self.file)
                    yield piece
        except UnreadableError:
            raise
        except _BROKEN as error:
            raise self.damaged(str(error)) from None

    def beginning(self, name: str, size: int) -> bytes:
        """Unpack the first bytes of a part; empty if it is not there."""
        if name not in self.names:
            return b""
        return next(self.part(name), b"")[:size]

    def events(self, name: str) -> Iterator[Begin | End | Text]:
        """Read a part as XML. Document types, and with them entities, are refused."""
        return _events(self.part(name), self)


def _events(pieces: Iterable[bytes], packed: Packed) -> Iterator[Begin | End | Text]:
    found = list[Begin | End | Text]()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def begin(tag: str, attributes: dict[str, str]) -> None:
        found.append(Begin(_local(tag), {_local(name): value for name, value in attributes.items()}))

    def refuse(*_: object) -> None:
        raise packed.damaged("its XML has a document type, which no spreadsheet program writes")

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: found.append(End(_local(tag)))
    parser.CharacterDataHandler = lambda text: found.append(Text(text))
    parser.StartDoctypeDeclHandler = refuse
    try:
        for piece in pieces:
            parser.Parse(piece)
            yield from found
            found.clear()
        parser.Parse(b"", True)  # noqa: FBT003 - expat's shape
    except expat.ExpatError as error:
        raise packed.damaged(f"its XML breaks: {error}") from None
    yield from found


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
