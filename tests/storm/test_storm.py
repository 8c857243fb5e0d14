# A hundred random events: the part of the storm that is in the default run.
# ctest: device once heavy share
import os
import tempfile

from window import WHOLE, Display, need
from storm import Storm, numbered
import xinput

if not (xinput.X and xinput.TEST):
    print("skipped: libX11 and libXtst are not installed")
    raise SystemExit(77)
need("Xvfb", "xdotool")
with tempfile.TemporaryDirectory() as folder, Display():
    seed = numbered("CUBIST_STORM_SEED", 1)
    storm = Storm(folder, seed)
    try:
        storm.run(numbered("CUBIST_STORM_EVENTS", 300 if WHOLE else 100))
        storm.check_flat()
        storm.end()
    finally:
        storm.stop()
