"""Builds Mesa's stand-in for Intel's kernel driver (drm-shim), which answers what Intel's Vulkan driver
asks and executes nothing. With it that driver compiles without a GPU. Debian has no package of it, so the
sources of Mesa and of libdrm come from Debian, through an apt with a configuration and lists of its own."""
import glob
import os
import shutil
import subprocess

MESA = "22.3"  # whose files these are: Debian 12's
FILES = ["src/drm-shim/device.c", "src/drm-shim/drm_shim.c", "src/intel/tools/intel_noop_drm_shim.c",
         "src/intel/common/intel_engine.c", "src/intel/common/intel_gem.c",
         "src/intel/dev/intel_device_info.c", "src/intel/dev/intel_hwconfig.c",
         *(f"src/util/{name}.c" for name in
           ("hash_table", "log", "os_misc", "ralloc", "set", "u_debug", "vma"))]
FLAGS = ["-shared", "-fPIC", "-O1", "-w", "-std=gnu11", "-D_GNU_SOURCE", "-DHAVE_PTHREAD",
         "-DHAVE_STRUCT_TIMESPEC", "-DHAVE_TIMESPEC_GET", "-DHAVE_ENDIAN_H", "-DHAVE_SECURE_GETENV",
         "-DHAVE_MEMFD_CREATE", "-DHAVE_FUNC_ATTRIBUTE_PACKED", "-DHAVE_FUNC_ATTRIBUTE_VISIBILITY",
         "-DHAVE___BUILTIN_CLZ", "-DHAVE___BUILTIN_FFS", "-DHAVE___BUILTIN_FFSLL",
         "-DHAVE___BUILTIN_POPCOUNT", "-DHAVE___BUILTIN_UNREACHABLE", "-DUTIL_ARCH_LITTLE_ENDIAN=1",
         "-DUTIL_ARCH_BIG_ENDIAN=0", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections",
         "-Wl,--gc-sections", "-Wl,--no-undefined"]
DEBIAN = ("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
          "http://deb.debian.org/debian bookworm main\n")


class Missing(Exception):
    """Something that is not of the program cannot be had: why, one line."""


def mesa():
    """The version of the installed drivers as Debian writes it; "" where they are not from Debian."""
    try:
        return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "mesa-vulkan-drivers"],
                              capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""


def fetched(folder):
    """Debian's sources, unpacked below `folder`: the folders of Mesa and of libdrm. Raises Missing."""
    for name in "etc", "state", "cache", "sources":
        os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, "etc/sources.list"), "w") as file:
        file.write(DEBIAN)
    # Of the machine's configuration, only how to reach a server. Its hooks would work on its own lists.
    reach = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True)
    with open(os.path.join(folder, "apt.conf"), "w") as file:
        file.write(reach.stdout + "".join(
            f'Dir::{what} "{os.path.join(folder, what.lower())}";\n' for what in ("Etc", "State", "Cache")))
    environment = {**os.environ, "APT_CONFIG": os.path.join(folder, "apt.conf")}
    at = os.path.join(folder, "sources")
    for command in ["update", "-o", "APT::Update::Error-Mode=any"], ["source", "--download-only", "mesa", "libdrm"]:
        done = subprocess.run(["apt-get", "-qq", *command], cwd=at, env=environment, capture_output=True,
                              text=True, timeout=300)
        if done.returncode != 0:
            wrong = [line for line in done.stderr.splitlines() if line.startswith("E:")]
            raise Missing(f"Debian's sources cannot be had: apt-get {command[0]}: {' '.join(wrong[:1])}")
    for archive in glob.glob(os.path.join(at, "*.orig.tar.*")):
        if not archive.endswith(".asc"):
            subprocess.run(["tar", "-x", "-f", archive], cwd=at, check=True)
    return glob.glob(os.path.join(at, "mesa-*/"))[0], glob.glob(os.path.join(at, "libdrm-*/"))[0]


def build(folder):
    """Builds it in `folder`, which is emptied first: the path of the library. About 200 MiB are needed
    while it is built. Raises Missing, or CalledProcessError with the compiler's words in stderr."""
    if not mesa().startswith(MESA):
        raise Missing(f"the files of Mesa {MESA} are known, installed is {mesa() or 'no package of Debian'}")
    for tool in "apt-get", "cc":
        if not shutil.which(tool):
            raise Missing(f"{tool} is not installed")
    shutil.rmtree(folder, ignore_errors=True)
    sources, libdrm = fetched(folder)
    library = os.path.join(folder, "intel_noop_drm_shim.so")
    headers = [os.path.join(sources, name) for name in ("include", "src", "src/intel", "src/util")]
    headers += [libdrm, os.path.join(libdrm, "include/drm")]
    subprocess.run(["cc", *FLAGS, *(f"-I{name}" for name in headers),
                    *(os.path.join(sources, name) for name in FILES), "-o", library, "-l:libdrm.so.2"],
                   check=True, capture_output=True, text=True, timeout=300)
    for name in "etc", "state", "cache", "sources":
        shutil.rmtree(os.path.join(folder, name))
    return library
