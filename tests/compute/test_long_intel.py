# ctest: plain long
"""Every pipeline compiles for Intel's GPUs, with ANV of Mesa. Only the kernels named here spill registers, and
none more than today. Mesa's stand-in for the kernel's driver is built from Debian's sources, see
bench/intel_shim.py; without them there is nothing to test."""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from cli import check, finish, skip
from spirv import modules

sys.path.insert(0, os.path.join(os.environ["CUBIST_SOURCE"], "tests/bench"))
import intel_shim
import pipelines

PLATFORMS = ["tgl", "dg2"]  # laptops since 2020; Arc
# The most registers that a kernel stores in memory, of both platforms and all samples (Mesa 22.3.6).
LIMITS = {"cast_dda_buffer": 4, "cast_dda_image": 13, "cast_edge_cast_parts_buffer": 16,
          "cast_edge_cast_parts_image": 18, "cast_shadow_buffer": 33, "cast_shadow_image": 89,
          "in_place_layers_buffer": 12, "in_place_layers_image": 12, "ink_collate_layers_buffer": 13,
          "ink_collate_layers_image": 13, "ink_compact_layers_buffer": 25, "ink_compact_layers_image": 25}
MEMORY = "Scratch Memory Size"


def spills(shaders, words):
    """{ a kernel that needs memory beside its registers: the most registers it stores there }"""
    names = pipelines.names(words)
    found = {}
    for shader in shaders:
        if shader["Spill Count"] or shader["Fill Count"] or shader[MEMORY]:
            name = names.get(shader["code"], "a shader without a name")
            found[name] = max(found.get(name, 0), shader["Spill Count"])
    return found


def faults(shaders, words):
    """What is wrong with the shaders of a platform, a line each."""
    for name, count in sorted(spills(shaders, words).items()):
        if name not in LIMITS:
            yield f"{name}: {count} registers spill, none did"
        elif count > LIMITS[name]:
            yield f"{name}: {count} registers spill, {LIMITS[name]} did"
    yield from pipelines.strays(shaders, words)


def built(folder):
    try:
        return intel_shim.build(folder)
    except intel_shim.Missing as missing:
        skip(missing)
    except subprocess.CalledProcessError as failed:
        check(False, f"the stand-in does not build: {failed.stderr[-2000:]}")
        finish()


def main():
    manifest = pipelines.driver("intel")
    if manifest is None:
        skip("ANV is not installed (Debian: mesa-vulkan-drivers)")
    program = os.environ["CUBIST_PIPELINES"]
    words = modules(os.environ["CUBIST_SHADERS"])
    folder = os.path.join(os.path.dirname(program), "intel_shim")
    library = built(folder)

    def compiled(platform):
        return pipelines.compiled(program, platform, 0, manifest, LD_PRELOAD=library,
                                  INTEL_STUB_GPU_PLATFORM=platform)

    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = dict(zip(PLATFORMS, pool.map(compiled, PLATFORMS)))
    except RuntimeError as error:
        check(False, error)
        finish()
    most = {}
    for platform, (device, shaders) in results.items():
        found = spills(shaders, words)
        print(f"{device}: {len(shaders)} shaders, {len(found)} kernels spill")
        for name, count in sorted(found.items()):
            print(f"  {name}: {count}")
            most[name] = max(most.get(name, 0), count)
        for line in faults(shaders, words):
            check(False, f"{platform}: {line}")
        # Each fault would be noticed.
        quiet = next(i for i, shader in enumerate(shaders) if not shader[MEMORY])
        wrong = [*shaders]
        for what in "Spill Count", MEMORY:
            wrong[quiet] = {**shaders[quiet], what: 1}
            check(len(list(faults(wrong, words))) == 1, f"{platform}: {what} goes unnoticed")
        loud = next(i for i, shader in enumerate(shaders) if shader["Spill Count"])
        wrong = [*shaders]
        wrong[loud] = {**shaders[loud], "Spill Count": 1000}
        check(len(list(faults(wrong, words))) == 1, f"{platform}: more spills go unnoticed")
    for name in sorted(LIMITS):
        check(most.get(name) == LIMITS[name], f"{name}: at most {most.get(name, 0)} registers spill now: lower its limit")
    shutil.rmtree(folder)
    finish()


main()
