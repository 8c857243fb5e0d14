# A file is shown as it was left last time, unless the configuration says no; it is forgotten when the person goes
# back to the first view, and not used for another file.
# ctest: device once heavy long
import json
import os
import subprocess
import sys
import tempfile

from window import *

PICTURE = "400x480+370+20"  # without the message


def opened(folder, *arguments):
    viewer = Viewer("ring.raw", "--dims", "40x30x50", "--type", "uint8", "--size", "800x600", *arguments, cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 700, 590)
    viewer.settle()
    return viewer, on_screen(PICTURE)


def quits(viewer):
    xdo("key", "ctrl+q")
    if viewer.end() != 0 or viewer.said():
        fail(f"Ctrl+Q: {viewer.said()}")


def kept(folder):
    views = os.path.join(folder, "state", "cubist", "views")
    paths = [os.path.join(views, name) for name in os.listdir(views)] if os.path.exists(views) else []
    if any(os.stat(path).st_mode & 0o077 for path in paths):
        fail(f"others may read {paths}")
    return paths


def changes(viewer):
    """Another side, isovalue and look. The picture then."""
    xdo("mousemove", 500, 250, "mousedown", 1, "mousemove", 560, 270, "mousemove", 600, 290, "mouseup", 1)
    xdo("key", "y", "bracketright", "mousemove", 700, 590)
    viewer.settle()
    return on_screen(PICTURE)


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        ring = os.path.join(folder, "ring.raw")
        home = os.path.join(folder, "config")
        os.environ["XDG_CONFIG_HOME"] = home
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x30x50", "-o", ring], check=True, stdout=subprocess.DEVNULL)

        viewer, first = opened(folder)
        quits(viewer)
        if kept(folder):
            fail("a view that nobody changed was kept")
        viewer, _ = opened(folder)
        left = changes(viewer)
        if left == first:
            fail("nothing has changed")
        iso = viewer.last()["iso"]
        xdo("key", "ctrl+s")
        file_appears(os.path.join(folder, "ring.cubist.json"))
        quits(viewer)
        if len(kept(folder)) != 1:
            fail(f"kept: {kept(folder)}")
        with open(kept(folder)[0]) as last, open(os.path.join(folder, "ring.cubist.json")) as session:
            last, session = json.load(last), json.load(session)
        del last["volume"]["beside"], session["volume"]["beside"]
        if last != session:
            fail(f"the last view {last} is not the session {session}")

        viewer, shown = opened(folder)
        if shown != left or viewer.last()["iso"] != iso:
            fail("the file is not shown as it was left")
        xdo("key", "ctrl+z")
        viewer.shows(PICTURE, first, "Ctrl+Z shows the first view")
        xdo("key", "ctrl+y")
        viewer.shows(PICTURE, left, "Ctrl+Y shows the last view again")
        quits(viewer)
        # The command line goes before it.
        viewer, shown = opened(folder, "--iso", "60%", "--look", "scan")
        if viewer.last()["iso"] == iso or shown == left:
            fail("the last view goes before --iso")
        xdo("key", "ctrl+z", "mousemove", 700, 590)
        viewer.settle()
        quits(viewer)
        if kept(folder):
            fail("the first view was left, but another one is kept")

        viewer, shown = opened(folder)
        if shown != first:
            fail("a view was shown that was forgotten")
        changes(viewer)
        quits(viewer)
        # What only the command line says counts once; what a key does, stays.
        viewer, _ = opened(folder, "--draw", "rays", "--color", "red", "--method", "lookback")
        xdo("key", "b", "mousemove", 700, 590)
        viewer.settle()
        quits(viewer)
        with open(kept(folder)[0]) as last:
            options = json.load(last)["options"]
        if "draw" in options or "color" in options or options["method"] == "lookback" or "box" not in options:
            fail(f"kept of the command line: {options}")
        viewer, _ = opened(folder)
        if viewer.last()["draw"] != "triangles":
            fail("rays were asked for once and come again")
        xdo("key", "g", "mousemove", 700, 590)
        viewer.settle()
        quits(viewer)
        viewer, _ = opened(folder, "--draw", "triangles")
        xdo("key", "b", "mousemove", 700, 590)
        viewer.settle()
        quits(viewer)
        with open(kept(folder)[0]) as last:
            options = json.load(last)["options"]
        if options.get("draw") != "rays" or "box" in options:
            fail(f"the person's rays, and no box: {options}")
        # --no-config and the configuration switch it off.
        viewer, shown = opened(folder, "--no-config")
        if shown != first:
            fail("--no-config does not switch it off")
        quits(viewer)
        os.makedirs(os.path.join(home, "cubist"))
        with open(os.path.join(home, "cubist", "config.json"), "w") as file:
            file.write('{ "last-view": false }')
        viewer, shown = opened(folder)
        if shown != first:
            fail("the configuration does not switch it off")
        changes(viewer)
        before = [open(path).read() for path in kept(folder)]
        quits(viewer)
        if [open(path).read() for path in kept(folder)] != before:
            fail("with last-view false, a view was kept")
        os.unlink(os.path.join(home, "cubist", "config.json"))
        # It is another file now.
        subprocess.run([CUBIST, "generate", "sphere", "--dims", "40x30x50", "-o", ring], check=True, stdout=subprocess.DEVNULL)
        viewer, shown = opened(folder)
        quits(viewer)
        viewer, new = opened(folder, "--no-config")
        if new != shown:
            fail("the view of another file was used")
        quits(viewer)
    return 0


sys.exit(main())
