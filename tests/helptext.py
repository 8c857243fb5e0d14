"""The options in the text of --help. The tests of completions and man page compare with them."""
import re

from cli import *


class Option:
    def __init__(self, letter, name, optional, value):
        self.letter, self.name = letter, name
        self.value = value  # "" where it takes none
        self.optional = optional

    def words(self):
        """The words of the value that stand for themselves."""
        return [w for w in re.split(r"[\[\]|]", self.value) if re.fullmatch(r"-?[a-z][a-z-]*", w)]


def parse(text):
    rows = re.findall(r"^  (?:-(\w), |    )--([a-z-]+)(\[=)?(?: ?(\S+))?", text, re.M)
    found = [Option(letter, name, bool(optional), value) for letter, name, optional, value in rows]
    # A help text in the next column looks like a value: there are two spaces before it.
    for option in found:
        if option.value and not re.search(rf"--{option.name}(\[=| ){re.escape(option.value)}", text):
            option.value = ""
    return found


def commands():
    """{name: [options]}, of each command's own help."""
    text = cubist("--help").out.split("commands:\n")[1].split("\n\n")[0]
    return {name: parse(cubist(name, "--help").out)
            for name in re.findall(r"^  ([a-z]+)\b", text, re.M)}


def alone():
    """The options that stand by themselves."""
    return parse(cubist("--help").out.split("options by themselves:\n")[1].split("\n\n")[0])
