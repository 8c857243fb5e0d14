#!/usr/bin/python3
# ctest: plain share
"""bench compaction: every option has an effect, the table is valid, and the share of kept words is the
requested one."""
import csv
import io
import math
import os
import re
import signal
import struct
import subprocess
import time
import zlib

from cli import *

COLUMNS = ("device driver experiment paper figure file caster method ran form test list size element work block subgroup leaf rounds "
           "width height views pattern image density kept k r iso stage repeat median_ms min_ms q1_ms q3_ms p95_ms cpu_ms cpu_ratio "
           "elements_per_s bytes copy_ms copy_share isovalues fps fps_sd hits lost misplaced round rays rays_in_leaves busy "
           "spins fallbacks late").split()


def bench(*args, **more):
    """The rows of bench compaction --csv -."""
    ran = cubist("bench", "compaction", *args, "--csv", "-", "-q", **more)
    if not check(ran.code == 0 and not ran.err, "bench compaction:", ran):
        return []
    table = list(csv.DictReader(io.StringIO(ran.out)))
    check(table and list(table[0]) == COLUMNS, "columns:", ran.out[:400])
    for row in table:
        sound(row)
    return table


def sound(row):
    """What holds in every row."""
    check(row["device"] and row["driver"] and row["method"] and row["stage"], "who and what:", row)
    times = [float(row[name]) for name in ("min_ms", "q1_ms", "median_ms", "q3_ms", "p95_ms")]
    check(times[0] >= 0 and times == sorted(times), "order of times:", row)
    if row["file"]:
        return
    size, kept = int(row["size"]), int(row["kept"])
    check(0 <= kept <= size, "kept:", row)
    check(math.isclose(float(row["density"]), 100 * kept / size, rel_tol=1e-4, abs_tol=1e-9), "density:", row)
    check(math.isclose(float(row["density"]) + float(row["k"]), 100, rel_tol=1e-4), "k:", row)
    check(int(row["bytes"]) == int(row["element"]) * (size + kept), "bytes:", row)
    check((row["stage"] == "all") == bool(row["copy_share"]) == bool(row["elements_per_s"]), "of the whole:", row)
    counts = row["method"].split(":")[0] in ("lookback", "ink-compact", "ofk-compact") and row["stage"] == "all"
    check(counts == bool(row["spins"]) == bool(row["fallbacks"]) == bool(row["late"]), "who counts its waiting:", row)
    if counts and row["method"] == "lookback":
        check(float(row["late"]) == 0, "lookback has no second kernel:", row)
    elif counts:
        check(float(row["spins"]) == float(row["fallbacks"]) == 0, "no workgroup waits:", row)
        check(float(row["late"]) <= (kept if size > 32 * 256 else 0), "only later sections are late:", row)
    if row["copy_share"] and times[2] > 0:
        check(math.isclose(float(row["copy_share"]), float(row["copy_ms"]) / times[2], rel_tol=1e-3), "share:", row)
        check(math.isclose(float(row["elements_per_s"]), size / times[2] * 1e3, rel_tol=1e-3), "rate:", row)


def of(table, **want):
    return [row for row in table if all(row[key] == str(value) for key, value in want.items())]


def values(table, column):
    return list(dict.fromkeys(row[column] for row in table))


def png(path, width, height, depth, colour, pixels):
    """`pixels(x, y)` gives the bytes of one."""
    rows = b"".join(b"\0" + b"".join(pixels(x, y) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" +
                   chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def streams():
    quick = ["--method", "count-scan-compact,ink-collate", "--repeat", "2"]
    table = bench(*quick, "--size", "1K,1000,3", "--density", "0,12.5,100")
    check(values(table, "size") == ["1024", "1000", "3"], "--size:", values(table, "size"))
    check(values(table, "method") == ["count-scan-compact", "ink-collate", "copy"], "--method:", values(table, "method"))
    check(values(table, "pattern") == ["random"], "the pattern where none is named")
    check(all(row["repeat"] == "2" for row in table), "--repeat")
    for method in "count-scan-compact", "ink-collate", "copy":
        kept = [row["kept"] for row in of(table, method=method)]
        check(kept == ["0", "128", "1024", "0", "125", "1000", "0", "0", "3"], "--density:", method, kept)
    check(len(of(bench("--size", "64", "--repeat", "1", "--method", "count-scan-compact"), method="count-scan-compact")) == 3,
          "three densities where none is named")

    table = of(bench(*quick, "--size", "1000", "--density", "25",
                     "--pattern", "random,runs:10,tail:0,tail:100,first,middle,last,alternating"), method="copy")
    kept = {row["pattern"]: row["kept"] for row in table}
    check(kept == {"random": "250", "runs:10": "250", "tail:0": "0", "tail:100": "250", "first": "1", "middle": "1",
                   "last": "1", "alternating": "500"} or "tail:0" not in kept, "patterns:", kept)
    check("tail:0" not in kept, "750 of 1000 cannot all be removed outside of the last 750:", kept)
    table = of(bench(*quick, "--size", "1000", "--density", "90", "--pattern", "tail:0,tail:50"), method="copy")
    check([(row["kept"], row["r"]) for row in table] == [("900", "0"), ("900", "50")], "tails:", table)


def seeds():
    quick = ["--method", "count-scan-compact", "--repeat", "2"]
    for n in "1", "5":
        rows = bench(*quick, "--size", "1000", "--density", "30", "--seeds", n)
        check({(row["repeat"], row["kept"]) for row in rows} == {(str(2 * int(n)), "300")}, "--seeds", n, rows)
    # One of two runs is kept, a long one or a short one: that of the last seed.
    kept = [values(bench(*quick, "--size", "10", "--density", "50", "--pattern", "runs:7", "--seeds", str(n)), "kept")
            for n in range(1, 9)]
    check(sorted(set(map(tuple, kept))) == [("3",), ("7",)], "the seeds differ:", kept)


def axes():
    """Elements of more than a word, and a predicate that computes more."""
    quick = ["--size", "3000", "--density", "30", "--repeat", "1"]
    methods = "ink-collate lookback chag horn single-pass histopyramid histopyramid-vec4".split()
    words = ["redzone-2", "cpu-remove"]
    axis = ["--method", ",".join(methods + words), "--element", "4,8,64", "--work", "0,5"]
    table = bench(*quick, *axis)
    check({row["kept"] for row in table} == {"900"}, "kept:", values(table, "kept"))
    for element in 4, 8, 64:
        for work in 0, 5:
            want = methods + (words if (element, work) == (4, 0) else []) + ["copy"]
            rows = of(table, element=element, work=work)
            check(values(rows, "method") == want, element, work, values(rows, "method"))
    check({(row["element"], row["work"]) for row in bench(*quick, "--method", "chag")} == {("4", "0")}, "where none is named")
    left = [(gap["what"].split()[0], gap["reason"].split()[-1])
            for gap in cubist("bench", "compaction", *quick, *axis, "--json", "-q").json()["left_out"]]
    check(left == [(name, "work") for name in words] + [(name, "bytes") for name in words] * 4, "left out:", left)
    # A list of removals marks the first word of an element.
    rows = bench(*quick, "--method", "lookback,horn", "--element", "32", "--removals")
    check(values(rows, "list") == ["", "given"] and {row["kept"] for row in rows} == {"900"}, "--removals:", rows)
    # If the removals are given, this form has no stage that counts: the kernel that marks them counts.
    for size in "1", "256", "3000":
        for element in "4", "32":
            rows = bench("--size", size, "--density", "0,30", "--repeat", "1", "--method", "count-scan-compact:mark",
                         "--element", element, "--removals", "--stages")
            stages = [set(values(of(rows, list=made), "stage")) for made in ("", "given")]
            check(stages[0] - stages[1] == {"csc count"}, "stages:", size, element, stages)
    rows = bench(*quick, "--method", "chag,horn", "--element", "16", "--concatenate")
    check(values(rows, "method") == ["chag", "copy"], "separate blocks are of words:", rows)
    ran = cubist("bench", "compaction", *quick, *axis, "--long", "-q")
    check(re.search(r"^ink-collate, 64 B, work 5 +3000 ", ran.out, re.M), "--long:", ran.out)
    lines = cubist("bench", "compaction", *quick, "--method", "chag", "--element", "4,16", "-q").out.splitlines()
    check(lines[2].split()[:2] == ["element", "bytes"] and [line.split()[0] for line in lines[3:5]] == ["4", "16"], "tables:", lines)
    for option, wrong in ("--element", "2,6,128,4K,"), ("--work", "257,-1,1.5,x,"):
        for value in wrong.split(","):
            refused(cubist("bench", "compaction", *quick, option, value), 2, option)
    refused(cubist("bench", "view", "none.raw", "--element", "4"), 2, "--element")

    table = bench("--rerun", "element-size,predicate-cost,atomics", "--size", "1K", "--repeat", "1")
    check(values(of(table, experiment="element-size"), "element") == ["4", "8", "16", "32", "64"], "element-size")
    check(values(of(table, experiment="predicate-cost"), "work") == ["0", "16", "64", "256"], "predicate-cost")
    appends = [f"append:{each}" for each in ("element", "subgroup", "workgroup")]
    check(values(of(table, experiment="atomics"), "method") == appends + ["ink-collate", "copy"], "atomics")
    rows = bench("--rerun", "jumping-jack-9", *quick, "--element", "16", "--work", "3")
    check(values(rows, "method") == ["prefix-doubling", "prefix-tree", "copy"], "sums over elements:", rows)
    rows = bench("--rerun", "atomics", *quick, "--element", "64", "--work", "3", "--block", "32,256")
    check(len(of(rows, method=appends[0])) == 1 and not any(row["block"] for row in of(rows, method=appends[0])), "blocks:", rows)


def tables():
    """The results for people: whom was measured, by what."""
    quick = ["--repeat", "3", "-q"]
    ran = cubist("bench", "compaction", "--method", "count-scan-compact,lookback,chag", "--size", "1K,2K", "--density", "10,50", *quick)
    lines = ran.out.splitlines()
    check(ran.code == 0 and lines[1] == "milliseconds, element bytes 4, pattern random, timed runs 3", "what does not vary:", ran)
    check(lines[2].split() == "size kept % method count-scan-compact lookback chag copy".split(), "columns:", ran)
    cell = r" +[\d.]+ \+- [\d.]+ [* ]"
    for line, start in zip(lines[3:7], ("1K    10 ", "1K    50 ", "2K    10 ", "2K    50 ")):
        check(re.fullmatch(re.escape(start) + cell * 4, line), "a line:", line)
        numbers = [float(number) for number in re.findall(r"([\d.]+) \+-", line)][:3]
        marked = re.findall(r"([\d.]+) \+- [\d.]+ \*", line)
        check(marked and all(float(number) == min(numbers) for number in marked), "the best of the methods:", line)
    check(lines[7].startswith("spins of a run, method lookback,") and lines[13].startswith("fallbacks of a run,"), "waiting:", ran)
    check(lines[-1].startswith("mean +- standard deviation; * best"), "the legend:", ran)
    # More methods than streams: they go down. A line is not longer than a terminal.
    ran = cubist("bench", "compaction", "--method", "all", "--size", "1K", "--density", "10,50", *quick)
    lines = ran.out.splitlines()
    check(lines[2].split() == "method block kept % 10 50".split() and lines[3].startswith("ink-collate "), "methods go down:", ran)
    check(re.fullmatch(r"horn +256" + cell * 2, next(line for line in lines if line.startswith("horn "))), "blocks:", ran)
    ran = cubist("bench", "compaction", "--method", "all", "--size", "1K", "--density", ",".join(map(str, range(1, 20))),
                 "--stages", *quick)
    check(max(map(len, ran.out.splitlines())) <= 120 and ran.out.count("ink-collate ") > 3, "bands of columns:", ran)
    check(re.search(r"^milliseconds of stages, ", ran.out, re.M) and re.search(r"^count-scan-compact +csc scan ", ran.out, re.M), "stages:", ran)
    # A list that is given is another contest.
    ran = cubist("bench", "compaction", "--method", "count-scan-compact,redzone-2", "--size", "1K", "--density", "50", "--removals", *quick)
    check(re.search(r"^copy +[\d.]+ \+- [\d.]+ + -  $", ran.out, re.M) and ran.out.count("*") == 3, "removals:", ran)


def options():
    quick = ["--size", "2K", "--density", "50", "--repeat", "1"]
    table = bench(*quick, "--method", "count-scan-compact", "--stages")
    check(values(table, "stage") == ["all", "csc count", "csc scan", "csc compact"], "--stages:", values(table, "stage"))
    methods_here = cubist("methods", "--json").json()["methods"]
    blocked = [m["name"] for m in methods_here if m["block_is_parameter"] and m["available"]]
    table = bench(*quick, "--method", "all", "--block", "32,256")
    for m in methods_here:
        rows = of(table, method=m["name"])
        check(bool(rows) == (m["available"] or m["runs_on"] != "device"), "all methods, and no others:", m["name"])
        want = ["32", "256"] if m["name"] in blocked else [""]
        check(not rows or values(rows, "block") == want, "--block:", m["name"], values(rows, "block"))
    if blocked:
        table = bench(*quick, "--method", blocked[0], "--concatenate")
        check(values(of(table, method=blocked[0]), "form") == ["concatenated"], "--concatenate:", table)
    table = bench(*quick, "--method", "count-scan-compact,redzone-2,cpu-redzone,cpu-remove", "--removals", "--stages")
    for method, lists in ("count-scan-compact", ["", "given"]), ("cpu-remove", ["", "given"]), ("cpu-redzone", ["made", "given"]), ("redzone-2", ["made", "given"]):
        check(values(of(table, method=method), "list") == lists, "--removals:", method)
    check(of(table, method="count-scan-compact", list="given", stage="mark"), "marking has a stage:", table)
    check(not of(table, method="count-scan-compact", list="", stage="mark"), "there is nothing to mark:", table)
    check(not of(table, stage="copy into place"), "what is no work of the method:", table)
    check(of(table, method="redzone-2", list="made", stage="removal list"), "making the list has a stage:", table)
    check(not of(table, method="redzone-2", list="given", stage="removal list"), "it is given:", table)
    check(of(table, method="cpu-redzone", list="made", stage="make list"), "making the list has a stage:", table)

    table = bench(*quick, "--method", "ink-collate,auto")
    check(values(of(table, method="ink-collate"), "ran") == ["ink-collate"], "what ran:", table)
    check(values(of(table, method="auto"), "ran")[0] in {m["name"] for m in methods_here} - {"auto"}, "what auto ran:", table)
    unblocked = [m["name"] for m in methods_here if not m["block_is_parameter"]]
    refused(cubist("bench", "compaction", *quick, "--method", unblocked[0], "--block", "64"), 2, f"--block: {unblocked[0]} has no blocks")

    # Only sizes that the device offers; there the rows say so.
    took = 0
    for size in 1, 2, 4, 8, 16, 32, 64, 128:
        ran = cubist("bench", "compaction", *quick, "--method", "count-scan-compact", "--subgroup-size", str(size), "--csv", "-")
        if ran.code == 0:
            took += 1
            check(values(list(csv.DictReader(io.StringIO(ran.out))), "subgroup") == [str(size)], "--subgroup-size:", ran)
        else:
            refused(ran, 4, "subgroup")
    check(took < 8, "some size is refused")


def images(folder):
    quick = ["--method", "count-scan-compact", "--repeat", "1"]
    table = of(bench(*quick, "--size", "4K,64K", "--image", "finger,hand,bunny"), method="copy")
    check(values(table, "image") == ["finger", "i_finger", "hand", "i_hand", "bunny", "i_bunny"], "images:", table)
    for image in "finger", "hand", "bunny":
        for size in 64 * 64, 256 * 256:
            own = of(table, image=image, size=size)[0]
            negative = of(table, image="i_" + image, size=size)[0]
            check(int(own["kept"]) + int(negative["kept"]) == size, "a negative keeps the others:", own, negative)
            check(15 < float(own["density"]) < 60, "a picture, not a blank:", own)
    # The quarter that is white, at any side; between thresholds the grey half as well.
    path = os.path.join(folder, "quarter, 1.png")
    plain = os.path.join(folder, "plain.png")
    png(plain, 30, 20, 8, 0, lambda x, y: bytes([255 if x < 15 and y < 10 else 100 if y < 10 else 0]))
    for side in 10, 30, 60, 200:
        table = of(bench(*quick, "--size", str(side * side), "--image", plain), method="copy", image="plain.png")
        check([float(row["density"]) for row in table] == [25], "a PNG:", side, table)
    for threshold, density in ("0", 100), ("39", 50), ("40", 25), ("100", 25):
        table = of(bench(*quick, "--size", "3600", "--image", plain, "--threshold", threshold), method="copy")
        check(float(table[0]["density"]) == density, "--threshold:", threshold, table[0])
    # Colours by their brightness, 16 bits, an odd shape.
    png(path.replace(", ", "-"), 9, 1, 8, 2, lambda x, y: bytes([0, 255, 0] if x % 3 == 0 else [255, 0, 0]))
    table = of(bench(*quick, "--size", "81", "--image", path.replace(", ", "-")), method="copy", image="quarter-1.png")
    check(int(table[0]["kept"]) == 27, "green is bright, red is not:", table)
    png(plain, 4, 4, 16, 0, lambda x, y: b"\xff\xff" if x == y else b"\0\xff")
    table = of(bench(*quick, "--size", "16", "--image", plain), method="copy", image="plain.png")
    check(int(table[0]["kept"]) == 4, "16 bits:", table)

    before = snapshot(folder)
    for content in b"", b"\x89PNG\r\n\x1a\n", b"no image at all" * 20:
        broken = os.path.join(folder, "broken.png")
        with open(broken, "wb") as file:
            file.write(content)
        refused(cubist("bench", "compaction", *quick, "--image", broken), 3, "broken.png")
        os.remove(broken)
    refused(cubist("bench", "compaction", *quick, "--image", folder), 3, "folder|directory|file")
    refused(cubist("bench", "compaction", *quick, "--image", "island"), 3, "island")
    check(len(snapshot(folder)) == len(before), "nothing is left behind")


def outputs(folder):
    quick = ["--size", "1K", "--density", "50", "--repeat", "1", "--method", "count-scan-compact"]
    path = os.path.join(folder, "b.csv")
    ran = cubist("bench", "compaction", *quick, "--csv", path, "--long")
    with open(path) as file:
        table = list(csv.DictReader(file))
    check(ran.code == 0 and list(table[0]) == COLUMNS and len(table) == 2, "--csv:", ran)
    check(re.search(r"^count-scan-compact +1K +- +random +50\.00 ", ran.out, re.M), "the table for people:", ran.out)
    check(table[0]["device"] in ran.out, "the device is named:", ran.out)
    ran = cubist("bench", "compaction", *quick, "--json", "--stages")
    report = ran.json()
    check(report["schema"] == 1 and report["device"] == table[0]["device"] and report["left_out"] == [], "--json:", ran)
    check([row["stage"] for row in report["rows"]] == ["all", "csc count", "csc scan", "csc compact", "all"], "rows:", ran)
    check(list(report["rows"][0]) == COLUMNS[2:], "the columns are the same:", list(report["rows"][0]))
    check(report["rows"][0]["kept"] == 512 and report["rows"][0]["image"] is None, "values:", report["rows"][0])
    # An old file stays as it was until a new one is whole.
    with open(path, "w") as file:
        file.write("old")
    before = snapshot(folder)
    running = subprocess.Popen([CUBIST, "bench", "compaction", "--size", "1M", "--repeat", "1000", "--method",
                                "count-scan-compact,cpu-redzone", "--csv", path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(200):
        if any(name.endswith(".part") for name in os.listdir(folder)):
            break
        time.sleep(0.05)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, err = running.communicate(timeout=60)
    took = time.monotonic() - start
    check(running.returncode == 130 and out == b"" and b"interrupted" in err, "Ctrl-C:", running.returncode, out, err)
    check(took < 5, "Ctrl-C took", took)
    check(snapshot(folder) == before, "Ctrl-C left something behind:", os.listdir(folder))
    # What was done until then is not lost.
    with open(path, "w") as file:
        file.write("old")
    before = snapshot(folder)
    running = subprocess.Popen([CUBIST, "bench", "compaction", "--size", "1K,1M", "--repeat", "300", "--density", "50", "--method",
                                "count-scan-compact", "--csv", path, "--long"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    check(running.returncode == 130 and b"interrupted" in err, "Ctrl-C:", running.returncode, err)
    check(b"\n" not in out or (b"rows that were measured" in err and b" 1K " in out and b" 1M " not in out), "rows that were done:", out, err)
    check(snapshot(folder) == before, "Ctrl-C left something behind:", os.listdir(folder))
    done = os.system(f"{CUBIST} bench compaction {' '.join(quick)} --csv - >/dev/full 2>/dev/null")
    check(os.waitstatus_to_exitcode(done) == 5, f"--csv - to a full disk: {done}")


MOREIRA = "horn jumping-jack rlz binary-tree lookback"
METHODS = {
    "jumping-jack-9": "prefix-doubling prefix-tree", "jumping-jack-10": "jumping-jack",
    "jumping-jack-density": "jumping-jack",
    **{f"jumping-jack-{figure}": "horn jumping-jack lookback" for figure in (11, 12, 13)},
    **{f"new-algorithms-{figure}": MOREIRA for figure in (8, 9, 10, "table-1", "sizes")},
    "new-algorithms-7": MOREIRA + " rlz:doubling rlz:tree",
    "redzone-4": "redzone-2 scan-scatter-bl ink-compact count-scan-compact lookback", "redzone-5": "redzone-1 single-pass lookback",
    **{f"redzone-{each}": f"{kernel}redzone-2 scan-scatter-bl count-scan-compact lookback ink-collate"
       for each, kernel in (("add", ""), ("preserve", "preserve "))},
    "redzone-6": "redzone-2", "redzone-7": "cpu-redzone cpu-stencil cpu-remove",
}


def growth(folder):
    path = os.path.join(folder, "growth.csv")
    script = os.path.join(os.environ["CUBIST_SOURCE"], "tests/bench/growth.py")
    ran = subprocess.run([script, CUBIST, path, "--largest", "64", "--repeat", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(path) as file:
        table = list(csv.DictReader(file))
    check(ran.returncode == 0 and values(table, "row") == ["ball", "default", "specks", "noise"], "growth.py:", ran)
    for row, low, high in ("ball", 12000, 22000), ("specks", 150000, 200000), ("noise", 2300, 2900):
        cells = [int(one["active_cells"]) for one in of(table, row=row)]
        check(len(cells) == 1 and low < cells[0] < high, "cells of", row, cells)


def reruns(folder):
    """Every experiment of the papers, on streams of a thousandth."""
    names = re.findall(r"^  ((?:jumping-jack|new-algorithms|redzone|ink)-\S+)", cubist("bench", "--help").out, re.M)
    check(len(names) == 23, "experiments:", names)
    small = ["--size", "1K", "--repeat", "1"]
    table = bench("--rerun", ",".join(name for name in names if not name.startswith("ink")), *small)
    for name in names:
        rows = of(table, experiment=name)
        if name.startswith("ink"):
            continue
        if check(rows, name, "has measured nothing"):
            check(all(row["paper"] and re.match(r"(figure|table|section) \d+", row["figure"]) for row in rows), name, rows[0])
            check(values(rows, "size") == ["1024"], name, "--size wins:", values(rows, "size"))
            check(values(rows, "method") == METHODS[name].split() + ["copy"], name, values(rows, "method"))
            check(not name.startswith("redzone") or set(values(rows, "list")) == {"", "given", "made"}
                  or name in ("redzone-6", "redzone-7"), name, "lists:", values(rows, "list"))
    added = of(table, experiment="redzone-add", stage="added words")
    check(values(added, "method") == ["redzone-2"] and values(added, "list") == ["made", "given"], "what joins the list is timed:", added)
    rows = of(table, experiment="redzone-preserve", method="preserve")
    check(values(rows, "list") == ["given"] and values(rows, "kept") == ["1", "10", "20", "102", "512"], "a list of what stays:", rows)
    both = bench("--rerun", "jumping-jack-11,redzone-7", "--size", "100", "--repeat", "1", "--density", "90")
    check(values(both, "experiment") == ["jumping-jack-11", "redzone-7"], "two experiments:", values(both, "experiment"))
    check(values(both, "kept") == ["90"], "--density wins:", values(both, "kept"))
    part = bench("--rerun", "jumping-jack-11", "--size", "64", "--repeat", "1", "--method", "count-scan-compact")
    check(values(part, "method") == ["count-scan-compact", "copy"] and len(values(part, "kept")) > 8, "--method wins:", part)

    one, two = sample(folder), sample(folder, "torus", "20x20x20")
    rows = bench("--rerun", "ink", one, "--repeat", "2", "--method", "lookback,chag", "--iso", "50%")
    check([bool(row["spins"] and row["fallbacks"]) for row in rows] == [True, False, False, False], "waiting in an extraction:", rows)
    rows = bench("--rerun", "ink", one, two, "--repeat", "2", "--method", "count-scan-compact,ink-compact", "--iso", "30%,50%")
    check(values(rows, "file") == [one, two] and values(rows, "method") == ["count-scan-compact", "ink-compact"], "volumes:", rows)
    for path in one, two:
        for method in "count-scan-compact", "ink-compact":
            own = of(rows, file=path, method=method)
            check([bool(row["iso"]) for row in own] == [True, True, False], "a row each, and one over all:", own)
            rates = [float(row["fps"]) for row in own]
            check(math.isclose(rates[2], (rates[0] + rates[1]) / 2, rel_tol=1e-4), "mean:", rates)
            # The rates have six digits, so those of nearly equal ones do not say how far apart they are.
            check(math.isclose(float(own[2]["fps_sd"]), abs(rates[0] - rates[1]) / math.sqrt(2), rel_tol=1e-3,
                               abs_tol=1e-5 * rates[2]), "sd:", own)
            check(own[2]["isovalues"] == "2", "isovalues:", own[2])
    every = bench("--rerun", "ink", one, "--repeat", "1", "--method", "count-scan-compact")
    check(len(of(every, method="count-scan-compact")) > 5, "isovalues where none are named:", every)
    ran = cubist("bench", "compaction", "--rerun", "ink", one, os.path.join(folder, "none.raw"))
    refused(ran, 3, "none.raw")


need_device()
streams()
seeds()
axes()
tables()
options()
with Folder() as top:
    images(top)
with Folder() as top:
    outputs(top)
if WHOLE:
    with Folder() as top:
        growth(top)
with Folder() as top:
    reruns(top)
finish()
