# The window under the hand, all in one window: keys on other keyboards, typed isovalues, the wheel on the
# histogram, the trace, the cross of axes and the scale bar, the
# panel's edge, the search in the help.
# ctest: device once heavy twin
import json
import os
import subprocess
import tempfile
import time

from window import *

RIGHT_ALT = 108  # the key's number


def becomes(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            fail(what)
        time.sleep(0.05)


def complaint():
    """Whether there is text in the colour of errors at the foot of the picture."""
    return on_screen("356x120+344+680").count(bytes((255, 132, 116))) > 20


def layout(name):
    subprocess.run(["setxkbmap", name], check=True, capture_output=True)


def keyboards(viewer, span):
    """The isovalue's keys are where the keyboard has their characters, and arrows everywhere. A digit whose key
    also has a bracket stays a digit."""

    def steps(what, share, *words):
        before = viewer.last()
        xdo(*words)
        line = viewer.until(f"{what}: a step of {share}", lambda l: abs(l["iso"] - before["iso"] - share * span) < 1e-4 * span)
        if line["events"]["keys"] == before["events"]["keys"]:
            fail(f"{what}: no key was counted")

    def level_3(key):
        return "keydown", RIGHT_ALT, "key", key, "keyup", RIGHT_ALT

    picture = "300x300+380+200"
    viewer.settle()
    shown = on_screen(picture)
    # The keys by their numbers: 10 is the key 1, 34 right of P, 59 to 61 the three right of M.
    for name, opening, closing, comma, stop, question in (
            ("us", ["key", 34], ["key", 35], ["key", 59], ["key", 60], "shift+61"),
            ("de", level_3(17), level_3(18), ["key", 59], ["key", 60], "shift+20"),
            ("fr", level_3(14), level_3(20), ["key", 58], ["key", "shift+59"], "shift+58"),
            ("es", level_3(34), level_3(35), ["key", 59], ["key", 60], "shift+20")):
        layout(name)
        steps(f"[ on {name}", -0.01, *opening)
        steps(f"] on {name}", +0.01, *closing)
        steps(f", on {name}", -0.01, *comma)
        steps(f". on {name}", +0.01, *stop)
        steps(f"[ on {name}", -0.01, "key", "bracketleft")
        steps(f"Up on {name}", +0.01, "key", "Up")
        viewer.shows(picture, shown, f"the brackets on {name} turned the camera")
        xdo("key", question)
        becomes(f"? opens no help on {name}", lambda: on_screen(picture) != shown)
        # Neither does AltGr with a digit whose character means nothing.
        xdo("key", "Escape", *level_3(11))
    viewer.shows(picture, shown, "AltGr and a digit turned the camera")
    layout("us")
    steps("Shift+Up", +0.001, "key", "shift+Up")
    steps("{", -0.001, "key", "shift+bracketleft")
    steps("Ctrl+Down", -0.1, "key", "ctrl+Down")
    steps("Ctrl+]", +0.1, "key", "ctrl+bracketright")


def typed(viewer):
    """A decimal comma is understood. Of what is no isovalue a message says why; the isovalue stays. The field has all
    digits of it."""

    def types(text, *first):
        before = viewer.last()["events"]
        xdo("mousemove", 90, 98, "click", 1)  # selects the text
        viewer.until("the click", lambda l: l["events"]["buttons"] == before["buttons"] + 2)
        if text:
            xdo(*first, "type", text)
        else:
            xdo("keydown", "BackSpace")
            viewer.until("the key", lambda l: l["events"]["keys"] > before["keys"])
            xdo("keyup", "BackSpace")
        xdo("key", "Return")

    kept = viewer.last()["iso"]
    for text in "abc", "", "nan":
        types(text)
        becomes(f'nothing is said of "{text}"', complaint)
        if viewer.last()["iso"] != kept:
            fail(f'"{text}" gave {viewer.last()}')
        if text != "nan":
            xdo("mousemove", 550, 350, "key", "Escape")
            becomes("Escape leaves the complaint", lambda: not complaint())
    types("1,5")
    viewer.until("1,5", lambda l: l["iso"] == 1.5)
    becomes("the complaint stays although an isovalue was typed", lambda: not complaint())
    types("1.23456789")
    viewer.until("nine digits", lambda l: l["iso"] == 1.23456789)
    types("5", "key", "End")
    viewer.until("a digit behind them", lambda l: l["iso"] == 1.234567895)
    types("auto")
    viewer.until("the automatic isovalue", lambda l: l["iso"] == kept)


def histogram(viewer, low, span):
    """The wheel steps, Shift makes steps and drags fine, and Ctrl+wheel zooms into the range."""
    left, wide, level = 22, 300, 165

    def until(what, iso, near):
        return viewer.until(f"{what}: {iso}", lambda l: abs(l["iso"] - iso) <= near)["iso"]

    iso = viewer.last()["iso"]
    xdo("mousemove", left + wide // 2, level, "click", 4, "click", 4, "click", 5)
    iso = until("the wheel", iso + 0.01 * span, 1e-4 * span)
    xdo("keydown", "shift", "click", 5, "keyup", "shift")
    iso = until("Shift and the wheel", iso - 0.001 * span, 1e-5 * span)
    # A drag with Shift starts where the isovalue is, not at the mouse.
    buttons = viewer.last()["events"]["buttons"]
    xdo("keydown", "shift", "mousedown", 1)
    viewer.until("the press", lambda l: l["events"]["buttons"] > buttons)
    xdo("mousemove", left + wide // 2 + 60, level)
    iso = until("a fine drag", iso + 0.02 * span, 1e-3 * span)
    xdo("mouseup", 1, "keyup", "shift")
    ticks, line = f"{wide}x14+{left}+203", f"{wide}x14+{left}+222"
    before = on_screen(ticks), on_screen(line)
    xdo("mousemove", left + wide // 4, level, "keydown", "ctrl", *["click", 4] * 10, "keyup", "ctrl")
    becomes("Ctrl+wheel changes nothing under the histogram",
            lambda: on_screen(ticks) != before[0] and on_screen(line) != before[1])
    shown = 0.8 ** 10
    xdo("mousemove", left + wide // 2, level, "click", 1)
    iso = until("a click into a part of the range", low + span * (0.25 + shown * 0.25), shown * span / 200)
    xdo("click", 4)
    until("the wheel in a part of the range", iso + 0.01 * shown * span, 1e-4 * shown * span)
    xdo("keydown", "ctrl", *["click", 5] * 11, "keyup", "ctrl", "mousemove", 550, 350, "key", "BackSpace")


def traced(viewer):
    """Lines of the trace say when they were written, what was asked for, and whether the picture is a draft."""
    count, before, start = len(viewer.lines()), viewer.last()["iso"], time.monotonic()
    xdo("mousedown", 1, "mousemove", 560, 360)
    viewer.until("a frame of the drag", lambda l: len(viewer.lines()) > count)
    xdo("mouseup", 1, "key", "period")
    asked = viewer.until("the full picture", lambda l: not l["draft"] and l["iso"] > before)
    lines = viewer.lines()[count - 1:]
    times = [line["time"] for line in lines]
    if sorted(times) != times or not times[0] - 0.1 < start < times[1] or times[-1] > time.monotonic():
        fail(f"from {start} to {time.monotonic()} frames have the times {times}")
    if {line["iso_asked"] for line in lines} - {lines[0]["iso"], asked["iso"]} or asked["iso_asked"] != asked["iso"]:
        fail(f"other isovalues were asked for: {lines}")


WIDTH, HEIGHT, PANEL = 700, 800, 344
CROSS = f"112x116+{WIDTH - 112}+{HEIGHT - 116}"
NOTE = f"220x18+{WIDTH - 112 - 220}+{HEIGHT - 31}"
BAR = f"244x26+{PANEL}+{HEIGHT - 62}"
INK, GROUND = bytes((224, 226, 230)), bytes((24, 26, 31))


def still(crop, but=None):
    """The pixels there, once they are others than before and stay."""
    seen = [None]

    def same():
        before, seen[0] = seen[0], on_screen(crop)
        return seen[0] not in (None, but) and seen[0] == before

    becomes(f"{crop} does not change", same)
    return seen[0]


def axes(viewer):
    """A click on an end of the axes looks from there, as the key does."""
    middle = WIDTH - 58, HEIGHT - 58
    other = on_screen(CROSS)
    viewer.key("9")
    slanted = still(CROSS, other)
    # With y up: where the ends are from there, and the keys of the same views.
    for x, y, key in (24, 14, "3"), (0, -28, "7"), (24, -14, "shift+1"):
        viewer.key(key)
        wanted = still(CROSS, slanted)
        viewer.key("9")
        becomes("9 again", lambda: on_screen(CROSS) == slanted)
        xdo("mousemove", middle[0] + x, middle[1] + y, "click", 1, "mousemove", 550, 350)
        becomes(f"a click on the axes is not {key}", lambda: on_screen(CROSS) == wanted)
        viewer.key("9")  # so that what comes next is not taken for what is shown now
        becomes(f"9 after {key}", lambda: on_screen(CROSS) == slanted)
    xdo("key", "x")
    becomes("X leaves the axes", lambda: still(CROSS) != slanted and on_screen(NOTE).count(INK) == 0)
    xdo("key", "x", "9")
    becomes("X brings the axes", lambda: on_screen(CROSS) == slanted)
    return slanted


def scale_bar():
    """10 units are as long as the picture of the volume says, whose 39 fill it."""
    xdo("key", "1", "5", "shift+f")
    becomes("no bar", lambda: still(BAR).count(INK) > 100)
    data = on_screen(BAR)
    length = max(data[i:i + 3 * 244].count(INK) for i in range(0, len(data), 3 * 244))
    if not 0.8 < 39 * length / 10 / (WIDTH - PANEL) < 0.95:
        fail(f"10 units have {length} pixels, and the volume of 39 units almost {WIDTH - PANEL}")
    xdo("key", "shift+x")
    becomes("Shift+X leaves the bar", lambda: on_screen(BAR).count(INK) == 0)
    xdo("key", "shift+x", "5")
    becomes("Shift+X brings no bar", lambda: on_screen(BAR).count(INK) > 100)


def orientations(viewer, slanted):
    """What the file does not say is said until U answers it. A patient's axes have letters."""
    becomes("no word about the orientation", lambda: on_screen(NOTE).count(INK) > 50)
    viewer.key("9")
    becomes("9 in the end", lambda: on_screen(CROSS) == slanted)
    viewer.key("u")
    letterless = still(CROSS, slanted)
    becomes("the word stays although U was pressed", lambda: on_screen(NOTE).count(INK) == 0)
    before = viewer.last()["vertices"]
    xdo("key", "Right")
    viewer.until("the patient's volume", lambda l: l["whole"] and l["vertices"] != before)
    viewer.key("9")
    becomes("not only the letters differ: the head is not up",
            lambda: 0 < differing(letterless, on_screen(CROSS)) <= 900)
    if on_screen(NOTE).count(INK):
        fail("a patient's volume has no orientation")


def edge(viewer):
    """The edge of the panel follows the mouse; the picture does not turn meanwhile."""
    strip = f"40x20+{PANEL + 20}+{HEIGHT - 20}"
    before, cross = on_screen(strip), still(CROSS)
    xdo("mousemove", PANEL + 2, 500, "mousedown", 1, "mousemove", PANEL + 50, 500, "mousemove", PANEL + 100, 500)
    becomes("the panel is not wider", lambda: on_screen(strip) == GROUND * 800)
    xdo("mouseup", 1, "mousemove", 550, 350)
    if still(CROSS) != cross:
        fail("the drag of the edge turned the picture")
    xdo("mousemove", PANEL + 102, 500, "mousedown", 1, "mousemove", PANEL + 50, 500, "mousemove", PANEL + 2, 500, "mouseup", 1,
        "mousemove", 550, 350)
    becomes("the panel is not as before", lambda: on_screen(strip) == before)


def search(viewer):
    """What is typed in the help is searched and does nothing else. In large text nothing is cut off."""
    viewer.settle()
    top, picture = "300x10+300+14", f"{WIDTH - PANEL}x600+{PANEL}+100"
    shown = on_screen(picture)
    xdo("key", "h")
    becomes("H opens no help", lambda: on_screen(top) == GROUND * 3000)
    field = f"90x24+{WIDTH - 330}+26"
    empty = still(field)
    xdo("type", "web")
    becomes("what is typed is not in the field", lambda: on_screen(field) != empty)
    xdo("type", "xyz")
    becomes("the list is as long as before", lambda: on_screen("200x100+400+650").count(GROUND) < 5000)
    xdo("key", "Escape")
    viewer.shows(picture, shown, "Escape leaves the help, or what was typed acted")
    xdo("key", "h", *["ctrl+equal"] * 6)
    strip = f"24x500+{WIDTH - 64}+200"
    becomes("text is cut off at the right of the help", lambda: still(strip) == GROUND * 24 * 500)
    xdo("key", "Escape", "ctrl+0")
    viewer.shows(picture, shown, "Ctrl+0 and Escape")


def undisturbed(folder, volume):
    """A key that does not change the view leaves a picture that was slow to make as it is: no draft takes its place."""
    viewer = Viewer(volume, "--size", "700x400", "--light-samples", "256", cwd=folder)
    viewer.window()
    viewer.until("the picture in full", lambda l: l["whole"] and l["triangles"] > 0 and not l["draft"])
    xdo("mousemove", 550, 200)
    for keys, drafts in (["4"], True), (["ctrl+c", "shift+F12", "F1", "Escape"], False), (["Tab"], True):
        viewer.settle()
        count, key = len(viewer.lines()), " ".join(keys)
        viewer.key(*keys)
        viewer.until(f"the picture in full after {key}", lambda l: not l["draft"])
        found = any(line["draft"] for line in viewer.lines()[count:])
        if drafts and not found:
            print(f"this device needs no drafts: {viewer.last()['gpu_ms']} ms")
            break
        if found and not drafts:
            fail(f"{key} drew a draft")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0 or viewer.said():
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "setxkbmap")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "ring_40x40x40_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x40x40", "--type", "uint8", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        # The neighbour states a patient's frame.
        small = os.path.join(folder, "small.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "24x24x24", "--type", "uint8", "-o", small], check=True,
                       stdout=subprocess.DEVNULL)
        with open(small, "rb") as source, open(os.path.join(folder, "small.nrrd"), "wb") as file:
            file.write(b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: 24 24 24\nspace: left-posterior-superior\n"
                       b"space directions: (2,0,0) (0,2,0) (0,0,2)\nencoding: raw\n\n" + source.read())
        os.remove(small)
        info = json.loads(subprocess.run([CUBIST, "info", "--json", volume], check=True, capture_output=True).stdout)
        low, high = info["range"]
        viewer = Viewer(volume, "--size", "700x800", cwd=folder)
        viewer.window()
        iso = viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)["iso"]
        first = next(line for line in viewer.lines() if line["triangles"] > 0)
        if not first["draft"]:  # on a processor, however long the pictures of the empty panel took
            fail(f"the first picture of the surface is no draft: {first}")
        xdo("mousemove", 550, 350)
        keyboards(viewer, high - low)
        typed(viewer)
        histogram(viewer, low, high - low)
        viewer.until("the automatic isovalue", lambda l: l["iso"] == iso)
        viewer.settle()
        traced(viewer)
        slanted = axes(viewer)
        scale_bar()
        edge(viewer)
        search(viewer)
        xdo("key", "9")
        orientations(viewer, slanted)
        xdo("key", "ctrl+q")
        code = viewer.end()
        if code != 0 or viewer.said():
            fail(f"Ctrl+Q ended with {code}: {viewer.said()}")
        undisturbed(folder, volume)


main()
