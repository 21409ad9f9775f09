"""Explains lint rules, by what each says of itself. Knows no rule by name."""

from collections.abc import Mapping
from textwrap import indent

from burstctl.lint.rule.registry import codes, load, name_of

TITLE = "lint rules"


def topics() -> Mapping[str, str]:
    """Map each rule's code to its summary."""
    return {code: load(code).SUMMARY for code in codes()}


def explain(word: str) -> str | None:
    """Explain a rule by its code or name; None if there is none."""
    code = next((one for one in codes() if word in (one.lower(), name_of(one))), None)
    if code is None:
        return None
    rule = load(code)
    head = f"{code} {name_of(code)} ({rule.SEVERITY}, {rule.CONFIDENCE}): {rule.SUMMARY}"
    settings = getattr(rule, "SETTINGS", {})
    under = f", with {', '.join(f'{key} = {value!r}' for key, value in settings.items())}" if settings else ""
    where = f" ({getattr(rule, 'EXAMPLE_PATH', '.gitlab-ci.yml')}{under})"
    bad, good = indent(rule.BAD.rstrip(), "    "), indent(rule.GOOD.rstrip(), "    ")
    silence = f"To live with one: # burstctl: ignore[{code}] the reason"
    return f"{head}\n\n{rule.RATIONALE.strip()}\n\nBad{where}:\n\n{bad}\n\nGood:\n\n{good}\n\n{silence}\n"
