#!/usr/bin/python3
# ctest: device twin heavy
"""Several contours of one picture: lists of isovalues, colours and opacities, and what is refused."""
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

need_device()
folder = tempfile.mkdtemp(prefix="cubist-test-")
raw = sample(folder, dims="32x32x32")


def render(*options, name="x.png"):
    path = os.path.join(folder, name)
    ran = cubist("render", raw, "--size", "200x160", "--light", "off", "-o", path, *options)
    if not check(ran.code == 0, ran):
        finish()
    with open(path, "rb") as file:
        return file.read()


def pixels(*options):
    render(*options, name="p.png")
    out = subprocess.run(["convert", os.path.join(folder, "p.png"), "-depth", "8", "rgb:-"], check=True,
                         capture_output=True).stdout
    return [out[i:i + 3] for i in range(0, len(out), 3)]


# The camera of all: a contour more does not move it.
camera = ["--camera", "15.5,15.5,15.5,90,1,0,0,0"]
one, two = render("--iso", "100", *camera), render("--iso", "180", *camera)
check(one != two, "two isovalues, one picture")
check(render("--iso", "100", "--color", "auto", *camera) == one, "auto is the default")
check(render("--iso", "100,180", "--hide", "2", *camera) == one, "a hidden contour is drawn")
check(render("--iso", "100,180", "--opacity", "1,0", *camera) == one, "a contour without opacity is drawn")
check(render("--iso", "180,100", "--color", "red", *camera) == render("--iso", "100,180", "--color", "red", *camera),
      "the order of contours of one colour shows")

# The contour at 100 encloses that at 180: opaque, it hides it.
check(render("--iso", "100,180", *camera) == one, "the inner contour is seen")
middle = 200 * 80 + 100
check(pixels("--iso", "180,100", "--color", "red,blue", *camera)[middle]
      == pixels("--iso", "100", "--color", "blue", *camera)[middle], "the outer contour has another colour")
check(pixels("--iso", "180,100", *camera)[middle] != pixels("--iso", "100", *camera)[middle],
      "contours without colours look alike")

# Forms of a list.
check(render("--iso", "100:180:3", *camera) == render("--iso", "100,140,180", *camera), "A:B:N")
facts = cubist("info", raw, "--json").json()
for text in "2s", "-0.5s":
    ran = cubist("info", raw, "--iso", text, "--json")
    check(ran.code == 0, ran)
    check(facts["range"][0] - 255 < ran.json()["surface"]["iso"] < 2 * facts["range"][1], ran.json()["surface"])

for options, said in (
    (["--iso", "1,2", "--opacity", "1,1,0.5"], "--opacity has 3 values, --iso 2"),
    (["--iso", "1,2,3", "--color", "red,blue"], "--color has 2 values, --iso 3"),
    (["--iso", "1,2", "--hide", "3"], "--hide 3: --iso has 2"),
    (["--iso", "1,2", "--clip", "x=50%@3"], "--clip: @ names a contour that is not there: --iso has 2"),
    (["--iso", "1,2,3,4,5,6,7,8,9"], "at most 8 isovalues"),
    (["--iso", "1:9:9"], "at most 8 isovalues"),
    (["--iso", "1:9:1"], "expected"),
    (["--iso", "1:p9:3"], "expected"),
    (["--iso", "1,,2"], "expected"),
    (["--iso", "1", "--clip-all"], "--clip-all needs --clip\n"),
    (["--iso", "1", "--clip-off"], "--clip-off needs --clip\n"),
    (["--iso", "1", "--cap", "none", "--section", "k=2"], "--cap needs --clip\n"),
    (["--iso", "1", "--section-off", "--clip", "k=2", "--draw", "rays"], "--section-off needs --section\n"),
    (["--iso", "1", "--grey", "1:2"], "--grey needs --section, or --clip with --cap values\n"),
    (["--iso", "1", "--interpolate", "nearest", "--clip", "k=2"], "--interpolate needs --section, or --clip with --cap values\n"),
    (["--iso", "1", "--interpolate", "linear", "--cap", "values"], "--cap needs --clip\n"),
    (["--iso", "1,2", "--color", "skin,bone"], "--color bone: expected a colour"),
    (["--iso", "1,2", "--color", "skin,blu,rad"], "--color blu: expected a colour such as #d08050, or white, grey, black, red, orange, "
     "yellow, green, teal, blue, violet, pink, brown or skin; did you mean blue?"),
    (["--iso", "1,2", "--opacity", "1,2"], "--opacity 2: expected numbers from 0 to 1"),
    (["--iso", "1,2", "--hide", "1,9"], "--hide 9: expected numbers of contours, 1 to 8"),
    (["--color", ",".join(["red"] * 9)], "expected at most 8 values"),
    (["--color", "red", "--color", "blue"], "--color was given twice; several values have commas between them: NAME|#RRGGBB[,...]"),
    (["--clip", "x=1", "--clip", "y=1"], "--clip was given twice; several values have commas between them: PLANE[,PLANE]"),
    (["--size", "3", "--size", "3"], "--size was given twice\n"),
    (["--clip", "a,b"], "expected an axis, = and a place such as x=50%, or four numbers NX,NY,NZ,D, the first three not all 0; "
     "several planes as in x=50%,k=40"),
    (["--clip", "0,0,0,1"], "the first three not all 0"),
    (["--clip", "x=50%,w=1"], "expected one of the axes x, y, z, i, j, k and view before the ="),
    (["--clip", "x=half"], "expected a number or a percentage behind the ="),
    (["--clip", "view=3"], "expected a percentage of view"),
    (["--clip", "x=1@9"], "expected numbers of contours behind the @, 1 to 8"),
    (["--clip", "x=1@1,y=2"], "expected the same @ behind each plane"),
    (["--clip", "x=1,y=1,z=1,i=1"], "expected at most 3 planes"),
    (["--section", "-x=1"], "expected planes such as x=50%, without - in front and @ behind"),
    (["--clip", "x=1", "--cap", "grey"], "--cap grey: expected solid, values (the samples in grey) or none\n"),
    (["--iso", "1", "--opacity", "1.5"], "from 0 to 1"),
    (["--iso", "1", "--opacity", "0.5", "--draw", "triangles"], "only rays show an opacity below 1"),
):
    target = os.path.join(folder, "never.png")
    ran = cubist("render", raw, "-o", target, *options)
    check(ran.code == 2 and said in ran.err and len(ran.err.splitlines()) == 1, ran)
    check(not os.path.exists(target), f"{options} wrote a picture")

# A film moves each contour by itself.
frames = os.path.join(folder, "f_{n}.png")
ran = cubist("animate", raw, "--size", "200x160", "--light", "off", "--iso", "100:180,150", "--frames", "3", *camera,
             "-o", frames)
check(ran.code == 0, ran)
for frame, iso in enumerate((100, 140, 180)):
    with open(frames.replace("{n}", f"{frame:04}"), "rb") as file:
        check(file.read() == render("--iso", f"{iso},150", *camera), f"frame {frame}")
check(cubist("animate", raw, "--iso", "1:2:3", "-o", frames).code == 2, "animate takes A:B:N")
shutil.rmtree(folder)
finish()
