#!/usr/bin/python3
# ctest: plain share
"""The peak memory of a command on the host, above that of `cubist devices`: `extract` takes less than
three times the file and the mesh, the window less than twice the volume. On a CPU device, device
allocations are also memory of the process: they are subtracted, by cubist's own count. Also the
message for a picture that the device cannot hold, and the report of the device's memory by purpose."""
import json
import os
import subprocess

import window
from cli import *


def peak(*args):
    """Peak resident bytes of a run, and its standard output."""
    process = subprocess.Popen([CUBIST, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    check(process.returncode == 0, args, "exit", process.returncode)
    return usage.ru_maxrss * 1024, out


def viewer(raw, base, *more):
    """The window on opening a volume. llvmpipe's threads may queue up to hundreds of MiB of drawing, which no
    count of allocations contains. Without threads nothing is queued."""
    trace = raw + ".trace"
    os.environ["LP_NUM_THREADS"] = "0"
    with window.Display():
        most, _ = peak("view", raw, "--exit-after", "3", "--trace", trace, *more)
    with open(trace) as file:
        line = json.loads(file.read().splitlines()[-1])
    os.remove(trace)
    del os.environ["LP_NUM_THREADS"]
    held, file = most - base - line["device_bytes"], os.path.getsize(raw)
    print(f"view {' '.join(more)}: peak {most >> 20} MiB, devices {base >> 20}, file {file >> 20}, "
          f"device {line['device_bytes'] >> 20}, held {held >> 20}")
    check(line["triangles"] > 0, "there is a surface:", line)
    check(held < 2 * file, "view", more, "held", held, "of", 2 * file)


def adds_up(memory, all_of_it, volume):
    check(sum(memory.values()) == all_of_it, "what memory is for adds up:", memory, all_of_it)
    check(set(memory) == {"samples", "ranges", "lists", "surface", "scratch", "picture", "staging"}, memory)
    check(volume <= memory["samples"] < 1.1 * volume, "samples:", memory["samples"], "of", volume)
    check(all(memory[key] > 0 for key in ("ranges", "lists", "surface", "scratch")), "all known:", memory)


def purposes(top):
    """The device's allocations, listed by purpose."""
    raw = sample(top, "gyroid", "96x90x80")
    info = cubist("info", raw, "--iso", "50%", "--json").json()["surface"]
    adds_up(info["device_memory"], info["device_bytes"], 691200)
    check(info["device_memory"]["surface"] >= 24 * info["vertices"] + 12 * info["triangles"], "the surface's:", info)
    bench = cubist("bench", "extract", raw, "--iso", "40%,60%", "--repeat", "2", "--json").json()
    adds_up(bench["device_memory"], bench["device_bytes"], 691200)
    for ran in cubist("info", raw, "--iso", "50%"), cubist("bench", "extract", raw, "--repeat", "2", "--verbose"):
        check(re.search(r"^device memory [\d.]+ MiB: [\d.]+ scratch, [\d.]+ samples, ", ran.out, re.M), ran)


need_device()
with Folder() as top:
    purposes(top)
    # A smooth volume: much file, little mesh. A gyroid, not in the share: much of both.
    for name in ("sphere", "gyroid") if WHOLE else ("sphere",):
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
        adds_up(found["device_memory"], found["device_bytes"], file)
        if name == "sphere" and shutil.which("Xvfb"):
            viewer(raw, base)
            viewer(raw, base, "--memory-budget", "150") # the samples stay in the file
        os.remove(raw)
finish()
