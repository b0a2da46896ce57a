"""`tallyroom plan`: checked with file and line, shown with its sources, begun from a template."""

from __future__ import annotations

import json

import pytest

from tallyroom.cli.main import main
from tallyroom.plan.catalogue import contests, find


@pytest.fixture
def folder(tmp_path):
    """A plan as `plan new` writes it."""
    path = tmp_path / "mine"
    assert main(["--quiet", "plan", "new", str(path), "--contest", "my-town-2032"]) == 0
    return path


@pytest.mark.parametrize("contest", contests())
def test_plans_that_come_along_have_no_fault(contest, capsys):
    assert main(["plan", "check", contest]) == 0
    assert capsys.readouterr().out.startswith(f"{contest}: ")


def test_new_plan_has_no_fault(folder, capsys):
    assert main(["plan", "check", str(folder)]) == 0
    assert "my-town-2032" in capsys.readouterr().out


def test_new_names_its_files_and_the_next_step(tmp_path, capsys):
    assert main(["plan", "new", str(tmp_path / "p"), "--contest", "my-town-2032"]) == 0
    streams = capsys.readouterr()
    assert str(tmp_path / "p" / "rules.toml") in streams.out.splitlines()
    assert "tallyroom plan check" in streams.err


def test_new_leaves_a_folder_with_content_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").touch()
    assert main(["plan", "new", str(tmp_path), "--contest", "my-town-2032"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_new_refuses_an_id_that_is_none(tmp_path, capsys):
    assert main(["plan", "new", str(tmp_path / "p"), "--contest", "My Town!"]) in {2, 65}
    assert "My Town!" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_every_fault_has_file_line_and_remedy(folder, capsys):
    rules = folder / "rules.toml"
    rules.write_text(rules.read_text(encoding="utf-8").replace('"3/20"', "0.15"), encoding="utf-8")
    assert main(["plan", "check", str(folder)]) == 65
    streams = capsys.readouterr()
    assert streams.out == ""
    for line in streams.err.splitlines():
        assert line.startswith(f"error: {rules}:")
        assert int(line.removeprefix(f"error: {rules}:").partition(":")[0]) > 0


def test_faults_as_json(folder, capsys):
    (folder / "groups.csv").unlink()
    assert main(["plan", "check", str(folder), "--json"]) == 65
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["schema", "contest", "plan", "units", "faults"]
    assert found["contest"] is None
    assert any("groups.csv" in (fault["file"] or "") + fault["what"] for fault in found["faults"])


def test_sound_plan_as_json(capsys):
    assert main(["plan", "check", "lakeland-2031", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    plan = find("lakeland-2031")
    assert (found["contest"], found["plan"], found["faults"]) == (plan.contest, plan.digest, [])


@pytest.mark.parametrize("task", ["check", "show"])
def test_unknown_contest_names_the_closest(task, capsys):
    assert main(["plan", task, "lakeland-2013"]) == 2
    assert "lakeland-2031" in capsys.readouterr().err


def test_show_names_rules_sources_and_readings(capsys):
    assert main(["plan", "show", "lakeland-2031"]) == 0
    shown = capsys.readouterr().out
    plan = find("lakeland-2031")
    for name, reading in plan.readings.items():
        assert name in shown
        assert reading.in_force in shown
    for document in {stage.source.document for stage in plan.stages}:
        assert document in shown
    for area in plan.areas.values():
        assert area.name in shown


def test_show_lists_every_unit_when_asked(capsys):
    assert main(["plan", "show", "lakeland-2031", "--units"]) == 0
    shown = capsys.readouterr().out
    assert all(unit in shown for unit in find("lakeland-2031").units)


@pytest.mark.parametrize("more", [[], ["--units"]])
def test_show_as_json_holds_all_of_the_plan(capsys, more):
    assert main(["plan", "show", "lakeland-2031", "--json", *more]) == 0
    found = json.loads(capsys.readouterr().out)
    plan = find("lakeland-2031")
    assert found["schema"] == 1
    assert found["plan"] == plan.digest
    assert found["contest"] == plan.contest
    assert {name: reading["in_force"] for name, reading in found["readings"].items()} == plan.in_force
    assert (
        found["national"]["threshold"] == f"{plan.national.threshold.numerator}/{plan.national.threshold.denominator}"
    )
    if more:
        assert list(found["units"]) == list(plan.units)
    else:
        assert found["units"]["expected"] == len(plan.units)
        assert sum(found["units"]["by_area"].values()) == len(plan.units)
