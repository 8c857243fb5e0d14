#!/usr/bin/python3
# ctest: device twin heavy
"""JSON for scripts: each --json object has at least the promised members, of the promised kinds. Also the
messages if there is no device."""
import json
import os
import re
import struct

from cli import *

number = (int, float)


def holds(what, thing, shape):
    """`shape`: a type, a tuple of types, [shape of each element], {key: shape}, or a test."""
    if isinstance(shape, dict):
        if check(isinstance(thing, dict), what, "is no object:", thing):
            for key, inner in shape.items():
                if check(key in thing, what, "has no", key):
                    holds(f"{what}.{key}", thing[key], inner)
    elif isinstance(shape, list):
        if check(isinstance(thing, list), what, "is no array:", thing):
            for i, element in enumerate(thing):
                holds(f"{what}[{i}]", element, shape[0])
    elif isinstance(shape, (type, tuple)):
        kinds = shape if isinstance(shape, tuple) else (shape,)
        fine = type(thing) in kinds  # True is no number here
        check(fine, what, "is", repr(thing), "and not", shape)
    else:
        check(shape(thing), what, "is", repr(thing))


def schema(ran, shape):
    if check(ran.code == 0, "exit code:", ran):
        holds("command " + ran.args[0], ran.json(), {"schema": lambda n: n == 1, **shape})
        check(ran.out.count("\n{") == 0 and ran.out.endswith("}\n"), "one object, one line end:", ran)
    return ran.json() if ran.code == 0 else {}


def count(n):
    return isinstance(n, int) and not isinstance(n, bool) and n >= 0


def text(s):
    return isinstance(s, str) and s != ""


def three(shape):
    return lambda a: isinstance(a, list) and len(a) == 3 and all(isinstance(n, shape) for n in a)


def no_device():
    refused(cubist("devices", env=NO_DRIVER), 4, "Vulkan|device|driver")
    with Folder() as top:
        raw = sample(top)
        before = snapshot(top)
        for args in ["extract", raw], ["extract", raw, "-o", os.path.join(top, "m.ply")], ["verify", raw], \
                ["render", raw, "-o", os.path.join(top, "p.png")], ["bench", "extract", raw], ["info", raw, "--iso", "auto"]:
            refused(cubist(*args, env=NO_DRIVER), 4, "Vulkan|device|driver", top, before)
    ran = cubist("methods", "--json", env=NO_DRIVER)
    methods = schema(ran, {"methods": [{"name": text, "available": lambda a: a is False, "reason": text}]})
    check(len(methods["methods"]) >= 4, "methods are listed without a device:", ran)


def with_device():
    # The list for people: a line of promises each, and what the columns mean.
    rows = re.findall(r"^(\S+) +(device|CPU) +(stable|fixed|blocks|differs) +(yes|-) +(yes|-) +(yes|-) +(yes|-) +(\d+|-)$",
                      cubist("methods").out, re.M)
    said = {r[0]: r[1:] for r in rows}
    for m in cubist("methods", "--json").json()["methods"]:
        marks = ["yes" if m[k] else "-" for k in ("in_place", "waits", "needs_removals", "block_is_parameter")]
        check(said.get(m["name"]) == (m["runs_on"], m["order"], *marks, str(m["longest"] or "-")), "the list says", said, m)
    check(len(said) == len(rows) and re.search(r"^longest +the longest", cubist("methods").out, re.M), "a legend:", rows)

    # --notes adds how a method differs from its paper: a line each, below what the list says anyway.
    plain, noted = (cubist("methods", *args).out.splitlines() for args in ([], ["--notes"]))
    check([line for line in noted if not line.startswith("    - ")] == plain, "--notes only adds lines:", noted)
    shown, name = {}, None
    for line in noted:
        if line.startswith("    - "):
            shown[name].append(line[6:])
        elif re.match(r"\S+ +(device|CPU) ", line):
            name = line.split()[0]
            shown[name] = []
    methods = {m["name"]: m["notes"] for m in cubist("methods", "--json").json()["methods"]}
    check(shown == methods, "notes as text and as JSON:", shown, methods)
    check(any("1024" in note for note in methods["redzone-1"]), "a known difference:", methods["redzone-1"])
    for name, notes in methods.items():
        check(all(re.fullmatch(r"[A-Z].*\.", note) for note in notes), "a note is a sentence:", name, notes)

    ran = cubist("devices", "--json")
    devices = schema(ran, {"devices": [{"index": count, "name": text, "type": text, "driver": str, "usable": bool,
                                        "reason": (str, type(None)), "lacks": [text],
                                        "lacks_for_drawing": [text]}]})["devices"]
    usable = [d for d in devices if d["usable"]]
    for device in usable[:1]:
        check(cubist("devices", "--device", str(device["index"])).code == 0, "--device INDEX")
        check(cubist("devices", "--device", device["name"][:6].lower()).code == 0, "--device NAME, a part, any case")
    refused(cubist("devices", "--device", "no such thing"), 4, "no such thing")
    refused(cubist("devices", "--device", "999"), 4, "999")

    methods = schema(cubist("methods", "--json"), {"methods": [{
        "name": text, "summary": text, "paper": text, "notes": [text], "stable": bool, "deterministic": bool, "available": bool,
        "runs_on": lambda p: p in ("device", "CPU"), "order": lambda o: o in ("stable", "fixed", "blocks", "differs"),
        "in_place": bool, "waits": bool, "needs_removals": bool, "block_is_parameter": bool,
        "longest": (int, type(None)), "reason": (str, type(None))}]})["methods"]
    names = [m["name"] for m in methods]
    for name in "histopyramid", "ink-collate", "ink-compact", "ofk-compact":
        check(name in names, "no method", name)
    for m in methods:
        check(m["available"] == (m["reason"] is None), "a reason where it is not available:", m)
        check(m["stable"] == (m["order"] == "stable"), "the order in one word:", m)
        check((m["runs_on"] == "CPU") == m["name"].startswith("cpu-"), "where it runs:", m)
        check(m["runs_on"] == "device" or "bench compaction and verify" in m["reason"], "the CPU's are not live:", m)
        check(m["deterministic"] or not m["stable"], "stable is deterministic:", m)

    with Folder() as top:
        raw = sample(top)
        info = schema(cubist("info", raw, "--json", env=NO_DRIVER), {
            "file": text, "dims": lambda d: d == [24, 20, 16], "type": lambda t: t == "uint8", "spacing": three(number),
            "origin": three(number), "direction": lambda a: len(a) == 9,
            "frame": lambda f: f is None,
            "range": lambda r: len(r) == 2 and r[0] < r[1], "not_finite": lambda n: n == 0, "iso": number,
            "iso_rule": text, "histogram": lambda h: len(h) == 256 and sum(h) == 24 * 20 * 16,
            "surface": lambda s: s is None})
        surface = {"iso": lambda v: v == info["iso"], "method": lambda m: m in names, "device": text, "active_cells": count,
                   "vertices": count, "triangles": count, "area": number, "volume": (int, float, type(None)),
                   "parts": lambda p: p == 1, "euler": lambda e: e == 2, "watertight": lambda w: w is True,
                   "closed": lambda c: c is True, "open_edges": lambda n: n == 0, "bounds": lambda b: len(b) == 2}
        schema(cubist("info", raw, "--json", "--iso", "auto"), {"dims": lambda d: d == [24, 20, 16], "surface": surface})
        words = cubist("info", raw, "--iso", str(info["iso"])).out
        for line in r"surface at    ", r"parts         1\n", r"Euler number  2\n", r"area          [\d.]+\n", r"volume        [\d.]+\n":
            check(re.search("^" + line, words, re.M), "info --iso does not say", line, words)
        extract = schema(cubist("extract", raw, "--json"), {
            "file": text, "dims": three(int), "type": text, **surface, "format": lambda f: f is None, "times": dict, "stages": dict, "output": lambda o: o is None})
        check(extract["triangles"] > 0 and extract["area"] > 0, "the automatic isovalue shows something:", extract)
        verify = schema(cubist("verify", raw, "--json"), {
            "file": text, "iso": number, "ok": lambda ok: ok is True,
            "checks": [{"name": text, "method": text, "ok": bool, "expected": (int, bool), "found": (int, bool)}],
            "skipped": [{"method": text, "reason": text}]})
        for name in names:
            tried = any(c["method"] == name for c in verify["checks"])
            check(tried != any(s["method"] == name for s in verify["skipped"]), "checked or skipped:", name)
        isos = [info["range"][1] * share for share in (0.3, 0.5, 0.7)]
        for more, want in (["--iso", ",".join(map(str, isos))], [(i, None) for i in isos]), \
                (["--iso", "50%", "--method", "all"], None), (["--iso", f"{isos[0]},{isos[0]}"], [(isos[0], None)] * 2):
            bench = schema(cubist("bench", "extract", raw, "--repeat", "3", "--json", *more), {"runs": [{
                "iso": number, "method": lambda m: m in names, "active_cells": count, "vertices": count,
                "triangles": count, "median_ms": lambda t: t > 0, "min_ms": lambda t: t > 0, "p95_ms": lambda t: t > 0,
                "gpu_ms": lambda t: t > 0,
                "stages": lambda s: isinstance(s, dict) and all(isinstance(v, number) for v in s.values())}]})
            for run in bench.get("runs", []):
                check(("removed" in run) == ("entered" in run) == run["method"].startswith("redzone"), "what left and came:", run)
                check(run["min_ms"] <= run["median_ms"] <= run["p95_ms"], "order of times:", run)
            if want:
                check([r["iso"] for r in bench["runs"]] == [i for i, _ in want], "one run for each isovalue:", bench)
            else:
                check([r["method"] for r in bench["runs"]] == [m["name"] for m in methods if m["available"]], "all:", bench)
        once = {key: lambda t: isinstance(t, number) and t >= 0 for key in ("load_ms", "device_ms", "upload_ms", "bricks_ms", "kernels_ms", "first_ms")}
        bench = schema(cubist("bench", "extract", raw, "--repeat", "3", "--json", "--iso", ",".join(map(str, isos)), "--against", "1e6,1e-6,1e6"), once)
        for run, ahead in zip(bench["runs"], (1, None, 1)):
            check(run["ahead_after"] == ahead, "far slower, far faster:", run)
        bench = schema(cubist("bench", "extract", raw, "--repeat", "3", "--json", "--iso", str(isos[0]), "--against", "1000"), once)
        once_ms = sum(bench[key] for key in once if key not in ("load_ms", "first_ms"))
        run = bench["runs"][0]
        least = (once_ms + max(0, bench["first_ms"] - run["median_ms"])) / (1000 - run["median_ms"])
        check(run["ahead_after"] == int(least) + 1, "what comes once over what is gained each time:", bench)
        one = schema(cubist("extract", raw, "--json", "--iso", str(isos[1])), {})
        run = [r for r in cubist("bench", "extract", raw, "--repeat", "1", "--json", "--iso", str(isos[1])).json()["runs"]][0]
        for key in "active_cells", "vertices", "triangles":
            check(one[key] == run[key], "bench and extract differ in", key)


def strings_and_numbers():
    """Whatever a file is called and whatever it holds, the JSON is sound."""
    with Folder() as top:
        for name, shown in (b"caf\xe9\xff", "caf\ufffd\ufffd"), (b"\xc3\xa9\xc3\xe2\x82\xac\xe2\x82", "\xe9\ufffd\u20ac\ufffd\ufffd"), \
                (b'q"\\\n\x01\x7f', 'q"\\\n\x01\x7f'), (b"\xf0\x9f\x99\x82\xed\xa0\x80\xc0\xaf", "\U0001f642\ufffd\ufffd\ufffd\ufffd\ufffd"):
            path = os.path.join(os.fsencode(top), name + b"_4x4x4_uint8.raw")
            with open(path, "wb") as file:
                file.write(bytes(range(64)))
            ran = cubist("info", path, "--json", text=False, env=NO_DRIVER)
            found = json.loads(ran.out.decode("utf-8", "strict"))["file"] if ran.code == 0 else None
            check(found == os.path.join(top, shown + "_4x4x4_uint8.raw"), name, "became", found, ran)
        raw = sample(top)
        for value in 0.1, 1 / 3, 1e-300, 1e300, 2.0 ** 53 + 2, 5e-324:
            ran = cubist("info", raw, "--json", "--spacing", f"1,{value!r},1", env=NO_DRIVER)
            check(ran.code == 0 and ran.json()["spacing"] == [1, value, 1], value, "reads back:", ran)
        path = os.path.join(top, "none_2x2x2_float32.raw")
        with open(path, "wb") as file:
            file.write(struct.pack("<8f", *[float("nan")] * 8))
        found = schema(cubist("info", path, "--json", env=NO_DRIVER), {"not_finite": lambda n: n == 8})
        check(found["range"] is None and found["iso"] is None, "no finite sample:", found)


no_device()
strings_and_numbers()
need_device()
with_device()
finish()
