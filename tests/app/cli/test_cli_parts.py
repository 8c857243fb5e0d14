#!/usr/bin/python3
# ctest: heavy share
"""extract and render --memory-budget: the same bytes as for the whole volume, and the same pixels, for
budgets of one part, of many, and of rows of layers. Parts that the isovalue misses are not read. Also
files that are cut, budgets that are too small, and Ctrl-C."""
import gzip
import math
import os
import pty
import shutil
import signal
import subprocess
import time

from cli import *

FACTS = "iso", "method", "active_cells", "vertices", "triangles", "bounds", "dims", "type", "area", "volume", \
    "parts", "euler", "watertight", "closed", "open_edges"


def least(raw, *more):
    """The smallest budget in MiB that is not refused."""
    ran = cubist("extract", raw, "--iso", "50%", "--memory-budget", "1", *more)
    if ran.code == 0:
        return 1
    need = re.search(r"needs ([\d.]+) MiB \(\d+ bytes\).*budget is 1.0 MiB \(1048576\)", ran.err)
    check(need, "need and budget:", ran)
    return math.ceil(float(need[1]))


def same(top, raw, budget, iso, *more):
    """Extracts without and with the budget, and compares. Returns the second report's parts."""
    at_once, in_parts = os.path.join(top, "at_once"), os.path.join(top, "in_parts")
    found = []
    for path, own in (at_once, []), (in_parts, ["--memory-budget", str(budget)]):
        ran = cubist("extract", raw, "--iso", iso, "--json", "-o", path, *own, *more)
        if not check(ran.code == 0 and ran.err == "", ran):
            return None
        found.append(ran.json())
    with open(at_once, "rb") as a, open(in_parts, "rb") as b:
        check(a.read() == b.read(), "another mesh:", raw, budget, iso, more)
    whole, parts = found
    check(whole["slabs"] is None, "at once there are no parts:", whole)
    for key in FACTS:
        check(whole[key] == parts[key], key, whole[key], parts[key])
    check(parts["device_bytes"] <= budget << 20, "held more than the budget:", parts)
    check(parts["slabs"]["budget_bytes"] == budget << 20, "budget:", parts)
    return parts["slabs"]


def budgets(top):
    counts = set()
    raw = sample(top, "gyroid", "64x60x70", "uint8")
    low = least(raw)
    for budget in low, 2 * low, 100:
        parts = same(top, raw, budget, "50%")
        counts.add(parts and parts["count"])
    check(1 in counts and max(counts) > 3, "one part, and many:", counts)
    parts = same(top, raw, low, "50%", "--format", "vtp")
    same(top, raw, low, "auto", "--format", "glb", "--spacing", "1,2.5,3")
    same(top, raw, low, "120", "--format", "stl", "--method", "auto")
    ball = sample(top, "sphere", "50x50x50", "float32")
    same(top, ball, least(ball), "40%", "--spacing", "2,2,2")
    same(top, ball, least(ball), "p90")
    # A mirroring affine: the triangles are reversed, and the volume keeps its sign.
    header = os.path.join(top, "mirrored.nhdr")
    with open(header, "w") as file:
        file.write("NRRD0005\ntype: float\ndimension: 3\nsizes: 50 50 50\nendian: little\nencoding: raw\n"
                   "space: left-posterior-superior\nspace directions: (-1,0,0) (0,1,0) (0,0,2)\n"
                   f"space origin: (900,7,-3)\ndata file: {os.path.basename(ball)}\n")
    same(top, header, least(header), "40%")
    # Compressed, from standard input, and a file that can only be read as a whole.
    packed = os.path.join(top, "gyroid_64x60x70_uint8.raw.gz")
    with open(raw, "rb") as file, gzip.open(packed, "wb") as out:
        out.write(file.read())
    same(top, packed, low, "50%")
    with open(os.path.join(top, "at_once"), "rb") as file:
        wanted = file.read()
    with open(raw, "rb") as file:
        done = subprocess.run([CUBIST, "extract", "-", "--dims", "64x60x70", "--type", "uint8", "--iso", "50%",
                               "--memory-budget", str(low), "-o", "-"], stdin=file, capture_output=True, timeout=120)
    check(done.returncode == 0 and done.stdout == wanted, "through pipes:", done.returncode, done.stderr)
    # Counts alone.
    text = cubist("extract", raw, "--iso", "50%", "--memory-budget", str(low), "--verbose")
    check(re.search(r"^volume parts +\d+ of up to \d+ (layers?|rows of a layer): \d+ loaded, 0 missed", text.out, re.M), "the report:", text)
    check(re.search(r"^parts +\d", text.out, re.M), "the report:", text)
    check(re.search(r"^cubist: \d+ parts of up to \d+ (layers?|rows of a layer) of cells, ", text.err, re.M), "the plan:", text)


def rows(top):
    """Layers that are too much for the budget come in rows: every format as of the whole."""
    raw = sample(top, "noise", "120x110x4", "uint8")
    formats = formats_written("meshes")
    for format in formats if WHOLE else formats[::3]:
        parts = same(top, raw, 2, "50%", "--format", format)
        check(parts and parts["layers"] == 1 and parts["count"] >= 2 * 3, "each of three layers is cut:", parts)
    ran = cubist("extract", raw, "--iso", "50%", "--memory-budget", "2", "--verbose")
    check(re.search(r"^volume parts +\d+ of up to \d+ rows of a layer: ", ran.out, re.M), "the report:", ran)
    check(re.search(r"^cubist: \d+ parts of up to \d+ rows of a layer of cells, in 2.0 MiB", ran.err, re.M), "the plan:", ran)


def missed(top):
    """A ball in the middle of a large empty volume: the parts above and below it are not read again."""
    raw = sample(top, "sphere", "40x40x40", "uint8")
    tall = os.path.join(top, "tall_40x40x1200_uint8.raw")
    with open(raw, "rb") as file, open(tall, "wb") as out:
        out.write(bytes(40 * 40 * 580) + file.read() + bytes(40 * 40 * 580))
    parts = same(top, tall, 2 * least(tall), "60%")
    check(parts["missed"] > 0 and parts["loaded"] + parts["missed"] - parts["cut"] == parts["count"],
          "parts are missed:", parts)
    check(parts["bytes_read"] < os.path.getsize(tall) / 2, "missed parts are not read:", parts)
    same(top, tall, least(tall), "auto")
    # An isovalue that is a number needs no facts: every slice is read, once if no part is divided.
    parts = same(top, tall, 2 * least(tall), "120.5")
    check(parts["missed"] == 0 and (parts["cut"] or parts["bytes_read"] == os.path.getsize(tall)),
          "each slice once:", parts)
    ran = cubist("extract", tall, "--iso", "300", "--memory-budget", "50", "--json")
    check(ran.code == 0 and "the surface is empty" in ran.err and ran.json()["triangles"] == 0, "empty:", ran)
    ran = cubist("extract", tall, "--iso", "0%", "--memory-budget", "50", "--json")
    check(ran.code == 0 and "lower end" in ran.err and ran.json()["slabs"]["loaded"] == 0, "empty:", ran)


def refusals(top):
    raw = sample(top, "gyroid", "64x60x70", "uint8")
    wide = sample(top, "sphere", "9000x4x3", "uint8")
    mesh = os.path.join(top, "old.ply")
    with open(mesh, "w") as file:
        file.write("old")
    before = snapshot(top)
    for value in "0", "-1", "1.5", "x", "", "99999999999":
        refused(cubist("extract", raw, "--memory-budget", value, "-o", mesh), 2, "--memory-budget", top, before)
    refused(cubist("info", raw, "--memory-budget", "5"), 2, "--memory-budget", top, before)
    refused(cubist("extract", wide, "--iso", "50%", "--memory-budget", "1", "-o", mesh), 4,
            r"needs [\d.]+ MiB.*budget is 1.0 MiB", top, before)
    refused(cubist("extract", raw, "--iso", "9", "--memory-budget", "50", "-o", os.path.join(top, "no", "m.ply")), 5,
            "its folder", top, before)
    refused(cubist("extract", os.path.join(top, "none.nrrd"), "--memory-budget", "50"), 3, "none.nrrd", top, before)
    # Shorter than its header says; and a compressed one, which only reading finds out.
    cut = os.path.join(top, "cut.nrrd")
    with open(cut, "wb") as file:
        file.write(b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: 64 60 70\nencoding: raw\n\n" + bytes(1000))
    with open(raw, "rb") as file:
        stream = gzip.compress(file.read())
    packed = os.path.join(top, "packed_64x60x70_uint8.raw.gz")
    with open(packed, "wb") as file:
        file.write(stream[:len(stream) // 2])
    before = snapshot(top)
    for path in cut, packed:
        for iso in "50%", "128":
            refused(cubist("extract", path, "--iso", iso, "--memory-budget", "50", "-o", mesh), 3,
                    os.path.basename(path), top, before)


def changing(top):
    """A file that is cut or overwritten while it is read, and Ctrl-C: nothing is left beside the old file."""
    low = sample(top, "gyroid", "96x96x64", "uint8")
    with open(low, "rb") as file:
        one = file.read()
    big = os.path.join(top, "big_96x96x320_uint8.raw")
    mesh = os.path.join(top, "old.ply")
    budget = str(least(low) + 4)  # rows of both are equally long
    for how in "cut", "rewritten", "interrupt":
        with open(big, "wb") as file:
            for _ in range(5):
                file.write(one)
        before = set(os.listdir(top))
        process = subprocess.Popen([CUBIST, "extract", big, "--iso", "128", "--memory-budget", budget, "-o", mesh],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Once it has begun there is a part file.
        end = time.monotonic() + 60
        while not any(name.endswith(".part") for name in os.listdir(top)) and time.monotonic() < end:
            time.sleep(0.01)
        start = time.monotonic()
        if how == "cut":
            os.truncate(big, 96 * 96 * 175)
        elif how == "rewritten": # in place, to the same size
            with open(big, "r+b") as file:
                file.write(one[:96])
        else:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        check(process.returncode == (130 if how == "interrupt" else 3), how, process.returncode, out, err)
        check(how != "rewritten" or f"'{big}' changed while it was read" in err, how, err)
        check(how != "interrupt" or os.environ.get("CUBIST_VALIDATE") or time.monotonic() - start < 1,
              "stops within a second:", time.monotonic() - start)
        check(len(err.splitlines()) == 1, "one line:", err)
        check(set(os.listdir(top)) == before, "left behind:", set(os.listdir(top)) ^ before)
        with open(mesh) as file:
            check(file.read() == "old", "the old file is as it was")


def picture(path, size):
    """Its pixels, as bytes."""
    data = subprocess.run(["convert", path, "-depth", "8", "rgba:-"], check=True, capture_output=True).stdout
    check(len(data) == 4 * size, path, len(data))
    return data


def pictures(top):
    """Drawn part by part, the picture equals that of the whole surface, pixel by pixel. Of two lines at the
    same distance the first one is visible, which may differ between parts."""
    if not shutil.which("convert"):
        print("pictures are not compared: convert is not installed")
        return
    at_once, in_parts = os.path.join(top, "at_once.png"), os.path.join(top, "in_parts.png")
    size = ["--size", "300x200"]
    tries = [("gyroid", [], 0), ("sphere", ["--background", "transparent"], 0), ("gyroid", ["--wireframe"], 60),
             ("gyroid", ["--flat"], 0)]
    for name, more, most in tries if WHOLE else tries[1:3]:
        raw = sample(top, name, "64x60x70", "uint8")
        ran = cubist("render", raw, "--iso", "50%", "-o", at_once, *size, *more)
        check(ran.code == 0, ran)
        ran = cubist("render", raw, "--iso", "50%", "--memory-budget", "1", "-o", in_parts, *size, *more)
        need = re.search(r"needs ([\d.]+) MiB \(\d+ bytes\) with its surface and what else is on the device", ran.err)
        check("beside the picture of 300x200, which takes" in ran.err and "--size" in ran.err, "the picture's need:", ran)
        if not check(ran.code == 4 and need and not os.path.exists(in_parts), "need and budget:", ran):
            continue
        budget = str(math.ceil(float(need[1])))
        ran = cubist("render", raw, "--iso", "50%", "--memory-budget", budget, "-o", in_parts, *size, *more)
        parts = re.search(r"^volume parts +(\d+) of", ran.out, re.M)
        check(ran.code == 0 and parts and int(parts[1]) > 3, "drawn from several parts:", ran)
        one, other = picture(at_once, 60000), picture(in_parts, 60000)
        apart = sum(one[i:i + 4] != other[i:i + 4] for i in range(0, len(one), 4))
        check(apart <= most, name, more, apart, "pixels differ")
        check(len(set(one)) > 40, "there is something to be seen:", name)
        os.remove(in_parts)


def interrupted_picture(top):
    """Ctrl-C while it is drawn part by part."""
    big = os.path.join(top, "big_96x96x320_uint8.raw")
    target = os.path.join(top, "big.png")
    before = set(os.listdir(top))
    process = subprocess.Popen([CUBIST, "render", big, "--iso", "128", "--memory-budget", "24", "--size", "300x200",
                                "--verbose", "-o", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "parts of up to" in line:
            break
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    check(process.returncode == 130 and out == "", "Ctrl-C:", process.returncode, out, err)
    check(os.environ.get("CUBIST_VALIDATE") or time.monotonic() - start < 1,
          "stops within a second:", time.monotonic() - start)
    check(set(os.listdir(top)) == before, "left behind:", set(os.listdir(top)) ^ before)


def steps(top):
    """bench extract --memory-budget: resident parts are not read again at the next step."""
    raw = sample(top, "sphere", "96x96x500", "uint8")
    read = []
    for budget in 4, 13:
        ran = cubist("bench", "extract", raw, "--iso", "20%,40%", "--memory-budget", str(budget), "--repeat", "3", "--json")
        if not check(ran.code == 0, ran):
            continue
        found = ran.json()
        check(found["device_bytes"] <= found["budget_bytes"] == budget << 20, "held more than the budget:", found)
        read.append(0)
        for row in found["runs"]:
            parts = row["slabs"]
            check(parts["count"] > 2 and parts["resident"] + parts["loaded"] + parts["missed"] == parts["count"], row)
            check((parts["loaded"] == 0) == (parts["bytes_read"] == 0), row)
            check(0 < row["min_ms"] <= row["median_ms"] and row["triangles"] > 0, row)
            read[-1] += parts["bytes_read"]
    check(read[0] > 0 and read[1] == 0, "streamed with little, all there with more:", read)
    refused(cubist("bench", "extract", raw, "--memory-budget", "9", "--against", "5"), 2, "--against")
    refused(cubist("bench", "compaction", "--memory-budget", "9"), 2, "--memory-budget is for bench extract")


def meter(top, label, *command):
    """On a terminal: percent, rate and time left."""
    big = os.path.join(top, "big_96x96x320_uint8.raw")
    with open(os.path.join(top, "gyroid_96x96x64_uint8.raw"), "rb") as file:
        one = file.read()
    with open(big, "wb") as file:
        for _ in range(5):
            file.write(one)
    ours, theirs = pty.openpty()
    process = subprocess.Popen([CUBIST, *command, big, "--iso", "128"],
                               stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    line, said = label + rb" +\d+%, [\d.]+ MiB/s, \d+ s left", b""
    while not re.search(line, said):
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        said += more
    process.send_signal(signal.SIGINT)  # the rest is not waited for
    check(process.wait(120) in (0, 130), command, said)
    os.close(ours)
    check(re.search(line, said), "the line counts up:", said[-400:])


need_device()
with Folder() as path:
    budgets(path)
    rows(path)
    missed(path)
    refusals(path)
    pictures(path)
    steps(path)
    changing(path)
    meter(path, b"extracting", "extract", "--memory-budget", "12")
    interrupted_picture(path)
    meter(path, b"drawing", "render", "--memory-budget", "24", "--size", "300x200", "-o", os.path.join(path, "p.png"))
finish()
