#!/usr/bin/python3
"""Every allocation of the program's own code fails: one at a time, and all from one on. Exit 4 with
one line, or success with the right bytes. No signal, no incomplete or forgotten file, no leak.

FAIL_ALLOC_LIBRARY is the preloaded allocator (fail_alloc.c). FAULTS=whole tries every allocation of
every case, otherwise each case's share. FAULTS_ONLY=NAME,... (patterns) tries only these cases.

Dear ImGui's allocations are counted apart, and one in 500 of them is tried, the first one always: it makes
about 25,000 before its first frame, through ui_allocate, which ends the program on failure, and through
stb_truetype for its fonts."""
from sweep import *

LIBRARY = os.environ["FAIL_ALLOC_LIBRARY"]
FRAMES, LIVE, LIVE_FRAMES, NAME, LOG_BYTES = 24, 512, 6, 24, 1 << 16

# Known faults of libraries, with proof: the failing allocation was the library's, and the crash is
# in the library's code, or the leaked block is the library's and lost to the program.
KNOWN = {
    "libtiff.so": "_TIFFMergeFields (4.5.0) overwrites its array of fields with NULL when realloc "
                  "fails, and keeps its count: the array leaks, the next look-up reads from NULL",
    "stbtt_": "stb_truetype (libstb 0.0~git20220908, in Dear ImGui's fonts) asserts that malloc succeeds",
}
known = {}
known_lock = threading.Lock()


class Log:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        name = lambda at: data[at:at + NAME].split(b"\0")[0].decode()
        self.counted, self.failed, self.ended, self.live, self.apart = struct.unpack_from("<5Q", data)
        self.frames = struct.unpack_from(f"<{FRAMES}Q", data, 40)
        at = 40 + 8 * FRAMES
        self.crashed_in, self.failed_in = name(at), name(at + NAME)
        at += 2 * NAME
        names = at + 8 * LIVE * LIVE_FRAMES
        self.blocks = [(struct.unpack_from(f"<{LIVE_FRAMES}Q", data, at + 8 * LIVE_FRAMES * i),
                        name(names + NAME * i)) for i in range(min(self.live, LIVE))]


def is_known(log, library, effect):
    """Whether this is a fault of a library in the list; counts it."""
    for name in KNOWN:
        if library.startswith(name) and log.failed_in.startswith(name):
            with known_lock:
                known[name, effect] = known.get((name, effect), 0) + 1
            return True
    return False


def functions(frames):
    """The names of the functions that the addresses lie in, from the innermost."""
    addresses = [hex(frame - 1) for frame in frames if frame]
    if not addresses or not shutil.which("addr2line"):
        return str(addresses)
    done = subprocess.run(["addr2line", "-f", "-e", CUBIST, *addresses], stdout=subprocess.PIPE, text=True)
    return " < ".join(done.stdout.splitlines()[::2])


def places_of(pattern):
    """FROM-TO,... of the instructions of functions; "" where that cannot be found out."""
    places = []
    if shutil.which("nm"):
        done = subprocess.run(["nm", "-S", CUBIST], stdout=subprocess.PIPE, text=True)
        for words in map(str.split, done.stdout.splitlines()):
            if len(words) == 4 and re.search(pattern, words[3]):
                places.append(f"{int(words[0], 16):x}-{int(words[0], 16) + int(words[1], 16):x}")
    return ",".join(places[:128])


APART = places_of("ui_allocate|stbtt_")


def run(bench, case, folder, which):
    path = os.path.join(folder, "tmp", "log")
    with open(path, "wb") as file:
        file.truncate(LOG_BYTES)
    env = {"LD_PRELOAD": LIBRARY, "FAIL_ALLOC_LOG": path}
    if which:
        env["FAIL_ALLOC"] = which
    if APART:
        env["FAIL_ALLOC_APART"] = APART
    done = bench.run(case, folder, env=env)
    log = Log(path)
    os.unlink(path)
    return done, log


def attempt(bench, case, which, clean):
    folder = bench.take()
    bench.put_old(case, folder)
    done, log = run(bench, case, folder, which)
    what = f"allocation {which} fails:"
    crashed = done.code in (-signal.SIGSEGV, -signal.SIGABRT)
    if crashed and functions(log.frames).startswith("stbtt_"):
        log.failed_in = log.crashed_in = "stbtt_"
    if crashed and is_known(log, log.crashed_in, "crashes"):
        fine = check(not case.output or bench.output(case, folder) == OLD, what, "a torn file", done)
    else:
        fine = judge(bench, done, folder, (4,), what, "memory|Vulkan|fit")
    kept = list(clean.blocks)
    for block in log.blocks if log.ended else ():
        if block in kept:
            kept.remove(block)
        elif not is_known(log, block[1], "leaks"):
            fine = check(False, what, "a leak, made in", functions(block[0]), block[1], str(done))
    if not fine:
        print("   it crashed in", log.crashed_in, flush=True) if log.crashed_in else None
        print("   the allocation was made in", log.failed_in, functions(log.frames), flush=True)
    bench.clean(case, folder)
    bench.give(folder)
    return log.failed > 0


def sweep(bench, case):
    start = time.monotonic()
    bench.known(case)
    folder = bench.take()
    done, clean = run(bench, case, folder, None)
    bench.clean(case, folder)
    bench.give(folder)
    if not check(done.code == 0 and clean.ended, "without a failing allocation:", str(done)):
        return 0
    every = 1 if WHOLE else 3 * case.share
    which = [f"{n}{sticky}" for sticky in ("", "+") for n in range(1, clean.counted + 1)][::every]
    if every > 1 and case.name == "info-json":  # the last are those for the report's text
        which += [str(n) for n in range(clean.counted - 12, clean.counted + 1)]
    which += [f"a{n}" for n in range(1, clean.apart + 1, 500)]
    hits = all_at_once([lambda w=w: attempt(bench, case, w, clean) for w in which])
    # The number of allocations may differ a little between runs with threads, but most must occur.
    check(sum(hits) >= 0.9 * len(which), case.name, "only", sum(hits), "of", len(which), "ordinals came")
    print(f"{case.name:20} {clean.counted + clean.apart:5} allocations, {sum(hits):5} failed, "
          f"{time.monotonic() - start:.1f} s", flush=True)
    return sum(hits)


with Bench() as bench:
    cases = [case for case in chosen(CASES) if WHOLE or case.share]
    if WHOLE and any(case.display for case in cases) and shutil.which("Xvfb"):
        from window import Display
        display = Display()
        bench.env["DISPLAY"] = display.__enter__() and os.environ["DISPLAY"]
    else:
        display = None
        cases = [case for case in cases if not case.display]
    try:
        total = sum(sweep(bench, case) for case in cases)
    finally:
        if display:
            display.__exit__()
    for (name, effect), count in known.items():
        print(f"{count} {effect} in {name}, a known fault: {KNOWN[name]}")
    print(f"{total} failing allocations in {len(cases)} cases, {len(failures)} failures")
finish()
