#!/usr/bin/python3
# ctest: device twin plain share
"""The window with a volume that fits --memory-budget. Its surface is made in parts if it does not fit
beside the volume. The picture of a larger window has less quality or is not made. Nothing of that ends
the viewer or exceeds the budget."""
import math
import os
import signal
import subprocess
import tempfile
import time

from window import *

PANEL = 344
LARGE = 1280, 800


def generate(folder, kind, dims):
    path = os.path.join(folder, f"{kind}_{dims}_uint8.raw")
    subprocess.run([CUBIST, "generate", kind, "--dims", dims, "--type", "uint8", "-o", path], check=True,
                   stdout=subprocess.DEVNULL)
    return path


def needs(volume, size):
    """A budget in MiB for the volume beside a fine picture."""
    ran = subprocess.run([CUBIST, "view", volume, "--size", f"{size[0]}x{size[1]}", "--memory-budget", "1", "--exit-after", "1"],
                         capture_output=True, text=True)
    need = re.search(r"needs ([\d.]+) MiB .* the budget is 1.0 MiB", ran.stderr)
    if ran.returncode != 4 or not need:
        fail(f"a budget of 1 MiB ended with {ran.returncode}: {ran.stderr}")
    return math.ceil(float(need[1]) + finer(size))


def launch(folder, volume, size, *arguments):
    viewer = Viewer(volume, "--size", size, *arguments, cwd=folder)
    viewer.window()
    viewer.until("the first surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 600, 250)
    return viewer


def within(viewer, budget):
    for line in viewer.lines():
        if line["device_bytes"] > budget << 20:
            fail(f"more than {budget} MiB: {line}")


def resize(viewer, size):
    xdo("windowsize", viewer.window(), *size)
    return viewer.until(f"a window of {size}", lambda l: (l["width"], l["height"]) == size)


def complaint(what, expected):
    end = time.monotonic() + PATIENCE
    while complains() != expected:
        if time.monotonic() > end:
            fail(f"{what}: {'no complaint' if expected else 'a complaint'}")
        time.sleep(0.1)


def quits(viewer):
    """Ends the window by a signal: on a busy machine, a key that is held long would end the next window, too."""
    viewer.process.send_signal(signal.SIGINT)
    code = viewer.end()
    if code != 130 or viewer.said() != "cubist: interrupted\n":
        fail(f"Ctrl-C ended with {code}: {viewer.said()}")


def surface_outgrows(folder):
    """A step to a surface that does not fit beside the old one: it is made in parts, and the picture is the
    same. Then the window grows beyond the remaining memory, and shrinks again."""
    folder = tempfile.mkdtemp(dir=folder)  # Right goes to the next volume of the folder
    volume = generate(folder, "noise", "96x96x90")
    picture = f"{800 - PANEL}x500+{PANEL}+0"
    # Many frames, none of them a draft.
    viewer = launch(folder, volume, "800x500", "--iso", "224.5", "--exit-after", "100000")
    xdo("key", "shift+f")  # the camera of both: it does not depend on the first isovalue
    frame = viewer.last()["frame"]
    viewer.until("some frames", lambda l: l["whole"] and l["frame"] > frame + 4)
    triangles, expected = viewer.last()["triangles"], on_screen(picture)
    quits(viewer)
    budget = needs(volume, (800, 500)) + 32
    viewer = launch(folder, volume, "800x500", "--memory-budget", str(budget), "--iso", "250")
    xdo("key", "shift+f")
    if "slabs" in viewer.last():
        fail(f"it does fit as a whole: {viewer.last()}")
    # The file was replaced, so no part can be read: the parts on the device stay there.
    stamp = os.stat(volume).st_mtime_ns
    os.utime(volume)
    xdo("key", "ctrl+bracketleft")
    complaint("a surface that has no room and cannot be read again", True)
    xdo("key", "ctrl+bracketright")
    complaint("the surface that had room before", False)
    os.utime(volume, ns=(stamp, stamp))
    # Nor is it given up for something that does not fit anyway.
    with open(os.path.join(folder, "wide_500000x2x2_uint8.raw"), "wb") as wide:
        wide.write(bytes(range(250)) * 8000)
    xdo("key", "Right")
    complaint("a volume that has no room", True)
    viewer.settle()
    if "slabs" in viewer.last():
        fail(f"it made way for a volume that has no room at all: {viewer.last()}")
    xdo("key", "ctrl+bracketleft")
    line = viewer.until("the larger surface", lambda l: l["iso"] == 224.5 and l["whole"])
    if "slabs" not in line or line["triangles"] != triangles:
        fail(f"not in parts, or not the same: {line}")
    # In noise two triangles may lie equally deep at a pixel: the one drawn first shows, and their order is
    # another one in parts.
    viewer.shows(picture, expected, "the larger surface in parts", most=4)
    resize(viewer, LARGE)
    viewer.settle()
    if complains():
        fail("there is room for a coarse picture")
    looks_like_a_surface(grab(os.path.join(folder, "window.png")), f"{LARGE[0] - PANEL}x700+{PANEL}+0")
    resize(viewer, (800, 500))
    viewer.shows(picture, expected, "the same size again", most=4)
    within(viewer, budget)
    quits(viewer)


def picture_outgrows(folder):
    """A window whose picture does not fit at all reports that, and keeps running."""
    volume = generate(folder, "sphere", "24x24x24")
    picture = "300x60+0+0" # above what is said
    budget = needs(volume, (300, 200))
    viewer = launch(folder, volume, "300x200", "--memory-budget", str(budget))
    viewer.settle()
    expected = on_screen(picture)
    resize(viewer, LARGE)
    complaint("a picture without room", True)
    for _ in range(10):
        xdo("key", "ctrl+plus") # text takes memory, too
    iso = viewer.last()["iso"]
    xdo("key", "bracketright")
    viewer.until("a step that nobody sees", lambda l: l["iso"] != iso)
    xdo("key", "bracketleft")
    viewer.until("the step back", lambda l: l["iso"] == iso)
    viewer.settle()
    xdo("key", "ctrl+0")
    resize(viewer, (300, 200))
    viewer.shows(picture, expected, "the same size again")
    if complains():
        fail("there is room for a picture again")
    within(viewer, budget)
    quits(viewer)


def nothing_is_shown_beyond_the_budget(folder):
    """The budget holds before the first volume, too: in a window that is too large for it, nothing is shown
    until the window is smaller."""
    volume = generate(folder, "sphere", "24x24x24")
    budget = needs(volume, (300, 200))
    viewer = Viewer(volume, "--size", f"{LARGE[0]}x{LARGE[1]}", "--memory-budget", str(budget), cwd=folder)
    xdo("windowsize", "--sync", viewer.window(), 300, 200)
    xdo("mousemove", 150, 100)
    end = time.monotonic() + PATIENCE
    while not viewer.last() and time.monotonic() < end:
        xdo("key", "ctrl+r")  # a key before the refusal of the first volume does nothing
        time.sleep(0.5)
    viewer.until("a surface", lambda l: l["whole"] and (l["width"], l["height"]) == (300, 200))
    within(viewer, budget)
    quits(viewer)


def picture_gives_way(folder):
    """If a surface does not fit beside a fine picture, the picture is coarse. In a smaller window, or for a
    smaller surface, it is fine again."""
    folder = os.path.join(folder, "gives_way")
    os.mkdir(folder)
    volume = generate(folder, "noise", "96x96x90")
    large, small = f"{800 - PANEL}x440+{PANEL}+0", f"{600 - PANEL}x240+{PANEL}+0" # above what is said
    viewer = launch(folder, volume, "800x500", "--iso", "224.5")
    viewer.settle()
    triangles, fine = viewer.last()["triangles"], on_screen(large)
    xdo("key", "ctrl+bracketright")
    viewer.until("the smaller surface", lambda l: l["iso"] == 250 and l["whole"])
    viewer.settle()
    fine_less = on_screen(large)
    xdo("key", "ctrl+bracketleft")
    resize(viewer, (600, 300))
    viewer.settle()
    fine_small = on_screen(small)
    quits(viewer)
    budget = needs(volume, (800, 500)) + 17
    viewer = launch(folder, volume, "800x500", "--memory-budget", str(budget), "--iso", "224.5")
    viewer.settle()
    if viewer.last()["triangles"] != triangles or complains():
        fail(f"not the whole surface: {viewer.last()}")
    apart = differing(on_screen(large), fine)
    if apart < 100:
        fail(f"{apart} pixels of a coarse picture differ from a fine one")
    xdo("key", "ctrl+bracketright")
    viewer.shows(large, fine_less, "a fine picture of a smaller surface", most=4)
    xdo("key", "ctrl+bracketleft")
    viewer.until("the surface again", lambda l: l["iso"] == 224.5 and l["triangles"] == triangles)
    viewer.settle()
    if differing(on_screen(large), fine) < 100:
        fail("the picture is fine, beside a surface that leaves it no room")
    resize(viewer, (600, 300))
    viewer.shows(small, fine_small, "a fine picture in a smaller window", most=4)
    within(viewer, budget)
    quits(viewer)


def refused_until_smaller(folder):
    """A surface that does not fit beside a coarse picture is made when the window is smaller. A message
    names the memory that it would need."""
    volume = generate(folder, "noise", "64x64x60")
    budget = needs(volume, (1200, 700)) - int(finer((1200, 700))) + 16
    given = "--size", "1200x700", "--memory-budget", str(budget), "--iso", "128"
    ran = subprocess.run([CUBIST, "view", volume, *given, "--exit-after", "1"], capture_output=True, text=True)
    if ran.returncode != 4 or "not even made part by part" not in ran.stderr or "smaller window" not in ran.stderr:
        fail(f"a surface without room ended with {ran.returncode}: {ran.stderr}")
    viewer = Viewer(volume, *given, cwd=folder)
    viewer.window()
    complaint("a surface without room", True)
    if any(line["whole"] for line in viewer.lines()):
        fail(f"a surface is shown: {viewer.last()}")
    xdo("mousemove", 600, 250, "key", "ctrl+e")  # another message in between
    viewer.settle()
    xdo("windowsize", viewer.window(), 500, 300)
    line = viewer.until("the surface in a smaller window", lambda l: l["whole"])
    if (line["width"], line["height"], line["iso"]) != (500, 300, 128):
        fail(f"not where it was expected: {line}")
    viewer.settle()
    if complains():
        fail("there is room for the surface now")
    within(viewer, budget)
    quits(viewer)


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        picture_outgrows(folder)
        nothing_is_shown_beyond_the_budget(folder)
        if WHOLE:
            refused_until_smaller(folder)
            surface_outgrows(folder)
            picture_gives_way(folder)


main()
