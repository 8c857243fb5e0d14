#!/usr/bin/python3
# ctest: plain share
"""app/ranks under mpirun, with each MPI that is here: the collective functions, failures of one rank and
of several, the counter, and how much of the processor a rank takes that waits."""
import signal
import time

from mpi import *

# Members of enum problem_kind, and their exit codes.
INPUT, OUTPUT, MEMORY, INTERRUPTED = 3, 4, 7, 12
CODES = {INPUT: 3, OUTPUT: 5, MEMORY: 4, INTERRUPTED: 130}


def collect(mpi):
    for count in (1, 2, 3, 4) if WHOLE else (1, 4):
        ran = mpi.run(count, mpi.cases, "collect")
        check(ran.code == 0 and ran.err == "", "collective functions:", ran)


def take(mpi):
    ran = mpi.run(4, mpi.cases, "take")
    counts = re.findall(r"rank (\d) took (\d+)", ran.err)
    check(ran.code == 0 and len(counts) == 8, "numbers, each given once:", ran)
    check({rank for rank, took in counts if int(took) > 0} == set("0123"), "each rank got some:", ran)


def rest(mpi):
    ran = mpi.run(2, mpi.cases, "rest")
    took = re.findall(r"waiting took ([0-9.]+) ms", ran.err)
    check(ran.code == 0 and len(took) == 1 and float(took[0]) < 200, "a rank that waits sleeps:", ran)


def fails(mpi, count, where, failing, winner):
    """The ranks of `failing` fail: { rank: kind }. The problem of rank `winner` is the one that is told."""
    started = time.monotonic()
    ran = mpi.run(count, mpi.cases, "fail", where, *(f"{rank}:{kind}" for rank, kind in failing.items()))
    took = time.monotonic() - started
    lines = [line for line in ran.err.splitlines() if line.startswith("cubist: ")]
    check(len(lines) == 1 and re.fullmatch(rf"cubist: rank {winner} \(.+\): fails as it should", lines[0]),
          "one line, of rank", winner, failing, ran)
    check(ran.code == CODES[failing[winner]], "exit code", CODES[failing[winner]], ran)
    check(took < 10, "all end within seconds, not", took, ran)


def failures_of_ranks(mpi):
    # The lowest rank wins. An interrupt wins only where there is nothing else.
    fails(mpi, 4, "working", {1: INTERRUPTED, 2: OUTPUT, 3: INPUT}, 2)
    if mpi is MPIS[0] or WHOLE:
        fails(mpi, 3, "working", {1: INTERRUPTED}, 1)
        fails(mpi, 2, "waiting", {0: INPUT}, 0)
    if WHOLE:
        for where in "working", "waiting", "ending":
            fails(mpi, 4, where, {2: INPUT}, 2)
        fails(mpi, 3, "waiting", {0: MEMORY, 1: MEMORY, 2: MEMORY}, 0)


def hang(mpi):
    """A rank that does not answer does not keep the others from ending; their patience is 1.5 s here."""
    started = time.monotonic()
    ran = mpi.run(3, mpi.cases, "hang")
    check(re.search(r"^cubist: rank 2 \(.+\): fails alone$", ran.err, re.M), "its line is printed:", ran)
    check(ran.code == 5 and 1 < time.monotonic() - started < 20, "all are ended:", ran)


def signalled(mpi):
    """SIGTERM to the launcher: both MPIs pass it on, and all ranks end."""
    process = mpi.start(3, mpi.cases, "sleep")
    line = process.stderr.readline()
    while line and not line.startswith(b"ready"):
        line = process.stderr.readline()
    time.sleep(0.2)
    process.terminate()
    started = time.monotonic()
    process.communicate(timeout=60)
    check(process.returncode != 0 and time.monotonic() - started < 10, mpi.name, "SIGTERM ends all:",
          process.returncode, time.monotonic() - started)


def signalled_alone(mpi):
    """SIGTERM to one rank that waits: the others, which work, learn of it."""
    process = mpi.start(3, mpi.cases, "sleep")
    pids = {}
    while len(pids) < 3:
        line = process.stderr.readline().decode()
        check(line, "the ranks do not start") or sys.exit(1)
        pids.update((int(rank), int(pid)) for rank, pid in re.findall(r"^ready (\d) (\d+)$", line))
    time.sleep(0.2)
    os.kill(pids[2], signal.SIGTERM)
    err = process.communicate(timeout=60)[1].decode()
    lines = [line for line in err.splitlines() if line.startswith("cubist: ")]
    check(process.returncode == 130 and len(lines) == 1 and lines[0].endswith("another rank has failed or was interrupted"),
          mpi.name, "SIGTERM to rank 2:", process.returncode, err)


def differ(mpi, how):
    """Ranks that do different things do not wait for each other, and none takes the others' bytes."""
    ran = mpi.run(3, mpi.cases, "differ", how, timeout=30)
    check(ran.code == 2 and ran.err.startswith("cubist: the processes do different things"), "exit code 2:", ran)


need_mpi()
for one in MPIS:
    collect(one)
    failures_of_ranks(one)
    for way in ("size", "function", "end") if WHOLE else ("function",):
        differ(one, way)
    if one is MPIS[0] or WHOLE:
        for test in take, rest, hang, signalled, signalled_alone:
            test(one)
sys.exit(bool(failures))
