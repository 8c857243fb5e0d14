#!/usr/bin/python3
"""Strong and weak scaling of cubist-mpi extract, as ratios within one run.

    python3 tests/bench/scale.py build/cubist-mpi [--ranks 1,2,4] [--side 768] [--repeat 5] [-o FOLDER]

Strong: one volume for every number of ranks. Weak: each rank has as many layers as one rank alone. All
numbers of ranks take turns, so that other work on the machine meets all of them; medians. One llvmpipe
thread a rank. Bytes read and memory are of the rank with the most. Wall times mean nothing on a busy
machine; processor seconds do.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MPIRUN = ["mpirun", "--quiet", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]


def generate(program, folder, side, depth):
    path = os.path.join(folder, f"default_{side}x{side}x{depth}_uint8.raw")
    if not os.path.exists(path):
        subprocess.run([program, "generate", "default", "--dims", f"{side}x{side}x{depth}",
                        "-o", path, "-q"], check=True)
    return path


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(program, volume, ranks, target):
    """Seconds, processor seconds, and of the rank with the most: bytes read, bytes of memory."""
    began, busy = time.monotonic(), processor_seconds()
    done = subprocess.run([*MPIRUN, "-n", str(ranks), program, "extract", volume, "--iso", "100.5",
                           "-o", target, "--json"], stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, LP_NUM_THREADS="1"))
    if done.returncode:
        sys.exit(f"{ranks} ranks: exit code {done.returncode}")
    spent, busy = time.monotonic() - began, processor_seconds() - busy
    each = json.loads(done.stdout)["ranks"]
    return (spent, busy, max(rank["bytes_read"] for rank in each),
            max(rank["peak_bytes"] for rank in each))


def table(program, volumes, repeat, target):
    """Prints a line for each number of ranks; ratios are to the first."""
    found = {ranks: [] for ranks in volumes}
    for _ in range(repeat):
        for ranks, volume in volumes.items():
            found[ranks].append(measure(program, volume, ranks, target))
    print(f"{'ranks':>5} {'wall s':>8} {'wall of first / this':>21} {'cpu s':>8} "
          f"{'cpu / first':>12} {'MiB read':>9} {'MiB memory':>11} {'memory / first':>15}")
    first = None
    for ranks, runs in found.items():
        wall, busy, read, memory = (statistics.median(column) for column in zip(*runs))
        first = first or (wall, busy, read, memory)
        print(f"{ranks:5} {wall:8.2f} {first[0] / wall:21.2f} {busy:8.2f} {busy / first[1]:12.2f} "
              f"{read / 2**20:9.1f} {memory / 2**20:11.1f} {memory / first[3]:15.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="cubist-mpi; cubist is beside it")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--side", type=int, default=768, help="of the cube; weak: layers a rank")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("-o", "--output", help="where the volumes and meshes go (a new folder)")
    given = parser.parse_args()
    counts = [int(text) for text in given.ranks.split(",")]
    program = os.path.abspath(given.program)
    cubist = os.path.join(os.path.dirname(program), "cubist")
    folder = tempfile.mkdtemp(prefix="cubist-scale-", dir=given.output)
    try:
        target = os.path.join(folder, "mesh.vtp")
        whole = generate(cubist, folder, given.side, given.side)
        print(f"strong: {given.side}^3 uint8, median of {given.repeat}")
        table(program, {ranks: whole for ranks in counts}, given.repeat, target)
        layers = max(2, given.side // max(counts))
        print(f"\nweak: {given.side} x {given.side} x {layers} a rank, median of {given.repeat}")
        table(program, {ranks: generate(cubist, folder, given.side, layers * ranks)
                        for ranks in counts}, given.repeat, target)
    finally:
        shutil.rmtree(folder)


main()
