# Drafts of a large surface of triangles: while the camera is dragged rays cast them. At rest the triangles are drawn as
# if no draft had been. Drafts stay triangles where rays would show something else, and without memory for rays.
# ctest: device once heavy share
import os
import subprocess
import sys
import tempfile
import time

from window import *

SIZE = 700, 600
SCENE, PANEL = "340x500+352+40", "344x600+0+0"


def opened(folder, volume, *arguments):
    viewer = Viewer(volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--up", "z", *arguments, cwd=folder)
    viewer.window()
    xdo("mousemove", SIZE[0] - 10, SIZE[1] - 10)
    line = viewer.until("the surface", lambda l: l["triangles"] > 0 and not l["draft"])
    viewer.settle()  # now rays are prepared
    if line["triangles"] <= 200000 or "slabs" in line:
        fail(f"not a large surface in one part: {line}")
    return viewer


def dragged(viewer, what, draw, button=1):
    """Turns the camera by a drag. Returns the lines of the drafts, which are drawn in this way."""
    before = len(viewer.lines())
    xdo("mousemove", 500, 300, "mousedown", button)
    for x in range(505, 560, 5):
        xdo("mousemove", x, 300)
        time.sleep(0.05)
    viewer.until(f"a draft, {what}", lambda l: l["draft"])
    xdo("mouseup", button, "mousemove", SIZE[0] - 10, SIZE[1] - 10)
    moved = viewer.last()["frame"]
    full = viewer.until(f"the picture in full, {what}", lambda l: l["frame"] > moved and not l["draft"])
    viewer.settle()
    drafts = [line for line in viewer.lines()[before:] if line["draft"]]
    if not drafts or {line["draw"] for line in drafts} != {draw}:
        fail(f"{what}: drafts are drawn as {[line['draw'] for line in drafts]}, not as {draw}")
    if full["draw"] != "triangles" or "caster" in full:
        fail(f"{what}: at rest no triangles are drawn: {full}")
    return drafts


def drafts_by_rays(viewer):
    scene, panel = on_screen(SCENE), on_screen(PANEL)
    drafts = dragged(viewer, "with a large surface", "rays")
    if not all(line["iso"] == line["mesh_iso"] and line["scale"] in (1, 2, 4) and line["hits"] > 0 for line in drafts):
        fail(f"drafts by rays show another surface: {drafts}")
    if not any(line["casts"] for line in drafts) or any(line["extracted"] or line["shadow"] for line in drafts):
        fail(f"the drafts are not cast, or make a surface, or have a shadow: {drafts}")
    if on_screen(SCENE) == scene:
        fail("the drag does not turn the camera")
    viewer.key("ctrl+z")
    viewer.settle()
    if viewer.last()["draw"] != "triangles" or {line["draw"] for line in viewer.lines() if line["draft"] and line["frame"] > drafts[-1]["frame"]} != {"rays"}:
        fail("undo is not a draft by rays, and then triangles")
    viewer.shows(SCENE, scene, "the triangles after drafts by rays")
    viewer.shows(PANEL, panel, "the panel after drafts by rays")


def drafts_by_triangles(viewer):
    """Keys that make the triangles visible."""
    for key in ("w", "e", "t") if WHOLE else ("e",):
        viewer.key(key)
        viewer.settle()
        dragged(viewer, f"after {key}", "triangles")
        viewer.key(key)
        viewer.settle()


def isovalue(viewer):
    """A step of the isovalue is a surface of triangles. Drafts then show it."""
    before, iso = len(viewer.lines()), viewer.last()["iso"]
    viewer.key("bracketright")
    step = viewer.until("the next surface", lambda l: l["iso"] != iso and not l["draft"])
    viewer.settle()
    if any(line["draw"] == "rays" for line in viewer.lines()[before:]):
        fail(f"rays draw the step of the isovalue: {viewer.lines()[before:]}")
    if {line["iso"] for line in dragged(viewer, "with another isovalue", "rays")} != {step["iso"]}:
        fail("drafts by rays show another isovalue")


def grows(folder, volume, *arguments):
    """Makes a larger surface after a draft by rays. Returns its last line."""
    viewer = opened(folder, volume, "--iso", "210", *arguments)
    drafts = dragged(viewer, "before the surface grows", "rays")
    viewer.key(*["ctrl+bracketleft"] * 3)
    line = viewer.until("a larger surface", lambda l: l["iso"] < 150 and l["iso"] == l["iso_asked"] and not l["draft"])
    viewer.settle()
    if line["triangles"] < 1.2 * drafts[0]["triangles"] or "slabs" in line or viewer.said():
        fail(f"a larger surface is not made as without rays: {line}, {viewer.said()}")
    quits(viewer)
    return line


def with_a_budget(folder, volume):
    """Rays are given up for a larger surface. Without memory for them nothing is said, and drafts stay triangles."""
    most = grows(folder, volume)["device_bytes"] >> 20
    grows(folder, volume, "--memory-budget", str(most - 6))
    viewer = opened(folder, volume, "--memory-budget", str(most - 15))
    dragged(viewer, "with a small budget", "triangles")
    if viewer.said():
        fail(f"a budget without memory for rays: {viewer.said()}")
    quits(viewer)


def quits(viewer):
    xdo("key", "ctrl+q")
    if (code := viewer.end()) != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "gyroid_128x128x128_uint8.raw")
        subprocess.run([CUBIST, "generate", "gyroid", "--dims", "128x128x128", "--type", "uint8", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        viewer = opened(folder, volume)
        drafts_by_rays(viewer)
        drafts_by_triangles(viewer)
        isovalue(viewer)
        quits(viewer)
        if WHOLE:
            with_a_budget(folder, volume)
    return 0


sys.exit(main())
