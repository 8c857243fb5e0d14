#include "app/bench/bench_rows.h"

#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_table_device(struct bench_table *table, const struct gpu *gpu)
{
    snprintf(table->device, sizeof table->device, "%s", gpu->properties.deviceName);
    snprintf(table->driver, sizeof table->driver, "%s", gpu->driver);
}

// Grows the list if it has no capacity for one more element.
static bool
bench_table_grow(void **list, uint32_t count, uint32_t *room, size_t size, struct problem *problem)
{
    if (count < *room) {
        return true;
    }
    const uint32_t more = *room ? *room * 2 : 64;
    void *larger = realloc(*list, more * size);
    if (!larger) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings");
    }
    *list = larger;
    *room = more;
    return true;
}

double bench_percent(uint32_t part, uint32_t whole)
{
    return 100.0 * part / whole;
}

// Sets the columns that follow from other columns.
static void bench_row_derive(struct bench_row *row)
{
    const double ms = row->stage ? NAN : row->time.median_ms;
    row->ran_name = row->ran ? row->ran : row->method;
    row->form_name = row->concatenated ? "concatenated" : row->form;
    row->stage_name = row->stage ? row->stage : "all";
    row->density = bench_percent(row->kept, row->size);
    row->removed = bench_percent(row->size - row->kept, row->size);
    row->red_zone = strncmp(row->pattern, "tail:", 5) == 0 ? row->share : NAN;
    row->per_s = row->size / ms * 1e3;
    row->bytes = row->element * ((uint64_t)row->size + row->kept);
    row->copy_share = row->copy_ms / ms;
}

bool bench_add_row(struct bench_table *table, const struct bench_row *row, struct problem *problem)
{
    void *rows = table->rows;
    const bool fine =
        bench_table_grow(&rows, table->row_count, &table->row_room, sizeof *row, problem);
    table->rows = rows;
    if (fine) {
        table->rows[table->row_count] = *row;
        bench_row_derive(&table->rows[table->row_count++]);
    }
    return fine;
}

bool bench_add_gap(
    struct bench_table *table, const struct experiment *experiment, const char *what,
    const char *why, struct problem *problem)
{
    void *gaps = table->gaps;
    const bool fine =
        bench_table_grow(&gaps, table->gap_count, &table->gap_room, sizeof *table->gaps, problem);
    table->gaps = gaps;
    if (fine) {
        struct bench_gap *gap = &table->gaps[table->gap_count++];
        *gap = (struct bench_gap){ .experiment = experiment };
        snprintf(gap->what, sizeof gap->what, "%s", what);
        snprintf(gap->why, sizeof gap->why, "%s", why);
        log_note("%s left out: %s", what, why);
    }
    return fine;
}

void bench_table_destroy(struct bench_table *table)
{
    free(table->rows);
    free(table->gaps);
    *table = (struct bench_table){ 0 };
}

// ---- columns

// Bits of a row. A column applies to the rows that have all bits in column.needs.
enum {
    OF_STREAM = 1,
    OF_VOLUME = 2, // set for rays, too
    OF_RAYS = 4,
    WHOLE = 8,    // the row is not of a stage
    ONE_ISO = 16, // one isovalue, or a stream
    TIMED = 32,   // not set for lists and for busy lanes, which have no time
    LIST = 64,
    LEAVES = 128,
    TESTED = 256,
    SPREAD = 512, // the row is over several frames
    WAITS = 1024,
};

static uint32_t bench_row_bits(const struct bench_row *row)
{
    return (row->file ? OF_VOLUME : OF_STREAM) | (row->caster ? OF_RAYS : 0) |
           (row->stage ? 0 : WHOLE) | (row->isos ? 0 : ONE_ISO) |
           (row->round > 0 || row->busy > 0 ? 0 : TIMED) | (row->round > 0 ? LIST : 0) |
           (row->leaf ? LEAVES : 0) | (row->test ? TESTED : 0) |
           (row->fps > 0 && (row->isos || row->views) ? SPREAD : 0) | (row->waits ? WAITS : 0);
}

// Kinds of values. A NAME or CHARS is empty if it is "" or NULL, a NUMBER if it is not finite.
enum kind {
    NAME,   // const char *
    CHARS,  // char []
    COUNT,  // uint32_t
    COUNT_, // uint32_t, empty if 0
    LARGE,  // uint64_t
    NUMBER, // double
    NUMBER_ // double, empty if 0
};

#define IN_ROW(member)        offsetof(struct bench_row, member)
#define IN_EXPERIMENT(member) offsetof(struct experiment, member)

static const struct column {
    const char *name;
    enum kind kind;
    size_t at;
    uint32_t needs;
    bool in_experiment; // the member is in row->experiment
} columns[] = {
    { "experiment", NAME, IN_EXPERIMENT(name), 0, true },
    { "paper", NAME, IN_EXPERIMENT(paper), 0, true },
    { "figure", NAME, IN_EXPERIMENT(figure), 0, true },
    { "file", NAME, IN_ROW(file) },
    { "caster", NAME, IN_ROW(caster) },
    { "method", NAME, IN_ROW(method) },
    { "ran", NAME, IN_ROW(ran_name) },
    { "form", NAME, IN_ROW(form_name) },
    { "test", NAME, IN_ROW(test) },
    { "list", NAME, IN_ROW(list) },
    { "size", COUNT, IN_ROW(size), OF_STREAM },
    { "element", COUNT, IN_ROW(element), OF_STREAM },
    { "work", COUNT, IN_ROW(work), OF_STREAM },
    { "block", COUNT_, IN_ROW(block) },
    { "subgroup", COUNT_, IN_ROW(subgroup) },
    { "leaf", COUNT_, IN_ROW(leaf) },
    { "rounds", CHARS, IN_ROW(rounds), OF_RAYS },
    { "width", COUNT, IN_ROW(width), OF_RAYS },
    { "height", COUNT, IN_ROW(height), OF_RAYS },
    { "views", COUNT, IN_ROW(views), OF_RAYS },
    { "pattern", CHARS, IN_ROW(pattern) },
    { "image", CHARS, IN_ROW(image) },
    { "density", NUMBER, IN_ROW(density), OF_STREAM },
    { "kept", COUNT, IN_ROW(kept), OF_STREAM },
    { "k", NUMBER, IN_ROW(removed), OF_STREAM },
    { "r", NUMBER, IN_ROW(red_zone), OF_STREAM },
    { "iso", NUMBER, IN_ROW(iso), OF_VOLUME | ONE_ISO },
    { "stage", NAME, IN_ROW(stage_name) },
    { "repeat", COUNT, IN_ROW(repeat) },
    { "median_ms", NUMBER, IN_ROW(time.median_ms), TIMED },
    { "min_ms", NUMBER, IN_ROW(time.min_ms), TIMED },
    { "q1_ms", NUMBER, IN_ROW(time.q1_ms), TIMED },
    { "q3_ms", NUMBER, IN_ROW(time.q3_ms), TIMED },
    { "p95_ms", NUMBER, IN_ROW(time.p95_ms), TIMED },
    { "cpu_ms", NUMBER, IN_ROW(cpu_ms), OF_RAYS | WHOLE },
    { "cpu_ratio", NUMBER, IN_ROW(cpu_ratio), OF_RAYS | WHOLE | ONE_ISO },
    { "elements_per_s", NUMBER, IN_ROW(per_s), OF_STREAM },
    { "bytes", LARGE, IN_ROW(bytes), OF_STREAM },
    { "copy_ms", NUMBER, IN_ROW(copy_ms), OF_STREAM },
    { "copy_share", NUMBER, IN_ROW(copy_share), OF_STREAM },
    { "isovalues", COUNT_, IN_ROW(isos), OF_VOLUME },
    { "fps", NUMBER_, IN_ROW(fps), OF_VOLUME },
    { "fps_sd", NUMBER, IN_ROW(fps_sd), OF_VOLUME | SPREAD },
    { "hits", LARGE, IN_ROW(hits), OF_RAYS | WHOLE | ONE_ISO },
    { "lost", LARGE, IN_ROW(lost), OF_RAYS | TESTED | ONE_ISO },
    { "misplaced", LARGE, IN_ROW(misplaced), OF_RAYS | TESTED | ONE_ISO },
    { "round", COUNT_, IN_ROW(round), OF_RAYS },
    { "rays", NUMBER, IN_ROW(rays), OF_RAYS | LIST },
    { "rays_in_leaves", NUMBER, IN_ROW(rays_in_leaves), OF_RAYS | LIST | LEAVES },
    { "busy", NUMBER_, IN_ROW(busy), OF_RAYS },
    { "spins", NUMBER, IN_ROW(spins), WHOLE | WAITS },
    { "fallbacks", NUMBER, IN_ROW(fallbacks), WHOLE | WAITS },
    { "late", NUMBER, IN_ROW(late), WHOLE | WAITS },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

// The value in a column: a text, a count or a number; empty where it does not apply.
struct cell {
    enum { CELL_EMPTY, CELL_TEXT, CELL_COUNT, CELL_NUMBER } kind;
    const char *text;
    double number;
};

static struct cell bench_cell_of(const struct bench_row *row, const struct column *column)
{
    const void *of = column->in_experiment ? (const void *)row->experiment : row;
    if (!of || (bench_row_bits(row) & column->needs) != column->needs) {
        return (struct cell){ 0 };
    }
    const void *at = (const char *)of + column->at;
    const enum kind kind = column->kind;
    if (kind == NAME || kind == CHARS) {
        const char *text = kind == NAME ? *(const char *const *)at : at;
        return (struct cell){ text && *text ? CELL_TEXT : CELL_EMPTY, text, 0 };
    }
    if (kind == NUMBER || kind == NUMBER_) {
        const double number = *(const double *)at;
        const bool empty = !isfinite(number) || (kind == NUMBER_ && !(number > 0));
        return (struct cell){ empty ? CELL_EMPTY : CELL_NUMBER, NULL, number };
    }
    const uint64_t count = kind == LARGE ? *(const uint64_t *)at : *(const uint32_t *)at;
    const bool empty = kind == COUNT_ && count == 0;
    return (struct cell){ empty ? CELL_EMPTY : CELL_COUNT, NULL, (double)count };
}

// ---- CSV, by RFC 4180, with bare line ends. Names are escaped for terminals, too.

static bool bench_put(struct output *output, const char *text, struct problem *problem)
{
    return output_write(output, text, strlen(text), problem);
}

static bool bench_put_quoted(struct output *output, const char *text, struct problem *problem)
{
    const bool quoted = strpbrk(text, ",\"");
    bool fine = !quoted || bench_put(output, "\"", problem);
    while (fine && *text) {
        char shown[16];
        fine = *text != '"' || bench_put(output, "\"", problem);
        text += printable_next(text, shown);
        fine = fine && bench_put(output, shown, problem);
    }
    return fine && (!quoted || bench_put(output, "\"", problem));
}

bool bench_write_csv(
    const struct bench_table *table, struct output *output, struct problem *problem)
{
    bool fine = bench_put(output, "device,driver", problem);
    for (int c = 0; fine && c < COLUMNS; c++) {
        fine = bench_put(output, ",", problem) && bench_put(output, columns[c].name, problem);
    }
    fine = fine && bench_put(output, "\n", problem);
    for (uint32_t i = 0; fine && i < table->row_count; i++) {
        fine = bench_put_quoted(output, table->device, problem) &&
               bench_put(output, ",", problem) && bench_put_quoted(output, table->driver, problem);
        for (int c = 0; fine && c < COLUMNS; c++) {
            const struct cell cell = bench_cell_of(&table->rows[i], &columns[c]);
            char digits[32] = "";
            if (cell.kind == CELL_COUNT || cell.kind == CELL_NUMBER) {
                const char *format = cell.kind == CELL_COUNT ? "%.0f" : "%.6g";
                snprintf(digits, sizeof digits, format, cell.number);
            }
            fine = bench_put(output, ",", problem) &&
                   bench_put_quoted(output, cell.kind == CELL_TEXT ? cell.text : digits, problem);
        }
        fine = fine && bench_put(output, "\n", problem);
    }
    return fine;
}

bool bench_print_json(const struct bench_table *table, struct problem *problem)
{
    json_t *json = json_begin_report();
    json_add_text(json, "device", table->device);
    json_add_text(json, "driver", table->driver);
    json_t *rows = json_add_array(json, "rows");
    for (uint32_t i = 0; i < table->row_count; i++) {
        json_t *row = json_add_object(rows, NULL);
        for (int c = 0; c < COLUMNS; c++) {
            const struct cell cell = bench_cell_of(&table->rows[i], &columns[c]);
            if (cell.kind == CELL_TEXT) {
                json_add_text(row, columns[c].name, cell.text);
            } else if (cell.kind == CELL_COUNT) {
                json_add_count(row, columns[c].name, (uint64_t)cell.number);
            } else {
                json_add_number(row, columns[c].name, cell.kind == CELL_EMPTY ? NAN : cell.number);
            }
        }
    }
    json_t *gaps = json_add_array(json, "left_out");
    for (uint32_t i = 0; i < table->gap_count; i++) {
        const struct bench_gap *gap = &table->gaps[i];
        json_t *row = json_add_object(gaps, NULL);
        json_add_text(row, "experiment", gap->experiment ? gap->experiment->name : NULL);
        json_add_text(row, "what", gap->what);
        json_add_text(row, "reason", gap->why);
    }
    return json_finish(json, stdout, problem);
}
