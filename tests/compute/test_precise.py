# ctest: plain
"""What is `precise` stays so. The loop unroller of spirv-opt, which glslc -O runs, gives the decoration
NoContraction to the first turn of an [[unroll]] loop only (mended in 2025, SPIRV-Tools #6373). Of the other turns
spirv-opt and drivers then reorder sums. So no such loop may have `precise` in it, nor in a function that it calls.
A loop whose end is a specialization constant is left to the driver, which keeps the decoration.
The test then proves on texts of its own that it detects both."""
import os
import pathlib
import re

from cli import check, finish

SHADERS = pathlib.Path(os.environ["CUBIST_SOURCE"]) / "shaders"
COMMENT = re.compile(r"//[^\n]*")
FUNCTION = re.compile(r"^\w[\w\[\] ]*? (\w+)\(([^;{}()]*)\)\s*\{(.*?)^\}", re.M | re.S)
UNROLL = re.compile(r"\[\[\s*unroll\s*\]\]")
CONSTANT = re.compile(r"constant_id\s*=\s*\w+\)\s*const\s+\w+\s+(\w+)")
CALL = re.compile(r"\b(\w+)\(")


def loop_at(text, at):
    """The loop whose attribute ends at a place of the text."""
    end = text.find("{", at)
    depth = 1
    while depth and end + 1 < len(text):
        end += 1
        depth += {"{": 1, "}": -1}.get(text[end], 0)
    return text[at:end + 1]


def faults(texts):
    """{ file: text } -> the loops that lose what is precise, as texts, and the number of functions that are precise
    or call one. Functions of one name count as one; nothing calls main()."""
    texts = {name: COMMENT.sub("", text) for name, text in texts.items()}
    calls, precise = {}, set()
    for text in texts.values():
        for name, _, body in FUNCTION.findall(text):
            calls.setdefault(name, set()).update(CALL.findall(body))
            if re.search(r"\bprecise\b", body):
                precise.add(name)
    while more := {name for name, called in calls.items() if called & precise} - precise - {"main"}:
        precise |= more
    later = {name for text in texts.values() for name in CONSTANT.findall(text)}
    found = []
    for name, text in texts.items():
        for match in UNROLL.finditer(text):
            loop = loop_at(text, match.end())
            has = set(CALL.findall(loop)) & precise | set(re.findall(r"\bprecise\b", loop))
            condition = loop.split(";")[1]
            if has and not set(re.findall(r"\w+", condition)) & later:
                found.append(f"{name}: [[unroll]]{' '.join(loop.split())[:60]}...: {', '.join(sorted(has))}")
    return found, len(precise)


def main():
    texts = {str(path.relative_to(SHADERS)): path.read_text()
             for path in sorted(SHADERS.rglob("*")) if path.suffix in (".glsl", ".comp", ".vert", ".frag")}
    found, precise = faults(texts)
    for fault in found:
        check(False, fault)
    check(precise >= 20, "functions that are precise, or call one:", precise)
    sound = "float f(float a)\n{\n    precise float b = a * a + 1.0;\n    return b;\n}\n" \
            "float g(float a)\n{\n    return f(a);\n}\n"
    loop = "void h()\n{\n    [[unroll]] for (int i = 0; i < 2; i++) {\n        if (i < 9) {\n        }\n        %s\n    }\n"
    check(not faults({"a": sound, "b": loop % "x = k(a);" + "    y = g(b);\n}\n"})[0], "a sound loop is refused")
    check(len(faults({"a": sound, "b": loop % "x = g(a);" + "}\n"})[0]) == 1, "a call of what is precise passes")
    check(len(faults({"b": loop % "precise float a = b - c;" + "}\n"})[0]) == 1, "precise in a loop passes")
    print(f"{len(texts)} files, {precise} functions")
    finish()


main()
