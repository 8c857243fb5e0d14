"""What a submission asks of the driver, by the log of the layer of sweep_vulkan.py: command buffers and fences
are used again, pipelines are kept for the next run, a device that is no CPU is asked for a moment before the program sleeps, and samples are read
and packed while the device copies those before."""
import collections
import os

from cli import *

FAULT, POSE = os.environ["CUBIST_FAULT_LAYER"], os.environ["CUBIST_POSE_LAYER"]


def calls(folder, layers, *args):
    """The names of the functions that cubist called, in this order."""
    log = os.path.join(folder, "calls")
    ran = cubist(*args, "--iso", "100", "--method", "ink-collate",
                 env={**os.environ, "VK_LAYER_PATH": f"{FAULT}:{POSE}", "VK_INSTANCE_LAYERS": layers, "FAULT_LOG": log})
    check(ran.code == 0, ran)
    with open(log) as file:
        found = [line.split()[0] for line in file]
    os.unlink(log)
    return found


def most_in_flight(found):
    """How many submissions there are at once at most, by the waits between them."""
    now = most = 0
    for name in found:
        now += (name == "vkQueueSubmit2") - (name == "vkWaitForFences")
        most = max(most, now)
    return most


def main():
    need_device()
    with Folder() as folder:
        raw = sample(folder)
        for layers, asked in ("VK_LAYER_CUBIST_fault", False), ("VK_LAYER_CUBIST_fault:VK_LAYER_CUBIST_pose", True):
            found = collections.Counter(calls(folder, layers, "bench", "extract", "--repeat", "50", raw))
            check(found["vkCreatePipelineCache"] == 1 and found["vkGetPipelineCacheData"], "a pipeline cache:", found)
            check(found["vkQueueSubmit2"] > 50, "submissions:", found)
            check(0 < found["vkCreateFence"] <= 4, "fences are used again:", found)
            check(0 < found["vkAllocateCommandBuffers"] <= 4, "command buffers are used again:", found)
            check((found["vkGetFenceStatus"] > 50) == asked, "a device that is no CPU is asked first:", found)
        # The two halves of the staging buffer take turns: two copies are in flight, for both volumes.
        for path in sample(folder, dims="256x256x300"), raw:
            for storage in "buffer", "image":
                most = most_in_flight(calls(folder, "VK_LAYER_CUBIST_fault", "extract", "--storage", storage, path))
                check(most == 2, "copies at once:", storage, path, most)
        # The kernels of a part are those of the next one.
        found = calls(folder, "VK_LAYER_CUBIST_fault", "extract", "--memory-budget", "4",
                      sample(folder, dims="96x96x257"))
        made, loaded = found.count("vkCreateComputePipelines"), found.count("vkQueueSubmit2") / 4
        check(loaded > 50 > made > 0, "kernels that are made for many parts:", made, loaded)
    finish()


main()
