#!/usr/bin/python3
"""How much processor time cubist takes to read Zarr and N5 stores, against a full read by python3-zarr: medians of
interleaved rounds. cubist's time is that of `convert` to /dev/null, less that of a raw file with the same samples.
Needs python3-zarr (2) and python3-numpy.
    CUBIST=build/cubist tests/bench/versus_zarr.py [edge [rounds]]"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import numcodecs
import numpy
import zarr

EDGE = int(sys.argv[1]) if len(sys.argv) > 1 else 256
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
WHOLE = "import sys, time, warnings; warnings.simplefilter('ignore'); import zarr; " \
        "a = zarr.open_array(getattr(zarr, sys.argv[2])(sys.argv[1]), 'r'); t = time.process_time(); a[:]; " \
        "print(time.process_time() - t)"
FORMS = {  # compressor, order, chunk
    "raw": (None, "C", (64, 64, 64)), "gzip": (numcodecs.GZip(1), "C", (64, 64, 64)), "zlib": (numcodecs.Zlib(1), "C", (32, 128, 128)),
    "zstd": (numcodecs.Zstd(3), "C", (64, 64, 64)), "lz4": (numcodecs.LZ4(), "C", (64, 64, 64)),
    "blosc lz4": (numcodecs.Blosc("lz4", 5, 1), "C", (64, 64, 64)), "blosc zstd": (numcodecs.Blosc("zstd", 3, 1), "C", (64, 64, 64)),
    "order F": (numcodecs.Blosc("lz4", 5, 1), "F", (64, 64, 64)), "N5 gzip": (numcodecs.GZip(1), "C", (64, 64, 64)),
}


def cpu(path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.environ["CUBIST"], "convert", path, "-q", "--format", "raw", "-o", "/dev/null"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as folder:
    z, y, x = numpy.mgrid[0:EDGE, 0:EDGE, 0:EDGE].astype("f4") / EDGE
    data = (1000 * numpy.sin(9 * x) * numpy.cos(7 * y + z) + numpy.random.default_rng(1).normal(0, 8, x.shape)).astype("i2")
    raw = os.path.join(folder, f"a_{EDGE}x{EDGE}x{EDGE}_int16.raw")
    data.tofile(raw)
    for number, (name, (compressor, order, chunk)) in enumerate(FORMS.items()):
        store = "N5Store" if name.startswith("N5") else "DirectoryStore"
        path = os.path.join(folder, str(number))
        made = zarr.open_array(getattr(zarr, store)(path), "w", shape=data.shape, chunks=chunk, dtype="i2", compressor=compressor, order=order)
        made[:] = data
        theirs, ours = [], []
        for _ in range(ROUNDS):
            done = subprocess.run([sys.executable, "-c", WHOLE, path, store], capture_output=True, text=True, check=True)
            theirs.append(float(done.stdout))
            ours.append(cpu(path) - cpu(raw))
        base = statistics.median(theirs)
        print(f"{name:12} zarr {base:.3f} s of processor time, cubist {statistics.median(ours):.3f} s: {statistics.median(ours) / base:.2f}", flush=True)
