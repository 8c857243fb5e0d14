# ctest: plain share
"""Every pipeline compiles for AMD's GPUs, without spilled registers and without scratch memory. The program
asks for subgroups of 32 lanes where a GPU has them and larger ones. RADV's null device compiles; see
bench/pipelines.py, which prints the figures. By default one GPU stands for all."""
import os
import sys

from cli import WHOLE, check, finish, skip
from spirv import modules

sys.path.insert(0, os.path.join(os.environ["CUBIST_SOURCE"], "tests/bench"))
import pipelines


def faults(shaders, lanes, words):
    """What is wrong with the shaders of a target, a line each."""
    for name, shader in pipelines.named(shaders, words):
        for what in pipelines.SPILLS:
            if shader[what]:
                yield f"{name}: {what}: {shader[what]}"
        if shader["executable"] in ("Compute Shader", "compute") and shader["lanes"] != lanes:
            yield f"{name}: compiled for {shader['lanes']} lanes"
    yield from pipelines.strays(shaders, words)


def main():
    if pipelines.driver() is None:
        skip("RADV is not installed (Debian: mesa-vulkan-drivers)")
    words = modules(os.environ["CUBIST_SHADERS"])
    if not WHOLE:
        del pipelines.TARGETS[:-2], pipelines.TARGETS[1:]  # the newest, with 32 lanes
    try:
        targets = pipelines.compile_all(os.environ["CUBIST_PIPELINES"])
    except RuntimeError as error:
        check(False, error)
        finish()
    for (family, lanes), (_device, shaders) in targets.items():
        for line in faults(shaders, lanes, words):
            check(False, f"{family}, {lanes} lanes: {line}")
        # Each fault would be noticed.
        for what in pipelines.SPILLS:
            wrong = [{**shaders[0], what: 4}, *shaders[1:]]
            check(len(list(faults(wrong, lanes, words))) == 1, f"{what} goes unnoticed")
        check(list(faults(shaders, lanes + 1, words)), "another number of lanes goes unnoticed")
        others = [shader for shader in shaders if shader["code"] != shaders[0]["code"]]
        check(len(list(faults(others, lanes, words))) == 1, "a missing pipeline goes unnoticed")
    shaders = sum(len(shaders) for _device, shaders in targets.values())
    print(f"{shaders} shaders compiled for {len(targets)} targets")
    finish()


main()
