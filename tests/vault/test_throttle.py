"""Counters of wrong attempts."""

from __future__ import annotations

from vault.evening import EVENING, HOUR, MINUTE, at_once, later


def test_wrong_codes_are_counted_within_a_window(vault):
    many = [vault.throttle.failed("code", "device-1", later(at), HOUR).many for at in range(4)]
    assert many == [1, 2, 3, 4]
    failures = vault.throttle.failures("code", "device-1", later(5), HOUR)
    assert (failures.many, failures.since, failures.latest) == (4, EVENING, later(3))


def test_counting_begins_anew_after_the_window(vault):
    vault.throttle.failed("code", "device-1", EVENING, HOUR)
    assert vault.throttle.failures("code", "device-1", later(59), HOUR) is not None
    assert vault.throttle.failures("code", "device-1", later(60), HOUR) is None
    assert vault.throttle.failed("code", "device-1", later(60), HOUR).many == 1
    assert vault.throttle.failures("code", "device-1", later(60), HOUR).since == later(60)


def test_one_who_is_wrong_holds_up_nobody_else(vault):
    for _ in range(50):
        vault.throttle.failed("code", "device-1", EVENING, HOUR)
    assert vault.throttle.failures("code", "device-2", EVENING, HOUR) is None
    assert vault.throttle.failures("password", "device-1", EVENING, HOUR) is None


def test_right_code_forgives(vault):
    vault.throttle.failed("code", "device-1", EVENING, HOUR)
    assert vault.throttle.forgive("code", "device-1")
    assert not vault.throttle.forgive("code", "device-1")
    assert vault.throttle.failures("code", "device-1", EVENING, HOUR) is None


def test_old_counters_are_swept(vault):
    vault.throttle.failed("code", "device-1", EVENING, HOUR)
    vault.throttle.failed("code", "device-2", later(10), HOUR)
    assert vault.throttle.sweep(later(10)) == 1
    assert vault.throttle.failures("code", "device-2", later(10), HOUR) is not None


def test_no_attempt_is_missed_when_all_come_at_once(opened):
    doors = [opened() for _ in range(4)]

    def try_often(door):
        return [door.throttle.failed("code", "device-1", EVENING, MINUTE).many for _ in range(25)]

    counted = at_once(*[lambda door=door: try_often(door) for door in doors])
    assert sorted(number for some in counted for number in some) == list(range(1, 101))
