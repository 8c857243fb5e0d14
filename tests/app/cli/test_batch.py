#!/usr/bin/python3
# ctest: long
"""The man page's examples of batch systems, each run as it is printed: GNU parallel, xargs, Snakemake,
and Slurm where a cluster answers. The mesh has the bytes of one run."""
import re
import shutil
import subprocess
import time

from cli import *


def examples():
    """The blocks of commands in the section on shares."""
    page = cubist("--print", "man", env=NO_DRIVER).out
    part = page[page.index(".SS Batch systems"):]
    part = part[:part.index(".SH ")]
    blocks = re.findall(r"^\.nf\n\.RS\n(.*?)^\.RE$", part, re.M | re.S)
    return [block.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\") for block in blocks]


def have(*programs):
    absent = [program for program in programs if not shutil.which(program)]
    if absent:
        print(f"not checked: {' '.join(absent)} is not here")
    return not absent


def run(folder, script):
    env = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", HOME=folder)
    done = subprocess.run(["bash", "-euc", script], cwd=folder, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    check(done.returncode == 0, script, done.stdout)


def fresh(folder):
    for name in os.listdir(folder):
        if name.endswith((".share", ".vtp")):
            os.remove(os.path.join(folder, name))


def same(folder, what):
    with open(os.path.join(folder, "one.mesh"), "rb") as one, \
            open(os.path.join(folder, "big.vtp"), "rb") as big:
        check(one.read() == big.read(), what, "wrote another mesh")
    fresh(folder)


def slurm_answers():
    return have("sbatch", "sinfo") and subprocess.run(
        ["sinfo"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode == 0


need_device()
with Folder() as folder:
    os.symlink(CUBIST, os.path.join(folder, "cubist"))
    cubist("generate", "gyroid", "--dims", "48x48x50", "-o", f"{folder}/big.nrrd")
    cubist("extract", f"{folder}/big.nrrd", "--iso", "120", "-o", f"{folder}/one.vtp")
    os.rename(f"{folder}/one.vtp", f"{folder}/one.mesh")
    starts, slurm, snakefile, resumed = examples()
    merge = "cubist merge big.*.share -o big.vtp -q"
    for line in starts.splitlines():
        program = "parallel" if line.startswith("parallel") else "xargs"
        if have(program):
            run(folder, f"{line}\n{merge}")
            same(folder, program)
    run(folder, resumed)
    same(folder, "--resume")
    if have("snakemake"):
        with open(f"{folder}/Snakefile", "w") as file:
            file.write(snakefile)
        run(folder, "snakemake --cores 2 -q")
        same(folder, "snakemake")
    if slurm_answers():
        run(folder, slurm)
        last = time.monotonic() + 120
        while not os.path.exists(f"{folder}/big.vtp") and time.monotonic() < last:
            time.sleep(0.5)
        same(folder, "Slurm")
    else:
        print("not checked: no Slurm cluster answers")
finish()
