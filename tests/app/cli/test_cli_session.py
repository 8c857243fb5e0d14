#!/usr/bin/python3
# ctest: device twin heavy
"""render --session: the picture of a session is that of its options, byte for byte; where its volume is looked
for; what a session may not do; animate from one to another; sessions that are refused."""
from cli import *

SIZE = "70x50"


def write(path, options=None, volume=None, **more):
    with open(path, "w") as file:
        json.dump({"cubist_session": 1, "volume": volume, "options": options or {}, **more}, file, indent=1)
    return path


def draws(folder, *args):
    """The bytes of the picture, and what was said."""
    path = os.path.join(folder, "picture.png")
    ran = cubist("render", *args, "-o", path)
    if not check(ran.code == 0, ran):
        finish()
    with open(path, "rb") as file:
        return file.read(), ran.err


def same_pictures(folder, raw):
    volume = {"path": raw}
    options = {"size": SIZE, "iso": "40%", "up": "z", "camera": "11,9,8,70,0.8,0.4,-0.3,-0.3", "ortho": True, "flat": True,
               "box": True, "look": "clay", "light": "off", "samples": 1, "background": "#fdf6e3", "color": "teal",
               "method": "auto"}
    words = [word for name, value in options.items() if name != "method" for word in [f"--{name}"] + [str(value)] * (value is not True)]
    session = write(os.path.join(folder, "a.cubist.json"), options, volume)
    plain = draws(folder, raw, *words)[0]
    for args in ["--session", session], [session]:
        picture, said = draws(folder, *args)
        check(picture == plain and not said, "another picture by", args, said)
    check(draws(folder, raw, "--size", SIZE)[0] != plain, "the options change nothing")
    # The command line goes before the session.
    changed = {**options, "background": "white", "iso": "60%"}
    check(draws(folder, session, "--background", "white", "--iso", "60%")[0] ==
          draws(folder, write(os.path.join(folder, "b.cubist.json"), changed, volume))[0], "the line's options")
    del changed["camera"]
    check(draws(folder, session, "--background", "white", "--iso", "60%", "--view", "top")[0] ==
          draws(folder, write(os.path.join(folder, "b.cubist.json"), changed, volume), "--view", "top")[0], "--view")
    # Another volume in the same view, without what states how the session's is read.
    shape = {**options, "dims": "8x8x8", "type": "float32", "offset": "100000"}
    check(draws(folder, raw, "--session", write(os.path.join(folder, "c.cubist.json"), shape, {"path": "/nowhere/x"}))[0] ==
          plain, "FILE goes before the session's volume")
    # Without a volume: the generated one.
    check(draws(folder, write(os.path.join(folder, "d.cubist.json"), {"size": SIZE}))[0] == draws(folder, "--size", SIZE)[0],
          "the generated volume")


def places(folder, raw):
    name = os.path.basename(raw)
    one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
    os.mkdir(one)
    os.mkdir(two)
    options = {"size": SIZE}
    plain = draws(folder, raw, "--size", SIZE)[0]
    here = shutil.copy(raw, one)

    def found(what, volume, warns=None):
        picture, said = draws(folder, write(os.path.join(two, "s.cubist.json"), options, volume))
        check(picture == plain, "not the volume:", what)
        check(re.search(warns, said) if warns else not said, what, "says", said)

    size = os.path.getsize(raw)
    found("from the session's folder", {"path": "/nowhere/" + name, "beside": "../one/" + name, "bytes": size})
    found("where it was", {"path": here, "beside": "../nowhere/" + name, "bytes": size})
    found("another size", {"path": here, "bytes": size + 1}, "is not the file that the session was saved with")
    found("another beginning", {"path": here, "bytes": size, "start": "0" * 16}, "is not the file that the session")
    # A file of the right size is preferred.
    with open(os.path.join(two, "x.raw"), "wb") as file:
        file.write(b"other")
    found("the better of two", {"path": here, "beside": "x.raw", "bytes": size})
    shutil.move(here, two)
    found("beside the session", {"path": here, "beside": "../one/" + name, "bytes": size})
    os.unlink(os.path.join(two, name))
    session = write(os.path.join(two, "s.cubist.json"), options, {"path": here, "beside": "../one/" + name})
    refused(cubist("render", session, "-o", os.path.join(two, "p.png"), env=NO_DRIVER), 3,
            "its volume '.*' is not there, and not beside the session: put it there, or name it", two, snapshot(two))
    refused(cubist("view", session, "--exit-after", "1", env=NO_DRIVER), 3, "its volume '.*' is not there", two, snapshot(two))


def limits(folder, raw):
    """A session names no output and no device. What is not known is ignored with a warning."""
    trap = os.path.join(folder, "trap")
    options = {"size": SIZE, "output": trap, "trace": trap, "device": "none", "exit-after": 1, "session": trap, "gzip": True,
               "no-such": 1}
    picture, said = draws(folder, write(os.path.join(folder, "e.cubist.json"), options, {"path": raw}))
    check(picture == draws(folder, raw, "--size", SIZE)[0], "another picture")
    lines = said.splitlines()
    check(len(lines) == 7 and all("this is not an option of a session" in line for line in lines), said)
    check(re.search(r"line 8, options\.output", said), "line:", said)
    check(not os.path.exists(trap), "a session has written a file")
    picture, said = draws(folder, write(os.path.join(folder, "f.cubist.json"), {"size": SIZE}, {"path": raw}, new=[1]) )
    check(not said, said)
    with open(os.path.join(folder, "g.cubist.json"), "w") as file:
        json.dump({"cubist_session": 9, "volume": {"path": raw}, "options": {"size": SIZE}}, file)
    check("was written by a newer cubist" in draws(folder, file.name)[1], "a newer version")


def animated(folder, raw):
    """animate goes from one session to another: by camera and isovalue."""
    first, last = "11,9,8,70,0.8,0.4,-0.3,-0.3", "9,9,9,50,0.6,0,0,0.8"
    one = write(os.path.join(folder, "one.cubist.json"), {"size": SIZE, "iso": "40%", "camera": first, "look": "clay"}, {"path": raw})
    two = write(os.path.join(folder, "two.cubist.json"), {"size": "9x9", "iso": "60%", "camera": last}, {"path": raw})

    def film(*args):
        path = os.path.join(folder, "f.y4m")
        ran = cubist("animate", *args, "--frames", "3", "-o", path)
        check(ran.code == 0 and not ran.err, ran)
        with open(path, "rb") as file:
            return file.read()

    words = ["--size", SIZE, "--look", "clay", "--camera", first]
    moves = film(raw, *words, "--to", last, "--iso", "40%:60%")
    check(moves != film(raw, *words, "--to", last, "--iso", "40%"), "the isovalue is not seen")
    for args in ["--session", one, "--to", two], [one, "--to", two]:
        check(film(*args) == moves, "another film by", args)
    check(film(one, "--to", two, "--iso", "40%") == film(raw, *words, "--to", last, "--iso", "40%"), "--iso goes before")
    check(film(one, "--to", one) == film(raw, *words, "--iso", "40%", "--to", first), "to the same session")
    other = write(os.path.join(folder, "other.cubist.json"), {"camera": last}, {"path": raw, "bytes": 3})
    ran = cubist("animate", one, "--to", other, "--frames", "2", "-o", os.path.join(folder, "f.y4m"))
    check(ran.code == 0 and "other.cubist.json' was saved with another volume than" in ran.err, ran)
    other = write(os.path.join(folder, "other.cubist.json"), {"size": "9x9", "iso": "40%", "camera": first, "no-skip": True}, {"path": raw})
    check(film(other, "--to", one)[:4] == b"YUV4", "an option that animate does not take")
    out = ["-o", os.path.join(folder, "g.y4m")]
    still = write(os.path.join(folder, "still.cubist.json"), {"iso": "40%"}, {"path": raw})
    refused(cubist("animate", one, "--to", still, *out, env=NO_DRIVER), 3, "has no camera to move to: Ctrl\\+S in the window saves one")
    refused(cubist("animate", one, "--to", os.path.join(folder, "no.json"), *out, env=NO_DRIVER), 3, "cannot open '.*no.json'")
    refused(cubist("animate", one, "--to", "1,2", *out, env=NO_DRIVER), 2, "expected X,Y,Z,DISTANCE.* or a session, ")


def data_elsewhere(folder, raw):
    """The samples of a header that a person named may lie in another folder; those of a session's may not."""
    inner = os.path.join(folder, "inner")
    os.mkdir(inner)
    header = os.path.join(inner, "x.nhdr")
    for data in f"../{os.path.basename(raw)}", raw:
        with open(header, "w") as file:
            file.write("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 24 20 16\nencoding: raw\nendian: little\n"
                       f"data file: {data}\n")
        ran = cubist("info", header)
        check(ran.code == 0 and ran.err.count("its samples are in another folder") == 1, ran)
        draws(folder, header, "--size", SIZE)
        session = write(os.path.join(folder, "h.cubist.json"), {"size": SIZE}, {"path": header})
        refused(cubist("render", session, "-o", os.path.join(folder, "h.png")), 3, "leads out of the header's folder")
        draws(folder, "--session", session, header)


def bad(folder):
    path = os.path.join(folder, "bad.cubist.json")
    out = os.path.join(folder, "out.png")

    def is_refused(text, pattern, *more, code=3):
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        refused(cubist("render", "--session", path, "-o", out, *more, env=NO_DRIVER), code, pattern, folder, snapshot(folder))

    def member(text):
        return '{\n  "cubist_session": 1,\n  "volume": null,\n  ' + text + "\n}\n"

    is_refused("", "line 1, column 0: it is not valid JSON")
    is_refused('{\n  "cubist_session": 1,\n  x\n}', "session '.*bad.cubist.json', line 3, column 3: it is not valid JSON")
    is_refused(b"\x89PNG\r\n\x1a\n" + bytes(40), "it is not valid JSON")
    is_refused("[" * 100000, "it is not valid JSON")
    is_refused("[1]", "is not a single JSON object")
    is_refused("{}", "has no \"cubist_session\": it is not a session of cubist; Ctrl\\+S in the window writes one")
    is_refused('{"cubist_session": "1"}', "line 1, cubist_session: expected a whole number, 1 or more")
    is_refused('{"cubist_session": 1, "cubist_session": 1}', "it is not valid JSON: duplicate")
    is_refused(" " * (1 << 20) + "{}", "is larger than 1 MiB")
    is_refused(member('"options": []'), r"line 4, options: expected an object, \{...\}")
    is_refused(member('"options": {\n "look": "glass" }'), "line 5, options.look: --look glass: expected bone, clay or scan")
    is_refused(member('"options": { "camera": "1,2" }'), "line 4, options.camera: --camera 1,2: expected X,Y,Z,DISTANCE")
    is_refused(member('"options": { "ortho": 1 }'), "line 4, options.ortho: expected true or false")
    is_refused(member('"options": { "iso": true }'), "line 4, options.iso: expected \"V")
    is_refused(member('"options": { "samples": 3 }'), "line 4, options.samples: --samples 3: expected 1, 2, 4 or 8")
    is_refused(member('"options": { "size": [1] }'), "line 4, options.size: expected \"WxH\"")
    is_refused('{"cubist_session": 1, "volume": {"path": 7}}', "line 1, volume.path: expected the name of a file")
    is_refused('{"cubist_session": 1, "volume": {}}', "line 1, volume: expected a member \"path\"")
    is_refused('{"cubist_session": 1, "volume": 3}', "line 1, volume: expected an object")
    os.unlink(path)
    refused(cubist("render", path, "-o", out, env=NO_DRIVER), 3, "cannot open '.*bad.cubist.json': No such file")
    refused(cubist("render", "--session", folder, "-o", out, env=NO_DRIVER), 3, "expected a regular file")
    refused(cubist("extract", "x.raw", "--session", path, env=NO_DRIVER), 2, "extract takes no --session")


need_device()
with Folder() as where:
    file = sample(where, "torus")
    same_pictures(where, file)
    places(where, file)
    limits(where, file)
    animated(where, file)
    data_elsewhere(where, file)
    bad(where)
finish()
