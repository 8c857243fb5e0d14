#!/usr/bin/python3
# ctest: heavy
"""The idle window measures the methods for `auto` and keeps the times, which the next start uses."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CUBIST = os.environ["CUBIST"]
PATIENCE = 200  # seconds, on a slow and busy machine

if not shutil.which("Xvfb"):
    print("skipped: Xvfb is not installed")
    sys.exit(77)


def launch(cache, mesa, *arguments):
    return subprocess.Popen([CUBIST, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "XDG_CACHE_HOME": cache, "MESA_SHADER_CACHE_DIR": mesa})


def ends(viewer, what):
    viewer.send_signal(signal.SIGINT)
    err = viewer.communicate(timeout=60)[1]
    assert viewer.returncode == 130, f"{what}: exit {viewer.returncode}: {err}"
    assert "note" not in err, f"{what}: {err}"


read, write = os.pipe()
server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
                          pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(write)
top = tempfile.mkdtemp(prefix="cubist-test-")
try:
    with os.fdopen(read) as answer:
        os.environ["DISPLAY"] = ":" + answer.readline().strip()
    os.environ.pop("WAYLAND_DISPLAY", None)  # it would go before
    cache = os.path.join(top, "cache")
    mesa = os.environ.get("MESA_SHADER_CACHE_DIR", os.path.join(top, "mesa"))
    os.mkdir(cache)
    volume = os.path.join(top, "sphere_32x32x32_uint8.raw")
    subprocess.run([CUBIST, "generate", "sphere", "--dims", "32x32x32", "-o", volume], check=True)
    kept = os.path.join(cache, "cubist", "methods-*.json")

    # Other methods need no times: nothing is measured.
    viewer = launch(cache, mesa, volume, "--method", "ofk-compact")
    time.sleep(5)
    ends(viewer, "ofk-compact")
    assert not glob.glob(kept), "measured although nobody asked"

    viewer = launch(cache, mesa, volume, "--method", "auto")
    start = time.time()
    while not glob.glob(kept) and viewer.poll() is None and time.time() - start < PATIENCE:
        time.sleep(0.2)
    ends(viewer, "auto")
    files = glob.glob(kept)
    assert len(files) == 1, f"nothing was measured within {time.time() - start:.0f} s"
    with open(files[0]) as file:
        assert len(json.load(file)["ms"]) > 3
    print(f"measured within {time.time() - start:.0f} s")

    # The kept times are used.
    ran = subprocess.run([CUBIST, "extract", volume, "--method", "auto", "--json"], capture_output=True, text=True,
                         env={**os.environ, "XDG_CACHE_HOME": cache})
    assert "(table" in json.loads(ran.stdout)["cells_why"], ran.stdout
finally:
    server.terminate()
    server.wait()
    shutil.rmtree(top)
print("all checks passed")
