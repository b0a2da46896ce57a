"""Counts what SQLite really writes and syncs: its file layer, wrapped in this process by way of ctypes."""

from __future__ import annotations

import _sqlite3
import ctypes
from contextlib import contextmanager

import pytest

POINTER = ctypes.c_void_p
OPEN = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER, POINTER, ctypes.c_int, POINTER)
WRITE = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER, ctypes.c_int, ctypes.c_int64)
SYNC = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, ctypes.c_int)
OPENED_AS_LOG = 0x00080000
METHODS = 19
"""Words of sqlite3_io_methods of version 3; xWrite is the fourth, xSync the sixth."""


class _Vfs(ctypes.Structure):
    """The head of sqlite3_vfs; the rest is copied as it is."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("path_size", ctypes.c_int),
        ("next", POINTER),
        ("name", ctypes.c_char_p),
        ("own", POINTER),
        ("open", POINTER),
        ("rest", POINTER * 17),
    ]


class Syncs:
    """What has happened to write-ahead logs: syncs so far, and whether bytes wait that are not synced."""

    def __init__(self, library):
        self.count, self.unsynced = 0, False
        self._library, self._kept = library, []
        library.sqlite3_vfs_find.restype = POINTER
        library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
        library.sqlite3_vfs_register.argtypes = [POINTER, ctypes.c_int]
        library.sqlite3_vfs_unregister.argtypes = [POINTER]
        self._usual = library.sqlite3_vfs_find(None)
        self._vfs = _Vfs.from_buffer_copy(ctypes.string_at(self._usual, ctypes.sizeof(_Vfs)))
        self._usual_open = OPEN(self._vfs.open)
        self._open_here = OPEN(self._opened)
        self._vfs.name = b"counting"
        self._vfs.open = ctypes.cast(self._open_here, POINTER)

    def register(self):
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)

    def unregister(self):
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))
        self._library.sqlite3_vfs_register(self._usual, 1)

    def _opened(self, _vfs, name, file, flags, out):
        answer = self._usual_open(self._usual, name, file, flags, out)
        if answer == 0 and flags & OPENED_AS_LOG:
            methods = (POINTER * METHODS).from_buffer_copy(
                ctypes.string_at(POINTER.from_address(file).value, METHODS * ctypes.sizeof(POINTER))
            )
            usual_write, usual_sync = WRITE(methods[3]), SYNC(methods[5])

            def write(file, octets, size, offset):
                self.unsynced = True
                return usual_write(file, octets, size, offset)

            def sync(file, flags):
                self.count += 1
                answer = usual_sync(file, flags)
                self.unsynced = False
                return answer

            mine = WRITE(write), SYNC(sync)
            methods[3], methods[5] = (ctypes.cast(function, POINTER) for function in mine)
            POINTER.from_address(file).value = ctypes.addressof(methods)
            self._kept.append((mine, methods))
        return answer


@contextmanager
def counted():
    """Count for all SQLite connections opened meanwhile; they must be closed before the end."""
    library = ctypes.CDLL(_sqlite3.__file__) if hasattr(_sqlite3, "__file__") else ctypes.CDLL(None)
    if not hasattr(library, "sqlite3_vfs_find"):
        pytest.skip("this Python hides its SQLite's functions; test_acknowledged.py's other tests hold the order")
    syncs = Syncs(library)
    syncs.register()
    try:
        yield syncs
    finally:
        syncs.unregister()
