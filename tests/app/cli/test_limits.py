# ctest: plain share
"""Devices with less: each limit lowered and each optional feature off, alone and all at once. The result is
right, or the refusal names what is missing. See pose/layer.c."""
import os

from cli import WHOLE, Folder, check, cubist, finish, need_device, refused, sample

POSE = os.environ["CUBIST_POSE_LAYER"]

# What a device must have: a lie that takes it away, and the name in the refusal.
NEEDS = {
    "synchronization2=0": "synchronization2",
    "maintenance4=0": "maintenance4",
    "subgroupSizeControl=0": "subgroupSizeControl",
    "computeFullSubgroups=0": "computeFullSubgroups",
    "scalarBlockLayout=0": "scalarBlockLayout",
    "supportedOperations=1": "subgroup ballot, subgroup arithmetic, subgroup shuffle",
    "minSubgroupSize=2": "minSubgroupSize of 4 (it has 2)",
    "maxSubgroupSize=256": "maxSubgroupSize of at most 128",
    "maxComputeWorkGroupInvocations=128": "maxComputeWorkGroupInvocations of 256 (it has 128)",
    "maxComputeWorkGroupSize=128": "maxComputeWorkGroupSize of 256 (it has 128)",
    "maxPushConstantsSize=100": "maxPushConstantsSize of 104 (it has 100)",
    "maxPerStageDescriptorStorageBuffers=4": "maxPerStageDescriptorStorageBuffers of ",
    "maxPerStageDescriptorSampledImages=1": "maxPerStageDescriptorSampledImages of ",
    "maxPerStageDescriptorStorageImages=0": "maxPerStageDescriptorStorageImages of ",
    "maxPerStageResources=8": "maxPerStageResources of ",
    "queueFlags=4": "a compute queue",
}
FOR_DRAWING = {"dynamicRendering=0": "dynamicRendering", "queueFlags=6": "a queue that both draws and computes"}

# Limits that divide the volume of this test, each by itself.
NO_BUFFER = "shaderStorageImageExtendedFormats=0"
DIVIDE = ["maxStorageBufferRange=120000", "maxMemoryAllocationSize=120000", "maxBufferSize=120000",
          "maxTexelBufferElements=5000", f"maxResourceSize=12000,{NO_BUFFER}",
          f"maxImageDimension2D=64,maxImageArrayLayers=3,{NO_BUFFER}",
          "maxStorageBufferRange=120000,maxMemoryAllocationCount=40"]
OTHER = [NO_BUFFER, "timestampValidBits=0", "requiredSubgroupSizeStages=0", "queueFlags=6", "dynamicRendering=0",
         "maxComputeWorkgroupSubgroups=1"]

# What the specification, or compute/gpu/README.md, asks for at least.
LEAST = {"maxTexelBufferElements": 65536, "maxStorageBufferRange": 1 << 27, "maxMemoryAllocationSize": 1 << 30,
         "maxBufferSize": 1 << 30, "maxResourceSize": 1 << 31, "maxImageDimension2D": 4096, "maxImageArrayLayers": 256,
         "maxPushConstantsSize": 128, "maxMemoryAllocationCount": 4096, "maxComputeWorkGroupInvocations": 256,
         "maxComputeWorkGroupSize": 256, "minStorageBufferOffsetAlignment": 256,
         "minTexelBufferOffsetAlignment": 256, "maxComputeSharedMemorySize": 16384,
         "maxPerStageDescriptorSampledImages": 16, "maxPerStageDescriptorStorageImages": 4, "maxPerStageResources": 128,
         "requiredSubgroupSizeStages": 0, "timestampValidBits": 0, "shaderInt64": 0, "bufferDeviceAddress": 0, "fullDrawIndexUint32": 0,
         "fillModeNonSolid": 0, "shaderStorageImageExtendedFormats": 0, "maxDrawIndexedIndexValue": (1 << 24) - 1}


def lying(lies, validated=False):
    layers = "VK_LAYER_KHRONOS_validation:" if validated else ""
    return {**os.environ, "CUBIST_POSE": lies, "VK_INSTANCE_LAYERS": layers + "VK_LAYER_CUBIST_pose",
            "VK_LAYER_PATH": "/usr/share/vulkan/explicit_layer.d:" + POSE}  # in this order, too


def needs_are_named(volume):
    ran = cubist("devices", "--json", env=lying(",".join([*NEEDS, *FOR_DRAWING][:-2] + ["queueFlags=4"])))
    device = ran.json()["devices"][0]
    check(ran.code == 4 and not device["usable"], "a device without anything:", ran)
    for name in NEEDS.values():
        check(name in ", ".join(device["lacks"]) and name in device["reason"], f"{name} is not in", device)
    ran = cubist("devices", env=lying("maxPushConstantsSize=100"))
    check(ran.code == 4 and "cannot be used: it lacks maxPushConstantsSize of 104 (it has 100)\n" in ran.out, ran)
    ran = cubist("devices", env=lying("apiVersion=0x402000"))
    check("cannot be used: it lacks Vulkan 1.3 (it has 1.2)\n" in ran.out, ran)
    for lie, name in FOR_DRAWING.items():
        ran = cubist("devices", "--json", env=lying(lie))
        device = ran.json()["devices"][0]
        check(device["usable"] and device["lacks"] == [] and device["lacks_for_drawing"] == [name], lie, ran)
        check(f"but render, animate and view: it lacks {name} for drawing" in cubist("devices", env=lying(lie)).out, lie)
        refused(cubist("render", volume, "-o", "no.png", env=lying(lie)), 4, f"{name} for drawing")


def verify(volume, lies, *more, method="ink-collate", **how):
    ran = cubist("verify", volume, "--method", method, "--json", *more, env=lying(lies, **how))
    if not check(ran.code == 0 and ran.json()["ok"], lies, ran):
        return 0
    return ran.json()["slabs"]["count"] if ran.json()["slabs"] else 1


def limits_divide(volume):
    check(verify(volume, "type=4") == 1, "the volume is divided without a lie")
    for lie in DIVIDE if WHOLE else DIVIDE[::4]:
        check(verify(volume, lie) > 1, lie, "does not divide the volume")
    for lie in OTHER if WHOLE else OTHER[::6]:
        check(verify(volume, lie) == 1, lie, "divides the volume")
    for lie, name in ("maxStorageBufferRange=3000", "maxStorageBufferRange"), ("maxTexelBufferElements=300", "maxTexelBufferElements"):
        refused(cubist("verify", volume, env=lying(lie)), 4, f"not even one row of cells.*{name}")


def all_at_once(volume):
    """The validation layer believes the lies, too: it reports whatever goes beyond them."""
    ran = cubist("verify", volume, "--method", "lookback", "--validate",
                 env=lying("minStorageBufferOffsetAlignment=1024", validated=True))
    check(ran.code == 1 and "VUID-VkWriteDescriptorSet-descriptorType-00328" in ran.err, "not believed:", ran)
    how = {"method": "lookback", "validated": True}  # of the methods that bind a buffer at an offset
    least = ",".join(f"{name}={value}" for name, value in LEAST.items())
    verify(volume, least, "--validate", **how)
    least = "type=2," + least  # with a GPU's traits
    verify(volume, least, "--validate", **how)
    divided = least.replace("BufferElements=65536", "BufferElements=5000").replace(f"Range={1 << 27}", "Range=120000")
    check(verify(volume, divided, "--validate", **how) > 1, "the least of all does not divide the volume")


def drawn_in_parts(folder, volume):
    """A surface with more vertices than one draw reaches. The parts are divided while they are made."""
    pictures = []
    for i, lies in enumerate(("type=4", "fullDrawIndexUint32=0,maxDrawIndexedIndexValue=4000")):
        path = os.path.join(folder, f"{i}.png")
        ran = cubist("render", volume, "-o", path, "--size", "200x150", env=lying(lies))
        check(ran.code == 0 and "part by part" not in ran.err, lies, ran)
        with open(path, "rb") as file:
            pictures.append(file.read())
    check(pictures[0] == pictures[1], "the picture of a surface that is drawn in parts is another one")


def without_timestamps(volume):
    for lie, times in ("type=4", 1), ("timestampValidBits=0", 0):
        ran = cubist("bench", "extract", volume, "--repeat", "1", "--json", env=lying(lie))
        ms = [run["gpu_ms"] for run in ran.json()["runs"]] if check(ran.code == 0, lie, ran) else []
        check(len(ms) == 1 and (ms[0] > 0 if times else ms[0] is None), lie, "gpu_ms:", ms)


def main():
    need_device()
    with Folder() as folder:
        volume = sample(folder, "noise", "40x24x20", "uint8")
        without_timestamps(volume)
        needs_are_named(volume)
        limits_divide(volume)
        all_at_once(volume)
        drawn_in_parts(folder, volume)
    finish()


main()
