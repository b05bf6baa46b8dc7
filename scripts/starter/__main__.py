"""`python -m scripts.starter`."""

import sys

from scripts.starter.main import main

sys.exit(main())
