# Files that cannot be opened when the window starts: the window shows the reason, and the exit code
# reports it, too. The window never overwrites a file of its input.
# ctest: device once heavy
import os
import subprocess
import tempfile
import time

from locales import comma_locale
from window import *


def await_complaint(there=True):
    end = time.monotonic() + PATIENCE
    while complains() != there:
        if time.monotonic() > end:
            fail("there is no word about it in the window" if there else "the error stays")
        time.sleep(0.1)


def ends(viewer, expected, pattern=None):
    xdo("key", "ctrl+q")
    code, said = viewer.end(), viewer.said()
    if code != expected or said.count("\n") != (expected != 0) or (pattern and not re.search(pattern, said)):
        fail(f"expected {expected}, ended with {code}: {said}")


def broken_at_start(folder, volume):
    path = os.path.join(folder, "bad_9x9x9_uint8.raw")
    with open(path, "wb") as file:
        file.write(b"x" * 100)
    viewer = Viewer(os.path.join(folder, "none.nrrd"), cwd=folder)
    viewer.window()
    await_complaint()
    for key in "a", "bracketright", "space", "BackSpace", "F12", "ctrl+e", "u", "r", "f", "n", "F5":
        xdo("key", key) # none of these keys has a volume to work on
    await_complaint()
    ends(viewer, 3, "No such file")

    # Then the next file, which opens.
    viewer = Viewer(path, cwd=folder)
    viewer.window()
    await_complaint()
    xdo("key", "Right")
    viewer.until("the neighbour", lambda l: l["triangles"] > 0)
    title = subprocess.run(["xdotool", "getwindowname", viewer.window()], check=True, capture_output=True).stdout
    if title != b"ri\\x1b[31mng\\u202e\\xff_24x24x24_uint8.raw - cubist\n":
        fail(f"the window's title is {title}")
    await_complaint(False)
    ends(viewer, 0)

    # If none opens, a search to the left and to the right ends.
    with tempfile.TemporaryDirectory() as alone:
        for name in "a_9x9x9_uint8.raw", "b_9x9x9_uint8.raw":
            with open(os.path.join(alone, name), "wb") as file:
                file.write(b"x" * 100)
        viewer = Viewer(os.path.join(alone, "a_9x9x9_uint8.raw"), cwd=folder)
        viewer.window()
        await_complaint()
        for key in "Right", "Left", "Right":
            xdo("key", key)
            time.sleep(0.3)
        await_complaint()
        ends(viewer, 3)


def trace_of_input(folder):
    """A trace that would overwrite a part of the volume is a usage error: no window opens."""
    raw = os.path.join(folder, "apart.bin")
    with open(raw, "wb") as file:
        file.write(bytes(range(64)))
    header = os.path.join(folder, "apart.nhdr")
    with open(header, "w") as file:
        file.write("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 4 4 4\nencoding: raw\ndata file: apart.bin\n")
    ran = subprocess.run([CUBIST, "view", header, "--trace", raw], capture_output=True, text=True, timeout=PATIENCE)
    with open(raw, "rb") as file:
        kept = file.read() == bytes(range(64))
    if ran.returncode != 2 or "part of the input" not in ran.stderr or not kept:
        fail(f"--trace over a part of the volume: {ran.returncode} {ran.stderr}, kept {kept}")
    os.remove(header)
    os.remove(raw)


def writes_nothing_over(folder, volume):
    stem = os.path.basename(volume)[:-len(".raw")]
    # A field for text cannot hold all bytes of the volume's name.
    mesh_stem = re.sub(r"[\x1b\u202e\udcff]", "_", stem)
    mesh = os.path.join(folder, f"{mesh_stem}.ply")
    for name in mesh, os.path.join(folder, f"{stem}.png"):
        with open(name, "wb") as file:
            file.write(b"mine")
    viewer = Viewer(volume, cwd=folder)
    viewer.window()
    viewer.until("the first surface", lambda l: l["triangles"] > 0)
    for number in 2, 3:
        xdo("key", "ctrl+e", "Return")
        file_appears(os.path.join(folder, f"{mesh_stem}-{number}.ply"))
        xdo("key", "F12")
        file_appears(os.path.join(folder, f"{stem}-{number}.png"))
    ends(viewer, 0)
    for name in mesh, os.path.join(folder, f"{stem}.png"):
        with open(name, "rb") as file:
            if file.read() != b"mine":
                fail(f"{name} was replaced")


def far_away(folder, volume):
    """The mesh of a volume far from the origin has the bytes of extract: its positions are doubles."""
    path, mesh = os.path.join(folder, "far.nrrd"), os.path.join(folder, "far.ply")
    with open(volume, "rb") as file:
        samples = file.read()
    with open(path, "wb") as file:
        file.write(b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 24 24 24\nencoding: raw\nspace dimension: 3\n"
                   b"space directions: (0.25,0,0) (0,-0.25,0) (0,0,0.5)\nspace origin: (615850,5846925,758.5)\n\n" + samples)
    viewer = Viewer(path, "--iso", "90.5", cwd=folder)
    viewer.window()
    viewer.until("the first surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("key", "ctrl+e", "Return")
    file_appears(mesh)
    ends(viewer, 0)
    expected = subprocess.run([CUBIST, "extract", path, "--iso", "90.5", "-o", "-"], check=True, capture_output=True).stdout
    with open(mesh, "rb") as file:
        if file.read() != expected or b"property double x" not in expected[:400]:
            fail("the exported mesh is not that of cubist extract")


def with_a_comma(folder, volume):
    """In a locale with a decimal comma, the isovalue is typed, traced and shown as in others."""
    with tempfile.TemporaryDirectory() as locales:
        german = comma_locale(locales)
        if not german:
            print("not tried: localedef cannot make de_DE.UTF-8 (Debian: locales)")
            return
        kept = dict(os.environ)
        os.environ.update(german)
        viewer = Viewer(volume, "--iso", "90.5", "--size", "800x600", cwd=folder)
        os.environ.clear()
        os.environ.update(kept)
        viewer.window()
        viewer.until("the isovalue of the command line", lambda l: l["whole"] and l["iso"] == 90.5)
        xdo("mousemove", 90, 98, "click", 1)
        xdo("type", "100.25")
        xdo("key", "Return")
        viewer.until("the isovalue that was typed", lambda l: l["whole"] and l["iso"] == 100.25)
        ends(viewer, 0)


def without_display(folder, volume):
    """The picture of the view gets a free name, and the note says where it is. So too where there is
    no display under the name that the environment has for it."""
    env = {name: value for name, value in os.environ.items()
           if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")}
    where = os.path.realpath(os.path.join(folder, "pictures"))
    os.mkdir(where)
    os.symlink("elsewhere.png", os.path.join(where, "cubist-3.png"))
    sizes = {}
    named = {"WAYLAND_DISPLAY": "wayland-7"}
    for name, more in ("cubist.png", {}), ("cubist-2.png", named), ("cubist-4.png", {**named, "XDG_RUNTIME_DIR": folder}):
        ran = subprocess.run([CUBIST, volume, "--size", "64x48"], cwd=where, env={**env, **more}, capture_output=True,
                             text=True, timeout=PATIENCE)
        path = os.path.join(where, name)
        if ran.returncode != 0 or f"rendered to {path}\n" not in ran.stderr or f"{path}: 64 x 48" not in ran.stdout or \
                not all(line.startswith("cubist: ") for line in ran.stderr.splitlines()):
            fail(f"without a display: {ran}")
        sizes[name] = os.stat(path)[:]
    if {name: os.stat(os.path.join(where, name))[:] for name in sizes} != sizes or len(os.listdir(where)) != 4:
        fail(f"a picture was replaced: {os.listdir(where)}")
    bad = os.path.join(folder, "bad_9x9x9_uint8.raw")
    ran = subprocess.run([CUBIST, bad], cwd=where, env=env, capture_output=True, text=True, timeout=PATIENCE)
    if ran.returncode != 3 or ran.stderr.count("\n") != 1 or ran.stdout or len(os.listdir(where)) != 4:
        fail(f"a malformed file without a display: {ran}")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = os.path.join(folder, "ri\x1b[31mng\u202e\udcff_24x24x24_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "24x24x24", "--type", "uint8", "-o", volume],
                       check=True, stdout=subprocess.DEVNULL)
        broken_at_start(folder, volume)
        trace_of_input(folder)
        writes_nothing_over(folder, volume)
        far_away(folder, volume)
        with_a_comma(folder, volume)
        without_display(folder, volume)


main()
