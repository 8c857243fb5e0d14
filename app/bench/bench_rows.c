#include "app/bench/bench_rows.h"

#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_table_device(struct bench_table *table, const struct gpu *gpu)
{
    snprintf(table->device, sizeof table->device, "%s", gpu->properties.deviceName);
    snprintf(table->driver, sizeof table->driver, "%s", gpu->driver);
}

// Makes room for one more element.
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

bool bench_add_row(struct bench_table *table, const struct bench_row *row, struct problem *problem)
{
    void *rows = table->rows;
    const bool fine =
        bench_table_grow(&rows, table->row_count, &table->row_room, sizeof *row, problem);
    table->rows = rows;
    if (fine) {
        table->rows[table->row_count++] = *row;
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

// "4n + 4m": the bytes that the smallest possible compaction reads and writes.
static uint64_t bench_bytes(const struct bench_row *row)
{
    return 4 * ((uint64_t)row->size + row->kept);
}

// ---- columns

enum column {
    DEVICE,
    DRIVER,
    EXPERIMENT,
    PAPER,
    FIGURE,
    VOLUME,
    CASTER,
    METHOD,
    RAN,
    FORM,
    TEST,
    LIST,
    SIZE,
    BLOCK,
    SUBGROUP,
    LEAF,
    ROUNDS,
    WIDTH,
    HEIGHT,
    VIEWS,
    PATTERN,
    IMAGE,
    DENSITY,
    KEPT,
    K,
    R,
    ISO,
    STAGE,
    REPEAT,
    MEDIAN_MS,
    MIN_MS,
    Q1_MS,
    Q3_MS,
    P95_MS,
    CPU_MS,
    CPU_RATIO,
    ELEMENTS_PER_S,
    BYTES,
    COPY_MS,
    COPY_SHARE,
    ISOVALUES,
    FPS,
    FPS_SD,
    HITS,
    LOST,
    MISPLACED,
    ROUND,
    RAYS,
    RAYS_IN_LEAVES,
    BUSY,
    COLUMNS,
};

static const char *const columns[COLUMNS] = {
    [DEVICE] = "device",
    [DRIVER] = "driver",
    [EXPERIMENT] = "experiment",
    [PAPER] = "paper",
    [FIGURE] = "figure",
    [VOLUME] = "file",
    [CASTER] = "caster",
    [METHOD] = "method",
    [RAN] = "ran",
    [FORM] = "form",
    [TEST] = "test",
    [LIST] = "list",
    [SIZE] = "size",
    [BLOCK] = "block",
    [SUBGROUP] = "subgroup",
    [LEAF] = "leaf",
    [ROUNDS] = "rounds",
    [WIDTH] = "width",
    [HEIGHT] = "height",
    [VIEWS] = "views",
    [PATTERN] = "pattern",
    [IMAGE] = "image",
    [DENSITY] = "density",
    [KEPT] = "kept",
    [K] = "k",
    [R] = "r",
    [ISO] = "iso",
    [STAGE] = "stage",
    [REPEAT] = "repeat",
    [MEDIAN_MS] = "median_ms",
    [MIN_MS] = "min_ms",
    [Q1_MS] = "q1_ms",
    [Q3_MS] = "q3_ms",
    [P95_MS] = "p95_ms",
    [CPU_MS] = "cpu_ms",
    [CPU_RATIO] = "cpu_ratio",
    [ELEMENTS_PER_S] = "elements_per_s",
    [BYTES] = "bytes",
    [COPY_MS] = "copy_ms",
    [COPY_SHARE] = "copy_share",
    [ISOVALUES] = "isovalues",
    [FPS] = "fps",
    [FPS_SD] = "fps_sd",
    [HITS] = "hits",
    [LOST] = "lost",
    [MISPLACED] = "misplaced",
    [ROUND] = "round",
    [RAYS] = "rays",
    [RAYS_IN_LEAVES] = "rays_in_leaves",
    [BUSY] = "busy",
};

// The value in a column: a text, a count or a number; empty where it does not apply.
struct cell {
    enum { CELL_EMPTY, CELL_TEXT, CELL_COUNT, CELL_NUMBER } kind;
    const char *text;
    double number;
};

static struct cell bench_cell_text(const char *text)
{
    return (struct cell){ text && *text ? CELL_TEXT : CELL_EMPTY, text, 0 };
}

static struct cell bench_cell_count(uint64_t count)
{
    return (struct cell){ CELL_COUNT, NULL, (double)count };
}

static struct cell bench_cell_number(double number)
{
    return (struct cell){ isfinite(number) ? CELL_NUMBER : CELL_EMPTY, NULL, number };
}

double bench_percent(uint32_t part, uint32_t whole)
{
    return 100.0 * part / whole;
}

static struct cell bench_cell_of_stream(const struct bench_row *row, enum column column)
{
    const bool whole = !row->stage;
    switch (column) {
    case SIZE:
        return bench_cell_count(row->size);
    case DENSITY:
        return bench_cell_number(bench_percent(row->kept, row->size));
    case KEPT:
        return bench_cell_count(row->kept);
    case K:
        return bench_cell_number(bench_percent(row->size - row->kept, row->size));
    case R:
        return bench_cell_number(strncmp(row->pattern, "tail:", 5) == 0 ? row->share : NAN);
    case ELEMENTS_PER_S:
        return bench_cell_number(whole ? row->size / row->time.median_ms * 1e3 : NAN);
    case BYTES:
        return bench_cell_count(bench_bytes(row));
    case COPY_MS:
        return bench_cell_number(row->copy_ms);
    case COPY_SHARE:
        return bench_cell_number(whole ? row->copy_ms / row->time.median_ms : NAN);
    default:
        return (struct cell){ 0 };
    }
}

static struct cell bench_cell_of_volume(const struct bench_row *row, enum column column)
{
    switch (column) {
    case VOLUME:
        return bench_cell_text(row->file);
    case ISO:
        return bench_cell_number(row->isos ? NAN : row->iso);
    case ISOVALUES:
        return row->isos ? bench_cell_count(row->isos) : (struct cell){ 0 };
    case FPS:
        return bench_cell_number(row->fps > 0 ? row->fps : NAN);
    case FPS_SD:
        return bench_cell_number(row->fps > 0 && (row->isos || row->views) ? row->fps_sd : NAN);
    default:
        return (struct cell){ 0 };
    }
}

static struct cell bench_cell_count_if(uint64_t count)
{
    return count ? bench_cell_count(count) : (struct cell){ 0 };
}

static struct cell bench_cell_of_cast(const struct bench_row *row, enum column column)
{
    const bool whole = !row->stage, list = row->round > 0;
    const bool tested = row->test && !row->isos;
    switch (column) {
    case TEST:
        return bench_cell_text(row->test);
    case CPU_RATIO:
        return bench_cell_number(whole && !row->isos ? row->cpu_ratio : NAN);
    case LOST:
        return tested ? bench_cell_count(row->lost) : (struct cell){ 0 };
    case MISPLACED:
        return tested ? bench_cell_count(row->misplaced) : (struct cell){ 0 };
    case LEAF:
        return bench_cell_count_if(row->leaf);
    case ROUNDS:
        return bench_cell_text(row->rounds);
    case WIDTH:
        return bench_cell_count(row->width);
    case HEIGHT:
        return bench_cell_count(row->height);
    case VIEWS:
        return bench_cell_count(row->views);
    case CPU_MS:
        return bench_cell_number(whole ? row->cpu_ms : NAN);
    case HITS:
        return whole && !row->isos ? bench_cell_count(row->hits) : (struct cell){ 0 };
    case ROUND:
        return bench_cell_count_if(row->round);
    case RAYS:
        return bench_cell_number(list ? row->rays : NAN);
    case BUSY:
        return bench_cell_number(row->busy > 0 ? row->busy : NAN);
    case RAYS_IN_LEAVES:
        return bench_cell_number(list && row->leaf ? row->rays_in_leaves : NAN);
    default:
        return bench_cell_of_volume(row, column);
    }
}

// A list has a length and subgroups have busy lanes, but no time.
static struct cell bench_cell_time(const struct bench_row *row, double ms)
{
    return bench_cell_number(row->round > 0 || row->busy > 0 ? NAN : ms);
}

static struct cell
bench_cell_of(const struct bench_table *table, const struct bench_row *row, enum column column)
{
    const struct experiment *experiment = row->experiment;
    switch (column) {
    case DEVICE:
        return bench_cell_text(table->device);
    case DRIVER:
        return bench_cell_text(table->driver);
    case EXPERIMENT:
        return bench_cell_text(experiment ? experiment->name : NULL);
    case PAPER:
        return bench_cell_text(experiment ? experiment->paper : NULL);
    case FIGURE:
        return bench_cell_text(experiment ? experiment->figure : NULL);
    case CASTER:
        return bench_cell_text(row->caster);
    case METHOD:
        return bench_cell_text(row->method);
    case RAN:
        return bench_cell_text(row->ran ? row->ran : row->method);
    case FORM:
        return bench_cell_text(row->concatenated ? "concatenated" : row->form);
    case LIST:
        return bench_cell_text(row->list);
    case BLOCK:
        return row->block ? bench_cell_count(row->block) : (struct cell){ 0 };
    case SUBGROUP:
        return row->subgroup ? bench_cell_count(row->subgroup) : (struct cell){ 0 };
    case PATTERN:
        return bench_cell_text(row->pattern);
    case IMAGE:
        return bench_cell_text(row->image);
    case STAGE:
        return bench_cell_text(row->stage ? row->stage : "all");
    case REPEAT:
        return bench_cell_count(row->repeat);
    case MEDIAN_MS:
        return bench_cell_time(row, row->time.median_ms);
    case MIN_MS:
        return bench_cell_time(row, row->time.min_ms);
    case Q1_MS:
        return bench_cell_time(row, row->time.q1_ms);
    case Q3_MS:
        return bench_cell_time(row, row->time.q3_ms);
    case P95_MS:
        return bench_cell_time(row, row->time.p95_ms);
    default:
        return row->caster ? bench_cell_of_cast(row, column)
               : row->file ? bench_cell_of_volume(row, column)
                           : bench_cell_of_stream(row, column);
    }
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
    bool fine = true;
    for (int c = 0; fine && c < COLUMNS; c++) {
        fine = bench_put(output, c ? "," : "", problem) && bench_put(output, columns[c], problem);
    }
    fine = fine && bench_put(output, "\n", problem);
    for (uint32_t i = 0; fine && i < table->row_count; i++) {
        for (int c = 0; fine && c < COLUMNS; c++) {
            const struct cell cell = bench_cell_of(table, &table->rows[i], (enum column)c);
            char digits[32] = "";
            if (cell.kind == CELL_COUNT || cell.kind == CELL_NUMBER) {
                const char *format = cell.kind == CELL_COUNT ? "%.0f" : "%.6g";
                snprintf(digits, sizeof digits, format, cell.number);
            }
            fine = bench_put(output, c ? "," : "", problem) &&
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
        for (int c = EXPERIMENT; c < COLUMNS; c++) {
            const struct cell cell = bench_cell_of(table, &table->rows[i], (enum column)c);
            if (cell.kind == CELL_EMPTY) {
                json_add_null(row, columns[c]);
            } else if (cell.kind == CELL_TEXT) {
                json_add_text(row, columns[c], cell.text);
            } else if (cell.kind == CELL_COUNT) {
                json_add_count(row, columns[c], (uint64_t)cell.number);
            } else {
                json_add_number(row, columns[c], cell.number);
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
