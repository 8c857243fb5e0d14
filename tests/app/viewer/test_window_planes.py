# Planes in a window of 1000x800: keys, wheel, outlines, the panel, undo, sessions. No plane makes a surface again.
# ctest: device twin heavy optimized
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from window import *

NAME = "torus_80x60x100_uint8"
PICTURE = "560x660+390+20"  # without messages
ACCENT = (240, 180, 92)
CHIP = 280, 74  # the button that shows the group of planes
CUTS, ROW = 254, 18  # the middle of the group's first row, and how far the next is


def changes(viewer, what, before, *words):
    """Presses and moves, and waits for another picture. Returns it."""
    xdo(*words)
    end = time.monotonic() + PATIENCE
    while on_screen(PICTURE) == before:
        if time.monotonic() > end:
            fail(f"{what} does not change the picture")
        time.sleep(0.05)
    viewer.settle()
    return on_screen(PICTURE)


def saved(viewer, folder):
    """The options of the session, which Ctrl+S writes."""
    path = os.path.join(folder, NAME + ".cubist.json")
    if os.path.exists(path):
        os.unlink(path)
    xdo("key", "ctrl+s")
    file_appears(path)
    time.sleep(0.2)
    with open(path) as file:
        return json.load(file)["options"]


def expects(viewer, folder, what, **options):
    found = saved(viewer, folder)
    for name, value in options.items():
        if found.get(name.replace("_", "-")) != value:
            fail(f"{what}: {name} is {found.get(name.replace('_', '-'))}, not {value}, in {found}")


def bytes_read(viewer):
    with open(f"/proc/{viewer.process.pid}/io") as file:
        return int(file.read().split()[1])


def accents():
    """Where the picture has the colour of the selected outline: columns and rows of the window."""
    data = numpy.frombuffer(on_screen("650x800+350+0"), numpy.uint8).reshape(800, 650, 3)
    rows, columns = numpy.nonzero((data == ACCENT).all(2))
    return columns + 350, rows


def outline(what, condition):
    """The same, once it satisfies the condition. A held key repeats, so the viewer never settles."""
    end = time.monotonic() + PATIENCE
    while not condition(found := accents()):
        if time.monotonic() > end:
            fail(f"{what}: {len(found[0])} pixels of an outline")
        time.sleep(0.1)
    return found


def keys(viewer, folder):
    whole = on_screen(PICTURE)
    cut = changes(viewer, "C without planes", whole, "key", "c")
    expects(viewer, folder, "C", clip="x=50%", clip_off=None)
    if len(accents()[0]) > 0:
        fail("the outline stays when no key is held")
    xdo("key", "c")
    viewer.shows(PICTURE, whole, "C again")
    expects(viewer, folder, "C again", clip="x=50%", clip_off=True)
    xdo("key", "c")
    viewer.shows(PICTURE, cut, "C a third time")
    other = changes(viewer, "Shift+C", cut, "key", "shift+c")
    expects(viewer, folder, "Shift+C", clip="-x=50%")
    xdo("key", "shift+c")
    viewer.shows(PICTURE, cut, "Shift+C again")
    seen = [whole, cut, other]
    for name in "y", "z", "view":
        seen.append(changes(viewer, "P", seen[-1], "key", "p"))
        expects(viewer, folder, "P", clip=f"{name}=50%")
    if len(set(seen)) != len(seen):
        fail("two planes look alike")
    xdo("key", "p")
    viewer.shows(PICTURE, cut, "P for the fourth time")
    grey = changes(viewer, "S", cut, "key", "s")
    expects(viewer, folder, "S", clip="x=50%", section="x=50%", section_off=None)
    xdo("key", "s")
    viewer.shows(PICTURE, cut, "S again")
    xdo("key", "s")
    viewer.shows(PICTURE, grey, "S a third time")
    for _ in range(3):
        xdo("key", "ctrl+z")
    viewer.shows(PICTURE, cut, "undo of S")
    expects(viewer, folder, "undo", clip="x=50%", section=None)
    return cut


def moves(viewer, folder, cut):
    """The wheel and the mouse move the plane by itself, and the key that was held does not switch it off."""
    frames, read = len(viewer.lines()), bytes_read(viewer)
    moved = changes(viewer, "C and the wheel", cut, "keydown", "c", "click", 4, "click", 4, "click", 4, "keyup", "c")
    if bytes_read(viewer) - read > 80 * 60 * 100 // 2:
        fail(f"the wheel read {bytes_read(viewer) - read} bytes: the volume again")
    expects(viewer, folder, "three turns of the wheel", clip="x=42.5", clip_off=None)
    changes(viewer, "C, Shift and the wheel", moved, "keydown", "c", "keydown", "shift", "click", 5, "keyup", "shift",
            "keyup", "c")
    expects(viewer, folder, "Shift and the wheel", clip="x=42.4")
    xdo("key", "ctrl+z")
    viewer.shows(PICTURE, moved, "undo of the last turn")
    xdo("key", "ctrl+z")
    viewer.shows(PICTURE, cut, "undo of the wheel")
    # The outline is there while the key is held. Its edges can be dragged, not the space between them.
    xdo("keydown", "c")
    columns, rows = outline("C is held", lambda found: len(found[0]) > 400)
    left = int(columns.min())
    at = left, int(numpy.median(rows[columns == left]))
    xdo("mousemove", *at, "mousedown", 1, "mousemove", at[0] + 10, at[1], "mousemove", at[0] + 30, at[1])
    outline("a drag by 30 pixels", lambda found: len(found[0]) > 400 and abs(int(found[0].min()) - left - 30) <= 2)
    xdo("mouseup", 1, "keyup", "c", "mousemove", 700, 750)
    viewer.settle()
    clip = saved(viewer, folder)["clip"]
    if not re.fullmatch(r"x=[45]\d(\.\d)?", clip) or not 40 < float(clip[2:]) < 60:
        fail(f"a drag to the right moved the plane to {clip}, where a pixel is no hundredth of a sample")
    # Beside the outline a drag turns the camera, and the key does not switch the plane off either.
    xdo("keydown", "c", "mousemove", 980, 30, "mousedown", 1, "mousemove", 940, 40, "mouseup", 1, "keyup", "c",
        "mousemove", 700, 750)
    viewer.settle()
    expects(viewer, folder, "a drag of the camera", clip=f"x={saved(viewer, folder)['clip'][2:]}", clip_off=None)
    for _ in range(2):
        xdo("key", "ctrl+z")
    viewer.shows(PICTURE, cut, "undo of both drags")
    lines = viewer.lines()[frames:]
    if len(lines) < 8 or any(line["extracted"] for line in lines):
        fail(f"moving planes made a surface: {lines}")


def remembers(viewer, folder):
    """P finds each axis where it was. A key that is held for long, to see the outline, does nothing afterwards; an
    outline is caught beside it."""
    xdo("keydown", "c", "click", 4, "keyup", "c", "key", "p")
    viewer.settle()
    expects(viewer, folder, "P", clip="y=50%")
    xdo("keydown", "c", "click", 5, "click", 5, "keyup", "c")
    viewer.settle()
    moved = saved(viewer, folder)["clip"]
    before = on_screen(PICTURE)
    for wanted in "z=50%", "view=50%", "x=40.5", moved:
        xdo("key", "p")
        viewer.settle()
        expects(viewer, folder, "P", clip=wanted)
    if moved != "y=27.5" or on_screen(PICTURE) != before:
        fail(f"two turns of the wheel and P around all axes: {moved}, or another picture")
    xdo("keydown", "c", "sleep", 0.8, "keyup", "c")
    viewer.settle()
    expects(viewer, folder, "a long C", clip="y=27.5", clip_off=None)
    xdo("keydown", "c", "sleep", 0.1, "keyup", "c")
    viewer.settle()
    expects(viewer, folder, "a short C", clip="y=27.5", clip_off=True)
    xdo("key", "c", "key", "p", "key", "p", "key", "p")  # x
    viewer.settle()
    xdo("keydown", "c")
    columns, rows = outline("C is held", lambda found: len(found[0]) > 400)
    left = int(columns.min())
    xdo("mousemove", left - 6, int(numpy.median(rows[columns == left])), "mousedown", 1, "mousemove", left + 30,
        int(numpy.median(rows[columns == left])), "mouseup", 1, "keyup", "c", "mousemove", 700, 750)
    viewer.settle()
    if not float(saved(viewer, folder)["clip"].removeprefix("x=")) > 41:
        fail("a drag from 6 pixels beside the outline does not move the plane")
    while saved(viewer, folder)["clip"] != "x=50%":
        xdo("key", "ctrl+z")
        viewer.settle()


def panel(viewer, folder):
    """Buttons and sliders of the group, whose rows are below the button that shows it."""
    xdo("mousemove", *CHIP, "click", 1)
    viewer.settle()

    def click(what, x, row, **options):
        xdo("mousemove", x, CUTS + ROW * row, "click", 1)
        viewer.settle()
        expects(viewer, folder, what, **options)

    if len(accents()[0]) < 400:
        fail("no outline while the group of planes is open")
    click("+", 316, 0, clip="x=50%,y=50%")
    click("any", 190, 0, clip="x=50%,y=50%", clip_all=True)
    click("x of the first plane", 44, 1, clip="y=50%,y=50%")
    click("the other side of the second plane", 289, 2, clip="y=50%,-y=50%")
    click("removal of the first plane", 316, 1, clip="-y=50%")
    click("cap", 240, 0, cap="values")
    click("cap again", 240, 0, cap="none")
    before = on_screen(PICTURE)
    changes(viewer, "the slider", before, "mousemove", 174, CUTS + ROW, "sleep", 0.8, "mousedown", 1, "mousemove", 200,
            CUTS + ROW, "sleep", 0.8, "mouseup", 1, "mousemove", 700, 750)
    value = float(saved(viewer, folder)["clip"].removeprefix("-y="))
    if not 30 < value < 45:
        fail(f"the slider moved the plane to y={value}")


def same_as_render(viewer, folder):
    """F12 and render of the session write the same bytes, of triangles and of rays."""
    for draw in "triangles", "rays":
        saved(viewer, folder)
        before = set(os.listdir(folder))
        xdo("key", "F12")
        end = time.monotonic() + PATIENCE
        while not (new := {name for name in set(os.listdir(folder)) - before if name.endswith(".png")}):
            if time.monotonic() > end:
                fail(f"F12 wrote no picture of {draw}")
            time.sleep(0.05)
        done = subprocess.run([CUBIST, "render", NAME + ".cubist.json", "-o", "r.png", *VALIDATE], cwd=folder,
                              capture_output=True, text=True)
        files = []
        for name in *new, "r.png":
            with open(os.path.join(folder, name), "rb") as file:
                files.append(file.read())
        if done.returncode != 0 or files[0] != files[1]:
            fail(f"render of the session draws another picture of {draw}: {done}")
        xdo("key", "w", "g", "l")  # rays have no wireframe, and their picture does not depend on it
        viewer.settle()


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, NAME + ".raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "80x60x100", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        viewer = Viewer(volume, "--size", "1000x800", "--light", "off", cwd=folder)
        viewer.window()
        viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
        xdo("mousemove", 700, 750)
        viewer.settle()
        cut = keys(viewer, folder)
        moves(viewer, folder, cut)
        if WHOLE:
            remembers(viewer, folder)
        panel(viewer, folder)
        xdo("key", "s", "key", "c", "key", "c")
        viewer.settle()
        same_as_render(viewer, folder)
        xdo("key", "ctrl+q")
        code = viewer.end()
        if code != 0 or viewer.said():
            fail(f"Ctrl+Q ended with {code}: {viewer.said()}")
        # The first surface is made in the frame that shows the planes.
        viewer = Viewer(volume, "--section", "k=50%", "--clip", "x=50%", "--exit-after", "3", cwd=folder)
        if viewer.end() != 0 or viewer.said():
            fail(f"planes from the beginning: {viewer.said()}")
    return 0


sys.exit(main())
