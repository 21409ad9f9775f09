"""What is read of a shell script: commands, the loops around them, and where all of it stands."""

import pytest

from burstctl.lint.shell.model import Command, Shell
from burstctl.lint.shell.parse import parse


def only(text: str, name: str = "curl") -> Command:
    found = [command for command in parse(text).commands if command.name == name]
    assert len(found) == 1, found
    return found[0]


def words(command: Command) -> list[str]:
    return [word.text for word in command.argv]


def test_a_command_is_its_words_without_quotes() -> None:
    command = only("""curl -H "a: b" 'x y' z\\ w "$URL/predict" """)
    assert words(command) == ["curl", "-H", "a: b", "x y", "z w", "$URL/predict"]
    assert [word.static for word in command.argv] == [True, True, True, True, True, False]


def test_arithmetic_is_a_word_with_and_without_quotes() -> None:
    command = only('oha -q $((300 / N)) -c "$((N * 2))"', "oha")
    assert words(command) == ["oha", "-q", "$((300 / N))", "-c", "$((N * 2))"]
    assert not command.argv[2].static


def test_places_count_characters_not_bytes() -> None:
    text = "echo é\ncurl x"
    command = only(text)
    assert text[command.start : command.end] == "curl x"


@pytest.mark.parametrize(
    ("header", "count", "repeats"),
    [
        ("for i in $(seq 1 400)", 400, True),
        ("for i in $(seq 400)", 400, True),
        ("for i in `seq 2 2 10`", 5, True),
        ("for i in {1..30}", 30, True),
        ("for ((i = 0; i < 25; i++))", 25, True),
        ("for ((i=1; i<=25; i++))", 25, True),
        ("for i in 1 2 3", 3, True),
        ('for i in $(seq "$N")', None, True),
        ("for file in *.json", None, False),
        ("for name in a b", None, False),
        ("while read -r line", None, False),
        ("while [ $i -lt 9 ]", None, True),
        ("while true", None, True),
    ],
)
def test_a_loop_says_how_often_and_whether_it_repeats_itself(header: str, count: int | None, repeats: bool) -> None:
    [loop] = only(f"{header}; do curl x; done").loops
    assert (loop.count, loop.repeats) == (count, repeats)


@pytest.mark.parametrize(
    ("loop", "endless"),
    [
        ("while true; do curl x; done", True),
        ("while :; do curl x; done", True),
        ("until false; do curl x; done", True),
        ("for ((;;)); do curl x; done", True),
        ("while true; do curl x && break; done", False),
        ("while true; do if curl x; then exit 0; fi; done", False),
        ("while [ -f busy ]; do curl x; done", False),
    ],
)
def test_an_endless_loop_is_one_that_nothing_leaves(loop: str, endless: bool) -> None:
    assert only(loop).loops[0].endless is endless


@pytest.mark.parametrize(
    ("body", "sleep_s"),
    [
        ("curl x; sleep 2", 2.0),
        ("curl x; sleep 1; sleep 0.5", 1.5),
        ("curl x; sleep 1m", 60.0),
        ("curl x; sleep 0", None),
        ('curl x; sleep "$PAUSE"', 0.0),
        ("curl x; if true; then sleep 5; fi", 0.0),
        ("curl x || sleep 5", 0.0),
        ("curl x; (sleep 5) &", None),
        ("(sleep 5; curl x) &", None),
        ("curl x; while test -f a; do sleep 1; done", None),
    ],
)
def test_only_a_pause_in_the_loops_own_pace_counts(body: str, sleep_s: float | None) -> None:
    assert only(f"for i in 1 2; do {body}\ndone").loops[0].sleep_s == sleep_s


def test_a_function_is_run_where_it_is_called() -> None:
    command = only("pace() { sleep 3; }\nsend() { curl x; }\nfor i in 1 2; do send & pace; done")
    assert command.forked_in is command.loops[0]
    assert command.loops[0].sleep_s == 3.0
    assert parse("unused() { curl x; }").commands == ()


@pytest.mark.parametrize(
    "text",
    [
        "for i in 1 2; do curl x & done",
        "for i in 1 2; do (curl x) & done",
        "for i in 1 2; do { curl x; echo; } & done",
        "for i in 1 2; do true && curl x & done",
        "for i in 1 2; do curl x > out 2>&1 & done",
        "for i in 1 2; do nohup curl x & done",
        "for i in 1 2; do curl x | jq . & done",
        "for i in 1 2; do\ncurl x <<EOF &\nbody\nEOF\ndone",
        "time for i in 1 2; do curl x & done",
    ],
)
def test_what_a_loop_puts_into_the_background_is_known_by_it(text: str) -> None:
    command = only(text)
    assert command.forked_in is not None
    assert command.forked_in.kind == "for"


def test_an_ampersand_around_the_loop_forks_nothing_in_it() -> None:
    command = only("for i in 1 2; do curl x; done &")
    assert command.background
    assert command.forked_in is None


@pytest.mark.parametrize("bound", ["wait", "wait -n", "if ((i % 9 == 0)); then wait; fi"])
def test_a_loop_that_waits_says_so(bound: str) -> None:
    assert only(f"for i in 1 2; do curl x & {bound}; done").loops[0].waits
    assert not only("for i in 1 2; do curl x & done; wait").loops[0].waits


def test_here_documents_are_scripts_where_a_shell_reads_them() -> None:
    assert only("bash <<'EOF'\nfor i in 1 2; do curl x & done\nEOF").forked_in is not None
    shell: Shell = parse("cat > go.sh <<'EOF'\ncurl x\nEOF\n")
    assert [command.name for command in shell.commands] == ["cat"]
    assert shell.written["go.sh"].text == "curl x\n"


def test_comments_strings_and_echoes_are_no_commands() -> None:
    assert [command.name for command in parse("# curl x\necho 'curl y'\ncat <<E\ncurl z\nE\n").commands] == [
        "echo",
        "cat",
    ]


def test_pipelines_know_what_comes_before_and_after() -> None:
    command = only("seq 9 | xargs -P 3 curl x | tar xz")
    assert command.pipes_into == ("tar",)
    assert command.fan_out is not None
    assert (command.fan_out.degree, command.fan_out.repeats) == (3, True)


def test_what_is_no_shell_is_left_out_and_said() -> None:
    assert parse("if (x { curl").broken
    assert not parse("curl x").broken
