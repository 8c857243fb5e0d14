#!/usr/bin/python3
"""What AMD's compiler in Mesa (RADV, ACO) makes of every pipeline. No GPU is needed: RADV has a null
device, which compiles and cannot run.

    tests/bench/pipelines.py [BUILD] > tests/bench/results/radv-YYYY-MM-DD.txt

BUILD is a folder that cmake has configured (default: build). The program BUILD/tests/pipelines must
have been built. Two tables are compared with diff: a line is a kernel, and its place does not depend on
the figures."""
import glob
import json
import os
import platform
import re
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from spirv import modules

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
# RADV's name of a family, and the lanes of a subgroup: 32 where the program finds and asks for them.
TARGETS = [("vega10", 64), ("navi21", 32), ("navi21", 64), ("gfx1100", 32), ("gfx1100", 64)]
# What a line shows: the column, its width, and RADV's name of it.
COLUMNS = [("VGPRs", 5, "VGPRs"), ("SGPRs", 5, "SGPRs"), ("waves", 5, "Subgroups per SIMD"),
           ("LDS", 5, "LDS size"), ("code", 6, "Code size"), ("instructions", 12, "Instructions"), ("latency", 8, "Latency"),
           ("inverse", 8, "Inverse Throughput")]
# Shaders that the program does not create: what only CPU devices use, and the interface.
NOT_CREATED = {"pyramid_short_bricks", "pyramid_short_words", "pyramid_short_vec4_bricks",
               "pyramid_short_vec4_words", "ranges_buffer", "ranges_image", "cast_masks_buffer",
               "cast_masks_image", "overlay_vert", "overlay_frag", "shown_frag"}
SPILLS = ["Spilled SGPRs", "Spilled VGPRs", "Scratch size"]
HEAD = """# What RADV's compiler says of every shader, see tests/bench/pipelines.py. VGPRs, SGPRs: registers.
# waves: subgroups that a SIMD holds at once, limited by these and by LDS, the shared memory of a
# workgroup in bytes. code: bytes. latency, inverse (throughput): the compiler's estimate, in cycles, for
# one subgroup. Of kernels that read samples: for 256^3 uint8, and, where it differs, for float32 with
# values that are not finite."""


def driver(name="radeon"):
    """The manifest of Mesa's driver for these GPUs (radeon: RADV); None where it is not installed."""
    found = [path for folder in ("/usr/share", "/etc", "/usr/local/share")
             for path in glob.glob(os.path.join(folder, f"vulkan/icd.d/{name}_icd*.json"))]
    own = [path for path in found if platform.machine() in path]
    return (own or found or [None])[0]


def compiled(program, family, lanes, manifest=None, **variables):
    """The device and the driver as a text, and what the compiler says of each shader. `lanes` 0: those
    that the driver likes. `manifest` and `variables`: a driver that is not RADV, and the environment in
    which it finds a GPU. Raises RuntimeError if not everything compiles."""
    manifest = manifest or driver()
    environment = {**os.environ, "VK_ICD_FILENAMES": manifest, "VK_DRIVER_FILES": manifest,
                   "RADV_FORCE_FAMILY": family, "MESA_SHADER_CACHE_DISABLE": "true", **variables}
    for variable in "VK_INSTANCE_LAYERS", "CUBIST_VALIDATE":
        environment.pop(variable, None)
    done = subprocess.run([program, str(lanes)], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=800)
    if "Unknown family: gfx1100" in done.stderr:
        return compiled(program, "navi31", lanes)  # its name in newer Mesa
    if done.returncode != 0:
        raise RuntimeError(f"{family}, {lanes} lanes: exit {done.returncode}: {done.stderr.strip()}")
    return done.stderr.strip().split("\n")[-1], [json.loads(line) for line in done.stdout.splitlines()]


def compile_all(program):
    """{ (family, lanes): what compiled() returns }"""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(TARGETS, pool.map(lambda target: compiled(program, *target), TARGETS)))


def names(words):
    """{ the sum of a module: its name, or the names of equal ones as "a = b" }. `words` are modules()."""
    of = {}
    for name, binary in words.items():
        of.setdefault(zlib.crc32(binary), []).append(name)
    return {code: " = ".join(equal) for code, equal in of.items()}


def strays(shaders, words):
    """A line for each module that no pipeline has, or that a pipeline has and should not."""
    of = names(words)
    seen = {name for shader in shaders for name in of.get(shader["code"], "").split(" = ") if name}
    for name in sorted(seen ^ (words.keys() - NOT_CREATED)):
        yield f"{name}: " + ("a pipeline has it" if name in seen else "no pipeline has it")
    for code in sorted({shader["code"] for shader in shaders} - of.keys()):
        yield f"a shader without a name ({code}): no C file includes it"


def named(shaders, words):
    """(name, shader), sorted, with equal results of one kernel as one. `words` are modules()."""
    of = names(words)
    rows = {}
    for shader in shaders:
        name = of.get(shader["code"], "a shader without a name")
        figures = [shader[statistic] for *_, statistic in COLUMNS]
        known = [[other[statistic] for *_, statistic in COLUMNS] for other in rows.get(name, [])]
        if figures not in known:
            rows.setdefault(name, []).append(shader)
    return [(name if i == 0 else f"{name}, {shader['samples'] or i}", shader)
            for name, same in sorted(rows.items()) for i, shader in enumerate(same)]


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(SOURCE, "build")
    if driver() is None:
        sys.exit("pipelines.py: RADV is not installed: Debian has it in mesa-vulkan-drivers")
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        elsewhere = re.search(r"^CUBIST_SHADERS:PATH=(.+)$", cache.read(), re.M)
    words = modules(elsewhere[1] if elsewhere else os.path.join(build, "shaders"))
    print(HEAD)
    for (family, lanes), (device, shaders) in compile_all(os.path.join(build, "tests/pipelines")).items():
        print(f"\n## {family}, {lanes} lanes ({device})\n")
        print(" ".join(f"{column:>{width}}" for column, width, _ in COLUMNS), " kernel")
        for name, shader in named(shaders, words):
            figures = " ".join(f"{shader[statistic]:>{width}}" for _, width, statistic in COLUMNS)
            spills = "".join(f"  {what}: {shader[what]}" for what in SPILLS if shader[what])
            print(f"{figures}  {name}{spills}")


if __name__ == "__main__":
    main()
