# ctest: plain long
"""Every pipeline compiles for Intel's GPUs, with ANV of Mesa, without spilled registers and without scratch memory.
Mesa's stand-in for the kernel's driver is built from Debian's sources, see bench/intel_shim.py; without them there
is nothing to test."""
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
SPILLS = ["Spill Count", "Fill Count", "Scratch Memory Size"]


def faults(shaders, words):
    """What is wrong with the shaders of a platform, a line each."""
    names = pipelines.names(words)
    for shader in shaders:
        for what in SPILLS:
            if shader[what]:
                yield f"{names.get(shader['code'], 'a shader without a name')}: {what}: {shader[what]}"
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
    for platform, (device, shaders) in results.items():
        print(f"{device}: {len(shaders)} shaders")
        for line in faults(shaders, words):
            check(False, f"{platform}: {line}")
        # Each fault would be noticed.
        for what in SPILLS:
            wrong = [{**shaders[0], what: 1}, *shaders[1:]]
            check(len(list(faults(wrong, words))) == 1, f"{platform}: {what} goes unnoticed")
    shutil.rmtree(folder)
    finish()


main()
