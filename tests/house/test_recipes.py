#!/usr/bin/python3
# ctest: long plain
"""Recipes of the READMEs, followed on a copy of the tree: to add a method, a mesh format, a command and a toggle.
A recipe must name each product file that is changed. The copy is built, and the new thing is used."""
import glob
import shutil

from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]
TREE = ""  # the copy


def section(readme, heading):
    """The text below a heading of a README."""
    with open(os.path.join(TREE, readme)) as file:
        return file.read().split(f"\n## {heading}\n")[1].split("\n## ")[0]


class Recipe:
    """One recipe. Whatever is written is a file that its text names."""

    def __init__(self, readme, heading):
        self.text = section(readme, heading)
        self.of = f"{readme}, '{heading}'"

    def path(self, file):
        named = os.path.basename(file)
        patterns = re.findall(r"[`/]([\w./]*NAME[\w.]*)`", self.text)
        check(re.search(rf"[`/]{re.escape(named)}`|`{re.escape(named.split('.')[0])}`", self.text) or
              named == "README.md" and "first README" in self.text or
              any(os.path.dirname(file) == each for each in re.findall(r"`(shaders/\w+)`", self.text)) or
              any(re.search(rf"(^|/){re.escape(each).replace('NAME', '[a-z_]+')}$", file) for each in patterns),
              self.of, "does not name", file)
        return os.path.join(TREE, file)

    def new(self, file, text):
        path = self.path(file)
        check(not os.path.exists(path), file, "exists")
        with open(path, "w") as out:
            out.write(text)

    def add(self, file, anchor, text, before=False):
        """Puts text behind the first line that holds the anchor, or before that line."""
        path = self.path(file)
        with open(path) as source:
            lines = source.read().splitlines(keepends=True)
        at = next((i for i, line in enumerate(lines) if anchor in line), None)
        if check(at is not None, file, "lacks", anchor):
            lines.insert(at if before else at + 1, text)
            with open(path, "w") as out:
                out.write("".join(lines))

    def replace(self, file, old, new):
        path = self.path(file)
        with open(path) as source:
            text = source.read()
        if check(old in text, file, "lacks", old):
            with open(path, "w") as out:
                out.write(text.replace(old, new))

    def code(self):
        """The block of C in its text."""
        blocks = re.findall(r"(?:^ {7,}.*\n|^\n)+", self.text, re.M)
        return next("".join(line[7:] if line.strip() else line for line in block.splitlines(keepends=True)).strip() + "\n"
                    for block in blocks if "#include" in block)


def method():
    recipe = Recipe("compute/compaction/methods/README.md", "To add a method")
    with open(os.path.join(TREE, "shaders/compact/single_pass.comp")) as file:
        recipe.new("shaders/compact/one_pass.comp", file.read())
    # Below its block the recipe says that a workgroup which loops over the whole stream needs `loop`.
    recipe.new("compute/compaction/methods/one_pass.c", recipe.code().replace("    .passes", "    .loop = { 15, 2048 },\n"
                                                                              "    .passes"))
    with open(os.path.join(TREE, "README.md")) as file:
        count = int(re.search(r"Cubist has (\d+)\s", file.read())[1])
    recipe.replace("README.md", f"Cubist has {count}", f"Cubist has {count + 1}")


def mesh_format():
    recipe = Recipe("compute/mesh/README.md", "To add a mesh format")
    with open(os.path.join(TREE, "compute/mesh/formats/off.c")) as file:
        text = file.read()
    recipe.new("compute/mesh/formats/coff.c", text.replace("off_", "coff_").replace("put_off", "put_coff").replace(
        "OFF\\n", "COFF\\n"))
    recipe.add("compute/mesh/mesh_formats.h", "mesh_put_off", "bool mesh_put_coff(const struct mesh_source *mesh, "
               "struct mesh_sink *sink);\n")
    with open(os.path.join(TREE, "compute/mesh/mesh_formats.c")) as file:
        row = re.search(r"^    \{\n        \.name = \"off\",\n(?:.*\n)*?    \},\n", file.read(), re.M)[0]
    recipe.add("compute/mesh/mesh_formats.c", row.splitlines()[1],
               "".join(row.replace('off"', 'coff"').replace(".off", ".coff").replace("put_off", "put_coff")
                       .splitlines(keepends=True)[1:]) + "    {\n", before=True)
    recipe.add("tests/mesh_files.py", "# Formats that cannot say", """def read_coff(path):
    text = whole(path)
    assert text.startswith(b"COFF")
    with open(path + ".off", "wb") as file:
        file.write(text[1:])
    return read_off(path + ".off")


""", before=True)
    recipe.replace("README.md", "PVTP, OFF:", "PVTP, OFF, COFF:")


def command():
    recipe = Recipe("app/cli/commands/README.md", "To add a command")
    folder = os.path.dirname(glob.glob(f"{TREE}/app/cli/**/command_devices.c", recursive=True)[0])
    folder = os.path.relpath(folder, TREE)
    recipe.add("app/cli/command.h", "    COMMAND_METHODS,", "    COMMAND_HELLO,\n")
    recipe.add("app/cli/command.h", "command_run command_view", "command_run command_hello;\n", before=True)
    recipe.add("app/cli/command.c", "    [COMMAND_METHODS] = {", """    [COMMAND_HELLO] = {
        .name     = "hello",
        .operands = "",
        .summary  = "greet",
    },
""", before=True)
    recipe.new(f"{folder}/command_hello.c", """#include "app/cli/options.h"

#include <stdio.h>

// Greets.
bool command_hello(const struct options *options, struct problem *problem)
{
    (void)options;
    return puts("hello") >= 0 || problem_set(problem, PROBLEM_OUTPUT, "cannot write");
}
""")
    recipe.add("app/programs/cubist.c", "[COMMAND_METHODS]", "    [COMMAND_HELLO] = command_hello,\n")
    recipe.replace("app/cli/option_table.c", "~(BIT(GENERATE) |", "~(BIT(HELLO) | BIT(GENERATE) |")
    recipe.add("README.md", "    cubist methods ", "    cubist hello                                           greets\n")


def toggle():
    """A tint by the distance from the sphere around the volume, for triangles and rays."""
    recipe = Recipe("app/settings/README.md", "To add a toggle")
    recipe.add("app/settings/view.h", "bool box;", "    bool tint;            // by the distance from the volume's middle\n")
    recipe.add("app/settings/table.c", "SWITCH(view.box)", '    { SWITCH(view.tint), "tint", NULL, '
               '"tint what is near the rim", .style = SURFACE_TINT },\n')
    recipe.add("app/settings/table.c", '"bounding box", "box"', '    { SHOW, "J", "tint", "tint", \'J\', 0, TOGGLE(view.tint) '
               '},\n')
    recipe.add("README.md", "| `B`, Shift", "| `J` | tint |\n")
    recipe.add("shaders/shared/picture.h", "#define SURFACE_BY_PIXEL", "#define SURFACE_TINT     32 // near the sphere around it\n")
    recipe.add("shaders/cast/shade.comp", "vec3 light = light_of", "    light.b += (block.style & SURFACE_TINT) == 0 ? 0.0 : "
               "distance(place, 0.5 * block.extent.xyz) / length(0.5 * block.extent.xyz);\n")
    recipe.add("shaders/draw/surface.vert", "layout(location = 0) out vec3 view_normal;",
               "layout(location = 2) out float near_rim;\n")
    recipe.add("shaders/draw/surface.vert", "gl_Position = picture.clip", "    near_rim = (picture.style & SURFACE_TINT) == 0 "
               "? 0.0 : distance(position, 0.5 * picture.extent.xyz) / length(0.5 * picture.extent.xyz);\n")
    recipe.add("shaders/draw/surface.frag", "layout(location = 0) in vec3 view_normal;",
               "layout(location = 2) in float near_rim;\n")
    recipe.add("shaders/draw/surface.frag", "if (push.style == SURFACE_LINES)", "    light.b += near_rim;\n", before=True)


def build():
    """Configures and builds the copy; its program."""
    log = os.path.join(TREE, "build.log")
    folder = os.path.join(TREE, "build")
    os.environ["CCACHE_BASEDIR"] = TREE  # where a compiler cache is used, it knows the other files
    with open(log, "w") as out:
        for words in (["cmake", "-G", "Ninja", "-S", TREE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release"],
                      ["ninja", "-C", folder]):
            if subprocess.run(words, stdout=out, stderr=out).returncode != 0:
                with open(log) as lines:
                    print(lines.read()[-4000:])
                sys.exit(f"{words[0]} failed in the copy")
    return os.path.join(folder, "cubist")


def tests(pattern):
    """Runs tests of the copy."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUBIST_")}
    done = subprocess.run(["ctest", "--test-dir", os.path.join(TREE, "build"), "-j2", "-LE", "long|sweep|validated",
                           "--output-on-failure", "-R", f"^({pattern})$"], stdout=subprocess.PIPE, text=True,
                          env=environment)
    check(done.returncode == 0 and "No tests were found" not in done.stdout, done.stdout[-6000:])


def use(program, folder):
    """The new things work, and are listed where the recipes say so."""
    def run(*args):
        done = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr

    volume = sample(folder)
    code, out, err = run("verify", volume, "--method", "one-pass")
    check(code == 0, "one-pass:", out, err)
    check("one-pass" in run("methods")[1], "methods does not list one-pass")
    mesh = os.path.join(folder, "a.coff")
    code, out, err = run("extract", volume, "-o", mesh)
    check(code == 0 and open(mesh).read(5) == "COFF\n", "coff:", out, err)
    check(".coff" in run("--list-formats")[1], "--list-formats does not list .coff")
    pictures = {}
    for way in [], ["--tint"], ["--draw", "rays"], ["--draw", "rays", "--tint"]:
        code, out, err = run("render", volume, "--size", "120", *way, "-o", os.path.join(folder, "a.png"))
        check(code == 0, "render", way, out, err)
        with open(os.path.join(folder, "a.png"), "rb") as file:
            pictures[" ".join(way)] = file.read()
        os.unlink(os.path.join(folder, "a.png"))
    check(len(set(pictures.values())) == 4, "--tint makes no other picture")
    check("tint" in run("--list-bindings")[1], "--list-bindings lacks tint")
    check(run("hello")[:2] == (0, "hello\n"), "hello:", run("hello"))
    check("hello" in run("--help")[1], "--help does not list hello")


def main():
    global TREE
    with tempfile.TemporaryDirectory() as folder:
        TREE = os.path.join(folder, "tree")
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
        for name in os.fsdecode(listed).split("\0"):
            if name and os.path.isfile(os.path.join(SOURCE, name)):
                os.makedirs(os.path.dirname(os.path.join(TREE, name)), exist_ok=True)
                shutil.copy2(os.path.join(SOURCE, name), os.path.join(TREE, name))
        method()
        mesh_format()
        command()
        toggle()
        use(build(), folder)
        tests("test_compaction|test_mesh_formats|test_mesh_files|test_manual|test_completions|test_cli_usage|test_readmes|"
              "test_key_table|test_layers|test_circles|test_doors|test_table_rows")


need_device()
main()
print("FAILED" if failures else "all checks passed")
sys.exit(1 if failures else 0)
