#!/usr/bin/python3
# ctest: plain optimized
"""cmake --install and cpack: every file is in its place. The package names its dependencies, installs
into a scratch root, runs from there, and is removed without a trace. Nothing is installed on this
machine."""
import gzip
import re
import shutil
import stat
import subprocess
import xml.etree.ElementTree as xml

import helptext
from cli import *

BUILD = os.path.dirname(os.path.abspath(CUBIST))
SOURCE = os.environ["CUBIST_SOURCE"]
PACKAGE = os.path.join(SOURCE, "app", "package")
# Read too, but these endings mean other things as well: no type is claimed for them.
UNCLAIMED = {".raw", ".png", ".dat", ".hdr", ".img", ".hdr.gz", ".img.gz", ".tif", ".tiff", ".json",
             ".npy", ".npy.gz", ".map", ".map.gz",
             ".dcm", ".h5", ".hdf5", ".he5", ".nxs", ".ims", ".nc", ".nc4", ".cdf", ".mnc",
             ".slc", ".slc.gz", ".cube", ".cub", ".cube.gz", ".dx", ".dx.gz", ".zarr", ".n5", ".npz", ".bov"}

PLACES = {
    "bin/cubist": r"",
    "bin/cubist-bench": r"",
    "share/man/man1/cubist.1": r"\.TH CUBIST 1",
    "share/man/man1/cubist-bench.1": r"\.so man1/cubist.1",
    "share/bash-completion/completions/cubist": r"complete -F _cubist cubist",
    "share/zsh/site-functions/_cubist": r"\A#compdef cubist\n",
    "share/fish/vendor_completions.d/cubist.fish": r"complete -c cubist",
    "share/applications/cubist.desktop": r"\[Desktop Entry\]",
    "share/metainfo/cubist.metainfo.xml": r"<id>cubist.desktop</id>",
    "share/mime/packages/cubist.xml": r"<mime-info",
    "share/icons/hicolor/scalable/apps/cubist.svg": r"<svg ",
    "share/doc/cubist/LICENSE": r"MIT License",
}
# The second package, where it was built.
PLACES_MPI = {
    "bin/cubist-mpi": r"",
    "share/man/man1/cubist-mpi.1": r"\.TH CUBIST",
    "share/doc/cubist-mpi/LICENSE": r"MIT License",
} if os.environ.get("CUBIST_MPI") else {}
# The readers that were built.
READERS = [name for name in ("cubist-read-dicom", "cubist-read-hdf5") if os.path.exists(os.path.join(BUILD, name))]
PLACES_FORMATS = {**{f"lib/cubist/readers/{name}": r"" for name in READERS},
                  "share/doc/cubist-formats/LICENSE": r"MIT License"} if READERS else {}
PACKAGES = {name: places for name, places in (
    ("cubist", PLACES), ("cubist-mpi", PLACES_MPI), ("cubist-formats", PLACES_FORMATS)) if places}
MOVED = {
    "share/zsh/site-functions/_cubist": "share/zsh/vendor-completions/_cubist",
    **{f"share/man/man1/{name}.1": f"share/man/man1/{name}.1.gz" for name in [*PACKAGES, "cubist-bench"]},
    **{f"share/doc/{name}/LICENSE": f"share/doc/{name}/copyright" for name in PACKAGES},
}


def run(*args, fine=True, **more):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, timeout=250, **more)
    check(not fine or done.returncode == 0, *args, done.stdout)
    return done


def tool(name):
    if not shutil.which(name):
        print(f"not checked: {name} is not here")
    return shutil.which(name)


def files_of(top):
    return {os.path.relpath(os.path.join(folder, name), top)
            for folder, _, names in os.walk(top) for name in names}


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return file.read()


def program_runs(program, folder):
    """The program from another place, with nothing of the tree in reach."""
    env = {**os.environ, "PATH": "/usr/bin:/bin"}
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, env=env)
    check(version.returncode == 0 and re.fullmatch(r"cubist \d+\.\d+\.\d+\n", version.stdout),
          "--version:", version)
    raw = sample(folder, "torus")
    picture = os.path.join(folder, "torus.png")
    mesh = os.path.join(folder, "torus.ply")
    if cubist("devices").code == 4:
        print("not checked: there is no device to run it on")
        return
    run(program, "extract", raw, "-o", mesh, env=env, cwd=folder)
    run(program, "render", raw, "--size", "64x48", "-o", picture, env=env, cwd=folder)
    run(program, "bench", "extract", raw, "--iso", "50%", "--repeat", "1", env=env, cwd=folder)
    check(os.path.getsize(mesh) > 1000 and os.path.getsize(picture) > 100, "mesh and picture are empty")


def installed(folder):
    root = os.path.join(folder, "root")
    run("cmake", "--install", BUILD, "--prefix", root)
    found = files_of(root)
    pngs = {name for name in found if re.fullmatch(r"share/icons/hicolor/(\d+)x\1/apps/cubist\.png", name)}
    places = {place: pattern for each in PACKAGES.values() for place, pattern in each.items()}
    check(found - pngs == set(places), "files:", sorted(found - pngs ^ set(places)))
    check(shutil.which("rsvg-convert") is None or pngs or "RSVG_CONVERT-NOTFOUND" in
          read(os.path.join(BUILD, "CMakeCache.txt")), "the icon has no sizes")
    for place, pattern in places.items():
        path = os.path.join(root, place)
        if pattern and place in found:
            check(re.search(pattern, read(path)), f"{place} does not hold {pattern}")
        mode = stat.S_IMODE(os.lstat(path).st_mode)
        check(mode == (0o755 if place.startswith(("bin/", "lib/")) else 0o644), f"{place} has mode {mode:o}")
    for kind, place in [("man", "share/man/man1/cubist.1"),
                        ("bash", "share/bash-completion/completions/cubist"),
                        ("zsh", "share/zsh/site-functions/_cubist"),
                        ("fish", "share/fish/vendor_completions.d/cubist.fish")]:
        check(read(os.path.join(root, place)) == cubist("--print", kind).out, f"{place} is out of date")
    desktop(root)
    mime(root, folder)
    return root


def desktop(root):
    entry = os.path.join(root, "share/applications/cubist.desktop")
    if tool("desktop-file-validate"):
        done = run("desktop-file-validate", entry)
        check(not done.stdout, done.stdout)
    claimed = set(re.search(r"^MimeType=(.*);$", read(entry), re.M)[1].split(";"))
    defined = {t.get("type") for t in xml.parse(os.path.join(root, "share/mime/packages/cubist.xml")).getroot()}
    info = xml.parse(os.path.join(root, "share/metainfo/cubist.metainfo.xml")).getroot()
    told = {t.text for t in info.iter("mediatype")}
    check(claimed == defined == told, "types:", claimed, defined, told)
    check(info.find("releases/release").get("version") == cubist("--version").out.split()[1], "version")
    xml.parse(os.path.join(root, "share/icons/hicolor/scalable/apps/cubist.svg"))
    if tool("appstreamcli"):
        done = run("appstreamcli", "validate", "--no-net", "--no-color",
                   os.path.join(root, "share/metainfo/cubist.metainfo.xml"), fine=False)
        # A name of a domain would need a domain.
        found = [line for line in done.stdout.splitlines()
                 if re.match(r"[EW]: ", line) and "cid-desktopapp-is-not-rdns" not in line]
        check(not found, "appstreamcli:", done.stdout)


def mime(root, folder):
    """Every ending that says what a file is has a type, and the desktop's database takes it."""
    globs = [g.get("pattern") for g in
             xml.parse(os.path.join(root, "share/mime/packages/cubist.xml")).getroot().iter() if g.tag.endswith("glob")]
    text = cubist("--list-formats").out.split("volumes written")[0]
    endings = {word for line in re.findall(r"\(([^()]*)\)$", text, re.M) for word in line.split()}
    endings |= set(re.findall(r"^  (\.\S+)", text, re.M)) | set(re.findall(r"^  \.raw (\.\S+)", text, re.M))
    check({".nrrd", ".raw.gz", ".png"} <= endings, "endings:", endings)
    for ending in endings - UNCLAIMED:
        check("*" + ending in globs, f"no type for {ending}")
    for kind in "uint8 int8 uint16 int16 uint32 int32 float32 float64".split():
        check(f"*_{kind}.raw" in globs, f"no type for {kind}.raw")
    if tool("update-mime-database"):
        database = os.path.join(root, "share/mime")
        run("update-mime-database", database)
        check("application/vnd.nrrd:*.nrrd" in read(os.path.join(database, "globs2")), "globs2")
        check(os.path.getsize(os.path.join(database, "magic")) > 100, "magic")


def control(deb, name):
    text = run("dpkg-deb", "-f", deb).stdout
    field = dict(re.findall(r"^([A-Z][\w-]+): (.*)$", text, re.M))
    depends = {d.split()[0] for d in field["Depends"].split(", ")}
    check(field["Package"] == name and field["Version"] == cubist("--version").out.split()[1], field)
    check(field["Section"] == ("graphics" if name == "cubist" else "science") and "@" in field["Maintainer"], field)
    libraries = [word for word in ("gdcm", "hdf5", "netcdf", "vulkan") if word in field["Depends"]]
    if name == "cubist-formats":
        expected = [word for word, reader in (("gdcm", "dicom"), ("hdf5", "hdf5")) if f"cubist-read-{reader}" in READERS]
        check(libraries == expected and "Recommends" not in field, "Depends:", field["Depends"])
        return
    check(libraries == ["vulkan"] and "cubist-formats" in field["Recommends"], "Depends:", field["Depends"])
    # What the program is linked to, and the loader that it opens at run time.
    check({"libvulkan1", "libc6", "zlib1g"} <= depends, "Depends:", field["Depends"])
    window = depends & {"libglfw3", "libstdc++6"}
    check(len(window) == 2 if name == "cubist" else "libglfw3" not in window, "Depends:", field["Depends"])
    check(bool(re.search("openmpi|mpich", field["Depends"])) == (name == "cubist-mpi"), "Depends:", field["Depends"])
    check("libvulkan1 (>= 1.3" in field["Depends"], "Depends:", field["Depends"])
    check("mesa-vulkan-drivers" in field["Recommends"] and "fonts-dejavu-core" in field["Recommends"],
          "Recommends:", field["Recommends"])
    check(int(field["Installed-Size"]) > 500, field)


def contents(deb, name):
    found = set()
    for line in run("dpkg-deb", "-c", deb).stdout.splitlines():
        mode, owner, _size, _day, _time, path = line.split(None, 5)
        check(owner == "root/root", line)
        check(mode in ("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"), line)
        check(mode[0] == "d" or (mode[3] == "x") == path.startswith(("./usr/bin/", "./usr/lib/")), line)
        if mode[0] != "d":
            found.add(path.removeprefix("./usr/"))
    expected = {MOVED.get(place, place) for place in PACKAGES[name]} | {f"share/doc/{name}/changelog.gz"}
    found = {path for path in found if not path.endswith("/cubist.png")}
    check(found == expected, "package:", sorted(found ^ expected))


def readers_run(root):
    """The installed program finds the installed readers, and nothing of their libraries is in it."""
    program = os.path.join(root, "bin/cubist")
    linked = run("ldd", program).stdout
    check("libc.so" in linked and not re.search("gdcm|hdf5|netcdf", linked), linked)
    for reader in READERS:
        done = run(os.path.join(root, "lib/cubist/readers", reader), "--formats")
        check('"cubist": 1' in done.stdout, done.stdout)
    broken = os.path.join(root, "a.h5")
    with open(broken, "wb") as file:
        file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))
    if "cubist-read-hdf5" in READERS:
        done = run(program, "info", broken, fine=False)
        check(done.returncode == 3 and "apt install" not in done.stdout, done.stdout)


def comes_and_goes(deb, folder):
    """dpkg's own way into a root of its own, and out of it."""
    root = os.path.join(folder, "machine")
    os.makedirs(os.path.join(root, "var/lib/dpkg/updates"))
    os.makedirs(os.path.join(root, "var/lib/dpkg/info"))
    for name in "status", "available":
        open(os.path.join(root, "var/lib/dpkg", name), "w").close()
    dpkg = ["dpkg", f"--root={root}", f"--log={folder}/dpkg.log", "--force-not-root", "--force-depends",
            "--force-bad-path"]
    if os.getuid() != 0:
        print("not checked: dpkg unpacks for root only")
        return
    before = {name for name in files_of(root) if not name.startswith("var/")}
    run(*dpkg, "-i", deb)
    program = os.path.join(root, "usr/bin/cubist")
    check(os.access(program, os.X_OK), "dpkg has not installed the program")
    check("install ok installed" in run(*dpkg, "-s", "cubist").stdout, "dpkg -s")
    program_runs(program, folder)
    run(*dpkg, "-P", "cubist")
    after = {name for name in files_of(root) if not name.startswith("var/")}
    check(after == before, "dpkg -P leaves:", sorted(after - before))
    check(not os.path.exists(os.path.join(root, "usr")), "dpkg -P leaves folders")


def lintian(deb):
    if tool("lintian"):
        done = run("lintian", "--tag-display-limit", "0", deb, fine=False,
                   env={**os.environ, "LC_ALL": "C.UTF-8"})
        # There is no bug that asked for the package, and no archive that it goes to.
        found = [line for line in done.stdout.splitlines()
                 if line.startswith(("E:", "W:")) and "initial-upload-closes-no-bugs" not in line]
        check(not found, "lintian:", "\n".join(found))


def package(folder):
    if not all([tool("dpkg-deb"), tool("dpkg-shlibdeps"), tool("file")]):
        print("not checked: the package")
        return
    run("cpack", "-G", "DEB", "-B", folder, "--config", os.path.join(BUILD, "CPackConfig.cmake"), cwd=folder)
    debs = {name.split("_")[0]: os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".deb")}
    if not check(set(debs) == set(PACKAGES) and
                 all(re.search(r"/[\w-]+_[\d.]+_\w+\.deb$", deb) for deb in debs.values()), "packages:", debs):
        return
    for name, deb in debs.items():
        control(deb, name)
        contents(deb, name)
        lintian(deb)
    deb = debs["cubist"]
    unpacked = os.path.join(folder, "unpacked")
    run("dpkg", "-x", deb, unpacked)
    program = os.path.join(unpacked, "usr/bin/cubist")
    program_runs(program, folder)
    manual = read(os.path.join(unpacked, "usr/share/man/man1/cubist.1.gz"))
    check(manual == cubist("--print", "man").out, "the packed man page is out of date")
    # Stripped, and no path of the build in it.
    if tool("readelf"):
        check(".symtab" not in run("readelf", "-SW", program).stdout, "the program is not stripped")
    with open(program, "rb") as file:
        check(BUILD.encode() not in file.read(), "the program knows where it was built")
    comes_and_goes(deb, folder)


with Folder() as top:
    os.chmod(top, 0o755)
    installed(top)
    program_runs(os.path.join(top, "root/bin/cubist"), top)
    readers_run(os.path.join(top, "root"))
    package(top)
finish()
