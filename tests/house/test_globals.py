#!/usr/bin/env python3
# ctest: plain
"""Variables that outlive a call and can change: each is listed here with its reason, and there are no others.
They are read from the symbols of the libraries, so constants do not count, and variables within functions
do. The main programs and app/ranks are left out: ranks are one state of one process."""
import os
import pathlib
import re
import subprocess
import sys

BUILD = pathlib.Path(os.environ["CUBIST"]).parent
LIBRARIES = "volumes/libcubist_volumes.a", "compute/libcubist_compute.a", "app/libcubist_app.a", "app/libcubist_window.a"
ALLOWED = {
    "input.c interrupted": "a signal handler sets it",
    "output.c temporaries": "a signal handler unlinks these files",
    "log.c log_quiet": "every line that is logged asks it",
    "apart.c apart": "inputs and outputs of the whole process are compared",
    "input.c current": "the input of this thread, which readers do not know",
    "slice_image.c decoding": "stb_image gives its allocator no pointer of the caller",
    "canvas.c packed_last": "stb_image_write gives its compressor no pointer of the caller",
    "json.c starved": "jansson loses members silently when memory is short",
    "metadata.c metadata_short": "jansson gives its allocator no pointer of the caller",
    "gpu.c gpu_abandoned": "the driver's threads may run on at the end of the process",
    "x11.c x11": "Xlib gives its error handler no pointer of the caller",
    "option_table.c rows": "own options and those of settings, joined by the first call",
    "bindings.c in_use": "the keys of this person, as a table",
}
# Other people's code that is compiled into ours.
FOREIGN = re.compile(r"volk\.c |\S+ (stbi_|invalid_chunk|mapping$|firstmap$)")


def mutable(library):
    """"FILE NAME" of each variable of a library."""
    done = subprocess.run(["objdump", "-t", "-C", BUILD / library], stdout=subprocess.PIPE, text=True, check=True)
    file = ""
    for line in done.stdout.splitlines():
        if "file format" in line:
            file = line.split(".o:")[0]
        symbol = re.search(r"^[0-9a-f]+ [^d]{7} \.t?(?:bss|data)(?:\.rel|\.rel\.local)?\t[0-9a-f]+ +(.*)", line)
        if symbol:
            yield f"{file} {re.sub(r'[.][0-9]+$', '', symbol[1])}"


found = {name for library in LIBRARIES for name in mutable(library)}
found = {name for name in found if not FOREIGN.match(name)}
wrong = [f"not allowed: {name}" for name in sorted(found - ALLOWED.keys())]
wrong += [f"no longer there: {name}" for name in sorted(ALLOWED.keys() - found)]
if wrong:
    sys.exit("\n".join(wrong))
print(len(found), "variables")
