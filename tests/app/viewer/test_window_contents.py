# A file with several arrays, and one with several time steps: the panel lists them, and a click reads another one.
# A form opens what is refused without an option, and a button takes equal steps along axes of different units.
# ctest: device once heavy
import json
import os
import struct
import subprocess
import tempfile

import zarr_files as zarr
from window import *

SIDE = 24


def ball(radius):
    middle = (SIDE - 1) / 2
    return bytes(max(0, min(255, round(128 + 20 * (radius - ((x - middle)**2 + (y - middle)**2 + (z - middle)**2)**0.5))))
                 for z in range(SIDE) for y in range(SIDE) for x in range(SIDE))


def two_arrays(path):
    data = "".join(f'<DataArray type="UInt8" Name="{name}" format="ascii">{" ".join(map(str, ball(radius)))}</DataArray>\n'
                   for name, radius in (("large", 9), ("small", 4)))
    extent = f"0 {SIDE - 1} " * 3
    with open(path, "w") as file:
        file.write(f'<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian"><ImageData WholeExtent="{extent}" '
                   f'Origin="0 0 0" Spacing="1 1 1"><Piece Extent="{extent}"><PointData>\n{data}'
                   '</PointData></Piece></ImageData></VTKFile>\n')


def three_steps(path):
    with open(path, "wb") as file:  # MGH, version 1, unsigned bytes, no place
        file.write(struct.pack(">7ih", 1, SIDE, SIDE, SIDE, 3, 0, 0, 0).ljust(284, b"\0") + ball(9) + ball(6) + ball(3))


def orbital(path):
    """A positive lobe and a negative one."""
    side, lines = 16, ["two lobes", "", "1 0 0 0"] + ["16 1 0 0", "16 0 1 0", "16 0 0 1", "1 0 0 0 0"]
    for x in range(side):
        for y in range(side):
            lines += [" ".join(f"{(x - 7.5) * 2.718281828**(-((x - 7.5)**2 + (y - 7.5)**2 + (z - 7.5)**2) / 6):.5e}"
                               for z in range(side))]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def store(path, files):
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
        with open(os.path.join(path, name), "wb") as file:
            file.write(data)


def triangles(path, *pick):
    ran = subprocess.run([CUBIST, "extract", path, *pick, "--iso", "128", "--json"], check=True, capture_output=True)
    return json.loads(ran.stdout)["triangles"]


def leads_to(viewer, count, what, *clicks):
    """Clicks at places, until the surface has so many triangles."""
    for _ in range(5):
        for x, y in clicks:
            xdo("mousemove", x, y, "sleep", 0.3, "mousedown", 1, "sleep", 0.1, "mouseup", 1, "sleep", 0.5)
        end = time.monotonic() + PATIENCE / 5
        while time.monotonic() < end:
            line = viewer.last()
            if line["whole"] and line["triangles"] == count:
                return
            time.sleep(0.1)
    fail(f"{what}: {viewer.last()['triangles']} triangles, expected {count}")


need("Xvfb", "xdotool", "import")
with tempfile.TemporaryDirectory() as folder, Display():
    arrays, steps = os.path.join(folder, "arrays.vti"), os.path.join(folder, "steps.mgh")
    two_arrays(arrays)
    three_steps(steps)
    for budget in (), ("--memory-budget", "64"):  # read whole, and kept in the file
        viewer = Viewer(arrays, "--iso", "128", *budget, cwd=folder)
        large, small = triangles(arrays), triangles(arrays, "--array", "small")
        viewer.until("the first array", lambda l: l["whole"] and l["triangles"] == large)
        xdo("mousemove", 200, 70, "sleep", 0.3, "mousedown", 1, "sleep", 0.1, "mouseup", 1, "sleep", 1)
        listed = on_screen("280x60+0+85")
        viewer.key("Escape")
        time.sleep(1)
        if on_screen("280x60+0+85") == listed:
            fail("Esc does not close the list of arrays")
        leads_to(viewer, small, "the second row of the list", (200, 70), (100, 121))
        xdo("key", "F5")
        viewer.until("the second array again", lambda l: l["whole"] and l["triangles"] == small)
        leads_to(viewer, large, "the first row of the list", (200, 70), (100, 99))
        xdo("key", "ctrl+q")
        if viewer.end() != 0:
            fail(viewer.said())
    viewer = Viewer(steps, "--iso", "128", cwd=folder)
    viewer.until("the first step", lambda l: l["whole"] and l["triangles"] == triangles(steps))
    leads_to(viewer, triangles(steps, "--time", "1"), "the button +", (180, 70))
    leads_to(viewer, triangles(steps, "--time", "2"), "the button + again", (180, 70))
    leads_to(viewer, triangles(steps, "--time", "1"), "the button -", (151, 70))
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(viewer.said())
    # A film is a volume if the form is accepted; two units make a needle, until the button is clicked.
    film, needle = os.path.join(folder, "film.zarr"), os.path.join(folder, "needle.zarr")
    store(film, zarr.zarr3(ball(9), (SIDE,) * 3, (SIDE,) * 3, names=["t", "y", "x"]))
    axes = [("z", "space", "kilometer"), ("y", "space", "meter"), ("x", "space", "meter")]
    store(needle, zarr.group(zarr.image(1, axes, [[100, 1, 1]]), **{"0": zarr.zarr2(ball(9), (SIDE,) * 3, (SIDE,) * 3)}))
    viewer = Viewer(film, "--iso", "128", "--size", "800x600", cwd=folder)
    viewer.window()
    end = time.monotonic() + PATIENCE
    while on_screen("300x200+120+200").count(bytes((110, 88, 56))) < 500: # the chosen button of the form
        if time.monotonic() > end:
            fail("no form asks about the film")
        time.sleep(0.1)
    xdo("key", "Return")
    viewer.until("the film", lambda l: l["whole"] and l["triangles"] == large)
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(viewer.said())
    viewer = Viewer(needle, "--iso", "128", "--size", "800x600", cwd=folder)
    viewer.until("the needle", lambda l: l["whole"] and l["triangles"] == large)
    viewer.settle()
    for x, y, covers, what in (70, 90, (0.3, 1), "equal steps make no ball"), (70, 70, (0, 0.1), "the needle does not come back"):
        xdo("mousemove", x, y, "sleep", 0.3, "mousedown", 1, "sleep", 0.1, "mouseup", 1, "sleep", 2)
        viewer.settle()
        crop = on_screen("300x300+430+150")
        share = sum(crop[k] > crop[k + 2] + 15 for k in range(0, len(crop), 3)) / (len(crop) / 3)
        if not covers[0] <= share <= covers[1]:
            fail(f"{what}: the surface covers {share}")
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(viewer.said())
    # An orbital shows both signs: the session has the pair of isovalues.
    orbital(os.path.join(folder, "orbital.cube"))
    viewer = Viewer("orbital.cube", cwd=folder)
    viewer.until("the orbital", lambda l: l["whole"] and l["triangles"] > 0)
    viewer.key("ctrl+s")
    session = os.path.join(folder, "orbital.cubist.json")
    file_appears(session)
    with open(session) as file:
        isos = json.load(file)["options"]["iso"].split(",")
    if len(isos) != 2 or isos[0] != "auto" or not -1 < float(isos[1]) < 0:
        fail(f"the isovalues of the orbital are {isos}")
    xdo("key", "ctrl+q")
    viewer.end()
    subprocess.run([CUBIST, "render", "orbital.cube", "--size", "300x200", "-o", "pair.png"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([CUBIST, "render", "orbital.cube", "--iso", ",".join(isos), "--color", "auto,blue", "--size", "300x200",
                    "-o", "both.png"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    if pixels(os.path.join(folder, "pair.png")) != pixels(os.path.join(folder, "both.png")):
        fail("render draws other signs than the window")
print("arrays and time steps can be selected in the panel")
