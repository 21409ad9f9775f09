"""`python -m burstctl`: the same as the `burstctl` command."""

import sys

from burstctl.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
