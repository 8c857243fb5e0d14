#!/usr/bin/python3
# ctest: plain
"""bench cast: its rows and experiments, what it refuses, and that a wrong frame ends it."""
import csv
import io
import math
import re

from cli import *

ROUNDS = 8
METHOD = "ink-collate"  # that rays get where none is named


def bench(*args):
    """The rows of bench cast --csv -."""
    ran = cubist("bench", "cast", *args, "--csv", "-", "-q")
    if not check(ran.code == 0 and not ran.err, "bench cast:", ran):
        return []
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    for row in rows:
        sound(row)
    return rows


def sound(row):
    """What holds in every row."""
    check(row["caster"] and row["file"] and row["stage"] and row["views"], "who and what:", row)
    check(bool(row["method"]) == bool(row["form"]) == bool(row["rounds"]) == row["caster"].startswith("wavefront"),
          "of casters in rounds:", row)
    check(bool(row["leaf"]) == (not row["caster"].endswith("dda")), "of casters with a tree:", row)
    if row["stage"] == "lanes":
        check(0 < float(row["busy"]) <= 100 and row["subgroup"] and not row["median_ms"], row)
        return
    if row["stage"] == "list":
        check(row["round"] and float(row["rays"]) >= float(row["rays_in_leaves"] or 0) and not row["median_ms"], row)
        return
    times = [float(row[name]) for name in ("min_ms", "q1_ms", "median_ms", "q3_ms", "p95_ms")]
    check(times[0] >= 0 and times == sorted(times), "order of times:", row)
    whole = row["stage"] == "all"
    check(whole == bool(row["cpu_ms"]) == bool(row["fps"]) == bool(row["fps_sd"]), "of the whole:", row)
    check(bool(row["iso"]) != bool(row["isovalues"]), "one isovalue, or all:", row)
    check(bool(row["cpu_ratio"]) == (whole and bool(row["iso"])) and float(row["cpu_ratio"] or 1) > 0, "to the first way:", row)


def of(table, **want):
    return [row for row in table if all(row[key] == str(value) for key, value in want.items())]


def values(table, column):
    return list(dict.fromkeys(row[column] for row in table))


def frames(volume):
    """The rows of plain runs."""
    quick = (volume, "--size", "40x30", "--views", "2", "--repeat", "2")
    rows = bench(*quick, "--iso", "30%,60%", "--stages")
    whole = of(rows, stage="all", isovalues="")
    casters = ["dda", "kd-jump", "single-bvh", "wavefront-dda", "wavefront-bvh"]
    check(values(whole, "caster") == casters and len(whole) == 2 * len(casters), "all casters:", whole)
    check(values(of(rows, caster="wavefront-dda"), "method") == [METHOD], "one method where none is named:", rows)
    for iso in values(whole, "iso"):
        hits = values(of(whole, iso=iso), "hits")
        check(len(hits) == 1 and 0 < int(hits[0]) < 2 * 40 * 30, "hits of both views:", hits)
    check((whole[0]["width"], whole[0]["height"], whole[0]["views"], whole[0]["repeat"]) == ("40", "30", "2", "2"), whole[0])
    for caster in casters:
        mine = of(rows, caster=caster, stage="all")
        rates = [float(row["fps"]) for row in mine]
        check(len(mine) == 3 and mine[2]["isovalues"] == "2" and
              math.isclose(rates[2], (rates[0] + rates[1]) / 2, rel_tol=1e-4), "mean over isovalues:", mine)
        stages = [stage for stage in values(of(rows, caster=caster), "stage") if stage not in ("all", "list")]
        want = {"dda": ["update", "march", "points"], "kd-jump": ["march", "points"], "single-bvh": ["update", "march", "points"],
                "wavefront-dda": ["compaction", "generate", "march", "tail", "points"],
                "wavefront-bvh": ["compaction", "update", "generate", "traverse", "intersect", "tail", "points"]}[caster]
        check(not stages or stages == want, "stages:", caster, stages)
    for caster in "wavefront-dda", "wavefront-bvh":
        lists = of(rows, caster=caster, stage="list", iso=values(whole, "iso")[0])
        rays = [float(row["rays"]) for row in lists]
        check([row["round"] for row in lists] == [str(i + 1) for i in range(ROUNDS + 1)], "lists:", lists)
        check(0 < rays[0] <= 40 * 30 and rays == sorted(rays, reverse=True) and rays[1] < rays[0], "lengths:", rays)

    rows = bench(*quick, "--caster", "wavefront-bvh,dda", "--method", "lookback,ink-compact,redzone-2", "--separate",
                 "--leaf", "4,16", "--rounds", "host")
    whole = of(rows, stage="all", isovalues="")
    check([(row["caster"], row["leaf"], row["method"], row["form"]) for row in whole] ==
          [("wavefront-bvh", leaf, *method) for leaf in ("4", "16")
           for method in (("lookback", "own kernels"), ("ink-compact", "in kernel"), ("ink-compact", "own kernels"))] +
          [("dda", "", "", "")], "ways:", whole)
    check(values(of(rows, caster="wavefront-bvh"), "rounds") == ["host"] and values(rows, "stage") == ["all"], rows)


def report(volume, folder):
    quick = (volume, "--size", "32x32", "--views", "1", "--repeat", "1", "--caster", "dda,kd-jump", "--iso", "40")
    ran = cubist("bench", "cast", *quick, "--json", "--images", folder)
    if check(ran.code == 0 and not ran.err, ran):
        rows = ran.json()["rows"]
        check([row["caster"] for row in rows] == ["dda", "kd-jump"] * 2, rows)
        check(rows[0]["cpu_ms"] > 0 and rows[0]["leaf"] is None and rows[1]["leaf"] == 8 and rows[0]["iso"] == 40, rows)
    picture = os.path.join(folder, os.path.basename(volume) + "-40-0.png")
    check(os.path.exists(picture), os.listdir(folder))
    drawn = cubist("render", volume, "--draw", "rays", "--iso", "40", "--size", "32x32", "--view", "front", "--samples",
                   "1", "--light", "off", "-o", picture + ".render.png")
    with open(picture, "rb") as one, open(picture + ".render.png", "rb") as two:
        check(drawn.code == 0 and one.read() == two.read(), "the picture is that of render")
    ran = cubist("bench", "cast", *quick)
    lines = ran.out.splitlines()
    check(ran.code == 0 and lines[1].startswith("frames per second, file ball.nrrd, isovalue 40, pixels 32x32, views 1"), "a table:", ran)
    check(lines[2].split() == ["caster", "leaf"] and lines[3].startswith("dda ") and lines[4].startswith("kd-jump  8 "), "its lines:", ran)
    check(sum(line.endswith("*") for line in lines) == 1, "the best:", ran)
    ran = cubist("bench", "cast", *quick[:-4], "--caster", "dda,wavefront-dda", "--iso", "40,60", "--stages")
    check(ran.out.count("*") == 4 and all(re.search(f"^{line}", ran.out, re.M) for line in
          ("40 ", "60 ", "all 2 ", "milliseconds of stages, ", "rays in a list, ", "40 +1 +1024")), "stages and lists:", ran)
    ran = cubist("bench", "cast", *quick, "--long")
    lines = ran.out.splitlines()
    check(ran.code == 0 and len(lines) == 7 and lines[3].startswith("dda ") and lines[4].startswith("kd-jump 8 "), ran)
    # A wrong frame is named.
    ran = cubist("bench", "cast", *quick, "--break", "hits")
    refused(ran, 6, "ball.nrrd at isovalue 40, view 0: kd-jump, leaves of 8 differs from dda in 1 pixels")
    ran = cubist("bench", "cast", *quick[:-4], "--iso", "40", "--caster", "dda,wavefront-dda", "--method", "lookback",
                 "--break", "hits")
    refused(ran, 6, "wavefront-dda with lookback differs from dda")


def reruns(volume):
    """Every experiment, at a small size."""
    small = ("--size", "24x24", "--views", "1", "--repeat", "1")
    methods = "ink-compact,scan-scatter-bl,scan-scatter-hs,chag,ink-collate,lookback,histopyramid-vec4".split(",")
    # The casters are replaced, since their kernels are compiled for each method.
    rows = bench(volume, "--rerun", "ink-table-1", *small, "--iso", "50%", "--caster", "wavefront-dda,single-bvh")
    whole = of(rows, stage="all", isovalues="")
    check(values(of(whole, caster="wavefront-dda"), "method") == methods, "methods:", whole)
    check(len(of(whole, form="own kernels", method="ink-compact")) == 1 and len(whole) == 9 + 1, "ways:", whole)
    check(set(values(rows, "leaf")) == {"16", ""}, "leaves:", rows)
    check("update" in values(rows, "stage") or not of(rows, stage="march"), "stages:", rows)
    check(values(rows, "paper") and values(rows, "figure") == ["table 1"], rows[0])
    rows = bench(volume, "--rerun", "ink-fig-6", *small, "--iso", "50%", "--caster", "wavefront-dda")
    check([(row["method"], row["form"]) for row in of(rows, isovalues="")] ==
          [("ink-compact", "in kernel"), *((method, "own kernels") for method in ("scan-scatter-bl", "chag", "lookback", "ink-compact"))],
          "methods:", rows)
    rows = bench(volume, "--rerun", "ink-fig-7,ink-fig-8,leaf-size", *small)
    check(values(of(rows, experiment="ink-fig-7"), "method") == ["ink-compact", "ink-collate", "lookback", ""], "methods:", rows)
    check(len(values(of(rows, experiment="ink-fig-7"), "iso")) == 16, "a sweep, and a sum:", rows)
    check(len(values(of(rows, experiment="ink-fig-8"), "iso")) == 4, "three isovalues, and a sum:", rows)
    check(values(of(rows, experiment="leaf-size", caster="kd-jump"), "leaf") == ["4", "8", "16", "32"], "leaves:", rows)
    rows = bench(volume, "--rerun", "efficiency", "--size", "48x48", "--views", "1", "--iso", "60%")
    for caster in "single-bvh", "kd-jump", "dda":
        busy = [float(row["busy"]) for row in of(rows, caster=caster)]
        check(values(of(rows, caster=caster), "subgroup") == "4 8 16 32 64 128".split(), caster, rows)
        check(busy == sorted(busy, reverse=True) and 50 < busy[0] < 95 and 15 < busy[5] < 80, "busy lanes:", caster, busy)


def cell_tests(volume):
    """What other tests of a cell lose."""
    run = (volume, "--rerun", "cell-test", "--size", "48x48", "--views", "6", "--repeat", "1", "--iso", "70%")
    rows = {row["test"]: row for row in of(bench(*run), stage="all", isovalues="")}
    check(list(rows) == ["bernstein", "ends", "neubauer", "marmitt", "step"], "tests:", rows)
    hits, lost, misplaced = ({test: int(row[column]) for test, row in rows.items()} for column in ("hits", "lost", "misplaced"))
    check(lost["bernstein"] == misplaced["bernstein"] == 0 and float(rows["bernstein"]["cpu_ratio"]) == 1, rows["bernstein"])
    # All that the ends show has a root, so no pixel has a hit that it should not have.
    check(0 < lost["ends"] == hits["bernstein"] - hits["ends"] and misplaced["ends"] > 0, "ends:", rows["ends"])
    check(lost["neubauer"] == lost["ends"] and misplaced["neubauer"] >= misplaced["ends"], "neubauer:", rows["neubauer"])
    check(lost["marmitt"] == misplaced["marmitt"] == 0, "extrema find what Bernstein coefficients do:", rows["marmitt"])
    check(lost["step"] > lost["ends"] and misplaced["step"] > misplaced["ends"] and lost["step"] < hits["step"] / 10,
          "step:", rows["step"])
    ran = cubist("bench", "cast", *run, "--caster", "kd-jump", "-q")
    refused(ran, 2, "none of these casters has other tests")
    ran = cubist("bench", "cast", *run, "--break", "hits", "--long")
    check(ran.code == 0 and f"{lost['step'] + 6} lost" in ran.out, "a hit less in each view:", ran)


def refusals(volume):
    for args, pattern in (((), "bench cast needs FILE"),
                          ((volume, "--size", "1M"), "expected WIDTHxHEIGHT"),
                          ((volume, "--density", "50"), "bench cast takes no --density"),
                          ((volume, "--against", "5"), "bench cast takes no --against"),
                          ((volume, "--frames", "5"), "bench cast takes no --frames"),
                          ((volume, "--no-skip"), "bench cast takes no --no-skip"),
                          ((volume, "--views", "13"), "--views 13: expected a whole number, 1 to 12"),
                          ((volume, "--leaf", "3"), "--leaf 3: expected comma-separated powers of two from 4 to 64"),
                          ((volume, "--caster", "dda,kd"), "--caster kd: .*kd-jump"),
                          ((volume, "--caster", "wavefront-dda", "--method", "redzone-2"), "none of these methods can compact rays"),
                          ((volume, "--rerun", "redzone"), "for bench compaction")):
        refused(cubist("bench", "cast", *args, "-q"), 2, pattern)
    refused(cubist("bench", "cast", "none.raw"), 3, "none.raw")
    for option in ("--caster", "dda"), ("--rounds", "3"), ("--leaf", "8"), ("--separate",), ("--views", "2"):
        refused(cubist("bench", "extract", volume, *option), 2, option[0] + " is for bench cast")
    refused(cubist("bench", "compaction", "--rerun", "leaf-size"), 2, "for bench cast")


need_device()
with Folder() as top:
    ball = os.path.join(top, "ball.nrrd")
    check(cubist("generate", "sphere", "--dims", "20x24x28", "-o", ball).code == 0, "generate")
    frames(ball)
    report(ball, top)
    reruns(ball)
    noise = os.path.join(top, "noise.nrrd")
    check(cubist("generate", "noise", "--dims", "12x13x14", "-o", noise).code == 0, "generate")
    cell_tests(noise)
    refusals(ball)
finish()
