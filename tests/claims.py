"""Holds the sentences of a text to the tables beside it.

A sentence ends with its check, a comment that no reader of the page sees:

    Horn is 2 times as fast as RLZ. <!-- check: median_ms(method="rlz") / median_ms(method="horn") == 2 -->

`<!-- csv: FILE.csv -->` says which table the checks below it are about. Each column of the table is a
function. It gives the column's values in the rows that have the named values; no such row is an error:

    median_ms(method="horn", block=[32, 256])      text may be a pattern; a list: any of these

`a == 1.9` means: a, rounded to one digit behind the point as 1.9 is written, is 1.9. Operators work on
lists element by element, and a comparison holds if it holds for all elements.

    low(a), high(a), mean(a), span(a), count(a)     of a list; span is [low, high]
    within(a, 10, 90)                               what is from 10 to 90; both must be in the list
    only(a), percent(a), spread(a), beside(a, b)    its single value; 100 times each; greatest / least;
                                                    the two in turns
    faster(a, b), more(a, b), fastest(a, b, c) ...  words of order: see BELOW and ABOVE
    row("label")                                    the figures of a row of the table above the check
    paper(1.8), paper("slower")                     not ours: the paper says so

`<!-- let: NAME = EXPRESSION -->` names an expression for the checks below it; lambda and a list with
one `for` are allowed. What an expression may hold is listed here: it is not Python's eval.

A check has the figures of its sentence in the same order, others may stand between them. It calls the
sentence's words of order, in the same order, and no others."""
import ast
import csv
import fnmatch
import functools
import os
import re

# Words of order, as functions of times or counts: the first is below, or above, all others.
BELOW = {"faster": "slower", "less": "more", "fewer": "more", "smaller": "larger", "better": "worse",
         "shorter": "longer", "lower": "higher", "earlier": "later", "fastest": "slowest", "best": "worst",
         "smallest": "largest", "lowest": "highest", "shortest": "longest", "least": "most"}
ABOVE = {**{opposite: word for word, opposite in BELOW.items()}, "greater": "less", "greatest": "smallest"}
OPPOSITES = {**BELOW, **ABOVE}
WORDS = re.compile(r"(?<!at )\b(" + "|".join(OPPOSITES) + r")\b", re.I)
# These need a check, but not a function.
ORDER = re.compile(WORDS.pattern + r"|\b(than|times|twice|half|equal|at least|at most|as \w+ as)\b", re.I)
SPELLED = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) times\b|\btwice\b", re.I)
# A number that is not a part of a name, as in redzone-2; of 16^3 and 512x512 the first.
FIGURE = re.compile(r"(?<![\w.^-])\d+(?:,\d{3})*(?:\.\d+)?")
NUMBER = re.compile(r"[-+]?\.?\d[-+.\de]*")
COMMENT = re.compile(r"<!-- *(check|csv|let):(.*?)-->", re.S)


class Wrong(Exception):
    pass


class Figure(float):
    """A number as it is written: it stands for all that are rounded to it."""

    def __new__(cls, text):
        self = float.__new__(cls, text.replace(",", "").replace("_", ""))
        self.text = text.replace(",", "").replace("_", "")
        self.half = 0.5 * 10.0 ** -len(self.text.partition(".")[2])
        return self

    def fits(self, value):
        return abs(value - self) <= self.half * (1 + 1e-9)


def figures_of(text):
    """The figures of a piece of text, without those in `code`."""
    return [Figure(found) for found in FIGURE.findall(re.sub(r"`[^`]*`", "", text))]


def equal(a, b):
    if isinstance(b, Figure) and not isinstance(a, str):
        return b.fits(a)
    if isinstance(a, Figure) and not isinstance(b, str):
        return a.fits(b)
    return a == b


def listed(value):
    return value if isinstance(value, list) else [value]


def pairs(a, b):
    """The elements of two lists side by side; what is no list stands beside each."""
    size = max(len(v) for v in (a, b) if isinstance(v, list)) if isinstance(a, list) or isinstance(b, list) else 1
    a, b = (v if isinstance(v, list) else [v] * size for v in (a, b))
    if len(a) != len(b):
        raise Wrong(f"{len(a)} values beside {len(b)}")
    return zip(a, b)


class Rows:
    """A table of a CSV file."""

    def __init__(self, path):
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.selected = {}  # what was asked for before

    def matches(self, cell, wanted):
        if isinstance(wanted, list):
            return any(self.matches(cell, each) for each in wanted)
        if isinstance(wanted, Figure):
            return bool(re.fullmatch(NUMBER, cell)) and wanted.fits(float(cell))
        return fnmatch.fnmatchcase(cell, wanted)

    def select(self, name, where):
        for key in where:
            if key not in self.rows[0]:
                raise Wrong("the table has no column " + key)
        found = [row for row in self.rows
                 if all(self.matches(row[key], wanted) for key, wanted in where.items())]
        for key, wanted in where.items():
            for each in listed(wanted):
                if not any(self.matches(row[key], each) for row in found):
                    raise Wrong(f"no row of the table has {key}={each} beside the rest of {where}")
        cells = [row[name] for row in found]
        return [float(cell) if re.fullmatch(NUMBER, cell) else cell for cell in cells]

    def column(self, name):
        def values(**where):
            key = name + str({k: [getattr(v, "text", v) for v in listed(w)] for k, w in where.items()})
            if key not in self.selected:
                self.selected[key] = self.select(name, where)
            return self.selected[key]
        return values


@functools.lru_cache
def rows_of(path, _changed):
    return Rows(path)


def compare(holds):
    """A function that says whether its first argument is on that side of all others."""
    def order(a, *others):
        if not others:
            raise Wrong("a word of order compares two things at least")
        return all(holds(x, y) for b in others for x, y in pairs(a, b))
    return order


def within(values, first, last):
    if first not in values or last not in values:
        raise Wrong(f"{first} and {last} are not both among {values}")
    return [each for each in values if first <= each <= last]


def only(values):
    if len(values) != 1:
        raise Wrong(f"{len(values)} values in place of one")
    return values[0]


class Said(Figure):
    """A figure of a paper."""


def paper(*said):
    """What the paper says: nothing here can be false. Its figures can be compared with ours."""
    numbers = [Said(each.text) for each in said if isinstance(each, Figure)]
    return numbers[0] if len(numbers) == 1 else numbers or True


def holds(value):
    """Whether a condition, or each of a list of conditions, is true."""
    if isinstance(value, list):
        return all([holds(each) for each in value])
    if not isinstance(value, (bool, Said)):
        raise Wrong(f"has {value} where a condition is expected")
    return value is not False


BELOW_ALL, ABOVE_ALL = compare(lambda a, b: a < b), compare(lambda a, b: a > b)
FUNCTIONS = {
    **{word: BELOW_ALL for word in BELOW}, **{word: ABOVE_ALL for word in ABOVE},
    "paper": paper, "low": min, "high": max, "within": within, "mean": lambda a: sum(a) / len(a), "span": lambda a: [min(a), max(a)], "count": len, "only": only,
    "percent": lambda a: [100 * x for x in a] if isinstance(a, list) else 100 * a,
    "spread": lambda a: max(a) / min(a),
    "beside": lambda *lists: [x for together in zip(*lists) for x in together],
}
OPERATORS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
             ast.Div: lambda a, b: a / b}
COMPARISONS = {ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b,
               ast.GtE: lambda a, b: a >= b, ast.Eq: equal}


def parse(source):
    source = " ".join(source.split())
    try:
        return source, ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise Wrong(f"{source}: {error.msg}") from None


def evaluate(source, node, names):
    def value(node, names):
        def many(nodes):
            return [value(each, names) for each in nodes]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return Figure(ast.get_source_segment(source, node))
        if isinstance(node, ast.Name):
            if node.id not in names:
                raise Wrong("there is no " + node.id)
            return names[node.id]
        if isinstance(node, ast.List):
            return many(node.elts)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            a, b = many([node.left, node.right])
            results = [OPERATORS[type(node.op)](x, y) for x, y in pairs(a, b)]
            return results if isinstance(a, list) or isinstance(b, list) else results[0]
        if isinstance(node, ast.Compare) and all(type(op) in COMPARISONS for op in node.ops):
            sides = many([node.left, *node.comparators])
            return all(COMPARISONS[type(op)](x, y) for op, a, b in zip(node.ops, sides, sides[1:])
                       for x, y in pairs(a, b))
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return holds(many(node.values))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return value(node.func, names)(*many(node.args),
                                           **{k.arg: value(k.value, names) for k in node.keywords})
        if isinstance(node, ast.Lambda):
            return lambda *args: value(node.body, {**names, **dict(zip([a.arg for a in node.args.args], args))})
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            each = node.generators[0]
            return [value(node.elt, {**names, each.target.id: x}) for x in value(each.iter, names)]
        raise Wrong("a check cannot hold " + ast.unparse(node))
    return value(node, names)


def sentences_of(text):
    """The sentences of a paragraph. The last one may have no full stop, as above a table."""
    text = " ".join(text.split())
    return [each for each in re.split(r"(?<!al\.)(?<=[.!?])\s+", text) if each]


def says_something(text):
    plain = re.sub(r"`[^`]*`", "", text)
    return bool(figures_of(text)) or bool(ORDER.search(plain))


def blocks_of(text):
    """Splits a text into paragraphs and items ("text"), and tables; code, headings, pictures are left out."""
    blocks, fenced = [], []
    # A comment may go over lines; as one line it stays with its paragraph.
    text = COMMENT.sub(lambda found: " ".join(found.group(0).split()), text)
    for line in text.splitlines() + [""]:
        if line.startswith("    ") or line.startswith("#") or line.startswith("!["):
            fenced = []
        elif not line.strip():
            fenced = []
        elif line.startswith("|"):
            if not fenced or fenced[0] != "table":
                fenced = ["table"]
                blocks.append(fenced)
            fenced.append(line)
        else:
            if line.startswith("- ") or not fenced or fenced[0] != "text":
                fenced = ["text"]
                blocks.append(fenced)
            fenced.append(line)
    return [(kind, lines) for kind, *lines in blocks]


class Table:
    """A table of the text; the check below it asks for all of its rows."""

    def __init__(self, lines):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        self.rows = {row[0]: row[1:] for row in rows[2:]}
        self.asked = set()
        # What a check below must name, as for a sentence: the figures of the head.
        self.head = " ".join(rows[0])

    def row(self, label):
        found = [key for key in self.rows if key.startswith(label)]
        if len(found) != 1:
            raise Wrong(f"{len(found)} rows of the table begin with {label!r}")
        self.asked.add(found[0])
        cells = re.sub(r"\bnone\b", "0.000", " ".join(self.rows[found[0]]))
        return figures_of(cells)


def figures_in(source, tree):
    """The figures of an expression, in their order."""
    found = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and type(each.value) in (int, float)]
    return [Figure(ast.get_source_segment(source, each)).text for each in sorted(found, key=lambda n: n.col_offset)]


def words_in(tree):
    """The words of order that an expression calls, or gives to paper(), in their order."""
    found = [(each.col_offset, name) for each in ast.walk(tree)
             for name in [each.id if isinstance(each, ast.Name) else getattr(each, "value", None)]
             if isinstance(name, str) and name in OPPOSITES]
    return [name for _, name in sorted(found)]


def without_repeats(words):
    return [word for before, word in zip([None] + words, words) if word != before]


def check_sentence(sentence, check, names):
    """Complaints about a sentence and its check."""
    try:
        source, tree = parse(check)
        spelled = SPELLED.search(sentence)
        if spelled:
            raise Wrong(f"cannot see {spelled.group(0)!r}: write it in digits")
        figures = iter(figures_in(source, tree))
        for figure in figures_of(sentence):
            if figure.text not in figures:
                raise Wrong(f"does not have {figure.text} where the sentence has it")
        said = [word.lower() for word in WORDS.findall(re.sub(r"`[^`]*`", "", sentence))]
        if without_repeats(said) != without_repeats(words_in(tree)):
            raise Wrong(f"calls {words_in(tree)}, but the sentence says {said}")
        if not holds(evaluate(source, tree, names)):
            raise Wrong("is false")
    except (Wrong, TypeError, ValueError, ZeroDivisionError) as error:
        return [f"{sentence!r}: its check {' '.join(check.split())!r} {error}"]
    return []


def complaints(path, strict=True):
    """All that is wrong with a text. strict: a sentence with a figure or an order needs a check."""
    with open(path) as file:
        blocks = blocks_of(file.read())
    folder, names, table, found = os.path.dirname(path), dict(FUNCTIONS), None, []

    def left_alone(text):
        if strict:
            found.extend(f"{each!r} has no check" for each in sentences_of(text) if says_something(each))

    def end_table():
        if table and strict:
            found.extend(f"the row {label!r} has no check" for label, cells in table.rows.items()
                         if label not in table.asked and figures_of(" ".join(cells)))

    for kind, lines in blocks:
        if kind == "table":
            end_table()
            table = Table(lines)
            names["row"] = table.row
            continue
        text = "\n".join(lines)
        at = 0
        for comment in COMMENT.finditer(text):
            before, what, body = text[at:comment.start()], comment.group(1), comment.group(2).strip()
            at = comment.end()
            try:
                if what == "csv":
                    table_path = os.path.join(folder, body)
                    if not os.path.exists(table_path):
                        raise Wrong("there is no table of that name")
                    rows = rows_of(table_path, os.stat(table_path).st_mtime_ns)
                    names.update({column: rows.column(column) for column in rows.rows[0] if column not in FUNCTIONS})
                elif what == "let":
                    name, _, expression = body.partition("=")
                    names[name.strip()] = evaluate(*parse(expression), names)
            except Wrong as error:
                found.append(f"{body!r}: {error}")
            if what != "check":
                left_alone(before)
                continue
            *others, last = sentences_of(before) or [""]
            left_alone(" ".join(others))
            if not last and not table:
                found.append(f"{body!r} is the check of no sentence")
            found.extend(check_sentence(last or table.head, body, names))
        left_alone(text[at:])
    end_table()
    return found
