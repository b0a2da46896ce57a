"""The one writer of a ledger: numbers, chains and seals all that waits and puts it on the shelf in one commit.

Whoever asks first when nobody is writing writes for all who wait by then (group commit without a hand-over): `append`
in its caller's thread, `submit` in that of whoever waits for its answer, or else in a thread of the writer's own.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tallyroom.faults import Fault
from tallyroom.ledger.contract import check
from tallyroom.ledger.entry import NO_ENTRY, Entry, Head, Receipt, differences, read_entry, seal
from tallyroom.ledger.faults import KeyConflictError, LedgerError, StoreError
from tallyroom.ledger.gathering import Gathering
from tallyroom.ledger.judge import Judge, NoJudge
from tallyroom.ledger.tree import Frontier, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallyroom.ledger.entry import Draft

BATCH_LIMIT = 512
"""Drafts in one group commit, so that nobody waits for a long queue; a single `append` may be longer."""

_INTERRUPTED = Fault("the writer was interrupted before it could answer", "Send the filing again under the same key.")

Row: TypeAlias = tuple[int, str, bytes, bytes]
"""Number, key, leaf hash and canonical bytes of one entry."""


class KeyTakenError(Exception):
    """A shelf's answer to a row whose key it has; never leaves this package."""


class Shelf(Protocol):
    """Where a driver keeps rows."""

    def put(self, rows: list[Row]) -> None:
        """Add rows in one transaction and return when they are synced.

        Raises:
            KeyTakenError: a key is there already. Nothing was added.
            StoreError: it cannot. Nothing was added, or it says that this is unknown; `resume` then tells.
        """
        ...

    def resume(self, count: int, prev: str) -> Sequence[bytes]:
        """Be ready to put, after whatever happened; leaf hashes of what was entered behind this without an answer.

        Args:
            count: entries the writer knows of.
            prev: leaf hash (hex) of the last of them.

        Raises:
            StoreError: it cannot be used now. Nothing was added.
            DamagedError: the entries the writer knows of are not there any more.
        """
        ...

    def find(self, key: str) -> Entry | None:
        """The entry with this key."""
        ...


@dataclass(slots=True)
class _Ticket:
    """Drafts that are entered together or not at all, and what became of them.

    Attributes:
        attended: its sender waits for the bell.
        bell: rings when it is settled, or when its sender should write.
    """

    drafts: Sequence[Draft]
    future: Future[Receipt] | None = None
    placed: list[tuple[int, str, bool]] = field(default_factory=list[tuple[int, str, bool]])
    receipts: list[Receipt] | None = None
    error: Exception | None = None
    attended: bool = False
    bell: SimpleQueue[None] = field(default_factory=SimpleQueue[None])

    def settled(self) -> bool:
        return self.receipts is not None or self.error is not None

    def answer(self) -> None:
        """Tell the sender; called without the pen, for a callback may write again."""
        if self.attended:
            self.bell.put(None)
        if self.future is None:
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        elif self.receipts:
            self.future.set_result(self.receipts[0])


class _Answer(Future[Receipt]):
    """The receipt of a submitted draft; who waits for it without a limit writes meanwhile, as `append` does."""

    def __init__(self, see_to: Callable[[], None]) -> None:
        super().__init__()
        self._see_to = see_to

    def result(self, timeout: float | None = None) -> Receipt:
        if timeout is None and not self.done():
            self._see_to()
        return super().result(timeout)


class Writer:
    """Appends to a shelf from any thread, one commit at a time.

    Attributes:
        head: count and root of all that is committed.
    """

    def __init__(
        self, shelf: Shelf, contest: str, frontier: Frontier, prev: str, committed: Callable[[Head], None]
    ) -> None:
        self._shelf, self._contest, self._committed = shelf, contest, committed
        self._frontier, self._prev = frontier, prev
        self.head = Head(frontier.count, frontier.root().hex())
        self._pen, self._gate = Lock(), Lock()
        self._waiting = deque[_Ticket]()
        self._gathering = Gathering(self._waiting)
        self._calls: SimpleQueue[str] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed, self._seconds = False, 0.0
        self._judge: Judge = NoJudge()

    def judged_by(self, judge: Judge) -> None:
        """See `Ledger.judged_by`."""
        with self._pen:
            self._judge = judge

    def append(self, drafts: Sequence[Draft]) -> list[Receipt]:
        """See `Ledger.append`."""
        if not drafts:
            return []
        self._check(drafts)
        ticket = _Ticket(drafts)
        with self._gate:
            self._refuse_if_closed()
            self._waiting.append(ticket)
        self._gathering.arrived()
        self._see_to(ticket)
        if ticket.error is not None:
            raise ticket.error
        return ticket.receipts or []

    def submit(self, draft: Draft) -> Future[Receipt]:
        """See `Ledger.submit`."""
        self._check([draft])
        seal(draft, 0, NO_ENTRY)  # what cannot be sealed is refused here, not in the future
        ticket = _Ticket([draft])
        ticket.future = future = _Answer(partial(self._see_to, ticket))
        future.set_running_or_notify_cancel()  # once it waits it cannot be taken back
        with self._gate:
            self._refuse_if_closed()
            self._waiting.append(ticket)
            if self._thread is None:
                self._thread = Thread(target=self._serve, name=f"ledger {self._contest}", daemon=True)
                self._thread.start()
        self._gathering.arrived()
        self._calls.put("write")
        return future

    def close(self) -> None:
        """Write all that waits, then accept nothing more."""
        with self._gate:
            self._closed = True
            thread, self._thread = self._thread, None
        while self._waiting:
            self._pen.acquire()
            self._write_and_answer()
        if thread is not None:
            self._calls.put("stop")
            thread.join()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(Fault("the ledger is closed", "Open it again."))

    def _check(self, drafts: Sequence[Draft]) -> None:
        for draft in drafts:
            if draft.contest != self._contest:
                what = f"a {draft.kind} of {draft.contest} was sent to the ledger of {self._contest}"
                raise LedgerError(Fault(what, f"Enter it in the ledger of {draft.contest}."))
        check(drafts)

    def _serve(self) -> None:
        """Write for those who sent and do not wait."""
        while self._calls.get() != "stop":
            first = self._first_waiting()
            if first is not None and not first.attended:
                self._pen.acquire()
                self._write_and_answer()

    def _see_to(self, ticket: _Ticket) -> None:
        """Write until this ticket is settled, or wait while another thread does.

        Nobody waits for the pen itself: who is served must be free to come back before the next commit.
        """
        ticket.attended = True
        while not ticket.settled():
            if self._pen.acquire(blocking=False):
                self._write_and_answer(ticket)
            else:
                ticket.bell.get()

    def _write_and_answer(self, mine: _Ticket | None = None) -> None:
        """Write one batch, put the pen down, tell all who were served, and let one who came meanwhile write next."""
        tickets = list[_Ticket]()
        try:
            if mine is None or not mine.settled():
                self._gathering.wait()
                tickets = self._next_batch()
            if tickets:
                self._settle(tickets)
        finally:
            self._pen.release()
            for ticket in tickets:
                ticket.answer()
            self._pass_on()

    def _pass_on(self) -> None:
        first = self._first_waiting()
        if first is not None and first.attended:
            first.bell.put(None)
        elif first is not None:
            self._calls.put("write")

    def _first_waiting(self) -> _Ticket | None:
        try:
            return self._waiting[0]
        except IndexError:
            return None

    def _next_batch(self) -> list[_Ticket]:
        tickets, room = list[_Ticket](), BATCH_LIMIT
        while self._waiting and (not tickets or len(self._waiting[0].drafts) <= room):
            ticket = self._waiting.popleft()
            tickets.append(ticket)
            room -= len(ticket.drafts)
        return tickets

    def _settle(self, tickets: list[_Ticket]) -> None:
        """Write one batch. Keys are first taken to be new, as nearly all are, and looked up only if one was not."""
        try:
            self._catch_up(self._shelf.resume(self._frontier.count, self._prev))
            try:
                self._put(self._sealed(tickets, None))
            except KeyTakenError:
                self._judge.at(self._frontier.count)
                self._put(self._sealed(tickets, self._shelf.find))
        except BaseException as error:  # whatever it is, each sender must hear of it, or wait for ever
            self._judge.at(self._frontier.count)
            heard = error if isinstance(error, Exception) else StoreError(_INTERRUPTED)
            for ticket in tickets:
                ticket.error = ticket.error or heard
            if heard is not error:
                raise
            return
        self._gathering.served(len(tickets), self._seconds)
        for ticket in tickets:
            if ticket.error is None:
                ticket.receipts = [Receipt(seq, leaf, self.head, again) for seq, leaf, again in ticket.placed]

    def _catch_up(self, leaves: Sequence[bytes]) -> None:
        """Go on behind entries that were committed although nobody could be told."""
        if leaves:
            self._frontier.extend(leaves)
            self._prev = leaves[-1].hex()
            self.head = Head(self._frontier.count, self._frontier.root().hex())
            self._judge.at(self._frontier.count)
            self._committed(self.head)

    def _put(self, rows: list[Row]) -> None:
        """Commit rows. The tree grows beforehand and is taken over afterwards: right after a sync all code is slow."""
        if not rows:
            return
        frontier = Frontier(self._frontier.count, self._frontier.peaks)
        frontier.extend([leaf for _seq, _key, leaf, _raw in rows])
        head = Head(frontier.count, frontier.root().hex())
        start = perf_counter()
        self._shelf.put(rows)
        self._seconds = perf_counter() - start
        self._frontier, self._prev, self.head = frontier, rows[-1][2].hex(), head
        self._committed(head)

    def _sealed(self, tickets: list[_Ticket], find: Callable[[str], Entry | None] | None) -> list[Row]:
        rows, new = list[Row](), dict[str, int]()
        for ticket in tickets:
            mark = len(rows)
            try:
                ticket.error = None
                ticket.placed = self._placed(ticket.drafts, rows, new, find)
            except LedgerError as error:
                ticket.error = error
                for _seq, key, _leaf, _raw in rows[mark:]:
                    del new[key]
                if rows[mark:]:
                    del rows[mark:]
                    self._judge_again(rows)
        return rows

    def _judge_again(self, rows: list[Row]) -> None:
        """Let the judge forget what was taken out behind `rows`, which wait to be committed."""
        self._judge.at(self._frontier.count)
        for _seq, _key, _leaf, raw in rows:
            self._judge.behind(read_entry(raw))

    def _placed(
        self,
        drafts: Sequence[Draft],
        rows: list[Row],
        new: dict[str, int],
        find: Callable[[str], Entry | None] | None,
    ) -> list[tuple[int, str, bool]]:
        """Seal drafts behind `rows`; gives number, leaf and whether it stood there for each."""
        placed, first = list[tuple[int, str, bool]](), self._frontier.count
        for draft in drafts:
            key = draft.key
            if key in new or find is not None:
                standing = read_entry(rows[new[key] - first][3]) if key in new else find and find(key)
                if standing is not None:
                    placed.append(_repeat(standing, draft))
                    continue
            placed.append(self._chained(draft, rows, new))
        return placed

    def _chained(self, draft: Draft, rows: list[Row], new: dict[str, int]) -> tuple[int, str, bool]:
        """Seal one draft at the end of `rows`, and behind it whatever the judge says."""
        seq, prev = self._frontier.count + len(rows), rows[-1][2].hex() if rows else self._prev
        if draft.replaces is not None and not 0 <= draft.replaces < seq:
            what = f"a {draft.kind} replaces entry {draft.replaces}, and the last one is {seq - 1}"
            raise LedgerError(Fault(what, "Name an entry that stands before it."))
        raw = seal(draft, seq, prev)
        leaf = leaf_hash(raw)
        rows.append((seq, draft.key, leaf, raw))
        new[draft.key] = seq
        if type(self._judge) is not NoJudge:
            for judgement in self._judge.behind(read_entry(raw)):
                self._chained(judgement, rows, new)
        return seq, leaf.hex(), False


def _repeat(standing: Entry, draft: Draft) -> tuple[int, str, bool]:
    differing = differences(standing, draft)
    if differing:
        offered = seal(draft, standing.seq, standing.prev)
        raise KeyConflictError(draft.key, standing.seq, standing.raw, offered, differing)
    return standing.seq, leaf_hash(standing.raw).hex(), True
