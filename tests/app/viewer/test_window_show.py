# What a method works on, in the window: V goes through surface, bricks, cells, order, pyramid and atlas and back, and a
# file that F12 writes of them is made again by the copied command.
# ctest: device once heavy
import os
import re
import subprocess
import sys
import tempfile

from window import *

SCENE = "440x520+350+70"  # below the legend
LEGEND = "300x60+350+0"


def press(viewer, *keys):
    viewer.key(*keys)
    viewer.settle()
    return on_screen(SCENE)


def copied(viewer, folder, number):
    """What the command of Ctrl+Shift+C draws, which is pressed for the first, second, ... time."""
    xdo("key", "ctrl+shift+c")
    end = time.monotonic() + PATIENCE
    while len(lines := re.findall(r"^cubist: copied: (.*)\n", viewer.said(), re.M)) < number:
        if time.monotonic() > end:
            fail(f"nothing was copied: {viewer.said()}")
        time.sleep(0.05)
    elsewhere = os.path.join(folder, f"elsewhere-{number}")
    os.mkdir(elsewhere)
    subprocess.run(["sh", "-c", lines[-1]], cwd=elsewhere, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PATH": os.path.dirname(CUBIST) + ":" + os.environ["PATH"]})
    with open(os.path.join(elsewhere, os.listdir(elsewhere)[0]), "rb") as file:
        return lines[-1], file.read()


def cycle(folder, volume):
    viewer = Viewer(volume, "--method", "histopyramid", "--size", "800x600", "--verbose", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 700, 300)
    viewer.settle()
    surface, silent = on_screen(SCENE), on_screen(LEGEND)
    seen, legends = [surface], [silent]
    for name in "bricks", "cells", "order", "levels", "atlas":
        seen.append(press(viewer, "v"))
        legends.append(on_screen(LEGEND))
        if seen.count(seen[-1]) > 1 or legends.count(legends[-1]) > 1:
            fail(f"V shows nothing new for {name}")
        if differing(seen[-1], surface) < 500:
            fail(f"{name}: only {differing(seen[-1], surface)} pixels are not those of the surface")
    if press(viewer, "v") != surface or on_screen(LEGEND) != silent:
        fail("V does not return to the surface")
    for name, expected in ("atlas", seen[5]), ("levels", seen[4]), ("order", seen[3]):
        if press(viewer, "shift+v") != expected:
            fail(f"Shift+V does not go back to {name}")

    # A file of it, and the same by the command; with all bricks, which N is for.
    press(viewer, "n")
    xdo("key", "F12")
    with open(file_appears(os.path.join(folder, "torus_40x30x50_uint16.png")), "rb") as file:
        written = file.read()
    line, drawn = copied(viewer, folder, 1)
    if "--show order --no-skip" not in line or "--method histopyramid" not in line or drawn != written:
        fail(f"{line}: another picture than the window's")
    press(viewer, "n")

    # Another isovalue: a new list.
    xdo("key", "Escape")
    if press(viewer, "ctrl+bracketright") == seen[3]:
        fail("another isovalue shows the same list")
    # A method without a pyramid shows the surface, and the legend says why.
    pyramid = press(viewer, "v")
    said = on_screen(LEGEND)
    if press(viewer, "ctrl+1") == pyramid or on_screen(LEGEND) == said:
        fail("a method without a pyramid shows one")
    xdo("key", "F12")
    with open(file_appears(os.path.join(folder, "torus_40x30x50_uint16-2.png")), "rb") as file:
        written = file.read()
    line, drawn = copied(viewer, folder, 2)
    if "--show" in line or drawn != written:
        fail(f"{line}: another picture than the window's, which is the surface")
    xdo("key", "Escape")
    press(viewer, "v")
    surface = press(viewer, "v")
    press(viewer, "shift+v")
    if press(viewer, "shift+v") != surface:
        fail("without a pyramid not the surface is shown")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "torus_40x30x50_uint16.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x30x50", "--type", "uint16", "-o", volume],
                       check=True, stdout=subprocess.DEVNULL)
        cycle(folder, volume)
    return 0


sys.exit(main())
