#!/usr/bin/python3
# ctest: plain
"""A mesh in pieces: merged by their global ids, the pieces are the mesh of the .ply file, for extract and for
merge, by an independent reader and by VTK's. An old file stays whole until the new one takes its place. A killed run
leaves hidden files only, which the next one removes."""
import os
import resource
import subprocess
import time
import xml.etree.ElementTree as ET

from cli import *

try:
    import numpy as np
except ImportError:
    skip("python3-numpy is not installed")
from mesh_files import read_ply, vtp_piece

HAVE_VTK = subprocess.run([PYTHON, "-c", "import vtk"], stderr=subprocess.DEVNULL).returncode == 0


def type_of(path):
    """The type of the points, as the list of the pieces says."""
    return {"Float32": np.float32, "Float64": np.float64}[ET.parse(path).find("PPolyData/PPoints/PDataArray").get("type")]


def pieces_of(path):
    xml = ET.parse(path).getroot()
    assert xml.attrib == {"type": "PPolyData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}
    return [os.path.join(os.path.dirname(path), piece.get("Source")) for piece in xml.iter("Piece")]


def joined(path, vertices):
    """(positions, normals, triangles) of the whole, in order."""
    p, n = (np.full((vertices, 3), np.nan, kind) for kind in (type_of(path), np.float32))
    triangles = []
    for piece in pieces_of(path):
        positions, normals, corners, ids = vtp_piece(piece)
        assert (np.diff(ids) == 1).all(), "ids follow each other"
        for whole, part in ((p, positions), (n, normals)):
            seen = ~np.isnan(whole[ids, 0])
            assert whole.dtype == part.dtype and whole[ids][seen].tobytes() == part[seen].tobytes(), "neighbours differ"
            whole[ids] = part
        triangles.append(ids[corners])
    return p, n, np.concatenate(triangles)


def joined_by_vtk(path, vertices):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    reader = vtk.vtkXMLPPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    out = reader.GetOutput()
    ids = vtk_to_numpy(out.GetPointData().GetGlobalIds()) if out.GetNumberOfPoints() else np.zeros(0, int)
    p, n = (np.full((vertices, 3), np.nan, kind) for kind in (type_of(path), np.float32))
    if len(ids):
        p[ids] = vtk_to_numpy(out.GetPoints().GetData())
        n[ids] = vtk_to_numpy(out.GetPointData().GetNormals())
    corners = vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    return p, n, ids[corners]


def compare(path, ply, count):
    p, n, t = read_ply(ply)
    check(len(pieces_of(path)) == count, path, count, pieces_of(path))
    readers = [joined, joined_by_vtk] if HAVE_VTK else [joined]
    for reader in readers:
        found = reader(path, len(p))
        for a, b in zip(found, (p, n, t)):
            check(a.shape == b.shape and a.tobytes() == b.astype(a.dtype).tobytes(), reader.__name__, path, a.shape, b.shape)
        check(found[0].dtype == p.dtype, "the type of the points:", path)


def written(folder, raw, *how):
    ply = os.path.join(folder, "whole.ply")
    ran = cubist("extract", raw, *how, "-o", ply, "-q")
    check(ran.code == 0, ran)
    for i, count in enumerate((1, 2, 7, 40)):
        path = os.path.join(folder, f"mesh{i}.pvtp")
        more = ["--memory-budget", "8"] if i % 2 else []  # part by part
        ran = cubist("extract", raw, *how, *more, "-o", path, "--pieces", str(count), "--json")
        check(ran.code == 0 and ran.json()["format"] == "pvtp", ran)
        compare(path, ply, count)
    for k in (1, 2, 3):
        check(cubist("extract", raw, *how, "--share", f"{k}/3", "-o", f"{folder}/x.{k}.share", "-q").code == 0)
    path = os.path.join(folder, "merged.pvtp")
    ran = cubist("merge", *(f"{folder}/x.{k}.share" for k in (1, 2, 3)), "-o", path, "-q", "--pieces", "5")
    check(ran.code == 0, ran)
    compare(path, ply, 5)


def again(folder, raw):
    """Each time a new folder; a write that fails leaves nothing. Names of all kinds."""
    top = os.path.join(folder, "again")
    os.mkdir(top)
    path = os.path.join(top, "mesh.pvtp")
    ran = cubist("extract", raw, "--iso", "30%", "-o", path, "--pieces", "3")
    check(ran.code == 0 and not ran.err, ran)
    first = open(path).read()
    check(sorted(os.listdir(top)) == ["mesh", "mesh.pvtp"], os.listdir(top))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # as a full disk
    share = os.path.join(folder, "all.share")  # merge opens no device: drivers may need large files themselves
    iso = str(cubist("extract", raw, "--iso", "40%", "--json").json()["iso"])
    check(cubist("extract", raw, "--iso", iso, "--share", "1/1", "-o", share).code == 0, "the share")
    ran = subprocess.run([CUBIST, "merge", share, "-o", path, "--pieces", "3"], capture_output=True, text=True,
                         preexec_fn=limit)
    check(ran.returncode == 5 and ran.stderr.count("\n") == 1, ran)
    check(sorted(os.listdir(top)) == ["mesh", "mesh.pvtp"] and open(path).read() == first, os.listdir(top))
    ran = cubist("extract", raw, "--iso", "40%", "-o", path, "--pieces", "3")
    check(ran.code == 0 and "stay where they are" in ran.err, ran)
    check(sorted(os.listdir(top)) == ["mesh", "mesh-2", "mesh.pvtp"], os.listdir(top))
    check(len(os.listdir(os.path.join(top, "mesh"))) == 3)
    check(pieces_of(path)[0].endswith("mesh-2/mesh-2_00000.vtp"), pieces_of(path))
    for name, made in (("a&b <\"ü>'.pvtp", "a_b ______"), ("bare", "bare-pieces"), (".x.pvtp", ".x"), ("a.b.pvtp", "a.b")):
        path = os.path.join(top, name)
        ran = cubist("extract", raw, "--iso", "40%", "-o", path, "--format", "pvtp", "-q")
        check(ran.code == 0 and os.path.isfile(path), ran)
        check(os.listdir(os.path.join(top, made)) == [made + "_00000.vtp"], name, os.listdir(top))
        check(pieces_of(path) == [os.path.join(top, made, made + "_00000.vtp")], pieces_of(path))


def begun(share, path):
    """A run that writes pieces."""
    process = subprocess.Popen([CUBIST, "merge", share, "-o", path, "--pieces", "200", "-q"], stderr=subprocess.PIPE)
    top = os.path.dirname(path)
    hidden = lambda: [name for name in os.listdir(top) if name.startswith(".cubist-") and
                      os.path.isdir(os.path.join(top, name)) and os.listdir(os.path.join(top, name))]
    end = time.monotonic() + 60
    while not hidden() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    return process


def killed(folder):
    """Also where another program takes the folder's name meanwhile."""
    share, top = os.path.join(folder, "all.share"), os.path.join(folder, "killed")
    os.mkdir(top)
    path = os.path.join(top, "m.pvtp")
    hits = 0
    for attempt in range(6):
        process = begun(share, path)
        process.kill()
        process.communicate(timeout=60)
        shown = [name for name in os.listdir(top) if not name.startswith(".cubist-")]
        hits += process.returncode == -9
        check(process.returncode != -9 or shown == [], "a kill left:", shown)
        if shown:
            break  # it was too late
    check(hits > 0 or shown, "no run was killed")
    for number in range(2, 12):
        process = begun(share, path)
        taken = os.path.join(top, "m" if number == 2 else f"m-{number - 1}")
        late = os.path.exists(taken)
        if not late:
            os.mkdir(taken)
        err = process.communicate(timeout=60)[1]
        check(process.returncode == 0, "a run beside another:", process.returncode, err)
        if not late and not os.listdir(taken):
            break
    check(pieces_of(path)[199] == os.path.join(top, f"m-{number}", f"m-{number}_00199.vtp"), pieces_of(path)[199])
    check(all(map(os.path.isfile, pieces_of(path))), "pieces:", os.listdir(top))
    check(not any(name.startswith(".") for name in os.listdir(top)), "left:", os.listdir(top))


def usage(folder, raw):
    mesh = os.path.join(folder, "mesh.pvtp")
    fifo = os.path.join(folder, "fifo.pvtp")
    os.mkfifo(fifo)
    for args, what in (
            (["-o", "-", "--format", "pvtp"], "name a file"), (["-o", fifo], "name a file"),
            (["-o", "/dev/null", "--format", "pvtp"], "name a file"),
            (["-o", mesh[:-5] + ".ply", "--pieces", "2"], "write a .pvtp file"),
            (["-o", mesh, "--pieces", "2", "--format", "vtp"], "write a .pvtp file"),
            (["--pieces", "2"], "--pieces needs a file"), (["-o", mesh, "--pieces", "0"], "1 to 99999"),
            (["-o", mesh, "--pieces", "100000"], "1 to 99999"),
            (["-o", folder + "/x.share", "--share", "1/2", "--pieces", "2"], "takes no --pieces")):
        ran = cubist("extract", raw, "--iso", "3", *args)
        check(ran.code == 2 and what in ran.err and ran.err.count("\n") == 1, args, ran)
    ran = cubist("merge", "none.share", "-o", "-", "--format", "pvtp")
    check(ran.code == 2 and "name a file" in ran.err, ran)
    check(not os.path.exists(mesh) and not os.path.exists(mesh[:-5]))
    check(".pvtp" in cubist("--list-formats").out)


need_device()
with Folder() as folder:
    raw = os.path.join(folder, "noise_21x17x23_float32.raw")
    np.random.default_rng(5).random((23, 17, 21), np.float32).tofile(raw)
    empty = os.path.join(folder, "empty_6x5x4_uint8.raw")
    np.zeros(120, np.uint8).tofile(empty)
    far = placed(raw, "far", np.diag([0.7, -1.3, 0.5]), [615850, 5846925, 758.5])  # with doubles
    for name, volume, iso, more in (("noise", raw, "0.5", ["--spacing", "0.7,1.3,2e-3"]), ("empty", empty, "3", []),
                                    ("far", far, "0.5", [])):
        os.mkdir(os.path.join(folder, name))
        written(os.path.join(folder, name), volume, "--iso", iso, *more)
    check(type_of(os.path.join(folder, "far", "merged.pvtp")) == np.float64, "doubles far away")
    again(folder, raw)
    killed(folder)
    usage(folder, raw)
if not HAVE_VTK:
    print("not tried: VTK's reader, because python3-vtk9 is not installed")
finish()
