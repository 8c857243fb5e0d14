#!/usr/bin/python3
# ctest: device twin heavy share
"""Several isovalues in extract, info and verify: each file equals that of a run of its own, a GLB file has an object
for each, JSON has their sums and each of them; what is refused; what fails at a later one says what was written."""
import random
import shutil

from cli import *
from mesh_files import *

ISOS = "100", "60.5", "180"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def single(top, raw, iso, format):
    """The bytes of a run of its own, made once."""
    path = os.path.join(top, f"{os.path.basename(raw)}.{iso}.{format}")
    if not os.path.exists(path):
        ran = cubist("extract", raw, "--iso", iso, "-o", path, "-q")
        check(ran.code == 0, ran)
    return read(path)


def files(top, raw):
    patterns = ("a_{n}", ["a_1", "a_2", "a_3"]), ("{iso}", ISOS), ("{n}-{iso}{n}", ["1-1001", "2-60.52", "3-1803"])
    for i, format in enumerate(("ply", "stl", "obj", "vtp", "off", "glb")):
        for more in ([], ["--memory-budget", "1"]) if WHOLE or i == 0 else ([],):
            for pattern, names in patterns if WHOLE else patterns[i % 3:][:1]:
                ran = cubist("extract", raw, "--iso", ",".join(ISOS), "-o", f"{top}/out/{pattern}.{format}", "-q", *more)
                check(ran.code == 0 and ran.out == "", ran)
                check(sorted(os.listdir(f"{top}/out")) == sorted(f"{name}.{format}" for name in names), os.listdir(f"{top}/out"))
                for name, iso in zip(names, ISOS):
                    check(read(f"{top}/out/{name}.{format}") == single(top, raw, iso, format), pattern, iso, format, *more)
                    os.remove(f"{top}/out/{name}.{format}")
    # One isovalue, and those that only the samples tell.
    facts = cubist("info", raw, "--json").json()
    for iso in "100", "auto", "50%":
        path = f"{top}/out/one_{{iso}}_{{n}}.ply"
        ran = cubist("extract", raw, "--iso", iso, "-o", path, "--json")
        named = path.replace("{iso}", f"{ran.json()['iso']:g}").replace("{n}", "1")
        check(ran.json()["output"] == named and "contours" not in ran.json(), ran)
        check(read(named) == single(top, raw, iso, "ply"), iso)
        os.remove(named)
    ran = cubist("extract", raw, "--iso", "auto,50%", "-o", f"{top}/out/{{iso}}.ply", "-q")
    half = (facts["range"][0] + facts["range"][1]) / 2
    for iso in facts["iso"], half:
        check(read(f"{top}/out/{iso:g}.ply") == single(top, raw, f"{iso}", "ply"), iso, ran)
        os.remove(f"{top}/out/{iso:g}.ply")
    ran = cubist("extract", raw, "--iso", "100,180", "-o", f"{top}/out/{{n}}.pvtp", "-q")
    check(sorted(os.listdir(f"{top}/out")) == ["1", "1.pvtp", "2", "2.pvtp"], os.listdir(f"{top}/out"), ran)
    shutil.rmtree(f"{top}/out")
    os.mkdir(f"{top}/out")


def objects(top, raw):
    """Also objects without triangles, which are left out, and a volume so far away that the node moves it."""
    far = placed(raw, "far", [[0.25, 0.05, 0], [0, -0.5, 0], [0, 0, 0.25]], [615850, 5846925, 758.5])
    path = f"{top}/out/all.glb"
    for volume in raw, far:
        lists = ISOS, ("-1", "100", "300", "180", "301"), ("-1", "300"), ISOS + ISOS + ("30", "31")
        for isos in lists if WHOLE else lists[1:3] if volume == raw else lists[3:]:
            for more in ([], ["--memory-budget", "1"]) if WHOLE or len(isos) > 2 else ([],):
                ran = cubist("extract", volume, "--iso", ",".join(isos), "-o", path, "-q", *more)
                found, wanted = glb_objects(path) if check(ran.code == 0, ran) else [], []
                for iso in isos:
                    wanted += [(iso, mesh) for _, mesh in glb_objects_of(top, volume, iso)]
                check([name for name, _ in found] == [name for name, _ in wanted], isos, [name for name, _ in found])
                for (name, mesh), (_, expected) in zip(found, wanted):
                    check(all((a == b).all() for a, b in zip(mesh, expected)), "another object:", volume, name, *more)
                if found:
                    node = glb_matrix(f"{top}/{os.path.basename(volume)}.100.glb")
                    check((glb_matrix(path) == node).all(), "another place:", volume, *more)
    to_pipe = cubist("extract", raw, "--iso", "100,180", "--format", "glb", "-o", "-", "-q", text=False)
    cubist("extract", raw, "--iso", "100,180", "-o", path, "-q")
    check(to_pipe.out == read(path), "through a pipe")
    os.remove(path)


def materials(top, raw):
    """--color and --opacity give each contour of a GLB file a material of its own, and change nothing else."""
    def of(path):
        """The file's materials, and its bytes without them."""
        tree, binary = glb_chunks(path)
        found = [tree["materials"][mesh["primitives"][0]["material"]] for mesh in tree["meshes"]]
        check(len(tree["materials"]) in (1, len(found)), tree["materials"])
        for mesh in tree["meshes"]:
            mesh["primitives"][0].pop("material")
        tree.pop("materials")
        return [(m["pbrMetallicRoughness"]["baseColorFactor"], m.get("alphaMode")) for m in found], tree, binary

    def linear(text):
        shown = [int(text[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shown]

    grey = [0.8, 0.8, 0.8]
    path, plain, share = (f"{top}/out/{name}.glb" for name in ("with", "plain", "merged"))
    cases = (
        (ISOS, ["--color", "#d08050,auto,skin", "--opacity", "0.25,0,1"], [linear("d08050"), grey, linear("dfa98c")], [0.25, 0, 1]),
        (ISOS, ["--color", "red"], [linear("d0463b")] * 3, [1, 1, 1]),
        (ISOS, ["--opacity", "0.5"], [grey] * 3, [0.5] * 3),
        (("100", "-1", "180"), ["--color", "#000000,#ffffff,#0a0a0a"], [linear("000000"), linear("0a0a0a")], [1, 1]),
        (ISOS[:1], ["--color", "#102030", "--opacity", "0.75"], [linear("102030")], [0.75]),
    )
    for isos, options, colours, alphas in cases if WHOLE else (cases[0], cases[4]):
        command = "extract", raw, "--iso", ",".join(isos), "-q"
        for more in [], ["--memory-budget", "1"], ["--resume", f"{top}/resumed"]:
            if (more[:1] == ["--resume"] and len(isos) > 1) or not (WHOLE or more):
                continue
            for to, given in (path, options), (plain, []):
                ran = cubist(*command, "-o", to, *given, *more)
                check(ran.code == 0, ran)
            (found, *rest), (before, *wanted) = of(path), of(plain)
            check(rest == wanted and set(map(str, before)) == {str((grey + [1], None))}, before)
            check(len(found) == len(colours), found)
            for (factor, mode), colour, alpha in zip(found, colours, alphas):
                check(np.allclose(factor, colour + [alpha], atol=2e-6) and mode == ("BLEND" if alpha < 1 else None), factor, mode, colour, alpha)
    # Files of their own.
    cubist("extract", raw, "--iso", ",".join(ISOS), "-o", f"{top}/out/{{n}}.glb", "-q", "--color", "red,auto,#d08050", "--opacity", "1,.5,.25")
    for n in range(len(ISOS)):
        check(np.allclose(of(f"{top}/out/{n + 1}.glb")[0][0][0], ([linear("d0463b"), grey, linear("d08050")][n]) + [1 / 2 ** n], atol=2e-6), n)
    cubist("extract", raw, "--iso", "100", "--share", "1/1", "-o", f"{top}/out/1.share", "-q")
    cubist("merge", f"{top}/out/1.share", "-o", share, "-q", "--color", "#102030", "--opacity", "0.75")
    check(read(share) == read(path), "merge")
    shutil.rmtree(f"{top}/resumed")
    for name in os.listdir(f"{top}/out"):
        os.remove(f"{top}/out/{name}")
    before = snapshot(top)
    for option in ["--color", "red"], ["--opacity", "0.5"]:
        for more in ["-o", f"{top}/out/a.ply"], ["-o", f"{top}/out/a.pvtp"], ["-o", f"{top}/out/a.glb", "--format", "obj"], []:
            refused(cubist("extract", raw, "--iso", "100", *option, *more), 2, f"^cubist: {option[0]} is for meshes with materials, which only GLB files have", top, before)
        refused(cubist("extract", raw, "--iso", "100", "--share", "1/2", "-o", f"{top}/out/1.share", *option), 2, f"^cubist: --share takes no {option[0]}", top, before)
    refused(cubist("extract", raw, "--iso", "100,180", "-o", f"{top}/out/a.glb", "--color", "red,blue,red"), 2, "--color has 3 values, --iso 2", top, before)


def glb_objects_of(top, volume, iso):
    single(top, volume, iso, "glb")
    return glb_objects(f"{top}/{os.path.basename(volume)}.{iso}.glb")


def without(report, *keys):
    return {key: value for key, value in report.items() if key not in keys}


def reports(top, raw):
    one = [cubist("extract", raw, "--iso", iso, "--json").json() for iso in ISOS]
    for pattern in None, "{iso}.ply", "all.glb":
        out = [] if pattern is None else ["-o", f"{top}/out/{pattern}"]
        several = cubist("extract", raw, "--iso", ",".join(ISOS), "--json", *out).json()
        check(several["iso"] is None and several["output"] == (out[1] if out else None), several)
        for key in "active_cells", "vertices", "triangles":
            check(several[key] == sum(report[key] for report in one), key, several[key])
        check(len(several["contours"]) == len(ISOS), several)
        for iso, report, contour in zip(ISOS, one, several["contours"]):
            check(contour["iso"] == float(iso), contour)
            check(("output" in contour) == (pattern == "{iso}.ply"), contour)
            check(contour.get("output", f"{top}/out/{iso}.ply") == f"{top}/out/{iso}.ply", contour)
            check(without(contour, "output").items() <= report.items(), contour, report)
        check(set(one[0]) - set(several) == {"area", "volume", "parts", "euler", "watertight", "closed", "open_edges", "bounds"},
              set(one[0]) - set(several))
    info = cubist("info", raw, "--iso", ",".join(ISOS), "--json").json()["surface"]
    check(info["contours"] == [without(c, "output") for c in several["contours"]] and info["triangles"] == several["triangles"], info)

    def lines(ran):
        check(ran.code == 0 and ran.err == "", ran)
        return [line for line in ran.out.splitlines() if not line.startswith(("milliseconds", "device memory"))]

    blocks = lines(cubist("extract", raw, "--iso", ",".join(ISOS)))
    check(blocks == "\0\0".join("\0".join(lines(cubist("extract", raw, "--iso", iso))) for iso in ISOS).split("\0"), blocks)
    text = lines(cubist("info", raw, "--iso", ",".join(ISOS)))
    head = lines(cubist("info", raw))
    check(text == head + sum((lines(cubist("info", raw, "--iso", iso))[len(head):] for iso in ISOS), []), text)
    for name in os.listdir(f"{top}/out"):
        os.remove(f"{top}/out/{name}")


def verified(raw):
    for more in ["--method", "ink-collate"], ["--draw", "rays", "--caster", "dda", "--size", "60x40"]:
        one = [cubist("verify", raw, "--iso", iso, "--json", *more).json() for iso in ISOS]
        several = cubist("verify", raw, "--iso", ",".join(ISOS), "--json", *more).json()
        check(several["iso"] is None and several["ok"] is True, several)
        check(several["contours"] == [without(report, "schema", "file", "dims", "type", "device") for report in one], several)
        check(without(several, "iso", "contours").items() <= one[0].items(), several)
        text = cubist("verify", raw, "--iso", ",".join(ISOS), *more)
        check(text.code == 0 and text.out == "".join(cubist("verify", raw, "--iso", iso, *more).out for iso in ISOS), text)
    # Each is checked, also after one that differs; no surface at 300, so nothing to damage there.
    for damage, more in ("move-vertex", ["--method", "ink-collate"]), ("hits", ["--draw", "rays", "--caster", "dda", "--size", "60x40"]):
        ran = cubist("verify", raw, "--iso", "100,180", "--break", damage, "-q", *more)
        check(ran.code == 6 and ran.out.count("FAIL") >= 2 and re.search(r"isovalue 100: \d+ of \d+ checks failed; \d+ of \d+ at isovalue 180$", ran.err.strip()), ran)
        report = cubist("verify", raw, "--iso", "100,180", "--break", damage, "--json", *more)
        check(report.code == 6 and report.json()["ok"] is False and not any(c["ok"] for c in report.json()["contours"]), report)


def refusals(top, raw):
    os.mkdir(f"{top}/out/180.ply")
    copies = [shutil.copy(raw, f"{top}/{name}.ply") for name in ("in_100", f"in_{cubist('info', raw, '--json').json()['iso']:g}")]
    before = snapshot(top)
    for iso, name, more, said in (
        ("100,180", "x.ply", [], r"2 isovalues need a file each; put \{iso\} or \{n\} into the name, such as mesh_\{iso\}\.ply$"),
        ("1:9:9", "{n}.ply", [], "at most 8 isovalues"),
        ("100,180", "-", [], "need a file each"),
        ("100,1e2", "a{iso}.ply", [], "isovalues 1 and 2 would both be written to '.*a100.ply'"),
        ("100,180,50%,50%", "a{iso}.glb", [], "isovalues 3 and 4 would both"),
        ("100,180", "{n}.xyz", [], "unknown kind of file"),
        ("100,180", "{n}.share", ["--share", "1/2"], "--share takes one isovalue"),
        ("100,180", "{n}.ply", ["--resume", f"{top}/work"], "--resume takes one isovalue"),
        ("100,180", None, ["--plan", "ranks=2"], "--plan takes one isovalue"),
    ):
        out = [] if name is None else ["-o", name if name == "-" else f"{top}/out/{name}"]
        refused(cubist("extract", raw, "--iso", iso, *out, *more), 2, said, top, before)
    for name, said in ("{iso}", "is a folder"), ("none_{n}/a", "its folder"):
        refused(cubist("extract", raw, "--iso", "100,180", "-o", f"{top}/out/{name}.ply"), 5, said, top, before)
    for copy, iso in zip(copies, ("180,100", "180,auto")):
        ran = cubist("extract", copy, "--dims", "32x32x32", "--type", "uint8", "--iso", iso, "-o", f"{top}/in_{{iso}}.ply")
        refused(ran, 2, "is part of the input", top, before)
    # The name of the second file is too long, which shows when it gets its name.
    pattern = f"{top}/out/{'a' * 240}{{iso}}.ply"
    ran = cubist("extract", raw, "--iso", "100,180.12345678901", "-o", pattern)
    refused(ran, 5, f"File name too long; '.*{'a' * 240}100.ply' was written$")
    check(read(pattern.replace("{iso}", "100")) == single(top, raw, "100", "ply") and len(os.listdir(f"{top}/out")) == 2, "the first file")


def names(top, raw):
    """{iso} and {n} are replaced wherever they are, and nothing else is."""
    numbers = random.Random(7)
    pieces = ["{iso}", "{n}", "{", "}", "iso", "n", "{is", "{{n}", "o}", "%d", "%s%n", "\\", "é", " "]
    for _ in range(30 if WHOLE else 8):
        pattern = "x" + "".join(numbers.choices(pieces, k=numbers.randint(1, 8))) + "{n}"
        ran = cubist("extract", raw, "--iso", "100,180", "-o", f"{top}/names/{pattern}.off", "-q")
        wanted = sorted(pattern.replace("{iso}", iso).replace("{n}", n) + ".off" for iso, n in (("100", "1"), ("180", "2")))
        check(ran.code == 0 and sorted(os.listdir(f"{top}/names")) == wanted, pattern, os.listdir(f"{top}/names"), ran)
        for name in os.listdir(f"{top}/names"):
            os.remove(f"{top}/names/{name}")


def orbital(top):
    """Both signs where the isovalue is suggested, as render draws them; one where the target takes only one."""
    path, lines = f"{top}/orbital.cube", ["two lobes", "", "1 0 0 0", "8 1 0 0", "8 0 1 0", "8 0 0 1", "1 0 0 0 0"]
    row = lambda x, y: " ".join(f"{(x - 3.5) * 2.718281828**(-((x - 3.5)**2 + (y - 3.5)**2 + (z - 3.5)**2) / 6):.5e}" for z in range(8))
    with open(path, "w") as file:
        file.write("\n".join(lines + [row(x, y) for x in range(8) for y in range(8)]) + "\n")
    iso = cubist("info", path, "--json").json()["iso"]
    pair = f"{iso:g},{-iso:g}"
    for name, names in ("a.glb", ["a.glb"]), ("{iso}.ply", [f"{iso:g}.ply", f"{-iso:g}.ply"]), ("{n}.stl", ["1.stl", "2.stl"]):
        made = []
        for more in [], ["--iso", "auto"], ["--iso", pair]:
            ran = cubist("extract", path, *more, "-o", f"{top}/out/{name}", "--json")
            report = ran.json()
            check(report["iso"] is None and [one["iso"] for one in report["contours"]] == [iso, -iso], ran)
            note = f"cubist: note: an orbital with both signs: surfaces at {iso:g} and {-iso:g}\n"
            check(ran.err == ("" if pair in more else note), ran)
            check(sorted(os.listdir(f"{top}/out")) == sorted(names), names)
            made.append([read(f"{top}/out/{one}") for one in names])
            for one in names:
                os.remove(f"{top}/out/{one}")
        check(made[0] == made[1] == made[2], name)
    for more, names in (["-o", f"{top}/out/a.ply"], ["a.ply"]), (["--resume", f"{top}/out/shares"], ["shares"]):
        ran = cubist("extract", path, "--json", *more)
        check(ran.json()["iso"] == iso and "contours" not in ran.json() and os.listdir(f"{top}/out") == names, ran)
        check(f"only the surface at {iso:g} is made; --iso {-iso:g} makes the other" in ran.err, ran)
        shutil.rmtree(f"{top}/out")
        os.mkdir(f"{top}/out")
    ran = cubist("extract", path, "--json", "--iso", f"{-iso:g}")
    check(ran.json()["iso"] == -iso and ran.err == "", ran)


def main():
    need_device()
    with Folder() as top:
        raw = sample(top, dims="32x32x32")
        os.mkdir(f"{top}/out")
        os.mkdir(f"{top}/names")
        files(top, raw)
        objects(top, raw)
        materials(top, raw)
        reports(top, raw)
        verified(raw)
        names(top, raw)
        orbital(top)
        refusals(top, raw)
    finish()


main()
