#!/usr/bin/env python3
# ctest: plain
"""A method's row is found however it is split over lines. The build fails for a row that it cannot find, and
for a mesh format without a row."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["CUBIST_SOURCE"])
METHOD, FORMAT = "compaction/methods/one_pass.c", "mesh/formats/xyz.c"
ROW = ' = {\n    .name = "one-pass",\n    .summary = "one kernel",\n};\n'
FOUND = [
    "const struct method method_one_pass",
    "const struct method\nmethod_one_pass",
    "const struct method\n    method_one_pass\n   ",
    "const struct\nmethod method_one_pass",
]
REFUSED = [
    (METHOD, "ROW_OF(one_pass)" + ROW, "one_pass.c has 1 methods, of which 0"),
    (METHOD, "static const struct method one_pass" + ROW, "one_pass.c has 1 methods, of which 0"),
    (FORMAT, "bool mesh_put_xyz(void);", "xyz.c has no row"),
]


def rows(path, text):
    """The rows that CMake finds with one more file, and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        compute = pathlib.Path(folder, "compute")
        for name in "compaction/methods", "mesh":
            shutil.copytree(SOURCE / "compute" / name, compute / name)
        (compute / path).write_text(text)
        done = subprocess.run(["cmake", f"-DCOMPUTE={compute}", "-P", SOURCE / "compute/rows.cmake"],
                              stderr=subprocess.PIPE, text=True)
    return done.returncode, " ".join(done.stderr.split())


wrong = [text for text in FOUND if "one_pass" not in rows(METHOD, text + ROW)[1].split(";")]
for path, text, words in REFUSED:
    code, said = rows(path, text)
    wrong += [] if code and words in said else [(text, code, said)]
if wrong:
    sys.exit("\n".join(map(str, wrong)))
