// The results as tables like those of the papers, for example of methods by sizes. A table has two
// axes. WHO has the methods and casters that were measured. WHERE has the data that they worked on.
// The longer axis has the lines of the table, the other one its columns. An axis has parts, such as
// the size of the streams. A part that varies has a line or column of labels. The value of a part
// that does not vary stands above the table.
#include "app/bench/bench_rows.h"
#include "volumes/base/printable.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 118 // characters of a line
#define LABEL 48

enum axis_name { WHO, WHERE, AXES };

// The parts of both axes. A part is a name or a count (0: none) in the row, or pivot_label makes
// it.
static const struct part {
    const char *name;
    enum axis_name axis;
    enum {
        PART_NAME,
        PART_COUNT,
        PART_FILE,
        PART_ISO,
        PART_SIZE,
        PART_PATTERN,
        PART_KEPT,
        PART_LIST,
        PART_PIXELS,
    } kind;
    size_t at; // of the member in struct bench_row
} parts[] = {
    { "caster", WHO, PART_NAME, offsetof(struct bench_row, caster) },
    { "leaf", WHO, PART_COUNT, offsetof(struct bench_row, leaf) },
    { "method", WHO, PART_NAME, offsetof(struct bench_row, method) },
    { "block", WHO, PART_COUNT, offsetof(struct bench_row, block) },
    { "form", WHO, PART_NAME, offsetof(struct bench_row, form_name) },
    { "test", WHO, PART_NAME, offsetof(struct bench_row, test) },
    { "subgroup", WHO, PART_COUNT, offsetof(struct bench_row, subgroup) },
    { "stage", WHO, PART_NAME, offsetof(struct bench_row, stage) },
    { "file", WHERE, PART_FILE, 0 },
    { "isovalue", WHERE, PART_ISO, 0 },
    { "round", WHERE, PART_COUNT, offsetof(struct bench_row, round) },
    { "size", WHERE, PART_SIZE, 0 },
    { "element bytes", WHERE, PART_COUNT, offsetof(struct bench_row, element) },
    { "work", WHERE, PART_COUNT, offsetof(struct bench_row, work) },
    { "pattern", WHERE, PART_PATTERN, 0 },
    { "kept %", WHERE, PART_KEPT, 0 },
    { "removals", WHERE, PART_LIST, 0 },
    { "pixels", WHERE, PART_PIXELS, 0 },
    { "views", WHERE, PART_COUNT, offsetof(struct bench_row, views) },
    { "timed runs", WHERE, PART_COUNT, offsetof(struct bench_row, repeat) },
};
enum { PARTS = sizeof parts / sizeof *parts };

// Which value of the rows a table shows.
enum measure { RATE, TIME, STAGE, SPINS, FALLBACKS, LATE, BUSY, LIST, LOST, MISPLACED, MEASURES };

static const struct {
    const char *unit;
    int best; // 1: the greatest value, -1: the least one, 0: none
} measures[MEASURES] = {
    [RATE] = { "frames per second", 1 },
    [TIME] = { "milliseconds", -1 },
    [STAGE] = { "milliseconds of stages", 0 },
    [SPINS] = { "spins of a run", 0 },
    [FALLBACKS] = { "fallbacks of a run", 0 },
    [LATE] = { "elements that a second kernel moved, of a run", 0 },
    [BUSY] = { "percent of the lanes busy", 1 },
    [LIST] = { "rays in a list", 0 },
    [LOST] = { "pixels that a test loses", 0 },
    [MISPLACED] = { "pixels that a test misplaces", 0 },
};

// One side of a table: its lines or its columns.
struct axis {
    char (*labels)[PARTS][LABEL];
    uint32_t count;
    bool varies[PARTS];
    int widths[PARTS]; // of the parts, with their names
};

struct pivot {
    enum measure measure;
    struct axis axes[AXES];
    uint32_t (*places)[AXES];       // of each row
    const struct bench_row **found; // [where][who]; NULL: not measured
    enum axis_name down;            // the axis whose entries are lines
    int *columns;                   // widths of the columns
};

// Whether the row has a value of this kind. *spread: its standard deviation; 0: none.
static bool
pivot_value(const struct bench_row *row, enum measure measure, double *mean, double *spread)
{
    const bool whole = !row->stage;
    *mean = row->time.mean_ms;
    *spread = row->time.sd_ms;
    switch (measure) {
    case RATE:
        *mean = row->fps;
        *spread = row->fps_sd;
        return whole && row->fps > 0 && row->isos != 1; // one isovalue has a row of its own
    case TIME:
        return whole && !(row->fps > 0);
    case STAGE:
        return !whole && row->round == 0 && !(row->busy > 0);
    case SPINS:
    case FALLBACKS:
    case LATE:
        *mean = measure == SPINS ? row->spins : measure == LATE ? row->late : row->fallbacks;
        *spread = 0;
        return whole && row->waits;
    case BUSY:
    case LIST:
        *mean = measure == BUSY ? row->busy : row->rays;
        *spread = 0;
        return measure == BUSY ? row->busy > 0 : row->round > 0;
    default:
        *mean = (double)(measure == LOST ? row->lost : row->misplaced);
        *spread = 0;
        return whole && row->test && !row->isos;
    }
}

// Writes the part of a row, "" if the row has none.
static void pivot_label(const struct bench_row *row, const struct part *part, char label[LABEL])
{
    const void *member = (const char *)row + part->at;
    const char *slash = row->file ? strrchr(row->file, '/') : NULL;
    const bool given = row->list && strcmp(row->list, "given") == 0;
    const char *name = part->kind == PART_NAME      ? *(const char *const *)member
                       : part->kind == PART_FILE    ? (slash ? slash + 1 : row->file)
                       : part->kind == PART_PATTERN ? (*row->image ? row->image : row->pattern)
                       : part->kind == PART_LIST    ? (given ? row->list : NULL)
                                                    : NULL;
    memset(label, 0, LABEL);
    if (name) {
        printable_copy(name, label, LABEL);
    } else if (part->kind == PART_COUNT && *(const uint32_t *)member > 0) {
        snprintf(label, LABEL, "%u", *(const uint32_t *)member);
    } else if (part->kind == PART_ISO && row->isos) {
        snprintf(label, LABEL, "all %u", row->isos);
    } else if (part->kind == PART_ISO && row->file) {
        snprintf(label, LABEL, "%.7g", row->iso);
    } else if (part->kind == PART_PIXELS && row->width) {
        snprintf(label, LABEL, "%ux%u", row->width, row->height);
    } else if (part->kind == PART_SIZE && !row->file) {
        plan_size_text(row->size, label);
    } else if (part->kind == PART_KEPT && !row->file) {
        snprintf(
            label, LABEL, row->asked > 0 ? "%.7g" : "%.4g",
            row->asked > 0 ? row->asked : row->density);
    }
}

// Returns the index of the entry with the row's labels. Adds the entry if there is none. Rows with
// equal labels follow each other closely, so it searches from the end.
static uint32_t axis_place(struct axis *axis, enum axis_name which, const struct bench_row *row)
{
    char(*labels)[LABEL] = axis->labels[axis->count]; // there is room for one more than rows
    memset(labels, 0, sizeof *axis->labels);
    for (int p = 0; p < PARTS; p++) {
        if (parts[p].axis == which) {
            pivot_label(row, &parts[p], labels[p]);
        }
    }
    for (uint32_t i = axis->count; i-- > 0;) {
        if (memcmp(axis->labels[i], labels, sizeof *axis->labels) == 0) {
            return i;
        }
    }
    return axis->count++;
}

// Finds the parts that vary, and their widths.
static void axis_measure(struct axis *axis)
{
    for (int p = 0; p < PARTS; p++) {
        axis->widths[p] = (int)strlen(parts[p].name);
        for (uint32_t i = 0; i < axis->count; i++) {
            const int length = (int)strlen(axis->labels[i][p]);
            axis->varies[p] |= strcmp(axis->labels[i][p], axis->labels[0][p]) != 0;
            axis->widths[p] = length > axis->widths[p] ? length : axis->widths[p];
        }
    }
}

static void pivot_destroy(struct pivot *pivot)
{
    for (int i = 0; i < AXES; i++) {
        free(pivot->axes[i].labels);
    }
    free(pivot->places);
    free(pivot->found);
    free(pivot->columns);
}

// A copy is no method, so it has no rivals.
static bool pivot_is_copy(const struct bench_row *row)
{
    return row->method && strcmp(row->method, "copy") == 0;
}

static bool pivot_is_best(const struct pivot *pivot, uint32_t where, uint32_t who)
{
    const uint32_t count = pivot->axes[WHO].count;
    const struct bench_row **line = pivot->found + (size_t)where * count;
    const int sign = measures[pivot->measure].best;
    double own, other, spread;
    uint32_t rivals = 0;
    if (sign == 0 || !line[who] || pivot_is_copy(line[who])) {
        return false;
    }
    pivot_value(line[who], pivot->measure, &own, &spread);
    for (uint32_t i = 0; i < count; i++) {
        if (i != who && line[i] && !pivot_is_copy(line[i])) {
            pivot_value(line[i], pivot->measure, &other, &spread);
            if (sign * other > sign * own) {
                return false;
            }
            rivals++;
        }
    }
    return rivals > 0;
}

static void pivot_cell(const struct pivot *pivot, uint32_t line, uint32_t column, char cell[LABEL])
{
    const uint32_t who = pivot->down == WHO ? line : column;
    const uint32_t where = pivot->down == WHO ? column : line;
    const struct bench_row *row = pivot->found[(size_t)where * pivot->axes[WHO].count + who];
    double mean, spread;
    char more[LABEL / 2] = "";
    if (!row) {
        snprintf(cell, LABEL, "-  ");
        return;
    }
    pivot_value(row, pivot->measure, &mean, &spread);
    const bool whole = pivot->measure >= LIST;
    const int digits = whole || mean >= 1000 ? 0 : mean >= 100 ? 1 : mean >= 10 ? 2 : 3;
    if (spread > 0) {
        snprintf(more, sizeof more, " +- %.*f", digits, spread);
    }
    snprintf(
        cell, LABEL, "%.*f%s %c", digits, mean, more, pivot_is_best(pivot, where, who) ? '*' : ' ');
}

static int pivot_column_width(const struct pivot *pivot, uint32_t column)
{
    const struct axis *across = &pivot->axes[AXES - 1 - pivot->down];
    int width = 0;
    for (int p = 0; p < PARTS; p++) {
        // Numbers end where those of the cells do, 2 before the end of the column.
        const int length = across->varies[p] ? (int)strlen(across->labels[column][p]) + 2 : 0;
        width = length > width ? length : width;
    }
    for (uint32_t line = 0; line < pivot->axes[pivot->down].count; line++) {
        char cell[LABEL];
        pivot_cell(pivot, line, column, cell);
        width = (int)strlen(cell) > width ? (int)strlen(cell) : width;
    }
    return width + 1;
}

// Makes the table of a measure from `count` rows. Rows without a value of this measure are left
// out. Release with pivot_destroy, also after false.
static bool pivot_create(
    const struct bench_row *rows, uint32_t count, enum measure measure, struct pivot *out,
    struct problem *problem)
{
    *out = (struct pivot){ .measure = measure, .places = malloc(count * sizeof *out->places) };
    bool fine = out->places;
    for (int i = 0; i < AXES; i++) {
        out->axes[i].labels = calloc(count + 1, sizeof *out->axes[i].labels);
        fine = fine && out->axes[i].labels;
    }
    double mean, spread;
    for (uint32_t i = 0; fine && i < count; i++) {
        for (int a = 0; pivot_value(&rows[i], measure, &mean, &spread) && a < AXES; a++) {
            out->places[i][a] = axis_place(&out->axes[a], a, &rows[i]);
        }
    }
    const size_t all = (size_t)out->axes[WHO].count * out->axes[WHERE].count;
    out->found = fine ? calloc(all ? all : 1, sizeof(*out->found)) : NULL;
    for (uint32_t i = 0; out->found && i < count; i++) {
        if (pivot_value(&rows[i], measure, &mean, &spread)) {
            out->found[out->places[i][WHERE] * (size_t)out->axes[WHO].count + out->places[i][WHO]] =
                &rows[i];
        }
    }
    axis_measure(&out->axes[WHO]);
    axis_measure(&out->axes[WHERE]);
    const bool tall = out->axes[WHO].count > out->axes[WHERE].count;
    out->down = measure == STAGE || tall ? WHO : WHERE;
    const uint32_t columns = out->axes[AXES - 1 - out->down].count;
    out->columns = out->found ? calloc(columns + 1, sizeof *out->columns) : NULL;
    for (uint32_t i = 0; out->columns && i < columns; i++) {
        out->columns[i] = pivot_column_width(out, i);
    }
    return out->columns || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a table");
}

// Prints the table with the columns from `from` up to, but not including, `to`. `names`: the width
// of the names of the parts that the columns have.
static void pivot_print_band(const struct pivot *pivot, uint32_t from, uint32_t to, int names)
{
    const struct axis *lines = &pivot->axes[pivot->down];
    const struct axis *across = &pivot->axes[AXES - 1 - pivot->down];
    int heads[PARTS] = { -1 }, count = 0; // -1: no part of the columns varies
    for (int p = 0; p < PARTS; p++) {
        if (across->varies[p]) {
            heads[count++] = p;
        }
    }
    count = count > 0 ? count : 1;
    for (int head = 0; head < count; head++) {
        for (int p = 0; p < PARTS; p++) {
            if (lines->varies[p]) {
                printf("%-*s", lines->widths[p] + 2, head == count - 1 ? parts[p].name : "");
            }
        }
        printf("%*s", names, names ? parts[heads[head]].name : "");
        for (uint32_t i = from; heads[head] >= 0 && i < to; i++) {
            printf("%*s  ", pivot->columns[i] - 2, across->labels[i][heads[head]]);
        }
        printf("\n");
    }
    for (uint32_t line = 0; line < lines->count; line++) {
        for (int p = 0; p < PARTS; p++) {
            if (lines->varies[p]) {
                printf("%-*s", lines->widths[p] + 2, lines->labels[line][p]);
            }
        }
        printf("%*s", names, "");
        for (uint32_t i = from; i < to; i++) {
            char cell[LABEL];
            pivot_cell(pivot, line, i, cell);
            printf("%*s", pivot->columns[i], cell);
        }
        printf("\n");
    }
}

// Prints what does not vary, and the table in bands of columns that fit a line.
static void pivot_print(const struct pivot *pivot)
{
    const struct axis *axes = pivot->axes;
    const struct axis *lines = &axes[pivot->down], *across = &axes[AXES - 1 - pivot->down];
    int names = 0, labels = 0; // widths of what stands left of the columns
    printf("%s", measures[pivot->measure].unit);
    for (int p = 0; p < PARTS; p++) {
        const struct axis *axis = &axes[parts[p].axis];
        if (!axis->varies[p] && *axis->labels[0][p]) {
            printf(", %s %s", parts[p].name, axis->labels[0][p]);
        }
        const int length = across->varies[p] ? (int)strlen(parts[p].name) : 0;
        names = length > names ? length : names;
        labels += lines->varies[p] ? lines->widths[p] + 2 : 0;
    }
    printf("\n");
    for (uint32_t from = 0, to = 0; from < across->count; from = to) {
        for (int width = labels + names; to < across->count; to++) {
            width += pivot->columns[to];
            if (to > from && width > WIDTH) {
                break;
            }
        }
        pivot_print_band(pivot, from, to, names);
    }
}

bool bench_print_tables(const struct bench_table *table, struct problem *problem)
{
    bool fine = true;
    printf("%s, %s\n", table->device, table->driver);
    for (uint32_t from = 0, to; fine && from < table->row_count; from = to) {
        const struct bench_row *rows = table->rows + from;
        for (to = from; to < table->row_count && table->rows[to].experiment == rows->experiment;) {
            to++;
        }
        bench_print_experiment(rows);
        for (enum measure measure = 0; fine && measure < MEASURES; measure++) {
            struct pivot pivot;
            fine = pivot_create(rows, to - from, measure, &pivot, problem);
            if (fine && pivot.axes[WHO].count > 0) {
                pivot_print(&pivot);
            }
            pivot_destroy(&pivot);
        }
    }
    if (fine && table->row_count > 0) {
        printf("mean +- standard deviation; * best; --long prints each measurement\n");
    }
    return fine;
}
