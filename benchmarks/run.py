"""Measures burstctl beside the load generators that are on the PATH: `python benchmarks/run.py --help`."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from measures.closed_loop import measure_closed_loop
from measures.fleet import measure_fleet
from measures.lint import measure_lint
from measures.memory import measure_memory
from measures.open_loop import measure_arrival_error, measure_fast, measure_slow_endpoint
from measures.polling import measure_polling
from measures.share import measure_share, measure_share_cost
from table import Table, write_into

MEASURES: dict[str, Callable[..., Table]] = {
    "closed-loop": measure_closed_loop,
    "slow-endpoint": measure_slow_endpoint,
    "arrival-error": measure_arrival_error,
    "fast": measure_fast,
    "memory": measure_memory,
    "fleet": measure_fleet,
    "share": measure_share,
    "share-cost": measure_share_cost,
    "polling": measure_polling,
    "lint": measure_lint,
}


def main() -> int:
    """Measure what was asked for; 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=f"{', '.join(MEASURES)}; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which medians are taken (5)")
    parser.add_argument("--quick", action="store_true", help="few requests: to see that everything works")
    parser.add_argument("--write", action="store_true", help="write the tables into benchmarks/README.md")
    arguments = parser.parse_args()
    unknown = set(arguments.measures) - set(MEASURES)
    if unknown:
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    held = True
    for name in arguments.measures or MEASURES:
        table = MEASURES[name](arguments.rounds, quick=arguments.quick)
        rendered, held = table.render(), held and table.held
        print(f"## {name}\n\n{rendered}", flush=True)
        if arguments.write:
            write_into(Path(__file__).with_name("README.md"), name, rendered)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
