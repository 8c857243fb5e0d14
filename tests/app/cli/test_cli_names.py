#!/usr/bin/python3
# ctest: plain
"""Names of files that a terminal would interpret or hide, or that are not UTF-8: text for people shows
them escaped everywhere; --json gives them without loss; and the right files are read and written."""
import os
import struct
import sys
import unicodedata
import zlib

from cli import *

NAMES = [
    b"plain",
    b"\x1b[31mred\x1b]0;title\x07",
    b"two\nlines\r\ttab\x7f",
    "turned\u202egnp.\u2066\u2069\u200f\u061c".encode(),
    "nothing\u200b\u2060\ufeff\u2028\u00ad\U000e0041\u009b31m".encode(),
    b"latin-1 caf\xe9 \xff\xfe \xe2\x80",
    "caf\u00e9 \u2192 \u5fc3 \\ \" ' , % %s%n \ufffd".encode(),
]


def readable(text):
    return all(c.isprintable() for line in text.split("\n") for c in line)


def shown(ran, *wanted):
    """Success, and nothing raw in it."""
    check(ran.code == 0, ran)
    for data in ran.out, ran.err:
        check("\ufffd" not in data.replace("\u5fc3 \\ \" ' , % %s%n \ufffd", "").replace('""', '"'), "is UTF-8:", ran)
        check(readable(data), "is readable:", ran)
    for word in wanted:
        check(word in ran.out + ran.err, f"says {word}:", ran)


def exact(json, key, name):
    """The member is the name, byte for byte."""
    found = bytes.fromhex(json[key + "_bytes"]) if key + "_bytes" in json else json[key].encode()
    check(found == name, f"{key} is not {name}:", json.get(key), json.get(key + "_bytes"))
    try:
        check(json[key] == name.decode() and key + "_bytes" not in json, "UTF-8 is given as it is:", json[key])
    except UnicodeDecodeError:
        check("\ufffd" in json[key] and key + "_bytes" in json, "what is no UTF-8:", json[key])


def reported(*args, **more):
    ran = cubist(*args, "--json", text=False, **more)
    check(ran.code == 0, ran)
    check(ran.out.isascii() and all(c >= 32 or c == 10 for c in ran.out), "JSON is printable ASCII:", ran.out)
    return json.loads(ran.out)


def escaped(name):
    """As it is documented, by other means."""
    out = ""
    for c in name.decode("utf-8", "surrogateescape"):
        code = ord(c)
        if 0xdc80 <= code <= 0xdcff:
            out += f"\\x{code - 0xdc00:02x}"
        elif unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp"):
            out += f"\\x{code:02x}" if code < 128 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
        else:
            out += c
    return out


def png(path):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(64)) for y in range(64))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def files(top, device):
    folder = os.fsencode(top)
    for name in NAMES:
        raw = folder + b"/" + name + b"_6x5x4_uint8.raw"
        as_text = escaped(raw)
        shown(cubist("generate", "sphere", "--dims", "6x5x4", "--type", "uint8", "-o", raw, "--verbose", env=NO_DRIVER))
        check(os.path.exists(raw), "the file has another name:", raw, os.listdir(folder))
        shown(cubist("info", raw, "--verbose", env=NO_DRIVER), as_text)
        exact(reported("info", raw, env=NO_DRIVER), "file", raw)
        mesh, nrrd, broken = (folder + b"/" + name + end for end in (b".ply", b".nrrd", b".nii"))
        shown(cubist("convert", raw, "-o", nrrd, "--verbose", env=NO_DRIVER))
        shown(cubist("convert", raw, "-o", folder + b"/" + name + b".raw", "--format", "raw", env=NO_DRIVER),
              escaped(name.split(b".")[0]) + "_6x5x4_uint8.raw")
        with open(broken, "wb") as file:
            file.write(b"none")
        refused(cubist("info", broken, env=NO_DRIVER), 3, re.escape(escaped(broken)))
        # A header's field is no better than a name.
        with open(nrrd, "wb") as file:
            file.write(b"NRRD0004\ntype: " + name.replace(b"\n", b"").replace(b"\r", b"") + b"\n")
        refused(cubist("info", nrrd, env=NO_DRIVER), 3, ".")
        if not device or name not in (NAMES[1], NAMES[3], NAMES[5]):
            continue
        shown(cubist("extract", raw, "--iso", "100", "-o", mesh, "--verbose"), as_text, escaped(mesh))
        report = reported("extract", raw, "--iso", "100", "-o", mesh)
        exact(report, "file", raw)
        exact(report, "output", mesh)
        picture = folder + b"/" + name + b".png"
        shown(cubist("render", raw, "--iso", "100", "--size", "32x32", "-o", picture), escaped(picture))
        hint(raw, folder + b"/" + name + b".y4m")
        exact(reported("verify", raw, "--iso", "100", "--method", "ink-collate"), "file", raw)
        shown(cubist("verify", raw, "--iso", "100", "--method", "ink-collate"))
        shown(cubist("bench", "extract", raw, "--iso", "100", "--method", "ink-collate", "--repeat", "1"))
        exact(reported("bench", "extract", raw, "--iso", "100", "--method", "ink-collate", "--repeat", "1"), "file", raw)
        shown(cubist("bench", "compaction", "--rerun", "ink-extraction", raw, "--repeat", "1", "--method", "ink-collate"),
              as_text)
        png(picture)
        args = ["bench", "compaction", "--image", picture, "--size", "1K", "--repeat", "1", "--method", "ink-collate"]
        shown(cubist(*args), escaped(name) + ".png")
        shown(cubist(*args, "--csv", "-"), escaped(name) + ".png")
        exact(reported(*args)["rows"][0], "image", name + b".png")


def hint(raw, film):
    """A command to copy: printable, and a shell reads the names from it."""
    ran = cubist("animate", raw, "--iso", "100", "--frames", "2", "--size", "32x32", "-o", film)
    shown(ran, escaped(film))
    line = ran.out.split("to encode it: ffmpeg ")[1]
    words = subprocess.run(["bash", "-c", "printf '%s\\0' " + line], stdout=subprocess.PIPE, timeout=60).stdout.split(b"\0")
    check(words[1] == film and words[-2] == film[:-4] + b".mp4", "a shell reads other names:", words, line)


def arguments():
    """All characters of the kinds that are escaped: none of them comes through a message."""
    kinds = ("Cc", "Cf", "Zl", "Zp")
    characters = [chr(c) for c in range(1, sys.maxunicode) if unicodedata.category(chr(c)) in kinds]
    for i in range(0, len(characters), 40):
        name = "".join(characters[i:i + 40])
        refused(cubist("info", name + "/none", env=NO_DRIVER), 3, "No such file")
        refused(cubist("extract", "none", "--iso", name, env=NO_DRIVER), 2, "--iso")


arguments()
with Folder() as top:
    with_device = cubist("devices").code == 0
    if not with_device:
        print("not tried: commands that need a device")
    files(top, with_device)
finish()
