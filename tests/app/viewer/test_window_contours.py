# Several contours in a window of 800x600: keys and the panel, steps only of the contour that changes, the same picture
# as render's, undo, sessions and last views, a volume in parts.
# ctest: device once heavy share
import json
import os
import subprocess
import tempfile

from window import *

PICTURE = "400x480+370+20"  # without a message of a line
ABOVE = 3 * 400 * 440  # bytes of its part above a long message
ROW, HISTOGRAM = 97, 175  # the middle of the first contour's row in the panel; the histogram below two rows
VOLUME = "nested.raw", "--dims", "40x36x44", "--type", "uint8"
SESSION = "nested.cubist.json"


def opened(folder, *arguments):
    viewer = Viewer(*arguments, "--size", "800x600", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 700, 590)
    viewer.settle()
    return viewer


def quits(viewer):
    xdo("key", "ctrl+q")
    if viewer.end() != 0 or viewer.said():
        fail(f"Ctrl+Q: {viewer.said()}")


def made(lines):
    return sorted({line["iso"] for line in lines if line["extracted"]})


def after(viewer, *words):
    """The isovalues of the surfaces that are made after these words of xdotool, and the picture."""
    before = len(viewer.lines())
    xdo(*words)
    xdo("mousemove", 700, 590)
    time.sleep(0.3)
    viewer.settle()
    return made(viewer.lines()[before:]), on_screen(PICTURE)


def expect(what, found, wanted):
    if found != wanted:
        fail(f"{what} makes surfaces at {found}, not at {wanted}")


def contours_of(path):
    """The isovalues in a session."""
    with open(path) as file:
        return [float(word) for word in json.load(file)["options"]["iso"].split(",")]


def keys(viewer):
    """Keys add, select, move, hide and remove contours. Only those that change are made."""
    alone = on_screen(PICTURE)
    (second,), two = after(viewer, "key", "Insert")
    first = made(viewer.lines())[0]
    if two == alone or second <= first:
        fail(f"Insert added a contour at {second} to that at {first}")
    third = after(viewer, "key", "bracketright", "key", "bracketright")[0][-1]
    if third <= second:
        fail(f"] moved the new contour from {second} to {third}")
    expect("PageUp", after(viewer, "key", "Prior")[0], [])
    moved, both = after(viewer, "key", "bracketright")
    if len(moved) != 1 or not first < moved[0] < second:
        fail(f"] made {moved}, not the first contour alone")
    isos, hidden = after(viewer, "key", "o")
    expect("hiding", isos, [])
    isos, shown = after(viewer, "key", "o")
    expect("showing", isos, [])
    if hidden == both or shown != both:
        fail("O does not hide the contour, or does not show it again")
    isos, left = after(viewer, "key", "Delete")
    expect("Delete", isos, [])
    if left == both:
        fail("Delete left the picture as it was")
    isos, again = after(viewer, "key", "ctrl+z")
    expect("undo", isos, moved)
    if again != both:
        fail("Ctrl+Z after Delete: another picture than before")
    isos, redone = after(viewer, "key", "ctrl+y")
    expect("redo", isos, [])
    if redone != left:
        fail("Ctrl+Y: another picture than after Delete")
    expect("Delete of the only contour", after(viewer, "key", "Delete")[0], [])
    after(viewer, "key", "ctrl+z")
    return [moved[0], third]


def mouse(viewer, isos):
    """In the panel: a click on a row or a marker selects, the eye hides, Ctrl+click adds, the cross removes."""
    expect("a click on the second row", after(viewer, "mousemove", 80, ROW + 22, "click", 1)[0], [])
    moved, _ = after(viewer, "key", "bracketleft")
    if len(moved) != 1 or not isos[0] < moved[0] < isos[1]:
        fail(f"[ after a click on the second row of {isos} made {moved}")
    before = on_screen(PICTURE)
    found, hidden = after(viewer, "mousemove", 291, ROW, "click", 1)
    expect("a click on the eye", found, [])
    if hidden == before:
        fail("a click on the eye hides nothing")
    after(viewer, "mousemove", 291, ROW, "click", 1)
    found, three = after(viewer, "mousemove", 290, HISTOGRAM, "keydown", "ctrl", "sleep", 1, "click", 1, "sleep", 1,
                         "keyup", "ctrl")
    if len(found) != 1 or found[0] <= moved[0]:
        fail(f"Ctrl+click on the right of the histogram made {found}")
    found, two = after(viewer, "mousemove", 312, ROW + 44, "click", 1)
    expect("the cross", found, [])
    if two != before or three == before:
        fail("Ctrl+click shows no contour more, or the cross does not remove it")
    return [isos[0], moved[0]]


def saved(folder, viewer, isos):
    """Session, picture, and render's picture of the session."""
    viewer.key("Prior")
    viewer.settle()
    viewer.key("ctrl+s")
    viewer.key("F12")
    path = file_appears(os.path.join(folder, SESSION))
    shot = pixels(file_appears(os.path.join(folder, "nested.png")))
    if contours_of(path) != isos:
        fail(f"the session has {contours_of(path)}, the window {isos}")
    subprocess.run([CUBIST, "render", SESSION, "-o", "r.png", *VALIDATE], cwd=folder, check=True, capture_output=True)
    if pixels(os.path.join(folder, "r.png")) != shot:
        fail("render's picture of the session is not the window's")
    picture = on_screen(PICTURE)
    quits(viewer)
    for what, arguments in ("last view", VOLUME), ("session", ["--session", SESSION]):
        viewer = opened(folder, *arguments)
        xdo("key", "Escape")
        if after(viewer, "mousemove", 700, 590)[1] != picture:
            fail(f"the {what} is not the picture that was left")
        expect(f"the {what}", made(viewer.lines()), isos)
        if what == "session":
            transparent(viewer)
        quits(viewer)


def transparent(viewer):
    """A transparent contour is drawn by rays, and triangles cannot be chosen while it is shown."""
    after(viewer, "mousemove", 230, ROW, "click", 1)
    viewer.until("a frame of rays for an opacity below 1", lambda l: l["draw"] == "rays")  # kernels may take a while
    viewer.settle()
    after(viewer, "key", "g")
    if viewer.last()["draw"] != "rays":
        fail("G draws triangles of a transparent contour")
    after(viewer, "key", "o", "key", "g")
    viewer.until("triangles where the transparent contour is hidden", lambda l: l["draw"] == "triangles")
    viewer.settle()
    after(viewer, "key", "ctrl+z", "key", "ctrl+z", "key", "ctrl+z")


def by_rays(folder):
    """Rays meet the contours that are shown, also after another number of them is: as many as render's."""
    viewer = opened(folder, "--session", SESSION, "--draw", "rays", "--no-config")
    for hidden in [], ["--hide", "1"]:
        ran = subprocess.run([CUBIST, "render", SESSION, "--draw", "rays", *hidden, "-o", "r.png", *VALIDATE], cwd=folder,
                             check=True, capture_output=True, text=True)
        hits = int(re.search(r"([\d,]+) hits", ran.stdout + ran.stderr)[1].replace(",", ""))
        if viewer.last()["hits"] != hits:
            fail(f"render {hidden} has {hits} hits, the window {viewer.last()}")
        after(viewer, "key", "o")
    quits(viewer)


def layered(folder):
    """Transparent contours: frames draw them layer by layer, and the picture at rest is that of a file."""
    viewer = opened(folder, *VOLUME, "--iso", "100,130,160", "--opacity", "0.3,0.5,1", "--background", "white", "--no-config")
    if viewer.last()["draw"] != "rays" or viewer.last()["draft"]:
        fail(f"transparent contours end with {viewer.last()}")
    for file in "nested.png", "nested-2.png":
        viewer.key("F12")
        shot = file_appears(os.path.join(folder, file))
        panel = 800 - pixels(shot)[0]
        viewer.settle()
        screen = os.path.join(folder, "screen.png")
        subprocess.run(["import", "-window", "root", screen], check=True)
        if pixels(shot, f"400x480+{370 - panel}+20") != pixels(screen, PICTURE):
            fail("transparent contours in the window are not those of its screenshot")
        after(viewer, "key", "8")
    viewer.key("ctrl+s")
    viewer.key("F12")
    file_appears(os.path.join(folder, SESSION))
    shot = pixels(file_appears(os.path.join(folder, "nested-3.png")))
    for samples, same in ("4", True), ("1", False):
        subprocess.run([CUBIST, "render", SESSION, "--samples", samples, "-o", "r.png", *VALIDATE], cwd=folder, check=True,
                       capture_output=True)
        if (pixels(os.path.join(folder, "r.png")) == shot) != same:
            fail(f"with {samples} samples, render's picture of transparent contours: the window's is {same}")
    quits(viewer)


def in_parts(folder):
    """A volume in parts: the same pictures as of the whole one; a contour without memory is refused alone."""
    gyroid = os.path.join(folder, "gyroid.raw")
    subprocess.run([CUBIST, "generate", "gyroid", "--dims", "128", "-o", gyroid], check=True, stdout=subprocess.DEVNULL)
    arguments = gyroid, "--dims", "128", "--type", "uint8", "--iso", "60,150", "--no-config", "--light", "off", "--samples", "1"
    viewer = opened(folder, *arguments)
    whole = [on_screen(PICTURE), after(viewer, "key", "bracketright")[1]]
    quits(viewer)
    for budget in range(44, 20, -4):
        viewer = opened(folder, *arguments, "--memory-budget", str(budget))
        if "slabs" in viewer.last():
            break
        quits(viewer)
    parts = [on_screen(PICTURE), after(viewer, "key", "bracketright")[1]]
    if "slabs" not in viewer.last() or parts != whole:
        fail(f"in parts, within {budget} MiB, the pictures differ: {viewer.last()}")
    for added in range(1, 7):
        before = on_screen(PICTURE)
        refused = after(viewer, "key", "Insert")[1]
        if complains():
            break
    if not complains() or refused[:ABOVE] != before[:ABOVE]:
        fail("no contour is refused for lack of memory, or the others do not stay")
    after(viewer, *["key", "Delete"] * added, "key", "Prior")
    if after(viewer, "key", "bracketleft")[1] != whole[0]:
        fail("after the added contours were removed the picture is another one")
    quits(viewer)


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
        subprocess.run([CUBIST, "generate", "gyroid", "--dims", "40x36x44", "-o", os.path.join(folder, VOLUME[0])],
                       check=True, stdout=subprocess.DEVNULL)
        viewer = opened(folder, *VOLUME)
        inner = os.path.join(folder, "layers")
        os.mkdir(inner)
        os.symlink(os.path.join(folder, VOLUME[0]), os.path.join(inner, VOLUME[0]))
        saved(folder, viewer, mouse(viewer, keys(viewer)))
        if WHOLE:
            layered(inner)
            by_rays(folder)
            in_parts(folder)


main()
