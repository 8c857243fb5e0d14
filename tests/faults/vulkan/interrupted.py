"""Interrupts while the device works or the driver compiles: exit 130 within about a second, one line,
the old output, and no exit handlers, which would destroy data that the driver's threads still use. The
layer of sweep_vulkan.py logs the calls. If exit handlers run nevertheless, it waits for a second in
them, so that a thread in the driver's compiler uses destroyed data and crashes."""
import os
import signal
import subprocess
import tempfile
import time

from cli import *

LAYERS = os.environ["CUBIST_FAULT_LAYER"]
OLD = b"what was there before\n"


def run(raw, cold, more, interrupt):
    """Runs an extraction and interrupts it as soon as `interrupt` accepts the log. Returns exit code, stderr,
    seconds since the signal, and the log."""
    with tempfile.TemporaryDirectory(prefix="cubist-fault-") as folder:
        log, mesh = os.path.join(folder, "calls"), os.path.join(folder, "m.ply")
        environment = {**os.environ, "VK_LAYER_PATH": LAYERS, "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_fault",
                       "FAULT_LOG": log, "FAULT_LINGER": "1", **more}
        if cold:
            environment["MESA_SHADER_CACHE_DISABLE"] = "true"
        with open(mesh, "wb") as file:
            file.write(OLD)
        process = subprocess.Popen([CUBIST, "extract", "--iso", "100", "-o", mesh, raw], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        calls, sent = "", None
        while sent is None and process.poll() is None:
            if os.path.exists(log):
                with open(log) as file:
                    calls = file.read()
            if interrupt(calls.splitlines()):
                process.send_signal(signal.SIGINT)
                sent = time.monotonic()
            time.sleep(0.002)
        err = process.communicate(timeout=60)[1].decode()
        seconds = time.monotonic() - sent if sent else 0
        with open(log) as file:
            calls = file.read().splitlines()
        left = os.listdir(folder)
        check(sorted(left) == ["calls", "m.ply"], "left:", left)
        with open(mesh, "rb") as file:
            old = file.read() == OLD
        return process.returncode, err, seconds, calls, old


def interrupted(what, raw, cold, more, interrupt):
    code, err, seconds, calls, old = run(raw, cold, more, interrupt)
    check(code == 130 and err == "cubist: interrupted\n", what, "exit", code, err)
    check(seconds < 10, what, "took", seconds, "s")
    check(old, what, "changed the output")
    print(f"{what}: exit {code} after {seconds:.2f} s")
    return calls


def compiles(calls):
    """Three waits for a submission, of a tenth of a second each."""
    return len(calls) > 3 and all(call.startswith("vkWaitForFences ") for call in calls[-3:])


def main():
    need_device()
    with Folder() as folder:
        raw = sample(folder)
        # A device that never comes to an end.
        calls = interrupted("a device that hangs", raw, False, {"FAULT": "vkWaitForFences:3+:2"},
                            lambda calls: "vkWaitForFences 9 failed" in calls)
        check("exit handlers" not in calls, "exit handlers run while the device hangs")
        # The driver compiles the kernels when they are first run, without what its cache has of them.
        interrupted("a driver that compiles", raw, True, {}, compiles)
    finish()


main()
