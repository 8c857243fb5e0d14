# ctest: plain
"""Every shader's SPIR-V is valid for the Vulkan that it is built for. Only those that store rows of three
numbers need the looser rules of scalarBlockLayout."""
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from cli import check, finish, skip
from spirv import modules

SCALAR = {"edges_buffer", "edges_image", "vertices_buffer", "vertices_image", "triangles", "cast_points_buffer",
          "cast_points_image", "cast_edge_cast_buffer", "cast_edge_cast_image", "cast_points_parts_buffer",
          "cast_points_parts_image", "cast_edge_cast_parts_buffer", "cast_edge_cast_parts_image", "cast_shadow_buffer",
          "cast_shadow_image", "cast_shadow_mean", "cast_shadow_edges", "cast_shade", "cast_shade_occluded",
          "cast_shade_edges", "cast_shade_edges_occluded"}


def validated(binary, *flags):
    """What spirv-val says; "" if the module is valid."""
    done = subprocess.run(["spirv-val", "--target-env", "vulkan1.3", *flags, "-"], input=binary,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode() or "?" if done.returncode else ""


def main():
    if not shutil.which("spirv-val"):
        skip("spirv-val is missing (Debian: spirv-tools)")
    words = modules(os.environ["CUBIST_SHADERS"])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        strict = dict(zip(words, pool.map(validated, words.values())))
    for name, said in strict.items():
        check(name in SCALAR or not said, f"{name}: {said}")
        check(name not in SCALAR or said, f"{name} does not need scalarBlockLayout any more")
    for name in SCALAR:
        said = validated(words[name], "--scalar-block-layout")
        check(not said, f"{name} with scalarBlockLayout: {said}")
    check(validated(words["finish"][:-4]), "a module without its end passes")
    print(f"{len(words)} modules, {len(SCALAR)} of them with scalarBlockLayout")
    finish()


main()
