#!/usr/bin/python3
# ctest: plain share
"""`cubist bench calibrate`: the measured times are kept in the user's cache, and the next start uses them.
A file that cannot be used is left alone with a note; a cache that cannot be written is not an error."""
import glob

from cli import *

need_device()


def within(cache, **more):
    # Mesa keeps its shaders in a cache of its own, which shall not be cold at every start.
    return {"MESA_SHADER_CACHE_DIR": os.path.join(folder, "mesa"), **os.environ, "XDG_CACHE_HOME": cache, **more}


def calibrate(cache, *more, **env):
    return cubist("bench", "calibrate", "--quick", "--repeat", "1", *more, env=within(cache, **env))


def files(cache):
    return glob.glob(os.path.join(cache, "cubist", "*"))


def picked(cache, raw, *more):
    """How auto came to its choice."""
    ran = cubist("extract", raw, "--method", "auto", "--json", *more, env=within(cache))
    check(ran.code == 0, "extract with auto:", ran)
    return ran, (ran.json()["cells_why"] if ran.code == 0 else "")


def rewritten(path, change):
    with open(path) as file:
        kept = json.load(file)
    change(kept)
    with open(path, "w") as file:
        json.dump(kept, file)


def kept_and_used(top, raw):
    cache = os.path.join(top, "cache")  # it is not there yet
    os.mkdir(cache)
    ran, why = picked(cache, raw)
    check("bytes moved" in why and not files(cache), "without times the bytes decide:", why)

    ran = calibrate(cache, "--json")
    check(ran.code == 0, "calibrate:", ran)
    report = ran.json()
    check(files(cache) == [report["path"]], "one file in the cache:", files(cache), report["path"])
    check(os.stat(report["path"]).st_mode & 0o777 == 0o600, "nobody else reads it")
    live = {m["name"] for m in cubist("methods", "--json").json()["methods"]
            if m["available"] and not m["needs_removals"]} - {"auto", "histopyramid:atlas"}  # which needs slices
    for lanes in "words", "rows of 32 cells":
        times = [t for t in report["times"] if t["lanes"] == lanes]
        check({t["method"] for t in times} == live, "all live methods are measured:", lanes, live)
        check(all(t["ms"] > 0 for t in times), "times:", times)
        points = {(t["count"], t["density"], t["in_runs"]) for t in times}
        check({d for _, d, _ in points} == {0.001, 0.01, 0.1, 0.5, 0.9}, "densities:", points)
        check({r for _, _, r in points} == {False, True}, "patterns:", points)
        check(1024 in {c for c, _, _ in points}, "lengths:", points)
    path = report["path"]
    with open(path) as file:
        kept = json.load(file)
    check(set(kept["ms"]) == live and kept["schema"] == 1, "what is kept:", list(kept["ms"]))
    check(os.stat(path).st_size < 100000, "a small file:", os.stat(path).st_size)

    ran, why = picked(cache, raw)
    check("(table" in why and not ran.err, "the next start uses it:", why, ran)

    # The file decides: make one method the fastest at everything.
    for name in "ofk-compact", "histopyramid":
        rewritten(path, lambda kept: kept["ms"].update({n: [1.0 + 999 * (n != name)] * len(kept["ms"][n]) for n in kept["ms"]}))
        report = picked(cache, raw)[0].json()
        check(report["bricks_method"] == report["cells_method"] == name, "the fastest by the file:", name, report)
        text = cubist("extract", raw, "--method", "auto", "--verbose", env=within(cache))
        check(f"bricks by {name}, cells by {name}" in text.out and "1 ms predicted" in text.out, "said in words:", text)
        bench = cubist("bench", "extract", raw, "--method", "auto", "--repeat", "1",
                       env=within(cache))
        check(bench.code == 0 and f"bricks by {name}, cells by {name}" in bench.out, "bench extract says it:", bench)
    return path


def not_usable(top, raw, path):
    cache = os.path.dirname(os.path.dirname(path))
    with open(path) as file:
        sound = file.read()

    def change(text):
        with open(path, "w") as file:
            file.write(text)

    def changed(**members):
        kept = json.loads(sound)
        kept.update(members)
        return json.dumps(kept)

    ms = json.loads(sound)["ms"]
    damages = [
        ("", "damaged"), ("{", "damaged"), (sound[:len(sound) // 2], "damaged"), ("[1, 2]", "this cubist's format"),
        ("\0" * 5000, "damaged"), (changed(schema=2), "this cubist's format"), (changed(program="0.0.1"), "version"),
        (changed(uuid="00"), "another device"), (changed(driver="x"), "driver"), (changed(driver=3), "driver"),
        (changed(kernels="0"), "kernels"), (changed(ms={}), "no times"), (changed(ms=3), "no times"),
        (changed(ms={**ms, "ofk-compact": [1.0]}), "number of times"),
        (changed(ms={**ms, "ofk-compact": ["x"] * 160}), "not a time"),
        (changed(ms={**ms, "ofk-compact": [-1] * 160}), "not a time"),
        (changed(ms={**ms, "ofk-compact": 7}), "number of times"), (" " * (5 << 20), "did not write")]
    for text, pattern in damages if WHOLE else damages[::3]:
        change(text)
        ran, why = picked(cache, raw)
        notes = [line for line in ran.err.splitlines() if line.startswith("cubist: note: ")]
        check(len(notes) == 1 and re.search(pattern, notes[0]) and path in notes[0], f"a note with /{pattern}/:", ran)
        check("bytes moved" in why, "it is not used:", why)
    # What was damaged is measured anew, and whole again.
    check(calibrate(cache).code == 0, "calibrate over a damaged file")
    check("(table" in picked(cache, raw)[1], "and used")


def not_writable(top):
    for what in "file", "locked":
        cache = os.path.join(top, what)
        if what == "file":
            open(cache, "w").close()
        else:
            os.mkdir(cache)
            os.chmod(cache, 0o500)
            if os.access(cache, os.W_OK):
                continue  # root writes everywhere
        ran = calibrate(cache)
        check(ran.code == 0 and "fastest on" in ran.out, "no error:", ran)
        check(len(ran.err.splitlines()) == 1 and "note: the times could not be saved" in ran.err, "a note:", ran)
        check("\nsaved in /" not in ran.out, "and no word of a file:", ran)
    ran = calibrate("", HOME="")
    check(ran.code == 0 and "could not be saved" in ran.err, "no folder at all:", ran)
    home = os.path.join(top, "home")
    os.mkdir(home)
    ran = calibrate("not/absolute", HOME=home)
    check(ran.code == 0 and len(files(os.path.join(home, ".cache"))) == 1, "~/.cache where XDG_CACHE_HOME is no path:", ran)


def checked(top):
    cache = os.path.join(top, "checked")
    os.mkdir(cache)
    runs = [calibrate(cache, "--check", "2", "--seed", seed, "--json") for seed in ("1", "1", "2")]
    drawn = []
    for i, ran in enumerate(runs):
        check(ran.code in (0, 6), "check:", ran)  # 6: it was slower than it should be, as may be here
        report = ran.json()
        check(report["measured"] == (i == 0), "the table is made once:", report["measured"])
        check(len(report["draws"]) == 2, "draws:", report["draws"])
        for draw in report["draws"]:
            check(draw["within"] == (draw["ms"] <= 1.1 * draw["best_ms"]), "within 10 %:", draw)
            check("predicted" in draw["why"], "says why:", draw)
        close = sum(draw["within"] for draw in report["draws"])
        check((ran.code == 0) == (10 * close >= 18), "exit code:", close, ran)
        drawn.append([(d["words"], d["density"], d["run"]) for d in report["draws"]])
    check(drawn[0] == drawn[1] != drawn[2], "the seed decides:", drawn)


def quick_keeps_more(top):
    cache = os.path.join(top, "more")
    os.mkdir(cache)
    path = calibrate(cache, "--json").json()["path"]
    with open(path) as file:
        table = json.load(file)
    for points in table["ms"].values():  # as if measured on one length more
        points[30:40] = points[20:30]
    with open(path, "w") as file:
        json.dump(table, file)
    ran = calibrate(cache, "--json")
    check(ran.code == 0 and ran.json()["path"] is None and "so they are kept" in ran.err, "a quick one keeps the longer table:", ran)
    with open(path) as file:
        check(json.load(file) == table, "the file is as it was")


def usage(raw):
    refused(cubist("bench", "calibrate", raw, env=NO_DRIVER), 2, "takes no FILE")
    refused(cubist("bench", "calibrate", "--check", "0", env=NO_DRIVER), 2, "--check 0")
    refused(cubist("bench", "calibrate", "--seed", "x", env=NO_DRIVER), 2, "--seed x")
    refused(cubist("bench", "calibrate", env=NO_DRIVER), 4, "Vulkan|device|driver")


with Folder() as folder:
    sphere = sample(folder, dims="40x40x40")
    usage(sphere)
    not_usable(folder, sphere, kept_and_used(folder, sphere))
    not_writable(folder)
    if WHOLE:
        checked(folder)
    quick_keeps_more(folder)
finish()
