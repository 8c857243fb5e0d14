"""More events on the window than a person makes: random keys, drags, turns of the wheel, sizes from
1x1 on, files that appear, disappear and break, icons, dropped files. A seed determines a storm.

At every checkpoint the window must respond within one second of processor time: all sent events have
arrived (the trace counts them), a valid file dropped on it shows the same surface as `cubist extract`,
and the process holds no more descriptors, threads or memory than before. Then contours, planes and looks
change at random: `render` must draw the window's picture, from its session and from the line that it copies,
and the session must have the same bytes after it was opened and written again."""
import ctypes
import json
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import time

import window
from window import PATIENCE, Viewer, asleep, fail, xdo
from xinput import Person, Window, X

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# No slash: a mesh is exported under the name that is typed, and must stay in the folder.
KEYS = list(LETTERS) + list("0123456789") + [
    "bracketleft", "bracketright", "BackSpace", "space", "Tab", "Left", "Right", "Up", "Down", "F1", "F5", "F5", "F12",
    "Escape", "Return", "plus", "minus", "equal", "comma", "period", "Home", "End", "Page_Up", "Page_Down", "Delete",
    "Insert", "KP_0", "KP_5", "KP_Add", "KP_Subtract", "Menu", "Print"]
OFTEN = ["a", "m", "bracketleft", "bracketright", "space", "Left", "Right", "F5", "n", "w", "e", "k", "u", "r", "f", "Tab",
         "h", "BackSpace", "Insert", "1", "5", "4", "z", "x", "b", "F12", "Escape", "F11", "Page_Up", "Page_Down", "Delete",
         "o", "c", "s", "p", "g"]
MODIFIERS = ["Shift_L", "Control_L", "Alt_L"]
SMALL = [1, 1, 2, 3, 7, 16, 40, 100]
QUIET = r"cubist: (warning|note): [^\n]*\n"


def numbered(environment, usual):
    return int(os.environ.get(environment, usual))


class Counts:
    FIELDS = "keys", "buttons", "scrolls", "drops"

    def __init__(self):
        self.sent = dict.fromkeys(self.FIELDS, 0)
        self.moves = 0


class Storm:
    def __init__(self, folder, seed, *arguments, patience=PATIENCE):
        self.folder, self.arguments, self.patience = folder, arguments, patience
        self.random = random.Random(seed)
        self.make_files()
        self.launch(seed)

    def launch(self, seed):
        """A window, with nothing sent to it yet."""
        self.random, self.seed = random.Random(seed), seed
        self.events, self.log, self.took = 0, [], 0
        self.counts = Counts()
        self.slowest, self.held, self.pressed = (0, 0, []), set(), {}
        self.measured = []  # (events, kB, descriptors, threads) at the checkpoints
        self.viewer = Viewer(self.good[0], "--size", "720x460", *self.arguments, cwd=self.out)
        self.trace, self.read, self.line = None, b"", None
        self.id = int(self.viewer.window())
        self.person = Person()
        self.person.set_state(self.id, 1)
        self.person.focus(self.id)

    # ---- files

    def make_files(self):
        self.out, self.work = os.path.join(self.folder, "out"), os.path.join(self.folder, "work")
        sound = os.path.join(self.folder, "sound")
        for path in self.out, self.work, sound:
            os.mkdir(path)

        def generate(folder, name, dims, kind):
            path = os.path.join(folder, f"{name}_{dims}_{kind}.raw")
            subprocess.run([window.CUBIST, "generate", name, "--dims", dims, "--type", kind, "-o", path], check=True,
                           stdout=subprocess.DEVNULL)
            return path
        self.good = [generate(sound, "sphere", "40x36x32", "uint8"), generate(sound, "gyroid", "32x24x28", "uint16")]
        self.good.append(os.path.join(sound, "torus.nrrd"))
        torus = generate(sound, "torus", "30x30x30", "float32")
        subprocess.run([window.CUBIST, "convert", torus, "-o", self.good[2], "--gzip"], check=True)
        self.whole = {} # contents of the valid files of `work`
        for path in self.good + [torus]:
            with open(path, "rb") as file:
                self.whole[os.path.basename(path)] = file.read()
        self.whole["apart.nhdr"] = (b"NRRD0004\ntype: float\ndimension: 3\nsizes: 30 30 30\nendian: little\n"
                                    b"encoding: raw\ndata file: " + os.path.basename(torus).encode() + b"\n")
        self.names = sorted(self.whole)
        for name in self.names:
            self.put(name, self.whole[name])
        self.expected = []
        for path in self.good:
            done = subprocess.run([window.CUBIST, "extract", path, "--iso", "auto", "--json"], check=True,
                                  stdout=subprocess.PIPE)
            report = json.loads(done.stdout)
            self.expected.append((report["iso"], report["triangles"]))

    def put(self, name, data, in_place=False):
        """Replaces a file atomically, or writes into the existing one."""
        path = os.path.join(self.work, name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        if in_place:
            with open(path, "wb") as file:
                file.write(data)
            return
        with open(path + ".new", "wb") as file:
            file.write(data)
        os.rename(path + ".new", path)

    def change_file(self):
        chance, name = self.random, self.random.choice(self.names)
        path, data, how = os.path.join(self.work, name), self.whole[name], self.random.randrange(8)
        in_place = chance.random() < 0.3
        if how < 3:
            self.put(name, data, in_place)
        elif how == 3:
            self.put(name, data[:chance.randrange(len(data))], in_place)
        elif how == 4:
            self.put(name, b"", in_place)
        elif how == 5:
            self.put(name, bytes(chance.randrange(256) for _ in range(200)), in_place)
        elif how == 6:
            self.put(name, self.whole[chance.choice(self.names)], in_place)
        elif os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)
            if chance.random() < 0.2:
                os.mkdir(path)
        self.note(f"file {name} {how}")

    # ---- what is sent

    def note(self, what):
        self.events += 1
        self.log.append(what)
        del self.log[:-60]

    def press(self, name):
        if name in self.held:
            return
        if name == "q" and "Control_L" in self.held:
            return  # that is the end
        if {"Control_L", "Alt_L"} <= self.held and re.match("F[0-9]|KP_|BackSpace", name):
            return  # the X server takes these for itself
        # GLFW takes two presses of a key with the same time for a repetition by an input method,
        # and the clock of an X server may be coarse.
        time.sleep(max(0, self.pressed.get(name, 0) + 0.01 - time.monotonic()))
        self.person.key(name, True)
        self.pressed[name] = time.monotonic()
        self.counts.sent["keys"] += 1
        self.held.add(name)
        self.note(f"+{name}")

    def release(self, name):
        self.person.key(name, False)
        self.held.discard(name)
        self.note(f"-{name}")

    def stroke(self, name, *modifiers):
        for modifier in modifiers:
            self.press(modifier)
        if name not in self.held:
            self.press(name)
        if name in self.held:
            self.release(name)
        for modifier in reversed(modifiers):
            self.release(modifier)

    def size(self):
        """The window's size, from the X server."""
        root, x, y, rest = Window(), ctypes.c_int(), ctypes.c_int(), [ctypes.c_uint() for _ in range(4)]
        X.XGetGeometry(self.person.display, Window(self.id), ctypes.byref(root), ctypes.byref(x), ctypes.byref(y),
                       *map(ctypes.byref, rest))
        return rest[0].value, rest[1].value

    def move(self, inside=True):
        width, height = self.size()
        if not inside:
            width, height = 1280, 800
        width, height = min(width, 1280), min(height, 800)
        self.person.move(self.random.randrange(max(width, 1)), self.random.randrange(max(height, 1)))
        self.counts.moves += 1
        self.note("move")

    def button(self, number, down):
        self.person.button(number, down)
        if number < 4:
            self.counts.sent["buttons"] += 1
            (self.held.add if down else self.held.discard)(number)
        elif down:
            self.counts.sent["scrolls"] += 1
        self.note(f"button {number} {'down' if down else 'up'}")

    # ---- what a person does

    def key(self):
        name = self.random.choice(OFTEN if self.random.random() < 0.7 else KEYS)
        modifiers = [m for m in MODIFIERS if self.random.random() < (0.15, 0.12, 0.03)[MODIFIERS.index(m)]]
        if name == "F11":
            modifiers = []
        if name == "Escape" and self.random.random() < 0.5:
            name = "bracketright"
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            self.stroke(name, *modifiers)

    def drag(self, sweeps=True):
        self.move()
        number = self.random.choice((1, 1, 1, 2, 3))
        modifiers = [m for m in MODIFIERS[:2] if self.random.random() < 0.2]
        for modifier in modifiers:
            self.press(modifier)
        self.button(number, True)
        for _ in range(self.random.randrange(1, 12)):
            self.move(inside=self.random.random() < 0.8)
            if self.random.random() < 0.1:
                self.stroke(self.random.choice(OFTEN[:7] if sweeps else OFTEN[:4]))
        self.button(number, False)
        for modifier in reversed(modifiers):
            self.release(modifier)

    def wheel(self):
        self.move()
        control = self.random.random() < 0.3
        if control:
            self.press("Control_L")
        for _ in range(self.random.randrange(1, 6)):
            number = self.random.choice((4, 5, 4, 5, 6))
            self.button(number, True)
            self.button(number, False)
        if control:
            self.release("Control_L")

    def click(self):
        self.move()
        for _ in range(self.random.choice((1, 1, 2))):
            self.button(1, True)
            self.button(1, False)

    def type_isovalue(self):
        width, height = self.size()
        if width < 150 or height < 110:
            return
        self.person.move(90, 98)  # its field, at the usual size of text
        self.button(1, True)
        self.button(1, False)
        for _ in range(self.random.randrange(1, 7)):
            self.stroke(self.random.choice(["1", "2", "7", "0", "period", "comma", "minus", "e", "a", "n", "BackSpace"]))
        self.stroke(self.random.choice(["Return", "Tab", "Escape"]))

    def contour(self):
        """Adds, selects, moves, hides and removes contours; in the panel: their rows, and their opacity."""
        names = "Insert", "Insert", "Page_Up", "Page_Down", "bracketleft", "bracketright", "o", "Delete"
        for _ in range(self.random.randrange(1, 5)):
            self.stroke(self.random.choice(names), *["Control_L"] * (self.random.random() < 0.1))
        width, height = self.size()
        if self.random.random() < 0.5 and width >= 330 and height >= 240:
            add = self.random.random() < 0.2
            if add:
                self.press("Control_L")
            self.person.move(self.random.randrange(20, 320), self.random.randrange(90, 230))
            self.button(1, True)
            self.button(1, False)
            if add:
                self.release("Control_L")

    def plane(self):
        """Switches a plane, or holds its key while the wheel turns or the mouse drags: an outline if it is there."""
        key = self.random.choice("cs")
        if self.random.random() < 0.4:
            self.stroke(self.random.choice((key, key, "p")), *["Shift_L"] * (self.random.random() < 0.3))
            return
        self.press(key)
        if self.random.random() < 0.3:
            self.press("Shift_L")
        self.drag(False) if self.random.random() < 0.5 else self.wheel()
        for name in "Shift_L", key:
            if name in self.held:
                self.release(name)

    def undo(self):
        for _ in range(self.random.choice((1, 2, 7))):
            self.stroke(self.random.choice("zzy"), "Control_L")

    def resize(self):
        for _ in range(self.random.choice((1, 1, 2, 6))):
            width, height = [self.random.choice(SMALL) if self.random.random() < 0.35 else self.random.randrange(1, 900)
                             for _ in range(2)]
            self.person.resize(self.id, width, min(height, 700))
            self.note(f"size {width}x{height}")

    def hide(self):
        as_icon = self.random.random() < 0.5
        if as_icon:
            self.person.set_state(self.id, 3)
        self.person.unmap(self.id)
        self.note("unmap")
        for _ in range(self.random.randrange(3)):
            self.resize() if self.random.random() < 0.5 else self.change_file()
        time.sleep(self.random.random() * 0.1)
        self.show()

    def show(self):
        self.person.map(self.id)
        self.person.set_state(self.id, 1)
        self.person.focus(self.id)
        self.note("map")

    def drop(self, path=None):
        path = path or os.path.join(self.work, self.random.choice(self.names + ["none.nrrd", "."]))
        self.note(f"drop {os.path.basename(path)}")
        if not self.person.drop(self.id, path, self.patience):
            self.fail("a dropped file was never taken")
        self.counts.sent["drops"] += 1

    def export(self):
        self.stroke("e", "Control_L")
        self.stroke("Return")

    def reload(self):
        self.change_file()
        self.stroke(self.random.choice(("F5", "Left", "Right")))

    def act(self):
        acts = ((self.key, 30), (self.drag, 12), (self.wheel, 8), (self.click, 6), (self.type_isovalue, 4),
                (self.contour, 8), (self.plane, 8), (self.undo, 3), (self.resize, 10), (self.reload, 8), (self.change_file, 4), (self.drop, 3), (self.hide, 2))
        self.random.choices([a for a, _ in acts], [weight for _, weight in acts])[0]()

    # ---- pictures and sessions

    def look(self):
        self.stroke(self.random.choice("gwettyylbbuk12345678x"), *["Shift_L"] * (self.random.random() < 0.3))

    def at_rest(self):
        """Waits until nothing is drawn any more."""
        self.arrived()
        last, since, start = None, time.monotonic(), time.monotonic()
        while True:
            line = self.latest()
            if line != last or line["draft"] or not asleep(self.viewer.process.pid):
                last, since = line, time.monotonic()
            if time.monotonic() - since > 0.4:
                return
            if time.monotonic() - start > self.patience:
                window.grab(os.path.join(self.out, "screen.png")) if shutil.which("import") else None
                self.keep()
                self.fail("it never rests")
            time.sleep(0.02)

    def written(self, ending, before=None):
        """The name of the only file with this ending, and its bytes, once it is there and is not `before`."""
        start = time.monotonic()
        while True:
            names = [name for name in os.listdir(self.out) if name.endswith(ending) and not name.startswith(".")]
            if len(names) == 1:
                with open(os.path.join(self.out, names[0]), "rb") as file:
                    data = file.read()
                if data != before:
                    return names[0], data
            if time.monotonic() - start > self.patience:
                self.fail(f"no file {ending} was written: {names}")
            time.sleep(0.02)

    def renders(self, what, words, expected):
        done = subprocess.run([window.CUBIST, *words, "-o", "other.png", *window.VALIDATE], cwd=self.out,
                              capture_output=True, text=True)
        found = None
        if done.returncode == 0:
            with open(os.path.join(self.out, "other.png"), "rb") as file:
                found = file.read()
        if found and found != expected and "triangles by" in done.stdout:
            # The order of triangles decides where two have the same depth, and few methods keep it.
            with open(os.path.join(self.out, "window.png"), "wb") as file:
                file.write(expected)
            pictures = [window.pixels(os.path.join(self.out, name))[2] for name in ("window.png", "other.png")]
            found = expected if window.differing(*pictures) <= 60 else found
            os.remove(os.path.join(self.out, "window.png"))
        if found != expected or re.sub(QUIET, "", done.stderr).startswith("cubist: "):
            self.keep(expected)
            self.fail(f"{what}: render draws another picture by {shlex.join(words)}: {done}")
        os.remove(os.path.join(self.out, "other.png"))

    def keep(self, picture=b""):
        """Copies the files of a failure to CUBIST_STORM_KEEP."""
        if os.environ.get("CUBIST_STORM_KEEP"):
            with open(os.path.join(self.out, "window.png"), "wb") as file:
                file.write(picture)
            shutil.copytree(self.folder, os.environ["CUBIST_STORM_KEEP"], dirs_exist_ok=True)

    def drop_session(self, volume):
        """Drops a session with random options; `render` refuses some of them, and then so must the window."""
        chance = self.random
        values = {"iso": ("auto", "40%,60%", "p30,55%,2s"), "opacity": ("0.4", "1,0.3", "0.2,0.5,1", "0"),
                  "color": ("red", "teal,auto", "red,blue,#123456"), "hide": ("1", "2", "1,3", "5"),
                  "clip": ("x=50%", "-k=10@1", "view=40%@2", "y=30%,z=60%@3", "1,1,1,50%"), "clip-all": (True,),
                  "clip-off": (True,), "cap": ("values", "none"), "section": ("z=50%", "view=50%,i=3"),
                  "grey": ("10%:90%",), "interpolate": ("nearest",), "draw": ("rays",), "shadow": (True,),
                  "wireframe": (True,), "caster": ("kd-jump", "wavefront-dda"), "show": ("cells",), "samples": ("1",)}
        options = {name: chance.choice(words) for name, words in values.items() if chance.random() < 0.3}
        path = os.path.join(self.out, "random.cubist.json")
        with open(path, "w") as file:
            json.dump({"cubist_session": 1, "volume": {"path": volume}, "options": options}, file)
        self.drop(path)
        self.note(json.dumps(options))
        self.at_rest()
        os.remove(path)

    def same_pictures(self, volume):
        if self.random.random() < 0.4:
            self.drop_session(volume)
        acts = self.contour, self.plane, self.look, lambda: self.drag(False), self.wheel, self.undo
        for _ in range(self.random.randrange(2, 9)):
            self.random.choice(acts)()
        self.arrived()
        for _ in range(3):  # a text field, a list
            self.stroke("Escape")
            self.arrived()
        self.at_rest()
        self.stroke("s", "Control_L")
        self.stroke("F12")
        self.stroke("c", "Control_L", "Shift_L")
        self.arrived()
        session, text = self.written(".cubist.json")
        picture = self.written(".png")
        os.remove(os.path.join(self.out, picture[0]))
        words = shlex.split((self.person.paste(self.patience) or b"").decode())[1:]
        self.log.append(text.decode())
        options = json.loads(text)["options"]
        if "show" in options and "," in options["iso"]:
            return  # the lists are those of the contour that was made last, and a session does not know which
        size = "x".join(map(str, struct.unpack(">II", picture[1][16:24])))  # Shift+F12 enlarges it
        self.renders("the session", ["render", session, "--size", size], picture[1])
        if "-o" not in words:
            self.fail(f"the copied line is {words}")
        del words[words.index("-o"):words.index("-o") + 2]
        self.renders("the copied line", words, picture[1])
        # The session is opened, and written anew.
        path = os.path.join(self.out, session)
        with open(path, "wb") as file:
            file.write(text.replace(b"\n", b"\n\n"))
        before = self.latest()["frame"]
        self.drop(path)
        self.until("the session's surface", lambda l: l["frame"] > before and l["whole"])
        self.at_rest()
        self.stroke("s", "Control_L")
        again = self.written(".cubist.json", text.replace(b"\n", b"\n\n"))[1]
        if again != text:
            self.keep()
            self.fail(f"the session was {text.decode()}, and is {again.decode()} when it was opened and written again")
        self.log.pop()
        os.remove(path)

    # ---- what comes of it

    def fail(self, what):
        code = self.viewer.process.poll()
        fail(f"{what}\n  seed {self.seed}, {self.events} events, the last of them: {', '.join(self.log)}\n"
             f"  the process: {'runs' if code is None else f'ended with {code}'}; it said: {self.viewer.said()}\n"
             f"  sent {self.counts.sent}, the last frame: {self.line}")

    def latest(self):
        """The trace's last line; each byte is read once."""
        if not self.trace and os.path.exists(self.viewer.trace):
            self.trace = open(self.viewer.trace, "rb")
        if self.trace:
            self.read += self.trace.read()
            lines = self.read.split(b"\n")
            self.read = lines[-1]
            if len(lines) > 1:
                self.line = json.loads(lines[-2])
        return self.line

    def until(self, what, condition):
        start, worked = time.monotonic(), self.worked()
        while True:
            line = self.latest()
            if line and condition(line):
                took = time.monotonic() - start
                if took > self.slowest[0]:
                    self.slowest = took, self.worked() - worked, self.log[-12:]
                return line
            if self.viewer.process.poll() is not None:
                self.fail(f"the window is gone, waiting for {what}")
            if time.monotonic() - start > self.patience:
                self.fail(f"it never came: {what}")
            time.sleep(0.003)

    def worked(self):
        """Processor time of the process, in seconds."""
        try:
            with open(f"/proc/{self.viewer.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            return 0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def arrived(self):
        sent = self.counts.sent
        return self.until("all events", lambda l: all(l["events"][field] == sent[field] for field in sent))

    def holds(self):
        """Resident memory in kB, descriptors, threads. A thread that has finished disappears soon."""
        least = min((m[2:] for m in self.measured), default=None)
        end = time.monotonic() + 5
        found = self.holds_now()
        while least and found[1:] > least and time.monotonic() < end:
            time.sleep(0.05)
            found = self.holds_now()
        return found

    def holds_now(self):
        top = f"/proc/{self.viewer.process.pid}"
        with open(f"{top}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        return int(status["VmRSS"].split()[0]), len(os.listdir(f"{top}/fd")), int(status["Threads"])

    def checkpoint(self):
        for name in list(self.held):
            self.release(name) if isinstance(name, str) else self.button(name, False)
        self.person.resize(self.id, 720, 460)
        self.arrived()
        which = len(self.measured) % len(self.good)
        for _ in range(4):  # a text field, the help, a form, what is being written
            self.stroke("Escape")
            self.arrived()
        self.drop(self.good[which])
        iso, triangles = self.expected[which]

        def is_there(line):
            # "iso" is that of the first contour that rays look for; another one may be selected.
            return line["whole"] and line["triangles"] == triangles and iso in (line["iso"], line["iso_asked"])
        self.until("the file that was dropped", lambda l: l["events"]["drops"] == self.counts.sent["drops"])
        start = time.monotonic()
        while not is_there(self.latest()):
            self.stroke("BackSpace")  # the automatic isovalue; a sweep ends
            self.arrived()
            if time.monotonic() - start > self.patience:
                self.fail(f"{os.path.basename(self.good[which])} should have {triangles} triangles at {iso}")
            time.sleep(0.05)
        for name in os.listdir(self.out):
            if name.endswith((".ply", ".stl", ".obj", ".glb", ".vtp", ".off", ".png", ".cubist.json")):
                os.remove(os.path.join(self.out, name))
        self.measured.append((self.events, *self.holds()))
        if not self.arguments:  # in parts, a window has neither caps nor sections
            self.same_pictures(self.good[which])
        said = re.sub(QUIET, "", self.viewer.said())
        if said:
            self.fail(f"it said: {said}")

    def run(self, events, between=150):
        """So many events, with a checkpoint now and then."""
        start = time.monotonic()
        self.until("the first surface", lambda l: l["whole"] and l["triangles"] == self.expected[0][1])
        self.checkpoint()
        last = self.events
        while self.events < events:
            self.act()
            if self.random.random() < 0.25:
                self.arrived()
            if self.events - last >= between:
                self.checkpoint()
                last = self.events
        self.checkpoint()
        self.took = time.monotonic() - start

    def end_now(self, how):
        """Ctrl+Q, the window manager or a signal, in the middle of work; and the process's messages."""
        if how == "Ctrl+Q":
            for name, down in ("Control_L", True), ("q", True), ("q", False), ("Control_L", False):
                self.person.key(name, down)
        elif how == "close":
            self.person.tell(self.id, "WM_PROTOCOLS", self.person.atom("WM_DELETE_WINDOW"), 0)
        else:
            self.viewer.process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        code = self.viewer.end()
        self.ended_in = time.monotonic() - start
        self.person.close()
        said = re.sub(QUIET, "", self.viewer.said())
        said = re.sub("^cubist: cancelled while uploading the volume\n", "cubist: interrupted\n", said)
        good = (130, ["cubist: interrupted\n"]) if how == "SIGTERM" else (0, [""])
        if how != "SIGTERM" and self.latest() is None and code == 3 and said.count("\n") == 1:
            good = (3, [said])  # no file was open yet, and the one that was dropped is broken
        # A mesh that is being written may be finished after the signal.
        if (code, said) != (0, "") and (code != good[0] or said not in good[1]):
            self.fail(f"{how} ended with {code}: {said}")
        left = [name for name in os.listdir(self.out) if name.startswith(".")]
        if left:
            self.fail(f"{how} left {left}")

    def ends(self, runs):
        """So many windows that are closed in the middle of work."""
        seed, events, slowest, start = self.seed, 0, 0, time.monotonic()
        for i in range(runs):
            if i > 0:
                self.launch(seed + i)
            for _ in range(self.random.randrange(12)):
                self.act()
            for name in list(self.held):
                self.release(name) if isinstance(name, str) else self.button(name, False)
            if self.random.random() < 0.5: # some longer work is in progress
                self.random.choice((self.reload, self.drop, self.export,
                                    lambda: self.stroke("F12")))()
            self.end_now(self.random.choice(("Ctrl+Q", "close", "SIGTERM")))
            events += self.events
            slowest = max(slowest, self.ended_in)
        print(f"seeds {seed} to {seed + runs - 1}: {runs} windows closed after {events} events in "
              f"{time.monotonic() - start:.1f} s, the slowest end {slowest:.2f} s", flush=True)

    def end(self):
        self.end_now("Ctrl+Q")
        frames = self.latest()["frame"]
        print(f"seed {self.seed}: {self.events} events in {self.took:.1f} s, {frames} frames, slowest answer "
              f"{self.slowest[0]:.2f} s ({self.slowest[1]:.2f} s of work, after {', '.join(self.slowest[2])}), moves {self.latest()['events']['moves']} of {self.counts.moves}; "
              f"kB, descriptors, threads at first {self.measured[0][1:]}, last {self.measured[-1][1:]}", flush=True)

    def stop(self):
        """Whatever came of it."""
        if self.viewer.process.poll() is None:
            self.viewer.process.kill()
            self.viewer.process.wait()

    def check_flat(self, memory=False):
        """No more descriptors and threads than at any other time; memory once it has settled."""
        least, last = min(m[2:] for m in self.measured), self.measured[-1]
        if last[2:] > least:
            self.fail(f"descriptors and threads were {least}, and are {last[2:]} in the end; {self.measured}")
        if memory and len(self.measured) >= 8:
            quarter = len(self.measured) // 4
            early = max(m[1] for m in self.measured[quarter:2 * quarter])
            late = min(m[1] for m in self.measured[-quarter:])
            if late > early * 1.02 + 2048:
                self.fail(f"memory grows: {early} kB in the second quarter, {late} kB in the last; {self.measured}")
