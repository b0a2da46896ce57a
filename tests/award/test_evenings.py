"""Worked examples of real evenings and of campaigns' own tests; each name says what the evening teaches."""

from __future__ import annotations

from award.evening import caucus
from tallyroom.award import BreachKind, TieKind


def test_e1_the_help_text_of_the_official_app():
    night = caucus("""
        App help   delegates 2   attending 20
        first   a 13  b 7
    """)
    assert night.number == 5
    assert night.awarded == {"a": 1, "b": 1}  # 1.3 and 0.7


def test_e2_thirty_seven_people_elect_seven():
    night = caucus("""
        Campaign test   delegates 7   attending 37
        first   a 20  b 10  c 7
    """)
    assert night.awarded == {"a": 4, "b": 2, "c": 1}  # 3.784, 1.892, 1.324


def test_e3_nobody_loses_an_only_delegate_even_if_decimals_tie():
    night = caucus("""
        Campaign test   delegates 3   attending 90
        first   a 75  b 15
    """)
    assert night.awarded == {"a": 2, "b": 1}  # 2.5 and 0.5 round to 3 and 1; no toss


def test_e4_too_many_so_the_lowest_decimal_loses():
    night = caucus("""
        Campaign test   delegates 7   attending 200
        first   a 100  b 50  c 50
    """)
    assert night.awarded == {"a": 3, "b": 2, "c": 2}  # 3.5 before 1.75


def test_e5_two_decimals_tie_so_a_coin_is_tossed():
    night = caucus("""
        Campaign test   delegates 6   attending 200
        first   a 100  b 50  c 50
    """)
    tie = night.lots_needed.tie
    assert (tie.kind, set(tie.groups), tie.take) == (TieKind.LOSE, {"b", "c"}, 1)
    assert night.lots_needed.delegates == {"a": 3, "b": 2, "c": 2}
    assert night.possible == [{"a": 3, "b": 2, "c": 1}, {"a": 3, "b": 1, "c": 2}]


def test_e5_the_coin_on_record_decides():
    night = caucus("""
        Campaign test   delegates 6   attending 200
        first   a 100  b 50  c 50
        lot     lose:1:b+c@-1/2  c
    """)
    assert night.awarded == {"a": 3, "b": 2, "c": 1}


def test_e6_four_groups_draw_lots_for_two_losses():
    night = caucus("""
        Campaign test   delegates 18   attending 60
        first   a 15  b 15  c 15  d 15
    """)
    tie = night.lots_needed.tie
    assert (tie.kind, set(tie.groups), tie.take) == (TieKind.LOSE, {"a", "b", "c", "d"}, 2)
    assert len(night.possible) == 6  # 4.5 each: 5 + 5 + 4 + 4 in any order


def test_e7_too_few_so_the_highest_decimal_gains():
    night = caucus("""
        Training 2008   delegates 8   attending 210
        first   a 60  b 80  c 45  d 25
    """)
    assert night.number == 32
    assert night.viable == {"a", "b", "c"}
    assert night.awarded == {"a": 3, "b": 3, "c": 2}  # 2.286 before 3.048


def test_e8_ocheyedan_where_only_one_group_has_a_delegate_to_lose():
    night = caucus("""
        Ocheyedan   delegates 3   attending 5
        final   buttigieg 3  klobuchar 1  sanders 1
    """)
    assert night.number == 1
    assert night.awarded == {"buttigieg": 1, "klobuchar": 1, "sanders": 1}  # published 2, 1, 0


def test_e9_des_moines_14_rounds_to_six_at_once():
    night = caucus("""
        Des Moines-14   delegates 6   attending 161
        final   biden 25  buttigieg 52  sanders 50  warren 31
    """)
    assert night.awarded == {"biden": 1, "buttigieg": 2, "sanders": 2, "warren": 1}  # published 1, 2, 1, 2


def test_e10_orient_where_the_largest_group_loses():
    night = caucus("""
        4SE Orient   delegates 10   attending 34
        final   a 7  b 6  c 6  d 6  e 9
    """)
    assert night.awarded == {"a": 2, "b": 2, "c": 2, "d": 2, "e": 2}  # .647 is the lowest rounded up


def test_e11_osceola_2_tosses_between_the_two_fours_and_not_the_three():
    night = caucus("""
        Osceola-2   delegates 7   attending 11
        final   a 4  b 3  c 4
    """)
    tie = night.lots_needed.tie
    assert (tie.kind, set(tie.groups), tie.take) == (TieKind.LOSE, {"a", "c"}, 1)
    assert {"a": 3, "b": 1, "c": 3} not in night.possible  # as published


def test_e12_west_branch_needed_no_coin():
    night = caucus("""
        West Branch 1   delegates 12   attending 218
        final   a 115  b 99
    """)
    assert night.awarded == {"a": 6, "b": 6}  # .450 gains; the room tossed a coin, the state recorded 6 and 6


def test_e13_ames_2_4_where_sixty_people_were_missing():
    for reading in ("residual", "cyclic"):
        night = caucus(f"""
            Ames 2-4   delegates 8   attending 484
            final     a 240  b 179  c 5
            reading   short_award {reading}
        """)
        assert night.awarded == {"a": 5, "b": 3}
        assert night.outcome.short_without_rounding_down
    tossed = caucus("""
        Ames 2-4   delegates 8   attending 484
        final     a 240  b 179  c 5
        reading   short_award lot
    """)
    assert tossed.possible == [{"a": 4, "b": 4}, {"a": 5, "b": 3}]


def test_e14_ankeny_splits_evenly_although_twenty_people_apart():
    night = caucus("""
        Ankeny   delegates 8   attending 276
        final   a 148  b 128
    """)
    assert night.awarded == {"a": 4, "b": 4}  # 4.290 and 3.710


def test_e15_gower_springdale():
    night = caucus("""
        Gower-Springdale   delegates 6   attending 123
        final   a 73  b 50
    """)
    assert night.awarded == {"a": 4, "b": 2}  # 3.561 and 2.439


def test_e16_twenty_eight_percent_get_what_seventeen_get_and_sixteen_get_nothing():
    night = caucus("""
        Oddity   delegates 3   attending 100
        final   a 28  b 17  c 16  d 39
    """)
    assert night.number == 17
    assert night.viable == {"a", "b", "d"}
    assert night.awarded == {"a": 1, "b": 1, "d": 1}


def test_e17_wdm_312_where_the_first_column_cannot_be_the_room():
    night = caucus("""
        WDM-312   delegates 10   attending 339
        first   klobuchar 43  yang 18
        final   biden 65  buttigieg 108  sanders 74  warren 92
    """)
    (breach,) = night.breaches
    assert breach.kind is BreachKind.PEOPLE_ADDED
    assert breach.after - breach.before == 278
    assert night.locked == set()  # nobody in the first column was viable
    assert night.awarded == {"biden": 2, "buttigieg": 3, "sanders": 2, "warren": 3}


def test_e18_des_moines_80_cannot_award_ten_delegates_to_nobody():
    night = caucus("""
        Des Moines-80   delegates 10   attending 215
        first   biden 0  buttigieg 0  sanders 0
    """)
    assert night.unawarded == "nobody-present"
    night = caucus("""
        Des Moines-80   delegates 10   attending 215
        first   biden 0  buttigieg 0  sanders 0
        final   biden 48  buttigieg 66  sanders 101
    """)
    assert [breach.kind for breach in night.breaches] == [BreachKind.PEOPLE_ADDED]
    assert night.awarded == {"biden": 2, "buttigieg": 3, "sanders": 5}


def test_e19_indianola_2_where_two_viable_groups_seem_to_vanish():
    shifted = caucus("""
        Indianola 2   delegates 9   attending 199
        first   biden 25  buttigieg 50  gabbard 1  klobuchar 30  patrick 41  sanders 0  steyer 50  uncommitted 2
        final   buttigieg 56  klobuchar 39  patrick 0  sanders 44  steyer 0  warren 51
    """)
    assert [(breach.kind, breach.group) for breach in shifted.breaches] == [
        (BreachKind.LOCKED_GROUP_LOST_PEOPLE, "patrick"),
        (BreachKind.LOCKED_GROUP_LOST_PEOPLE, "steyer"),
    ]
    corrected = caucus("""
        Indianola 2   delegates 9   attending 199
        first   biden 25  buttigieg 50  gabbard 1  klobuchar 30  sanders 41  warren 50  uncommitted 2
        final   buttigieg 56  klobuchar 39  sanders 44  warren 51
    """)
    assert corrected.breaches == ()
    assert corrected.awarded == {"buttigieg": 3, "klobuchar": 2, "sanders": 2, "warren": 2} == shifted.awarded
