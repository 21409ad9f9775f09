"""A step of a Bitbucket pipeline, in neutral words. Knows no order and no other step."""

from burstctl.light import light
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.interest import is_loadish
from burstctl.lint.job import Job, Script, Use, Variable
from burstctl.lint.look import inner, items_of, scalar_of, scalars_of, text_of, texts_of
from burstctl.lint.pipeline import Hit

NODE_VARIABLES = frozenset({"BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT"})
"""Set in a parallel group: they count its steps."""
_FIRST_PARTY = "atlassian/"


@light
class Around:
    """What a pipeline, and the groups and stages in it, give to a step."""

    event: str
    variables: dict[str, Variable]
    image: Scalar | None = None
    timeout: Scalar | None = None
    environment: str | None = None
    manual: bool = False
    beside: int | None = None
    """How many steps run side by side in its parallel group; None: it is in none."""
    spread: Span | None = None
    needs: tuple[str, ...] = ()
    """The steps before it."""
    stage: str | None = None


def step_of(body: Mapping, name: str, key: Span, around: Around, gathered: Gathered) -> Job:
    """Read a step."""
    shell = "pwsh" if any("windows" in label for label in texts_of(body.get("runs-on"))) else "sh"
    scripts: list[Script] = []
    uses: list[Use] = []
    for section in ("script", "after-script"):
        commands = items_of(body.get(section))
        pieces = tuple(one for one in commands if isinstance(one, Scalar) and one.value is not None)
        if pieces:
            scripts.append(Script.of(pieces, section, shell=shell))
        uses.extend(use for one in commands if (use := _pipe(one, gathered)) is not None)
    image = body.get("image")
    return Job(
        name=name,
        key=key,
        own=(body.span,),
        scripts=tuple(scripts),
        variables=around.variables,
        stage=around.stage,
        spread=around.spread,
        numbered=around.beside,
        needs=around.needs,
        uses=tuple(uses),
        image=scalar_of(image) or scalar_of(inner(image, "name")) or around.image,
        services=frozenset(texts_of(body.get("services"))),
        environment=text_of(body.get("deployment")) or around.environment,
        manual=around.manual or text_of(body.get("trigger")) == "manual",
        timeout=scalar_of(body.get("max-time")) or around.timeout,
        node_variables=NODE_VARIABLES if around.beside else frozenset(),
        parent=around.event,
        event=around.event,
    )


def _pipe(value: Value, gathered: Gathered) -> Use | None:
    """Give a pipe, which is a container that does one thing."""
    name = scalar_of(inner(value, "pipe"))
    if name is None:
        return None
    plain = name.text.removeprefix("docker://").partition(":")[0]
    if is_loadish(plain) and not plain.startswith(_FIRST_PARTY):
        message = f"the pipe `{plain}` may send load, and can't be read here"
        gathered.note(Hit("BL010", name.span, message, key=plain))
    return Use(plain, name.span, scalars_of(inner(value, "variables")))
