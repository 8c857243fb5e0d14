#!/usr/bin/python3
"""Every system call on files by the program's own code fails, with each possible errno: exit 3 if it
concerned the input, 5 for the output, 4 for temporary files and memory, or success with the right
bytes. The old output or the complete new one, nothing left behind, no hang.

A first run under `strace -k` finds the program's own calls: their stack leads to it through the C library
and the libraries that read and write data for it. Calls of the driver, the loader and the window library
do not fail. Only the main thread is traced.

FAULTS=whole tries every call; calls that read /proc, which are the same in every run with a device, only
in one case. Otherwise one fault in so many of the cases in SHARE. FAULTS_ONLY=NAME,... tries only these."""
from sweep import *

SHARE = {"info-vtk": 1, "info-stdin": 1, "info-tiff": 16, "convert-nrrd": 2, "generate-stdout": 1}

FAILURES = {
    "openat": ["EACCES", "ENOENT", "EMFILE", "EINTR", "EIO", "ENOSPC", "EOPNOTSUPP"],
    "read": ["EIO", "EINTR", 0], "pread64": ["EIO", "EINTR", 0], "readv": ["EIO", "EINTR", 0],
    "write": ["ENOSPC", "EIO", "EDQUOT", "EINTR", 0], "pwrite64": ["ENOSPC", "EIO", "EINTR", 0],
    "writev": ["ENOSPC", "EIO", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT"], "fdatasync": ["EIO", "ENOSPC"],
    "close": ["EIO", "EINTR", "EDQUOT"],
    "rename": ["EIO", "EACCES", "ENOSPC"], "renameat": ["EIO", "EACCES", "ENOSPC", "EROFS"],
    "renameat2": ["EIO", "EACCES", "ENOSPC"],
    "unlink": ["EACCES", "ENOENT"], "unlinkat": ["EACCES", "ENOENT"],
    "ftruncate": ["EIO", "ENOSPC"], "fallocate": ["ENOSPC", "EOPNOTSUPP"],
    "newfstatat": ["EIO", "EACCES", "ENOENT"], "fstat": ["EIO"], "stat": ["EIO", "EACCES"],
    "lstat": ["EIO", "EACCES"], "statx": ["EIO", "EACCES"], "fstatfs": ["EIO"], "statfs": ["EIO"],
    "lseek": ["EIO", "EINVAL"], "getdents64": ["EIO", "ENOENT"],
    "flock": ["ENOLCK", "EINTR", "EAGAIN"],
    "sync_file_range": ["EIO", "ENOSPC"], "copy_file_range": ["EIO", "ENOSPC", "EXDEV"],
    "access": ["EACCES"], "faccessat": ["EACCES"], "faccessat2": ["EACCES"],
    "readlink": ["EIO", "EACCES"], "readlinkat": ["EIO", "EACCES"],
    "fcntl": ["EMFILE"], "dup": ["EMFILE"], "ioctl": ["ENOTTY", "EIO"],
    "fchmod": ["EPERM", "EIO"], "fchown": ["EPERM", "EIO"], "mkdir": ["EACCES", "ENOSPC"],
    "listxattr": ["EIO"], "getxattr": ["EIO"], "fsetxattr": ["ENOSPC", "EPERM"], "lsetxattr": ["ENOSPC", "EPERM"],
    "fremovexattr": ["EIO"], "fadvise64": ["EINVAL"],
    "mmap": ["ENOMEM"],
}
HELPERS = re.compile(r"/lib(c|m|jansson|z|expat|tiff|zstd|lzma|jpeg|webp|deflate|jbig|Lerc|stdc\+\+)\.so|libdeflate")
CALL = re.compile(r"^(\w+)\((.*)")


class Call:
    """The `number`-th call of its name on the main thread, and the file that it uses."""

    def __init__(self, name, number, text):
        self.name, self.number, self.text = name, number, text

    def about(self, case):
        """Which exit codes fit when it fails."""
        text = self.text
        if self.name == "mmap":
            return (4,)
        if ".cubist-" in text or "O_TMPFILE" in text or case.output and re.search(
                rf'["/]{re.escape(case.output)}[">]', text):
            return (5,)
        if re.match(r"[12]<|\d+<pipe:", text) and self.name != "read":
            return (5,)
        if "/tmp" in text and "(deleted)" in text or '/tmp"' in text:
            return (3, 4, 5)
        if re.search(r"/run\d+>", text) or '"."' in text or "/proc" in text or "/etc" in text:
            return (3, 4, 5)  # the folder
        return (3,)


def strace(folder, *more):
    return ["strace", "-qq", "-y", "-s", "0", "-o", os.path.join(folder, "tmp", "strace"), *more]


def calls_of(bench, case):
    """The calls of the program's own code in a run without a fault."""
    folder = bench.take()
    bench.put_old(case, folder)
    run = bench.run(case, folder, strace(folder, "-k", "-e", "trace=" + ",".join(FAILURES)))
    found, counts, call = [], {}, None
    with open(os.path.join(folder, "tmp", "strace"), errors="replace") as file:
        for line in file:
            match = CALL.match(line)
            if match:
                name = match[1]
                counts[name] = counts.get(name, 0) + 1
                call = Call(name, counts[name], match[2].rstrip())
            elif call and line.startswith(" > "):
                if line.startswith(" > " + CUBIST + "("):
                    found.append(call)
                    call = None
                elif not HELPERS.search(line.split("(")[0]):
                    call = None  # somebody else's
    bench.clean(case, folder)
    bench.give(folder)
    check(run.code == 0, "under strace:", str(run))
    return found


def attempt(bench, case, call, how):
    folder = bench.take()
    bench.put_old(case, folder)
    fault = f"error={how}" if isinstance(how, str) else f"retval={how}"
    run = bench.run(case, folder, strace(
        folder, "-e", "trace=" + call.name, "-e", f"inject={call.name}:{fault}:when={call.number}"))
    path = os.path.join(folder, "tmp", "strace")
    with open(path, errors="replace") as file:
        injected = [line for line in file if "(INJECTED)" in line]
    os.unlink(path)
    # For a folder, the order of the calls may differ: the call that failed counts.
    came = CALL.match(injected[0]) if injected else None
    codes = (Call(call.name, call.number, came[2]) if came else call).about(case)
    if how in ("EMFILE", "ENOMEM"):
        codes += (4,)
    if how == "EINTR":
        codes += (130,)
    what = f"{call.name} {call.number} gives {how}, {call.text[:100]}:"
    hit = len(injected) == 1
    # What could not be unlinked stays.
    if call.name.startswith("unlink"):
        for name in bench.left(case, folder):
            if ".cubist-" in name:
                os.unlink(os.path.join(folder, name))
    if not judge(bench, run, folder, codes, what) and injected:
        print("   it was", injected[0].strip()[:200], flush=True)
    bench.clean(case, folder)
    bench.give(folder)
    return hit


def sweep(bench, case):
    start = time.monotonic()
    bench.known(case)
    calls = calls_of(bench, case)
    tries = [(call, how) for call in calls for how in FAILURES[call.name]
             if "/proc" not in call.text or case.name == "extract-ply" or not case.device]
    tries = tries[::1 if WHOLE else SHARE[case.name]]
    hits = sum(all_at_once([lambda t=t: attempt(bench, case, *t) for t in tries]))
    check(hits >= 0.9 * len(tries), case.name, "only", hits, "of", len(tries), "faults came")
    print(f"{case.name:20} {len(calls):4} calls, {hits:5} faults, {time.monotonic() - start:.1f} s", flush=True)
    return hits


if not shutil.which("strace") or \
        subprocess.run(["strace", "-o", "/dev/null", "-k", "true"], stderr=subprocess.DEVNULL).returncode != 0:
    skip("strace cannot trace here, or not tell who calls")
with Bench() as bench:
    cases = [case for case in chosen(CASES) if not case.display and (WHOLE or case.name in SHARE)]
    total = sum(sweep(bench, case) for case in cases)
    print(f"{total} failing system calls in {len(cases)} cases, {len(failures)} failures")
finish()
