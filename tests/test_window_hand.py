# The window under the hand, all in one window: keys on other keyboards.
# ctest: device once heavy
import json
import os
import subprocess
import tempfile
import time

from window import *

RIGHT_ALT = 108  # the key's number


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

    picture = "300x300+450+100"
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
        end = time.monotonic() + PATIENCE
        while on_screen(picture) == shown:
            if time.monotonic() > end:
                fail(f"? opens no help on {name}")
            time.sleep(0.05)
        # Neither does AltGr with a digit whose character means nothing.
        xdo("key", "Escape", *level_3(11))
    viewer.shows(picture, shown, "AltGr and a digit turned the camera")
    layout("us")
    steps("Shift+Up", +0.001, "key", "shift+Up")
    steps("{", -0.001, "key", "shift+bracketleft")
    steps("Ctrl+Down", -0.1, "key", "ctrl+Down")
    steps("Ctrl+]", +0.1, "key", "ctrl+bracketright")


def main():
    need("Xvfb", "xdotool", "import", "setxkbmap")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "ring_40x40x40_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "40x40x40", "--type", "uint8", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        info = json.loads(subprocess.run([CUBIST, "info", "--json", volume], check=True, capture_output=True).stdout)
        low, high = info["range"]
        viewer = Viewer(volume, "--size", "800x600", cwd=folder)
        viewer.window()
        viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
        xdo("mousemove", 600, 350)
        keyboards(viewer, high - low)
        xdo("key", "ctrl+q")
        code = viewer.end()
        if code != 0 or viewer.said():
            fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


main()
