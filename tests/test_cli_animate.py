#!/usr/bin/python3
# ctest: device twin heavy
"""animate: its frames are render's pictures, as PNG files and as a film."""
import shutil

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
    check(read(shots[0]) == read(rendered(folder, raw, "--iso", "50%", *FRONT)), "the first frame is render's picture")
    contents = [read(shot) for shot in shots]
    check(len(set(contents)) == 4, "a whole turn of 4 frames shows 4 sides")
    # The fit is that of the first frame, also where another side would have another one: by --camera.
    shots = frames(folder, raw, 4, "--frames", "4", "--iso", "50%", "--turntable", "-360", "--camera", "5.5,4.5,3.5,30,0.5,0.5,0.5,0.5")
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


def moves(folder, raw):
    shots = frames(folder, raw, 3, "--frames", "3", "--camera", START, "--to", END)
    for shot, camera in (shots[0], START), (shots[2], END):
        check(apart(shot, rendered(folder, raw, "--camera", camera)) < 3, "the frame at", camera)
    check(apart(shots[1], shots[0]) > 20 and apart(shots[1], shots[2]) > 20, "the frame between")


def film(folder, raw):
    """The film has the frames of the PNG files."""
    path = os.path.join(folder, "a.y4m")
    more = ["--frames", "3", "--background", "#2060c0", "--color", "orange", *FRONT]
    shots = frames(folder, raw, 3, *more)
    ran = cubist("animate", raw, "-o", path, "--fps", "12", *SIZE, *more)
    check(ran.code == 0, ran)
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
    sweeps(top, raw)
    moves(top, raw)
    film(top, raw)
finish()
