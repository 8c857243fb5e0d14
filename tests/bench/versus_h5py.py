#!/usr/bin/python3
"""How much processor time a chunked HDF5 array takes through the reader process, against a full read by h5py:
medians of interleaved rounds; and how often each chunk is decoded in a forward pass by ranges that divide no chunk.
Needs python3-h5py and python3-numpy.
    CUBIST=build/cubist PYTHONPATH=tests tests/bench/versus_h5py.py [edge [rounds]]"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy

from reader_process import Reader

EDGE = int(sys.argv[1]) if len(sys.argv) > 1 else 256
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
WHOLE = "import h5py, sys, time; f = h5py.File(sys.argv[1]); t = time.process_time(); f['a'][:]; " \
        "print(time.process_time() - t)"


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_ranges(path, step):
    before = cpu()
    with Reader("hdf5", path) as reader:
        for z in range(0, EDGE, step):
            reader.samples([(0, EDGE), (0, EDGE), (z, min(z + step, EDGE))])
    return cpu() - before


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.h5")
    z, y, x = numpy.mgrid[0:EDGE, 0:EDGE, 0:EDGE].astype("f4") / EDGE
    data = (1000 * numpy.sin(9 * x) * numpy.cos(7 * y + z) + numpy.random.default_rng(1).normal(0, 8, x.shape)).astype("i2")
    with h5py.File(path, "w") as file:
        file.create_dataset("a", data=data, chunks=(64, 64, 64), compression="gzip", compression_opts=1, shuffle=True)
    found = {"h5py": [], "whole chunks": [], "ranges of 5": []}
    for _ in range(ROUNDS):
        done = subprocess.run([sys.executable, "-c", WHOLE, path], capture_output=True, text=True, check=True)
        found["h5py"].append(float(done.stdout))
        found["whole chunks"].append(by_ranges(path, 64))
        found["ranges of 5"].append(by_ranges(path, 5))
    base = statistics.median(found["h5py"])
    for name, times in found.items():
        print(f"{name:12} {statistics.median(times):.3f} s of processor time, {statistics.median(times) / base:.2f} of h5py's")
