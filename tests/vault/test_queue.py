"""The line of callers."""

from __future__ import annotations

from tallyroom.vault.queue import Waiting
from vault.evening import EVENING, at_once, later, reason


def test_callers_are_taken_in_the_order_they_came(vault):
    second = vault.queue.join("515 555 0102", later(2))
    first = vault.queue.join("+1 515 555 0101", later(1), unit="polk-12")
    assert [caller.id for caller in vault.queue.line()] == [first.id, second.id]
    taken = vault.queue.take("p-1", later(3))
    assert (taken.id, taken.state, taken.operator, taken.unit) == (first.id, Waiting.TAKEN, "p-1", "polk-12")
    assert taken.number == "+15155550101"
    assert vault.queue.line() == (second,)
    assert vault.queue.take("p-2", later(4)).id == second.id
    assert vault.queue.take("p-3", later(5)) is None


def test_call_that_drops_keeps_its_place(vault):
    first = vault.queue.join("5550101", EVENING)
    vault.queue.join("5550102", later(1))
    again = vault.queue.join("555 0101", later(9), unit="polk-12")
    assert (again.id, again.arrived, again.unit) == (first.id, EVENING, "polk-12")
    assert vault.queue.line()[0].id == first.id
    assert vault.queue.join("5550101", later(10), unit="polk-99").unit == "polk-12"


def test_caller_who_is_cut_off_while_spoken_with_comes_first_again(vault):
    first = vault.queue.join("5550101", EVENING)
    vault.queue.join("5550102", later(1))
    vault.queue.take("p-1", later(2))
    again = vault.queue.join("5550101", later(3))
    assert (again.id, again.state, again.operator) == (first.id, Waiting.ON_LINE, "")
    assert vault.queue.take("p-2", later(4)).id == first.id


def test_who_asks_to_be_called_keeps_the_place(vault):
    first = vault.queue.join("5550101", EVENING)
    vault.queue.join("5550102", later(1))
    assert vault.queue.call_back(first.id, later(2)).state is Waiting.CALL_BACK
    assert vault.queue.take("p-1", later(3)).id == first.id


def test_who_was_heard_begins_anew_at_the_next_call(vault):
    first = vault.queue.join("5550101", EVENING)
    vault.queue.take("p-1", later(1))
    done = vault.queue.done(first.id, later(2))
    assert (done.state, done.operator, done.changed) == (Waiting.DONE, "p-1", later(2))
    assert vault.queue.done(first.id, later(3)) is vault.queue.call_back(first.id, later(3)) is None
    assert vault.queue.find(first.id) == done
    again = vault.queue.join("5550101", later(4))
    assert again.id != first.id
    assert again.arrived == later(4)


def test_callers_who_withhold_their_number_are_different_people(vault):
    callers = [vault.queue.join("", later(minutes)) for minutes in range(3)]
    assert vault.queue.line() == tuple(callers)


def test_nobody_of_that_id(vault):
    assert vault.queue.find("c-none") is vault.queue.done("c-none", EVENING) is None
    assert reason(vault.queue.join("call me", EVENING)) == "not-a-number"


def test_no_caller_is_given_to_two_operators(opened):
    desks = [opened() for _ in range(4)]
    callers = {desks[0].queue.join(f"55501{number:02}", later(number)).id for number in range(20)}

    def work(desk, operator):
        taken = []
        while (caller := desk.queue.take(operator, later(30))) is not None:
            taken.append(caller.id)
        return taken

    taken = at_once(*[lambda desk=desk, by=f"p-{at}": work(desk, by) for at, desk in enumerate(desks)])
    assert sorted(id_ for some in taken for id_ in some) == sorted(callers)


def test_number_that_calls_on_many_lines_at_once_waits_once(opened):
    lines = [opened() for _ in range(4)]
    joined = at_once(*[lambda line=line: line.queue.join("5550101", EVENING) for line in lines])
    assert len({caller.id for caller in joined}) == len(lines[0].queue.line()) == 1
