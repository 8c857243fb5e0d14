# Sessions, undo and the configuration, in windows of 800x600: Ctrl+S, --session, Ctrl+Z and Ctrl+Y, other keys;
# sessions that are opened in the window, and those whose volume is missing.
# ctest: device once heavy long
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.join(os.environ["CUBIST_SOURCE"], "tests"), "storm"))
from window import *
from xinput import Person, X

PICTURE = "400x500+370+20"
SESSION = "ring.cubist.json"
MESSAGE = "420x70+350+530"
QUESTION = "300x40+360+120"


def drag(x, y, dx, dy, key=None):
    words = ["mousemove", x, y, "mousedown", 1, "mousemove", x + dx // 2, y + dy, "mousemove", x + dx, y + dy // 2, "mouseup", 1]
    xdo(*(["keydown", key, *words, "keyup", key] if key else words))


def text_of(path):
    with open(path) as file:
        return file.read()


def written(path, before=None):
    """The text of the file, once there is one that differs from the text before."""
    end = time.monotonic() + PATIENCE
    while not os.path.exists(path) or text_of(path) == before:
        if time.monotonic() > end:
            fail(f"{path} was not written")
        time.sleep(0.05)
    return text_of(path)


def quits(viewer):
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def opened(folder, *arguments):
    viewer = Viewer(*arguments, cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 700, 590)
    viewer.settle()
    return viewer


def undo(viewer):
    """A drag, held keys, turns of the wheel and a key are one step each."""
    pictures = [on_screen(PICTURE)]
    isos = [viewer.last()["iso"]]

    def step(what):
        xdo("mousemove", 700, 590)
        end = time.monotonic() + PATIENCE
        while on_screen(PICTURE) == pictures[-1] and time.monotonic() < end:
            time.sleep(0.1)
        viewer.settle()
        pictures.append(on_screen(PICTURE))
        isos.append(viewer.last()["iso"])
        if pictures[-1] == pictures[-2]:
            fail(f"{what} does not change the picture")

    drag(500, 250, 60, 40)
    step("a drag")
    xdo("mousemove", 500, 250, "click", "--repeat", 4, "--delay", 30, 4)
    step("the wheel")
    xdo("key", "t")
    step("T")
    xdo("mousemove", 100, 160, "mousedown", 1, "mousemove", 120, 160, "mousemove", 150, 160, "mouseup", 1)
    viewer.until("the marker of the histogram", lambda l: l["iso"] != isos[-1])  # before the mouse leaves it
    step("the marker of the histogram")
    xdo("key", "u")
    step("U")

    def shows(index, key):
        xdo("key", key)
        viewer.shows(PICTURE, pictures[index], f"{key} to step {index}")
        if abs(viewer.last()["iso"] - isos[index]) > 1e-9 * abs(isos[index]):
            fail(f"{key}: the isovalue is {viewer.last()['iso']}, not {isos[index]}")

    for index in range(len(pictures) - 2, -1, -1):
        shows(index, "ctrl+z")
    xdo("key", "ctrl+z")  # nothing is left
    shows(0, "ctrl+z")
    for index in range(1, len(pictures)):
        shows(index, "ctrl+y" if index % 2 else "ctrl+shift+z")
    for _ in range(2):
        xdo("key", "ctrl+z")
    viewer.shows(PICTURE, pictures[-3], "two steps back")
    xdo("key", "b")
    viewer.settle()
    boxed = on_screen(PICTURE)
    xdo("key", "ctrl+y")  # the new step has dropped those after it
    viewer.settle()
    if on_screen(PICTURE) != boxed:
        fail("a new step did not drop what could be redone")


def session(folder):
    """Saved, opened and saved again it has the same bytes; the window, its picture and render's are the same."""
    viewer = opened(folder, "ring.raw", "--dims", "40x30x50", "--type", "uint16", "--size", "800x600", "--color", "teal")
    undo(viewer)
    drag(600, 100, 10, 60, "ctrl")
    xdo("mousemove", 600, 300, "click", 4, "key", "y", "x", "k", "l", "bracketright", "mousemove", 700, 590)
    viewer.settle()
    shown = on_screen(PICTURE)
    xdo("key", "ctrl+s")
    first = written(os.path.join(folder, SESSION))
    xdo("key", "F12")
    file_appears(os.path.join(folder, "ring.png"))
    viewer.settle()
    xdo("key", "5", "ctrl+s")  # its own session is replaced
    second = written(os.path.join(folder, SESSION), first)
    if not json.loads(second)["options"].get("ortho") or os.path.exists(os.path.join(folder, "ring-2.cubist.json")):
        fail("Ctrl+S does not write its own session again")
    xdo("key", "ctrl+z", "ctrl+s")
    if written(os.path.join(folder, SESSION), second) != first:
        fail("after undo it is another session")
    quits(viewer)
    saved = json.loads(first)
    saved["of a newer one"] = [1.5]
    saved["options"]["newer"] = "x"
    os.mkdir(os.path.join(folder, "moved"))
    path = os.path.join(folder, "moved", "own.cubist.json")
    with open(path, "w") as file:
        json.dump(saved, file)
    before = first
    for _ in range(2):  # from the one that was edited, and from the one that the window wrote
        viewer = opened(folder, "--session", path)
        viewer.shows(PICTURE, shown, "the picture of the session")
        text = text_of(path)
        xdo("key", "ctrl+s")
        if before is first:
            before = written(path, text)
        else:
            xdo("key", "F12")
            file_appears(os.path.join(folder, "ring-2.png"))
        quits(viewer)
    after = json.loads(text_of(path))
    if text_of(path) != before or after.pop("of a newer one") != [1.5] or after["options"].pop("newer") != "x":
        fail(f"save, load, save: {before}, then {text_of(path)}")
    after["volume"]["beside"] = saved["volume"]["beside"]
    if after != json.loads(first):
        fail(f"the session has become {after}")
    done = subprocess.run([CUBIST, "render", path, "-o", "r.png", *VALIDATE], cwd=folder, capture_output=True, text=True)
    files = []
    for name in "ring.png", "ring-2.png", "r.png":
        with open(os.path.join(folder, name), "rb") as file:
            files.append(file.read())
    if done.returncode != 0 or not files[0] == files[1] == files[2]:
        fail(f"the pictures of the session differ: {done}")
    bad = os.path.join(folder, "bad.cubist.json")
    scale = "window.text_scale: expected a number, 0.5 to 3"
    for member, said in (('"axes": 3', "window.axes: expected true or false"), ('"text_scale": 0.4', scale),
                         ('"text_scale": 3.1', scale), ('"text_scale": "1"', scale),
                         ('"size": "0x9"', "window.size: expected WIDTHxHEIGHT"),
                         # Of several the first one is named: switches, the size, numbers.
                         ('"text_scale": 9, "size": "x", "axes": 3', "window.axes: expected true or false"),
                         ('"panel_width": -1, "size": "x"', "window.size: expected WIDTHxHEIGHT")):
        with open(bad, "w") as file:
            file.write('{"cubist_session": 1,\n"window": {%s}}' % member)
        viewer = Viewer("--session", bad, cwd=folder)
        if viewer.end() != 3 or f"line 2, {said}" not in viewer.said():
            fail(f"{member}: {viewer.said()}")
    return path, shown


def chooses(path):
    xdo("type", "--delay", 1, path)
    time.sleep(0.3)
    xdo("key", "Return")


def await_question(there=True):
    """The form that asks for a missing volume has white text between its title and the folder."""
    end = time.monotonic() + PATIENCE
    while (on_screen(QUESTION).count(bytes((232, 235, 240))) > 30) != there:
        if time.monotonic() > end:
            fail("the form that asks for the volume " + ("never came" if there else "stays"))
        time.sleep(0.1)


def in_window(folder, path, shown):
    """Another file is open; the session is typed, and dropped: its picture is the one of --session, nothing can be
    undone, and Ctrl+S writes the same bytes."""
    text, ring = text_of(path), os.path.join(folder, "ring.raw")
    viewer = opened(folder, "ball_20x20x20_uint8.raw", "--size", "800x600", "--color", "red", "--method", "lookback")
    if on_screen(PICTURE) == shown:
        fail("the ball has the picture of the session")
    person = X and Person()

    def is_session(what):
        viewer.shows(PICTURE, shown, what)
        viewer.settle()
        xdo("key", "ctrl+z")
        viewer.settle()
        viewer.shows(PICTURE, shown, what + ", Ctrl+Z")
        xdo("key", "t", "ctrl+s")
        other = written(path, text)
        xdo("key", "ctrl+z", "ctrl+s")
        if written(path, other) != text:
            fail(f"{what}: the session has become {text_of(path)}")

    def opens(name):
        if person:
            person.drop(int(viewer.window()), name, PATIENCE)
        else:
            xdo("key", "ctrl+o")
            chooses(name)

    xdo("key", "ctrl+o")
    chooses(path)
    is_session("a typed session")
    xdo("key", "y", "6", "t")
    viewer.settle()
    opens(path)  # the same file, but the view of the session
    is_session("a dropped session")
    # A volume that is missing is asked for; the session goes on with the file that is chosen.
    away = os.path.join(folder, "away")
    os.mkdir(away)
    os.rename(ring, os.path.join(away, "other.raw"))
    opens(os.path.join(folder, "ball_20x20x20_uint8.raw"))
    viewer.until("the ball", lambda l: l["whole"] and l["triangles"] > 0)
    viewer.settle()
    if on_screen(PICTURE) == shown:
        fail("the ball has the picture of the session")
    opens(path)
    await_question()
    chooses(os.path.join(away, "other.raw"))
    viewer.shows(PICTURE, shown, "the session whose volume was chosen")
    xdo("key", "ctrl+s")
    if json.loads(written(path, text))["volume"]["beside"] != "../away/other.raw":
        fail(f"the session does not know the new place: {text_of(path)}")
    with open(path, "w") as file:
        file.write(text)
    quits(viewer)
    # The same from the command line.
    viewer = Viewer(path, cwd=folder)
    viewer.window()
    await_question()
    opens(os.path.join(away, "other.raw"))
    viewer.shows(PICTURE, shown, "the command line's session whose volume was chosen")
    viewer.settle()
    silent = on_screen(MESSAGE)
    xdo("key", "ctrl+s")
    if json.loads(written(path, text))["volume"]["beside"] != "../away/other.raw":
        fail(f"the session does not know the new place: {text_of(path)}")
    quits(viewer)
    with open(path, "w") as file:
        file.write(text)
    # Another file of the same size, whose surface is the same: a message says so for a while.
    with open(os.path.join(away, "other.raw"), "rb") as file:
        samples = bytearray(file.read())
    samples[0] ^= 1
    with open(os.path.join(away, "similar.raw"), "wb") as file:
        file.write(samples)
    viewer = Viewer(path, cwd=folder)
    viewer.window()
    await_question()
    opens(os.path.join(away, "similar.raw"))
    viewer.shows(PICTURE, shown, "the session with another file")
    if on_screen(MESSAGE) == silent:
        fail("no message says that this is another file")
    viewer.shows(MESSAGE, silent, "the message has gone")
    quits(viewer)
    viewer = Viewer(path, cwd=folder)
    viewer.window()
    await_question()
    xdo("key", "Escape")
    await_question(False)
    xdo("key", "ctrl+q")
    if viewer.end() != 3 or "ring.raw' is not there" not in viewer.said().splitlines()[-1]:
        fail(f"nobody said where the volume is: {viewer.said()}")
    os.rename(os.path.join(away, "other.raw"), ring)


def configuration(folder):
    """Other keys, and options of every volume; a session goes before them."""
    home = os.path.join(folder, "config")
    os.makedirs(os.path.join(home, "cubist"))
    with open(os.path.join(home, "cubist", "config.json"), "w") as file:
        json.dump({"keys": {"flat": ["J", "PageDown"], "reset": "Ctrl+0", "quit": "F9", "text-default": [], "box": "Strg+B"},
                   "options": {"background": "#fdf6e3", "size": "800x600", "look": "clay"}, "last-view": False}, file)
    os.environ["XDG_CONFIG_HOME"] = home
    upper = "400x400+370+20"  # without the message
    ring = ["ring.raw", "--dims", "40x30x50", "--type", "uint16"]
    viewer = opened(folder, *ring)
    if on_screen("1x1+790+10") != bytes((0xfd, 0xf6, 0xe3)):
        fail("the background is not that of the configuration")
    if "line 1, keys.box: 'Strg+B': expected a letter" not in viewer.said():
        fail(f"no warning: {viewer.said()}")
    if not complains_in_window():
        fail("the window does not show the warning")
    smooth = on_screen(upper)
    xdo("key", "t")
    viewer.settle()
    if on_screen(upper) != smooth:
        fail("T still does what has another key")
    xdo("key", "j")
    viewer.settle()
    flat = on_screen(upper)
    if flat == smooth:
        fail("J does nothing")
    xdo("key", "Page_Down")
    viewer.shows(upper, smooth, "PageDown")
    drag(500, 250, 60, 40)
    xdo("key", "Return", "mousemove", 700, 590)
    viewer.settle()
    if on_screen(upper) == smooth:
        fail("Enter still resets")
    xdo("key", "ctrl+0")
    viewer.shows(upper, smooth, "Ctrl+0 resets")
    # Enter still ends what is typed.
    before = viewer.last()["iso"]
    xdo("mousemove", 80, 98, "click", 1, "key", "ctrl+a")
    xdo("type", "20000")
    xdo("key", "Return")
    viewer.until("the typed isovalue", lambda l: l["iso"] == 20000 != before)
    xdo("mousemove", 700, 590, "click", 1, "key", "ctrl+q")
    viewer.settle()
    if viewer.process.poll() is not None:
        fail("Ctrl+Q still quits")
    xdo("key", "F9")
    if viewer.end() != 0:
        fail(f"F9: {viewer.said()}")
    viewer = opened(folder, *ring, "--no-config", "--size", "800x600")
    if on_screen("1x1+790+10") == bytes((0xfd, 0xf6, 0xe3)):
        fail("--no-config does not ignore the background")
    quits(viewer)
    viewer = opened(folder, "--session", SESSION)
    if on_screen("1x1+790+590") == bytes((0xfd, 0xf6, 0xe3)):
        fail("the configuration goes before the session")
    xdo("key", "F9")
    viewer.end()
    del os.environ["XDG_CONFIG_HOME"]


def complains_in_window():
    """Whether there is the light text of a message at the foot of the picture."""
    return on_screen("420x100+360+490") != bytes((0xfd, 0xf6, 0xe3)) * 42000


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x30x50", "--type", "uint16", "-o",
                        os.path.join(folder, "ring.raw")], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([CUBIST, "generate", "sphere", "--dims", "20x20x20", "-o", os.path.join(folder, "ball_20x20x20_uint8.raw")],
                       check=True, stdout=subprocess.DEVNULL)
        in_window(folder, *session(folder))
        configuration(folder)
    return 0


sys.exit(main())
