"""What a submission asks of the driver, by the log of the layer of sweep_vulkan.py: command buffers and fences
are used again, and a device that is no CPU is asked for a moment before the program sleeps."""
import collections
import os

from cli import *

FAULT, POSE = os.environ["CUBIST_FAULT_LAYER"], os.environ["CUBIST_POSE_LAYER"]


def calls(folder, raw, layers):
    """How often each function was called."""
    log = os.path.join(folder, "calls")
    ran = cubist("bench", "extract", "--iso", "100", "--method", "ink-collate", "--repeat", "50", raw,
                 env={**os.environ, "VK_LAYER_PATH": f"{FAULT}:{POSE}", "VK_INSTANCE_LAYERS": layers, "FAULT_LOG": log})
    check(ran.code == 0, "bench:", ran)
    with open(log) as file:
        found = collections.Counter(line.split()[0] for line in file)
    os.unlink(log)
    return found


def main():
    need_device()
    with Folder() as folder:
        raw = sample(folder)
        for layers, asked in ("VK_LAYER_CUBIST_fault", False), ("VK_LAYER_CUBIST_fault:VK_LAYER_CUBIST_pose", True):
            found = calls(folder, raw, layers)
            check(found["vkQueueSubmit2"] > 50, "submissions:", found)
            check(0 < found["vkCreateFence"] <= 4, "fences are used again:", found)
            check(0 < found["vkAllocateCommandBuffers"] <= 4, "command buffers are used again:", found)
            check((found["vkGetFenceStatus"] > 50) == asked, "a device that is no CPU is asked first:", found)
    finish()


main()
