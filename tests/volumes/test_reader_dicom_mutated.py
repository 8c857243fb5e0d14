#!/usr/bin/python3
# ctest: sweep
"""10,000 DICOM files with bytes changed, cut off, moved or repeated. The reader may end in any way; cubist says one line
and exits with 0, 3 or 4. CUBIST_ALONE=1 runs the reader without cubist and counts how it ends."""
import collections
import glob
import random

from cli import *

try:
    import numpy
except ImportError:
    skip("python3-numpy is not installed")
import dicom_files as dicom
from reader_process import Reader, mutated, path_of

if not os.path.exists(path_of("dicom")):
    skip("the reader of DICOM was not built: libgdcm-dev is not installed")
ALONE = os.environ.get("CUBIST_ALONE") == "1"
COUNT = int(os.environ.get("CUBIST_COUNT", 10000))
random.seed(int(os.environ.get("CUBIST_SEED", 1)))
ends = collections.Counter()


def seeds(folder):
    """Each form that the reader knows, small; and the small real files."""
    values = numpy.arange(4 * 6 * 8).reshape(4, 6, 8).astype("u2")
    position = {"ImagePositionPatient": [0, 0, 1], "ImageOrientationPatient": [1, 0, 0, 0, 1, 0], "SpacingBetweenSlices": 2}
    each = [{"PlanePositionSequence": [{"ImagePositionPatient": [0, 0, i]}],
             "PixelValueTransformationSequence": [{"RescaleSlope": 2, "RescaleIntercept": i}]} for i in range(4)]
    path = os.path.join(folder, "seed")
    for syntax in dicom.IMPLICIT, dicom.EXPLICIT, dicom.BIG, dicom.DEFLATED, dicom.RLE:
        for more in position, {"PerFrameFunctionalGroupsSequence": each}, {"PixelPaddingValue": 3, **position}:
            dicom.write(path, values, syntax=syntax, **more)
            with open(path, "rb") as file:
                yield file.read()
    for path in sorted(glob.glob(os.path.join(DATA, "formats", "dicom", "*.dcm"))):
        if os.path.getsize(path) < 160000:
            with open(path, "rb") as file:
                yield file.read()


def alone(path):
    with Reader("dicom", path, "gaps=resample") as reader:
        told = reader.told
        if told and "error" not in told:
            found = reader.ask("block " + " ".join(f"0 {n}" for n in told["size"]))
            told = {"error": "block"} if isinstance(found, str) else found and {}
    ends[f"exit {reader.code}" + (", error" if told and "error" in told else "" if told is not None else ", no answer")] += 1
    return reader.code == 0


def through(path):
    ran = cubist("info", path)
    ends[f"exit {ran.code}"] += 1
    return check(ran.code in (0, 3, 4), ran) and check(ran.code == 0 or len(ran.err.splitlines()) == 1, ran)


with Folder() as folder:
    known = list(seeds(folder))
    path = os.path.join(folder, "a.dcm")
    for i in range(COUNT):
        with open(path, "wb") as file:
            file.write(mutated(random.choice(known), 128, 1.5))  # most of what matters stands before the samples
        if not (alone if ALONE else through)(path):
            shutil.copy(path, f"/tmp/cubist-mutated-{i}.dcm")
print(*(f"{count} x {end}" for end, count in ends.most_common()), sep="\n")
check(sum(ends.values()) == COUNT and len(ends) > 1, "one end only")
finish()
