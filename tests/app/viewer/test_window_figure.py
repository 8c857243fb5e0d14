# A picture from the view on the screen: F12, its size, and the command that Ctrl+Shift+C copies, which makes
# the same file.
# ctest: device once heavy
import os
import re
import shutil
import subprocess
import tempfile
import time

from storm import xinput
from window import *

PANEL = 344


def copied(viewer, person, before):
    """The line of Ctrl+Shift+C, once it is another than before."""
    xdo("key", "ctrl+shift+c")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        lines = re.findall(r"^cubist: copied: (.*)\n", viewer.said(), re.M)
        if lines and lines[-1] != before:
            break
        time.sleep(0.05)
    else:
        fail(f"nothing was copied: {viewer.said()}")
    pasted = person.paste(PATIENCE)
    if pasted != lines[-1].encode():
        fail(f"the clipboard has {pasted}, not {lines[-1]}")
    return lines[-1]


def written(path):
    """The bytes of the file, once the whole is there: it gets its name at the end."""
    with open(file_appears(path), "rb") as file:
        return file.read()


def same_file(viewer, person, folder, stem, number, before, key="F12"):
    """Takes a picture, and makes it again by the copied line in another folder."""
    viewer.settle()
    line = copied(viewer, person, before)
    xdo("key", key)
    picture = os.path.join(folder, stem + (f"-{number}.png" if number > 1 else ".png"))
    expected = written(picture)
    elsewhere = os.path.join(folder, "elsewhere")
    os.mkdir(elsewhere)
    ran = subprocess.run(["sh", "-c", line], cwd=elsewhere, capture_output=True, text=True,
                         env={**os.environ, "PATH": os.path.dirname(CUBIST) + ":" + os.environ["PATH"]})
    if ran.returncode != 0 or os.listdir(elsewhere) != [f"{stem}.png"]:
        fail(f"{line} ended with {ran.returncode}: {ran.stderr}{os.listdir(elsewhere)}")
    if written(os.path.join(elsewhere, f"{stem}.png")) != expected:
        found = pixels(os.path.join(elsewhere, f"{stem}.png"))[2]
        apart = differing(found, pixels(picture)[2])
        fail(f"{line}: another picture than the window's, in {apart} pixels")
    shutil.rmtree(elsewhere)
    return line


def figures(folder, person):
    stem = "it's a $ring"
    volume = os.path.join(folder, stem + ".raw")
    subprocess.run([CUBIST, "generate", "torus", "--dims", "40x30x50", "--type", "uint16", "-o", volume], check=True,
                   stdout=subprocess.DEVNULL)
    viewer = Viewer(os.path.basename(volume), "--dims", "40x30x50", "--type", "uint16", "--endian", "little", "--spacing",
                    "1,1.1,0.7", "--size", "700x500", "--verbose", "--view", "-20,30", "--zoom", "1.3", "--background",
                    "#fdf6e3", "--color", "teal", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 500, 250)
    viewer.settle()
    # The flat background is in the window and in the file.
    corner = on_screen("1x1+690+10")
    if corner != bytes((0xfd, 0xf6, 0xe3)):
        fail(f"the window's background is {tuple(corner)}")
    line = same_file(viewer, person, folder, stem, 1, None)
    for word in ("--type uint16", "--spacing 1,1.1,0.7", f"--size {700 - PANEL}x500", "--background '#fdf6e3'", "--color '#3f9c9c'",
                 r"'it'\''s a $ring.png'"):
        if word not in line:
            fail(f"{word} is not in {line}")

    # Everything that keys and mouse change is in the line: turned, moved, rolled, zoomed to the cursor, another
    # isovalue and axis, and every style.
    xdo("mousemove", 480, 200, "mousedown", 1, "mousemove", 560, 260, "mousemove", 571, 213, "mouseup", 1)
    xdo("keydown", "shift", "mousemove", 480, 200, "mousedown", 1, "mousemove", 497, 231, "mouseup", 1, "keyup", "shift")
    xdo("keydown", "ctrl", "mousemove", 600, 100, "mousedown", 1, "mousemove", 610, 160, "mouseup", 1, "click", 4, "click", 4, "keyup", "ctrl")
    xdo("key", "bracketright", "u", "b", "t")
    line = same_file(viewer, person, folder, stem, 2, line)
    if not all(word in line for word in ("--up z", "--box", "--flat")) or "--ortho" in line:
        fail(f"the line lacks what was chosen: {line}")
    xdo("key", "k", "mousemove", 480, 200, "mousedown", 1, "mousemove", 600, 310, "mouseup", 1)
    xdo("key", "5", "e", "t", "b", "l", "y", *["shift+b"] * 3)
    line = same_file(viewer, person, folder, stem, 3, line)
    if not all(word in line for word in ("--ortho", "--edges", "--light off", "--look clay", "--background white")) or "--flat" in line:
        fail(f"the line lacks what was chosen: {line}")

    # Shift+F12: larger pictures, of several bands.
    viewer.key("shift+F12", "shift+F12", "e", "l", "y", "shift+b", "shift+b", "Tab")
    viewer.settle()
    line = same_file(viewer, person, folder, stem, 4, line)
    if "--size 2800x2000" not in line or "--background '#fdf6e3'" not in line or pixels(os.path.join(folder, f"{stem}-4.png"))[:2] != (2800, 2000):
        fail(f"not 4 times as large: {line}")
    viewer.key("shift+F12", "shift+F12")
    viewer.settle()
    if "--size 700x500" not in copied(viewer, person, line):
        fail("Shift+F12 does not return to the window's size")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def generated(folder, person):
    """The volume that the window opens by itself."""
    viewer = Viewer("--size", "400x300", "--verbose", "--up", "-x", "--ortho", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 300, 150)
    line = same_file(viewer, person, folder, "cubist", 1, None)
    if not line.startswith("cubist render --iso ") or "--up -x" not in line:
        fail(f"the line of the generated volume: {line}")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    if not xinput.X or not xinput.TEST:
        print("skipped: the libraries of xdotool are not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder, Display():
        person = xinput.Person()
        figures(folder, person)
        generated(folder, person)
        person.close()
    return 0


sys.exit(main())
