#!/usr/bin/python3
# ctest: plain
"""Every text of the panel has a contrast of at least 4.5 to what it stands on (WCAG 2), by the tables of colours."""
import re

from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]


def text_of(*path):
    with open(os.path.join(SOURCE, *path)) as file:
        return file.read()


def light(colour):
    """Relative luminance."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def over(ground, layer):
    share = layer[3] / 255
    return [share * c + (1 - share) * g for c, g in zip(layer[:3], ground)]


# The check itself is checked.
check(abs(contrast((0, 0, 0), (255, 255, 255)) - 21) < 1e-9, "white on black")
check(abs(contrast((119, 119, 119), (255, 255, 255)) - 4.478) < 1e-3, "the grey that just fails on white")
check(over((0, 0, 0), (255, 255, 255, 51)) == [51, 51, 51], "a layer")

header = text_of("app", "viewer", "panel", "ui_colours.h")
colours = {name: tuple(map(int, rest.split(","))) for name, rest in re.findall(r"COLOUR\((\w+), ([\d, ]+)\)", header)}
texts = re.findall(r"\bON\((\w+), (\w+), (\w+)\)", header)
texts = [each for each in texts if each[0] != "text"]
check(len(colours) > 15 and len(texts) > 20, "tables:", len(colours), len(texts))
for text, ground, layer in texts:
    below = over(colours[ground][:3], colours[layer])
    found = contrast(over(below, colours[text]), below)
    check(found >= 4.5, f"{text} on {layer} on {ground} has a contrast of {found:.2f}")

# Text of the panel has colours of the table, without a fade, and each of them is in the table of texts.
code = text_of("app", "viewer", "panel", "ui_imgui.cpp")
used = re.findall(r"ImGuiCol_Text, (.+?)\);|ui_wrapped\(([^,()]*),|ui_right_text\([^;]*, (\w+)\);", code)
used = {word for groups in used for part in groups for word in re.findall(r"\b(?:[A-Z_]+|IM_COL32|ui_fade)\b", part)}
check(len(used) > 4 and used <= {text for text, _, _ in texts}, "text in colours that are not in the table:", used)
finish()
