#!/usr/bin/python3
"""The disk is full at every size of an output: exit 5 with one line, the old file unchanged, nothing
left behind; from the size of the output on, the complete new file. Tested byte by byte with a limit on
the size of files, and page by page with a full file system. If standard output is full after an
output is in its place: exit 5, and the line says that the file was written.

FAULTS=whole tries every size, otherwise each case's share. FAULTS_ONLY=NAME,... tries only these cases."""
import itertools

from sweep import *

LIBRARY = os.environ["SPARE_MEMORY_LIBRARY"]  # spare_memory.c: device memory is no file to limit
BUFFER = 1 << 18  # bytes that the program writes at once


def outputs():
    big = Case("generate-big", "generate gyroid --dims 96x96x96 -o out.raw", "out.raw", share=1)
    return [case for case in chosen([*CASES, big]) if case.output and not case.timed and
            (WHOLE or case.name in ("generate", "generate-big", "convert-nrrd-gz", "parts-ply", "merge"))]


def sizes(case, size):
    """Every byte, if no device makes the run slow; otherwise the ends of writes and some sizes between."""
    edges = {0, 1, size - 1, size, size + 1, *range(BUFFER - 1, size, BUFFER), *range(BUFFER, size, BUFFER),
             4095, 4096, 4097}
    if not WHOLE:
        edges |= set(range(0, size, size // 5 + 1))
        return sorted(edges)[::4 if case.device else 1]
    if case.device or size > 20000:
        return sorted(edges | set(range(0, size, size // 40 + 1)))
    return range(size + 2)


def limited(bench, case, limit, size):
    """One run that may write files of `limit` bytes at most."""
    folder = bench.take()
    bench.put_old(case, folder)
    run = bench.run(case, folder, ["prlimit", f"--fsize={limit}:"], {"LD_PRELOAD": LIBRARY})
    what = f"files of {limit} bytes at most:"
    # Temporary files beside the output may need more than the output itself.
    exact = "--memory-budget" not in case.args
    fine = judge(bench, run, folder, (5,), what, "too large|written")
    if fine and limit < size:
        check(run.code == 5, what, "a file of", size, "bytes fits:", str(run))
    elif fine and exact:
        check(run.code == 0, what, "a file of", size, "bytes does not fit:", str(run))
    bench.clean(case, folder)
    bench.give(folder)


def to_the_byte(bench):
    count = 0
    for case in outputs():
        start = time.monotonic()
        size = len(bench.known(case)[1])
        tries = list(sizes(case, size))
        all_at_once([lambda n=n: limited(bench, case, n, size) for n in tries])
        print(f"{case.name:20} {size:7} bytes, {len(tries):5} limits, {time.monotonic() - start:.1f} s", flush=True)
        count += len(tries)
    return count


def mounted(place, *options):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "cubist-full", place],
                          stderr=subprocess.DEVNULL)
    return done.returncode == 0


def on_a_full_disk(bench, case, place, pages):
    """One run on a disk of so many pages; whether it fitted."""
    if not mounted(place, "remount", f"size={4 * pages}k"):
        sys.exit("a tmpfs cannot be given another size")
    folder = bench.take()
    target = os.path.join(place, case.output)
    os.symlink(target, os.path.join(folder, case.output))
    bench.put_old(case, folder)
    run = bench.run(case, folder)
    judge(bench, run, folder, (5,), f"a disk of {pages} pages:", "No space left")
    check(os.listdir(place) == [case.output], f"a disk of {pages} pages: left", os.listdir(place), str(run))
    os.unlink(target)
    bench.clean(case, folder)
    bench.give(folder)
    return run.code == 0


def page_by_page(bench):
    place = os.path.join(bench.top, "full")
    os.mkdir(place)
    if not mounted(place, "size=4m", "mode=700"):
        print("not tried: no file system can be mounted here, so none can be full")
        return 0
    count = 0
    try:
        for case in outputs():
            old = -(-len(OLD) // 4096)
            fitted = 0
            for pages in itertools.count(old, 1 if WHOLE and len(bench.known(case)[1]) < 100000 else 16):
                count += 1
                fitted += on_a_full_disk(bench, case, place, pages)
                if fitted == 2 or not check(pages < 1000, case.name, "never fits"):
                    break
        # No name left on the disk: neither for the temporary file nor for the one without a name.
        if not mounted(place, "remount", "nr_inodes=2"):
            sys.exit("a tmpfs cannot be given fewer names")
        for case in outputs():
            count += 1
            check(not on_a_full_disk(bench, case, place, 900), case.name, "needs no name on the disk")
    finally:
        subprocess.run(["umount", "-l", place], check=True)
    return count


def reports(bench):
    """Standard output is full: an output that is already in its place stays, and the line says so."""
    cases = [case for case in chosen(CASES) if (WHOLE or case.name in ("extract-json", "render", "help")) and
             not case.display and "-o -" not in " ".join(case.args)]
    for case in cases:
        folder = bench.take()
        bench.put_old(case, folder)
        out, new = bench.known(case)
        with open("/dev/full", "wb") as full:
            run = bench.run(case, folder, stdout=full)
        if out:
            check(run.code == 5 and "standard output cannot be written: No space left" in run.err, str(run))
            check(not case.output or f"'{case.output}' was written" in run.err, str(run))
        else:
            check(run.code == 0, str(run))
        check(not case.output or same(case, bench.output(case, folder), new), "the output:", str(run))
        check(not bench.left(case, folder), "left:", bench.left(case, folder), str(run))
        bench.clean(case, folder)
        bench.give(folder)
    return len(cases)


with Bench() as bench:
    if bench.run(Case("devices", "devices"), bench.inputs).code != 0:
        CASES[:] = [case for case in CASES if not case.device]
        print("no device: only what needs none is tried")
    counts = to_the_byte(bench), page_by_page(bench), reports(bench)
    print("%d limits to the byte, %d full disks, %d full standard outputs, %d failures" % (*counts, len(failures)))
finish()
