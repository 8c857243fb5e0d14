#!/usr/bin/python3
# ctest: plain share
"""`cubist` works alone: where a launcher starts several, they end at once, with one line. It is not linked
with MPI, and `cubist-mpi` and `cubist-bench` not with what windows need. What `cubist-mpi` has, and what it has not."""
import shutil

from mpi import *

BENCH = os.path.join(os.path.dirname(CUBIST), "cubist-bench")

LAUNCHERS = [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"),
             ("SLURM_STEP_NUM_TASKS", "PMIX_RANK")]


def started(size, rank, *args):
    """Each of four processes of a launcher that sets these variables."""
    return [cubist(*args, env={**NO_DRIVER, size: "4", rank: str(k)}) for k in range(4)]


def by_variables():
    with Folder() as folder:
        before = snapshot(folder)
        for size, rank in LAUNCHERS:
            runs = started(size, rank, "generate", "torus", "-o", os.path.join(folder, "t.nrrd"))
            refused(runs[0], 2, "4 of `cubist` .* start `cubist-mpi`", folder, before)
            check(all(run.code == 2 and run.out == run.err == "" for run in runs[1:]),
                  "one of the processes prints:", *runs)
    # These start one cubist alone: a job of one process, a shell in an allocation of Slurm, a task of its array.
    for env in {"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"}, {"PMI_SIZE": "1"}, \
            {"SLURM_PROCID": "3", "SLURM_NTASKS": "8", "SLURM_STEP_NUM_TASKS": "8"}:
        check(cubist("--version", env={**NO_DRIVER, **env}).code == 0, "works alone:", env)


def libraries():
    """The names of the libraries that the program is linked with."""
    def of(program):
        return subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout

    check("libz" in of(CUBIST), "ldd lists libraries:", of(CUBIST))
    check(not re.search(r"mpi|open-rte|pmix", of(CUBIST)), "MPI in cubist:", of(CUBIST))
    check(not re.search("glfw|wayland|mpi", of(BENCH)), "a window or MPI in cubist-bench:", of(BENCH))
    for mpi in MPIS:
        check(re.search("libmpi", of(mpi.program)), "MPI in cubist-mpi:", of(mpi.program))
        check(not re.search("glfw|wayland", of(mpi.program)), "a window in cubist-mpi:", of(mpi.program))


def benches():
    """`cubist bench` is cubist-bench, wherever the word stands; without that program it is one line."""
    for args in ["--json", "bench", "extract"], ["bench", "extract", "--iso"], ["-q", "bench", "cast", "x.nrrd"], ["bench"]:
        ran = cubist(*args, env=NO_DRIVER)
        own = subprocess.run([BENCH, *(arg for arg in args if arg != "bench")], capture_output=True, text=True,
                             env={**os.environ, **NO_DRIVER})
        check(ran.code == own.returncode != 0 and ran.out == own.stdout and ran.err == own.stderr, "not alike:", ran, own)
    with Folder() as folder:
        alone = shutil.copy(CUBIST, folder)
        ran = subprocess.run([alone, "bench", "calibrate"], capture_output=True, text=True)
        check(ran.returncode == 3 and ran.stdout == "" and re.fullmatch(
            rf"cubist: bench needs the program '{folder}/cubist-bench': No such file or directory\n", ran.stderr),
            "without cubist-bench:", ran)


def by_launcher(mpi):
    ran = mpi.run(3, CUBIST, "--version")
    lines = [line for line in ran.err.splitlines() if line.startswith("cubist: ")]
    check(ran.code == 2 and len(lines) == 1 and ran.out == "", "one line of three processes:", ran)
    ran = mpi.cubist(3, "--version")
    check(ran.code == 0 and ran.out == cubist("--version").out, "rank 0 alone prints:", ran)
    for command in ("view", "bench") if mpi is MPIS[0] else ():
        ran = mpi.cubist(2, command, "extract")
        check(ran.code == 2 and re.search(f"^cubist: .*use `cubist {command}`$", ran.err, re.M),
              "a command that cubist-mpi does not have:", ran)


by_variables()
libraries()
benches()
for one in MPIS:
    by_launcher(one)
if not MPIS:
    print("not checked: cubist-mpi was not built (CUBIST_MPI)")
sys.exit(bool(failures))
