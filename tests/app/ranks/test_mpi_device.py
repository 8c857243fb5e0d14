#!/usr/bin/python3
# ctest: plain share
"""The device of each rank: ranks on one GPU are told so, once, and share its memory; on a CPU device they
share the cores; ranks on different devices are warned of. llvmpipe poses as a GPU, and as another device."""
import time

from mpi import *

LAYER = os.environ.get("CUBIST_POSE_LAYER", "")
GPU = {**os.environ, "VK_LAYER_PATH": LAYER, "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_pose"}


def free_memory(mpi, ranks, raw):
    """What --verbose says that rank 0 has of it, in MiB; and the notes."""
    ran = mpi.cubist(ranks, "extract", raw, "--iso", "100", "--verbose", env=GPU)
    free = re.findall(r"^cubist: device .* (\d+) MiB free", ran.err, re.M)
    check(ran.code == 0 and len(free) == 1, "rank 0 tells the free memory:", ran)
    return int((free or ["0"])[0]), re.findall(r"^cubist: note: (.*same device.*)$", ran.err, re.M)


def on_one_gpu(mpi, raw):
    all_of_it, none = free_memory(mpi, 1, raw)
    share, notes = free_memory(mpi, 3, raw)
    check(not none and len(notes) == 1 and
          re.fullmatch("ranks 0 and 1 on .+ use the same device, .*; each of its 3 ranks takes 1/3 of its memory",
                       notes[0]), "one note of the ranks on one GPU:", none, notes)
    # Other programs take and free memory at the same time.
    check(0.2 * all_of_it < share < 0.45 * all_of_it, "a third of", all_of_it, "MiB:", share)


def on_different_devices(mpi, raw):
    script = '[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 1 ] || export CUBIST_POSE_AS="Other Device"; exec "$0" "$@"'
    ran = mpi.run(2, "sh", "-c", script, mpi.program, "extract", raw, "--iso", "100", "--json",
                  env={**GPU, "CUBIST_POSE": "type=4"})
    names = [rank["device"] for rank in ran.json()["ranks"]] if check(ran.code == 0, ran) else ["", ""]
    check(names[0] != names[1] == "Other Device", "who poses:", names)
    check(re.fullmatch(rf"cubist: warning: the ranks have different devices or drivers: rank 0 \(\S+\) {re.escape(names[0])}, "
                       r".+; rank 1 \(\S+\) Other Device, .+; their samples may differ in the last bits of a vertex\n",
                       ran.err), "one warning of different devices:", ran)


def threads_of(program, launcher):
    """How many threads of llvmpipe's rasterizer each running process of the program has."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") != program or \
                    f"\nPPid:\t{launcher}\n" not in open(f"/proc/{pid}/status").read():
                continue
            names = [open(f"/proc/{pid}/task/{task}/comm").read() for task in os.listdir(f"/proc/{pid}/task")]
        except OSError:
            continue  # it has ended
        found[pid] = sum(name.startswith("llvmpipe-") for name in names)
    return found


def on_the_cpu(mpi, raw, env, fits):
    process = mpi.start(2, mpi.program, "extract", raw, "--iso", "100", env=env)
    most = {}
    while process.poll() is None:
        for pid, threads in threads_of(mpi.program, process.pid).items():
            most[pid] = max(threads, most.get(pid, 0))
        time.sleep(0.01)
    err = process.communicate()[1]
    check(process.returncode == 0 and b"same device" not in err, "two ranks on llvmpipe:", err)
    check(len(most) == 2 and all(map(fits, most.values())), "threads of llvmpipe:", most)


need_mpi()
need_device()
with Folder() as scratch:
    volume = sample(scratch, "torus", "64x64x64")
    on_one_gpu(MPIS[0], volume)
    on_different_devices(MPIS[0], volume)
    cores = len(os.sched_getaffinity(0))
    on_the_cpu(MPIS[0], volume, {**os.environ}, lambda n: n == max(1, cores // 2))
    on_the_cpu(MPIS[0], volume, {**os.environ, "LP_NUM_THREADS": "3"}, lambda n: n == 3)
sys.exit(bool(failures))
