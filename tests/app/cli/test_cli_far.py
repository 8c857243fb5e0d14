#!/usr/bin/python3
# ctest: plain share
"""A volume far from the origin: its vertices are those of the same samples at 0, moved in double, in every format.
The bytes do not depend on how the file is made: at once, in parts, from shares, or in a folder of shares. All formats in all places are the whole test."""
import os

from cli import *

try:
    import numpy as np
except ImportError:
    skip("python3-numpy is not installed")
from mesh_files import *

UTM = [615850, 5846925, 758.5]
LPS = "space: left-posterior-superior"
PLACES = {
    "straight": (np.diag([0.25, 0.25, 0.25]), UTM, "space dimension: 3"),
    "mirrored": (np.diag([0.25, -0.5, 0.25]), UTM, LPS),
    "sheared": ([[0.25, 0.05, 0], [-0.1, 0.3, 0.07], [0, -0.2, 0.4]], [-5846925.25, 1e6, 3e7], LPS),
    "both": ([[0.25, 0.05, 0], [0.1, -0.3, 0.07], [0, -0.2, 0.4]], UTM, "space dimension: 3"),
}


def extract(volume, path, *more):
    iso = [] if "--iso" in more else ["--iso", "0.5"]
    ran = cubist("extract", volume, *iso, "--json", "-o", path, *more)
    check(ran.code == 0, ran)
    return ran


def exact(folder, volume, name, grid, facts):
    """Compares each format with the mesh in grid units, placed by numpy. `facts`: those at the origin 0."""
    steps, origin, space = PLACES[name]
    steps = np.array(steps)
    most = 1e-6 * np.linalg.norm(steps, axis=1).min()
    positions = np.array(origin) + grid[0].astype(float) @ steps
    normals = grid[1].astype(float) @ np.linalg.inv(steps).T
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    triangles = grid[2] if np.linalg.det(steps) > 0 else grid[2][:, [0, 2, 1]]
    for kind in READERS if WHOLE or name == "both" else ["glb"]:
        path = os.path.join(folder, "mesh." + kind)
        ran = extract(volume, path)
        report = ran.json()
        check(all(report[key] == facts[key] for key in ("area", "volume", "euler", "parts")), "facts:", name, report, facts)
        check(np.abs(np.array(report["bounds"]) - [positions.min(0), positions.max(0)]).max() < most, "bounds:", report)
        p, n, t = READERS[kind](path)
        if kind == "stl":
            check(ran.err.count("\n") == 1 and "mesh.stl': STL has floats only" in ran.err, "one warning:", ran.err)
            check(set(map(tuple, p)) <= set(map(tuple, positions.astype(np.float32))), "stl, as near as floats are")
            continue
        check(ran.err == "", "no warning:", ran.err)
        check(p.dtype == (np.float32 if kind == "glb" else np.float64), kind, "has positions of type", p.dtype)
        p = glb_placed(path) if kind == "glb" else p
        check(p.shape == positions.shape and np.abs(p - positions).max() < most, name, kind, "has other vertices:",
              np.abs(p - positions).max())
        check(n is None or np.abs(n - normals).max() < 1e-6, name, kind, "has other normals")
        check((t == triangles).all(), name, kind, "has other triangles")
    matrix = glb_matrix(os.path.join(folder, "mesh.glb"))
    centre = np.array(origin) + (np.array([20, 15, 17]) - 1) / 2 @ steps
    turned = [centre[0], centre[2], -centre[1]] if space == LPS else centre
    check(np.abs(matrix[:3, 3] - turned).max() < 1e-8 and (matrix[1, 1] == 0) == (space == LPS), "the node:", matrix)


def same_bytes(folder, volume):
    """As it is made in other ways."""
    shares = [os.path.join(folder, f"x.{k}.share") for k in (1, 2, 3)]
    for k, share in enumerate(shares, 1):
        check(cubist("extract", volume, "--iso", "0.5", "--share", f"{k}/3", "-o", share).code == 0, "share", k)
    for kind in READERS:
        whole = read(os.path.join(folder, "mesh." + kind))
        other = os.path.join(folder, "other." + kind)
        if WHOLE or kind == "vtp":
            extract(volume, other, "--resume", os.path.join(folder, "resumed"))
            check(read(other) == whole, "--resume gives another", kind)
        ran = cubist("merge", *shares, "-o", other, env=NO_DRIVER)
        check(ran.code == 0 and read(other) == whole, "merge gives another", kind, ran)
        check(ran.err.count("STL has floats only") == (kind == "stl"), "one warning:", ran.err)


def in_parts(folder):
    steps, origin, space = PLACES["both"]
    volume = placed(sample(folder, "gyroid", "64x60x20"), "parts", steps, origin, space)
    whole, parts = os.path.join(folder, "whole.vtp"), os.path.join(folder, "parts.vtp")
    facts = extract(volume, whole, "--iso", "120").json()
    found = extract(volume, parts, "--iso", "120", "--memory-budget", "2").json()
    check(found["slabs"]["count"] > 1 and read(parts) == read(whole), "parts give another mesh", found["slabs"])
    check(all(found[key] == facts[key] for key in ("area", "volume", "bounds")), "facts of parts:", found, facts)
    check(read_vtp(whole)[0].dtype == np.float64, "doubles")


def pictures(far, near):
    """The scene is centred on the volume's box, so its place does not matter."""
    for how in ["triangles"], ["rays"], ["rays", "--view", "20,30", "--zoom", "30"]:
        made = [cubist("render", volume, "--iso", "0.5", "--size", "90x80", "--draw", *how, "-o", "-", text=False).out
                for volume in (far, near)]
        check(made[0].startswith(b"\x89PNG") and made[0] == made[1], "another picture far away:", how)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def plan(far, near):
    """--plan knows how large a mesh with doubles is."""
    said = [cubist("extract", volume, "--iso", "0.5", "--plan", "ranks=2", "--json").json() for volume in (far, near)]
    sizes = [{mesh["format"]: mesh["bytes"] for mesh in plan["meshes"]} for plan in said]
    vertices = said[0]["vertices"]
    for kind in "ply", "vtp":
        check(sizes[0][kind] - sizes[1][kind] == 12 * vertices, "the plan:", kind, sizes, vertices)
    check(sizes[0]["glb"] == sizes[1]["glb"] and sizes[0]["obj"] > sizes[1]["obj"], "the plan:", sizes)


def beyond_floats(folder, raw):
    """Positions that no float holds: refused by STL, where no file is left; doubles elsewhere."""
    volume = placed(raw, "beyond", np.eye(3), [1e39, 0, 0])
    ran = cubist("extract", volume, "--iso", "0.5", "-o", os.path.join(folder, "x.stl"))
    check(ran.code == 3 and "STL has floats only" in ran.err and not os.path.exists(os.path.join(folder, "x.stl")), ran)
    extract(volume, os.path.join(folder, "x.ply"))


need_device()
with Folder() as top:
    raw = os.path.join(top, "noise_20x15x17_float32.raw")
    np.random.default_rng(11).random((17, 15, 20), np.float32).tofile(raw)
    at_home = os.path.join(top, "grid.ply")
    extract(raw, at_home)
    for name in PLACES if WHOLE else ["mirrored", "both"]:
        steps, origin, space = PLACES[name]
        near = placed(raw, "near", steps, [0, 0, 0], space)
        facts = extract(near, os.path.join(top, "near.ply")).json()
        check(read_ply(os.path.join(top, "near.ply"))[0].dtype == np.float32, "floats are enough at 0")
        far = placed(raw, name, steps, origin, space)
        exact(top, far, name, read_ply(at_home), facts)
    same_bytes(top, far)
    in_parts(top)
    beyond_floats(top, raw)
    plan(far, near)
    if WHOLE:
        pictures(far, near)
finish()
