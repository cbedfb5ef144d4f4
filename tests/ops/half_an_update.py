"""Routes of an update that was half made: reading them takes a while, and fails."""

import time

time.sleep(0.5)
raise RuntimeError("half an update")
