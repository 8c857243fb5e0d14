#!/usr/bin/python3
"""Runs are killed or stopped by a signal at random moments, with a warm and a cold cache of the driver.
The output is the old one or the complete new one, a signal ends the run within a second with exit 130, and
the next run leaves no temporary file. The last part simulates two machines that write into one folder.

KILLS=N and SIGNALS=N: how many (default run: 8 each, whole: 1000 each). SEED=N: the random seed."""
import random

from sweep import *

SIGNALS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
PROMISED = 1.0  # seconds from the signal to the end
SLACK = 5.0     # what a noisy machine gets before the test fails
NAMES = ["extract-ply", "convert-nrrd-gz", "generate"] + ["parts-ply", "render", "share", "merge"] * WHOLE


def cases():
    """Runs that take long enough to be interrupted: larger volumes if no device is used."""
    found = {case.name: case for case in CASES}
    for name, args in ("convert-nrrd-gz", "convert big_96x96x96_uint8.raw --gzip -o out.nrrd"), \
            ("generate", "generate gyroid --dims 96x96x96 -o out.raw"), \
            ("parts-ply", "extract big_96x96x96_uint8.raw --memory-budget 4 -o out.ply"):
        found[name] = Case(name, args, found[name].output, found[name].device)
    return [found[name] for name in NAMES if not os.environ.get("FAULTS_ONLY") or
            re.fullmatch(os.environ["FAULTS_ONLY"].replace(",", "|"), name)]


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.counts = {}
        self.slowest = 0.0

    def add(self, *what):
        with self.lock:
            for word in what:
                self.counts[word] = self.counts.get(word, 0) + 1


def attempt(bench, tally, case, usual, which, cold, moment):
    """`which`: the signal's number; `moment`: the share of the usual time after which it comes."""
    folder = bench.take()
    bench.put_old(case, folder)
    env = {**bench.env, "TMPDIR": os.path.join(folder, "tmp")}
    if cold:
        env["MESA_SHADER_CACHE_DIR"] = os.path.join(folder, "tmp", "cold")
        os.mkdir(env["MESA_SHADER_CACHE_DIR"])
    process = subprocess.Popen([CUBIST, *case.args], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(moment * usual)
    start = time.monotonic()
    process.send_signal(which)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    took = time.monotonic() - start
    shutil.rmtree(os.path.join(folder, "tmp", "cold"), ignore_errors=True)
    what = f"{signal.Signals(which).name} after {moment * usual * 1e3:.0f} ms{', cold' if cold else ''}:"
    run = Run(case, process.returncode, out, err.decode("utf-8", "replace"), took)
    output, new = bench.output(case, folder), bench.known(case)[1]
    check(output in (OLD, new), what, "a torn output of", len(output or b""), "bytes:", str(run))
    if which == signal.SIGKILL:
        check(run.code in (0, -which), what, str(run))
        tally.add("killed" if run.code else "was done", "left" if bench.left(case, folder) else "clean")
    else:
        # Before the program's first instructions, the signal's default action ends it.
        early = run.code == -which and not run.err and not run.out and output == OLD
        check(run.code in (0, 130) or early, what, str(run))
        check(took < SLACK, what, f"it took {took:.1f} s to stop:", str(run))
        check(run.code != 130 or output == (new if "was written" in run.err else OLD), what,
              "exit 130, but not the output that fits:", str(run))
        check(run.code != 130 or len(run.err.splitlines()) == 1, what, "not one line:", str(run))
        left = bench.left(case, folder)
        check(not left, what, f"left behind: {left}", str(run))
        tally.add("interrupted" if run.code == 130 else "early" if early else "was done",
                  *(["slow"] if took > PROMISED else []))
        with tally.lock:
            tally.slowest = max(tally.slowest, took)
    if which == signal.SIGKILL and bench.left(case, folder):
        # Any next run removes temporary files: this is the quickest one.
        after = bench.run(SWEEPER, folder)
        left = [name for name in bench.left(case, folder) if name != SWEEPER.output]
        check(after.code == 0 and not left, what, f"the next run leaves {left}:", str(after))
    bench.clean(case, folder)
    bench.give(folder)


SWEEPER = Case("sweeper", "generate sphere --dims 4x4x4 -o small.raw", "small.raw")


def storm(bench, count, numbers, draw):
    """`count` attempts over all cases."""
    tally, tasks = Tally(), []
    all_cases = cases()
    usual = {}
    for case in all_cases:
        for cold in (False, True) if case.device and (WHOLE or case.name == "extract-ply") else (False,):
            folder = bench.take()
            env = {"MESA_SHADER_CACHE_DIR": os.path.join(folder, "tmp", "cold")} if cold else {}
            run = bench.run(case, folder, env=env)
            shutil.rmtree(os.path.join(folder, "tmp", "cold"), ignore_errors=True)
            bench.clean(case, folder)
            bench.give(folder)
            usual[case.name, cold] = run.seconds
    for i in range(count):
        case = all_cases[i % len(all_cases)]
        # A cold cache costs a second or more of compiling.
        cold = case.device and draw.random() < (0.25 if WHOLE else 0.1)
        tasks.append((case, usual.get((case.name, cold), 1), numbers[i % len(numbers)], cold, draw.random()))
    all_at_once([lambda t=t: attempt(bench, tally, *t) for t in tasks])
    return tally


def two_hosts(folder):
    """A run on another host is killed. A run on this host keeps its temporary file; a run on that host removes
    it. The hosts are simulated by names, their processes by namespaces, and a dead process has no lock: as
    on a shared file system with locks per machine."""
    elsewhere = ["unshare", "--uts", "--pid", "--fork", "--kill-child", "sh", "-c",
                 'hostname elsewhere && exec "$@"', "sh"]
    if os.geteuid() != 0:
        elsewhere[1:1] = ["--user", "--map-root-user"]
    if not shutil.which("unshare") or \
            subprocess.run([*elsewhere, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("not tried: no namespaces here to play another host")
        return
    here = lambda: [name for name in os.listdir(folder) if name.startswith(".cubist-")]
    big = ["generate", "gyroid", "--dims", "512x512x512", "-o", os.path.join(folder, "big.raw")]
    process = subprocess.Popen([*elsewhere, CUBIST, *big], stdout=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not here() and time.monotonic() < end and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    left = here()
    if not check(len(left) == 1 and "elsewhere" in left[0], "a killed run on another host leaves", left):
        return
    small = ["generate", "sphere", "--dims", "4x4x4", "-o", os.path.join(folder, "small.raw")]
    subprocess.run([CUBIST, *small], check=True)
    check(here() == left, "this host swept another one's file:", left, here())
    subprocess.run([*elsewhere, CUBIST, *small], check=True)
    check(not here(), "the other host did not sweep its own file:", here())


# A shell's background job has SIGINT ignored, and its children too, which cubist respects.
for number in SIGNALS:
    signal.signal(number, signal.default_int_handler)
kills = int(os.environ.get("KILLS", "1000" if WHOLE else "8"))
signals = int(os.environ.get("SIGNALS", "1000" if WHOLE else "8"))
seed = int(os.environ.get("SEED", "1"))
with Bench() as bench:
    # Killed runs write to a copy of the driver's cache.
    copy = os.path.join(bench.top, "shaders")
    if os.path.isdir(bench.env["MESA_SHADER_CACHE_DIR"]):
        shutil.copytree(bench.env["MESA_SHADER_CACHE_DIR"], copy, dirs_exist_ok=True)
    bench.env["MESA_SHADER_CACHE_DIR"] = copy
    subprocess.run([CUBIST, "generate", "gyroid", "--dims", "96x96x96", "--type", "uint8", "-o",
                    "big_96x96x96_uint8.raw"], cwd=bench.inputs, check=True)
    if bench.run(Case("devices", "devices"), bench.top).code != 0:
        NAMES = "convert-nrrd-gz", "generate"
        print("no device: only what needs none is tried")
    start = time.monotonic()
    tally = storm(bench, kills, [signal.SIGKILL], random.Random(seed))
    print(f"{kills} kills: {tally.counts}, {time.monotonic() - start:.1f} s", flush=True)
    start = time.monotonic()
    tally = storm(bench, signals, SIGNALS, random.Random(seed + 1))
    print(f"{signals} signals: {tally.counts}, the slowest end took {tally.slowest:.2f} s, "
          f"{time.monotonic() - start:.1f} s", flush=True)
    folder = os.path.join(bench.top, "shared")
    os.mkdir(folder)
    two_hosts(folder)
finish()
