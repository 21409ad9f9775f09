"""Light classes behave like the dataclasses whose place they take."""

import subprocess
import sys

import pytest

from burstctl.light import field, light, replace, state, to_mapping


@light
class Point:
    x: int
    y: int = 0

    @property
    def sum(self) -> int:
        return self.x + self.y


@light
class Line:
    start: Point
    names: list[str] = field(default_factory=list)


@state
class Counter:
    count: int = 0
    seen: dict[str, int] = field(default_factory=dict)


def test_fields_are_set_by_place_and_by_name_with_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(1, y=2).sum) == (1, 0, 3)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        Point(1, z=2)  # type: ignore[call-arg]


def test_values_are_equal_by_their_fields_and_hashed_so() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert len({Point(1), Point(1), Point(2)}) == 2
    others: list[object] = [Line(Point(1)), 1, None]
    assert Point(1) not in others


def test_a_state_is_equal_to_itself_only() -> None:
    first, second = Counter(), Counter()
    assert first == first != second
    first.count += 1
    first.seen["a"] = 1
    assert (second.count, second.seen) == (0, {})


def test_defaults_are_made_for_each_value() -> None:
    one, other = Line(Point(1)), Line(Point(1))
    one.names.append("a")
    assert other.names == []


def test_there_is_no_room_for_anything_but_fields() -> None:
    with pytest.raises(AttributeError):
        Point(1).z = 1  # type: ignore[attr-defined]


def test_patterns_match_by_place() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_a_copy_has_changes_and_a_mapping_has_all() -> None:
    line = Line(Point(1), ["a"])
    assert replace(line, start=Point(2)) == Line(Point(2), ["a"])
    assert to_mapping(line) == {"start": {"x": 1, "y": 0}, "names": ["a"]}
    assert repr(Point(1)) == "Point(x=1, y=0)"


def test_it_loads_no_dataclasses() -> None:
    code = "import sys, burstctl.light; print('dataclasses' in sys.modules, 'inspect' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False False\n"
    )
