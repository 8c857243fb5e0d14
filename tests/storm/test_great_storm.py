# Thousands of random events: plain, with a volume in parts, under the validation layers, in the
# sanitized build, and in a build with ThreadSanitizer that this test makes in build-tsan. After each
# part of the test, some windows are closed in the middle of their work. Each part has its own seed.
# CUBIST_STORM_EVENTS: the number of events of each part; CUBIST_STORM_SEED: the first seed;
# CUBIST_STORM_PARTS: the parts that run ("plain,tsan").
# ctest: sweep
import glob
import os
import re
import shutil
import subprocess
import tempfile

import window
from window import Display, need
from storm import Storm, numbered
import xinput

SOURCE = os.environ["CUBIST_SOURCE"]


def build_tsan():
    """None if it cannot be built."""
    folder = os.path.join(SOURCE, "build-tsan")
    flags = "-O1 -g -fsanitize=thread"
    shaders = os.path.join(os.path.dirname(window.CUBIST), "shaders")
    cache = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    for command in (["cmake", "-G", "Ninja", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=None",
                     f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}", *cache,
                     *([f"-DCUBIST_SHADERS={shaders}"] if os.path.isdir(shaders) else [])],
                    ["ninja", "-C", folder, "cubist"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout[-2000:])
            return None
    return os.path.join(folder, "cubist")


def storm(name, seed, events, *arguments, program=None, validate=False, environment=None, memory=True):
    kept, window.VALIDATE = window.VALIDATE, ["--validate"] if validate else []
    program, window.CUBIST = window.CUBIST, program or window.CUBIST
    before = dict(os.environ)
    os.environ.update(environment or {})
    try:
        with tempfile.TemporaryDirectory() as folder, Display():
            one = Storm(folder, seed, *arguments, patience=180)
            try:
                one.run(events)
                one.check_flat(memory)
                print(name, end=": ")
                one.end()
                one.launch(seed)
                print(name, end=": ")
                one.ends(events // 50)
            finally:
                one.stop()
    finally:
        window.VALIDATE, window.CUBIST = kept, program
        os.environ.clear()
        os.environ.update(before)


DRIVER = "libvulkan_lvp.so"


def races(logs):
    """The reports of ThreadSanitizer about our code, and the number of those about llvmpipe only. The library
    is not built with the sanitizer, which therefore misses its synchronization between threads. In such a
    report both accesses come directly from the library."""
    ours, drivers = [], 0
    for path in logs:
        with open(path) as file:
            reports = file.read().split("==================\n")
        for report in reports:
            if "WARNING: ThreadSanitizer" not in report:
                continue
            callers = []  # of each access, the first frame that is not the sanitizer's own
            for access in re.split(r"\n(?=  (?:Previous )?(?:[Aa]tomic )?(?:[Ww]rite|[Rr]ead) of )", report)[1:]:
                frames = re.findall(r"^    #\d+ .*", access.split("\n\n")[0], re.MULTILINE)
                callers.append(next((frame for frame in frames if "libtsan" not in frame), ""))
            if len(callers) == 2 and all(DRIVER in caller for caller in callers):
                drivers += 1
            else:
                ours.append(report)
    return ours, drivers


def storm_threads(seed, events, program):
    with tempfile.TemporaryDirectory() as folder:
        # The process continues with its own exit code: reports are in the logs.
        options = f"halt_on_error=0:exitcode=0:log_path={folder}/log"
        storm("tsan", seed, events, program=program, memory=False, environment={"TSAN_OPTIONS": options})
        ours, drivers = races(glob.glob(f"{folder}/log*"))
        print(f"tsan: {len(ours)} reports about cubist, {drivers} about {DRIVER} alone")
        if ours:
            window.fail("\n".join(ours)[:6000])


def main():
    need("Xvfb", "xdotool")
    if not (xinput.X and xinput.TEST):
        print("skipped: libX11 and libXtst are not installed")
        raise SystemExit(77)
    seed, events = numbered("CUBIST_STORM_SEED", 100), numbered("CUBIST_STORM_EVENTS", 2000)
    parts = os.environ.get("CUBIST_STORM_PARTS", "plain,parts,validated,sanitized,tsan").split(",")
    sanitized = os.path.join(SOURCE, "build-asan", "cubist")
    if "plain" in parts:
        storm("plain", seed, events)
    if "parts" in parts:
        storm("parts", seed + 1, events, "--memory-budget", "10", memory=False)
    if "validated" in parts:
        storm("validated", seed + 2, events, validate=True, memory=False)
    if "sanitized" in parts and os.path.exists(sanitized):
        # The memory that a sanitizer keeps after free grows up to its own limit.
        storm("sanitized", seed + 3, events, program=sanitized, memory=False)
    elif "sanitized" in parts:
        print("not tried: there is no sanitized build in build-asan; ./run test makes one")
    tsan = build_tsan() if "tsan" in parts else None
    if tsan:
        storm_threads(seed + 4, events, tsan)
    elif "tsan" in parts:
        print("not tried: no build with ThreadSanitizer can be made")


main()
