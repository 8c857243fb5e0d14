#!/usr/bin/python3
# ctest: device share twin heavy
"""Random lines of contours, planes and sections: what two lines must have in common, they have, byte for byte. A
line that a character was changed in is refused in one line, or does what it says.

CUBIST_RANDOM_SEED, CUBIST_RANDOM_LINES: the first seed, and how many lines; each line has its own seed."""
import random
import shlex

from cli import *

SIZE = "48x40"
COLOURS = ["red", "teal", "#336699", "violet", "skin", "orange", "green", "#fdf6e3"]
OUT = "out.png"


def volumes(folder):
    """Path, samples, and the file's coordinates: least and greatest along each axis."""
    found = []
    for name, dims, kind in [("gyroid", (22, 18, 20), "uint8"), ("torus", (20, 24, 16), "int16"),
                             ("marschner-lobb", (16, 20, 24), "float32"), ("sphere", (40, 33, 2), "uint16")]:
        path = sample(folder, name, "x".join(map(str, dims)), kind)
        found.append((path, dims, [(0, n - 1) for n in dims]))
    path = placed(found[0][0], "sheared", [(2, 0, 0), (0.5, -1, 0), (0, 0, 3)], (-5, 7, 100))
    found.append((path, found[0][1], [(-5, 45.5), (-10, 7), (100, 157)]))
    return found


class Line:
    """The options of a picture as a dictionary: a text, or True for one without a value."""

    def __init__(self, chance, volume):
        self.chance, (self.path, self.dims, self.box) = chance, volume
        self.count = chance.choice((1, 1, 2, 2, 3, 4, 8))
        self.isos = self.different_isos()
        self.opacities = [chance.choice((1, 1, 1, 0, 0.25, 0.6, 0.99)) for _ in range(self.count)]
        self.hidden = [i for i in range(self.count) if chance.random() < 0.15]
        self.colours = chance.sample(COLOURS, self.count)
        self.planes = [self.plane() for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))]
        self.only = chance.sample(range(self.count), chance.randint(1, self.count)) if chance.random() < 0.3 else []
        self.other = {"size": SIZE}
        self.sections()
        self.picture()
        middle = [(low + high) / 2 for low, high in self.box]
        across = max(high - low for low, high in self.box)
        turn = [round(chance.gauss(0, 1), 3) for _ in range(4)]
        self.camera = ",".join(map(str, (*middle, round(across * chance.choice((0.3, 1.5, 2.5)), 2), *turn)))
        if chance.random() < 0.5:
            self.other["camera"] = self.camera
        elif chance.random() < 0.5:
            self.other["view"] = chance.choice(("front", "top", "iso", "-30,20"))
            self.other["zoom"] = chance.choice(("1", "2.5"))

    def different_isos(self):
        """Texts of isovalues that are not equal."""
        shares = self.chance.sample(range(3, 97), self.count)
        return [self.chance.choice((f"{share}%", f"p{share}.{i}")) if i == 0 else f"{share}%"
                for i, share in enumerate(shares)]

    def plane(self):
        chance = self.chance
        axis = chance.choice("xyzijk") if chance.random() < 0.8 else chance.choice(("view", "normal"))
        percent = chance.choice((0, 100, 50, 33.3, -5, 105, chance.randint(1, 99)))
        if axis == "normal":
            normal = [chance.choice((-1, 0, 0.5, 2)) for _ in range(3)]
            return f"{','.join(map(str, normal if any(normal) else [1, 1, 0]))},{percent}%"
        if axis != "view" and chance.random() < 0.5:
            which = "xyzijk".index(axis)
            low, high = self.box[which] if which < 3 else (0, self.dims[which - 3] - 1)
            return f"{axis}={round(low + (high - low) * percent / 100, 2)}"
        return f"{axis}={percent}%"

    def sections(self):
        chance = self.chance
        planes = [self.plane() for _ in range(chance.choice((0, 0, 0, 1, 2, 3)))]
        if planes:
            self.other["section"] = ";".join(planes)
        for name, share in ("clip-all", 0.2), ("clip-off", 0.1), ("section-off", 0.1):
            if chance.random() < share:
                self.other[name] = True
        for name, words in ("cap", ("values", "none", "solid")), ("interpolate", ("nearest", "linear")), \
                ("grey", ("p5:p95", "10%:60%", "0:100")):
            if chance.random() < 0.3:
                self.other[name] = chance.choice(words)

    def picture(self):
        chance = self.chance
        self.rays = chance.random() < 0.4 or self.transparent()
        if self.rays:
            self.other["draw"] = "rays"
            if chance.random() < 0.5:
                self.other["caster"] = chance.choice(("dda", "kd-jump", "single-bvh", "wavefront-dda", "wavefront-bvh"))
            if chance.random() < 0.2 and not self.transparent():
                self.other["shadow"] = True
        else:
            for name in "wireframe", "edges", "flat":
                if chance.random() < 0.1:
                    self.other[name] = True
        for name, share, words in [("light", 0.4, ("off",)), ("look", 0.2, ("clay", "scan")), ("box", 0.2, (True,)),
                                   ("ortho", 0.2, (True,)), ("samples", 0.4, ("1", "8") if self.rays else ("1", "4")), ("up", 0.2, ("z", "-x")),
                                   ("background", 0.3, ("white", "transparent", "#204060"))]:
            if chance.random() < share:
                self.other[name] = chance.choice(words)

    def shows(self, i):
        return i not in self.hidden and self.opacities[i] > 0

    def transparent(self):
        return any(self.shows(i) and self.opacities[i] < 1 for i in range(self.count))

    def options(self, order=None, **changed):
        """Those of the contours in this order; contours that are left out are not there."""
        order = list(range(self.count)) if order is None else order
        found = {"iso": ",".join(self.isos[i] for i in order), "color": ",".join(self.colours[i] for i in order), **self.other}
        if any(self.opacities[i] < 1 for i in order):
            found["opacity"] = ",".join(str(self.opacities[i]) for i in order)
        hidden = [str(k + 1) for k, i in enumerate(order) if i in self.hidden]
        if hidden:
            found["hide"] = ",".join(hidden)
        only = sorted(k + 1 for k, i in enumerate(order) if i in self.only)
        if self.planes and (only or not self.only):
            at = "@" + ",".join(map(str, only)) if only else ""
            found["clip"] = ";".join(plane + at for plane in self.planes)
        found.update(changed)
        return {name: value for name, value in found.items() if value is not None}


def words(options):
    """The words of a line, without the options that need planes which are not there: they are refused."""
    cap, section = "clip" in options and options.get("cap"), options.get("section")
    needs = {"clip-all": options.get("clip"), "clip-off": options.get("clip"), "cap": options.get("clip"),
             "section-off": section, "grey": section or cap == "values", "interpolate": section or cap == "values"}
    options = {name: value for name, value in options.items() if needs.get(name, True)}
    return [word for name, value in options.items() for word in ([f"--{name}"] if value is True else [f"--{name}={value}"])]


def drawn(folder, line, options, *more):
    """The bytes of the picture; None if it was refused, which is one line."""
    ran = cubist("render", line.path, *words(options), *more, "-q", "-o", os.path.join(folder, OUT))
    if ran.code != 0:
        refused(ran, 4 if ran.code == 4 else 2, "^cubist: ")  # 4: a method that cannot compact rays
        return None
    check(not ran.err and not ran.out, "said something:", ran)
    with open(os.path.join(folder, OUT), "rb") as file:
        return file.read()


def by_session(folder, line, options):
    path = os.path.join(folder, "x.cubist.json")
    with open(path, "w") as file:
        json.dump({"cubist_session": 1, "volume": {"path": line.path}, "options": options}, file)
    ran = cubist("render", path, "-q", "-o", os.path.join(folder, OUT))
    with open(os.path.join(folder, OUT), "rb") as file:
        return file.read() if ran.code == 0 else None


def film(folder, line, options):
    """The first and the last frame of planes and isovalues that move; what they must be."""
    chance = line.chance
    ends = [line.isos, chance.sample(line.isos, line.count)]
    planes = [re.sub("=.*|,[^,]*$", "", plane) + ("," if plane.count(",") else "=") for plane in line.planes]
    places = [[f"{chance.randint(5, 95)}%" for _ in planes] for _ in range(2)]
    if options.get("clip", "").count("@"):
        planes = []
    options = {**options, "camera": line.camera, "view": None, "zoom": None}
    options = {name: value for name, value in options.items() if value is not None}
    moves = {**options,  "iso": ",".join(f"{a}:{b}" if a != b else a for a, b in zip(*ends))}
    if planes:
        moves["clip"] = ";".join(f"{plane}{a}:{b}" for plane, a, b in zip(planes, *places))
    if moves == options:
        return  # the camera would turn
    ran = cubist("animate", line.path, *words(moves), "--frames", "2", "-q", "-o", os.path.join(folder, "f{n}.png"))
    if not check(ran.code == 0, "a film:", ran):
        return
    for number in range(2):
        still = {**options, "iso": ",".join(ends[number])}
        if planes:
            still["clip"] = ";".join(plane + place for plane, place in zip(planes, places[number]))
        names = sorted(name for name in os.listdir(folder) if re.fullmatch("f[0-9]+.png", name))
        with open(os.path.join(folder, names[number]), "rb") as file:
            found = file.read()
        alike(folder, line, f"frame {number} of {shlex.join(words(moves))}", found, still)
    for name in names:
        os.unlink(os.path.join(folder, name))


def alike(folder, line, what, picture, options, *more):
    other = drawn(folder, line, options, *more)
    if other is not None and not check(other == picture, what, "draws another picture:", line.path, shlex.join([*words(options), *more]),
                                           "\n  the line:", shlex.join(words(line.options()))):
        if os.environ.get("CUBIST_RANDOM_KEEP"):
            for name, data in ("first.png", picture), ("second.png", other):
                with open(os.path.join(os.environ["CUBIST_RANDOM_KEEP"], name), "wb") as file:
                    file.write(data)


def broken(folder, line, options):
    """One character of one value is another one, twice there or missing."""
    chance = line.chance
    name = chance.choice([n for n, value in options.items() if value is not True])
    text = options[name]
    at = chance.randrange(len(text) + 1)
    other = chance.choice("0123456789.,:;@=%-+exyzijkps \x01é")
    options = {**options, name: text[:at] + chance.choice((other, "", text[at:at + 1] * 2)) + text[at + 1:]}
    command = chance.choice(("render", "render", "animate", "extract", "info", "verify"))
    if command not in ("render", "animate"):
        options = {"iso": options["iso"]}
    more = {"render": ["-o", OUT], "animate": ["-o", OUT + ".y4m", "--frames", "2"], "extract": ["-o", "m{n}.ply"]}.get(command, [])
    ran = cubist(command, line.path, *words(options), *more, "-q", cwd=folder)
    check(ran.code in (0, 2, 4), "a changed line:", ran)
    if ran.code != 0:
        refused(ran, ran.code, "^cubist: ")
    for name in os.listdir(folder):
        if name.endswith((".ply", ".y4m")):
            os.unlink(os.path.join(folder, name))


def surfaces(folder, line):
    """extract, info and verify of several isovalues: as of each alone."""
    listed = ["--iso", ",".join(line.isos)]
    ran = cubist("verify", line.path, *listed, "--method", line.chance.choice(methods_known), "-q")
    check(ran.code == 0, ran)
    ran = cubist("extract", line.path, *listed, "-o", os.path.join(folder, "m{n}.ply"), "--json")
    if not check(ran.code == 0, ran):
        return
    counts = ran.json()
    counts = [one["triangles"] for one in counts.get("contours", [counts])]
    info = cubist("info", line.path, *listed, "--json").json()
    for i, iso in enumerate(line.isos):
        path = os.path.join(folder, f"m{i + 1}.ply")
        alone = cubist("extract", line.path, "--iso", iso, "-o", os.path.join(folder, "alone.ply"), "--json").json()
        check(alone["triangles"] == counts[i], "triangles of", iso, alone["triangles"], counts)
        with open(path, "rb") as a, open(os.path.join(folder, "alone.ply"), "rb") as b:
            check(a.read() == b.read(), "another mesh at", iso, line.path)
        os.unlink(path)
    check("iso" in json.dumps(info), info)


def tried(folder, line):
    options = line.options()
    picture = drawn(folder, line, options)
    if not check(picture is not None, "a line was refused:", line.path, shlex.join(words(options))):
        return
    chance = line.chance
    check(by_session(folder, line, options) == picture, "its session:", line.path, shlex.join(words(options)))
    order = chance.sample(range(line.count), line.count)
    shown = [i for i in order if line.shows(i)]
    kinds = [("contours in another order", line.options(order), []),
             ("another method", {**options, "method": chance.choice(methods_known)}, [])]
    if shown and (not line.only or set(line.only) & set(shown)):
        kinds.append(("without what is hidden", line.options(shown), []))
    if line.rays and "shadow" not in options:
        kinds.append(("another caster", {**options, "caster": chance.choice(("dda", "kd-jump", "single-bvh", "wavefront-dda"))}, []))
    if options.get("clip-off"):
        kinds.append(("without planes", {**options, "clip-off": None, "clip": None, "clip-all": None}, []))
    if options.get("section-off"):
        kinds.append(("without sections", {**options, "section-off": None, "section": None}, []))
    kinds.append(("planes in another order", {**options, "clip": ";".join(reversed(options["clip"].split(";")))}, [])
                 if "clip" in options else ("the same line", options, []))
    for what, changed, more in kinds:
        alike(folder, line, what, picture, {name: value for name, value in changed.items() if value is not None}, *more)
    film(folder, line, options)
    for _ in range(3):
        broken(folder, line, options)
    if chance.random() < 0.25:
        surfaces(folder, line)


need_device()
methods_known = methods()
first = int(os.environ.get("CUBIST_RANDOM_SEED", 1))
with Folder() as where:
    known = volumes(where)
    for seed in range(first, first + int(os.environ.get("CUBIST_RANDOM_LINES", 60 if WHOLE else 1))):
        generator = random.Random(seed)
        count = len(failures)
        tried(where, Line(generator, generator.choice(known)))
        if len(failures) > count:
            print(f"seed {seed}", flush=True)
finish()
