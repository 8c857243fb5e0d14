"""Makes every Vulkan call fail that can fail: cubist runs once for each call of a small run of each command
and each result that the specification allows, with a layer that returns it (layer.c). Each time the
following must hold:

- exit 4 with one line on stderr, or exit 0 with the same result as without the fault, bit by bit,
- no signal, no hang,
- the output is the old one, or the whole new one; nothing else is left beside it,
- under --validate: no message of the layers.

    sweep_vulkan.py share        a few of them, each function at least once
    sweep_vulkan.py all [NAME..] all of the named commands, or of all commands
    sweep_vulkan.py ends [NAME..] the first, one middle and the last call of each function
    sweep_vulkan.py stuck [NAME..] all calls of a function fail, from one on
    sweep_vulkan.py FAULT NAME   one fault, such as vkQueueSubmit2:3:-4 extract; prints its output
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import window
from cli import *

LAYERS = os.environ["CUBIST_FAULT_LAYER"]  # the folder with the layer and its manifest
REGISTRY = "/usr/share/vulkan/registry/vk.xml"
PARALLEL = 2
HANG = 60  # seconds beyond the faultless run's time: under one on a machine with nothing else to do
OLD = b"what was there before\n"

# Results that the registry names for extensions and flags that cubist does not use.
FOREIGN = {"VK_ERROR_INVALID_SHADER_NV", "VK_ERROR_INVALID_EXTERNAL_HANDLE",
           "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS_KHR", "VK_ERROR_COMPRESSION_EXHAUSTED_EXT",
           "VK_ERROR_FULL_SCREEN_EXCLUSIVE_MODE_LOST_EXT", "VK_ERROR_FRAGMENTATION_EXT",
           "VK_PIPELINE_COMPILE_REQUIRED_EXT", "VK_PIPELINE_COMPILE_REQUIRED"}
# Any call may return it. Here: calls for which an unexpected result is a separate case.
UNKNOWN = {"vkWaitForFences", "vkQueueSubmit2", "vkAcquireNextImageKHR", "vkQueuePresentKHR",
           "vkAllocateMemory", "vkCreateInstance"}

# Known faults of libraries and drivers: the fault, the proof, and the run that shows it. The sweep
# disables the layer that Mesa inserts (NODEVICE_SELECT), and its calls.
ELSEWHERE = [
    ("Mesa's device selection layer (22.3.6) does not look at the result of "
     "vkEnumerateDeviceExtensionProperties, and compares names that nobody has written",
     "gdb: #0 strcmp, #1 libVkLayer_MESA_device_select.so, #2 vkEnumeratePhysicalDevices of "
     "libvulkan.so.1, #3 physical_list; with NODEVICE_SELECT=1 no such run ends so",
     "devices", "vkEnumerateDeviceExtensionProperties:3:-1"),
]


def results_of_functions():
    """{ function: { name of a result: its number } }, successes that are not VK_SUCCESS included."""
    root = xml.etree.ElementTree.parse(REGISTRY).getroot()
    numbers = {"VK_ERROR_UNKNOWN": -13}
    for group in root.iter("enums"):
        if group.get("name") == "VkResult":
            numbers.update((e.get("name"), int(e.get("value"))) for e in group.iter("enum") if e.get("value"))
    for extension in [*root.iter("extension"), *root.iter("feature")]:
        for enum in extension.iter("enum"):
            if enum.get("extends") == "VkResult" and enum.get("offset"):
                number = int(enum.get("extnumber") or extension.get("number"))
                value = 1000000000 + (number - 1) * 1000 + int(enum.get("offset"))
                numbers[enum.get("name")] = -value if enum.get("dir") == "-" else value
    found, aliases = {}, {}
    for command in root.iter("command"):
        proto = command.find("proto")
        if proto is None:
            if command.get("alias"):
                aliases[command.get("name")] = command.get("alias")
        elif proto.find("type").text == "VkResult":
            name = proto.find("name").text
            codes = f"{command.get('successcodes', '')},{command.get('errorcodes', '')}".split(",")
            found[name] = {c: numbers[c] for c in codes if c in numbers and c != "VK_SUCCESS" and
                           c not in FOREIGN}
            if name in UNKNOWN:
                found[name]["VK_ERROR_UNKNOWN"] = numbers["VK_ERROR_UNKNOWN"]
    for name, of in aliases.items():
        if of in found:
            found[name] = found[of]
    return found


RESULTS = results_of_functions()
METHOD = "scan-scatter-hs"


# After these faults the device may still be working.
LOSES = r"vkWaitForFences:\d+\+?:-|(vkQueueSubmit2|\w+KHR):\d+\+?:-4|vkQueueSubmit2:\d+\+?:-13"


class Command:
    """`output`: the file that it makes. `told`: the part of standard output that does not change from run to
    run. `gaps`: it may leave out rows for lack of memory, and reports that."""

    def __init__(self, name, args, output=None, told=lambda text: text, display=False, gaps=False):
        self.name, self.args, self.output, self.told = name, args, output, told
        self.display, self.gaps = display, gaps


def no_times(text):
    return "\n".join(l for l in text.splitlines() if not re.match("milliseconds|volume parts|device memory", l))


def no_reasons(text):
    return "\n".join(l for l in text.splitlines() if not l.startswith("    cannot run here: "))


def verdict(text):
    """Of verify. Which checks there are depends on whether an extraction divides the volume."""
    return text.splitlines()[-1].partition(":")[0]


def no_digits(text):
    return re.sub("[0-9. ]+", "#", text)


def commands(folder):
    small = sample(folder)
    large = sample(folder, dims="40x40x40")
    layer = sample(folder, "noise", dims="24x20x2")  # is divided in rows
    iso = ["--iso", "100"]
    one = [*iso, "--method", METHOD]
    cut = ["--memory-budget", "2"]
    size = ["--size", "64x48"]
    return {c.name: c for c in [
        Command("devices", ["devices"]),
        Command("methods", ["methods"], told=no_reasons),
        Command("info", ["info", *iso, small], told=no_times),
        Command("extract", ["extract", *one, "-o", "m.ply", small], "m.ply", no_times),
        Command("extract-parts", ["extract", *one, *cut, "-o", "m.ply", large], "m.ply", no_times),
        Command("render", ["render", *one, *size, "-o", "p.png", small], "p.png", no_times),
        Command("render-parts", ["render", *one, *size, *cut, "-o", "p.png", large], "p.png", no_times),
        Command("rays-parts", ["render", "--draw", "rays", "--shadow", *iso, *size, *cut, "-o", "p.png", large],
                "p.png", no_times),
        Command("layers", ["render", "--iso", "60,100,180", "--opacity", "0.4,1,0.7", "--clip", "x=50%@2", "--section", "k=3", *size,
                           "-o", "p.png", small], "p.png", no_times),
        # Parts that share a pixel have two mean colours of its samples.
        Command("planes", ["render", "--iso", "60,100", "--samples", "1", "--clip", "x=50%,y=40%", "--cap", "values", "--section",
                           "k=3", *size, "-o", "p.png", small], "p.png", no_times),
        Command("animate-planes", ["animate", "--iso", "60:90,100", "--samples", "1", "--clip", "x=0%:100%", *size, "--frames", "2", "-o", "f.y4m",
                                   small], "f.y4m", no_times),
        Command("verify", ["verify", *one, small], told=verdict),
        Command("verify-layer", ["verify", *one, layer], told=verdict),
        Command("bench", ["bench", "extract", *one, "--repeat", "1", small], told=no_digits),
        Command("bench-compaction", ["bench", "compaction", "--size", "4K", "--density", "50", "--repeat",
                                     "1", "--method", METHOD], told=no_digits, gaps=True),
        Command("view", ["view", *one, "--size", "320x240", "--exit-after", "1", small], display=True),
        Command("view-layers", ["view", "--iso", "60,100,180", "--opacity", "1,1,0.5", "--clip", "x=50%", "--section", "k=3", "--size",
                                "320x240", "--exit-after", "1", small], display=True),
        Command("view-parts", ["view", *one, "--size", "320x240", "--memory-budget", "10", "--exit-after",
                               "1", large], display=True),
    ]}


class Run:
    """One run of a command in a folder of its own."""

    def __init__(self, command, fault=None, **more):
        self.command, self.fault = command, fault
        folder = tempfile.TemporaryDirectory(prefix="cubist-fault-")
        with folder as path:
            log = os.path.join(path, "calls")
            environment = {**os.environ, "VK_LAYER_PATH": LAYERS + ":/usr/share/vulkan/explicit_layer.d",
                           "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_fault", "FAULT_LOG": log,
                           "NODEVICE_SELECT": "1",
                           "XDG_CACHE_HOME": path + "/cache", **more}
            environment.pop("FAULT", None)
            if fault:
                environment["FAULT"] = fault
            work = os.path.join(path, "work")
            os.mkdir(work)
            if command.output:
                with open(os.path.join(work, command.output), "wb") as file:
                    file.write(OLD)
            start = time.monotonic()
            try:
                done = subprocess.run([CUBIST, *command.args, *window.VALIDATE], cwd=work, env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * HANG)
                self.code, self.out = done.returncode, done.stdout.decode("utf-8", "replace")
                self.err = done.stderr.decode("utf-8", "replace")
            except subprocess.TimeoutExpired as late:
                self.code, self.out, self.err = "none: it hangs", "", str(late.stderr)
            self.seconds = time.monotonic() - start
            self.left = sorted(os.listdir(work))
            self.made = None
            if command.output and command.output in self.left:
                with open(os.path.join(work, command.output), "rb") as file:
                    self.made = file.read()
                self.left.remove(command.output)
            self.calls = []
            if os.path.exists(log):
                with open(log) as file:
                    self.calls = file.read().splitlines()
            # The process ended with exit handlers. They must not run while the device may be at
            # work.
            self.handlers = "exit handlers" in self.calls
            self.calls = [call for call in self.calls if call != "exit handlers"]
            self.reached = any(call.endswith(" failed") for call in self.calls)

    def lines(self):
        """Its stderr without warnings."""
        return [l for l in self.err.splitlines()
                if not re.match("cubist: (warning|note): |cubist: .*; opening everything again", l)]

    def wrong(self, fine):
        """The broken promise, compared with the run without a fault; None if all hold."""
        if self.code not in (0, 4):
            return f"exit {self.code}"
        if self.left:
            return f"it leaves {self.left}"
        if self.seconds > fine.seconds + HANG:
            return f"it took {self.seconds:.1f} s, and {fine.seconds:.1f} s without the fault"
        if "validation" in self.err:
            return "the layers complain"
        if self.handlers and self.reached and re.match(LOSES, self.fault):
            return "exit handlers run although nothing says that the device is done"
        if self.code == 0:
            if self.made != fine.made:
                return "exit 0 with another result"
            left_out = self.command.gaps and re.search("^cubist: note: .* left out: ", self.err, re.M)
            if self.command.told(self.out) != self.command.told(fine.out) and not left_out:
                return "exit 0 with another report"
            return "exit 0 with a line on stderr" if self.lines() else None
        if len(self.lines()) != 1 or not self.lines()[0].startswith("cubist: "):
            return f"{len(self.lines())} lines on stderr"
        if self.made not in (OLD, fine.made) and self.command.output:
            return "the output is neither the old one nor the new one"
        return None


def faults_of(fine):
    """Every call of the run without a fault, with every allowed result."""
    return [f"{call.replace(' ', ':')}:{number}"
            for call in fine.calls for number in RESULTS[call.split()[0]].values()]


def describe(fault):
    name, number, code = fault.split(":")
    called = [n for n, value in RESULTS[name].items() if value == int(code)]
    return f"{name} {number} returns {called[0] if called else code}"


class Sweep:
    def __init__(self):
        self.slowest = 0
        self.tried = self.reached = self.refused = self.survived = 0

    def take(self, run, fine):
        self.tried += 1
        self.reached += run.reached
        wrong = run.wrong(fine)
        check(not wrong, f"{run.command.name}, {describe(run.fault)}: {wrong}\n  exit {run.code}, "
              f"{run.seconds:.2f} s\n  {run.err[-1500:]}")
        self.refused += run.code == 4
        self.survived += run.code == 0
        self.slowest = max(self.slowest, run.seconds - fine.seconds)

    def over(self, command, fine, faults):
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            for run in pool.map(lambda fault: Run(command, fault), faults):
                self.take(run, fine)

    def __str__(self):
        return (f"{self.tried} faults, {self.reached} reached, {self.refused} refused, {self.survived} survived "
                f"with the same result, at most {self.slowest:.2f} s longer")


def faultless(command):
    fine = Run(command)
    if fine.code != 0:
        sys.exit(f"{command.name} fails without a fault: exit {fine.code}\n{fine.err}")
    if not fine.calls:
        sys.exit("the layer was not loaded")
    return fine


def ends_of(fine):
    """The faults of each function's first call, a middle one, and the last one."""
    counts = {}
    for call in fine.calls:
        counts[call.split()[0]] = int(call.split()[1])
    chosen = {(name, n) for name, count in counts.items() for n in (1, (count + 1) // 2, count)}
    return [f for f in faults_of(fine) if (f.split(":")[0], int(f.split(":")[1])) in chosen]


# The program waits for a display that never takes a picture.
AWAITED = {RESULTS["vkQueuePresentKHR"][name] for name in ("VK_ERROR_OUT_OF_DATE_KHR", "VK_ERROR_SURFACE_LOST_KHR")}


def stuck_of(fine):
    """Each function's first call, or a middle one, fails, and so do all later calls."""
    counts = {}
    for call in fine.calls:
        counts[call.split()[0]] = int(call.split()[1])
    return [f"{name}:{n}+:{code}" for name, count in counts.items() for n in sorted({1, (count + 1) // 2})
            for code in RESULTS[name].values() if code < 0 and code not in AWAITED]


def sweep_all(known, names, choose):
    for name in names:
        command = known[name]
        start = time.monotonic()
        fine = faultless(command)
        sweep = Sweep()
        sweep.over(command, fine, choose(fine))
        print(f"{name}: {len(fine.calls)} calls, {sweep}, {time.monotonic() - start:.0f} s", flush=True)


def tell_elsewhere(known):
    for what, proof, name, fault in ELSEWHERE:
        run = Run(known[name], fault, NODEVICE_SELECT="")
        print(f"elsewhere: {what} ({proof}): {name}, {describe(fault)}: exit {run.code}")


SHARE = ["devices", "extract", "render-parts", "verify", "verify-layer", "bench", "view"]


def is_of_the_share(name, fault):
    """A wait and a submission with each of their results, and the first submissions of a command that
    retries: one of these once gave an empty picture. And lack of memory while the volume is loaded, which
    divides it: verify once missed cells then, and bench crashed."""
    function, number, code = fault.split(":")
    return (name == "extract" and function in ("vkWaitForFences", "vkQueueSubmit2") and number == "4") or \
        (name == "render-parts" and function == "vkQueueSubmit2" and code == "-1" and int(number) <= 10) or \
        (name in ("verify", "verify-layer", "bench") and fault == "vkAllocateMemory:3:-2")


def sweep_share(known):
    """Each function once, in the first command that calls it, and what is_of_the_share."""
    fine = {name: faultless(known[name]) for name in SHARE}
    chosen, seen = {}, set()
    for name in SHARE:
        faults = faults_of(fine[name])
        chosen[name] = {fault for fault in faults if is_of_the_share(name, fault)}
        for function in {fault.split(":")[0] for fault in faults} - seen:
            its = [fault for fault in faults if fault.startswith(function + ":")]
            chosen[name].add(its[len(its) * 2 // 3])
            seen.add(function)
    sweep = Sweep()
    for name in SHARE:
        sweep.over(known[name], fine[name], sorted(chosen[name]))
    print(f"{len(seen)} functions, {sweep}")


def called_functions():
    """The functions that cubist calls and that may fail."""
    found = set()
    for path in glob.glob(CUBIST_SOURCE + "/compute/**/*.c", recursive=True) + glob.glob(CUBIST_SOURCE + "/app/*.c*"):
        with open(path) as file:
            found.update(re.findall(r"\b(vk[A-Z]\w+)\(", file.read()))
    return {name for name in found if name in RESULTS}


CUBIST_SOURCE = os.environ["CUBIST_SOURCE"]
# They are called before an instance exists, when no explicit layer is active.
BEFORE = {"vkEnumerateInstanceLayerProperties", "vkEnumerateInstanceExtensionProperties"}


def main():
    need_device()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "layer.c")) as file:
        layer = file.read()
    for name in called_functions() - BEFORE:
        what = re.sub("^vkCreate(.*?)(KHR)?$", r"CREATE(X, \1,", name)
        pipelines = re.sub("^vkCreate(.*)Pipelines$", r"PIPELINES(X, \1)", name)
        check(f"{name}," in layer or what in layer or pipelines in layer, f"layer.c does not know {name}")
    with Folder() as folder:
        known = commands(folder)
        what = sys.argv[1]
        several = {"all": faults_of, "ends": ends_of, "stuck": stuck_of}
        names = SHARE if what == "share" else sys.argv[2:] or list(known)
        screen = any(known[name].display for name in names)
        if screen:
            window.need("Xvfb")
            display = window.Display()
            display.__enter__()
        try:
            if what == "share":
                sweep_share(known)
            elif what in several:
                sweep_all(known, names, several[what])
                tell_elsewhere(known)
            else:
                fine = faultless(known[names[0]])
                run = Run(known[names[0]], what)
                print(f"exit {run.code}, {run.seconds:.2f} s, reached {run.reached}\n{run.out}{run.err}")
                check(not run.wrong(fine), run.wrong(fine))
        finally:
            if screen:
                display.__exit__()
    finish()


main()
