#!/usr/bin/python3
# ctest: heavy share
"""The window with a volume that is larger than --memory-budget. It is extracted part by part, and the
picture is that of the whole surface. Parts stay on the device as far as memory allows. The window
responds while the next surface is made, and reports what it cannot do."""
import math
import os
import signal
import subprocess
import tempfile
import time

from window import *

PANEL = 344
SIZE = 800, 500
PICTURE = f"{SIZE[0] - PANEL}x{SIZE[1]}+{PANEL}+0"


def generate(folder, kind, dims):
    path = os.path.join(folder, f"{kind}_{dims}_uint8.raw")
    subprocess.run([CUBIST, "generate", kind, "--dims", dims, "--type", "uint8", "-o", path], check=True,
                   stdout=subprocess.DEVNULL)
    return path


def launch(folder, volume, *arguments):
    viewer = Viewer(volume, "--size", f"{SIZE[0]}x{SIZE[1]}", *arguments, cwd=folder)
    viewer.window()
    line = viewer.until("the first surface", lambda l: l["triangles"] > 0)
    xdo("mousemove", 600, 250)
    return viewer, line


def quits(viewer):
    """Ends the window by a signal: on a busy machine, a key that is held long would end the next window, too."""
    viewer.process.send_signal(signal.SIGINT)
    code = viewer.end()
    if code != 130 or viewer.said() != "cubist: interrupted\n":
        fail(f"Ctrl-C ended with {code}: {viewer.said()}")


def step(viewer, key):
    """A step of the isovalue: the frame that shows it."""
    iso = viewer.last()["iso"]
    xdo("key", key)
    return viewer.until(f"{key} to move the isovalue from {iso}", lambda l: l["iso"] != iso)


def budget(volume):
    """The least budget in MiB, in which layers come in rows, beside the window's own memory and a
    fine picture."""
    ran = subprocess.run([CUBIST, "view", volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--memory-budget", "1",
                          "--exit-after", "1"], capture_output=True, text=True)
    need = re.search(r"needs ([\d.]+) MiB .* the budget is 1.0 MiB", ran.stderr)
    if ran.returncode != 4 or not need:
        fail(f"a budget of 1 MiB ended with {ran.returncode}: {ran.stderr}")
    return float(need[1]) + finer(SIZE)


def same_pictures(folder, volume, least):
    """Two isovalues, shown from the whole volume, and part by part with little and with much memory."""
    viewer, first = launch(folder, volume)
    if "slabs" in first:
        fail(f"without a budget there are no parts: {first}")
    viewer.settle()
    expected = [on_screen(PICTURE)]
    step(viewer, "ctrl+bracketright")
    viewer.settle()
    expected.append(on_screen(PICTURE))
    quits(viewer)
    for room in (12, 18) if WHOLE else (18,):
        viewer, line = launch(folder, volume, "--memory-budget", str(int(least + room)))
        parts = line["slabs"]
        if parts["count"] < 3 or parts["loaded"] < 3 or parts["bytes_read"] == 0:
            fail(f"not worked on part by part: {line}")
        for key in "active_cells", "vertices", "triangles":
            if line[key] != first[key]:
                fail(f"another surface: {line} in place of {first}")
        viewer.shows(PICTURE, expected[0], f"the first surface with {room} MiB")
        line = step(viewer, "ctrl+bracketright")
        viewer.shows(PICTURE, expected[1], f"the second surface with {room} MiB")
        line = step(viewer, "ctrl+bracketleft")
        viewer.shows(PICTURE, expected[0], f"the first surface again with {room} MiB")
        if room == 12:  # each part's lists are dropped: V shows the surface, and says why
            viewer.key("v")
            viewer.settle()
            found, text = on_screen(PICTURE), 3 * (SIZE[0] - PANEL) * 90
            if found == expected[0] or found[text:] != expected[0][text:]:
                fail("V in parts does not show the surface below a text")
            xdo("key", "shift+v")
            viewer.shows(PICTURE, expected[0], "the surface after V and Shift+V")
        if line["method_ms"] <= 0:
            fail(f"after three surfaces the method's time is not known: {line}")
        parts = line["slabs"]
        if room == 18 and parts["resident"] < 1:
            fail(f"no part stayed: {line}")
        if parts["resident"] + parts["loaded"] + parts["missed"] != parts["count"]:
            fail(f"parts do not add up: {line}")
        looks_like_a_surface(grab(os.path.join(folder, "window.png")), f"{SIZE[0] - PANEL}x400+{PANEL}+0")
        xdo("key", "n")
        every = viewer.until("every brick of every part", lambda l: l["active_bricks"] == l["bricks"])
        if every["slabs"]["missed"] or every["triangles"] != line["triangles"]:
            fail(f"N skips parts, or finds another surface: {every}")
        xdo("key", "n")
        line = viewer.until("bricks skipped again", lambda l: l["active_bricks"] < l["bricks"])
        if line["slabs"]["missed"] == 0 or line["triangles"] != every["triangles"]:
            fail(f"N skips no parts, or finds another surface: {line}")
        # Rotated, drawn in another style, and saved, without making it again.
        read = line["slabs"]
        xdo("mousedown", 1, "mousemove", 650, 280, "mouseup", 1, "key", "F12")
        file_appears(os.path.join(folder, os.path.basename(volume)[:-len(".raw")] + ".png"))
        os.remove(os.path.join(folder, os.path.basename(volume)[:-len(".raw")] + ".png"))
        xdo("key", "ctrl+e", "Return")
        mesh = file_appears(os.path.join(folder, os.path.basename(volume)[:-len(".raw")] + ".ply"))
        subprocess.run([CUBIST, "extract", volume, "--iso", str(line["iso"]), "-o", mesh + "2.ply"], check=True,
                       stdout=subprocess.DEVNULL)
        if subprocess.run(["cmp", mesh, mesh + "2.ply"]).returncode != 0:
            fail("the exported mesh is not that of cubist extract")
        os.remove(mesh)
        viewer.settle()
        if viewer.last()["slabs"] != read:
            fail(f"a turn, a picture or an export made another surface: {viewer.last()}")
        for key in "g", "g":  # rays and back
            viewer.key(key)
            viewer.settle()
        xdo("mousedown", 1, "mousemove", 600, 320, "mouseup", 1)
        viewer.settle()  # the rays of before do not make it draw on
        if viewer.last()["draft"]:
            fail(f"triangles after rays stay a draft: {viewer.last()}")
        quits(viewer)


def in_rows(folder, volume, least):
    """Layers that come in rows are shown, too: where the surfaces have no room beside the parts, parts do not
    become smaller and smaller."""
    viewer, line = launch(folder, volume, "--memory-budget", str(int(least + 5)))
    if line["slabs"]["count"] < 2 * 199:
        fail(f"layers did not come in rows: {line}")
    quits(viewer)


def lives_on(folder, volume, least):
    """While a surface is made, the window draws, takes keys, and stops work that is not needed any more."""
    viewer, line = launch(folder, volume, "--memory-budget", str(int(least + 13)))
    for _ in range(5):
        xdo("key", "bracketright")
    last = viewer.until("the last of five steps", lambda l: l["iso"] > line["iso"] + 4.5 * 0.01 * 255)
    if not any(l["iso_asked"] > l["iso"] for l in viewer.lines()):
        fail("every frame shows the isovalue that is asked for, although surfaces take time")
    xdo("key", "Right")  # no neighbour
    xdo("windowsize", viewer.window(), 700, 460)
    viewer.until("the new size", lambda l: (l["width"], l["height"]) == (700, 460))
    xdo("key", "space")
    viewer.until("the sweep", lambda l: l["iso"] != last["iso"])
    start = time.monotonic()
    viewer.process.send_signal(signal.SIGINT)
    code = viewer.end()
    if code != 130 or time.monotonic() - start > 5:
        fail(f"Ctrl-C ended with {code} after {time.monotonic() - start:.1f} s: {viewer.said()}")


def export_awaits(folder, volume, least):
    """An export that is requested while the first surface is being made is written after that."""
    viewer = Viewer(volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--memory-budget", str(int(least + 13)), "--iso", "300",
                    cwd=folder)
    viewer.window()
    empty = viewer.until("an empty surface", lambda l: l["whole"])
    if empty["triangles"]:
        fail(f"not empty: {empty}")
    xdo("mousemove", 600, 250, "key", "--delay", 1, "BackSpace", "ctrl+e", "Return")
    mesh = file_appears(os.path.join(folder, os.path.basename(volume)[:-len(".raw")] + ".ply"))
    last = viewer.last()
    with open(mesh, "rb") as file:
        if last["triangles"] == 0 or f"element face {last['triangles']}".encode() not in file.read(400):
            fail(f"another mesh than that of {last}")
    os.remove(mesh)
    quits(viewer)


def cut_short(folder, volume, least):
    """The file shrinks: a message says so, and the surface stays. After the repair, work continues."""
    viewer, first = launch(folder, volume, "--memory-budget", str(int(least + 13)))
    with open(volume, "rb") as file:
        whole = file.read()
    os.truncate(volume, len(whole) // 2)
    xdo("key", "ctrl+bracketleft")  # a larger ball: into parts that have not been read yet
    end = time.monotonic() + PATIENCE
    while not complains():
        if time.monotonic() > end:
            fail("the file was cut short without a complaint")
        time.sleep(0.1)
    looks_like_a_surface(grab(os.path.join(folder, "window.png")), f"{SIZE[0] - PANEL}x400+{PANEL}+0")
    if viewer.last()["iso"] != first["iso"]:
        fail(f"half a surface is shown: {viewer.last()}")
    with open(volume, "wb") as file:
        file.write(whole)
    xdo("key", "ctrl+r")
    viewer.until("the mended file", lambda l: l["triangles"] != first["triangles"])
    quits(viewer)


def too_large(folder):
    """A surface that cannot be made: a message says so, the picture of the previous one stays, and
    nothing acts as if more than that picture were there."""
    volume = generate(folder, "noise", "128x128x120")
    viewer, first = launch(folder, volume, "--memory-budget", str(math.ceil(budget(volume)) + 4), "--iso", "254.5")
    if "slabs" not in first:
        fail(f"not worked on part by part: {first}")
    for _ in range(2):
        xdo("key", "ctrl+bracketleft")
    end = time.monotonic() + PATIENCE
    while not complains():
        if time.monotonic() > end:
            fail(f"a surface without room came without a complaint: {viewer.last()}")
        time.sleep(0.1)
    before = viewer.last()
    xdo("key", "F12", "windowsize", viewer.window(), 700, 460)
    time.sleep(1)
    if any(name.startswith(os.path.basename(volume)[:-len(".raw")]) and name.endswith(".png") for name in os.listdir(folder)):
        fail("a picture of a surface that is not there was written")
    if viewer.last()["width"] != before["width"]:
        fail(f"in a window of another size there is no picture, and no surface: {viewer.last()}")
    xdo("key", "ctrl+bracketright", "ctrl+bracketright")
    viewer.until("a surface again", lambda l: l["width"] == 700 and l["triangles"] == first["triangles"])
    quits(viewer)


def says_why_nothing_is_shown(folder):
    """No surface fits from the start: the message that says so stays, whatever becomes of the picture."""
    volume = generate(folder, "noise", "128x128x120")
    viewer = Viewer(volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--memory-budget", str(math.ceil(budget(volume)) - 4),
                    "--iso", "128", cwd=folder)
    viewer.window()
    end = time.monotonic() + PATIENCE
    while not complains():
        if time.monotonic() > end:
            fail("a surface without room came without a complaint")
        time.sleep(0.1)
    time.sleep(2)
    if not complains():
        fail("the message that there is no surface did not stay")
    quits(viewer)


def writes_before_it_quits(folder, volume, least):
    """Quitting waits for the mesh of the last isovalue, whose parts are still to be made."""
    viewer, line = launch(folder, volume, "--memory-budget", str(int(least + 13)))
    viewer.settle()
    xdo("key", "--delay", 1, "ctrl+bracketright", "ctrl+e", "Return", "ctrl+q")
    code = viewer.end()
    last = viewer.last()
    if code != 0 or viewer.said() or last["iso"] == line["iso"]:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()} {last}")
    mesh = os.path.join(folder, os.path.basename(volume)[:-len(".raw")] + ".ply")
    with open(mesh, "rb") as file:
        head = file.read(400)
    if f"element face {last['triangles']}".encode() not in head:
        fail(f"another mesh than that of {last}: {head}")
    os.remove(mesh)


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = generate(folder, "sphere", "192x192x200")
        least = budget(volume)
        same_pictures(folder, volume, least)
        lives_on(folder, volume, least)
        writes_before_it_quits(folder, volume, least)
        if WHOLE:
            in_rows(folder, volume, least)
            export_awaits(folder, volume, least)
            cut_short(folder, volume, least)
            too_large(folder)
            says_why_nothing_is_shown(folder)


main()
