#!/usr/bin/python3
# ctest: plain share
"""What goes wrong on one rank of cubist-mpi: its file is missing, it has too little memory, its device is lost,
it is killed. All ranks end within seconds, with one line and the exit code of the problem, and the old mesh stays."""
import signal
import time

from mpi import *

RANK = '"${OMPI_COMM_WORLD_RANK-$PMI_RANK}"'


def on_rank(mpi, number, what, *args):
    """The command of cubist-mpi in which one rank does something else before."""
    return ["sh", "-c", f'[ {RANK} != {number} ] || {what}; exec "$0" "$@"', mpi.program, *args]


def refuses(mpi, count, command, code, pattern, folder, **more):
    before = snapshot(folder)
    started = time.monotonic()
    ran = mpi.run(count, *command, cwd=folder, **more)
    took = time.monotonic() - started
    lines = [line for line in ran.err.splitlines() if line.startswith("cubist: ")]
    check(ran.code == code and len(lines) == 1 and re.search(pattern, lines[0]), "expected", code, pattern, ran)
    check(took < 20, "ends within seconds, not", took, ran)
    check(snapshot(folder) == before, "the folder has changed:", ran)


def missing_file(mpi, folder):
    """The file is not there on one node: one rank looks in another folder."""
    for rank, command in (1, ["extract", "v.raw", "--iso", "100", "-o", "v.ply"]), (0, ["info", "v.raw"]):
        size = ["--dims", "64x64x64", "--type", "uint8"]
        refuses(mpi, 3, on_rank(mpi, rank, "cd /", *command, *size), 3,
                rf"^cubist: rank {rank} \(.+\): cannot open 'v.raw'", folder)


def little_memory(mpi, folder):
    refuses(mpi, 2, on_rank(mpi, 1, "ulimit -v 250000", "extract", "v_64x64x64_uint8.raw", "--iso", "100",
                            "-o", "v.ply"), 4, r"^cubist: rank 1 \(.+\): ", folder)


def lost_device(mpi, folder):
    """One rank's device is lost within its second share. With --resume the shares before stay."""
    lose = "export VK_INSTANCE_LAYERS=VK_LAYER_CUBIST_fault FAULT=vkWaitForFences:16:-4"
    env = {**os.environ, "VK_LAYER_PATH": os.environ["CUBIST_FAULT_LAYER"]}
    make_it = ["extract", "v_64x64x64_uint8.raw", "--iso", "100", "-o"]
    line = r"^cubist: rank 1 \(.+\): the device was lost \(vkWaitForFences\)"
    refuses(mpi, 2, on_rank(mpi, 1, lose, *make_it, "v.ply"), 4, line, folder, env=env)
    if not WHOLE:
        return
    with Folder() as kept:
        shares, mesh, whole = os.path.join(kept, "shares"), os.path.join(kept, "m.ply"), os.path.join(kept, "w.ply")
        refuses(mpi, 2, on_rank(mpi, 1, lose, *make_it, "v.ply", "--resume", shares), 4, line, folder, env=env)
        left = os.listdir(shares)
        check(any(int(name[7:17]) >= 31 for name in left), "shares of rank 1 stay:", left)
        check(all(name.endswith(".share") for name in left), "nothing else is left:", left)
        ran = mpi.cubist(2, *make_it, mesh, "--resume", shares, "--json", cwd=folder)
        check(ran.code == 0 and ran.json()["resume"]["shares_found"] == len(left), "only the rest is made:", left, ran)
        cubist(*make_it, whole, "-q", cwd=folder)
        with open(mesh, "rb") as file, open(whole, "rb") as expected:
            check(file.read() == expected.read(), "another mesh after a device was lost")


def started_ranks(program):
    """The processes of the program, by their rank."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == program:
                with open(f"/proc/{pid}/environ") as file:
                    rank = re.search(r"(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", file.read())
                    mark = f"CUBIST_TEST={os.getpid()}"
                    file.seek(0)
                    if rank and mark in file.read():
                        found[int(rank[1])] = int(pid)
        except OSError:
            pass  # it has ended
    return found


def works(pid):
    try:
        return any(open(f"/proc/{pid}/task/{task}/comm").read().startswith("llvmpipe")
                   for task in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return False


def begin(mpi, folder, count):
    """Starts a command that takes a while; returns the launcher, and the ranks once they work."""
    process = mpi.start(count, mpi.program, "extract", "v_384x384x384_uint8.raw", "--iso", "100", "-o",
                        "v.ply", cwd=folder, env={**os.environ, "CUBIST_TEST": str(os.getpid())})
    deadline = time.monotonic() + 60
    ranks = {}
    while len(ranks) < count or not all(catches(pid, signal.SIGTERM) for pid in ranks.values()):
        check(time.monotonic() < deadline and process.poll() is None, "the ranks do not start") or sys.exit(1)
        ranks = started_ranks(mpi.program)
        time.sleep(0.01)
    # MPI has started, and llvmpipe, where that is the device.
    deadline = time.monotonic() + 2
    while not all(works(pid) for pid in ranks.values()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return process, ranks


def ended(process, ranks, what, codes):
    """Waits for the launcher, and until no rank is left."""
    started = time.monotonic()
    err = process.communicate(timeout=60)[1]
    while any(os.path.exists(f"/proc/{pid}") for pid in ranks.values()) and time.monotonic() < started + 30:
        time.sleep(0.01)
    took = time.monotonic() - started
    check(took < 10, what, "hangs for", took, "s")
    check(codes(process.returncode), what, "exit code", process.returncode, err)
    return err.decode()


def killed(mpi, folder):
    for rank in (0, 1) if WHOLE else (1,):
        process, ranks = begin(mpi, folder, 2)
        os.kill(ranks[rank], signal.SIGKILL)
        ended(process, ranks, "kill -9 of a rank:", lambda code: code != 0)
        with open(os.path.join(folder, "v.ply"), "rb") as file:
            check(file.read() == b"old", "kill -9 of a rank: the old mesh is not there")


def put_old(folder):
    with open(os.path.join(folder, "v.ply"), "w") as old:
        old.write("old")


def terminated(mpi, folder):
    """After a signal Open MPI's mpirun returns 1, whatever the ranks return. MPICH's returns 130, or 0 where it
    did not wait for the ranks."""
    before = set(os.listdir(folder))
    process, ranks = begin(mpi, folder, 2)
    process.terminate()
    err = ended(process, ranks, "SIGTERM:", lambda code: code in (1, 130) or code == 0 and mpi.name == "mpich")
    left = set(os.listdir(folder)) - before
    # Open MPI passes the signal on after a second, so the mesh may be complete by then.
    with open(os.path.join(folder, "v.ply"), "rb") as file, open(os.path.join(folder, "whole.ply"), "rb") as whole:
        check(file.read() in (b"old", whole.read()), "SIGTERM: neither the old mesh nor the new one is there")
    put_old(folder)
    # Open MPI kills ranks that have not ended after a second.
    check(not left or "interrupted" not in err, "SIGTERM: the folder has", left)


need_mpi()
need_device()
with Folder() as top:
    sample(top, "torus", "64x64x64")
    os.rename(os.path.join(top, "torus_64x64x64_uint8.raw"), os.path.join(top, "v_64x64x64_uint8.raw"))
    shutil.copy(os.path.join(top, "v_64x64x64_uint8.raw"), os.path.join(top, "v.raw"))
    put_old(top)
    for one in MPIS if WHOLE else MPIS[:1]:
        missing_file(one, top)
        little_memory(one, top)
        lost_device(one, top)
    os.rename(sample(top, "gyroid", "384x384x384"), os.path.join(top, "v_384x384x384_uint8.raw"))
    cubist("extract", os.path.join(top, "v_384x384x384_uint8.raw"), "--iso", "100", "-o", os.path.join(top, "whole.ply"))
    for one in MPIS:
        terminated(one, top)
        killed(one, top)
sys.exit(bool(failures))
