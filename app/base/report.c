#include "app/base/report.h"

#include "app/base/number.h"
#include "compute/gpu/memory.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <string.h>

const char *choices_text(const struct extraction_result *result, char text[CHOICES_TEXT])
{
    snprintf(
        text, CHOICES_TEXT, "bricks by %.40s, cells by %.40s", result->bricks_choice.method->name,
        result->cells_choice.method->name);
    return text;
}

void choices_print_why(const struct extraction_result *result, int indent, FILE *file)
{
    if (result->bricks_choice.why[0]) {
        fprintf(file, "%*sbricks: %s\n", indent, "", result->bricks_choice.why);
        fprintf(file, "%*scells: %s\n", indent, "", result->cells_choice.why);
    }
}

void choices_json(const struct extraction_result *result, json_t *json)
{
    const struct selection *bricks = &result->bricks_choice, *cells = &result->cells_choice;
    json_add_text(json, "bricks_method", bricks->method->name);
    json_add_text(json, "bricks_why", bricks->why[0] ? bricks->why : NULL);
    json_add_text(json, "cells_method", cells->method->name);
    json_add_text(json, "cells_why", cells->why[0] ? cells->why : NULL);
}

static const struct {
    const char *word, *text;
} orders[] = {
    [ORDER_NONE] = { "differs", "order differs from run to run" },
    [ORDER_WITHIN_BLOCKS] = { "blocks",
                              "order kept within blocks; the order of the blocks differs" },
    [ORDER_FIXED] = { "fixed", "the same order every time, not the stream's" },
    [ORDER_STREAM] = { "stable", "stable" },
};

const char promises_columns[] =
    "order     stable: the stream's own; fixed: another, the same every time; blocks: the\n"
    "          stream's within a block, blocks as they finish; differs: from run to run\n"
    "waits     a workgroup may wait for another, then does the other's work itself\n"
    "removals  its input is a list and the positions to remove from it\n"
    "block     it works in blocks, whose size can be set (bench compaction --block)\n"
    "longest   the longest stream that it takes on the device\n";

const char *promises_order(const struct method *method)
{
    return orders[method->order].word;
}

const char *promises_place(const struct method *method)
{
    return method->cpu ? "CPU" : "device";
}

struct promises promises_of(const struct method *method)
{
    char most[64], looped[64], count[32];
    snprintf(most, sizeof most, "at most %s elements", number_thousands(method->largest, count));
    snprintf(
        looped, sizeof looped, "on a CPU device at most %s elements",
        number_thousands(method_longest(method, &traits_cpu), count));
    const struct {
        bool holds;
        const char *text;
    } rows[] = {
        { true, orders[method->order].text },
        { method->in_place, "in place" },
        { method->waits, "waits for other workgroups, a few turns" },
        { method->removes, "needs a removal list" },
        { method->blocks, "block size is a parameter" },
        { method->largest > 0, most },
        { method->loop.turns > 0, looped },
        { method->cpu, "on the CPU" },
    };
    struct promises out = { "" };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(out.text);
        if (rows[i].holds) {
            snprintf(
                out.text + length, sizeof out.text - length, "%s%s", length ? "; " : "",
                rows[i].text);
        }
    }
    return out;
}

void device_memory_json(const struct gpu *gpu, json_t *json)
{
    json_t *object = json_add_object(json, "device_memory");
    for (int i = 0; i < PURPOSES; i++) {
        json_add_count(object, purpose_name((enum purpose)i), gpu->budget.peak_held[i]);
    }
}

const char *device_memory_text(const struct gpu *gpu, char text[DEVICE_MEMORY_TEXT])
{
    int length = snprintf(text, DEVICE_MEMORY_TEXT, "%.1f MiB", (double)gpu->budget.peak / 0x1p20);
    const char *before = ": ";
    for (int i = 0; i < PURPOSES; i++) {
        if (gpu->budget.peak_held[i] > 0) {
            length += snprintf(
                text + length, (size_t)(DEVICE_MEMORY_TEXT - length), "%s%.1f %s", before,
                (double)gpu->budget.peak_held[i] / 0x1p20, purpose_name((enum purpose)i));
            before = ", ";
        }
    }
    return text;
}

void notes_warn(const struct volume *volume)
{
    if (volume->type_inferred) {
        log_note(
            "samples are read as %s, which the file's size suggests; --type sets another type",
            volume_type_name(volume->file_type));
    }
    if (volume->file_type == VOLUME_FLOAT64) {
        log_note("float64 samples were rounded to float32");
    }
}

void notes_volume(const char *path, const struct volume *volume, double ms)
{
    struct problem shown; // the path, made printable
    problem_set(&shown, PROBLEM_NONE, "%s", path ? path : "the default volume");
    fprintf(
        stderr, "cubist: %s %s: %u x %u x %u samples of %s in %.0f ms\n",
        path ? "read" : "generated", shown.text, volume->dim[0], volume->dim[1], volume->dim[2],
        volume_type_name(volume->file_type), ms);
}

void notes_device(const struct gpu *gpu, double ms)
{
    fprintf(
        stderr, "cubist: device %s, %s, %" PRIu64 " MiB free, opened in %.0f ms\n",
        gpu->properties.deviceName, gpu->driver, gpu_memory_free(gpu) >> 20, ms);
}

void notes_atlas(const struct atlas *atlas)
{
    fprintf(
        stderr,
        "cubist: atlas of %u x %u tiles in %u layers as %s, %" PRIu64
        " KiB on the device, in %.0f ms, its bricks' ranges in %.1f ms\n",
        atlas->cols, atlas->rows, atlas->layers,
        atlas->storage == ATLAS_STORAGE_IMAGE ? "image" : "buffer", atlas->device_bytes >> 10,
        atlas->upload_ms, atlas->ranges_ms);
}

void notes_part_size(const struct parts_plan *plan, char out[40])
{
    const uint32_t count = plan->rows ? plan->rows : plan->layers;
    snprintf(
        out, 40, "%u %s%s%s", count, plan->rows ? "row" : "layer", count == 1 ? "" : "s",
        plan->rows ? " of a layer" : "");
}

void notes_parts(const struct parts_plan *plan)
{
    char size[40];
    notes_part_size(plan, size);
    fprintf(
        stderr, "cubist: %u parts of up to %s of cells, in %.1f MiB of device memory\n",
        plan->count, size, (double)plan->budget / 0x1p20);
}
