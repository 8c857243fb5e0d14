# Other programs on the same display: one asks for the clipboard, or drags a file onto the window, and has ended
# before the window answers; one destroys the window; the X server ends.
# ctest: device once
import os
import re
import signal
import subprocess
import sys
import tempfile

from window import *

sys.path.insert(0, os.path.join(os.environ["CUBIST_SOURCE"], "tests/storm"))
from xinput import X, Atom, Person, Time, Window


def opened(folder, volume):
    viewer = Viewer(volume, "--size", "500x400", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    viewer.settle()
    return viewer


def pastes(other, window):
    place = Atom(other.atom("CUBIST_PASTE"))
    X.XConvertSelection(other.display, Atom(other.atom("CLIPBOARD")), Atom(other.atom("UTF8_STRING")), place,
                        Window(other.own), Time(0))


def drags(other, window):
    X.XSetSelectionOwner(other.display, Atom(other.atom("XdndSelection")), Window(other.own), Time(0))
    other.tell(window, "XdndEnter", other.own, 5 << 24, other.atom("text/uri-list"))
    other.tell(window, "XdndPosition", other.own, 0, 100 << 16 | 100, 0, other.atom("XdndActionCopy"))


def vanishes(viewer, what, does):
    """Another program asks for something and ends while the viewer is stopped. The viewer goes on."""
    viewer.settle()
    before, window, other = viewer.last()["events"]["errors"], int(viewer.window()), Person()
    viewer.process.send_signal(signal.SIGSTOP)
    does(other, window)
    other.flush()
    other.close()
    viewer.process.send_signal(signal.SIGCONT)
    viewer.key("b")
    viewer.until(f"an error after {what}", lambda l: l["events"]["errors"] > before)


def ends(viewer, what, why):
    """In order, with one line: the trace is whole, and no half file is left."""
    code = viewer.end()
    said = viewer.said()
    if code != 4 or not re.fullmatch(rf"cubist: {why}\n", said):
        fail(f"{what}: exit code {code}: {said}")
    if len(viewer.lines()) != viewer.lines()[-1]["frame"] or any(n.startswith(".cubist") for n in os.listdir(viewer.cwd)):
        fail(f"{what}: the trace or the folder is not whole: {os.listdir(viewer.cwd)}")


def main():
    need("Xvfb", "xdotool")
    if not X:
        print("skipped: libX11 is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        volume = os.path.join(folder, "ring_24x24x24_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "24x24x24", "--type", "uint8", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        with Display():
            viewer = opened(folder, volume)
            xdo("mousemove", 480, 100)
            viewer.key("ctrl+shift+c")  # from here on the window owns the clipboard
            person = Person()
            if not (person.paste(PATIENCE) or b"").startswith(b"cubist render"):
                fail("the command was not copied")
            person.close()
            vanishes(viewer, "a paste", pastes)
            vanishes(viewer, "a drag", drags)
            vanishes(viewer, "another paste", pastes)
            person = Person()
            if not (person.paste(PATIENCE) or b"").startswith(b"cubist render"):
                fail("the clipboard was lost")
            # The next request names a window that is gone.
            X.XDestroyWindow(person.display, Window(int(viewer.window())))
            person.flush()
            person.close()
            ends(viewer, "a destroyed window", "another program has destroyed the window")
        with Display() as display:
            viewer = opened(folder, volume)
            display.server.kill()
            ends(viewer, "a killed X server", "the connection to the X server is lost")


main()
