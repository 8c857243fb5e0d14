#!/usr/bin/python3
# ctest: plain
"""What `extract` holds at its peak above `cubist devices`: under three times the file and the mesh
on the host, device allocations counted apart (on a CPU device they are the process's own too). And
what is said of a picture that the device cannot hold."""
import json
import os
import subprocess

from cli import *


def peak(*args):
    """Peak resident bytes of a run, and its standard output."""
    process = subprocess.Popen([CUBIST, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    check(process.returncode == 0, args, "exit", process.returncode)
    return usage.ru_maxrss * 1024, out


need_device()
with Folder() as top:
    # A smooth volume: much file, little mesh. A gyroid: much of both.
    for name in "sphere", "gyroid":
        raw = sample(top, name, "512x512x256")
        base, _ = peak("devices")
        most, out = peak("extract", raw, "--json", "-o", os.path.join(top, "mesh.ply"))
        found = json.loads(out)
        file = os.path.getsize(raw)
        # Positions, normals and the grid edge of each vertex; three indices to a triangle.
        mesh = 32 * found["vertices"] + 12 * found["triangles"]
        held = most - base - found["device_bytes"]
        print(f"{name}: peak {most >> 20} MiB, devices {base >> 20}, file {file >> 20}, mesh {mesh >> 20}, "
              f"device {found['device_bytes'] >> 20}")
        check(held < 3 * file + mesh, name, "held", held, "of", 3 * file + mesh)
        os.remove(raw)
    # What llvmpipe refuses although the memory is there; another device may well draw it, and long.
    if cubist("devices", "--json").json()["devices"][0]["driver"].startswith("llvmpipe"):
        raw = sample(top)
        before = snapshot(top)
        refused(cubist("render", raw, "--size", "16384x16384", "-o", os.path.join(top, "p.png")), 4,
                r"16384x16384.*[0-9.]+ MiB.*[0-9.]+ MiB free", top, before)
finish()
