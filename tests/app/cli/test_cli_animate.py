#!/usr/bin/python3
# ctest: device twin heavy
"""animate: its frames are render's pictures, as PNG files and as a film."""
import math
import re
import shutil
import signal
import time

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

SIZE = ["--size", "90x60", "--up", "z"]
FRONT = ["--view", "0,20"]
START, END = "12,10,8,60,0.8,0.6,0,0", "14,9,8,40,0.6,0,0,0.8"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def pixels(path):
    return subprocess.run(["convert", path, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout


def rendered(folder, raw, *more):
    path = os.path.join(folder, "one.png")
    ran = cubist("render", raw, "-o", path, *SIZE, *more)
    check(ran.code == 0, ran)
    return path


def frames(folder, raw, count, *more):
    """The files of an animation."""
    pattern = os.path.join(folder, "f_{n}.png")
    ran = cubist("animate", raw, "-o", pattern, *SIZE, *more)
    check(ran.code == 0 and f"{count} frames of 90 x 60" in ran.out, ran)
    names = sorted(name for name in os.listdir(folder) if name.startswith("f_"))
    if not check(names == [f"f_{n:04}.png" for n in range(count)], names):
        finish()
    for name in names:
        os.rename(os.path.join(folder, name), os.path.join(folder, "last" + name))
    return [os.path.join(folder, "last" + name) for name in names]


def apart(one, other):
    """Pixels that differ clearly."""
    a, b = pixels(one), pixels(other)
    return sum(max(abs(a[i + k] - b[i + k]) for k in range(3)) > 24 for i in range(0, len(a), 3))


def turns(folder, raw):
    shots = frames(folder, raw, 4, "--frames", "4", "--iso", "50%", *FRONT)
    contents = [read(shot) for shot in shots]
    check(len(set(contents)) == 4, "a whole turn of 4 frames shows 4 sides")
    # The camera stays where --camera puts it.
    shots = frames(folder, raw, 4, "--frames", "4", "--iso", "50%", "--turntable", "-360", "--camera", "5.5,4.5,3.5,30,0.5,0.5,0.5,0.5")
    camera = "5.5,4.5,3.5,30,0.5,0.5,0.5,0.5"
    check(read(shots[0]) == read(rendered(folder, raw, "--iso", "50%", "--camera", camera)), "the first frame is render's picture")
    one = rendered(folder, raw, "--iso", "50%", "--camera", "5.5,4.5,3.5,30,0.70710678,0.70710678,0,0")
    check(apart(shots[1], one) < 20 < apart(shots[2], one), "a quarter to the left", apart(shots[1], one), apart(shots[2], one))
    # A part of a turn has both ends.
    shots = frames(folder, raw, 3, "--frames", "3", "--turntable", "90", "--camera", "5.5,4.5,3.5,30,0.70710678,0.70710678,0,0")
    one = rendered(folder, raw, "--camera", "5.5,4.5,3.5,30,0.5,0.5,0.5,0.5")
    check(apart(shots[2], one) < 20 < apart(shots[1], one), "90 degrees", apart(shots[2], one), apart(shots[1], one))


def sweeps(folder, raw):
    # A picture of one isovalue would fit its own surface.
    shots = frames(folder, raw, 3, "--frames", "3", "--iso", "100:150", "--camera", START)
    for shot, iso in zip(shots, ("100", "125", "150")):
        check(read(shot) == read(rendered(folder, raw, "--iso", iso, "--camera", START)), "the frame of isovalue", iso)


def keeps(folder):
    """Nothing leaves the picture: of a long volume that shows its short side first, and of a surface that grows."""
    def covered(shots):
        boxes = []
        for shot in shots:
            data = subprocess.run(["convert", shot, "-depth", "8", "rgba:-"], check=True, capture_output=True).stdout
            places = [(i % 90, i // 90) for i, alpha in enumerate(data[3::4]) if alpha > 127]
            boxes.append([min(p[0] for p in places), max(p[0] for p in places), min(p[1] for p in places), max(p[1] for p in places)])
        low, high = [min(box[0] for box in boxes), min(box[2] for box in boxes)], [max(box[1] for box in boxes), max(box[3] for box in boxes)]
        check(low[0] > 3 and low[1] > 1 and high[0] < 86 and high[1] < 58, "something leaves the picture:", boxes)
        check(high[0] - low[0] > 60 or high[1] - low[1] > 40, "the picture is not filled:", boxes)
        return [box[1] - box[0] for box in boxes]

    more = ["--background", "transparent"]
    wide = covered(frames(folder, sample(folder, "gyroid", "48x16x12"), 8, *more, "--frames", "8", "--view", "right"))
    check(wide[2] > 2 * wide[0], "the long side is wider:", wide)
    wide = covered(frames(folder, sample(folder, "sphere", "24x24x24"), 3, *more, "--frames", "3", "--iso", "p99:40%", "--view", "front"))
    check(wide[2] > 1.2 * wide[0], "the surface grows:", wide)


def between(share):
    """The camera at this share of the way from START to END, along the shorter arc."""
    one, other = ([float(word) for word in text.split(",")] for text in (START, END))
    cosine = sum(a * b for a, b in zip(one[4:], other[4:]))
    angle = math.acos(abs(cosine))
    weights = math.sin((1 - share) * angle), math.copysign(math.sin(share * angle), cosine)
    target = [a + share * (b - a) for a, b in zip(one[:3], other[:3])]
    turn = [(weights[0] * a + weights[1] * b) / math.sin(angle) for a, b in zip(one[4:], other[4:])]
    return ",".join(str(value) for value in (*target, one[3] * (other[3] / one[3]) ** share, *turn))


def moves(folder, raw):
    """From one camera to the other, gently at both ends."""
    shots = frames(folder, raw, 5, "--frames", "5", "--camera", START, "--to", END)
    for shot, place in zip(shots, (0, 0.25, 0.5, 0.75, 1)):
        camera = between(place * place * (3 - 2 * place))
        off = apart(shot, rendered(folder, raw, "--camera", camera))
        check(off < 3, "the frame at", place, "is off in", off, "pixels")
    even = apart(shots[1], rendered(folder, raw, "--camera", between(0.25)))
    check(even > 20, "an even movement would differ:", even)


def goes_on(folder, raw):
    """--from makes the same frames as a whole run, and Ctrl-C says from where."""
    more = ["--frames", "5", "--iso", "100:150", "--camera", START, "--to", END, "--turntable", "90"]
    pattern = os.path.join(folder, "g_{n}.png")
    whole = [read(shot) for shot in frames(folder, raw, 5, *more)]
    ran = cubist("animate", raw, "-o", pattern, *SIZE, *more, "--from", "3")
    check(ran.code == 0 and "2 frames of 90 x 60, from frame 3 on" in ran.out, ran)
    names = sorted(name for name in os.listdir(folder) if name.startswith("g_"))
    if check(names == ["g_0003.png", "g_0004.png"], names):
        check([read(os.path.join(folder, name)) for name in names] == whole[3:], "--from makes other frames")
    ran = cubist("animate", raw, "-o", "-", *SIZE, *more, text=False)
    late = cubist("animate", raw, "-o", "-", *SIZE, *more, "--from", "4", text=False)
    head, _, rest = late.out.partition(b"\n")
    check(ran.out.startswith(head) and len(rest) == 6 + 3 * 90 * 60 and ran.out.endswith(rest), "a film from frame 4 on")


def stopped(folder, raw):
    """Ctrl-C leaves whole frames, and says how to go on."""
    def interrupt(output, begun):
        process = subprocess.Popen([CUBIST, "animate", raw, "-o", output, *SIZE, "--frames", "5000"], bufsize=0,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 60
        while not begun(process) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        err = err.decode()
        check(process.returncode == 130 and len(err.splitlines()) == 1, process.returncode, err)
        return out, err

    def number(err):
        found = re.search(r"^cubist: interrupted at frame (\d+) of 5000: the same command with --from (\d+) goes on$", err, re.M)
        check(found and found[1] == found[2], err)
        return int(found[1]) if found else -1

    pattern = os.path.join(folder, "s_{n}.png")
    out, err = interrupt(pattern, lambda _: os.path.exists(os.path.join(folder, "s_0002.png")))
    names = sorted(name for name in os.listdir(folder) if name.startswith(("s_", ".cubist")))
    check(names == [f"s_{n:04}.png" for n in range(number(err))], "the files are", names, "and the message", err)
    for name in names:
        check(len(pixels(os.path.join(folder, name))) == 3 * 90 * 60, name, "is not whole")
    # A pipe gets whole frames, too: as many as the message says.
    early = []
    out, err = interrupt("-", lambda process: early.append(process.stdout.read(50000)) or len(early) == 3)
    head, _, rest = (b"".join(early) + out).partition(b"\n")
    check(len(rest) == number(err) * (6 + 3 * 90 * 60), "the pipe got", len(rest), "bytes:", err)
    path = os.path.join(folder, "s.y4m")
    parts = lambda: [name for name in os.listdir(folder) if name.startswith(".cubist") and os.path.getsize(os.path.join(folder, name))]
    out, err = interrupt(path, lambda _: parts())
    check("no film was written" in err and not os.path.exists(path) and not parts(), err, os.listdir(folder))


def film(folder, raw):
    """The film has the frames of the PNG files."""
    path = os.path.join(folder, "a.y4m")
    more = ["--frames", "3", "--background", "#2060c0", "--color", "orange", *FRONT]
    shots = frames(folder, raw, 3, *more)
    ran = cubist("animate", raw, "-o", path, "--fps", "12", *SIZE, *more)
    check(ran.code == 0 and ran.out.splitlines()[1:] ==
          [f"to encode it: ffmpeg -i {path} -pix_fmt yuv420p {folder}/a.mp4"], ran)
    data = read(path)
    ran = cubist("animate", raw, "-o", "-", "--fps", "12", *SIZE, *more, text=False)
    check(ran.code == 0 and ran.out == data and "3 frames" in ran.err, "to standard output:", ran.code, ran.err)
    head, _, rest = data.partition(b"\n")
    check(head == b"YUV4MPEG2 W90 H60 F12:1 Ip A1:1 C444 XCOLORRANGE=LIMITED", head)
    count = 90 * 60
    check(len(rest) == 3 * (6 + 3 * count), "the film's length:", len(rest))
    for n, shot in enumerate(shots):
        frame = rest[n * (6 + 3 * count):][:6 + 3 * count]
        check(frame[:6] == b"FRAME\n", frame[:6])
        planes, expected, worst = frame[6:], pixels(shot), 0
        for i in range(0, count, 7):
            y, u, v = (planes[i] - 16) / 219, (planes[count + i] - 128) / 112, (planes[2 * count + i] - 128) / 112
            rgb = y + 0.701 * v, 0, y + 0.886 * u
            green = (y - 0.299 * rgb[0] - 0.114 * rgb[2]) / 0.587
            for found, wanted in zip((rgb[0], green, rgb[2]), expected[3 * i:3 * i + 3]):
                worst = max(worst, abs(255 * found - wanted))
        check(worst <= 3, "frame", n, "of the film is off by", worst)


def refusals(folder):
    raw = sample(folder)
    before = snapshot(folder)
    png = os.path.join(folder, "n_{n}.png")
    for more, pattern in (
            ([], "animate needs files to write"),
            (["-o", os.path.join(folder, "n.png")], "expected .y4m"),
            (["-o", os.path.join(folder, "n_{n}_{n}.png")], "expected {n} once"),
            (["-o", os.path.join(folder, "{n}", "n.png")], "expected {n} once"),
            (["-o", os.path.join(folder, "n_{n}.jpg")], "expected .png"),
            (["-o", os.path.join(folder, "n.y4m"), "--background", "transparent"], "a film has no alpha"),
            (["-o", png, "--to", END], "--to needs --camera"),
            (["-o", png, "--to", "1,2"], "--to 1,2: expected X,Y,Z"),
            (["-o", png, "--frames", "1"], "--frames 1: expected a whole number, 2 to"),
            (["-o", png, "--from", "120"], "--from 120: of 120 frames the last one is frame 119"),
            (["-o", png, "--from", "-1"], "--from -1: expected a whole number, 0 to"),
            (["-o", png, "--frames", "x"], "--frames x: expected a whole number, 2 to"),
            (["-o", png, "--fps", "0"], "--fps 0: expected"),
            (["-o", png, "--turntable", "0"], "--turntable 0: expected degrees"),
            (["-o", png, "--iso", "1:2:3"], "--iso 1:2:3: expected an isovalue"),
            (["-o", png, "--iso", "1:"], "--iso 1:: expected an isovalue"),
            (["-o", png, "--iso", "10:90%"], "two numbers or two percentages")):
        refused(cubist("animate", raw, *more), 2, pattern, folder, before)


need_device()
with Folder() as top:
    refusals(top)
    raw = sample(top, "torus")
    turns(top, sample(top, "noise", "12x10x8"))
    keeps(top)
    sweeps(top, raw)
    moves(top, raw)
    goes_on(top, raw)
    stopped(top, raw)
    film(top, raw)
finish()
