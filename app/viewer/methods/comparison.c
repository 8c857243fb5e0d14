#include "app/viewer/methods/comparison.h"

#include "app/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void comparison_order(
    const struct comparison *comparison, bool by_time, uint32_t order[STEP_HISTORY_METHODS])
{
    const struct comparison_row *rows = comparison->rows;
    for (uint32_t i = 0; i < comparison->count; i++) {
        const double ms = rows[i].times.compaction.median_ms;
        uint32_t at = i;
        while (by_time && at > 0 && rows[order[at - 1]].times.compaction.median_ms > ms) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

// Text that may have commas, quotes and ends of lines.
static void comparison_put_text(FILE *out, const char *text)
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

static void comparison_put_number(FILE *out, double value)
{
    char text[32];
    fprintf(out, "%s,", number_text(value, text));
}

// To the microsecond.
static void comparison_put_ms(FILE *out, double ms)
{
    fprintf(out, "%.3f,", ms);
}

static void
comparison_put_row(FILE *out, const struct comparison *comparison, const struct comparison_row *row)
{
    comparison_put_text(out, row->method);
    fputc(',', out);
    for (uint32_t s = 0; s < STEP_STAGES; s++) {
        comparison_put_ms(out, row->times.stage_ms[s]);
    }
    comparison_put_ms(out, row->times.compaction.median_ms);
    comparison_put_ms(out, row->times.compaction.min_ms);
    comparison_put_ms(out, row->times.whole.median_ms);
    comparison_put_ms(out, row->times.whole.min_ms);
    fprintf(
        out, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",", row->times.steps, row->active_cells,
        row->triangles);
    comparison_put_number(out, comparison->iso);
    comparison_put_text(out, comparison->device);
    fputc(',', out);
    comparison_put_text(out, comparison->volume);
    fputc('\n', out);
}

char *comparison_csv(const struct comparison *comparison)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    fputs("method,", out);
    for (uint32_t s = 0; s < STEP_STAGES; s++) {
        fprintf(out, "%s median (ms),", step_stage_names[s]);
    }
    fputs(
        "compaction median (ms),compaction least (ms),step median (ms),step least (ms),"
        "steps (n),active cells,triangles,isovalue,device,volume\n",
        out);
    for (uint32_t i = 0; i < comparison->count; i++) {
        comparison_put_row(out, comparison, &comparison->rows[i]);
    }
    const bool fine = !ferror(out);
    if (fclose(out) != 0 || !fine) {
        free(text);
        return NULL;
    }
    return text;
}
