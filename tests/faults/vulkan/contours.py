"""Several isovalues on a device whose memory ends: the message says at which one, how much was needed and what was
written before. Of one isovalue the message is as ever."""
import os

from cli import *

FAULT = os.environ["CUBIST_FAULT_LAYER"]


def starved(folder, *args):
    """The messages of runs in which the first, the middle and the last allocation fails, and all after it."""
    env = {**os.environ, "VK_LAYER_PATH": FAULT, "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_fault"}
    log = os.path.join(folder, "calls")
    check(cubist(*args, env={**env, "FAULT_LOG": log}).code == 0, args)
    with open(log) as file:
        count = sum(line.startswith("vkAllocateMemory ") for line in file)
    os.unlink(log)
    said = []
    for n in 1, count // 2, count:
        ran = cubist(*args, env={**env, "FAULT": f"vkAllocateMemory:{n}+:-2"})
        check(ran.code == 4, ran)
        said.append(ran.err.strip())
    return said


def main():
    need_device()
    with Folder() as folder:
        raw = sample(folder, "gyroid", "48x48x48")
        for command, *more in ["extract", "-o", f"{folder}/{{n}}.ply"], ["render", "-o", f"{folder}/x.png", "--size", "64"], \
                ["verify", "--method", "ink-collate"]:
            said = starved(folder, command, raw, "--iso", "250,127", *more)
            numbers = r"\d+\.\d MiB needed, \d+\.\d MiB free"
            written = f"; '{folder}/1\\.ply' was written" if command == "extract" else ""
            for text, wanted in (said[1], f"250 \\(1st of 2\\): {numbers}"), (said[2], f"127 \\(2nd of 2\\): {numbers}{written}"):
                check(re.fullmatch(f"cubist: no device memory for the surface at {wanted}", text), command, wanted, said)
            one = starved(folder, command, raw, "--iso", "127", *more)
            check(not any("surface at" in text for text in one), command, one)
    finish()


main()
