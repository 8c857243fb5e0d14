"""Shared by the tests of the window: an X server, the viewer on it, and checks of what is visible."""
import json
import os
import re
import shutil
import subprocess
import sys
import time

import numpy

CUBIST = os.environ["CUBIST"]
VALIDATE = ["--validate"] if os.environ.get("CUBIST_VALIDATE") == "1" else []
WHOLE = os.environ.get("CUBIST_WHOLE") == "1"  # not only a share: see the label share in CMakeLists.txt
PATIENCE = 60  # seconds for anything to happen on a slow machine


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} is not installed")
            sys.exit(77)


def fail(text):
    raise AssertionError(text)


class Display:
    """An X server on a free number, with so many bits a pixel."""

    def __init__(self, depth=24):
        self.depth = depth

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"1280x800x{self.depth}", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            fail("Xvfb did not start")
        Display.server_id = self.server.pid
        os.environ["DISPLAY"] = ":" + number
        os.environ.pop("WAYLAND_DISPLAY", None)  # it would go before
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


def asleep(process):
    """Whether each of its threads waits for something. One that waits for a processor does not count."""
    states = set()
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/stat") as file:
                states.add(file.read().rpartition(") ")[2][0])
    except (FileNotFoundError, ProcessLookupError):  # one has ended
        return False
    return states == {"S"}


def xdo(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True,
                          text=True).stdout.split()


class Viewer:
    def __init__(self, *arguments, cwd, **variables):
        self.cwd = cwd
        self.trace = os.path.join(cwd, "trace.jsonl")
        if os.path.exists(self.trace):
            os.unlink(self.trace)
        self.errors = open(os.path.join(cwd, "stderr"), "w+")
        self.process = subprocess.Popen(
            [CUBIST, "view", *arguments, "--trace", self.trace, *VALIDATE], cwd=cwd,
            stdout=self.errors, stderr=self.errors, env={**os.environ, **variables})

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def lines(self):
        if not os.path.exists(self.trace):
            return []
        with open(self.trace) as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def last(self):
        if not os.path.exists(self.trace):
            return None
        with open(self.trace) as file:
            text = file.read()
        end = text.rfind("\n")
        return json.loads(text[text.rfind("\n", 0, end) + 1:end]) if end >= 0 else None

    def until(self, what, condition):
        """The last line of the trace once it satisfies the condition."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                fail(f"waiting for {what}: cubist ended with {self.process.returncode}: "
                     f"{self.said()}")
            line = self.last()
            if line and condition(line):
                return line
            time.sleep(0.05)
        fail(f"{what} never came; the last frame was {self.last()}")

    def key(self, *names):
        """Presses keys, and waits for a frame that knows of them: before it the screen shows what was."""
        before = self.last()["events"]["keys"]
        xdo("key", *names)
        count = sum(len(name.split("+")) for name in names)
        self.until(f"a frame after {' '.join(names)}", lambda l: l["events"]["keys"] >= before + count)

    def settle(self):
        """Waits until nothing is drawn any more: until the picture is complete and the viewer waits for events,
        longer than it does before it completes a draft. The viewer may work without a frame: it measures methods, or
        compiles kernels. Then this waits until no frame has come for 10 s, or for five times as long as the last
        one took. If the last frame is a draft, this waits until the viewer has been idle for 1 s."""
        end = time.monotonic() + PATIENCE
        last, drew, worked = None, 0, 0  # the last frame, and when it was drawn and anything was done last
        while True:
            line, now = self.last(), time.monotonic()
            if line != last or not drew:
                last, drew, worked = line, now, now
            elif not asleep(self.process.pid) or not asleep(Display.server_id):
                worked = now
            spent = (line["cpu_ms"] + line["gpu_ms"]) / 1000 if line else 0
            complete = line and not line["draft"]
            if now > drew + max(10, 5 * spent) or now > worked + (0.4 if complete else 1):
                break
            if now > end:
                fail("the viewer draws on and on")
            time.sleep(0.05)

    def shows(self, crop, expected, what, most=0):
        """Waits until the window shows these pixels, except for so many; a draft may come first."""
        end = time.monotonic() + PATIENCE
        while (found := on_screen(crop)) != expected:
            apart = differing(found, expected)
            if apart <= most:
                break
            if time.monotonic() > end:
                fail(f"{what}: {apart} pixels differ from the first method's picture")
            time.sleep(0.1)

    def window(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                                   capture_output=True, text=True).stdout.split()
            if found:
                return found[0]
            if self.process.poll() is not None:
                fail(f"no window: cubist ended with {self.process.returncode}: {self.said()}")
            time.sleep(0.05)
        fail("the window never came")

    def end(self):
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("cubist did not end")
        return code


def pixels(path, crop=None):
    """Width, height and rows of (r, g, b)."""
    size = subprocess.run(["identify", "-format", "%w %h", path], check=True, capture_output=True,
                          text=True).stdout.split()
    width, height = int(size[0]), int(size[1])
    cut = ["-crop", crop, "+repage"] if crop else []
    if crop:
        width, height = map(int, re.match(r"(\d+)x(\d+)", crop).groups())
    data = subprocess.run(["convert", path, "-alpha", "off", *cut, "-depth", "8", "rgb:-"],
                          check=True, capture_output=True).stdout
    if len(data) != 3 * width * height:
        fail(f"{path}: {len(data)} bytes for {width}x{height}")
    return width, height, data


def looks_like_a_surface(path, crop=None):
    """Bone-coloured, shaded pixels in the middle of a dark bluish background."""
    width, height, data = pixels(path, crop)
    colours = numpy.frombuffer(data, numpy.uint8).reshape(height, width, 3).astype(int)
    warm = colours[..., 0] > colours[..., 2] + 12
    share, tones = warm.mean(), len(numpy.unique(colours[..., 0][warm] // 4))
    if not 0.03 < share < 0.9:
        fail(f"{path}: {100 * share:.1f} % of the picture is surface")
    if tones < 12:
        fail(f"{path}: the surface has only {tones} tones: it is not lit")
    for x, y in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)):
        r, g, b = colours[y, x]
        if r >= b or max(r, g, b) > 120:
            fail(f"{path}: the corner ({x}, {y}) is {r} {g} {b}, not the ground")


def on_screen(crop):
    """The visible pixels there."""
    return subprocess.run(["import", "-window", "root", "-crop", crop, "+repage", "-depth", "8",
                           "rgb:-"], check=True, capture_output=True).stdout


def finer(size):
    """MiB that a fine picture of this size takes more than a coarse one."""
    return 32 * size[0] * size[1] / (1 << 20)


def differing(found, expected):
    """Pixels of two pictures that are not the same; all of them if the pictures have other sizes."""
    if len(found) != len(expected):
        return max(len(found), len(expected)) // 3
    return int((numpy.frombuffer(found, numpy.uint8) != numpy.frombuffer(expected, numpy.uint8)).reshape(-1, 3).any(1).sum())


def grab(path):
    subprocess.run(["import", "-window", "root", path], check=True)
    return path


def file_appears(path):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if os.path.exists(path):
            return path
        time.sleep(0.05)
    fail(f"{path} was never written")


def complains():
    """Whether there is text in the colour of errors in the window."""
    return on_screen("1280x800+0+0").count(bytes((255, 132, 116))) > 20
