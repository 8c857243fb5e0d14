# ctest: plain long
"""SwiftShader, a second implementation of Vulkan beside Mesa's, with 4 lanes and texel buffers of 65,536
elements: every method compacts streams right, and surfaces are right, from samples in texel buffers, in blocks
of them, and in an image. Its library is taken out of Debian's chromium-common (32 MB, downloaded once into the build's cache;
nothing is installed). Its compiler takes twice as long for each `?:` in a loop of a kernel that it does not
make a select of: so a test that runs into its timeout most likely means that a kernel has too many."""
import glob
import os
import shutil
import subprocess

from cli import Folder, check, cubist, finish, sample, skip

CACHE = os.path.join(os.environ["XDG_CACHE_HOME"], "swiftshader")
DRIVER = os.path.join(CACHE, "usr/lib/chromium/vk_swiftshader_icd.json")


def fetch():
    for tool in "apt-get", "dpkg-deb":
        if not shutil.which(tool):
            skip(f"{tool} is missing")
    os.makedirs(CACHE, exist_ok=True)
    got = subprocess.run(["apt-get", "download", "chromium-common"], cwd=CACHE, capture_output=True, text=True,
                         timeout=600)
    packages = glob.glob(os.path.join(CACHE, "chromium-common_*.deb"))
    if got.returncode != 0 or not packages:
        skip("chromium-common cannot be downloaded: " + " ".join(got.stderr.split())[:200])
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", packages[0]], stdout=subprocess.PIPE) as package:
        subprocess.run(["tar", "-x", "-C", CACHE, "--wildcards", "*swiftshader*"], stdin=package.stdout, check=True)
    for path in packages:
        os.unlink(path)


def main():
    if not os.path.exists(DRIVER):
        fetch()
    if not os.path.exists(DRIVER):
        skip("chromium-common has no SwiftShader")
    environment = {**os.environ, "VK_DRIVER_FILES": DRIVER, "VK_ICD_FILENAMES": DRIVER}
    devices = cubist("devices", "--json", env=environment).json()["devices"]
    check(len(devices) == 1 and "SwiftShader" in devices[0]["name"], "other devices:", devices)
    check(devices[0]["usable"] and not devices[0]["lacks"] and not devices[0]["lacks_for_drawing"], devices)
    # The bench compares every list with the one that the CPU makes.
    methods = {m["name"] for m in cubist("methods", "--json", env=environment).json()["methods"]
               if m["available"]}
    ran = cubist("bench", "compaction", "--size", "5000,60000", "--density", "10,50", "--repeat", "1", "--json",
                 env=environment, timeout=1200)
    table = ran.json() if check(ran.code == 0, ran) else {"rows": [], "left_out": None}
    rows = [row["method"] for row in table["rows"]]
    check(table["left_out"] == [] and all(rows.count(name) == 4 for name in methods), "some were left out:", ran)
    with Folder() as folder:
        # Texel buffers reach the samples of the first, and blocks of the next two. The last one is an image.
        for dims, type in ("33x17x9", "uint8"), ("64x64x64", "uint8"), ("72x40x24", "float32"), ("128x96x96", "uint8"):
            volume = sample(folder, "sphere", dims, type)
            ran = cubist("verify", volume, "--method", "all", "--json", env=environment, timeout=120)
            check(ran.code == 0 and ran.json()["ok"], dims, type, ran)
    finish()


main()
