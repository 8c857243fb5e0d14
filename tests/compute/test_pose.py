# ctest: plain
"""`cubist verify` on llvmpipe posing as a GPU: the ways that the program takes on a GPU, such as one cell a
lane. Then the same layer as an old validation layer. See pose/layer.c."""
import json
import os
import re

from cli import Folder, check, cubist, finish, need_device, sample

VALIDATION = "VK_LAYER_KHRONOS_validation"
LAYER = {"VK_LAYER_PATH": os.environ["CUBIST_POSE_LAYER"], "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_pose"}


def old_layer(folder, version, asks):
    """Under --validate no extension is asked for that is newer than the validation layer, which this layer poses as.
    A driver that does not have it, as that of Debian 12, then refuses the kernels."""
    with open(os.path.join(os.environ["CUBIST_POSE_LAYER"], "VkLayer_cubist_pose.json")) as file:
        manifest = json.load(file)
    manifest["layer"].update(name=VALIDATION, api_version=version, library_path=os.path.join(
        os.environ["CUBIST_POSE_LAYER"], "libcubist_pose.so"))
    with open(os.path.join(folder, "layer.json"), "w") as file:
        json.dump(manifest, file)
    environment = {**os.environ, "VK_LAYER_PATH": folder, "CUBIST_POSE": "shaderMaximalReconvergence=1"}
    ran = cubist("extract", sample(folder, "sphere", "8x8x8", "uint8"), "--validate", env=environment)
    refused = ran.code == 4 and "execution mode: unknown (6023)" in ran.err
    may_have_it = re.search(r"Mesa (2[4-9]|[3-9]\d)", ran.err + cubist("devices").out)  # llvmpipe
    check(refused if asks and not may_have_it else ran.code == 0, f"with a layer of {version}:", ran)


def main():
    need_device()
    with Folder() as folder:
        environment = {**os.environ, **LAYER}
        types = {device["type"] for device in cubist("devices", "--json", env=environment).json()["devices"]}
        check(types == {"discrete"}, f"devices of types {types} do not pose")
        for name, dims, kind in ("default", "33x17x9", "uint8"), ("gyroid", "20x20x20", "float32"):
            ran = cubist("verify", sample(folder, name, dims, kind), "--json", env=environment)
            check(ran.code == 0 and ran.json()["ok"], "posing as a GPU:", ran)
        # A driver whose lanes may run apart: of NVIDIA (4), and of Intel (6), which has subgroups of 16.
        volume = sample(folder, "gyroid", "33x17x20", "uint8")
        for driver in 4, 6:
            apart = {**environment, "CUBIST_POSE": f"type=2,driverID={driver}"}
            for what in ("--method", "all"), ("--draw", "rays", "--size", "160x100"):
                ran = cubist("verify", volume, *what, "--json", env=apart)
                check(ran.code == 0 and ran.json()["ok"], f"posing as driver {driver}, {what}:", ran)
        for version, asks in ("1.3.239", False), ("1.3.273", False), ("1.3.274", True):
            old_layer(folder, version, asks)
    finish()


main()
