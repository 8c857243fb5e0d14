# The panel's times: all methods and casters measured by M, the table that Ctrl+C copies beside `bench extract`, how it is
# cancelled, and that nothing in the panel moves.
# ctest: device once heavy twin
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from storm import xinput
from window import *

PANEL = 344
COLUMNS = ("method,bricks median (ms),classify median (ms),cells median (ms),removals median (ms),vertices median (ms),"
           "triangles median (ms),finish median (ms),compaction median (ms),compaction least (ms),compaction most (ms),"
           "step median (ms),step least (ms),steps (n),slower than the best,active cells,triangles,isovalue,device,"
           "volume,selected").split(",")
LABELS = "86x210+0+470"  # below the list of methods: the labels, without numbers and bars


def measured(viewer, times):
    """Waits until all methods were measured so many times."""
    end = time.monotonic() + 4 * PATIENCE
    while len(re.findall("^cubist: measured ", viewer.said(), re.M)) < times:
        if viewer.process.poll() is not None or time.monotonic() > end:
            fail(f"the methods were not measured: {viewer.said()}")
        time.sleep(0.1)


def table_is_right(text, volume, iso):
    rows = list(csv.DictReader(io.StringIO(text)))
    if text.split("\n")[0].split(",") != COLUMNS:
        fail(f"the columns are {text.split(chr(10))[0]}")
    ran = subprocess.run([CUBIST, "bench", "extract", volume, "--iso", repr(iso), "--method", "all", "--repeat", "1",
                          "--json"], capture_output=True, text=True, check=True)
    bench = json.loads(ran.stdout)
    if [row["method"] for row in rows] != [run["method"] for run in bench["runs"]]:
        fail(f"{[row['method'] for row in rows]} were measured, not {[run['method'] for run in bench['runs']]}")
    # All methods have 7 steps. Those not yet told apart from the best go on, in the same turns as the best, up to 32.
    by_least = sorted((row for row in rows if row["method"] != "auto"), key=lambda row: float(row["compaction least (ms)"]))
    steps = {row["method"]: int(row["steps (n)"]) for row in rows}
    most = max(steps.values())
    doubtful = [row["method"] for row in by_least if row["slower than the best"] == "no"]
    least = [row["compaction least (ms)"] for row in by_least if row["method"] == doubtful[0]]
    if least != [by_least[0]["compaction least (ms)"]] or {steps[name] for name in doubtful} != {most}:
        fail(f"not told apart from the best: {doubtful}, of {steps}")
    if min(steps.values()) != 7 or most > 32 or (len(doubtful) > 1 and most < 32) or steps["auto"] != 7:
        fail(f"methods were measured {steps} times, and {doubtful} are not told apart")
    for row in rows:
        ran = row["selected"].split(", ") if row["selected"] else []
        if (len(ran) in (1, 2)) != (row["method"] == "auto") or not set(ran) <= set(steps):
            fail(f"{row['method']} selected {ran}")
    for row, run in zip(rows, bench["runs"]):
        if (int(row["active cells"]), int(row["triangles"])) != (run["active_cells"], run["triangles"]):
            fail(f"another surface: {row} {run}")
        if float(row["isovalue"]) != iso or row["volume"] != os.path.basename(volume) or "(" not in row["device"]:
            fail(f"of something else: {row}")
        ms = {name: float(row[name]) for name in COLUMNS if "(ms)" in name}
        if not 0 < ms["compaction least (ms)"] <= ms["compaction median (ms)"] <= ms["compaction most (ms)"]:
            fail(f"times that cannot be: {row}")
        if ms["compaction median (ms)"] > ms["step median (ms)"]:
            fail(f"times that cannot be: {row}")
        if (ms["removals median (ms)"] > 0) != ("removed" in run) or ms["step least (ms)"] > ms["step median (ms)"]:
            fail(f"times that cannot be: {row}")


def laboratory(folder, person):
    volume = os.path.join(folder, "gyroid_30x28x26_uint8.raw")
    subprocess.run([CUBIST, "generate", "gyroid", "--dims", "30x28x26", "--type", "uint8", "-o", volume], check=True,
                   stdout=subprocess.DEVNULL)
    viewer = Viewer(volume, "--size", "800x780", "--verbose", cwd=folder)
    viewer.window()
    first = viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 600, 550)
    # The first step does not count; another one follows by itself.
    viewer.until("a time that counts", lambda l: l["method_ms"] > 0)
    viewer.settle()

    # Nothing moves when the method or the isovalue changes, through auto and redzone-2: below the list the panel's labels stay.
    before = on_screen(LABELS)
    for key in ("shift+a", "shift+a", "bracketright", "ctrl+1"):
        viewer.key(key)
        viewer.settle()
        apart = differing(before, on_screen(LABELS))
        if apart > 0:
            fail(f"{key} moved {apart} pixels of the panel's labels")
    viewer.key("BackSpace")
    viewer.settle()

    # Esc ends measuring, and there is no table. Another isovalue ends it, too.
    picture = f"{800 - PANEL}x500+{PANEL}+0"
    alone = on_screen(picture)
    xdo("key", "--delay", 1, "m", "Escape", "Escape", "ctrl+c")
    viewer.settle()
    xdo("key", "Escape")
    viewer.shows(picture, alone, "the picture after Esc")
    if "measured" in viewer.said():
        fail(f"Esc did not end it: {viewer.said()}")
    xdo("key", "--delay", 1, "m", "bracketright")
    iso = viewer.until("another isovalue while measuring", lambda l: l["iso"] != first["iso"])["iso"]
    viewer.settle()
    if "measured" in viewer.said():
        fail(f"another isovalue did not end it: {viewer.said()}")

    # The table.
    xdo("key", "Escape", "m")
    measured(viewer, 1)
    viewer.settle()
    if differing(on_screen(picture), alone) < 0.1 * len(alone) / 3:
        fail("no table is shown")
    xdo("key", "ctrl+c")
    table_is_right(person.paste(PATIENCE).decode(), volume, iso)
    # It stays as it was while the isovalue goes on, until Esc.
    xdo("key", "bracketright", "ctrl+c")
    viewer.until("the next isovalue", lambda l: l["iso"] > iso)
    table_is_right(person.paste(PATIENCE).decode(), volume, iso)
    viewer.key("BackSpace")
    viewer.settle()
    # In large text there is no room beside the panel, but nothing is cut off at the window's edge.
    xdo("mousemove", 760, 20)  # where nothing has a tooltip
    viewer.key(*["ctrl+equal"] * 6)
    viewer.settle()
    end, table = "10x300+790+60", on_screen("100x300+640+60")
    before = on_screen(end)
    viewer.key("Escape")
    viewer.settle()
    if on_screen(end) != before or on_screen("100x300+640+60") == table:
        fail("the table is cut off at the right")
    viewer.key("ctrl+0")
    xdo("key", "Escape")
    viewer.shows(picture, alone, "the picture after the table")
    # The view's own method is shown, and its time is known.
    last = viewer.until("the time of the method", lambda l: l["method_ms"] > 0)
    if last["method"] != first["method"] or last["triangles"] != first["triangles"]:
        fail(f"measuring left another surface: {last}")
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def casts(folder, person):
    """With rays, M measures all casters, and those in rounds with each method. All find the same hits."""
    volume = os.path.join(folder, "gyroid_30x28x26_uint8.raw")
    viewer = Viewer(volume, "--size", "480x320", "--verbose", cwd=folder)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    viewer.key("g")
    viewer.settle()
    xdo("key", "--delay", 1, "m", "bracketright")
    viewer.settle()
    if re.search("^cubist: measured ", viewer.said(), re.M):
        fail(f"another isovalue did not end it: {viewer.said()}")
    viewer.key("Escape")
    xdo("key", "m")
    measured(viewer, 1)
    xdo("key", "ctrl+c")
    rows = list(csv.DictReader(io.StringIO(person.paste(PATIENCE).decode())))
    names = [row["method"].split(", ") for row in rows]
    of = {caster: [name[1] for name in names if name[0] == caster and len(name) == 2] for caster, *_ in names}
    if not of["wavefront-dda"] or of["wavefront-dda"] != of["wavefront-bvh"] or "auto" in of["wavefront-dda"]:
        fail(f"casters were measured with {of}")
    if [name for name in names if len(name) == 1] != [["dda"], ["kd-jump"], ["single-bvh"]]:
        fail(f"casters were measured: {names}")
    if len({(row["rays"], row["hits"]) for row in rows}) != 1 or int(rows[0]["hits"]) < 1000:
        fail(f"casters met other surfaces: {[(row['method'], row['hits']) for row in rows]}")
    for row in rows:
        rounds = row["method"].startswith("wavefront")
        if float(row["rays least (ms)"]) <= 0 or (float(row["compaction median (ms)"]) > 0) != rounds:
            fail(f"times that cannot be: {row}")
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(f"Ctrl+Q ended with an error: {viewer.said()}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    if not xinput.X or not xinput.TEST:
        print("skipped: the libraries of xdotool are not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder, Display():
        person = xinput.Person()
        laboratory(folder, person)
        casts(folder, person)
        person.close()
    return 0


sys.exit(main())
