# Files and the window: the export form, the open dialog and recent files, the form for raw files, a dropped
# file and a dropped folder, and --watch; all in one window.
# ctest: device once heavy
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.join(os.environ["CUBIST_SOURCE"], "tests"), "storm"))
from window import *
from xinput import Person, X

CROP = "450x480+348+0" # the picture without axes and scale bar


def generate(kind, path, dims):
    """Its triangles, as the command counts them, and its bytes."""
    subprocess.run([CUBIST, "generate", kind, "--dims", dims, "--type", "uint8", "-o", path], check=True, stdout=subprocess.DEVNULL)
    ran = subprocess.run([CUBIST, "extract", path, "--iso", "auto", "--json"], check=True, capture_output=True)
    with open(path, "rb") as file:
        return json.loads(ran.stdout)["triangles"], file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def shows(viewer, triangles, what):
    return viewer.until(what, lambda l: l["whole"] and l["triangles"] == triangles)


def await_complaint(there, what):
    end = time.monotonic() + PATIENCE
    while complains() != there:
        if time.monotonic() > end:
            fail(f"{what}: the error {'never came' if there else 'stays'}")
        time.sleep(0.1)


def await_raw_form():
    """It has buttons that are lit, below those of the panel."""
    end = time.monotonic() + PATIENCE
    while on_screen("300x100+190+130").count(bytes((110, 88, 56))) < 500:
        if time.monotonic() > end:
            fail("the form for raw files never came")
        time.sleep(0.05)


def await_selected(level):
    """The row at this level has the bar of the selected one at its left."""
    end = time.monotonic() + PATIENCE
    while bytes((240, 180, 92)) not in on_screen(f"6x4+119+{level - 2}"):
        if time.monotonic() > end:
            fail(f"no row is selected at {level}")
        time.sleep(0.05)


def exports(folder, stem, triangles):
    """Six formats, each by its row; a name that is typed says its own."""
    for extension in ("ply", "stl", "obj", "glb", "vtp", "off"):
        xdo("key", "ctrl+e", *(["Down"] if extension != "ply" else []), "Return")
        with open(file_appears(os.path.join(folder, f"{stem}.{extension}")), "rb") as file:
            head = file.read(4000)
        start = {"ply": b"ply\n", "stl": b"", "obj": b"#", "glb": b"glTF", "vtp": b"<?xml", "off": b"OFF"}[extension]
        if not head.startswith(start):
            fail(f"{stem}.{extension} begins with {head[:20]}")
    xdo("key", "ctrl+e")
    xdo("type", "--delay", 1, "other.stl")
    xdo("key", "Return")
    with open(file_appears(os.path.join(folder, "other.stl")), "rb") as file:
        found = int.from_bytes(file.read(84)[80:], "little")
    if found != triangles:
        fail(f"other.stl has {found} triangles, not {triangles}")
    # A folder that is not there is said in the form, which stays; Esc closes it and nothing is written.
    xdo("key", "ctrl+e")
    xdo("type", "--delay", 1, "none/x")
    xdo("key", "Return")
    await_complaint(True, "no folder")
    before = sorted(os.listdir(folder))
    xdo("key", "Escape")
    await_complaint(False, "a closed form")
    if sorted(os.listdir(folder)) != before:
        fail("a form that was closed has written a file")


def opens(viewer, folder, torus, ball):
    """By a typed path, from the recent files, from the list with keys alone."""
    xdo("key", "ctrl+o")
    xdo("type", "--delay", 1, "b")
    xdo("key", "Tab") # "b/"
    time.sleep(0.3)
    xdo("type", "--delay", 1, "ball")
    xdo("key", "Return")
    shows(viewer, ball, "the ball by a typed path")
    xdo("key", "ctrl+o", "Return")
    shows(viewer, torus, "the torus, which is the most recent other file")
    xdo("key", "ctrl+o")
    xdo("type", "--delay", 1, "b")
    xdo("key", "Return")     # lists the folder
    xdo("key", "Down", "Up") # of its rows "../" is selected, then the next and this one
    xdo("key", "Return")     # the folder above, with b selected
    xdo("key", "Return", "Down", "Down", "Return")
    shows(viewer, ball, "the ball in the list")
    xdo("key", "ctrl+o", "BackSpace", "Escape")
    with open(os.path.join(folder, "state", "cubist", "recent")) as file:
        recent = [os.path.relpath(line.rstrip("\n"), os.path.realpath(folder)) for line in file]
    if recent != ["b/ball_20x20x20_uint8.raw", "torus_24x24x24_uint8.raw"]:
        fail(f"the recent files are {recent}")
    xdo("mousemove", 300, 206, "key", "ctrl+o", "Down")
    await_selected(225)
    xdo("mousedown", 1)
    await_selected(206)
    xdo("mouseup", 1, "key", "Return", "mousemove", 600, 300)
    shows(viewer, torus, "the torus, by a click on the first row")


def raw_form(viewer, folder, gyroid):
    """A raw file with a header of 352 bytes: the first guess is right, and it can be reloaded."""
    xdo("key", "ctrl+o")
    xdo("type", "--delay", 1, "scan")
    xdo("key", "Return")
    await_raw_form()
    xdo("key", "Return")
    shows(viewer, gyroid, "the raw file")
    frames = len(viewer.lines())
    xdo("key", "F5")
    viewer.until("the raw file once more", lambda l: l["frame"] > frames and l["whole"] and l["triangles"] == gyroid)
    if complains():
        fail("the raw file cannot be loaded again")


def drops(viewer, person, folder, torus, ball):
    """As a file manager does it, by XDND."""
    window = int(viewer.window())
    for path, triangles, what in (("torus_24x24x24_uint8.raw", torus, "a dropped file"), ("b", ball, "a dropped folder")):
        if not person.drop(window, os.path.join(folder, path), PATIENCE):
            fail(f"{what} was never taken")
        shows(viewer, triangles, what)
    person.drop(window, os.path.join(folder, "scan.raw"), PATIENCE)
    await_raw_form()
    xdo("key", "Escape")
    await_complaint(True, "a raw file without an answer")
    person.drop(window, os.path.join(folder, "torus_24x24x24_uint8.raw"), PATIENCE)
    shows(viewer, torus, "another dropped file")
    await_complaint(False, "another dropped file")


def watches(viewer, folder, path, torus, ring, other):
    """A file that is written again is shown, from the same side; one that cannot be read changes nothing."""
    xdo("key", "3")
    xdo("mousemove", 600, 300)
    viewer.settle()
    expected = on_screen(CROP)
    write(path, ring[:9000])
    await_complaint(True, "half a file")
    if viewer.last()["triangles"] != torus:
        fail(f"half a file is shown: {viewer.last()}")
    write(path, other[1])
    shows(viewer, other[0], "the other contents")
    await_complaint(False, "the other contents")
    os.rename(write(path + ".new", ring), path)
    shows(viewer, torus, "the first contents again, in another file")
    viewer.shows(CROP, expected, "the first contents again")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        stem = "torus_24x24x24_uint8"
        path = os.path.join(folder, f"{stem}.raw")
        os.mkdir(os.path.join(folder, "b"))
        write(os.path.join(folder, "b", "a_9x9x9_uint8.raw"), b"x" * 100)
        torus, ring = generate("torus", path, "24x24x24")
        ball, _ = generate("sphere", os.path.join(folder, "b", "ball_20x20x20_uint8.raw"), "20x20x20")
        away = os.path.join(folder, "b", ".hidden_")
        gyroid, samples = generate("gyroid", away + "32x32x20_uint8.raw", "32x32x20")
        write(os.path.join(folder, "scan.raw"), bytes(352) + samples)
        other = generate("gyroid", away + "24x24x24_uint8.raw", "24x24x24")
        viewer = Viewer(path, "--watch", "--size", "800x600", cwd=folder, XDG_STATE_HOME=os.path.join(folder, "state"))
        viewer.window()
        person = X and Person() # it turns the repeat of held keys off
        shows(viewer, torus, "the first surface")
        xdo("mousemove", 600, 300)
        exports(folder, stem, torus)
        opens(viewer, folder, torus, ball)
        raw_form(viewer, folder, gyroid)
        if X:
            drops(viewer, person, folder, torus, ball)
        else:
            print("not tried: libX11.so.6, to drop files, is not here")
            xdo("key", "ctrl+o", "Return")
        shows(viewer, torus, "the torus")
        watches(viewer, folder, path, torus, ring, other)
        xdo("key", "ctrl+q")
        code = viewer.end()
        if code != 0 or viewer.said():
            fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


main()
