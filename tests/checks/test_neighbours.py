"""A report beside other places."""

from __future__ import annotations

from checks.room import Evening


class TestDuplicateOfUnit(Evening):
    kind = "duplicate-of-unit"
    SAME = "4 / first ash 6 birch 5 / final ash 6 birch 5"

    def test_every_alignment_is_alike(self):
        found = self.one(self.SAME, twins={"first": ("school",), "final": ("school",), "all": ("school",)})
        assert (found.code, found.severity) == ("I14", "error")
        assert found.numbers == {"units": ["school"], "alike": ["first", "final"], "people": 11}
        assert found.text == (
            "Group by group the very same first alignment and final alignment as in School (Meadow): 11 people."
        )

    def test_only_one_alignment_is_alike(self):
        found = self.one(self.SAME, twins={"final": ("school", "church")})
        assert found.severity == "info"
        assert found.numbers == {"units": ["school", "church"], "alike": ["final"], "people": 11}
        assert found.text.startswith("Group by group the very same final alignment as in School (Meadow) and Church")

    def test_one_place_is_alike_throughout_and_another_at_first(self):
        whole, part = self.found(self.SAME, twins={"all": ("school",), "first": ("school", "church")})
        assert (whole.severity, whole.numbers["units"]) == ("error", ["school"])
        assert (part.severity, part.numbers["units"], part.numbers["alike"]) == ("info", ["church"], ["first"])

    def test_ten_people_are_alike_by_chance(self):
        assert not self.found("4 / first ash 5 birch 5 / final ash 5 birch 5", twins={"all": ("school",)})

    def test_ten_at_first_and_eleven_at_the_end(self):
        line = "4 / first ash 5 birch 5 / final ash 6 birch 5"
        assert not self.found(line, twins={"first": ("school",)})
        assert self.one(line, twins={"final": ("school",)}).severity == "info"
        assert self.one(line, twins={"all": ("school",)}).severity == "error"

    def test_nobody_is_alike(self):
        assert not self.found(self.SAME)

    def test_an_alignment_both_left_blank_is_not_said_to_be_alike(self):
        found = self.one("4 / first ash 6 birch 5", twins={"all": ("school",), "first": ("school",)})
        assert (found.severity, found.numbers["alike"]) == ("error", ["first"])

    def test_a_place_the_plan_does_not_have_is_named_by_its_id(self):
        assert "as in barn: 11" in self.one(self.SAME, twins={"all": ("barn",)}).text
