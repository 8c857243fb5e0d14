#include "app/viewer/methods/measurement.h"

#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/range.h"
#include "compute/casting/caster.h"
#include "compute/extraction/extraction.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first turn does not count. All methods have TURNS turns. All steps of the others are kept.
enum { TURNS = 8, TURNS_MOST = STEP_HISTORY_KEPT + 1 };
static const double CHANCE = 0.01;   // see measurement_row
static const uint32_t ATTEMPTS = 20; // at a row, until buffers are large enough and not new
static const double NEAR = 0.01;     // share of the range; see measurement_step

double measurement_share(const struct measurement *measurement)
{
    const double turns = measurement->turn + measurement->row / (double)measurement->count;
    return measurement->has_table ? (turns - TURNS) / (TURNS_MOST - TURNS) : turns / TURNS;
}

void measurement_begin(
    struct measurement *out, const char *volume, const char *device, double iso, bool every_brick)
{
    *out = (struct measurement){ .running = true, .iso = iso, .every_brick = every_brick };
    printable_copy(volume, out->volume, sizeof out->volume);
    printable_copy(device, out->device, sizeof out->device);
}

void measurement_add(
    struct measurement *measurement, const struct method *method, const struct caster *caster)
{
    struct measurement_row *row = &measurement->rows[measurement->count++];
    const bool both = caster && caster->wavefront;
    snprintf(
        row->name, sizeof row->name, "%s%s%s", caster ? caster->name : "", both ? ", " : "",
        both || !caster ? method->name : "");
    row->caster = caster;
    row->index = method_row(method);
    measurement->casts = caster;
}

const char *const *measurement_stages(const struct measurement *table)
{
    static const char *const casts[STEP_STAGES] = {
        [STEP_BRICKS] = "prepare and march",
        [STEP_CELLS] = "compaction",
        [STEP_REMOVALS] = "tail",
        [STEP_VERTICES] = "points",
    };
    return table->casts ? casts : step_stage_names;
}

void measurement_end(struct measurement *measurement)
{
    measurement->running = false;
}

const char *measurement_ended(const struct measurement *measurement)
{
    return measurement->has_table ? "early" : "without a table";
}

// Whether a row is slower than the best one: see measurement_row.
static bool measurement_is_slower(const struct step_kept *row, const struct step_kept *best)
{
    const uint32_t turns = row->count < best->count ? row->count : best->count;
    uint32_t slower = 0;
    for (uint32_t i = 0; i < turns; i++) {
        slower += step_time_compaction(&row->kept[i]) > step_time_compaction(&best->kept[i]);
    }
    double chance = 0, exactly = ldexp(1, -(int)turns); // that all of the turns are slower
    for (uint32_t k = turns + 1; k-- > slower;) {
        chance += exactly;
        exactly *= k / (double)(turns - k + 1); // that k - 1 are
    }
    return chance < CHANCE;
}

static bool measurement_competes(const struct measurement_row *row)
{
    return !row->apart && !method_at(row->index)->selects;
}

// After a turn: finds the best method, and what is told apart from it.
static void measurement_judge(struct measurement *measurement, uint32_t key)
{
    struct measurement_row *rows = measurement->rows, *best = NULL;
    for (uint32_t i = 0; i < measurement->count; i++) {
        rows[i].times = step_kept_at(&rows[i].kept, key);
        if (measurement_competes(&rows[i]) &&
            (!best || rows[i].times.compaction.min_ms < best->times.compaction.min_ms)) {
            best = &rows[i];
        }
    }
    measurement->best = best ? (uint32_t)(best - rows) : 0;
    measurement->doubtful = 0;
    for (uint32_t i = 0; i < measurement->count; i++) {
        if (measurement_competes(&rows[i]) && &rows[i] != best) {
            rows[i].apart = measurement_is_slower(&rows[i].kept, &best->kept);
            measurement->doubtful += !rows[i].apart;
        }
    }
}

// Goes on to the next row. After TURNS turns only methods go on that may be the best.
static void measurement_advance(struct measurement *measurement, uint32_t key)
{
    do {
        if (++measurement->row < measurement->count) {
            continue;
        }
        measurement->row = 0;
        if (++measurement->turn >= TURNS) {
            measurement_judge(measurement, key);
            measurement->shows = measurement->shows || !measurement->has_table;
            measurement->has_table = true;
            measurement->running = measurement->doubtful > 0 && measurement->turn < TURNS_MOST;
        }
    } while (measurement->running && measurement->turn >= TURNS &&
             !measurement_competes(&measurement->rows[measurement->row]));
}

const char *measurement_verdict(const struct measurement *table, char text[MEASUREMENT_VERDICT])
{
    const struct measurement_row *best = &table->rows[table->best];
    if (table->doubtful == 0) {
        snprintf(text, MEASUREMENT_VERDICT, "%s is faster than all others.", best->name);
    } else {
        snprintf(
            text, MEASUREMENT_VERDICT,
            "%s cannot be told apart from %" PRIu32 " other%s, after %" PRIu32 " steps each.",
            best->name, table->doubtful, table->doubtful == 1 ? "" : "s", best->times.steps);
    }
    return text;
}

// Stores a time, and goes on to the next method.
static void
measurement_keep_time(struct measurement *measurement, uint32_t key, const struct step_time *time)
{
    if (measurement->turn > 0) {
        step_kept_add(&measurement->rows[measurement->row].kept, time);
    }
    measurement->attempts = 0;
    measurement->is_near = false;
    measurement_advance(measurement, key);
}

// Stores a step's time and counts, and goes on to the next method.
static void measurement_keep(
    struct measurement *measurement, const struct measured *of,
    const struct extraction_result *result)
{
    struct measurement_row *row = &measurement->rows[measurement->row];
    const struct step_time time = step_time_of(result, of->key);
    if (measurement->turn > 0) {
        step_kept_add(&of->times->of[row->index], &time);
    }
    row->active_cells = result->active_cells;
    row->triangles = result->triangles;
    if (result->method->selects) {
        const struct method *bricks = result->bricks_choice.method;
        const struct method *cells = result->cells_choice.method;
        snprintf(
            row->choice, sizeof row->choice, "%s%s%s", bricks->name, bricks == cells ? "" : ", ",
            bricks == cells ? "" : cells->name);
    }
    measurement_keep_time(measurement, of->key, &time);
}

// Makes one cast of the row's caster.
static bool measurement_cast(
    struct measurement *measurement, const struct measured *of, struct problem *problem)
{
    struct measurement_row *row = &measurement->rows[measurement->row];
    struct step_time time = { .iso = measurement->iso, .key = of->key };
    uint64_t counts[2];
    bool whole;
    if (!of->cast(of->works, row->caster, method_at(row->index), &time, counts, &whole, problem)) {
        return false;
    }
    if (++measurement->attempts > ATTEMPTS) {
        return problem_set(problem, PROBLEM_DEVICE_MEMORY, "its buffers grow on and on");
    }
    if (whole) {
        row->active_cells = counts[0];
        row->triangles = counts[1];
        measurement_keep_time(measurement, of->key, &time);
    }
    return true;
}

// Makes one step on the device, into the hidden surface. A method that removes changes the list of
// the step before. So its measured step comes after a step at an isovalue near by, which is not
// measured.
static bool measurement_step(
    struct measurement *measurement, const struct measured *of, struct problem *problem)
{
    const struct method *method = method_at(measurement->rows[measurement->row].index);
    double iso = measurement->iso;
    const bool nears = method->removes && !measurement->is_near;
    if (nears) {
        const double below = range_step(of->facts, iso, -NEAR);
        iso = below < iso ? below : range_step(of->facts, iso, NEAR);
    }
    struct extraction_result result;
    const uint64_t buffers = of->gpu->buffers_made;
    if (!of->attempt(of->document, method, iso, measurement->every_brick, &result, problem)) {
        return false;
    }
    if (++measurement->attempts > ATTEMPTS) {
        return problem_set(problem, PROBLEM_DEVICE_MEMORY, "its buffers grow on and on");
    }
    if (!result.whole) {
        measurement->is_near = false; // an incomplete step leaves no list to start from
    } else if (nears) {
        measurement->is_near = true;
    } else if (of->gpu->buffers_made != buffers && measurement->turn > 0) {
        measurement->is_near = false;
    } else {
        measurement_keep(measurement, of, &result);
    }
    return true;
}

bool measurement_next(
    struct measurement *measurement, const struct measured *of, double ms, struct problem *problem)
{
    const double start = clock_ms();
    while (measurement->running && clock_ms() < start + ms) {
        if (!(measurement->casts ? measurement_cast : measurement_step)(measurement, of, problem)) {
            measurement_end(measurement);
            return false;
        }
    }
    return true;
}

void measurement_order(
    const struct measurement *table, bool by_time, uint32_t order[MEASUREMENT_ROWS])
{
    const struct measurement_row *rows = table->rows;
    for (uint32_t i = 0; i < table->count; i++) {
        const double ms = rows[i].times.compaction.min_ms;
        uint32_t at = i;
        while (by_time && at > 0 && rows[order[at - 1]].times.compaction.min_ms > ms) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

// Writes a text, in quotes if it has commas, quotes or ends of lines.
static void measurement_put_text(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

static void measurement_put_number(FILE *out, double value)
{
    char text[32];
    fprintf(out, "%s,", number_text(value, text));
}

// Writes milliseconds with three decimals.
static void measurement_put_ms(FILE *out, double ms)
{
    fprintf(out, "%.3f,", ms);
}

static void
measurement_put_row(FILE *out, const struct measurement *table, const struct measurement_row *row)
{
    measurement_put_text(out, row->name);
    fputc(',', out);
    for (uint32_t s = 0; s < STEP_STAGES; s++) {
        if (measurement_stages(table)[s]) {
            measurement_put_ms(out, row->times.stage_ms[s]);
        }
    }
    measurement_put_ms(out, row->times.compaction.median_ms);
    measurement_put_ms(out, row->times.compaction.min_ms);
    measurement_put_ms(out, row->times.compaction.max_ms);
    measurement_put_ms(out, row->times.whole.median_ms);
    measurement_put_ms(out, row->times.whole.min_ms);
    fprintf(
        out, "%" PRIu32 ",%s,%" PRIu64 ",%" PRIu64 ",", row->times.steps, row->apart ? "yes" : "no",
        row->active_cells, row->triangles);
    measurement_put_number(out, table->iso);
    measurement_put_text(out, table->device);
    fputc(',', out);
    measurement_put_text(out, table->volume);
    fputc(',', out);
    measurement_put_text(out, row->choice);
    fputc('\n', out);
}

char *measurement_csv(const struct measurement *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    fputs("method,", out);
    for (uint32_t s = 0; s < STEP_STAGES; s++) {
        if (measurement_stages(table)[s]) {
            fprintf(out, "%s median (ms),", measurement_stages(table)[s]);
        }
    }
    fputs(
        table->casts
            ? "rays median (ms),rays least (ms),rays most (ms),cast median (ms),"
              "cast least (ms),casts (n),slower than the best,rays,hits,isovalue,device,"
              "volume,selected\n"
            : "compaction median (ms),compaction least (ms),compaction most (ms),step median (ms),"
              "step least (ms),steps (n),slower than the best,active "
              "cells,triangles,isovalue,device,"
              "volume,selected\n",
        out);
    for (uint32_t i = 0; i < table->count; i++) {
        measurement_put_row(out, table, &table->rows[i]);
    }
    const bool fine = !ferror(out);
    if (fclose(out) != 0 || !fine) {
        free(text);
        return NULL;
    }
    return text;
}
