# ctest: plain share
"""`cubist verify` on llvmpipe with subgroups of 4, 8 and 16 lanes: 32 bits of its vectors are a lane. The share
leaves out 8, which AVX2 has, so that test_cli_verify has them."""
import os
import re

from cli import WHOLE, Folder, check, cubist, finish, sample, skip


def main():
    with Folder() as folder:
        raw = sample(folder, "default", "33x17x9")
        for lanes in (4, 8, 16) if WHOLE else (4, 16):
            environment = {**os.environ, "LP_NATIVE_VECTOR_WIDTH": str(32 * lanes)}
            devices = cubist("devices", "--json", env=environment).json()["devices"]
            names = [device["name"] for device in devices if device["name"].startswith("llvmpipe")]
            if not names:
                skip("llvmpipe is not installed (Debian: mesa-vulkan-drivers)")
            mesa = re.search(r"Mesa (\d+)", devices[0]["driver"])
            if lanes != 8 and mesa and int(mesa.group(1)) >= 25:
                print(f"{lanes} lanes are not tried: llvmpipe of Mesa 25.0 is broken with them")
                continue
            check(f" {32 * lanes} bits" in names[0], f"{names[0]} has not taken {32 * lanes} bits")
            ran = cubist("verify", raw, "--device", "llvmpipe", "--json", env=environment)
            check(ran.code == 0 and ran.json()["ok"], f"{lanes} lanes:", ran)
    finish()


main()
