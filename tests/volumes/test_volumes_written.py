# ctest: heavy
"""NRRD and MetaImage files written by other programs (teem's unu, VTK) are read correctly."""
import os
import shutil
import subprocess

from cli import *

try:
    import numpy as np
except ImportError:
    skip("python3-numpy is not installed")

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32")
UNU = {"int8": "int8", "uint8": "uint8", "int16": "int16", "uint16": "uint16", "int32": "int32",
       "uint32": "uint32", "float32": "float"}


def volume(kind):
    """5 x 4 x 3 samples (x fastest) over the range that unu's text keeps exactly."""
    z, y, x = np.meshgrid(np.arange(3), np.arange(4), np.arange(5), indexing="ij")
    values = x + 10 * y + 40 * z
    return (values - 60 if kind[0] in "if" else values).astype("<" + np.dtype(kind).str[1:])


def opens(path, values, spacing, origin, what):
    ran = cubist("convert", path, "--format", "raw", "-o", "-", text=False)
    check(ran.code == 0 and ran.out == values.tobytes(), "other samples:", what, ran)
    facts = cubist("info", "--json", path)
    if not check(facts.code == 0, "not read:", what, facts):
        return
    facts = facts.json()["volume"] if "volume" in facts.json() else facts.json()
    check(np.allclose(facts["spacing"], spacing) and np.allclose(facts["origin"], origin),
          "another place:", what, facts)


def by_teem(folder):
    unu = shutil.which("unu") or shutil.which("teem-unu")
    if not unu:
        print("not tried: teem-apps is not installed, so unu has written nothing")
        return 0
    tried = 0
    for kind in TYPES:
        values = volume(kind)
        raw = os.path.join(folder, "in.bin")
        values.tofile(raw)
        made = os.path.join(folder, "made.nrrd")
        subprocess.run([unu, "make", "-i", raw, "-t", UNU[kind], "-s", "5", "4", "3", "-e", "raw", "-en",
                        "little", "-spc", "left-posterior-superior", "-dirs",
                        "(0.5,0,0) (0,0.75,0) (0,0,2)", "-orig", "(1,-2,3)", "-o", made], check=True)
        for encoding in ("raw", "gzip", "ascii", "hex"):
            # unu -en big turns the bytes of samples that it then writes as text: "1" becomes "256".
            for order in ("little",) if encoding == "ascii" else ("little", "big"):
                for ending in ("nrrd", "nhdr"):
                    path = os.path.join(folder, f"{kind}-{encoding}-{order}.{ending}")
                    done = subprocess.run([unu, "save", "-f", "nrrd", "-e", encoding, "-en", order, "-i",
                                           made, "-o", path], stderr=subprocess.PIPE)
                    if done.returncode:
                        print(f"not tried: unu does not write {kind} as {encoding}: {done.stderr[:90]!r}")
                        continue
                    opens(path, values, (0.5, 0.75, 2), (1, -2, 3), path)
                    tried += 1
    return tried


def by_vtk(folder):
    if subprocess.run([PYTHON, "-c", "import vtkmodules"], stderr=subprocess.DEVNULL).returncode:
        print("not tried: python3-vtk9 is not installed, so VTK has written nothing")
        return 0
    script = """
import sys, numpy as np
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkMetaImageWriter
from vtkmodules.util.numpy_support import numpy_to_vtk
for kind in sys.argv[2:]:
    image = vtkImageData()
    image.SetDimensions(5, 4, 3)
    image.SetSpacing(0.5, 0.75, 2)
    image.SetOrigin(1, -2, 3)
    image.GetPointData().SetScalars(numpy_to_vtk(np.fromfile(f"{sys.argv[1]}/{kind}.bin", kind), deep=1))
    for pack in 0, 1:
        for ending in "mha", "mhd":
            writer = vtkMetaImageWriter()
            writer.SetInputData(image)
            writer.SetCompression(pack)
            writer.SetFileName(f"{sys.argv[1]}/{kind}-{pack}.{ending}")
            writer.Write()
"""
    for kind in TYPES:
        volume(kind).tofile(os.path.join(folder, kind + ".bin"))
    subprocess.run([PYTHON, "-c", script, folder, *TYPES], check=True)
    tried = 0
    for kind in TYPES:
        for pack in 0, 1:
            for ending in "mha", "mhd":
                path = os.path.join(folder, f"{kind}-{pack}.{ending}")
                if check(os.path.exists(path), "VTK wrote nothing:", path):
                    opens(path, volume(kind), (0.5, 0.75, 2), (1, -2, 3), path)
                    tried += 1
    return tried


with Folder() as folder:
    tried = by_teem(folder)
with Folder() as folder:
    tried += by_vtk(folder)
if not tried:
    skip("neither teem-apps nor python3-vtk9 is installed")
print(f"{tried} files")
finish()
