# The real window under Xvfb, driven by xdotool: keys, the slider, a resize, pictures, the end.
# ctest: device twin heavy share
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from window import *

PANEL, LEFT, WIDE = 344, 22, 300  # the panel; the slider's first pixel and its width
METHODS, ROW = 281, 20  # the middle of the list's first line, which is auto, and how far the next is
MARK, ACCENT = 20, (240, 180, 92)  # where the selected line is marked, and how
LAST = 423  # the middle of its last line, when it is scrolled to the end


def drive(folder, volume):
    # Without occlusion, so that pictures in full come soon, up to where it is tested.
    viewer = Viewer(volume, "--size", "1000x800", "--light", "off", cwd=folder)
    window = viewer.window()
    first = viewer.until("the first surface", lambda l: l["whole"] and l["triangles"] > 0)
    for field in ("frame", "iso", "method", "active_cells", "triangles", "width", "height",
                  "cpu_ms", "gpu_ms"):
        if field not in first:
            fail(f"the trace lacks {field}")
    if (first["width"], first["height"]) != (1000, 800):
        fail(f"--size 1000x800 gave {first}")
    xdo("mousemove", 700, 350)

    # Methods: A selects each method that can run in turn; all make the same surface and the same
    # picture.
    listed = json.loads(subprocess.run([CUBIST, "methods", "--json"], check=True,
                                       capture_output=True).stdout)["methods"]
    picture = f"{1000 - PANEL}x800+{PANEL}+0"
    viewer.settle()
    expected = on_screen(picture)
    if len(expected) != 3 * (1000 - PANEL) * 800:
        fail(f"{len(expected)} bytes of {picture}")
    seen = {first["method"]}
    method = first["method"]
    while True:
        xdo("key", "a")
        line = viewer.until(f"a method after {method}",
                            lambda l: l["whole"] and l["method"] != method)
        method = line["method"]
        if (line["active_cells"], line["triangles"]) != (first["active_cells"],
                                                         first["triangles"]):
            fail(f"{method} found another surface: {line}")
        viewer.shows(picture, expected, method)
        viewer.settle()
        if bytes(ACCENT) not in on_screen(f"1x{LAST - METHODS + ROW}+{MARK}+{METHODS - ROW // 2}"):
            fail(f"the list does not show {method}")
        if method == first["method"]:
            break
        if method in seen:
            fail(f"A came back to {method} before {first['method']}")
        seen.add(method)
    if seen != {m["name"] for m in listed if m["available"]} or len(seen) < 4:
        fail(f"A only went through {seen}")
    xdo("key", "shift+a")
    viewer.until("the method before", lambda l: l["method"] != first["method"])
    xdo("key", "ctrl+2")
    viewer.until("the second method", lambda l: l["method"] == listed[1]["name"])

    # The list scrolls by whole rows: the bars at the feet of the rows stay where they are.
    places = []
    xdo("mousemove", 100, METHODS + 2 * ROW)
    for turn in 1, 2:
        xdo("click", 5)
        viewer.until("a frame after the wheel", lambda l: l["events"]["scrolls"] >= turn)
        viewer.settle()
        names, bars = (on_screen(f"{wide}x{6 * ROW}+{left}+{METHODS}") for wide, left in ((80, 45), (1, 180)))
        bars = numpy.frombuffer(bars, numpy.uint8).reshape(-1, 3)
        places.append((names, (bars != bars[0]).any(1).tobytes()))
    if places[0][0] == places[1][0] or places[0][1] != places[1][1]:
        fail("the wheel leaves the list between two rows, or does not scroll it")

    # It takes clicks. The methods that cannot run here, the CPU's, are folded into its
    # last line, and cannot be chosen.
    xdo("mousemove", 100, METHODS + 2 * ROW, *["click", 4] * 30)
    viewer.settle()
    xdo("mousemove", 100, METHODS + 3 * ROW, "click", 1)
    viewer.until("the third method", lambda l: l["method"] == listed[2]["name"])
    xdo("mousemove", 100, METHODS, "click", 1)
    viewer.until("auto, the first line", lambda l: l["method"] == "auto")
    xdo("mousemove", 100, METHODS + 3 * ROW, "click", 1)
    viewer.until("the third method again", lambda l: l["method"] == listed[2]["name"])
    for _ in range(2):  # the first click unfolds them
        xdo("mousemove", 100, LAST, *["click", 5] * 30)
        viewer.settle()
        xdo("click", 1)
        viewer.settle()
    if not listed[-1]["available"] and viewer.last()["method"] != listed[2]["name"]:
        fail(f"a click on a method that cannot run chose {viewer.last()}")
    xdo("mousemove", 700, 350)

    # N visits every brick; N again only the bricks that the isovalue spans: the same surface.
    xdo("key", "ctrl+1")
    skipping = viewer.until("bricks skipped", lambda l: l["whole"] and l["active_bricks"] < l["bricks"])
    xdo("key", "n")
    every = viewer.until("every brick visited", lambda l: l["whole"] and l["active_bricks"] == l["bricks"])
    # Steps to other isovalues give the same surfaces, too, near and far.
    for key in "shift+bracketright", "ctrl+bracketright", "BackSpace":
        before = viewer.last()["iso"]
        xdo("key", key)
        line = viewer.until(f"{key} with every brick", lambda l: l["whole"] and l["iso"] != before)
        if line["active_bricks"] != line["bricks"]:
            fail(f"{key} skips bricks: {line}")
    xdo("key", "n")
    again = viewer.until("bricks skipped again", lambda l: l["whole"] and l["active_bricks"] < l["bricks"])
    for line in every, again:
        if (line["active_cells"], line["triangles"]) != (first["active_cells"], first["triangles"]):
            fail(f"N changed the surface: {line}")
    if again["active_bricks"] != skipping["active_bricks"]:
        fail(f"N twice is not as before: {skipping} {again}")

    # Isovalues: ] and its finer and coarser forms, Backspace.
    info = json.loads(subprocess.run([CUBIST, "info", "--json", volume], check=True,
                                     capture_output=True).stdout)
    low, high = info["range"]
    span = high - low
    iso = first["iso"]
    for keys, share in (("bracketright", 0.01), ("shift+bracketright", 0.001),
                        ("ctrl+bracketright", 0.1), ("bracketleft", -0.01)):
        xdo("key", keys)
        iso += share * span
        viewer.until(f"{keys} to move the isovalue to {iso}",
                     lambda l: abs(l["iso"] - iso) < 1e-4 * span and l["whole"])
    xdo("key", "BackSpace")
    viewer.until("the automatic isovalue", lambda l: l["iso"] == first["iso"])

    # The slider: press on it, drag, let go.
    xdo("mousemove", LEFT + WIDE // 4, 165, "mousedown", 1)
    viewer.until("the press on the slider", lambda l: abs(l["iso"] - low - span / 4) < span / 60)
    for share in (0.3, 0.35, 0.4, 0.5):
        xdo("mousemove", int(LEFT + WIDE * share), 165)
    xdo("mouseup", 1)
    viewer.until("the end of the drag", lambda l: abs(l["iso"] - low - span / 2) < span / 60)

    # A mouse move right after the release, within the same frame, does not move the slider.
    xdo("mousemove", int(LEFT + WIDE * 0.4), 165, "mousedown", 1)
    viewer.until("the second press", lambda l: abs(l["iso"] - low - 0.4 * span) < span / 60)
    xdo("mousemove", int(LEFT + WIDE * 0.3), 165, "mouseup", 1, "mousemove", 700, 350)
    viewer.until("the isovalue where it was let go",
                 lambda l: abs(l["iso"] - low - 0.3 * span) < span / 60)
    time.sleep(0.5)
    last = viewer.last()["iso"]
    if abs(last - low - 0.3 * span) > span / 60:
        fail(f"let go at 0.3 of the range, the isovalue went on to {last}")

    # The sweep moves by itself and stops.
    before = viewer.last()["iso"]
    xdo("mousemove", 700, 350, "key", "space")
    viewer.until("the sweep", lambda l: abs(l["iso"] - before) > span / 100)
    xdo("key", "space")
    xdo("key", "BackSpace")
    viewer.until("the automatic isovalue again", lambda l: l["iso"] == first["iso"])

    # The time of a method is also measured in small steps, after nothing was known of the volume.
    xdo("key", "ctrl+1")
    viewer.settle()
    frames = len(viewer.lines())
    xdo("key", "ctrl+2", "ctrl+r")
    viewer.until("the second method's time, once nothing was known of the volume", lambda l: l["method_ms"] > 0 and
                 any(line["method_ms"] == 0 for line in viewer.lines()[frames:]))
    xdo("key", "--delay", 1, "ctrl+1", *["shift+bracketright"] * 60)
    viewer.until("the first method's time, after 60 small steps",
                 lambda l: l["method"] == listed[0]["name"] and l["method_ms"] > 0)
    viewer.settle()
    xdo("key", "BackSpace")
    viewer.until("the automatic isovalue once more", lambda l: l["iso"] == first["iso"])

    # What the window shows, and what F12 writes.
    shown = grab(os.path.join(folder, "window.png"))
    looks_like_a_surface(shown, f"{1000 - PANEL}x560+{PANEL}+0")
    xdo("key", "F12")
    stem = os.path.basename(volume)[:-len(".raw")]
    looks_like_a_surface(file_appears(os.path.join(folder, f"{stem}.png")))

    # The mouse turns the surface.
    xdo("mousemove", 700, 350, "mousedown", 1, "mousemove", 800, 420, "mouseup", 1)
    time.sleep(1)
    turned = grab(os.path.join(folder, "turned.png"))
    crop = f"{1000 - PANEL}x560+{PANEL}+0"
    if pixels(shown, crop)[2] == pixels(turned, crop)[2]:
        fail("a drag over the picture changed nothing")

    viewer.key("l")

    # T shades each triangle flat, through either camera, and T again smooth.
    for camera in ("perspective", "orthographic") if WHOLE else ("perspective",):
        viewer.settle()
        smooth = on_screen(crop)
        viewer.key("t")
        viewer.settle()
        flat = on_screen(crop)
        if not 0.01 < differing(smooth, flat) / (len(smooth) / 3) < 0.9:
            fail(f"T changes {differing(smooth, flat)} pixels ({camera})")
        looks_like_a_surface(grab(os.path.join(folder, "flat.png")), crop)
        xdo("key", "t")
        viewer.shows(crop, smooth, f"smooth shading again ({camera})")
        # L takes the occlusion away, and gives it back.
        viewer.key("l")
        viewer.settle()
        if not 0.005 < differing(smooth, on_screen(crop)) / (len(smooth) / 3) < 0.9:
            fail(f"L changes {differing(smooth, on_screen(crop))} pixels ({camera})")
        xdo("key", "l", "Escape")
        viewer.shows(crop, smooth, f"occlusion again ({camera})")
        xdo("key", "5")

    # Ctrl+E exports what is seen.
    xdo("key", "ctrl+e", "Return")
    mesh = file_appears(os.path.join(folder, f"{stem}.ply"))
    with open(mesh, "rb") as file:
        head = file.read(400)
    if f"element face {first['triangles']}".encode() not in head:
        fail(f"the exported mesh has another number of triangles: {head}")

    # Help opens and Esc closes it; Esc alone never quits.
    xdo("key", "h")
    time.sleep(0.5)
    xdo("key", "Escape", "Escape", "Escape")

    # Sizes: smaller, hidden, shown again.
    xdo("windowsize", window, 700, 500)
    viewer.until("the new size", lambda l: (l["width"], l["height"]) == (700, 500))
    xdo("windowunmap", window)
    time.sleep(0.5)
    xdo("windowmap", window)
    xdo("windowsize", window, 900, 600)
    viewer.until("the size after hiding", lambda l: (l["width"], l["height"]) == (900, 600))

    # The file is read again, and the viewer goes on.
    xdo("mousemove", 600, 300, "key", "ctrl+r")
    time.sleep(0.5)
    xdo("key", "bracketright")
    viewer.until("a step after reloading", lambda l: abs(l["iso"] - first["iso"]) > span / 200)

    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0 or viewer.said():
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def ends_by_itself(folder, volume):
    viewer = Viewer(volume, "--exit-after", "3", "--no-skip", "--method", "redzone-2", cwd=folder)
    code = viewer.end()
    lines = viewer.lines()
    if code != 0 or len(lines) < 3 or viewer.said():
        fail(f"--exit-after 3 ended with {code} after {len(lines)} frames: {viewer.said()}")
    if not lines[-1]["whole"] or lines[-1]["triangles"] == 0:
        fail(f"--exit-after ended before there was a surface: {lines[-1]}")
    if lines[-1]["active_bricks"] != lines[-1]["bricks"]:
        fail(f"--no-skip skipped bricks: {lines[-1]}")
    viewer = Viewer(volume, "--exit-after", "1", cwd=folder)
    code = viewer.end()
    if code != 0 or [(line["whole"], line["draft"]) for line in viewer.lines()] != [(True, False)]:
        fail(f"--exit-after 1 ended with {code} after other frames than one in full: {viewer.lines()}")


def exports_what_was_asked_for(folder):
    """Ctrl+E at the same moment as an isovalue whose surface exceeds the buffers: the file has that
    surface, not the previous one and not a part."""
    volume = generate(os.path.join(folder, "noise_48x48x48_uint8.raw"))
    viewer = Viewer(volume, "--iso", "254.5", cwd=folder)
    small = viewer.until("the small surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", "--window", viewer.window(), 600, 300)
    viewer.settle()
    xdo("key", "--delay", 1, "BackSpace", "ctrl+e", "Return")
    large = viewer.until("the large surface", lambda l: l["whole"] and l["iso"] != small["iso"])
    mesh = file_appears(volume[:-len(".raw")] + ".ply")
    with open(mesh, "rb") as file:
        head = file.read(400)
    if f"element face {large['triangles']}".encode() not in head:
        fail(f"exported in place of {large['triangles']} triangles: {head}")
    if all(line["whole"] for line in viewer.lines()):
        fail("there was room enough from the start: this test shows nothing")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0 or viewer.said():
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def says_what_it_opens(folder, volume):
    """--verbose prints for the window what it prints for a command, once for each volume."""
    viewer = Viewer(volume, "--verbose", cwd=folder)
    viewer.until("the first frame", lambda l: True)
    window = viewer.window()
    xdo("mousemove", "--window", window, 600, 300, "key", "ctrl+r")
    end = time.monotonic() + PATIENCE
    while viewer.said().count("cubist: atlas of") < 2 and time.monotonic() < end:
        time.sleep(0.05)
    xdo("key", "ctrl+q")
    code = viewer.end()
    lines = viewer.said().splitlines()
    dims = re.search(r"_(\d+)x(\d+)x(\d+)_(\w+)\.", volume)
    for start, count in (("cubist: device ", 1), ("cubist: the window has ", 1), ("cubist: atlas of ", 2),
                         ("cubist: read " + volume + ": " + " x ".join(dims.groups()[:3]) + " samples of " +
                          dims[4], 2)):
        if sum(line.startswith(start) for line in lines) != count:
            fail(f"expected '{start}' {count} times, but it ended with {code} and said: {lines}")
    if code != 0 or len(lines) != 6:
        fail(f"--verbose ended with {code} and said: {lines}")


def generate(path):
    kind, dims, sort = re.search(r"([a-z]+)_(\d+x\d+x\d+)_(\w+)\.raw", path).groups()
    subprocess.run([CUBIST, "generate", kind, "--dims", dims, "--type", sort, "-o", path],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def neighbours(folder):
    """Right and Left skip files that cannot be read, and an error disappears with its cause."""
    folder = os.path.join(folder, "neighbours")
    os.mkdir(folder)
    first = generate(os.path.join(folder, "gyroid_24x24x24_float32.raw"))
    other = generate(os.path.join(folder, "torus_20x20x20_uint8.raw"))
    for name in "hole_9x9x9_uint8.raw", "hole2_9x9x9_uint8.raw":
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"x" * 100)
    # The sequence has files of every format, but no raw file that states no size, and no notes.
    os.rename(other, os.path.join(folder, "nameless.raw"))
    other = os.path.join(folder, "torus.nrrd")
    subprocess.run([CUBIST, "convert", os.path.join(folder, "nameless.raw"), "--dims", "20x20x20",
                    "--input-type", "uint8", "-o", other], check=True, stdout=subprocess.DEVNULL)
    open(os.path.join(folder, "notes.txt"), "w").close()
    tiles = os.path.join(folder, "tiles.png")
    subprocess.run(["convert", "-size", "64x64", "radial-gradient:", "-depth", "8", tiles],
                   check=True)

    # From an image that is not in the sequence, the first press already moves on.
    viewer = Viewer(tiles, "--atlas", "4x4", "--size", "1000x800", cwd=folder)
    viewer.window()
    image = viewer.until("the image", lambda l: l["triangles"] > 0)
    xdo("mousemove", 700, 350, "key", "Right")
    torus = viewer.until("the torus after the image",
                         lambda l: l["whole"] and l["triangles"] not in (0, image["triangles"]))
    xdo("key", "Right")
    gyroid = viewer.until("the gyroid after the torus", lambda l: l["whole"] and l["triangles"]
                          not in (0, image["triangles"], torus["triangles"]))
    for key, wanted in ("Right", torus), ("Left", gyroid):
        xdo("key", key)
        viewer.until(f"one press of {key} over two holes",
                     lambda l: l["triangles"] == wanted["triangles"])
    time.sleep(0.5)
    if complains():
        fail("the error about a file that was stepped over stays in the window")

    # Steps of the isovalue do not accumulate rounding errors.
    for _ in range(7):
        before = viewer.last()["iso"]
        xdo("key", "bracketright")
        iso = viewer.until("a step", lambda l: l["iso"] > before)["iso"]
        if len(repr(iso)) > 8:
            fail(f"a step gave the isovalue {iso}")

    # An error stays until another file, or the same one repaired, was opened successfully.
    with open(first, "rb") as file:
        whole = file.read()
    with open(first, "wb") as file:
        file.write(whole[:1000])
    xdo("key", "ctrl+r")
    end = time.monotonic() + PATIENCE
    while not complains() and time.monotonic() < end:
        time.sleep(0.1)
    if not complains():
        fail("a truncated file was read again without a complaint")
    with open(first, "wb") as file:
        file.write(whole)
    xdo("key", "F5")
    while complains() and time.monotonic() < end:
        time.sleep(0.1)
    if complains():
        fail("the error stays although the file was opened well")

    # If all the others cannot be read, a message says so, and the next press starts again.
    os.unlink(other)
    xdo("key", "Right")
    while not complains() and time.monotonic() < end:
        time.sleep(0.1)
    if not complains() or viewer.last()["triangles"] == torus["triangles"]:
        fail("nothing but holes to the right, and no word about it")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0 or viewer.said():
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def bad_file(folder):
    path = os.path.join(folder, "bad_9x9x9_uint8.raw")
    with open(path, "wb") as file:
        file.write(b"x" * 100)
    viewer = Viewer(path, "--exit-after", "1", cwd=folder)
    code = viewer.end()
    if code != 3 or viewer.said().count("\n") != 1:
        fail(f"a malformed file ended with {code}: {viewer.said()}")


def interrupted(folder, volume):
    viewer = Viewer(volume, cwd=folder)
    viewer.until("the first frame", lambda l: True)
    viewer.process.send_signal(signal.SIGINT)
    code = viewer.end()
    if code != 130:
        fail(f"Ctrl-C in the terminal ended with {code}: {viewer.said()}")


def cancelled(folder):
    """Escape while a volume that memory cannot hold is opened part by part: over 100 GB are to be skipped. That is
    no failure to open it."""
    large = os.path.join(folder, "large.nhdr")
    with open(os.path.join(folder, "holes.raw"), "wb") as file:
        file.truncate(100 << 30)
    with open(large, "w") as file:
        file.write("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 65536 65536 65536\nencoding: raw\nline skip: 1\n"
                   "data file: holes.raw\n")
    viewer = Viewer(large, cwd=folder)
    viewer.window()
    time.sleep(1)
    xdo("key", "Escape")
    end = time.monotonic() + PATIENCE
    while not complains() and time.monotonic() < end:
        time.sleep(0.1)
    xdo("key", "ctrl+q")
    code = viewer.end()
    os.remove(large)
    os.remove(os.path.join(folder, "holes.raw"))
    if code != 0:
        fail(f"a file that was cancelled while it was opened ended with {code}: {viewer.said()}")


def frames_the_surface(folder):
    """The first picture, R and F fit the surface and Shift+F the volume; nothing moves with the isovalue."""
    volume = generate(os.path.join(folder, "sphere_40x40x40_uint8.raw"))
    viewer = Viewer(volume, "--iso", "60%", "--size", "1000x800", cwd=folder)
    window = viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", "--window", window, 700, 350, "key", "x")  # without the axes
    width, height = 1000 - PANEL, 800
    picture = f"{width}x{height}+{PANEL}+0"

    def seen(what, off=0.05):
        """The pixels, and the surface's share of the picture's width. Its middle may be off by that share."""
        viewer.settle()
        shown = on_screen(picture)
        warm = [i // 3 for i in range(0, len(shown), 3) if shown[i] > shown[i + 2]]
        columns, rows = [i % width for i in warm], [i // width for i in warm]
        for low, high, size in (min(columns), max(columns), width), (min(rows), max(rows), height):
            if abs((low + high + 1) / size - 1) > off:
                fail(f"{what}: the surface is at {low} to {high} of {size}, not in the middle")
        return shown, (max(columns) + 1 - min(columns)) / width

    first, share = seen("the first picture")
    if not 0.78 < share < 0.9:
        fail(f"the surface takes {share:.3f} of the first picture's width")
    viewer.key("shift+f")
    small = seen("Shift+F", 0.15)[1]
    if small > 0.5:
        fail(f"Shift+F shows the surface over {small:.3f} of the width, not the volume around it")
    xdo("key", "f")
    viewer.shows(picture, first, "F as at first")
    before = viewer.last()["iso"]
    xdo("key", "ctrl+bracketright")
    viewer.until("a smaller surface", lambda l: l["whole"] and l["iso"] > before)
    smaller = seen("another isovalue")[1]
    if smaller > share - 0.1:
        fail(f"a smaller surface takes {smaller:.3f} of the width after {share:.3f}: the camera followed")
    viewer.key("f")
    fitted = seen("F")[1]
    if not 0.78 < fitted < 0.9:
        fail(f"F fits the surface to {fitted:.3f} of the width")
    xdo("mousedown", 1, "mousemove", 800, 420, "mouseup", 1, "mousemove", 700, 350, "key", "ctrl+bracketleft")
    viewer.until("the first surface", lambda l: l["whole"] and l["iso"] == before)
    xdo("key", "r")
    viewer.shows(picture, first, "R as at first")
    # An empty surface: the volume, whose box is seen.
    xdo("key", "shift+f", "b", *["ctrl+bracketleft"] * 10)
    viewer.until("no surface", lambda l: l["whole"] and l["triangles"] == 0)
    viewer.settle()
    box = on_screen(picture)
    xdo(*["click", 4] * 5)
    viewer.settle()
    if on_screen(picture) == box:
        fail("the wheel changed nothing")
    xdo("key", "f")
    viewer.shows(picture, box, "F of an empty surface is the volume")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0 or viewer.said():
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "ring_40x40x40_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x40x40", "--type", "uint8", "-o",
                        volume], check=True, stdout=subprocess.DEVNULL)
        drive(folder, volume)
        frames_the_surface(folder)
        ends_by_itself(folder, volume)
        if WHOLE:
            says_what_it_opens(folder, volume)
            exports_what_was_asked_for(folder)
        neighbours(folder)
        bad_file(folder)
        interrupted(folder, volume)
        cancelled(folder)


main()
