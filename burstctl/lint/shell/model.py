"""What a shell script does, as far as it matters to load: commands in their loops. Knows no grammar and no tools."""

from collections.abc import Mapping

from burstctl.light import field, light


@light
class Word:
    """One argument; offsets are into the script's text."""

    text: str
    """Without quotes; expansions stand as they are written."""
    start: int
    end: int
    static: bool = True
    """It holds no expansion."""


@light
class Loop:
    """A for, while or until."""

    kind: str
    start: int
    end: int
    body: int
    """Where its body starts: a command before that is its condition."""
    header: str
    """What stands between the keyword and `do`."""
    endless: bool
    """Neither can its condition become false, nor does its body leave it."""
    repeats: bool
    """It does the same again and again, not one thing for each of several items."""
    count: int | None
    """How often it runs, where that is written in numbers."""
    sleep_s: float | None
    """The pause that its body makes each time round; 0 where its length isn't known, None without any."""
    waits: bool
    """Its body waits for what it has put into the background, or counts it."""


@light
class FanOut:
    """A program that starts a command many times at once: `xargs -P`, GNU `parallel`."""

    name: str
    degree: int | None
    """How many at once; None: as many as it likes, or not known."""
    start: int
    end: int
    repeats: bool = False
    """It is fed with numbers, so it does the same again and again."""
    delay_s: float | None = None
    """The pause between two starts; 0 where its length isn't known."""


@light
class Command:
    """A simple command, without the wrappers around it such as `sudo` or `timeout 5m`."""

    argv: tuple[Word, ...]
    start: int
    end: int
    """With its wrappers."""
    loops: tuple[Loop, ...] = ()
    """Those it stands in, the outermost first."""
    forked_in: Loop | None = None
    """The innermost loop that starts it, or something around it, with `&` each time round."""
    background: bool = False
    """It, or something around it, ends in `&`."""
    fan_out: FanOut | None = None
    wrappers: tuple[str, ...] = ()
    pipes_into: tuple[str, ...] = ()
    """The names of the commands that follow it in its pipeline."""
    fed_by: str = ""
    """The text that it reads, or that makes what it reads: what stands before it in its pipeline, a here-document."""
    stdin: Word | None = None
    """The file that it reads."""
    environment: Mapping[str, Word] = field(default_factory=dict)
    """Variables set for this command alone."""

    @property
    def name(self) -> str:
        """Give the program's name without its folder."""
        return self.argv[0].text.rpartition("/")[2] if self.argv else ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        return self.argv[1:]


@light
class Shell:
    """One script."""

    commands: tuple[Command, ...]
    """Those that may run, functions' where they are called."""
    assignments: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    """All values that each shell variable is set to."""
    written: Mapping[str, Word] = field(default_factory=dict)
    """The text of each file that a here-document writes."""
    broken: bool = False
    """The grammar has not understood all of it."""
