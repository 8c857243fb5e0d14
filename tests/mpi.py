"""Shared by the tests of several processes: runs programs under mpirun. Where cubist was built without
MPI, a test that calls need_mpi is skipped.

    for mpi in MPIS:
        ran = mpi.cubist(3, "info", path)

By default this is one MPI; the whole of a test (label share) runs under all. A test that gains nothing
from a second MPI uses MPIS[0]."""
from cli import *

# For Open MPI 4 (OMPI, orte) and 5 (PRTE), whose options differ: as root, with more ranks than cores, each
# on any core, without other networks than the host's own, and without a report of the launcher's own when a
# rank has failed.
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": "slot:oversubscribe",
    "OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_orte_execute_quiet": "1", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl_tcp_if_include": "lo",
}
# Open MPI 5 reports anyway: in lines of its libraries, which may come within a report, and between two rules.
LINES = re.compile(r"^\[[^]\n]*\] PMIX ERROR[^\n]*\n|^\[warn\] Epoll[^\n]*\n", re.M)
REPORT = re.compile(r"^-{50,}\n(?:prterun|mpirun|mpiexec)\b.*?^-{50,}\n", re.M | re.S)


class Mpi:
    """One MPI: its launcher, and what was built with it."""

    def __init__(self, suffix):
        self.name = "mpich" if suffix else "mpi"
        self.launcher = os.environ.get("CUBIST_MPIRUN" + suffix, "")
        self.program = os.environ.get("CUBIST_MPICH" if suffix else "CUBIST_MPI", "")
        self.cases = os.environ.get("CUBIST_RANKS_CASES" + suffix, "")

    def start(self, count, *command, env=None, **more):
        """Starts so many ranks. Returns the launcher's process."""
        env = dict(os.environ if env is None else env, **OPEN_MPI)
        return subprocess.Popen([self.launcher, "-n", str(count), *command], env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, count, *command, timeout=120, text=True, **more):
        process = self.start(count, *command, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()  # the launcher ends its ranks
            process.communicate()
            raise
        return Ran((self.name, f"-n {count}", *command), process.returncode,
                   out.decode("utf-8", "replace") if text else out,
                   REPORT.sub("", LINES.sub("", err.decode("utf-8", "replace"))))

    def cubist(self, count, *args, **more):
        return self.run(count, self.program, *args, **more)


MPIS = [mpi for mpi in (Mpi(""), Mpi("_MPICH")) if mpi.program][:2 if WHOLE else 1]


def need_mpi():
    if not MPIS:
        skip("cubist-mpi was not built (CUBIST_MPI)")
    if WHOLE and len(MPIS) == 1:
        print("not checked: MPICH is not here")
