"""What a person types, in a process of its own, with a pipe or with a terminal of a given width."""

from __future__ import annotations

import atexit
import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

CODE = "import sys; from tallyroom.cli.main import main; sys.exit(main())"
COMPILED = tempfile.mkdtemp(prefix="compiled-")
"""Where the commands of one run share their compiled modules: without it each would compile them all again."""
atexit.register(shutil.rmtree, COMPILED, ignore_errors=True)

_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str = ""


def environment(**more):
    """This process's environment without what would steer the command: colours, widths, coverage."""
    steering = ("COVERAGE", "NO_COLOR", "TERM", "COLUMNS", "TALLYROOM", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    return kept | {"PYTHONPYCACHEPREFIX": COMPILED} | more


def command(*words):
    return [sys.executable, "-c", CODE, *map(str, words)]


def typed(*words, cwd=None, blocks=None, **more):
    """Run a command with pipes; `blocks` limits each file it writes, in kB, as a full disk would."""
    line = command(*words)
    if blocks is not None:
        line = ["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash", *line]
    done = subprocess.run(
        line, capture_output=True, text=True, cwd=cwd, env=environment(**more), check=False, timeout=120
    )
    return Said(done.returncode, done.stdout, done.stderr)


def stopped(*words, cwd=None, when):
    """Run a command with pipes, and press Ctrl-C as soon as `when()` holds."""
    interruptible = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {CODE}"
    child = subprocess.Popen(
        [sys.executable, "-c", interruptible, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment(),
    )
    until = time.monotonic() + 60
    while not when():
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    return Said(child.returncode, out, err)


def watched(*words, columns=80, cwd=None, **more):
    """Run a command in a terminal and give all it drew, steering and all, line ends as in a file."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    child = subprocess.Popen(
        command(*words),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env=environment(**{"TERM": "xterm", **more}),
    )
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed: Linux says so with EIO
            break
        if not piece:
            break
        drawn += piece
    os.close(ours)
    return Said(child.wait(timeout=120), drawn.decode().replace("\r\n", "\n"))


def seen(drawn):
    """What was drawn, without colours and movements of the cursor."""
    return _STEERING.sub("", drawn)


def prints(folder):
    """The digest of every file of a folder, but those by which programs agree who may read and write a ledger."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and not path.name.endswith((".lock", "-shm", "-wal"))
    }
