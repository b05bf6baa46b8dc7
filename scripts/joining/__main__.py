"""`python -m scripts.joining join|run|reap|leave`: scripts/join, its unit, scripts/leave."""

import sys

from scripts.joining.main import main

sys.exit(main())
