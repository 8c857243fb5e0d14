# ctest: plain
"""`cubist verify` on llvmpipe posing as a GPU: the ways that the program takes on a GPU, such as one cell a
lane. See pose/layer.c."""
import os

from cli import Folder, check, cubist, finish, need_device, sample

LAYER = {"VK_LAYER_PATH": os.environ["CUBIST_POSE_LAYER"], "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_pose"}


def main():
    need_device()
    with Folder() as folder:
        environment = {**os.environ, **LAYER}
        types = {device["type"] for device in cubist("devices", "--json", env=environment).json()["devices"]}
        check(types == {"discrete"}, f"devices of types {types} do not pose")
        for name, dims, kind in ("default", "33x17x9", "uint8"), ("gyroid", "20x20x20", "float32"):
            ran = cubist("verify", sample(folder, name, dims, kind), "--json", env=environment)
            check(ran.code == 0 and ran.json()["ok"], "posing as a GPU:", ran)
    finish()


main()
