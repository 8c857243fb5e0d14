# ctest: plain
"""Every shader can be translated to Metal's language, so that MoltenVK stays possible. spirv-cross is what
MoltenVK translates with. Nothing here runs the result."""
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from cli import check, finish, skip
from spirv import modules

VERSION = "20300"  # of the language: macOS 11


def translated(name, binary, folder, version=VERSION):
    """Whether spirv-cross exits with 0, and what it says."""
    path = os.path.join(folder, name + ".spv")
    with open(path, "wb") as file:
        file.write(binary)
    done = subprocess.run(["spirv-cross", "--msl", "--msl-version", version, "--msl-argument-buffers", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode == 0 and "main0" in done.stdout, done.stderr.strip()


def main():
    if not shutil.which("spirv-cross"):
        skip("spirv-cross is missing (Debian: spirv-cross)")
    words = modules(os.environ["CUBIST_SHADERS"])
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (fine, said) in zip(words, pool.map(lambda item: translated(*item, folder), words.items())):
            check(fine, f"{name}: {said}")
        check(not translated("cut", words["finish"][:-4], folder)[0], "a module without its end passes")
        check(not translated("old", words["ink_collate_cells"], folder, "10000")[0],
              "subgroup operations pass for a version that has none")
    print(f"{len(words)} modules translated")
    finish()


main()
