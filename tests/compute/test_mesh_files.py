#!/usr/bin/python3
# ctest: plain share
"""Every mesh format, written by extract and read back by independent readers: the same vertices, bit by
bit, the same triangles, and the facts that extract reports. The same with VTK's readers, if they are
installed. Also the ways to select a format."""
import math
import os
import subprocess

from cli import *

try:
    import numpy as np
except ImportError:
    skip("python3-numpy is not installed")
from mesh_files import *

HAVE_VTK = subprocess.run([PYTHON, "-c", "import vtk"], stderr=subprocess.DEVNULL).returncode == 0


def volume(folder, name, values):
    values = np.asarray(values)
    depth, height, width = values.shape
    path = os.path.join(folder, f"{name}_{width}x{height}x{depth}_{values.dtype}.raw")
    values.astype(values.dtype.newbyteorder("<")).tofile(path)
    return path


def volumes(folder):
    rng = np.random.default_rng(3)
    yield sample(folder, "torus", "33x30x20", "uint16"), ["--iso", "40%", "--spacing", "0.7,1.3,2e-3"]
    # Many cells, parts and open edges.
    yield volume(folder, "noise", rng.random((19, 17, 23), np.float32)), ["--iso", "0.5"]
    # Samples on the isovalue: vertices meet, and there are triangles without area.
    yield volume(folder, "on_the_value", rng.integers(0, 3, (12, 13, 14), np.uint8)), ["--iso", "1"]
    yield volume(folder, "small_steps", rng.random((9, 9, 9), np.float32)), ["--iso", "0.5", "--spacing", "1.8e-5,2e-5,3e-5"]
    yield volume(folder, "empty", np.full((4, 5, 6), 7, np.uint8)), ["--iso", "7"]


def without_area(positions, triangles):
    p = positions.astype(np.float64)[triangles]
    return (np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]) == 0).all(1)


def same_bits(a, b):
    """Of floats: test_cli_far.py has files with doubles."""
    return a.dtype == b.dtype == np.float32 and a.shape == b.shape and (a.view(np.uint32) == b.view(np.uint32)).all()


def compare(folder, raw, how):
    mesh = {}
    facts = None
    told = cubist("info", raw, *how, "--json").json()["surface"]
    for kind in READERS:
        path = os.path.join(folder, "mesh." + kind)
        ran = cubist("extract", raw, *how, "-o", path, "--json")
        if not check(ran.code == 0, ran):
            return
        report = ran.json()
        check(report["format"] == kind, "the format is reported:", report["format"])
        check(told == {key: report.get(key) for key in told}, "info and extract differ:", told, report)
        try:
            mesh[kind] = READERS[kind](path)
        except AssertionError as why:
            check(False, kind, "of", os.path.basename(raw), "is malformed:", why)
            continue
        positions, _, triangles = mesh[kind]
        area, inside = area_and_volume(positions, triangles)
        # The report is of positions that are not rounded to floats.
        check(math.isclose(area, report["area"], rel_tol=1e-6, abs_tol=1e-30), kind, "has another area:", area, report["area"])
        if report["closed"]:
            check(math.isclose(inside, report["volume"], rel_tol=1e-6, abs_tol=1e-30), kind, "volume:", inside, report["volume"])
        if len(positions) and kind != "stl":
            for row, wanted in zip((positions.min(0), positions.max(0)), report["bounds"]):
                check((row == np.array(wanted, np.float32)).all(), kind, "has other bounds:", row, wanted)
        check(facts in (None, {k: v for k, v in report.items() if k in ("vertices", "triangles", "area", "parts", "euler")}),
              "the report depends on the format:", report)
        facts = {k: v for k, v in report.items() if k in ("vertices", "triangles", "area", "parts", "euler")}
    positions, normals, triangles = mesh["ply"]
    check(len(positions) == facts["vertices"] and len(triangles) == facts["triangles"], "counts of", raw)
    flat = without_area(positions, triangles)
    for kind, (p, n, t) in mesh.items():
        if kind == "stl":
            kept = triangles[~flat]
            check(same_bits(p, positions[kept].reshape(-1, 3)), "stl has other corners:", raw)
            corners = p.reshape(-1, 3, 3).astype(np.float64)
            cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            cross /= np.linalg.norm(cross, axis=1, keepdims=True)
            check(np.allclose(cross, n, rtol=0, atol=1e-6), "stl has other normals:", raw)
        else:
            check(same_bits(p, positions) and (n is None or same_bits(n, normals)) and (t == triangles).all(), kind, "has another mesh:", raw)
    check("on_the_value" not in raw or flat.any(), "this volume should have triangles without area")
    return mesh, flat


# What glTF's y up makes of z up.
TURN = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)


def through_vtk(folder, mesh, flat, raw):
    positions, _, triangles = mesh["ply"]
    kinds = [kind for kind in READERS if kind != "glb" or len(positions)]  # to VTK an empty scene is an error
    # In a process of its own: VTK may end its process where it does not like a file.
    script = "import sys, numpy as np; sys.path.insert(0, sys.argv[1]); from mesh_files import read_vtk\n" \
             "for kind in sys.argv[3:]:\n" \
             "    found = read_vtk(sys.argv[2] + kind, kind)\n" \
             "    found and np.savez(sys.argv[2] + kind + '.npz', p=found[0], t=found[1])"
    done = subprocess.run([PYTHON, "-c", script, os.path.join(os.environ["CUBIST_SOURCE"], "tests"),
                           os.path.join(folder, "mesh."), *kinds],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if not check(done.returncode == 0, "VTK on", os.path.basename(raw), done.stdout[-600:]):
        return
    for kind in kinds:
        if not os.path.exists(os.path.join(folder, f"mesh.{kind}.npz")):
            continue  # VTK has no reader
        with np.load(os.path.join(folder, f"mesh.{kind}.npz")) as found:
            p, t = found["p"], found["t"]
        want = triangles[~flat] if kind == "stl" else triangles
        if kind == "glb":
            p = p @ glb_matrix(os.path.join(folder, "mesh.glb"))[:3, :3]  # undone
        check(len(t) == len(want) and (p.astype(np.float32)[t] == positions[want]).all(),
              "VTK reads another mesh from", kind, "of", os.path.basename(raw), len(t), len(want))


def in_a_frame(folder):
    """A volume that knows where it is in the patient: directions that mirror, an origin, LPS."""
    vectors = np.array([[0, -0.5, 0], [-0.6, 0, 0.8], [2.4, 0, 1.8]])
    origin = np.array([100, -30, 7.5])
    z, y, x = np.mgrid[0:20, 0:24, 0:28]
    centre, radius = np.array([13.2, 11.9, 9.7]), 7
    values = (10 - np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2)).astype("<f4")
    for space, known in ("space: left-posterior-superior", True), ("space dimension: 3", False):
        path = os.path.join(folder, "placed.nrrd")
        with open(path, "wb") as file:
            file.write(f"NRRD0004\ntype: float\ndimension: 3\n{space}\nsizes: 28 24 20\nspace directions: ".encode() +
                       " ".join(f"({','.join(map(repr, v))})" for v in vectors.tolist()).encode() +
                       f"\nspace origin: ({','.join(map(repr, origin.tolist()))})\nendian: little\nencoding: raw\n\n".encode())
            file.write(values.tobytes())
        found = compare(folder, path, ["--iso", "3"])
        if not found:
            continue
        mesh, flat = found
        # Every vertex is on the ball, where the affine puts it; faces look outward though it mirrors.
        grid = (mesh["ply"][0].astype(float) - origin) @ np.linalg.inv(vectors)
        check(np.abs(np.linalg.norm(grid - centre, axis=1) - radius).max() < 0.02, "vertices away from the surface")
        check(area_and_volume(mesh["ply"][0], mesh["ply"][2])[1] > 0, "the surface is turned inside out")
        outward = mesh["ply"][0] - (origin + centre @ vectors)
        check(((outward * mesh["ply"][1]).sum(1) > 0).all(), "normals look inward")
        for kind in set(READERS) - NO_COMMENTS:
            check((b"SPACE=LPS" in whole(os.path.join(folder, "mesh." + kind))[:200]) == known, "SPACE=LPS in", kind, space)
        check((glb_matrix(os.path.join(folder, "mesh.glb")) == (TURN if known else np.eye(4))).all(), "the node's matrix:", space)
        if HAVE_VTK:
            through_vtk(folder, mesh, flat, path)


def choosing(folder, raw):
    """--format wins over the extension, the extension over the default; - and pipes take any."""
    def bytes_of(*args):
        ran = cubist("extract", raw, "-o", "-", *args, text=False)
        check(ran.code == 0 and "triangles" in ran.err, "to standard output:", ran)
        return ran.out

    content = {kind: whole(os.path.join(folder, "mesh." + kind)) for kind in READERS}
    check(bytes_of() == content["ply"], "- without --format is PLY")
    for kind in READERS if WHOLE else ("stl", "glb"):
        check(bytes_of("--format", kind) == content[kind], "- with --format", kind)
        other = os.path.join(folder, "other.ply")
        for target, more in (other, ["--format", kind]), (other[:-4], ["--format", kind.upper()]), \
                (other + ".what", ["--format", kind]), (os.path.join(folder, "LOUD." + kind.upper()), []):
            ran = cubist("extract", raw, "-o", target, *more)
            check(ran.code == 0 and whole(target) == content[kind], "another file:", ran)
            os.remove(target)
        full = cubist("extract", raw, "-o", "/dev/full", "--format", kind)
        refused(full, 5, "/dev/full.*No space left")
    bare = os.path.join(folder, "dir.stl", "bare")
    os.mkdir(os.path.dirname(bare))
    ran = cubist("extract", raw, "-o", bare)
    check(ran.code == 0 and whole(bare) == content["ply"], "a folder's dot is no extension:", ran)


need_device()
if not check(set(READERS) == set(formats_written("meshes")),
             "tests/mesh_files.py needs a read_NAME for each format written"):
    finish()
with Folder() as top:
    for path, how in volumes(top):
        found = compare(top, path, how)
        if found and HAVE_VTK:
            through_vtk(top, *found, path)
    in_a_frame(top)
    torus = sample(top, "torus", "12x12x12", "uint8")
    for kind in READERS:
        cubist("extract", torus, "-o", os.path.join(top, "mesh." + kind))
    choosing(top, torus)
if not HAVE_VTK:
    print("not tried: python3-vtk9 is not installed, so VTK has read nothing")
finish()
