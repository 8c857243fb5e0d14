#!/usr/bin/python3
"""How long a series of DICOM slices takes through the reader process, against GDCM alone in one process that decodes
each file once: ratios of wall and processor time, medians of interleaved rounds. Needs libgdcm-dev, python3-numpy and
python3-gdcm, which compresses the series.
    CUBIST=build/cubist PYTHONPATH=tests tests/bench/versus_gdcm.py [slices [rounds]]"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import gdcm
import numpy

import dicom_files as dicom
from reader_process import Reader

gdcm.Trace.WarningOff()
SLICES = int(sys.argv[1]) if len(sys.argv) > 1 else 200
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SYNTAXES = {"plain": None, "RLE": "RLELossless", "JPEG": "JPEGLosslessProcess14_1", "JPEG-LS": "JPEGLSLossless",
            "JPEG 2000": "JPEG2000Lossless", "padded": "JPEGLSLossless"}


def write(folder, padding=None):
    """Smooth slices with some noise. With a padding value the least value has to be known before samples are sent."""
    random = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:512, 0:512] / 512
    planes = ((1000 * numpy.sin(7 * x + z / 20) * numpy.cos(5 * y) + random.normal(0, 8, x.shape)).astype("i2")
              for z in range(SLICES))
    dicom.write_series(folder, planes, [(0, 0, z) for z in range(SLICES)],
                       PixelPaddingValue=padding)


def compress(plain, folder, syntax):
    for name in os.listdir(plain):
        reader = gdcm.ImageReader()
        reader.SetFileName(os.path.join(plain, name))
        reader.Read()
        change = gdcm.ImageChangeTransferSyntax()
        change.SetTransferSyntax(gdcm.TransferSyntax(getattr(gdcm.TransferSyntax, syntax)))
        change.SetInput(reader.GetImage())
        writer = gdcm.ImageWriter()
        writer.SetFile(reader.GetFile())
        writer.SetFileName(os.path.join(folder, name))
        if not change.Change() or not (writer.SetImage(change.GetOutput()), writer.Write())[1]:
            sys.exit(f"cannot compress as {syntax}")


def ours(folder):
    with Reader("dicom", folder) as reader:
        width, height, depth = reader.told["size"]
        for z in range(0, depth, 8):
            found = reader.ask(f"block 0 {width} 0 {height} {z} {min(z + 8, depth)}")
            assert isinstance(found, bytes), found


def timed(work, *arguments):
    """Wall seconds; processor seconds of the child."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work(*arguments)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as top:
    alone = os.path.join(top, "alone")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "versus_gdcm.cpp")
    subprocess.run(["c++", "-O2", "-I/usr/include/gdcm-3.0", source, "-o", alone, "-lgdcmMSFF", "-lgdcmDSED", "-lgdcmCommon"],
                   check=True)
    for name, syntax in SYNTAXES.items():
        folder = os.path.join(top, name)
        os.mkdir(folder)
        plain = os.path.join(top, "plain")
        if name == "padded":
            plain = os.path.join(top, "plain padded")
            os.mkdir(plain)
            write(plain, -900)
        write(folder) if syntax is None else compress(plain, folder, syntax)
        files = sorted(os.path.join(folder, each) for each in os.listdir(folder))
        rounds = [(timed(ours, folder), timed(lambda: subprocess.run([alone, *files], check=True, stdout=subprocess.DEVNULL)))
                  for _ in range(ROUNDS)]
        (wall, cpu), (wall_alone, cpu_alone) = (
            [statistics.median(round[who][what] for round in rounds) for what in (0, 1)] for who in (0, 1))
        print(f"{name:10} {SLICES} slices: wall {wall:.2f} s / {wall_alone:.2f} s = {wall / wall_alone:.2f}, "
              f"processor {cpu:.2f} s / {cpu_alone:.2f} s = {cpu / cpu_alone:.2f}", flush=True)
