# Rays on a device that says it is a GPU: while the picture moves and one in full takes too long, a draft has a ray
# for more than a pixel, as on a CPU. It follows from measured times, not from the kind of the device.
import os
import subprocess
import sys
import tempfile
import time

from window import *

SLOW_MS = 50  # of schedule.c


def cast_ms(line):
    return sum(line["cast_ms"].values())


def main():
    need("Xvfb", "xdotool")
    with tempfile.TemporaryDirectory() as folder, Display():
        devices = subprocess.run([CUBIST, "devices"], check=True, capture_output=True, text=True).stdout
        if "discrete" not in devices:
            fail(f"no device poses as a GPU: {devices}")
        viewer = Viewer("--draw", "rays", "--size", "1270x790", cwd=folder)
        viewer.window()
        viewer.until("a picture", lambda l: l["draw"] == "rays" and not l["draft"])
        xdo("mousemove", 1260, 780)
        viewer.settle()
        first, before = viewer.lines()[0], len(viewer.lines())
        if first["draw"] == "rays" and first["scale"] != 1:
            fail(f"on a GPU the first picture is not in full: {first}")
        full = cast_ms(viewer.last())
        xdo("mousemove", 800, 400, "mousedown", 1)
        for step in range(1, 11):
            xdo("mousemove", 800 + 5 * step, 400)
            time.sleep(0.05)
        xdo("mouseup", 1)
        viewer.until("the turned picture in full", lambda l: not l["draft"] and l["frame"] > before)
        moving = [(l["scale"], cast_ms(l)) for l in viewer.lines()[before:] if l["draft"] and l["casts"]]
        xdo("key", "ctrl+q")
        if viewer.end() != 0:
            fail(f"the viewer ended with {viewer.said()}")
        if full <= SLOW_MS:
            print(f"skipped: a picture in full takes only {full} ms here")
            sys.exit(77)
        if not any(scale > 1 for scale, ms in moving):
            fail(f"a picture in full takes {full} ms, and no draft is coarser: {moving}")


main()
