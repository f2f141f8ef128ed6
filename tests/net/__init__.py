"""The net: what the library answers, kept apart from how it is asked. See README.md here."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
if str(HERE.parent) not in sys.path:  # `python -m tests.net.record` needs the kits of the tests, as pytest does
    sys.path.append(str(HERE.parent))
