"""What the frozen program runs: the command line, as the `docsidecar` console script does."""

import sys

from sidecar.cli.main import main

sys.exit(main())
