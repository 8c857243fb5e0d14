#!/usr/bin/python3
# ctest: plain
"""Every sentence of the rerun experiments that has a figure or an order follows from the tables beside it;
claims.py has the rules. Other texts of the measurements have checks where a table is at hand. Then it proves
on copies that what is made false is found: each figure and each word of order of each sentence, each row
of a table, a changed table, a sentence without a check, and expressions that reach for more than they may."""
import glob

import claims
from cli import *

RESULTS = os.path.join(os.environ["CUBIST_SOURCE"], "tests/bench/results")
STRICT = os.path.join(RESULTS, "rerun.md")


def found_in(folder, text, name="copy.md", strict=True):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return claims.complaints(path, strict)


def other(figure):
    """The figure with another last digit."""
    return figure[:-1] + str((int(figure[-1]) + 4) % 10)


def of_paper(check, figure):
    return any(figure in re.findall(r"[\d.]+", said) for said in re.findall(r"paper\(([^)]*)\)", check))


def every_row(folder, head, table, expression):
    """Makes one cell after the other false, and returns how many there were."""
    made = 0
    for line in table[2:]:
        label, _, cells = line.strip("|").partition("|")
        for cell in claims.FIGURE.finditer(cells):
            wrong = cells[:cell.start()] + other(cell.group()) + cells[cell.end():]
            copy = "\n".join(f"|{label}|{wrong}" if each == line else each for each in table)
            check_false(found_in(folder, f"{head}\n\n{copy}\n\n<!-- check:{expression}-->\n"), label, "with", wrong)
            made += 1
    return made


def every_figure(tried, sentence, expression):
    """The same with the figures and the words of order of a sentence: first in the sentence only, then in
    its check, too, which shows that the check says something about them."""
    made = 0
    for figure in {each.text for each in claims.figures_of(sentence)}:
        written = re.compile(r"(?<![\w.^-])" + re.escape(figure) + r"(?!\d|\.\d)")
        wrong = written.sub(other(figure), sentence.replace(",", "") if figure not in sentence else sentence)
        check_false(tried(wrong, expression), "in the sentence:", wrong)
        if not of_paper(expression, figure):
            check_false(tried(wrong, written.sub(other(figure), expression)), "in the check, too:", wrong)
        made += 1
    for word in set(claims.WORDS.findall(sentence)):
        opposite = claims.OPPOSITES[word.lower()]
        wrong = re.sub(rf"\b{word}\b", opposite, sentence)
        check_false(tried(wrong, expression), "in the sentence:", wrong)
        if f'"{word}"' not in expression:
            check_false(tried(wrong, re.sub(rf"\b{word}\(", opposite + "(", expression)), "in the check, too:", wrong)
        made += 1
    return made


def every_sentence(folder, text):
    """Makes one sentence, and one row of a table, after the other false. Only this one is in the copy."""
    made, table, context = 0, [], []
    for kind, lines in claims.blocks_of(text):
        if kind == "table":
            table = lines
            continue
        block, at = "\n".join(lines), 0
        for comment in claims.COMMENT.finditer(block):
            what, expression = comment.group(1), comment.group(2)
            before, at = block[at:comment.start()], comment.end()
            head = "\n\n".join(context)
            sentence = (claims.sentences_of(before) or [""])[-1]
            if what != "check":
                context.append(comment.group(0))
            elif not sentence:
                made += every_row(folder, head, table, expression)
            else:
                def tried(sentence, expression):
                    return found_in(folder, f"{head}\n\n{sentence} <!-- check:{expression}-->\n")
                check(not tried(sentence, expression), "alone:", sentence, tried(sentence, expression))
                made += every_figure(tried, sentence, expression)
    check(made > 250, "too little was made false:", made)


def check_false(complaints, *what):
    check(complaints, "not found:", *what)


def small_cases(folder):
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write("method,size,ms,note\nhorn,1,2.04,a\nhorn,2,4,\nrlz,1,1,b\nrlz,2,3,\n")
    head = "<!-- csv: t.csv -->\n\n"
    fine = [
        "Horn takes 2.0 ms. <!-- check: ms(method=\"horn\", size=1) == 2.0 -->",
        "RLZ is faster than Horn. <!-- check: faster(ms(method=\"rlz\"), ms(method=\"horn\")) -->",
        "The paper has 7 ms. <!-- check: paper(7) -->", "Nothing is said of `redzone-2 --size 3`, redzone-2 or vec4.",
        "- Horn\n  takes 4 ms. <!-- check: ms(method=\"h*\",\n    size=2) == 4 -->\n- Next.",
    ]
    for each in fine:
        check(not found_in(folder, head + each), each, found_in(folder, head + each))
    wrong = [
        ("Horn takes 2.0 ms.", "no check"), ("RLZ is faster.", "no check"), ("Twice as much.", "no check"),
        ("It is 3. Horn takes 2.0 ms. <!-- check: ms(method=\"horn\", size=1) == 2.0 -->", "no check"),
        ("Horn takes 2.1 ms. <!-- check: ms(method=\"horn\", size=1) == 2.1 -->", "is false"),
        ("Horn takes 2.1 ms. <!-- check: ms(method=\"horn\", size=1) == 2.0 -->", "does not have"),
        ("RLZ is slower. <!-- check: slower(ms(method=\"rlz\"), ms(method=\"horn\")) -->", "is false"),
        ("RLZ is slower. <!-- check: faster(ms(method=\"rlz\"), ms(method=\"horn\")) -->", "the sentence says"),
        ("Horn takes 2 ms. <!-- check: ms(method=\"hern\") == 2 -->", "no row"),
        ("Horn takes 2 ms. <!-- check: ms(method=[\"horn\", \"x\"]) == 2 -->", "no row"),
        ("Horn takes 2 ms. <!-- check: ms(methods=\"horn\") == 2 -->", "no column"),
        ("Horn takes two times 4 ms. <!-- check: 4 == 4 -->", "in digits"),
        ("Horn takes 2 ms. <!-- check: 2 -->", "a condition is expected"),
        ("Horn takes 2 ms. <!-- check: [ms(method=\"horn\") == 2, 2 == 2] -->", "is false"),
        ("Horn takes 2 ms. <!-- check: ms(method=\"horn\") == [2] -->", "values beside"),
        ("| a | b |\n| --- | --- |\n| c | 1 |\n", "no check"),
        ("| a | b |\n| --- | --- |\n| c | 1 |\n| d | 2 |\n\n<!-- check: row(\"c\") == [1] -->", "the row 'd'"),
        ("<!-- csv: none.csv -->", "no table"),
    ]
    for expression in ("__import__('os')", "().__class__", "ms.__globals__", "open('t.csv')", "ms(**{})", "2 ** 9",
                       "[x for x in [1] for y in [2]][0]", "f'{ms}'", "(x := 1)", "1 if 2 else 3", "\"a\".join([])"):
        wrong.append((f"Horn. <!-- check: {expression} -->", ""))
    for each, why in wrong:
        found = found_in(folder, head + each)
        check(any(why in complaint for complaint in found), each, "expected:", why, "found:", found)


for complaint in claims.complaints(STRICT):
    check(False, complaint)
for path in [*glob.glob(os.path.join(RESULTS, "*.md")), os.path.join(os.path.dirname(RESULTS), "README.md")]:
    for complaint in claims.complaints(path, strict=False) if path != STRICT else []:
        check(False, path, complaint)

with Folder() as top:
    for path in glob.glob(os.path.join(RESULTS, "*.csv")):
        shutil.copy(path, top)
    with open(STRICT) as file:
        rerun = file.read()
    every_sentence(top, rerun)
    first = claims.COMMENT.search(rerun, rerun.index("<!-- check:"))
    check_false(found_in(top, rerun.replace(first.group(0), "", 1)), "a sentence without a check")
    # The figures are those of the table, not of a copy of it in the text.
    for name in glob.glob(os.path.join(top, "*.csv")):
        with open(name) as file:
            table = file.read()
        if os.path.basename(name) in rerun:
            with open(name, "w") as file:
                file.write(re.sub(r",1(\d*\.\d+)", r",7\1", table))
            check_false(found_in(top, rerun), "another table", name)
            with open(name, "w") as file:
                file.write(table)
with Folder() as top:
    small_cases(top)
finish()
