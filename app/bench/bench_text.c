// The results as text.
#include "app/bench/bench_rows.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void bench_print_stream_row(const struct bench_row *row)
{
    char method[64], size[16], block[16] = "-", image[1100];
    printable_copy(row->image, image, sizeof image);
    snprintf(
        method, sizeof method, "%s%s%s%s%s%s", row->method, row->ran ? ", as " : "",
        row->ran ? row->ran : "", row->concatenated ? " (concat)" : "", row->list ? ", list " : "",
        row->list ? row->list : "");
    if (row->block) {
        snprintf(block, sizeof block, "%u", row->block);
    }
    if (row->element > 4) {
        snprintf(method + strlen(method), sizeof method - strlen(method), ", %u B", row->element);
    }
    if (row->work) {
        snprintf(method + strlen(method), sizeof method - strlen(method), ", work %u", row->work);
    }
    printf(
        "%-28s%6s%6s  %-14s%8.2f%11.3f%10.3f%10.3f%9.1f%7.0f %%\n", method,
        plan_size_text(row->size, size), block, *image ? image : row->pattern,
        bench_percent(row->kept, row->size), row->time.median_ms, row->time.min_ms,
        row->time.p95_ms, row->size / row->time.median_ms / 1e3,
        100 * row->copy_ms / row->time.median_ms);
}

static void bench_print_volume_row(const struct bench_row *row)
{
    printf("%-18s", row->method);
    if (row->isos) {
        printf("%12u isovalues %35.1f +- %.1f\n", row->isos, row->fps, row->fps_sd);
    } else {
        printf(
            "%12.7g%11.2f%11.2f%11.2f%13.1f\n", row->iso, row->time.median_ms, row->time.min_ms,
            row->time.p95_ms, row->fps);
    }
}

// "kd-jump 8", "wavefront-dda, lookback (own kernels)", "dda, ends"
static void bench_cast_who(const struct bench_row *row, char *out, size_t size)
{
    char leaf[16] = "", form[32] = "";
    if (row->leaf) {
        snprintf(leaf, sizeof leaf, " %u", row->leaf);
    }
    if (row->form) {
        snprintf(form, sizeof form, " (%s)", row->form);
    }
    snprintf(
        out, size, "%s%s%s%s%s%s%s", row->caster, leaf, row->method ? ", " : "",
        row->method ? row->method : "", form, row->test ? ", " : "", row->test ? row->test : "");
}

static void bench_print_cast_row(const struct bench_row *row)
{
    char who[100], iso[32] = "all";
    bench_cast_who(row, who, sizeof who);
    if (!row->isos) {
        snprintf(iso, sizeof iso, "%.7g", row->iso);
    }
    if (row->busy > 0) {
        printf("%-55s%12s%10.1f %% of %u lanes busy\n", who, iso, row->busy, row->subgroup);
    } else if (row->round > 0 && row->leaf) {
        printf(
            "    list %-46u%12.0f rays, %.0f in leaves\n", row->round, row->rays,
            row->rays_in_leaves);
    } else if (row->round > 0) {
        printf("    list %-46u%12.0f rays\n", row->round, row->rays);
    } else if (row->stage) {
        printf("    %-51s%12.2f\n", row->stage, row->time.median_ms);
    } else {
        printf(
            "%-55s%12s%10.2f%10.2f%10.2f%10.2f%10.2f +- %.2f\n", who, iso, row->cpu_ms,
            row->time.median_ms, row->time.q1_ms, row->time.q3_ms, row->fps, row->fps_sd);
    }
    if (row->test && !row->isos) {
        printf(
            "    %.2f of the first one's CPU time; pixels: %" PRIu64 " lost, %" PRIu64
            " misplaced, of %" PRIu64 "\n",
            row->cpu_ratio, row->lost, row->misplaced, row->hits);
    }
}

void bench_print_experiment(const struct bench_row *row)
{
    if (row->experiment) {
        printf(
            "\n%s: %s, %s: %s\n", row->experiment->name, row->experiment->paper,
            row->experiment->figure, row->experiment->summary);
    }
}

static void bench_print_heading(const struct bench_row *row)
{
    bench_print_experiment(row);
    if (row->caster) {
        printable_put(row->file, stdout);
        printf(
            ", %ux%u pixels, %u views\n%-55s%12s%10s%10s%10s%10s%10s\n", row->width, row->height,
            row->views, "caster, leaf, method", "isovalue", "CPU ms", "median ms", "q1 ms", "q3 ms",
            "frames/s");
    } else if (row->file) {
        printable_put(row->file, stdout);
        printf(
            "\n%-18s%12s%11s%11s%11s%13s\n", "method", "isovalue", "median ms", "min ms", "p95 ms",
            "frames/s");
    } else {
        printf(
            "%-28s%6s%6s  %-14s%8s%11s%10s%10s%9s%9s\n", "method", "size", "block", "pattern",
            "kept %", "median ms", "min ms", "p95 ms", "M/s", "of copy");
    }
}

void bench_print_text(const struct bench_table *table)
{
    printf("%s, %s\n", table->device, table->driver);
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct bench_row *row = &table->rows[i];
        if (i == 0 || row->experiment != row[-1].experiment || row->file != row[-1].file) {
            bench_print_heading(row);
        }
        if (row->caster) {
            bench_print_cast_row(row);
        } else if (row->file) {
            bench_print_volume_row(row);
        } else if (!row->stage) {
            bench_print_stream_row(row);
        } else {
            printf("    %-60s%10.3f\n", row->stage, row->time.median_ms);
        }
        if (row->waits && !row->stage) {
            printf(
                "    %.1f spins, %.1f fallbacks, %.1f late elements of a run\n", row->spins,
                row->fallbacks, row->late);
        }
    }
}
