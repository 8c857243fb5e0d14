#!/usr/bin/python3
# ctest: plain share
"""cubist-mpi extract: one mesh, with the bytes of one process, for any number of ranks; --resume; what is refused;
what fails on one rank leaves the old mesh, and nothing beside it. All formats, counts and volumes are the whole test."""
import shutil
import signal
import subprocess
import time

from mpi import *
from share_files import *

MPI = MPIS[0] if MPIS else None
OLD = b"an old mesh"


def put_old(path):
    with open(path, "wb") as file:
        file.write(OLD)


def is_same(mpi, top, count, raw, iso, format, expected, *more):
    path = os.path.join(top, "out", "mesh." + format)
    ran = mpi.cubist(count, "extract", raw, "--iso", iso, "-o", path, "-q", *more)
    what = mpi.name, count, os.path.basename(raw), iso, format, *more
    if check(ran.code == 0 and ran.out == "", *what, ran):
        check(os.listdir(os.path.dirname(path)) == ["mesh." + format], "left:", os.listdir(os.path.dirname(path)), *what)
        check(read(path) == expected, "another mesh:", *what)
        os.remove(path)


def same(top):
    os.mkdir(os.path.join(top, "out"))
    formats = [format for format in formats_written("meshes") if format != "pvtp"]
    raw = sample(top, "gyroid", "30x22x41", "uint8")
    whole = Whole(top, raw, "120.5", formats).meshes
    balances = ["--balance", "layers"], ["--balance", "steal"]
    for i, format in enumerate(formats if WHOLE else ["ply", "obj", "glb"]):
        is_same(MPI, top, 2, raw, "120.5", format, whole[format], *balances[i % 2])
    gaps = with_gaps(top, (17, 15, 4))
    whole_gaps = Whole(top, gaps, "0.5", ["ply"]).meshes["ply"]
    is_same(MPI, top, 4, gaps, "0.5", "ply", whole_gaps)  # 3 layers
    far = placed(raw, "far", [[0.25, 0.05, 0], [0, -0.5, 0], [0, 0, 0.25]], [615850, 5846925, 758.5])  # with doubles
    whole_far = Whole(top, far, "120.5", formats if WHOLE else ["glb"]).meshes
    for format, expected in whole_far.items():
        is_same(MPI, top, 3, far, "120.5", format, expected)
    whole_auto = Whole(top, raw, "auto", ["ply"]).meshes["ply"]
    is_same(MPI, top, 3, raw, "auto", "ply", whole_auto, "--balance", "steal")
    several(top, raw, {"120.5": whole["ply"], "auto": whole_auto})
    for mpi in MPIS[1:]:
        is_same(mpi, top, 2, raw, "120.5", "obj", whole["obj"])
    if WHOLE:
        matrix(top, formats)
    return raw, whole


def several(top, raw, wanted):
    """Several isovalues: a file each."""
    path = os.path.join(top, "out", "{n}.ply")
    for balance in "layers", "steal":
        ran = MPI.cubist(2, "extract", raw, "--iso", ",".join(wanted), "-o", path, "--json", "--balance", balance)
        check(ran.code == 0 and sorted(os.listdir(os.path.dirname(path))) == ["1.ply", "2.ply"], ran)
        for n, (iso, expected) in enumerate(wanted.items()):
            name = path.replace("{n}", str(n + 1))
            check(read(name) == expected, "another mesh:", iso, balance)
            os.remove(name)
        report = ran.json()
        check(report["iso"] is None and report["triangles"] == sum(c["triangles"] for c in report["contours"]), report)
        check([rank["layers"] for rank in report["ranks"]] != [0, 0] and
              sum(rank["layers"] for rank in report["ranks"]) == 2 * 40, report["ranks"])
    ran = MPI.cubist(2, "extract", raw, "--iso", "60,120", "-o", os.path.join(top, "out", "x.glb"))
    refused(ran, 2, "2 isovalues need a file each if several processes write them", os.path.join(top, "out"), {})


def matrix(top, formats):
    volumes = [(sample(top, "gyroid", "40x31x37", "uint16"), "30000.5"), (sample(top, "noise", "33x29x23", "uint8"), "auto"),
               (sample(top, "marschner-lobb", "24x24x24", "float32"), "p60"), (with_gaps(top, (23, 19, 17)), "0.5"),
               (sample(top, "sphere", "20x20x40", "uint8"), "255")]
    for i, (raw, iso) in enumerate(volumes):
        whole = Whole(top, raw, iso, formats).meshes
        for mpi in MPIS:
            for count in (1, 2, 3, 4, 7) if mpi is MPI else (2, 3):
                for format in formats if i == 0 and count < 7 else ["ply"]:
                    is_same(mpi, top, count, raw, iso, format, whole[format], "--balance", "layers")
                is_same(mpi, top, count, raw, iso, "ply", whole["ply"], "--balance", "steal")


def pieces(top, raw):
    """A .pvtp file and its pieces do not depend on the number of ranks."""
    made = []
    for count in 1, 3:
        folder = os.path.join(top, f"pieces{count}")
        os.mkdir(folder)
        args = ["extract", raw, "--iso", "120.5", "-q", "--pieces", "4", "-o", os.path.join(folder, "m.pvtp")]
        ran = MPI.cubist(count, *args) if count > 1 else cubist(*args)
        check(ran.code == 0, ran)
        made.append({os.path.relpath(os.path.join(at, name), folder): read(os.path.join(at, name))
                     for at, _folders, names in os.walk(folder) for name in names})
    check(len(made[0]) == 5 and made[0] == made[1], "pieces:", list(made[0]), list(made[1]))


def other_arguments(top, raw):
    """Ranks that were started with different arguments write no file that is partly of one and partly of another."""
    mesh = os.path.join(top, "other.ply")
    script = '[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" = 0 ] || set -- "$@" --format vtp; exec "$0" "$@"'
    ran = MPI.run(2, "sh", "-c", script, MPI.program, "extract", raw, "--iso", "120.5", "-o", mesh)
    check(ran.code == 2 and "was started with --format vtp, rank 0 without --format" in ran.err, "expected exit code 2:", ran)
    check(not os.path.exists(mesh), "a mesh was written:", ran)


def pieces_fail(top, raw):
    """Where one rank cannot write its pieces, it is this that is told, whatever the others come to next."""
    kept, folder = os.path.join(top, "fail_kept"), os.path.join(top, "fail")
    os.mkdir(folder)
    args = ["extract", raw, "--iso", "120.5", "--resume", kept]
    ran = cubist(*args)
    check(ran.code == 0, ran)
    # With such a limit Open MPI's shared memory cannot be made either, so it takes the loopback.
    script = 'unset OMPI_MCA_btl; [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 2 ] || ulimit -f 1; exec "$0" "$@"'
    if MPI.run(3, "sh", "-c", script, MPI.program, "info", raw).code != 0:
        print("not checked: this MPI does not start where files may have 512 bytes only")
        return
    for _ in range(5 if WHOLE else 1):
        ran = MPI.run(3, "sh", "-c", script, MPI.program, *args, "--pieces", "9", "-o", os.path.join(folder, "m.pvtp"))
        check(ran.code == 5 and re.search(r"^cubist: rank 2 .*m_0000.\.vtp': File too large$", ran.err, re.M), ran)
        check(not os.listdir(folder), "left:", os.listdir(folder))


def reports(top, raw):
    size, slice = os.path.getsize(raw), 30 * 22
    one = cubist("extract", raw, "--iso", "120.5", "--json").json()
    ran = MPI.cubist(3, "extract", raw, "--iso", "120.5", "--json")
    report = ran.json() if check(ran.code == 0 and ran.err == "", ran) else {"ranks": []}
    for key in "active_cells", "vertices", "triangles", "dims", "iso":
        check(report[key] == one[key], key, report[key], one[key])
    check("area" not in report and report["resume"] is None, "report:", report)
    check([rank["rank"] for rank in report["ranks"]] == [0, 1, 2], "ranks:", report["ranks"])
    check(sum(rank["layers"] for rank in report["ranks"]) == 40, "layers:", report["ranks"])
    for rank in report["ranks"]:
        # Its slices, one on either side, and the one in the middle.
        check(rank["bytes_read"] <= (rank["layers"] + 4) * slice, "what a rank reads:", rank)
        check(rank["host"] and rank["device"] and rank["driver"] and rank["peak_bytes"] > 2**20, "rank:", rank)
        check(rank["extract_ms"] > 0 and rank["write_ms"] >= 0, "times:", rank)
    ran = MPI.cubist(2, "extract", raw, "--iso", "auto", "--json")
    read_all = sum(rank["bytes_read"] for rank in ran.json()["ranks"])
    check(read_all <= 2 * size + 2 * 4 * slice, "auto reads the input once more in total:", read_all, size)
    ran = MPI.cubist(2, "extract", raw, "--iso", "300")
    check(ran.code == 0 and ran.err.count("the surface is empty") == 1, "one rank warns:", ran)
    check(len(re.findall("rank 1 on ", ran.out)) == 1, "one rank reports:", ran)


def counts(top):
    """Without a mesh the surface is only counted, also where the memory takes a layer in rows."""
    dense = sample(top, "noise", "70x60x3", "uint8")
    args = ["extract", dense, "--iso", "128", "--memory-budget", "1", "--json"]
    one, several = cubist(*args).json(), MPI.cubist(2, *args).json()
    check(one["slabs"]["count"] > 2, "a layer comes in rows:", one["slabs"])
    for key in "active_cells", "vertices", "triangles":
        check(several[key] == one[key], key, several[key], one[key])


def checkered(path, width, depth, slices, part=1):
    """Slices of a checkerboard, where each edge crosses 128 and each cell is active: the first rows of some
    slices. The others are 0."""
    rows = [bytes((x + y) % 2 * 255 for x in range(width)) for y in range(width + 1)]
    with open(path, "wb") as file:
        file.truncate(width * width * depth)
        for z in slices:
            file.seek(z * width * width)
            file.write(b"".join(rows[z % 2:][:int(width * part)]))
    return path


def room(top):
    """Where a few slices say that the mesh may be more than a format can count, the ranks count it first."""
    place = os.path.join(top, "room")
    os.mkdir(place)
    depth = 3100
    strewn = checkered(os.path.join(top, f"strewn_100x100x{depth}_uint8.raw"), 100, depth,
                       [(2 * i + 1) * (depth - 1) // 32 for i in range(16)], 0.5)
    mesh = os.path.join(place, "m.glb")
    ran = MPI.cubist(2, "extract", strewn, "--iso", "128", "-o", mesh, "--json")
    ranks = ran.json()["ranks"] if check(ran.code == 0 and ran.err == "", ran) else []
    check(sum(rank["bytes_read"] for rank in ranks) > 2 * os.path.getsize(strewn), "it is counted first:", ranks)
    if not WHOLE:
        return
    check(read(mesh) == Whole(top, strewn, "128", ["glb"]).meshes["glb"], "another mesh")
    os.remove(strewn)
    dense = checkered(os.path.join(top, "dense_332x332x332_uint8.raw"), 332, 332, range(332))
    shares = os.path.join(place, "shares")
    put_old(mesh)
    os.mkdir(shares)
    before = snapshot(place)
    said = r"m\.glb: the mesh has at least 109452432 vertices and 145058764 triangles, a GLB file ends at 4 GiB; write a \.vtp"
    for more in [], ["--resume", shares], ["--resume", shares, "--balance", "steal"]:
        for count in (1, 2, 3) if more == [] else (2,):
            refused(MPI.cubist(count, "extract", dense, "--iso", "128", "-o", mesh, *more), 4, said, place, before)
    os.remove(dense)


def resume(top, raw, whole):
    folder, mesh = os.path.join(top, "kept"), os.path.join(top, "kept.ply")
    make_it = ["extract", raw, "--iso", "120.5", "--resume", folder, "--json"]
    ran = cubist(*make_it, "--share", "2/5")
    check(ran.code == 0, ran)
    ran = MPI.cubist(3, *make_it, "-o", mesh)
    report = ran.json()["resume"] if check(ran.code == 0, ran) else None
    check(report and report["layers_found"] == 8 and report["layers_made"] == 32, "what is made:", report)
    check(read(mesh) == whole["ply"], "another mesh")
    os.remove(os.path.join(folder, sorted(os.listdir(folder))[0]))
    ran = MPI.cubist(2, *make_it, "--balance", "steal", "-o", mesh)
    report = ran.json()["resume"] if check(ran.code == 0, ran) else None
    check(report and 0 < report["layers_made"] < 8, "what is made:", report)
    check(read(mesh) == whole["ply"], "another mesh")
    ran = cubist("merge", *(os.path.join(folder, name) for name in os.listdir(folder)), "-o", mesh)
    check(ran.code == 0 and read(mesh) == whole["ply"], "merge:", ran)
    before = snapshot(top)
    refused(MPI.cubist(2, "extract", raw, "--iso", "120", "--resume", folder, "-o", mesh), 3, "is of isovalue 120.5", top,
            before)


def usage(top, raw, whole):
    pipe = os.path.join(top, "pipe")
    os.mkfifo(pipe)
    before = snapshot(top)
    tries = ((["-o", "-"], "'-' is not a file"), (["--share", "1/2", "-o", os.path.join(top, "x.share")], "--share is for cubist"),
             (["-o", pipe], "pipe' is not a file"), (["-o", "/dev/full"], "full' is not a file"))
    for args, pattern in tries if WHOLE else tries[:2]:
        ran = MPI.cubist(2, "extract", raw, "--iso", "9", *args)
        refused(ran, 2, pattern, top, before)
    os.remove(pipe)
    path = os.path.join(top, "stdout.ply")
    with open(path, "wb") as file:
        done = subprocess.run([MPI.program, "extract", raw, "--iso", "120.5", "-o", "/dev/stdout", "-q"], stdout=file,
                              env={**os.environ, **OPEN_MPI})
    check(done.returncode == 0 and read(path) == whole["ply"], "one rank writes to standard output", done.returncode)


def others(top, raw):
    """One rank has another input: all end, with one line that names the rank."""
    mesh, folder = os.path.join(top, "others.ply"), os.path.join(top, "others")
    put_old(mesh)
    os.mkdir(folder)
    name = os.path.basename(raw)
    copy = os.path.join(folder, name)
    content = read(raw)

    def put(content):
        with open(copy, "wb") as file:
            file.write(content)

    middle = bytearray(content)
    middle[20 * 30 * 22 + 9] ^= 1
    tries = [(lambda: put(content[:-700]), 3, r"too short|shorter|bytes"),
             (lambda: put(bytes(middle)), 3, r"is not the file that rank 0 reads: it has other contents"),
             (lambda: None, 3, "No such file")]
    for put_it, code, pattern in tries if WHOLE else tries[1:2]:
        if os.path.exists(copy):
            os.remove(copy)
        put_it()
        before = snapshot(top)
        args = ["--iso", "120.5", "-o", mesh]
        by_rank = 'raw=$1; [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" = 0 ] || raw=$2; shift 2; exec "$0" extract "$raw" "$@"'
        ran = MPI.run(2, "sh", "-c", by_rank, MPI.program, raw, copy, *args)
        refused(ran, code, rf"^cubist: rank 1 \(.*({pattern})", top, before)
    check(read(mesh) == OLD, "the old mesh was changed")
    # A folder for --resume that each of two machines has for itself.
    script = f'test "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 && cd {folder}; exec "$0" "$@"'
    for made, code, pattern in ((False, 5, "'work', which rank 0 has made, is not seen here"),
                                (True, 3, "'work' lacks 'layers_.*'.*; all processes must see the same folder")):
        if made:
            os.mkdir(os.path.join(folder, "work"))
        ran = MPI.run(2, "sh", "-c", script, MPI.program, "extract", raw, "--iso", "120.5", "--resume", "work", "-o", mesh,
                      cwd=top)
        refused(ran, code, pattern)
        check(read(mesh) == OLD, "the old mesh was changed")
        shutil.rmtree(os.path.join(top, "work"))


def ranks_of(launcher):
    """The process ids of the ranks, by their number."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                rank = re.search(rb"(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", file.read())
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                ours = MPI.program.encode() in file.read().split(b"\0")[:1]
            if rank and ours and is_child(int(pid), launcher):
                found[int(rank.group(1))] = int(pid)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            pass
    return found


def is_child(pid, of):
    while pid > 1 and pid != of:
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rsplit(")", 1)[1].split()[1])
    return pid == of


def killed(top):
    """kill -9 of a rank ends all within seconds. What is whole stays with --resume. Without, the next run removes
    what was left."""
    raw = sample(top, "noise", "80x80x161", "uint8")
    whole = Whole(top, raw, "128", ["ply"]).meshes["ply"]
    out = os.path.join(top, "killed")
    os.mkdir(out)
    mesh, folder = os.path.join(out, "m.ply"), os.path.join(top, "killed_shares")
    for more in (["--resume", folder], []) if WHOLE else [["--resume", folder]]:
        for attempt in range(10):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(out)
            os.mkdir(out)
            put_old(mesh)
            process = MPI.start(2, MPI.program, "extract", raw, "--iso", "128", "-o", mesh, *more)
            end = time.monotonic() + 60
            while time.monotonic() < end and not shares_in(folder if more else out):
                time.sleep(0.002)
            pids = ranks_of(process.pid)
            if 1 in pids:
                os.kill(pids[1], signal.SIGKILL)
            started = time.monotonic()
            _out, err = process.communicate(timeout=60)
            while any(os.path.exists(f"/proc/{pid}") for pid in pids.values()) and time.monotonic() < started + 20:
                time.sleep(0.01)  # the launcher may end before its ranks
            if process.returncode != 0:
                break
        check(process.returncode != 0 and read(mesh) == OLD, "killed:", process.returncode, err, attempt)
        check(time.monotonic() - started < 10, "all end within seconds")
        left = len(shares_in(folder)) if more else 0
        check(not more or left > 0, "what is whole stays", more)
        ran = MPI.cubist(2, "extract", raw, "--iso", "128", "-o", mesh, "--json", *more)
        if check(ran.code == 0, ran) and more:
            made = ran.json()["resume"]
            check(made["shares_found"] == left and made["layers_found"] == 10 * left, "only the rest is made:", made, left)
            check(made["layers_found"] + made["layers_made"] == 160, "layers:", made)
        check(read(mesh) == whole and os.listdir(out) == ["m.ply"], "the next run:", os.listdir(out))


def stopped(top):
    """SIGTERM to the launcher: nothing is left beside the old mesh."""
    raw, out = os.path.join(top, "noise_80x80x161_uint8.raw"), os.path.join(top, "stopped")
    mesh = os.path.join(out, "m.ply")
    for attempt in range(10):
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        put_old(mesh)
        process = MPI.start(3, MPI.program, "extract", raw, "--iso", "128", "-o", mesh)
        end = time.monotonic() + 60
        while time.monotonic() < end and not shares_in(out):
            time.sleep(0.002)
        pids = ranks_of(process.pid)
        started = time.monotonic()
        process.terminate()
        _out, err = process.communicate(timeout=60)
        while any(os.path.exists(f"/proc/{pid}") for pid in pids.values()) and time.monotonic() < started + 20:
            time.sleep(0.01)
        if process.returncode != 0:
            break
    check(process.returncode != 0 and read(mesh) == OLD, "stopped:", process.returncode, err)
    check(os.listdir(out) == ["m.ply"], "left:", os.listdir(out), err)


def shares_in(folder):
    return [name for _at, _folders, names in os.walk(folder) for name in names if name.endswith(".share")]


def full_disk(top):
    """The shares fit, and the mesh does not."""
    place, folder = os.path.join(top, "full"), os.path.join(top, "full_shares")
    os.mkdir(place)
    raw = sample(top, "noise", "80x80x161", "uint8")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m,mode=700", "cubist-full", place], stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        print("not tried: no file system can be mounted here, so none can be full")
        return
    try:
        mesh = os.path.join(place, "m.ply")
        put_old(mesh)
        make_it = ["extract", raw, "--iso", "128", "-o", mesh]
        for more in (["--resume", folder], []) if WHOLE else [["--resume", folder]]:
            ran = MPI.cubist(2, *make_it, *more)
            refused(ran, 5, r"cubist: rank \d \(.*No space left")
            check(os.listdir(place) == ["m.ply"] and read(mesh) == OLD, "left:", os.listdir(place))
        check(sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)) > 20 << 20, "shares stay")
    finally:
        subprocess.run(["umount", "-l", place], check=True)


need_mpi()
need_device()
with Folder() as top:
    raw, whole = same(top)
    other_arguments(top, raw)
    reports(top, raw)
    counts(top)
    room(top)
    resume(top, raw, whole)
    usage(top, raw, whole)
    others(top, raw)
    if WHOLE:
        pieces(top, raw)
        pieces_fail(top, raw)
        killed(top)
        stopped(top)
        full_disk(top)
finish()
