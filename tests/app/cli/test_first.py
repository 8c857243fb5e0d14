#!/usr/bin/python3
# ctest: plain share
"""What bench/first.sh runs first on a GPU exists: its tests, volumes and options. The whole packs it with
bench/pack.sh, unpacks the pack elsewhere, and measures small volumes there."""
import glob
import time

from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]
BENCH = os.path.join(SOURCE, "tests/bench")
VOLUME = r"\b\w+_\d+x\d+x\d+_u?(?:int|float)\d+\.raw\b"


def text_of(path):
    with open(os.path.join(SOURCE, path)) as file:
        return file.read()


def words_of(text):
    """The commands of cubist in the script: the words behind "$cubist", without what the shell replaces."""
    for line in text.replace("\\\n", " ").splitlines():
        if not line.lstrip().startswith("#") and '"$cubist" ' in line:
            yield line.split('"$cubist" ')[1].split()


def named(first, pack):
    """What of the names in first.sh is not there, a line each."""
    tests = re.search(r'tests="([^"]*)"', first)[1].split()
    yield from (f"test_{name}: no such test of a device" for name in tests
                if '#include "tests/device.h"' not in "".join(map(text_of, glob.glob(
                    f"tests/**/test_{name}.c", root_dir=SOURCE, recursive=True))))
    yield from (f"{name}: not in the pack" for name in set(re.findall(VOLUME, first)) - set(re.findall(VOLUME, pack)))
    for command, *words in words_of(first):
        text = cubist(command, "--help", env=NO_DRIVER).out
        yield from (f"{command} {word}: no such option" for word in words
                    if re.fullmatch(r"--[a-z-]+", word) and not re.search(rf"{word}\b", text))


def syntax():
    for shell, script in ("sh", "first.sh"), ("bash", "pack.sh"):
        done = subprocess.run([shell, "-n", os.path.join(BENCH, script)], stderr=subprocess.PIPE, text=True)
        check(done.returncode == 0, script, done.stderr)
    first, pack, page = (text_of(f"tests/bench/{name}") for name in ("first.sh", "pack.sh", "first-on-a-gpu.md"))
    check(list(named(first, pack)) == [], "first.sh names what is not there:", *named(first, pack))
    for script in "pack.sh", "sh first.sh 1", "sh first.sh 2":
        check(script in page, "first-on-a-gpu.md does not say", script)
    # The check itself is checked.
    for old, new in ("lookback pyramid", "lookback no_such"), ("fuel_64", "coal_64"), ("--caster all", "--casters all"):
        check(list(named(first.replace(old, new), pack)) != [], "not found:", new)


def refusals(folder):
    """A wrong call of either script: a line, exit 2, and no file."""
    target = os.path.join(folder, "first.tar.xz")
    build = os.path.dirname(CUBIST)
    for words in [], ["none", folder, target], [build, folder, target]:
        ran = subprocess.run([os.path.join(BENCH, "pack.sh"), *words], stderr=subprocess.PIPE, text=True)
        check(ran.returncode == 2 and re.fullmatch(r"pack\.sh: .*\n", ran.stderr), words, ran)
    ran = subprocess.run(["sh", os.path.join(BENCH, "first.sh"), "3", folder], stderr=subprocess.PIPE, text=True)
    check(ran.returncode == 2 and ran.stderr.startswith("usage: "), ran)
    check(os.listdir(folder) == [], "left behind:", os.listdir(folder))


def trial(folder):
    """The pack runs where it was unpacked. The volumes have the names and sizes of real ones."""
    for tool in "xz", "tar", "strip":
        if not shutil.which(tool):
            skip(f"{tool} is missing")
    need_device()
    data, there, out = (os.path.join(folder, name) for name in ("data", "there", "out"))
    os.mkdir(data)
    os.mkdir(there)
    for name in set(re.findall(VOLUME, text_of("tests/bench/pack.sh"))):
        dims, kind = re.fullmatch(r".*_(\d+x\d+x\d+)_(\w+)\.raw", name).groups()
        ran = cubist("generate", "sphere", "--dims", dims, "--type", kind, "-o", os.path.join(data, name))
        check(ran.code == 0, ran)
    packed = os.path.join(folder, "first.tar.xz")
    ran = subprocess.run([os.path.join(BENCH, "pack.sh"), os.path.dirname(CUBIST), data, packed],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode == 2 and "install vulkan-validationlayers" in ran.stdout:
        skip(ran.stdout)
    if not check(ran.returncode == 0, "pack.sh:", ran.stdout):
        return
    subprocess.run(["tar", "xJf", packed, "-C", there], check=True)
    began = time.monotonic()
    ran = subprocess.run(["sh", os.path.join(there, "first.sh"), "2", out], stdout=subprocess.PIPE,
                         env={**os.environ, "LIMIT": "480", "SMALL": "fuel_64x64x64_uint8.raw", "MANY": "64K",
                              "SOME": "16K", "BIG": "32"}, text=True)
    print(ran.stdout)
    check(ran.returncode == 0 and time.monotonic() - began < 900, "first.sh does not end in time:", ran)
    items = re.findall(r"^(ok|SKIP|TIME|FAIL) \d+ \d+s (.*)$", ran.stdout, re.M)
    # What is slow here may be slow: TIME and LATE are no faults.
    check([name for word, name in items if word in ("FAIL", "SKIP")] == [], "failed:", ran.stdout)
    check({("ok", "devices"), ("ok", "extract"), ("ok", "mesh")} <= set(items), "not done:", ran.stdout)
    with open(os.path.join(out, "part2.json")) as file:
        measured = {row["name"]: row for row in map(json.loads, file)}
    check(all(run["median_ms"] > 0 for run in measured["extract"]["result"]["runs"]), measured["extract"])
    check(("ok", "cast") not in items or measured["cast"]["result"], "cast has no result")
    check(sorted(os.listdir(out)) == ["part2.json", "part2.log", "part2.txt"], os.listdir(out))
    check(glob.glob(os.path.join(there, "big_*")) == [], "a generated volume is left")


syntax()
with Folder() as top:
    refusals(top)
if WHOLE:
    with Folder() as top:
        trial(top)
finish()
