# Three viewers at once on one file, with the same caches, which export into the same folder: every mesh
# and every picture exists and is complete, and none has replaced another one.
# ctest: device once heavy
import os
import subprocess
import tempfile
import time

from window import *
from xinput import X, TEST, Person

VIEWERS, EXPORTS = 3, 2


def main():
    need("Xvfb", "xdotool")
    if not (X and TEST):
        print("skipped: libX11 and libXtst are not installed")
        raise SystemExit(77)
    with tempfile.TemporaryDirectory() as folder, Display():
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "caches")
        out = os.path.join(folder, "out")
        os.mkdir(out)
        volume = os.path.join(folder, "ring_24x24x24_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "24x24x24", "--type", "uint8", "-o", volume],
                       check=True, stdout=subprocess.DEVNULL)
        viewers = []
        for i in range(VIEWERS):
            viewer = Viewer.__new__(Viewer)
            viewer.cwd, viewer.trace = out, os.path.join(folder, f"trace{i}")
            viewer.errors = open(os.path.join(folder, f"stderr{i}"), "w+")
            viewer.process = subprocess.Popen([CUBIST, "view", volume, "--size", "400x300", "--trace", viewer.trace,
                                               *VALIDATE], cwd=out, stdout=viewer.errors, stderr=viewer.errors)
            viewers.append(viewer)
        windows = [int(viewer.window()) for viewer in viewers]
        person = Person()
        first = [viewer.until("the first surface", lambda l: l["whole"] and l["triangles"] > 0) for viewer in viewers]
        if len({(line["iso"], line["triangles"]) for line in first}) != 1:
            fail(f"three viewers, several surfaces: {first}")

        def keys(which, *names):
            person.focus(windows[which])
            for name in names:
                person.key(name, True)
            for name in reversed(names):
                person.key(name, False)
            time.sleep(0.02)  # see storm.py
        for number in range(1, EXPORTS + 1):
            for which in range(VIEWERS):
                keys(which, "F12")
                keys(which, "Control_L", "e")
                keys(which, "Return")
            end = time.monotonic() + PATIENCE
            while True:
                made = [name for name in os.listdir(out) if not name.startswith(".")]
                if len(made) == 2 * VIEWERS * number:
                    break
                if time.monotonic() > end:
                    fail(f"{2 * VIEWERS * number} files were asked for, there are {sorted(made)}")
                time.sleep(0.05)
        for which in range(VIEWERS):
            keys(which, "Control_L", "q")
        for viewer in viewers:
            code, said = viewer.end(), viewer.said()
            if code != 0 or said:
                fail(f"a viewer ended with {code}: {said}")
        person.close()
        contents = {}
        for name in os.listdir(out):
            with open(os.path.join(out, name), "rb") as file:
                contents.setdefault(name.rsplit(".", 1)[1], set()).add(file.read())
        if set(contents) != {"ply", "png"} or any(len(kinds) != 1 for kinds in contents.values()):
            fail(f"the files differ: {sorted(os.listdir(out))}")


main()
