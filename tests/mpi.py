"""Shared by the tests of several processes: runs programs under mpirun. Where cubist was built without
MPI, a test that calls need_mpi is skipped.

    for mpi in MPIS:
        ran = mpi.cubist(3, "info", path)

A test that gains nothing from a second MPI uses MPIS[0]."""
from cli import *

# As root, with more ranks than cores, each on any core, and without a report of the launcher's own when
# a rank has failed. MPICH needs none of that.
OPEN_MPI = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet"]


class Mpi:
    """One MPI: its launcher, and what was built with it."""

    def __init__(self, suffix):
        self.name = "mpich" if suffix else "mpi"
        self.launcher = os.environ.get("CUBIST_MPIRUN" + suffix, "")
        self.program = os.environ.get("CUBIST_MPICH" if suffix else "CUBIST_MPI", "")
        self.flags = None
        self.cases = os.environ.get("CUBIST_RANKS_CASES" + suffix, "")

    def start(self, count, *command, **more):
        """Starts so many ranks. Returns the launcher's process."""
        if self.flags is None:
            version = subprocess.run([self.launcher, OPEN_MPI[0], "--version"], stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True).stdout
            self.flags = OPEN_MPI if re.search("Open ?(MPI|RTE)", version) else []
        return subprocess.Popen([self.launcher, *self.flags, "-n", str(count), *command],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, count, *command, timeout=120, text=True, **more):
        process = self.start(count, *command, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()  # the launcher ends its ranks
            process.communicate()
            raise
        return Ran((self.name, f"-n {count}", *command), process.returncode,
                   out.decode("utf-8", "replace") if text else out, err.decode("utf-8", "replace"))

    def cubist(self, count, *args, **more):
        return self.run(count, self.program, *args, **more)


MPIS = [mpi for mpi in (Mpi(""), Mpi("_MPICH")) if mpi.program]


def need_mpi():
    if not MPIS:
        skip("cubist-mpi was not built (CUBIST_MPI)")
    if len(MPIS) == 1:
        print("not checked: MPICH is not here")
